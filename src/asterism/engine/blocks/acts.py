"""What is said of blocks that are there: edited, forgotten, restored, pinned, used, told of outcomes; and sessions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from asterism.core.blocks.fold import KINDS, Blocks
from asterism.core.blocks.model import BlockView
from asterism.core.blocks.read import block as read_block
from asterism.core.blocks.read import forgotten_heir
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.words import FORGOTTEN
from asterism.core.ledger.arguments import lines, number
from asterism.core.ledger.calendar import When
from asterism.core.ledger.items import Item, Payload, check_text, cut
from asterism.core.recall.model import Answer, AnswerHit
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import find, may_mean
from asterism.engine.blocks.naming import Naming
from asterism.engine.blocks.terms import goes_on
from asterism.engine.space.live import Live
from asterism.engine.space.said import Said, after, item_of, told_time
from asterism.errors import InputError, UnknownError
from asterism.hints import Hint, in_python, step

Ids = str | Iterable[str] | Answer | AnswerHit


def known_block(folded: Projection, node: object, *, gone: bool = False) -> str:
    """Give the id of a block that is there, or of what stands for it; with `gone`, of any block."""
    if isinstance(node, AnswerHit):
        node = node.id
    if not isinstance(node, str):
        raise InputError("a block is named by its id", code="bad_text", item="block", hint="give the id learn gave")
    graph = SpaceGraph(folded)
    found = find(graph, node, ("block",), gone=gone)
    if found is None:
        raise UnknownError(
            f"there is no block {cut(node)!r} in this space",
            code="unknown_block",
            item=cut(node),
            hint=may_mean(graph, node, ("block",))
            or Hint(
                "give the id that learn gave, or the block's name; ",
                in_python("recall finds it", otherwise=Hint(step("blocks"), " lists them")),
            ),
        )
    return found.id


def replaced_block(folded: Projection, node: object, told: Mapping[str, str], *, name: str) -> str:
    """Give the block that a fact replaces: one that is known, or that another row of the call tells."""
    found = told.get(node) if isinstance(node, str) else None
    if found is None:
        try:
            found = known_block(folded, node, gone=True)
        except UnknownError as error:
            error.message = f"it replaces {cut(str(node))!r}, and there is no such block in this space"
            raise
        found = folded.blocks.there(found) or found
    if found == name:
        raise InputError(
            f"{name} cannot replace itself", code="bad_replaces", item=name, hint="give the block that it replaces"
        )
    return found


def edit(live: Live, node: object, content: str, at: When | None, source: str | None) -> BlockView:
    """Say that a block should read otherwise: only a later telling brings the old wording back."""
    text = check_text(lines(content), field="content", many_lines=True).strip()
    return _said(live, "edited", node, at, source, content=text)


def forget(live: Live, node: object, at: When | None, source: str | None) -> BlockView:
    """Say that a block is to be forgotten."""
    return _said(live, "forgotten", node, at, source)


def restore(live: Live, node: object, at: When | None, source: str | None) -> BlockView:
    """Say that a forgotten block is to come back."""
    return _said(live, "restored", node, at, source)


def _said(live: Live, what: str, node: object, at: When | None, source: str | None, **more: str | bool) -> BlockView:
    def build(now: Projection) -> tuple[list[Item], None]:
        folded = folded_then(live, now, at)
        blocks = folded.blocks
        name = to_restore(folded, node) if what == "restored" else known_block(folded, node)
        payload: Payload = {"block": name, **more}
        item = next_item(live, blocks, Said(what, payload, at, source))
        if what == "edited" and (onward := goes_on(folded, name, item.at)):
            item = next_item(live, blocks, Said(what, {**payload, **onward}, at, source))
        if what == "edited" and folded is not now:
            _must_stand(live, name, item)
        return [item, *(_renamed(live, now, blocks, name, item) if what == "edited" else ())], None

    (written, *_), _ = live.transact(build, told=KINDS)
    name = block_id(str(more["content"])) if what == "edited" else str(written.item.payload["block"])
    seen = read_block(live.refresh().blocks, name)
    if seen is None:  # somebody else erased it, or what it stood on, since it was written
        raise UnknownError(
            f"{name} was erased meanwhile", code="unknown_block", item=name, hint="nothing is left to be done"
        )
    return seen


def _must_stand(live: Live, name: str, item: Item) -> None:
    """Refuse a correction of a block that was put away at the very time that is told: it would correct nothing."""
    if not live.has(item) and live.view(item.at).blocks.there(name) is None:
        raise InputError(
            f"{name} was put away at that time",
            code="away_then",
            item=name,
            hint=Hint("tell a later time, or ", step("restore", name), " first"),
        )


def pin(live: Live, node: object, at: When | None, source: str | None, *, on: bool) -> BlockView:
    """Say that a block is to be kept from fading, or no longer."""
    return _said(live, "pinned", node, at, source, on=bool(on))


def to_restore(folded: Projection, node: object) -> str:
    """Give the id of the forgotten block that is meant, or of the forgotten one that took its place."""
    blocks = folded.blocks
    name = forgotten_heir(blocks, known_block(folded, node, gone=True))
    if blocks.blocks[name].status != FORGOTTEN:
        raise InputError(
            f"{name} was not forgotten: it is {blocks.blocks[name].status}",
            code="not_forgotten",
            item=name,
            hint="edit it back, or learn it anew in other words",
        )
    return name


def _renamed(live: Live, now: Projection, blocks: Blocks, old: str, item: Item) -> list[Item]:
    """Say what a new wording names that the old one did not."""
    text = str(item.payload["content"])
    new = block_id(text)
    if blocks.there(new) is not None:
        return []
    naming = Naming(live, now)
    named, before = naming.named(text, new), naming.named(blocks.blocks[old].content, old)
    named = named._replace(nodes=tuple(node for node in named.nodes if node != old))
    fresh = [node for node in named.nodes if node not in before.nodes]
    return list(naming.evidence(new, named, at=item.at, source=item.source, known_at=item.known_at, fresh=fresh))


def folded_then(live: Live, now: Projection, at: When | None) -> Projection:
    """Give the blocks at the time that is told of: what was not there then cannot be told of."""
    last = now.blocks.position
    if at is None or last is None or (told := told_time(live, at)) >= last.at:
        return now
    return live.view(told)


def next_item(live: Live, blocks: Blocks, said: Said) -> Item:
    """Build an item that comes after all that `blocks` know: a microsecond later if they know something of that time.

    The fold is in the order (at, id), and what is forgotten at noon must not come before what was learned at noon.
    """
    item = item_of(live, said)
    if blocks.position is None or item.position > blocks.position or live.has(item):
        return item
    return after(live, item, blocks.position.at)


def ids_of(folded: Projection, told: Ids) -> list[str]:
    """Read which blocks are meant: ids, names, hits, or an answer; of an answer, the blocks that are still there."""
    if isinstance(told, Answer):
        blocks, names = folded.blocks, [hit.id for hit in told.hits if hit.kind == "block"]
        stand = [blocks.there(name) if name in blocks.blocks else known_block(folded, name) for name in names]
        return sorted({name for name in stand if name is not None})
    if isinstance(told, str | AnswerHit):
        told = [told]  # type: ignore[list-item]  # a hit is read as its id
    if not isinstance(told, Iterable):
        raise InputError(
            f"{cut(str(told))} names no blocks", code="bad_ids", item=cut(str(told)), hint="give a list of ids"
        )
    return sorted({known_block(folded, each) for each in told})


def used(live: Live, told: Ids, session: str, at: When | None, source: str | None) -> list[str]:
    """Say what was used together in a session; give the blocks."""
    return _of_many(live, "used", told, at, source, session=check_text(session, field="session"))


def outcome(live: Live, told: Ids, signal: float, at: When | None, source: str | None) -> list[BlockView]:
    """Say how well it went with some blocks, from 0 to 1; give them as they stand after it."""
    names = _of_many(live, "outcome", told, at, source, signal=number(signal, name="signal", low=0.0, high=1.0))
    blocks = live.refresh().blocks
    return [each for each in (read_block(blocks, name) for name in names) if each is not None]


def _of_many(live: Live, what: str, told: Ids, at: When | None, source: str | None, **more: str | float) -> list[str]:
    """Say something of several blocks, and give them; of none there is nothing to say."""

    def build(now: Projection) -> tuple[list[Item], list[str]]:
        folded = folded_then(live, now, at)
        ids = ids_of(folded, told)
        said = Said(what, {"blocks": list(ids), **more}, at, source)
        return [next_item(live, folded.blocks, said)] if ids else [], ids

    told = told if isinstance(told, str | Answer | AnswerHit) or not isinstance(told, Iterable) else list(told)
    return live.transact(build, told=KINDS)[1]


def session(live: Live, name: str, act: str, at: When | None) -> float:
    """Open or close a session; give the active hours so far."""
    payload = {"name": check_text(name, field="session"), "act": act}

    def build(now: Projection) -> tuple[list[Item], None]:
        return [next_item(live, folded_then(live, now, at).blocks, Said("session", payload, at))], None

    live.transact(build, told=KINDS)
    return live.refresh().blocks.clock.hours
