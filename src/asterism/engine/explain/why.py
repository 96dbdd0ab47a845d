"""Why: whatever is named, the number it has is explained line by line, now or as it was.

What is meant is found in this order: what is neither node nor link and has an id of its own (a prediction, a causal
link), a node, the two ends of a link, what a capability knows though it is not there any more, an item.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from asterism.core.connections.model import Prediction
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.traces import Trace
from asterism.core.ledger.calendar import written
from asterism.core.ledger.explain import Added, Asked, Explains, Wanted
from asterism.core.ledger.items import Item, cut
from asterism.core.ledger.model import Why, link_id
from asterism.core.recall.explain import KINDS as NAMED
from asterism.core.recall.explain import why_named
from asterism.core.recall.index import Index
from asterism.core.recall.model import AnswerHit
from asterism.core.space.resolve import find, known, link_ends, may_mean, node_name
from asterism.engine.explain.look import Look
from asterism.engine.recall.recaller import recaller_of, recaller_then
from asterism.engine.space.live import Live
from asterism.errors import AsterismError, InputError, UnknownError
from asterism.hints import Blank, Hint, elsewhere, step

Subject = str | AnswerHit | Prediction | CausalLink | Trace


def why(live: Live, ids: Sequence[Subject], *, at: int | None = None, known_at: int | None = None) -> Why:
    """Explain the number of what is named: one thing, or the two ends of a link."""
    look = Look(live, at=at, known_at=known_at)
    if len(ids) == 1 and (found := _other(look, ids[0])) is not None:
        return found
    names = [node_name(each.id if isinstance(each, AnswerHit | CausalLink | Prediction) else each) for each in ids]
    if len(names) == 2:
        return _pair(look, *names, kind="")
    if len(names) != 1:
        hint = Hint(step("why", Blank("a"), Blank("b")), " or ", step("why", Blank("star")))
        raise InputError("why takes one id, or the two ends of a link", code="bad_ids", hint=hint)
    return _one(look, names[0])


def _other(look: Look, subject: object) -> Why | None:
    """Explain what is neither a node nor a link nor an item."""
    for row, asked in look.explaining():
        if row.other is not None and (found := row.other(asked, subject)) is not None:
            return found
    return None


# One thing


def _one(look: Look, name: str) -> Why:
    node = find(look.graph, name, gone=True)
    if node is not None and (found := _node(look, node.id)) is not None:
        return found
    if node is None and (ends := link_ends(look.graph, name)) is not None:
        return _pair(look, *ends[:2], kind=ends[2])
    if node is None and (found := _node(look, name)) is not None:  # a level that has gone
        return found
    for row, asked in look.explaining():
        if row.missing is not None and (error := row.missing(asked, name if node is None else node.id)) is not None:
            raise error
    item = _called(look, name)
    if item is None:
        if node is None or look.graph.is_gone(node.id):
            raise _unknown(look, name)
        raise _unexplained(f"the {node.kind} {node.id}", node.id)
    return _item(look, item)


def _node(look: Look, node: str) -> Why | None:
    """Explain a node's own number by the capability whose it is, with what the others added to it."""
    for row, asked in look.explaining():
        if row.node is not None and (found := row.node(asked, node)) is not None:
            return _with_others(look, row, found)
    return None


def _with_others(look: Look, owner: Explains[object], told: Why) -> Why:
    lines, total = told.lines, told.total
    for row, asked in look.explaining():
        if row is not owner and row.adds is not None and (more := row.adds(asked, told)) is not None:
            lines, total = (*lines, *more.lines), total + more.total
    return replace(told, lines=lines, total=total)


# Two ends


def _pair(look: Look, a: str, b: str, *, kind: str) -> Why:
    """Explain the link of two nodes: of a kind, or the connection, or the strongest structural one."""
    first, second = known(look.graph, a).id, known(look.graph, b).id
    found = why_link(look, first, second, kind)
    if found is None and kind in NAMED:
        found = why_named(_index(look), look.live.parameters.recall, first, second, kind)
    if found is not None:
        return found
    shown = [link for link in look.graph.links(first, second) if kind in ("", link.kind)]
    if shown:
        raise _unexplained(f"the {shown[0].kind} link between {first} and {second}", shown[0].id)
    if kind:
        raise UnknownError(
            f"there is no {kind} link between {first} and {second}",
            code="unknown_link",
            item=link_id(first, second, kind),
            hint=Hint(
                step("links", Blank("a")),
                " lists what there is; ",
                step("why_not", Blank("a"), Blank("b")),
                " says why a dream did not link them",
            ),
        )
    raise UnknownError(
        f"there is no link between {first} and {second}",
        code="unknown_link",
        item=link_id(first, second),
        hint=Hint(
            "nothing was ever said of this pair; ",
            step("observe", Blank("a"), Blank("b"), Blank("kind")),
            " makes a link",
        ),
    )


def why_link(look: Look, a: str, b: str, kind: str) -> Why | None:
    """Explain the link of two nodes, by their ids, by the first capability that has one."""
    for row, asked in look.explaining():
        if row.link is not None and (found := row.link(asked, a, b, kind)) is not None:
            return found
    return None


def why_links(look: Look, wanted: Sequence[Wanted]) -> list[Why | None]:
    """Explain links, by their ends' ids and their kinds; None where none can be explained, or not with what is here."""
    found: dict[Wanted, Why] = {}
    for row, asked in look.explaining():
        left = [each for each in wanted if each not in found]
        found |= {each: why for each, why in zip(left, _explained(row, asked, left), strict=True) if why is not None}
    return [found.get(each) for each in wanted]


def _explained(row: Explains[object], asked: Asked[object], wanted: Sequence[Wanted]) -> list[Why | None]:
    """Explain links by one capability: together if it can, else one by one."""
    if row.links is not None:
        with suppress(AsterismError):  # one of them needs an embedder that is not there
            return row.links(asked, wanted)
    found: list[Why | None] = [None] * len(wanted)
    if row.link is not None:
        for place, each in enumerate(wanted):
            with suppress(AsterismError):
                found[place] = row.link(asked, *each)
    return found


def _index(look: Look) -> Index:
    """Give the index of what can be recalled, now or as it was."""
    if look.at is None and look.known_at is None:
        return recaller_of(look.live).index
    return recaller_then(look.live, look.folded).index


# An item


def _item(look: Look, item: Item) -> Why:
    """Explain what an item added, where it stands in the order of the ledger."""
    said = ", ".join(f"{key} {cut(str(value))}" for key, value in item.payload.items())
    notes = [
        f"{item.what} at {written(item.at)}: {said}",
        f"source {item.source or 'not given'}; known since {written(item.known_at)}",
        *([f"note: {item.note}"] if item.note else []),
    ]
    row = look.live.capabilities.of_kind[item.what]
    explain = row.explain.item if row.explain is not None else None
    added = Added("gain", ()) if explain is None else explain(look.of(row), item)
    total = sum(line.value for line in added.lines)
    return Why(item.id.hex(), added.number, tuple(added.lines), total, (*notes, *added.notes))


def _called(look: Look, name: str) -> Item | None:
    """Find an item by its id in hex, among those of the time that is looked at."""
    try:
        item = look.live.store.item(look.live.space, bytes.fromhex(name)) if len(name) == 32 else None
    except ValueError:
        item = None
    hidden = item is not None and (
        (look.at is not None and item.at > look.at) or (look.known_at is not None and item.known_at > look.known_at)
    )
    return None if hidden else item


# Nothing


def _unknown(look: Look, name: str) -> UnknownError:
    return UnknownError(
        f"there is nothing called {cut(name)!r} in this space",
        code="unknown_id",
        item=cut(name),
        hint=may_mean(look.graph, name)
        or Hint(
            "give a node's id or name, the two ends of a link, SESSION:LINE, or an item's id of 32 hex digits",
            elsewhere("; ", step("nodes"), " gives ids"),
        ),
    )


def _unexplained(what: str, name: str) -> UnknownError:
    """Say that something is there, and that whoever shows it does not say why."""
    return UnknownError(
        f"nothing explains {what}",
        code="unexplained",
        item=name,
        hint="it is there, but the capability that shows it gives no explanation; an item's id says what was told",
    )
