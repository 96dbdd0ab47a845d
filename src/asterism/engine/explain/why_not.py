"""Why something is not among the answers, or a link not what it could be: the gate, and the smallest change.

Of a link, and of a node that is not there, the capability tells whose it is. Of an answer it is told here, by trying
it, so that it is true: what is to be asked otherwise is in `ask`, what is to be told in `tell`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial
from typing import NamedTuple

from asterism.core.blocks.records import Block
from asterism.core.connections.capability import CONNECTIONS
from asterism.core.connections.gates import Sleeping, asleep_since, sleeping, tried
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.explain import Gates
from asterism.core.ledger.graph import Entry
from asterism.core.ledger.items import cut
from asterism.core.ledger.model import NeededChange, WhyNotAnswer
from asterism.core.levels.model import Level
from asterism.core.recall.model import Answer, AnswerHit
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import WhyNot
from asterism.core.space.resolve import known, link_ends, node_name, was_forgotten
from asterism.engine.explain.look import Look
from asterism.engine.recall.answer import MOST, Question, Sight
from asterism.engine.recall.filters import NAME_ALONE, Filter
from asterism.engine.recall.levels import answer, entry_of, level_called, symbols_named
from asterism.engine.space.live import Live
from asterism.errors import InputError, UnknownError
from asterism.hints import Blank, Hint, option, step

SHOWN_CHANGES = 3
WAKING = ("co_mention_response", "co_mention_session", "user_confirms", "user_creates")  # the least first
MOST_WOKEN = 8  # sleeping links that are tried
Ask = Callable[[Question], Answer]  # answers a question as recall does


def why_not(
    live: Live, seen: Sight, subject: object, asked: Question, *, at: int | None = None, known_at: int | None = None
) -> WhyNotAnswer:
    """Say which gate kept a node out of an answer, two blocks from being linked, or a link from being something.

    A node is asked about with a question, a block with another block's id, a link's id with a state or a kind.
    """
    node = node_name(subject.id if isinstance(subject, AnswerHit) else subject)
    look = Look(live, at=at, known_at=known_at, folded=seen.folded)
    if (apart := _why_apart(look, node, asked.query)) is not None:
        return apart
    if node not in seen.recaller.index and (ends := link_ends(look.graph, node)) is not None:
        return _why_not_so(look, *ends[:2], asked.query)
    ask: Ask = partial(answer, live, seen, at=at, known_at=known_at)
    level = level_called(live, node, at=at, known_at=known_at) if "@" in node else None
    if level is not None and (node not in seen.recaller.index or level.symbol in symbols_named(live, asked.query)):
        return _why_not_level(ask, level, asked)
    name = known(look.graph, node, gone=True).id
    for row, own in look.gated():
        if row.node is not None and (gone := row.node(own, name)) is not None:
            return gone
    if name not in seen.recaller.index:
        raise _not_recalled(look, name)
    left = seen.expired(name)
    if left is not None:
        change = Hint(
            f"It was told to leave recall at {to_datetime(left):%Y-%m-%d %H:%M}: tell it again to bring it back, "
        )
        return WhyNotAnswer(
            name, "expired", 0.0, 1.0, Hint(change, step("learn", seen.recaller.entries[name].text), ".")
        )
    return _why_not_in(look, seen, ask, name, asked)


# Links


def _why_apart(look: Look, node: str, other: str) -> WhyNotAnswer | None:
    """Say why a capability has not linked two nodes by itself, where the question is the id of such a node."""
    entry = look.graph.entry(other)
    for row, own in look.gated():
        if entry is not None and entry.kind in row.kinds and row.link is not None:
            return row.link(own, _end(look, row, node), other, row.words[0])
    return None


def _why_not_so(look: Look, a: str, b: str, wanted: str) -> WhyNotAnswer:
    """Say what keeps a link from being what it was asked to be."""
    for row, own in look.gated():
        if row.link is not None and wanted.lower() in map(str.lower, row.words):
            return row.link(own, _end(look, row, a), _end(look, row, b), wanted)
    for end in (a, b):
        known(look.graph, end)
    gates = [row for row, _ in look.gated()]
    every = ", ".join(word for row in gates if not row.kinds for word in row.words)
    some = [f"; of two {kind}s also {', '.join(row.words)}" for row in gates for kind in row.kinds]
    raise InputError(
        f"{cut(wanted)!r} is nothing that a connection can be",
        code="bad_state",
        item=cut(wanted),
        hint=f"one of {every}{''.join(some)}",
    )


def _end(look: Look, row: Gates[object], name: str) -> str:
    """Give the node that is meant as an end of a link.

    Where a capability links nodes of its own kinds by itself, one that was put away can be asked about too.
    """
    return known(look.graph, name, row.kinds, gone=bool(row.kinds)).id


# Answers


def _why_not_level(ask: Ask, level: Level, asked: Question) -> WhyNotAnswer:
    """Say what keeps a level out: a filter, that the question does not name it or names others, the budget."""
    failed = failing(asked.only, entry_of(level), None)
    change: dict[str, object] = {field: getattr(Filter(), field) for field in failed}
    wider = replace(asked, only=replace(asked.only, **change))  # type: ignore[arg-type]  # by the names of its fields
    named = f"{level.symbol} {level.price!r}"
    for query in (asked.query, f"{named}: {asked.query}", named):
        wider = replace(wider, query=query)
        if any(hit.id == level.id for hit in ask(replace(wider, budget_tokens=None)).hits):
            break
    else:
        most = "No more of its symbol are looked at than recall_levels_max says; "
        told = Hint(most, step("levels", Blank("symbol")), " gives all.")
        return WhyNotAnswer(level.id, "crowded", 0.0, 1.0, told)
    if wider.query != asked.query:
        change["query"] = wider.query
    tokens, needed = _paid(ask, level.id, wider)
    if asked.budget_tokens is not None and needed > asked.budget_tokens:
        change["budget_tokens"] = needed
    if failed:
        text = f"{'. '.join(failed.values())}: drop that filter ({', '.join(failed)})."
        return WhyNotAnswer(level.id, "filter", 0.0, 1.0, text, ask=change)
    if "query" in change:
        text = f"A level is looked for by its symbol, and the price it is near: ask {wider.query!r}."
        return WhyNotAnswer(level.id, "unnamed", 0.0, 1.0, text, ask=change)
    if "budget_tokens" in change:
        text = f"It has {tokens} tokens: raise the budget to {needed}."
        return WhyNotAnswer(level.id, "budget", float(asked.budget_tokens or 0), float(needed), text, ask=change)
    return WhyNotAnswer(level.id, "in", 1.0, 1.0, "It is among the answers.", ask=change)


def _why_not_in(look: Look, seen: Sight, ask_now: Ask, name: str, asked: Question) -> WhyNotAnswer:
    """Name the first gate of an answer that something does not pass, and all that has to be asked otherwise."""
    recaller, blocks = seen.recaller, seen.folded.blocks
    names = recaller.only_names(asked.query)
    failed = failing(asked.only, recaller.entries[name], blocks.blocks.get(name), only_names=names)
    passing: dict[str, object] = {field: getattr(Filter(), field) for field in failed}
    if "kinds" in failed and recaller.entries[name].kind == NAME_ALONE:
        passing["kinds"] = (NAME_ALONE,)
    wider = replace(asked, only=replace(asked.only, **passing))  # type: ignore[arg-type]  # by the names of its fields
    told = _standing_of(seen, name, wider)
    changes = tuple(
        NeededChange(each.signal, each.value, each.needed, each.possible) for each in told.changes[:SHOWN_CHANGES]
    )
    ask = dict(passing)
    wider = replace(wider, k=max(asked.k, told.rank))
    if asked.k < wider.k <= MOST:
        ask["k"] = wider.k
    tokens, needed = _paid(ask_now, name, replace(wider, floor=0.0))
    if asked.budget_tokens is not None and needed > asked.budget_tokens:
        ask["budget_tokens"] = needed
    chance = _left_out(ask_now, name, replace(wider, budget_tokens=None)) if wider.k <= MOST else None
    if chance is not None:
        ask["floor"] = chance
    common = Common(told.rank, dict(told.signals), changes, ask)
    if failed:
        more = [
            Hint(", and ask for ", option(each, ask[each])) for each in ("k", "budget_tokens", "floor") if each in ask
        ]
        change = Hint(f"{'. '.join(failed.values())}: {_filtered(passing)}", *more, ".")
        if told.rank > MOST:
            change = Hint(change, " ", _beyond(told.rank))
        return common.answer(name, "filter", 0.0, 1.0, change)
    if told.rank > asked.k:
        return _why_not_ranked(look, seen, name, asked, told, common)
    if "budget_tokens" in ask:
        dearer = Hint(f"It has {tokens} tokens: raise the budget to {needed}", *_and_floor(ask), ".")
        return common.answer(name, "budget", float(asked.budget_tokens or 0), float(needed), dearer)
    if chance is not None:
        floor = _least(recaller.parameters, ask_now, wider)
        unlikely = Hint("It is not probable enough that it answers: ask with ", option("floor", chance), ".")
        return common.answer(name, "floor", chance, floor, unlikely)
    return common.answer(name, "in", told.score, told.score, "It is among the answers.")


def _left_out(ask: Ask, name: str, asked: Question) -> float | None:
    """Give the probability of something that is left out because it is too low; None if it is not."""
    if any(hit.id == name for hit in ask(asked).hits):
        return None
    return next((hit.probability for hit in ask(replace(asked, floor=0.0)).hits if hit.id == name), None)


def _least(p: RecallParameters, ask: Ask, asked: Question) -> float:
    """Give the probability below which a hit is left out; where nothing is told, that which the best one lacks."""
    if asked.floor is not None:
        return asked.floor
    return p.chance_floor * (p.floor_far if ask(replace(asked, budget_tokens=None)).hits else p.floor_nothing)


def _and_floor(ask: dict[str, object]) -> tuple[str, ...]:
    """Say which floor has to be asked for too."""
    return (Hint(" and ask with ", option("floor", ask["floor"])),) if "floor" in ask else ()


class Common(NamedTuple):
    """What every answer about a node says, whichever gate it is."""

    rank: int
    signals: dict[str, float]
    changes: tuple[NeededChange, ...]
    ask: dict[str, object]

    def answer(
        self, name: str, gate: str, value: float, needed: float, change: str, tell: tuple[str, ...] = ()
    ) -> WhyNotAnswer:
        """Say it with a gate."""
        how = {"rank": self.rank, "signals": self.signals, "changes": self.changes}
        return WhyNotAnswer(name, gate, value, needed, change, **how, ask=self.ask, tell=tell)  # type: ignore[arg-type]


def _standing_of(seen: Sight, name: str, asked: Question) -> WhyNot:
    recaller = seen.recaller
    query = seen.query(asked.query, asked.intention)
    allowed = recaller.allowed(asked.only, seen.folded.blocks, query)
    return recaller.recall.why_not(name, query, k=asked.k, allowed=allowed, hops=asked.hops)


def _why_not_ranked(look: Look, seen: Sight, name: str, asked: Question, told: WhyNot, common: Common) -> WhyNotAnswer:
    """Say that others stand before it: because a link to it fell asleep, if waking that one would bring it in."""
    woken = next(_woken(look, seen, name, asked), None)
    if woken is not None:
        link, kind = woken
        since = asleep_since(look.of(CONNECTIONS), link.a, link.b)
        change = Hint(
            f"Its link to {link.other} is {link.state} since {since} and carries nothing; "
            "one item of evidence wakes it: ",
            step("observe", link.a, link.b, kind),
            ".",
        )
        if told.rank <= MOST:
            change = Hint(change, " Or ask for ", option("k", told.rank), ".")
        return common.answer(name, "dormant", told.score, told.needed, change, tell=("observe", link.a, link.b, kind))
    if told.rank > MOST:
        return common._replace(ask={}).answer(name, "rank", told.score, told.needed, _beyond(told.rank))
    more = ""
    if common.changes and common.changes[0].possible:
        first = common.changes[0]
        more = f", or bring {first.signal} from {first.value:.2f} to {first.needed:.2f}"
    change = Hint("Ask for ", option("k", told.rank), *_and_floor(common.ask), f"{more}.")
    return common.answer(name, "rank", told.score, told.needed, change)


def _beyond(rank: int) -> str:
    return Hint(f"It stands at {rank:,}, beyond ", option("k", MOST), ": ask more narrowly.")


def _woken(look: Look, seen: Sight, name: str, asked: Question) -> Iterator[tuple[Sleeping, str]]:
    """Try which sleeping link, woken by which kind of evidence, brings something in; the least evidence first."""
    folded, recaller = seen.folded, seen.recaller
    links = sleeping(folded.connections, look.graph.family(name), look.graph.standing)
    asleep = [link for link in links if link.other in recaller.index][:MOST_WOKEN]
    try:
        for kind in WAKING if asleep else ():
            for link in asleep:
                ahead = folded.ahead()
                ahead.apply(tried(link.a, link.b, kind, at=look.moment))
                recaller.linked(ahead)
                if _standing_of(seen, name, asked).rank <= asked.k:
                    yield link, kind
    finally:
        recaller.linked(folded)


def _filtered(passing: dict[str, object]) -> str:
    """Say how to ask so that something passes.

    >>> _filtered({"tags": (), "kinds": ("actor",)})
    'ask for kinds=["actor"], and drop that filter (tags)'
    """
    kept = [f'ask for {field}=["{NAME_ALONE}"]' for field, value in passing.items() if value == (NAME_ALONE,)]
    gone = ", ".join(field for field, value in passing.items() if value != (NAME_ALONE,))
    return ", and ".join([*kept, *([f"drop that filter ({gone})"] if gone else [])])


def failing(only: Filter, entry: Entry, block: Block | None, *, only_names: bool = False) -> dict[str, str]:
    """Say which conditions something does not meet, each with what it is instead."""
    bare = Filter()
    found: dict[str, str] = {}
    for field in fields(Filter):
        alone = replace(bare, **{field.name: getattr(only, field.name)})
        text = alone.failed(entry, block)
        if text is not None:
            found[field.name] = text
    if entry.kind == NAME_ALONE and not only.kinds and not only_names:
        found["kinds"] = "It is an actor, which an answer has only where its name alone, or its kind, is asked for"
    return found


def _paid(ask: Ask, name: str, asked: Question) -> tuple[int, int]:
    """Give the tokens of something, and the smallest budget from the one asked for on into which it fits."""
    if asked.budget_tokens is None:
        return 0, 0
    ahead = list[int]()
    for hit in ask(replace(asked, budget_tokens=None)).hits:
        ahead.append(hit.tokens)
        if hit.id == name:
            break
    return ahead[-1], _budget(ahead, asked.budget_tokens)


def _budget(tokens: list[int], least: int) -> int:
    """Give the smallest budget, from a least one on, into which the last hit fits after those before it that do.

    >>> _budget([100, 10, 5], 1), _budget([5, 5], 6)
    (5, 10)
    """
    while True:
        left, steps = least, []
        for each in tokens[:-1]:
            if each <= left:
                left -= each
            else:
                steps.append(each - left)
        if tokens[-1] <= left:
            return least
        least += min([tokens[-1] - left, *steps])


def _not_recalled(look: Look, name: str) -> UnknownError:
    """Say that a node is not among those that can be recalled, and no gate says why."""
    kinds = dict.fromkeys(kind for _, shown in look.folded.capabilities.shown for kind in shown.kinds)
    return UnknownError(
        f"{name} cannot be recalled",
        code="unknown_entry",
        item=name,
        hint=was_forgotten(name) if look.graph.is_gone(name) else f"recall finds nodes of the kinds {', '.join(kinds)}",
    )
