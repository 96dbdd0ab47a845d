"""What is said of blocks: learned, edited, forgotten, restored, used, told of outcomes; and sessions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from asterism.core.blocks.fold import KINDS, Blocks
from asterism.core.blocks.model import BlockView, LearnReceipt
from asterism.core.blocks.read import block as read_block
from asterism.core.blocks.read import forgotten_heir
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.words import CATEGORY, CORRECTED, FORGOTTEN, THERE
from asterism.core.ledger.arguments import lines, number
from asterism.core.ledger.calendar import When
from asterism.core.ledger.items import Item, Payload, check_text, cut
from asterism.core.ledger.payloads import texts
from asterism.core.recall.model import Answer, AnswerHit
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import find, may_mean
from asterism.engine.blocks.naming import NOTHING, Named, Naming
from asterism.engine.space.live import Live
from asterism.engine.space.said import NamingTheRow, Said, after, each_row, item_of, told_time
from asterism.errors import InputError, UnknownError
from asterism.hints import Hint, in_python, mention, step


class Fact(NamedTuple):
    """One thing to learn for `learn_many`."""

    content: str
    tags: Sequence[str] = ()
    category: str = CATEGORY
    name: str | None = None
    source: str | None = None
    at: When | None = None
    conversation: str | None = None
    speaker: str | None = None


FactRow = Fact | Mapping[str, object] | str
Ids = str | Iterable[str] | Answer | AnswerHit


def facts_of(rows: Iterable[FactRow]) -> list[Fact]:
    """Read the rows of `learn_many`: a Fact, a mapping with its fields, or the content alone."""
    if isinstance(rows, str | Mapping) or not isinstance(rows, Iterable):
        raise _no_fact(rows)
    return each_row(list(rows), _fact)


def _fact(row: FactRow) -> Fact:
    if isinstance(row, Fact):
        return row
    if isinstance(row, str):
        return Fact(row)
    try:
        return Fact(**row)  # type: ignore[arg-type]  # each field is checked when the item is made
    except TypeError:
        raise _no_fact(row) from None


def _no_fact(told: object) -> InputError:
    return InputError(
        f"{cut(str(told))} is nothing to learn",
        code="bad_fact",
        item=cut(str(told)),
        hint=f"give texts, or mappings with content and maybe {', '.join(Fact._fields[1:])}",
    )


def learn(live: Live, facts: Sequence[Fact], *, skip_erased: bool = False) -> list[LearnReceipt]:
    """Learn facts: one transaction, all of them or none; what says nothing new is not written."""
    payloads = each_row(facts, _learned)
    ids: dict[int, bytes] = {}  # of the items, by the place of the fact that each tells

    def build(folded: Projection) -> tuple[list[Item], tuple[list[LearnReceipt], Naming]]:
        blocks, naming = folded.blocks, Naming(live, folded)
        items, receipts = list[Item](), list[LearnReceipt]()
        ids.clear()
        said: dict[str, set[object]] = {}
        last, known_at = _last_at(blocks), live.stamp()
        names = [block_id(str(payload["content"])) for payload in payloads]
        for name, payload in zip(names, payloads, strict=True):
            if payload["name"]:
                naming.coming(str(payload["name"]), name)
        with NamingTheRow(facts, receipts):
            for fact, payload, name in zip(facts, payloads, names, strict=True):
                earlier = said.setdefault(name, set())
                is_new = name not in blocks.blocks and not earlier
                named = naming.named(str(payload["content"]), name) if is_new else NOTHING
                receipt = _receipt(blocks, name, again=bool(earlier), named=named)
                told = (*(str(value) for value in payload.values()), fact.source)
                known = told in earlier or _says_nothing_new(blocks, name, payload, fact.source)
                if fact.at is not None or not known:
                    item = item_of(live, Said("learned", payload, fact.at, fact.source))
                    if fact.at is None:  # one after the other: a conversation keeps its order
                        item = after(live, item, last)
                        last = item.at
                    ids[len(receipts)] = item.id
                    items.append(item)
                    items += naming.evidence(name, named, at=item.at, source=item.source, known_at=known_at)
                earlier.add(told)
                receipts.append(receipt)
        return items, (receipts, naming)

    try:
        written, (receipts, naming) = live.transact(build, told=() if skip_erased else KINDS)
    except InputError as error:
        if error.code == "erased" and len(facts) > 1:
            error.row = 1 + next(place for place, name in ids.items() if name.hex() == error.item)
        raise
    naming.written()
    erased = {each.item.id for each in written if each.outcome.buried}
    if erased:
        receipts = [_stays_erased(each) if ids.get(place) in erased else each for place, each in enumerate(receipts)]
    if any(payload["tags"] for payload in payloads):  # else there is no need to fold what came late at once
        blocks = live.refresh().blocks
        receipts = [_tags_counted(blocks, *each) for each in zip(receipts, payloads, strict=True)]
    return receipts


def _stays_erased(receipt: LearnReceipt) -> LearnReceipt:
    return LearnReceipt(receipt.id, "erased", "it was erased: told of another time, it is learned anew")


def _tags_counted(blocks: Blocks, receipt: LearnReceipt, payload: Payload) -> LearnReceipt:
    """Say how many of the tags that were told the block does not keep."""
    stands = None if receipt.status in ("rejected", "erased") else blocks.there(receipt.id)
    dropped = 0 if stands is None else len(set(texts(payload, "tags")) - set(blocks.blocks[stands].tags))
    if not dropped:
        return receipt
    most = blocks.parameters.block_tags_max
    note = f"{dropped} of its tags {'was' if dropped == 1 else 'were'} dropped: a block keeps {most}"
    return replace(receipt, tags_dropped=dropped, note="; ".join(filter(None, [receipt.note, note])))


def _last_at(blocks: Blocks) -> int | None:
    return None if blocks.position is None else blocks.position.at


def _learned(fact: Fact) -> Payload:
    content = check_text(lines(fact.content), field="content", many_lines=True)
    if isinstance(fact.tags, str) or not isinstance(fact.tags, Iterable):
        raise InputError("the tags are not a list", code="bad_text", item="tags", hint='give a list: tags=["ops"]')
    return {
        "content": content.strip(),
        "tags": sorted({check_text(tag, field="tag").strip() for tag in fact.tags}),
        "category": _perhaps(fact.category, "category"),
        "name": _perhaps(fact.name, "name"),
        "conversation": _perhaps(fact.conversation, "conversation"),
        "speaker": _perhaps(fact.speaker, "speaker"),
    }


def _perhaps(text: str | None, field: str) -> str:
    return "" if text is None or text == "" else " ".join(check_text(text, field=field).split())


def _receipt(blocks: Blocks, name: str, *, again: bool, named: Named) -> LearnReceipt:
    known = blocks.blocks.get(name)
    if known is None and again:
        return LearnReceipt(name, "duplicate", "told twice at once")
    if known is None:
        return LearnReceipt(name, "new", mentions=named.nodes, names_dropped=named.dropped)
    if known.status in THERE:
        return LearnReceipt(name, "duplicate", "known already: tags are united, the first category stays")
    stands = blocks.there(name)
    if known.status == FORGOTTEN:
        return LearnReceipt(name, "rejected", Hint("it was forgotten: ", mention("restore", name), " brings it back"))
    if stands is None:
        return LearnReceipt(name, "rejected", f"it was {known.status}, and what took its place is gone")
    status = "rejected" if known.status == "edited" else "duplicate"
    return LearnReceipt(name, status, f"it was {known.status}: {stands} stands for it now")


def _says_nothing_new(blocks: Blocks, name: str, payload: Payload, source: str | None) -> bool:
    """Say whether a fact adds nothing to what the memory knows of its block."""
    known = blocks.blocks.get(name)
    if known is not None and known.status not in THERE:
        stands = None if known.status in CORRECTED else blocks.there(name)
        if stands is None:
            return True  # what was rejected stays so
        known = blocks.blocks[stands]
    if known is None:
        return False
    tags = payload["tags"]
    assert isinstance(tags, list)
    return (
        set(tags) <= set(known.tags)
        and (not source or source in known.sources)
        and (not payload["name"] or bool(known.name))
        and (not payload["conversation"] or bool(known.conversation))
        and (not payload["speaker"] or bool(known.speaker))
    )


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


def edit(live: Live, node: object, content: str, at: When | None, source: str | None) -> BlockView:
    """Say that a block should read otherwise: the old wording does not come back by learning it again."""
    text = check_text(lines(content), field="content", many_lines=True).strip()
    return _said(live, "edited", node, at, source, content=text)


def forget(live: Live, node: object, at: When | None, source: str | None) -> BlockView:
    """Say that a block is to be forgotten."""
    return _said(live, "forgotten", node, at, source)


def restore(live: Live, node: object, at: When | None, source: str | None) -> BlockView:
    """Say that a forgotten block is to come back."""
    return _said(live, "restored", node, at, source)


def _said(live: Live, what: str, node: object, at: When | None, source: str | None, **more: str) -> BlockView:
    def build(now: Projection) -> tuple[list[Item], None]:
        folded = folded_then(live, now, at)
        blocks = folded.blocks
        name = to_restore(folded, node) if what == "restored" else known_block(folded, node)
        item = next_item(live, blocks, Said(what, {"block": name, **more}, at, source))
        return [item, *(_renamed(live, now, blocks, name, item) if what == "edited" else ())], None

    (written, *_), _ = live.transact(build, told=KINDS)
    blocks = live.refresh().blocks
    seen = read_block(blocks, block_id(more["content"]) if more else str(written.item.payload["block"]))
    assert seen is not None
    return seen


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
