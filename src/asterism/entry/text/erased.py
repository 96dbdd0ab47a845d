"""Erasures, and a memory without something, as lines for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from asterism.core.connections.in_words import in_words
from asterism.entry.text.layout import WIDTH, Column, Line, Piece, heading, many, paragraph, table

if TYPE_CHECKING:
    from asterism.core.space.erasure import Difference, LostItem, Manifest, TrimmedItem, WhatIf

SHOWN = 12
NOBODY: Mapping[str, str] = {}
STYLES = {"gone": "bad", "new": "good", "changed": "fair"}


ANEW = "The same text told anew, of another time, is taken as new."
BEFORE = "Backups made before still hold it, and so do increments until asterism export --increments FOLDER --remake."


def manifest_lines(manifest: Manifest, *, width: int = WIDTH) -> list[Line]:
    """Say what was erased, or would be."""
    counts = ", ".join(f"{count:,} {what}" for what, count in manifest.items.items())
    verb = "would be erased" if manifest.dry_run else "erased for good"
    lines = _headline(manifest.title, f": {many(len(manifest.ids), 'item')} {verb} ({counts})", width)
    dropped = [(manifest.vectors, "vector"), (manifest.checkpoints, "checkpoint")]
    also = [many(len(manifest.nodes), "node"), *(many(count, what) for count, what in dropped if count)]
    also += [f"{manifest.caches} {'index' if manifest.caches == 1 else 'indexes'}"] if manifest.caches else []
    lines += paragraph(f"With them: {', '.join(also)}.", width=width, indent="  ")
    lines += _among(len(manifest.lost), len(manifest.trimmed), width)
    lines += _sessions(manifest, width)
    lines += _lost(manifest.lost, len(manifest.lost), width, manifest.called)
    lines += _trimmed(manifest.trimmed, len(manifest.trimmed), width)
    lines += _named("Gone", manifest.nodes, width, manifest.called)
    lines += _named("These blocks stand for themselves again", manifest.returning, width)
    lines += _mentions(manifest, width)
    if manifest.dry_run:
        return [*lines, [], *paragraph("Nothing was written.", style="dim")]
    told = "No byte of what was erased is left in the file, its log or its index; only hashes, so that it stays away."
    told += " What still names it is listed above." if manifest.mentions else ""
    lines += [[], *paragraph(manifest.note or told, width=width, style="dim" if manifest.scrubbed else "bad")]
    return lines + paragraph(ANEW, width=width, style="dim") + paragraph(BEFORE, width=width, style="dim")


def _headline(name: str, rest: str, width: int) -> list[Line]:
    """Give a sentence that begins with a name, wrapped."""
    lines = paragraph(name + rest, width=width)
    first = lines[0][0].text
    return [[Piece(name, "name"), Piece(first.removeprefix(name))], *lines[1:]] if first.startswith(name) else lines


def _among(lost: int, trimmed: int, width: int) -> list[Line]:
    """Say which of the items go for another reason than what was named."""
    said = (
        [f"{lost:,} {'goes because of what it' if lost == 1 else 'go because of what they'} stood on"] if lost else []
    )
    said += [f"{trimmed:,} {'stays' if trimmed == 1 else 'stay'} in part, as another item"] if trimmed else []
    return paragraph(f"Of these items, {'; '.join(said)}.", width=width, indent="  ") if said else []


def _sessions(manifest: Manifest, width: int) -> list[Line]:
    if not manifest.sessions:
        return []
    rows = [
        name + (f", because {' and '.join(who)} {'speaks' if len(who) == 1 else 'speak'} in it" if who else "")
        for name, who in manifest.sessions.items()
    ]
    title = "These sessions go whole" if len(manifest.sessions) > 1 else "This session goes whole"
    return heading(title) + _some(rows, width)


def _mentions(manifest: Manifest, width: int) -> list[Line]:
    """Show what is left and has the name in it, and how it goes too."""
    if not manifest.mentions:
        return []
    names = sorted({each.name for each in manifest.mentions})
    count = len(manifest.mentions)
    title = f"{many(count, 'text')} still {'names' if count == 1 else 'name'} {' or '.join(names)}"
    lines: list[Line] = [[], *paragraph(title, width=width, style="name")]
    lines += _some([f"{each.text} ({each.what}, item:{each.id})" for each in manifest.mentions], width)
    for name in names:
        taken = sum(each.taken for each in manifest.mentions if each.name == name)
        if taken:
            which = ("it" if count == 1 else "them") if taken == count else f"{taken:,} of them"
            told = f"asterism erase {quote(f'name:{name}')} takes {which} along."
            lines += paragraph(told, width=width, indent="  ", style="dim")
    shows, erases = ("it", "it") if count == 1 else ("the first", "one of them")
    told = f"asterism why {manifest.mentions[0].id} shows {shows}; asterism erase item:ID erases {erases}."
    return lines + paragraph(told, width=width, indent="  ", style="dim")


def what_if_lines(found: WhatIf, *, width: int = WIDTH) -> list[Line]:
    """Say what would be otherwise."""
    counts = ", ".join(f"{count:,} {what}" for what, count in found.items.items())
    lines = _headline(f"Without {found.without}", f" ({counts}):", width)
    lines += _among(found.lost_items, found.trimmed_items, width)
    lines += _lost(found.lost, found.lost_items, width) + _trimmed(found.trimmed, found.trimmed_items, width)
    if not found.changes:
        return lines + paragraph("Nothing would change.", indent="  ")
    totals = "; ".join(
        f"{what.replace('_', ' ')}: {', '.join(f'{count:,} {change}' for change, count in each.items())}"
        for what, each in found.totals.items()
    )
    lines += [[], *paragraph(totals, width=width)]
    columns = [
        Column("change"),
        Column("what"),
        Column("id", least=12),
        Column("now", least=10),
        Column("then", least=10),
    ]
    lines += [[], *table(columns, [_row(each) for each in found.changes], width=width)]
    if found.left_out:
        lines += paragraph(f"and {found.left_out:,} more; --limit shows them", style="dim")
    return lines


def _row(each: Difference) -> list[Piece | str]:
    now, then = (_seen(side) for side in (each.before, each.after))
    style = STYLES[each.change]
    return [Piece(each.change, style), each.what.replace("_", " "), Piece(each.id, "name"), now, then]  # type: ignore[arg-type]  # a style


def _seen(seen: dict[str, float | str] | None) -> str:
    if seen is None:
        return "-"
    return " ".join(f"{value:.3f}" if isinstance(value, float) else in_words(str(value)) for value in seen.values())


def _lost(lost: Sequence[LostItem], total: int, width: int, called: Mapping[str, str] = NOBODY) -> list[Line]:
    if not total:
        return []
    rows = [
        f"{each.what} of {each.at:%Y-%m-%d}: {', '.join(_with_name(name, called) for name in each.missing[:3])}"
        for each in lost[:SHOWN]
    ]
    return heading("Goes too, because it stood on them") + _some(rows, width, total)


def _trimmed(trimmed: Sequence[TrimmedItem], total: int, width: int) -> list[Line]:
    if not total:
        return []
    rows = [
        f"{each.what} of {each.at:%Y-%m-%d}: without {len(each.missing):,} of its nodes" for each in trimmed[:SHOWN]
    ]
    return heading("Stays in part") + _some(rows, width, total)


def _named(title: str, names: Sequence[str], width: int, called: Mapping[str, str] = NOBODY) -> list[Line]:
    rows = [_with_name(name, called) for name in names[:SHOWN]]
    return heading(title) + _some(rows, width, len(names)) if names else []


def _with_name(node: str, called: Mapping[str, str]) -> str:
    return f"{node} ({called[node]})" if called.get(node) else node


def _some(rows: Sequence[str], width: int, total: int | None = None) -> list[Line]:
    """Give the first of some rows, and say how many there are beyond."""
    lines: list[Line] = []
    for row in rows[:SHOWN]:
        lines += paragraph(row, width=width, indent="  ")
    more = (len(rows) if total is None else total) - len(rows[:SHOWN])
    return lines + (paragraph(f"and {more:,} more", indent="  ", style="dim") if more else [])
