"""What keeps a connection from a state it has not reached, or from being of a kind: the gate, and what passes it.

A change is found by trying it: evidence is folded into a copy, and what comes of it is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from asterism.core.connections import read
from asterism.core.connections.day import Graph
from asterism.core.connections.fold import Connections
from asterism.core.connections.words import EvidenceKind, LinkKind, LinkState, word
from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of, to_date
from asterism.core.ledger.explain import Asked, Gates
from asterism.core.ledger.items import Item, make_item
from asterism.core.ledger.model import WhyNotAnswer, link_id
from asterism.errors import InputError
from asterism.hints import Hint, mention, step

CONFIRMED = word(EvidenceKind.USER_CONFIRMS)
CREATED = word(EvidenceKind.USER_CREATES)
MOST_ITEMS = 400  # of evidence that are tried, one a day
ASLEEP = (LinkState.DORMANT, LinkState.DISSOLVED)
STATES = tuple(state.name for state in LinkState if state > LinkState.DORMANT)  # that evidence leads to


def tried(a: str, b: str, kind: str, *, at: int) -> Item:
    """Make an item of evidence that nobody told, to see what would come of it."""
    first, second = sorted((a, b))
    return make_item(
        space="tried", what="evidence", at=at, payload={"a": first, "b": second, "kind": kind}, known_at=at
    )


# Links that sleep


class Sleeping(NamedTuple):
    """A connection that carries nothing now: its ends as evidence names them, and what the other one is now."""

    a: str
    b: str
    other: str
    state: str


def sleeping(folded: Connections, family: Iterable[str], standing: Callable[[str], str]) -> Iterator[Sleeping]:
    """Give the connections of a node, by its ids, that went dormant or dissolved."""
    table, rows, ids = folded.graph.links.trim(), folded.nodes.rows, folded.nodes.ids
    for name in family:
        row = rows.get(name, -1)
        for link in ((table.a == row) | (table.b == row)).nonzero()[0].tolist():
            state = LinkState(table.state.item(link))
            if state in ASLEEP and table.raw[link] and not table.latent[link]:
                a, b = ids[table.a[link]], ids[table.b[link]]
                yield Sleeping(a, b, standing(b if a == name else a), state.name)


class SleepWatch:
    """Notes the day on which a pair fell asleep."""

    def __init__(self, folded: Connections, a: str, b: str) -> None:
        self.folded, self.a, self.b = folded, a, b
        self.since: int | None = None

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Look at the state that the day leaves."""
        if stage == "state":
            row = _row(self.folded, self.a, self.b)
            asleep = row is not None and LinkState(graph.links.state.item(row)) in ASLEEP
            self.since = (day if self.since is None else self.since) if asleep else None

    def slept(self, day: int, until: int, graph: Graph) -> None:  # noqa: ARG002  # the first of the days says it all
        """See at the first of many days what all of them leave."""
        self.after("state", day, graph)


def asleep_since(asked: Asked[Connections], a: str, b: str) -> str:
    """Give the day at whose end a pair fell asleep; "" if it is awake."""
    since = asked.watched(lambda folded: SleepWatch(folded, a, b)).since
    return "" if since is None else to_date(since).isoformat()


# States and kinds


def why_not_so(asked: Asked[Connections], a: str, b: str, wanted: str) -> WhyNotAnswer:
    """Say what keeps a connection from a state (FORMING .. STRONG) or from being of a kind."""
    a, b = sorted(read.told_as(asked.fold, asked.family(a), asked.family(b)) or (a, b))
    if a == b:
        raise InputError(f"{a} cannot be linked to itself", code="self_link", item=a, hint="name two different nodes")
    if wanted.upper() in STATES:
        return _why_no_state(asked, a, b, LinkState[wanted.upper()])
    return _why_no_kind(asked, a, b, LinkKind[wanted.upper()])


def _why_no_state(asked: Asked[Connections], a: str, b: str, wanted: LinkState) -> WhyNotAnswer:
    folded, name = asked.fold, link_id(a, b)
    row, table, rungs = _row(folded, a, b), folded.graph.links, folded.rules.rungs
    state = None if row is None or table.latent[row] else LinkState(table.state.item(row))
    if state is not None and state >= wanted:
        return WhyNotAnswer(name, "in", float(state), float(wanted), f"It is {state.name}.")
    items = _items_to(folded, a, b, wanted, asked.moment)
    change = Hint(f"{items} x ", step("observe", a, b, CONFIRMED), ", one a day.")
    if not items:
        change = Hint(f"{MOST_ITEMS} confirmations, one a day, do not bring it there.")
    tell = ("observe", a, b, CONFIRMED, str(items)) if items else ()
    if row is None or state is None or not table.raw[row]:
        told = 0.0 if row is None else float(table.raw[row])
        return WhyNotAnswer(name, "evidence", told, told + 1, change, tell=tell)
    if state in ASLEEP:
        change = Hint(f"It is {state.name} since {asleep_since(asked, a, b)}. ", change)
        return WhyNotAnswer(name, "dormant", float(state), float(wanted), change, tell=tell)
    rung = int(wanted) - int(LinkState.FORMING)
    strength, counted = table.strength.item(row), table.effective.item(row)
    parts = {"strength": strength, "evidence": counted}
    if counted < rungs.evidence[rung]:
        return WhyNotAnswer(name, "evidence", counted, rungs.evidence[rung], change, signals=parts, tell=tell)
    return WhyNotAnswer(name, "threshold", strength, rungs.strength[rung], change, signals=parts, tell=tell)


def _row(folded: Connections, a: str, b: str) -> int | None:
    rows = folded.nodes.rows
    return folded.pairs.get(rows[a], rows[b]) if a in rows and b in rows else None


def _items_to(folded: Connections, a: str, b: str, wanted: LinkState, at: int) -> int:
    """Count how many confirmations, one a day from now on, make a state; 0 if that many are not enough."""
    ahead = folded.copy(folded.nodes.copy())
    for count in range(1, MOST_ITEMS + 1):
        day = day_of(at)
        ahead.day = day if ahead.day is None else ahead.day
        ahead.close_days(day)
        ahead.apply(tried(a, b, CONFIRMED, at=at), day)
        row = _row(ahead, a, b)
        table = ahead.graph.links
        if row is not None and not table.latent[row] and table.state[row] >= wanted:
            return count
        at += MICROS_PER_DAY
    return 0


def _why_no_kind(asked: Asked[Connections], a: str, b: str, wanted: LinkKind) -> WhyNotAnswer:
    """Say which condition of detection fails; saying the kind oneself always passes."""
    folded, name = asked.fold, link_id(a, b)
    row, p, table = _row(folded, a, b), folded.parameters, folded.graph.links
    if row is None or not table.raw[row] or table.latent[row]:
        tell = ("observe", a, b, CREATED)
        then = mention("assign_type", a, b, word(wanted))
        change = Hint("There is no link yet: ", step(*tell), ", then ", then, ".")
        return WhyNotAnswer(name, "evidence", 0.0, 1.0, change, tell=tell)
    if table.kind[row] == wanted:
        return WhyNotAnswer(name, "in", 1.0, 1.0, f"It is {word(wanted)}.")
    tell = ("assign_type", a, b, word(wanted))
    said = Hint(step(*tell), " says it.")
    if table.user_type[row]:
        kind = word(LinkKind(table.kind.item(row)))
        return WhyNotAnswer(name, "assigned", 0.0, 1.0, Hint(f"It was said to be {kind}. ", said), tell=tell)
    seen = folded.look_yesterday(table.a.item(row), table.b.item(row), day_of(asked.moment))
    together, cause = float(seen.correlation[0]), float(seen.causation.confidence[0])
    if wanted in (LinkKind.RESONANCE, LinkKind.TENSION):
        needed = p.resonance_threshold if wanted is LinkKind.RESONANCE else p.tension_threshold
        if together != together:
            change = Hint(f"Too few days on which both have a value ({p.min_observations} are needed). ", said)
            return WhyNotAnswer(name, "correlation", 0.0, needed, change, tell=tell)
        change = Hint(f"Their brightness correlates with {together:.3f}. ", said)
        return WhyNotAnswer(name, "correlation", together, needed, change, tell=tell)
    if wanted in (LinkKind.CAUSATION, LinkKind.GROWTH_EDGE):
        lags, same = int(seen.causation.lags[0]), bool(seen.causation.same_sign[0])
        sign = ", of one sign" if same else ""
        change = Hint(f"{lags} changes of one came before changes of the other{sign}. ", said)
        return WhyNotAnswer(name, "causation", cause, p.causation_threshold, change, tell=tell)
    condition = "neither star is DARK" if wanted is LinkKind.SHADOW_MIRROR else "no end is stuck while the other acts"
    return WhyNotAnswer(name, "condition", 0.0, 1.0, Hint(f"It would be, but {condition}. ", said), tell=tell)


GATES: Gates[Connections] = Gates(link=why_not_so, words=(*STATES, *map(word, LinkKind)))
