"""Ledgers for tests in which sessions are read and read again, and their evidence lies among other items."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.payloads import payload_of
from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_HOUR
from asterism.core.ledger.items import Item, Payload, make_item
from tests.support.strategies import EVIDENCE, FIRST_DAY, SPACE, Told, about, engaged, evidence, star_added

NODES = "abcd"
PAIRS = [(one, other) for one in NODES for other in NODES if one < other]
DAYS = 24


@cache
def said(session: str, word: str) -> Payload:
    """Give what a reading of a session says; another word makes another one."""
    lines = [Line(0, "Ann", f"I open the {word}."), Line(1, "DM", f"The {word} opens."), Line(2, "Ann", "Is it so?")]
    return payload_of(causal_links(lines, session=session, responders=["DM"]), started_at_ms=0)


def read_item(session: str, word: str, at: int, known_at: int = 0) -> Item:
    """Make the item of a reading."""
    return make_item(space=SPACE, what="transcript", at=at, payload=said(session, word), known_at=known_at)


def of_reading(reading: Item | bytes, a: str, b: str, kind: str, at: int, known_at: int = 0) -> Item:
    """Make an item of evidence that belongs to a reading."""
    name = (reading if isinstance(reading, bytes) else reading.id).hex()
    payload: Payload = {"a": a, "b": b, "kind": kind, "reading": name}
    return make_item(space=SPACE, what="evidence", at=at, payload=payload, known_at=known_at)


def time_of(day: int, hour: float = 12.0) -> int:
    """Give a moment, by the day and hour from the ledger's start."""
    return (FIRST_DAY + day) * MICROS_PER_DAY + round(hour * MICROS_PER_HOUR)


TIMES = st.builds(time_of, st.integers(0, DAYS), st.sampled_from([0.0, 6.5, 12.0, 23.75]))
KNOWN = st.integers(0, 3)
WORDS = st.lists(st.sampled_from(["door", "vault", "book"]), min_size=2, max_size=3, unique=True)


@st.composite
def ledgers(draw: st.DrawFn) -> list[Item]:
    """Draw a ledger in no order: stars, evidence, acts, and sessions read up to three times."""
    loose = st.one_of(
        st.builds(evidence, *map(st.just, "ab"), st.sampled_from(EVIDENCE), st.integers(0, DAYS), st.just(9.0)),
        st.builds(evidence, *map(st.just, "bc"), st.sampled_from(EVIDENCE), st.integers(0, DAYS), st.just(18.0)),
        st.builds(engaged, st.sampled_from(NODES), st.integers(0, DAYS)),
        st.builds(about, st.sampled_from(NODES), st.just("dark_marked"), st.integers(0, DAYS)),
        st.builds(Told, st.sampled_from(["clock", "discovery"]), st.integers(0, DAYS), st.just(20.0), st.just({})),
    )
    told = [star_added(name, draw(st.integers(0, 2))) for name in NODES[: draw(st.integers(0, 4))]]
    told += draw(st.lists(loose, max_size=8))
    items = [each.item()._replace(known_at=draw(KNOWN)) for each in told]
    sessions = draw(st.lists(st.sampled_from(["One", "ONE", "Two", "one-x", "one x"]), min_size=1, max_size=2))
    for session, word in [(session, word) for session in sessions for word in draw(WORDS)]:
        reading = read_item(session, word, draw(TIMES), draw(KNOWN))
        if draw(st.integers(0, 9)):  # else its evidence came alone
            items.append(reading)
        for a, b in draw(st.lists(st.sampled_from(PAIRS), min_size=1, max_size=3)):
            kind = draw(st.sampled_from(EVIDENCE))
            items.append(of_reading(reading, a, b, kind, draw(TIMES), draw(KNOWN)))
    return list({item.id: item for item in items}.values())
