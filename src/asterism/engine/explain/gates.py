"""Why two nodes are not linked, or a link is not what it could be: the gate, and the smallest change that passes it.

A change is found by trying it: evidence is folded into a copy of the memory, and what comes of it is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import PROTECTED, SIMILAR, key_of
from asterism.core.blocks.read import standing
from asterism.core.blocks.records import ACTIVE, FORGOTTEN, THERE
from asterism.core.blocks.scoring import category_match, composite, cosine, jaccard, temporal_proximity
from asterism.core.connections.day import Graph
from asterism.core.connections.fold import Connections
from asterism.core.connections.words import EvidenceKind, LinkKind, LinkState, word
from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of, to_date
from asterism.core.ledger.items import cut, make_item
from asterism.core.ledger.model import WhyNotAnswer, link_id
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.engine.blocks.dream import protected
from asterism.engine.blocks.learn import forgotten_heir
from asterism.engine.space.live import Live
from asterism.engine.space.vectors import VectorTable
from asterism.errors import InputError
from asterism.hints import Hint, mention, step

CONFIRMED = word(EvidenceKind.USER_CONFIRMS)
CREATED = word(EvidenceKind.USER_CREATES)
MOST_ITEMS = 400  # of evidence that are tried, one a day
ASLEEP = (LinkState.DORMANT, LinkState.DISSOLVED)


class Sleeping(NamedTuple):
    """A connection that carries nothing now: its ends as evidence names them, and what the other one is now."""

    a: str
    b: str
    other: str
    state: str


def sleeping(folded: Projection, node: str) -> Iterator[Sleeping]:
    """Give the connections of a node that went dormant or dissolved."""
    table, rows, ids = folded.connections.graph.links.trim(), folded.nodes.rows, folded.nodes.ids
    for name in folded.blocks.family(node) if node in folded.blocks.blocks else [node]:
        row = rows.get(name)
        if row is None:
            continue
        for link in ((table.a == row) | (table.b == row)).nonzero()[0].tolist():
            state = LinkState(table.state.item(link))
            if state in ASLEEP and table.raw[link] and not table.latent[link]:
                a, b = ids[table.a[link]], ids[table.b[link]]
                yield Sleeping(a, b, standing(folded.blocks, b if a == name else a), state.name)


class SleepWatch:
    """Notes the day on which a pair fell asleep."""

    def __init__(self, folded: Connections, a: str, b: str) -> None:
        self.folded, self.a, self.b = folded, a, b
        self.since: int | None = None

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Look at the state that the day leaves."""
        if stage == "state":
            rows = self.folded.nodes.rows
            known = self.a in rows and self.b in rows
            row = self.folded.pairs.get(rows[self.a], rows[self.b]) if known else None
            asleep = row is not None and LinkState(graph.links.state.item(row)) in ASLEEP
            self.since = (day if self.since is None else self.since) if asleep else None


def asleep_since(live: Live, a: str, b: str, *, moment: int, known_at: int | None) -> str:
    """Give the day at whose end a pair fell asleep; "" if it is awake."""
    watches: list[SleepWatch] = []

    def watch(projection: Projection) -> SleepWatch:
        watches.append(SleepWatch(projection.connections, a, b))
        return watches[0]

    live.replay(moment, known_at=known_at, watch=watch)
    since = watches[0].since
    return "" if since is None else to_date(since).isoformat()


def told_of(folded: Projection, a: str, b: str, kind: str, *, at: int) -> Projection:
    """Fold one more item of evidence into a copy."""
    ahead = folded.ahead()
    _tell(ahead, a, b, kind, at)
    return ahead


def _tell(ahead: Projection, a: str, b: str, kind: str, at: int) -> None:
    first, second = sorted((a, b))
    payload = {"a": first, "b": second, "kind": kind}
    ahead.apply(make_item(space="tried", what="evidence", at=at, payload=payload, known_at=at))


# --- of two blocks, as a dream sees them --------------------------------------------------------------------------


def why_no_link(folded: Projection, texts: VectorTable, a: str, b: str) -> WhyNotAnswer:
    """Say which gate two blocks do not pass: the guard, the threshold, the cap."""
    blocks, rules = folded.blocks, folded.parameters.blocks
    name = link_id(a, b, SIMILAR)
    key = key_of(SIMILAR, a, b)
    if a == b:
        raise InputError(f"{a} cannot be linked to itself", code="self_link", item=a, hint="name two different blocks")
    if key in blocks.links.links:
        strength = blocks.strength(key, blocks.hours_now)
        return WhyNotAnswer(name, "linked", strength, strength, "They are linked.")
    for end in (a, b):
        status = blocks.blocks[end].status
        if status in THERE and status != ACTIVE:
            change = Hint(f"{end} is not active: ", step("dream"), " consolidates the inbox.")
            return WhyNotAnswer(name, "inbox", 0.0, 1.0, change, tell=("dream",))
        if status not in THERE:
            return gone(blocks, end, name)
    one, other = blocks.blocks[a], blocks.blocks[b]
    near, far = texts.of([one.text(), other.text()]).astype(float).tolist()
    parts = {
        "cosine": cosine(near, far),
        "tags": jaccard(one.tags, other.tags),
        "category": category_match(one.category, other.category, cross_category_score=rules.cross_category_score),
        "time": temporal_proximity(one.hours, other.hours, sigma=rules.temporal_sigma_hours),
    }
    tell = ("observe", a, b, CREATED)  # evidence passes every gate of a dream
    if parts["cosine"] < rules.minimum_cosine_for_edge:
        near = "edit one in nearer words and dream"
        change = Hint(f"Below the guard nothing else counts: {near}, or evidence links them: ", step(*tell), ".")
        least = rules.minimum_cosine_for_edge
        return WhyNotAnswer(name, "guard", parts["cosine"], least, change, signals=parts, tell=tell)
    score = composite(
        cosine=parts["cosine"], tags=parts["tags"], category=parts["category"], time=parts["time"], parameters=rules
    )
    threshold = rules.edge_score_threshold
    if score < threshold:
        gap = (threshold - score) / rules.weight_tags
        change = Hint("Evidence links them: ", step(*tell), ".")
        if parts["tags"] + gap <= 1:
            change = Hint(f"Share tags: {gap:+.2f} of overlap is missing (then forget, restore and dream). ", change)
        return WhyNotAnswer(name, "threshold", score, threshold, change, signals=parts, tell=tell)
    cap = rules.edge_degree_cap
    needed = max(_weakest(folded, end, cap) for end in (a, b))
    if needed > score or cap == 0:
        change = Hint(f"An end has {cap} better links: evidence links them without that cap: ", step(*tell), ".")
        return WhyNotAnswer(name, "cap", score, needed, change, signals=parts, tell=tell)
    change = Hint(
        "Nothing keeps them apart now; a dream looks at a pair when one of the two is new: forget and restore one, and "
        "dream. Evidence links them at once: ",
        step(*tell),
        ".",
    )
    return WhyNotAnswer(name, "none", score, threshold, change, signals=parts, tell=tell)


def gone(blocks: Blocks, block: str, subject: str) -> WhyNotAnswer:
    """Say that a block is not there, and how it comes back, or what stands for it."""
    stands, status, tell = blocks.there(block), blocks.blocks[block].status, tuple[str, ...]()
    if stands is not None:
        change = f"ask for {stands}, which stands for it"
    elif blocks.blocks[heir := forgotten_heir(blocks, block)].status == FORGOTTEN:
        tell = ("restore", heir)
        change = Hint(step(*tell), " brings it back")
    else:
        change = "what took its place was erased"
    return WhyNotAnswer(subject, "gone", 0.0, 1.0, Hint(f"{block} was {status}: ", change, "."), tell=tell)


def _weakest(folded: Projection, end: str, cap: int) -> float:
    """Give the score that an edge must beat at a block whose room is full; 0 if there is room."""
    links = folded.blocks.links
    there = [key for key in links.of(end) if all(folded.blocks.blocks[each].status in THERE for each in key[1:])]
    similar = [links.links[key].anchor for key in there if key[0] == SIMILAR]
    taken = sum(key[0] in PROTECTED for key in there)
    taken += sum(end in (link.a, link.b) for link in protected(folded))
    return 0.0 if taken + len(similar) < cap else min(similar, default=1.0)


# --- of a connection: a state it has not reached, a kind it is not -----------------------------------------------


Since = Callable[[str, str], str]  # since when a pair is asleep


def why_no_connection(folded: Projection, a: str, b: str, wanted: str, *, at: int, since: Since) -> WhyNotAnswer:
    """Say what keeps a connection from a state (FORMING .. STRONG) or from being of a kind."""
    a, b = sorted(SpaceGraph(folded).pair(a, b))
    if a == b:
        raise InputError(f"{a} cannot be linked to itself", code="self_link", item=a, hint="name two different nodes")
    if wanted.upper() in LinkState.__members__ and LinkState[wanted.upper()] > LinkState.DORMANT:
        return _why_no_state(folded, a, b, LinkState[wanted.upper()], at, since)
    if wanted.upper() in LinkKind.__members__:
        return _why_no_kind(folded, a, b, LinkKind[wanted.upper()], at)
    words = [state.name for state in LinkState if state > LinkState.DORMANT] + [word(kind) for kind in LinkKind]
    raise InputError(
        f"{cut(wanted)!r} is nothing that a connection can be",
        code="bad_state",
        item=cut(wanted),
        hint=f"one of {', '.join(words)}; of two blocks also {SIMILAR}",
    )


def _why_no_state(folded: Projection, a: str, b: str, wanted: LinkState, at: int, since: Since) -> WhyNotAnswer:
    name, rungs = link_id(a, b), folded.connections.rules.rungs
    row = _row(folded, a, b)
    table = folded.connections.graph.links
    state = None if row is None or table.latent[row] else LinkState(table.state.item(row))
    if state is not None and state >= wanted:
        return WhyNotAnswer(name, "in", float(state), float(wanted), f"It is {state.name}.")
    items = _items_to(folded, a, b, wanted, at)
    change = Hint(f"{items} x ", step("observe", a, b, CONFIRMED), ", one a day.")
    if not items:
        change = Hint(f"{MOST_ITEMS} confirmations, one a day, do not bring it there.")
    tell = ("observe", a, b, CONFIRMED, str(items)) if items else ()
    if row is None or state is None or not table.raw[row]:
        told = 0.0 if row is None else float(table.raw[row])
        return WhyNotAnswer(name, "evidence", told, told + 1, change, tell=tell)
    if state in ASLEEP:
        change = Hint(f"It is {state.name} since {since(a, b)}. ", change)
        return WhyNotAnswer(name, "dormant", float(state), float(wanted), change, tell=tell)
    rung = int(wanted) - int(LinkState.FORMING)
    strength, counted = table.strength.item(row), table.effective.item(row)
    parts = {"strength": strength, "evidence": counted}
    if counted < rungs.evidence[rung]:
        return WhyNotAnswer(name, "evidence", counted, rungs.evidence[rung], change, signals=parts, tell=tell)
    return WhyNotAnswer(name, "threshold", strength, rungs.strength[rung], change, signals=parts, tell=tell)


def _row(folded: Projection, a: str, b: str) -> int | None:
    rows = folded.nodes.rows
    return folded.connections.pairs.get(rows[a], rows[b]) if a in rows and b in rows else None


def _items_to(folded: Projection, a: str, b: str, wanted: LinkState, at: int) -> int:
    """Count how many confirmations, one a day from now on, make a state; 0 if that many are not enough."""
    ahead = folded.ahead()
    for count in range(1, MOST_ITEMS + 1):
        _tell(ahead, a, b, CONFIRMED, at)
        row = _row(ahead, a, b)
        table = ahead.connections.graph.links
        if row is not None and not table.latent[row] and table.state[row] >= wanted:
            return count
        at += MICROS_PER_DAY
        ahead.close_days(day_of(at))
    return 0


def _why_no_kind(folded: Projection, a: str, b: str, wanted: LinkKind, at: int) -> WhyNotAnswer:
    """Say which condition of detection fails; saying the kind oneself always passes."""
    name, row, p = link_id(a, b), _row(folded, a, b), folded.parameters.connections
    table = folded.connections.graph.links
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
    seen = folded.connections.look_yesterday(table.a.item(row), table.b.item(row), day_of(at))
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
