"""Facts are learned: one transaction, all of them or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from asterism.core.blocks.fold import KINDS, Blocks
from asterism.core.blocks.model import LearnReceipt
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.words import CATEGORY
from asterism.core.ledger.arguments import lines
from asterism.core.ledger.calendar import When, to_datetime
from asterism.core.ledger.items import Item, Payload, check_text, cut
from asterism.core.ledger.payloads import texts
from asterism.core.space.projection import Projection
from asterism.core.text.spoken import turn_of
from asterism.engine.blocks.acts import replaced_block
from asterism.engine.blocks.ending import Endings
from asterism.engine.blocks.naming import NOTHING, Naming
from asterism.engine.blocks.telling import (
    NEW,
    NOBODY,
    Heard,
    first_told,
    names_told,
    receipt_of,
    retold,
    window_of,
)
from asterism.engine.blocks.terms import check_span, terms_of
from asterism.engine.space.live import Live
from asterism.engine.space.said import NamingTheRow, Said, after, each_row, item_of
from asterism.errors import InputError
from asterism.hints import Hint


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
    slot: str | None = None
    replaces: str | None = None
    valid_from: When | None = None
    valid_until: When | None = None
    expires: When | None = None


FactRow = Fact | Mapping[str, object] | str


def facts_of(rows: Iterable[FactRow], conversation: str | None = None) -> list[Fact]:
    """Read the rows of `learn_many`: a Fact, a mapping with its fields, or the content alone.

    In a `conversation` a text "Name: text" is what that name said; the role of a chat's mapping is who speaks.

    >>> [(fact.speaker, fact.content) for fact in facts_of(["Ann: Hi.", {"role": "user", "content": "Ho."}], "one")]
    [('Ann', 'Hi.'), ('user', 'Ho.')]
    """
    if isinstance(rows, str | Mapping) or not isinstance(rows, Iterable):
        raise _no_fact(rows)
    facts = each_row(list(rows), _fact if conversation is None else _turn)
    if conversation is None:
        return facts
    return [fact if fact.conversation else fact._replace(conversation=conversation) for fact in facts]


def _turn(row: FactRow) -> Fact:
    if not isinstance(row, str):
        return _fact(row)
    speaker, content = turn_of(row)
    return Fact(content, speaker=speaker or None)


def _fact(row: FactRow) -> Fact:
    if isinstance(row, Fact):
        return row
    if isinstance(row, str):
        return Fact(row)
    try:
        if "role" in row:
            row = {"speaker": row["role"], **{name: value for name, value in row.items() if name != "role"}}
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


def learn(
    live: Live, facts: Sequence[Fact], *, skip_erased: bool = False, imported: bool = False
) -> list[LearnReceipt]:
    """Learn facts: one transaction, all of them or none; what says nothing new is not written.

    What is `imported` without a time gets that of its first import, so that importing it again changes nothing.
    """
    payloads = each_row(facts, lambda fact: _learned(live, fact))
    ids: dict[int, bytes] = {}  # of the items, by the place of the fact that each tells

    def build(folded: Projection) -> tuple[list[Item], tuple[list[LearnReceipt], Naming]]:
        blocks, naming = folded.blocks, Naming(live, folded)
        items, receipts = list[Item](), list[LearnReceipt]()
        ids.clear()
        heard: dict[str, Heard] = {}
        last, known_at, window = _last_at(blocks), live.stamp(), window_of(blocks)
        names = [block_id(str(payload["content"])) for payload in payloads]
        often = Counter(names)
        for name, payload in zip(names, payloads, strict=True):
            if payload["name"]:
                naming.coming(str(payload["name"]), name)
        rows = list(zip(names, payloads, strict=True)) if any(fact.replaces for fact in facts) else []
        told_here, endings = names_told(rows), Endings(blocks, {name: str(told["content"]) for name, told in rows})
        with NamingTheRow(facts, receipts):
            for fact, payload, name in zip(facts, payloads, names, strict=True):
                fresh = often[name] == 1 and name not in blocks.blocks
                known = NOBODY if fresh else heard.get(name) or heard.setdefault(name, Heard.of(blocks, name))
                if fact.replaces is not None:
                    payload = {**payload, "replaces": replaced_block(folded, fact.replaces, told_here, name=name)}
                at = _first_import(known, fact, payload) if imported else fact.at
                item = _told(live, payload, at, fact.source, last)
                judged = known.judge(item, timed=at is not None, window=window, has=live.has)
                named = naming.named(str(payload["content"]), name) if judged.status == NEW else NOTHING
                receipt = receipt_of(blocks, name, judged, known, named, item)
                if judged.writes:
                    receipt = _noted(receipt, endings.note(item, name))
                    if judged.retold:
                        item = _told(live, retold(payload), at, fact.source, last)
                    last = item.at if at is None else last
                    check_span(item)
                    ids[len(receipts)] = item.id
                    items.append(item)
                    items += naming.evidence(name, named, at=item.at, source=item.source, known_at=known_at)
                    if not fresh:
                        known.note(item)
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


def _told(live: Live, payload: Payload, at: When | None, source: str | None, last: int | None) -> Item:
    """Build the item; without a time it comes after all that was told: a conversation keeps its order."""
    item = item_of(live, Said("learned", payload, at, source))
    return item if at is not None else after(live, item, last)


def _first_import(known: Heard, fact: Fact, payload: Payload) -> When | None:
    """Give the time of a record: what it says, else that of its first import, if it was imported before."""
    first = first_told(known, payload, fact.source) if fact.at is None else None
    return fact.at if first is None else to_datetime(first)


def _stays_erased(receipt: LearnReceipt) -> LearnReceipt:
    return LearnReceipt(receipt.id, "erased", "it was erased: told of another time, it is learned anew")


def _tags_counted(blocks: Blocks, receipt: LearnReceipt, payload: Payload) -> LearnReceipt:
    """Say how many of the tags that were told the block does not keep."""
    stands = None if receipt.status == "erased" else blocks.there(receipt.id)
    dropped = 0 if stands is None else len(set(texts(payload, "tags")) - set(blocks.blocks[stands].tags))
    if not dropped:
        return receipt
    most = blocks.parameters.block_tags_max
    note = f"{dropped} of its tags {'was' if dropped == 1 else 'were'} dropped: a block keeps {most}"
    return replace(_noted(receipt, note), tags_dropped=dropped)


def _noted(receipt: LearnReceipt, note: str) -> LearnReceipt:
    """Add to what is said of a telling."""
    if not note:
        return receipt
    return replace(receipt, note=Hint(receipt.note, "; ", note) if receipt.note else note)


def _last_at(blocks: Blocks) -> int | None:
    return None if blocks.position is None else blocks.position.at


def _learned(live: Live, fact: Fact) -> Payload:
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
        **terms_of(live, fact.slot, valid_from=fact.valid_from, valid_until=fact.valid_until, expires=fact.expires),
    }


def _perhaps(text: str | None, field: str) -> str:
    return "" if text is None or text == "" else " ".join(check_text(text, field=field).split())
