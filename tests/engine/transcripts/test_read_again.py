"""Transcripts that are read again: corrected ones count what is new, names of their own, events by their names."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from asterism.core.dialogue.beats import beats
from asterism.core.dialogue.lines import Actor, Line, Mask
from asterism.core.dialogue.links import Chunk
from asterism.core.ledger.items import Item, make_item
from asterism.engine.transcripts.read import TranscriptReport
from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from asterism.sync import Memory
from tests.support.memories import DAY, NOON, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of, store_of

STARTED = NOON - DAY
MS = int(STARTED.timestamp() * 1000)
SAID = [
    ("Ann", "I open the Vault with the Lantern."),
    ("DM", "The Vault opens, and the Lantern dies."),
    ("Ann", "I take the Lantern."),
    ("DM", "You take the Lantern to the Vault."),
]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def numbered(*said: tuple[str, str], at: int | None = None) -> list[Line]:
    return [Line(place, *each, at) for place, each in enumerate(said)]


def read(memory: Memory, lines: list[Line], **more: object) -> TranscriptReport:
    return memory.read_transcript(lines, **{"session": "One", "started_at": STARTED} | more)  # type: ignore[arg-type]


def starred(place: Place) -> Memory:
    memory: Memory = remembering(place).__enter__()
    for name in ("Vault", "Lantern"):
        memory.add_star(name, domain="soul", at=STARTED - DAY)
    return memory


def raw(memory: Memory) -> int:
    link = memory.link("vault", "lantern")
    assert link is not None
    return link.evidence.raw


def strength_of(memory: Memory) -> float:
    link = memory.link("vault", "lantern")
    assert link is not None
    return link.strength


def test_a_corrected_transcript_does_not_count_twice(place: Place) -> None:
    with starred(place) as memory:
        first = read(memory, numbered(*SAID))
        assert (first.evidence, first.evidence_known, raw(memory)) == (5, 0, 5)
        strength = strength_of(memory)
        longer = read(memory, numbered(("DM", "Welcome."), *SAID))
        assert (longer.new, longer.evidence, longer.evidence_set_aside, raw(memory)) == (True, 5, 5, 5)
        doubled = read(memory, numbered(*SAID, ("DM", "Hm."), SAID[1]))  # said again, it is said twice
        assert (doubled.evidence, doubled.evidence_set_aside, raw(memory)) == (6, 5, 6)
        shorter = read(memory, numbered(*SAID[:2]))  # what a lost line said is told no more
        assert (shorter.evidence, shorter.evidence_set_aside, raw(memory)) == (3, 6, 3)
        again = read(memory, numbered(*SAID))
        assert (again.evidence, again.evidence_set_aside, raw(memory)) == (5, 3, 5)
        assert strength_of(memory) == strength
        assert memory.why("vault", "lantern").total == strength
        assert memory.verify().ok


def test_lines_of_one_millisecond_lose_nothing_when_a_mask_is_lifted(place: Place) -> None:
    lines = numbered(*[("Ann" if n % 2 else "DM", "Vault, Lantern") for n in range(4)], at=MS)
    with starred(place) as memory:
        masked = read(memory, lines, masks=[Mask(0, 1, "noise")], started_at=None)
        assert (masked.evidence, raw(memory)) == (2, 2)
        lifted = read(memory, lines, started_at=None)
        assert (lifted.new, lifted.evidence, lifted.evidence_set_aside, raw(memory)) == (True, 4, 2, 4)
        longer = read(memory, numbered(("DM", "Lantern and Vault"), *[line[1:3] for line in lines], at=MS))
        assert (longer.evidence, longer.evidence_set_aside, raw(memory)) == (5, 4, 5)
        again = read(memory, lines, masks=[Mask(0, 1, "noise")], started_at=None)
        assert (again.new, again.evidence, raw(memory)) == (True, 2, 2)


def test_two_copies_that_read_the_same_tell_the_same(tmp_path: Path) -> None:
    lines = numbered(*[("Ann" if n % 2 else "DM", "Vault, Lantern") for n in range(4)], at=MS)
    with starred(tmp_path / "a.db") as one:
        read(one, lines, masks=[Mask(0, 1, "noise")])
        read(one, lines)
    with starred(tmp_path / "b.db") as other:
        read(other, lines)
        other.merge(tmp_path / "a.db")
        assert raw(other) == 4


def test_a_session_keeps_its_name_from_another(place: Place) -> None:
    with remembering(place) as memory:
        read(memory, numbered(*SAID), session="Night 1")
        before = memory.verify().digest
        with pytest.raises(AsterismError, match="'night-1' has the id of 'Night 1'") as caught:
            read(memory, numbered(*SAID[2:]), session="night-1")
        assert (caught.value.code, caught.value.item) == ("session_taken", "Night 1")
        assert is_told_well(caught.value)
        assert (memory.verify().digest, memory.sessions()) == (before, ["Night 1"])
        assert read(memory, numbered(*SAID), session="NIGHT  1").new  # the same name, written otherwise


def test_events_are_found_by_the_names_they_were_given(place: Place) -> None:
    with remembering(place) as memory:
        report = read(memory, numbered(*SAID), chunks=[("door", 0, 1), {"id": "way", "start": 3, "end": 9}])
        assert report.to_dict()["events"] == {
            name: [link.id for link in links] for name, links in report.events.items()
        }
        assert list(report.events) == ["door", "way"]
        for event, links in report.events.items():
            assert memory.causal_links("One", event=event) == links != []
        assert memory.causal_links("One", event=("mine", 2, 3)) == memory.causal_links("One", event=Chunk("m", 2, 3))
        for event, said in (("dor", "did you mean door"), ("Xyz", "there is door, way")):
            with pytest.raises(AsterismError, match=said) as caught:
                memory.causal_links("One", event=event)
            assert caught.value.code == "unknown_event"
        with pytest.raises(AsterismError) as caught:
            memory.causal_links("One", event=5)
        assert caught.value.code == "bad_chunk"
        assert read(memory, numbered(*SAID)).new  # other chunks are another reading
        with pytest.raises(AsterismError, match="read without chunks"):
            memory.causal_links("One", event="door")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"session": 5}, "bad_text"),
        ({"actor": 5}, "bad_text"),
        ({"types": [5]}, "bad_text"),
        ({"types": 5}, "bad_type"),
        ({"event": "door"}, "no_session"),
    ],
)
def test_what_cannot_be_asked_is_named(asked: dict[str, object], code: str) -> None:
    with remembering(InMemoryStore()) as memory:
        read(memory, numbered(*SAID))
        assert memory.causal_links(types="declare") == memory.causal_links(types=["declare"]) != []
        with pytest.raises(AsterismError) as caught:
            memory.causal_links(**asked)
        assert caught.value.code == code
        assert is_told_well(caught.value)


def test_what_a_report_says_is_what_is_kept() -> None:
    with remembering(InMemoryStore()) as memory:
        for preset in ("seed", "tabletop", "tabletop"):
            report = read(memory, numbered(*SAID), preset=preset, chunks=[("door", 0, 1)])
            assert list(report.links) == memory.causal_links("One")
            assert report.links[0].created_at_ms == MS + 3_000
            assert report.events["door"] == [report.links[0]]
            assert report.beats() == beats(report.reading) != ()


def test_odd_signs_are_read_counted_and_can_be_merged(tmp_path: Path) -> None:
    odd = numbered(("Bo\x00", "I go \x1b up."), ("DM\tAnn", "Okay.\x07"), ("DM\nAnn", "Hm."))
    with remembering(tmp_path / "a.db") as memory:
        report = read(memory, odd)
        assert (report.cleaned, report.to_dict()["cleaned"]) == (3, 3)
        assert read(memory, odd).new is False
        links, told = memory.causal_links(), memory.entries("bo", "dm-ann")
        assert {name: entry.name for name, entry in told.items()} == {"bo": "Bo", "dm-ann": "DM Ann"}
        assert links[0].consequence_text == "Okay. "
    with remembering(tmp_path / "b.db") as other:
        other.merge(tmp_path / "a.db")
        assert other.causal_links() == links


def test_rows_may_be_of_any_kind() -> None:
    with remembering(InMemoryStore()) as memory:
        rows = [line._asdict() for line in numbered(*SAID)]
        report = memory.read_transcript(rows, session="One", actors="Ann", started_at=STARTED, masks=[(0, 0, "noise")])
        assert [link.intent_anchor_index for link in report.links] == [2]
        assert report.reading.speakers["Ann"].actor == Actor("ann", "Ann")


def test_an_item_says_what_it_gave_while_its_reading_counts(place: Place) -> None:
    with starred(place) as memory:
        read(memory, numbered(*SAID))
        store = store_of(place)
        (reading,) = (item for _, item in store.items("me", only=["transcript"]))
        told = [item for _, item in store.items("me", only=["evidence"])]
        gains = [memory.why(item.id.hex()).total for item in told]
        assert all(gain > 0 for gain in gains)
        assert sum(gains) == pytest.approx(strength_of(memory))
        assert memory.why(reading.id.hex()).lines
        read(memory, numbered(*SAID[:2]))
        why = memory.why(told[0].id.hex())
        assert (why.total, why.notes[-1]) == (
            0.0,
            "its reading is not the current one of its session: it does not count",
        )


def test_as_of_a_time_before_the_session_ended_nothing_of_it_is_known(place: Place) -> None:
    with starred(place) as memory:
        read(memory, numbered(*SAID))
        assert memory.as_of(STARTED + timedelta(seconds=2)).link("vault", "lantern") is None
        assert memory.as_of(STARTED + timedelta(seconds=3)).link("vault", "lantern") is not None


def test_evidence_told_before_it_belonged_to_a_reading_is_not_told_twice(place: Place) -> None:
    with starred(place) as memory:
        read(memory, numbered(*SAID))
    store = store_of(place)
    told = [item for _, item in store.items("me") if "reading" in item.payload]
    old = InMemoryStore()
    with old.writing("me") as writing:  # as it was kept then
        writing.append([item for _, item in store.items("me") if item not in told])
        writing.append([without_reading(item) for item in told])
    with remembering(old) as memory:
        again = read(memory, numbered(*SAID))
        assert (again.new, again.evidence, again.evidence_known, raw(memory)) == (False, 0, 5, 5)
        longer = read(memory, numbered(*SAID, ("DM", "The Lantern is in the Vault.")))
        assert (longer.evidence, longer.evidence_known, raw(memory)) == (1, 5, 6)
        assert memory.verify().ok


def without_reading(item: Item) -> Item:
    payload = {name: value for name, value in item.payload.items() if name != "reading"}
    return make_item(
        space=item.space, what=item.what, at=item.at, payload=payload, known_at=item.known_at, source=item.source
    )
