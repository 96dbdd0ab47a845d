"""What was learned, and what a dream made of it, as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from asterism.core.text.near import did_you_mean
from asterism.entry.hints import PROMPT
from asterism.entry.text.layout import WIDTH, Column, Line, Piece, Style, gauge, many, paragraph, table
from asterism.entry.text.render import one_line, structural_table, when

if TYPE_CHECKING:
    from asterism.core.blocks.model import BlockView, DreamResult, LearnReceipt, SlotValue
    from asterism.core.ledger.model import Link, Node

LISTED = 20  # receipts of a file
STATUS_STYLES: Mapping[str, Style] = {
    "new": "good",
    "active": "good",
    "inbox": "fair",
    "again": "fair",
    "erased": "bad",
}
ID_WIDTH = 16


def next_step(command: str, what: str) -> Line:
    """Say what to type next, and what for."""
    return [Piece(command, "head"), Piece(f"  {what}", "dim")]


def learned_lines(rows: Sequence[tuple[str, LearnReceipt]], *, width: int = WIDTH) -> list[Line]:
    """Say what became of what was told."""
    if not rows:
        return paragraph("There was no text to learn.")
    lines: list[Line] = []
    for content, receipt in rows[:LISTED] if len(rows) > 1 else rows:
        style = STATUS_STYLES.get(receipt.status, "")
        room = width - ID_WIDTH - 13
        lines.append(
            [
                Piece(f"{receipt.status:<9}", style),
                Piece(f"  {receipt.id}", "name"),
                Piece(f"  {one_line(content, most=room)}"),
            ]
        )
        if receipt.note:
            lines += paragraph(PROMPT.say(receipt.note), width=width, indent=" " * 11, style="dim")
        if receipt.mentions:
            more = f", and {receipt.names_dropped} more" if receipt.names_dropped else ""
            named = f"names {', '.join(receipt.mentions)}{more}"
            lines += paragraph(named, width=width, indent=" " * 11, style="dim")
    counts = Counter(receipt.status for _, receipt in rows)
    if len(rows) > 1:
        words = {"new": "learned", "again": "told again", "duplicate": "known already", "erased": "erased"}
        told = ", ".join(f"{counts[status]:,} {word}" for status, word in words.items() if counts[status])
        more = f" (the first {LISTED} are shown)" if len(rows) > LISTED else ""
        lines += paragraph(f"{told}{more}.", width=width)
    if counts["new"]:
        it = "it" if counts["new"] == 1 else "them"
        lines.append(next_step("asterism dream", f"links {it} to what is there; asterism recall finds {it} already"))
    return lines


def dream_lines(
    result: DreamResult, found: Sequence[Link], texts: Mapping[str, str], *, width: int = WIDTH
) -> list[Line]:
    """Say what a dream did, and show the strongest links it found."""
    if not result.steps and result.found:
        return _found(result)
    if not result.steps:
        empty = paragraph("The inbox is empty: there is nothing to dream of.")
        return [*empty, next_step("asterism learn TEXT", "puts something into it")]
    told = [f"{many(result.promoted, 'block')} taken in"]
    told += [
        words
        for count, words in (
            (result.duplicates, f"{many(result.duplicates, 'near-duplicate')} left out"),
            (result.superseded, f"{many(result.superseded, 'block')} superseded"),
            (result.edges_created, f"{many(result.edges_created, 'link')} found"),
            (result.edges_displaced, f"{many(result.edges_displaced, 'weaker link')} displaced"),
            (result.conflicts, f"{many(result.conflicts, 'conflict')} found"),
        )
        if count
    ]
    if result.promoted and not result.edges_created:
        told.append("no new links")
    lines = paragraph(f"Dreamed: {', '.join(told)}.", width=width)
    if not result.exact:
        share = f"Not every pair was compared: on a sample, {result.recall:.1%} of the exact links were found."
        lines += paragraph(share, width=width, style="dim")
    if found:
        lines += [[], *structural_table(found, texts, width=width)]
        if result.edges_created > len(found):
            lines.append(next_step("asterism links", f"shows all; the {len(found)} strongest new ones are above"))
    elif result.promoted and not result.edges_created:
        lines += paragraph("Shared tags connect blocks at lower similarity: --tag what belongs together.", style="dim")
    if result.conflicts:
        lines.append(next_step("asterism conflicts", "shows what cannot both hold, and what settles it"))
    if result.found:
        lines += _found(result)
    if result.remaining:
        lines.append(next_step("asterism dream", f"goes on: {many(result.remaining, 'block')} still in the inbox"))
    return lines


def _found(result: DreamResult) -> list[Line]:
    lines = paragraph(f"Told values: {many(result.found, 'finding')} of what goes with what.")
    for each in result.findings:
        lines += paragraph(each, indent="  ")
    more = result.found - len(result.findings)
    if more > 0:
        lines += paragraph(f"and {more:,} more", indent="  ", style="dim")
    return [*lines, next_step("asterism discover", "says why nothing came of the rest")]


def blocks_table(blocks: Sequence[BlockView], *, width: int = WIDTH) -> list[Line]:
    """Show blocks, one line each."""
    columns = [
        Column("block"),
        Column("says", least=24),
        Column("category", least=4),
        Column("tags", least=4),
        Column("status"),
        Column("learned"),
    ]
    rows = [
        (
            Piece(block.id, "name"),
            Piece(one_line(f"{block.name}: {block.content}" if block.name else block.content, most=width)),
            Piece(block.category, "kind"),
            Piece(", ".join(block.tags), "dim"),
            Piece(block.status, STATUS_STYLES.get(block.status, "dim")),
            Piece(f"{block.first_at:%Y-%m-%d}" + (f", {block.times} times" if block.times > 1 else "")),
        )
        for block in blocks
    ]
    telling = [place < 2 or len({row[place].text for row in rows}) > 1 for place in range(len(columns))]
    shown = [[piece for piece, tells in zip(row, telling, strict=True) if tells] for row in rows]
    same = [row for row, tells in zip(zip(columns, rows[0], strict=True), telling, strict=True) if not tells]
    legend = ", ".join(f"{column.head} {piece.text}" for column, piece in same if piece.text)
    lines = table([column for column, tells in zip(columns, telling, strict=True) if tells], shown, width=width)
    return lines + (paragraph(f"all: {legend}", width=width, style="dim") if legend and len(rows) > 1 else [])


def block_lines(block: BlockView, *, width: int = WIDTH) -> list[Line]:
    """Show all of one block."""
    lines: list[Line] = [[Piece(block.id, "name"), Piece(f"  {block.name}" if block.name else "", "head")]]
    for row in block.content.split("\n"):
        lines += paragraph(row, width=width, indent="  ")
    status = block.status + (f"; {block.superseded_by} stands for it now" if block.superseded_by else "")
    told = {
        "status": status,
        "learned": f"{when(block.first_at)} UTC",
        "told": f"{block.times} times, last {when(block.at)} UTC" if block.times > 1 else "",
        "holds": _holding(block),
        "expires": f"{when(block.expires)} UTC" if block.expires else "",
        "put away": _away(block),
        "pinned": "yes: it does not fade" if block.pinned else "",
        "in conflict": "; ".join(f"{each.id} of {each.at:%Y-%m-%d}: {each.text}" for each in block.conflicts),
        "category": block.category,
        "tags": ", ".join(block.tags),
        "source": ", ".join(block.sources),
        "conversation": block.conversation + (f", said by {block.speaker}" if block.speaker else ""),
        "fades": f"{block.tier}, fresh {gauge(block.recency)} {block.recency:.2f}",
        "confidence": f"{block.confidence:.2f} after {many(block.outcomes, 'outcome')}",
    }
    lines.append([])
    for name, text in told.items():
        if text:
            first, *rest = paragraph(text, width=width - 15)
            lines.append([Piece(f"{name:<15}", "head"), *first])
            lines += [[Piece(" " * 15), *more] for more in rest]
    return lines


def _holding(block: BlockView) -> str:
    """Say of what a block is the value, and until when; nothing if nobody said."""
    said = any(each.slot or each.valid_from or each.valid_until for each in block.occurrences) or block.valid_until
    if not said or block.valid_from is None:
        return ""
    end = f" until {when(block.valid_until)}" if block.valid_until else " on"
    slot = f"{block.slot} " if block.slot else ""
    return f"{slot}from {when(block.valid_from)}{end} UTC{'' if block.current else ', not now'}"


def _away(block: BlockView) -> str:
    return "; ".join(f"{when(left)} to {when(back) if back else 'now'} UTC" for left, back in block.away)


def history_lines(
    held: Sequence[SlotValue], slot: str | None = None, slots: Sequence[str] = (), *, width: int = WIDTH
) -> list[Line]:
    """Show what slots held, one line each; of a slot that holds nothing, which of those there are may be meant."""
    if not held:
        lines = paragraph(none_held(slot, slots), width=width)
        if slots:
            return [*lines, next_step("asterism slots", "lists those there are")]
        return [*lines, next_step("asterism learn TEXT --slot user/home", "fills one")]
    columns = [Column("slot"), Column("from"), Column("until"), Column("says", least=32), Column("block")]
    rows = [
        (
            Piece(each.slot, "head"),
            Piece(f"{each.begin:%Y-%m-%d}"),
            Piece(f"{each.end:%Y-%m-%d}" if each.end else "now" if each.current else ""),
            Piece(one_line(each.text, most=width), "" if each.current else "dim"),
            Piece(each.id, "name"),
        )
        for each in held
    ]
    return table(columns, rows, width=width)


def none_held(slot: str | None, slots: Sequence[str]) -> str:
    """Say that nothing was told of a slot, and which of those there are is called almost so.

    >>> none_held("User/Home", ["user/home", "user/job"])
    'Nothing was told of the slot User/Home: did you mean user/home?'
    """
    if slot is None:
        return "No slot was filled yet."
    near = did_you_mean(slot, slots)
    return f"Nothing was told of the slot {slot}{f': {near}' if near else '.'}"


def changed_lines(block: BlockView | Node, said: str, *, width: int = WIDTH) -> list[Line]:
    """Say what was done to one block or narrative, and show it in a line."""
    text = Piece(one_line(block.text, most=max(20, width - len(block.id) - 2)))
    return [*paragraph(said, width=width), [Piece(block.id, "name"), Piece("  "), text]]


def used_lines(ids: Sequence[str], session: str, sessions: int, *, width: int = WIDTH) -> list[Line]:
    """Say what was used together."""
    if len(ids) < 2:
        text = f"Noted for session {session!r}, but one block alone joins nothing: name those it was used with."
        return paragraph(text, width=width)
    text = f"Noted: {len(ids)} blocks were used together in session {session!r}."
    more = f"In {sessions} different sessions, use links two blocks (co_occurs): they help to find each other."
    return paragraph(text, width=width) + paragraph(more, width=width, style="dim")


def outcome_lines(
    blocks: Sequence[BlockView], signal: float, rules: Mapping[str, object], *, width: int = WIDTH
) -> list[Line]:
    """Say what an outcome did to blocks."""
    if signal > float(str(rules["outcome_good"])):
        did = "It went well: the blocks are fresh again" + (", and linked by it." if len(blocks) > 1 else ".")
    elif signal < float(str(rules["outcome_bad"])):
        did = "It went badly: the blocks fade faster, unless they are durable or permanent."
    else:
        did = "Neither good nor bad: only their confidence changes."
    columns = [Column("block"), Column("confidence"), Column("outcomes", "right"), Column("says", least=16)]
    rows = [
        (
            Piece(block.id, "name"),
            f"{gauge(block.confidence)} {block.confidence:.2f}",
            f"{block.outcomes:,}",
            one_line(block.content, most=width),
        )
        for block in blocks
    ]
    return paragraph(did, width=width) + table(columns, rows, width=width)
