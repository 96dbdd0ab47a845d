"""What the values of a memory look like as text: the same for every front door that shows text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from asterism.core.connections.in_words import in_words
from asterism.entry.hints import PROMPT
from asterism.entry.text.found_plot import found_plot
from asterism.entry.text.layout import (
    WIDTH,
    Column,
    Line,
    Piece,
    Style,
    cut,
    gauge,
    many,
    paragraph,
    sparkline,
    sum_lines,
    table,
)

if TYPE_CHECKING:
    from asterism.core.blocks.model import BlockView
    from asterism.core.connections.model import Changes, Merged, Prediction, Receipt, Star, Stats, Verify
    from asterism.core.ledger.model import Link, Why

STATE_STYLES: Mapping[str, Style] = {
    "STRONG": "good",
    "MODERATE": "good",
    "WEAK": "fair",
    "FORMING": "fair",
    "NASCENT": "weak",
    "DORMANT": "dim",
    "DISSOLVED": "dim",
    "BRIGHT": "good",
    "FLICKERING": "fair",
    "DIM": "weak",
    "DARK": "bad",
}
OUTCOME_STYLES: Mapping[str, Style] = {"verified": "good", "missed": "bad", "open": "fair"}
CURVE_WIDTH = 10
SPOKEN = 30  # characters of a block that stand for its id
WIDE = 95  # columns that a table of links between blocks needs to draw their curves too


def state(word: str) -> Piece:
    """Write out a state, in its colour."""
    return Piece(in_words(word), STATE_STYLES.get(word, ""))


def label(link: Link) -> str:
    """Name a link by its ends, with the arrow of its direction, cause first."""
    if link.direction == "b_to_a":
        return f"{link.b} → {link.a}"
    return f"{link.a} {'→' if link.direction else '↔'} {link.b}"


def when(moment: datetime | date | None) -> str:
    """Write a time as people read it: to the minute, in UTC."""
    if moment is None:
        return "never"
    return f"{moment:%Y-%m-%d %H:%M}" if isinstance(moment, datetime) else moment.isoformat()


def exactly(moment: datetime) -> str:
    """Write a time so that it can be told again.

    >>> exactly(datetime.fromisoformat("2026-09-05T18:00:30+00:00"))
    '2026-09-05T18:00:30Z'
    """
    return moment.isoformat().replace("+00:00", "Z")


def links_table(
    links: Sequence[Link],
    curves: Mapping[str, Sequence[float]] | None = None,
    *,
    texts: Mapping[str, str] | None = None,
    of: str | None = None,
    width: int = WIDTH,
) -> list[Line]:
    """Show links of both families, each in a table of its own.

    `texts` says what the blocks among the ends say; links `of` one block show the other end alone.
    """
    said = texts or {}
    connections = [link for link in links if link.family != "structural"]
    structural = [link for link in links if link.family == "structural"]
    lines = _connections(connections, curves, said, width=width) if connections else []
    if structural:
        lines += [*([[]] if lines else []), *structural_table(structural, said, of=of, width=width)]
    return lines


MEANT = {
    "similar": "found by a dream",
    "conflict": "cannot both hold; asterism conflicts says why",
    "co_occurs": "used together",
    "outcome": "went well together",
    "caused": "came of it, in a session",
    "answered": "answered it, in a session",
    "order": "said next",
    "walk": "left by walkers",
}


def structural_table(
    links: Sequence[Link], texts: Mapping[str, str], *, of: str | None = None, width: int = WIDTH
) -> list[Line]:
    """Show structural links: kind, strength and what the ends say; those `of` one block, the other end alone."""
    columns = [Column("kind"), Column("str", "right"), Column("block"), Column("says", least=12)]
    rows: list[list[Piece | str]] = []
    for link in links:
        rows.append([Piece(link.kind, "kind"), f"{link.strength:.2f}"])
        for place, end in enumerate(end for end in (link.a, link.b) if end != of):
            if place:
                rows.append(["", ""])
            rows[-1] += [Piece(end, "name"), one_line(texts.get(end, ""), most=width)]
    meant = {link.kind: MEANT[link.kind] for link in links if link.kind in MEANT}
    legend = "; ".join(f"{kind}: {meaning}" for kind, meaning in sorted(meant.items()))
    return table(columns, rows, width=width) + paragraph(legend, width=width, style="dim")


def one_line(text: str, *, most: int = WIDTH) -> str:
    """Give a text in one line, cut where it is too long.

    >>> one_line("Ada\\n  likes tea", most=9)
    'Ada like…'
    """
    return cut(" ".join(text[: 4 * most].split()), most)


def _connections(
    links: Sequence[Link], curves: Mapping[str, Sequence[float]] | None, texts: Mapping[str, str], *, width: int
) -> list[Line]:
    """Show connections: ends, kind, state, strength, confidence, evidence (all items / what counts), the curve."""
    blocks = [end for end in dict.fromkeys(end for link in links for end in (link.a, link.b)) if end in texts]
    if blocks and width < WIDE:
        curves = None  # the ids of blocks need the room
    columns = [
        Column("link", least=35 if blocks else 12),
        Column("kind"),
        Column("state"),
        Column("str", "right"),
        Column("conf", "right"),
        Column("evid.", "right"),
    ]
    if curves is not None:
        columns.append(Column("its life"))
    rows = []
    for link in links:
        row: list[Piece | str] = [
            Piece(label(link), "name"),
            Piece(link.kind + ("*" if link.assigned else "") + ("" if link.holds is not False else "?"), "kind"),
            state(link.state),
            f"{link.strength:.2f}",
            f"{link.confidence:.2f}",
            f"{link.evidence.raw}/{link.evidence.effective:g}",
        ]
        if curves is not None:
            style = STATE_STYLES.get(link.state, "")
            row.append(Piece(sparkline(curves.get(link.id, ()), width=CURVE_WIDTH), style))
        rows.append(row)
    legend = "evid.: all items / what of them still counts"
    if any(link.assigned for link in links):
        legend += "; *: the kind was assigned, not detected"
    if any(link.holds is False for link in links):
        legend += "; ?: told values no longer support it"
    lines = table(columns, rows, width=width) + paragraph(legend, width=width, style="dim")
    return lines + [[Piece(end, "name"), Piece(f"  {one_line(texts[end], most=width - 18)}")] for end in blocks]


def stars_table(stars: Sequence[Star], links: Sequence[Link], *, width: int = WIDTH) -> list[Line]:
    """Show stars: domain, state, brightness, how many of the links are theirs, and what holds or lifts them."""
    counts = Counter(end for link in links for end in (link.a, link.b))
    columns = [
        Column("star", least=8),
        Column("domain"),
        Column("state"),
        Column("brightness"),
        Column("links", "right"),
        Column("remarks", least=8),
    ]
    rows = [
        (
            Piece(star.name, "name"),
            star.domain or "",
            state(star.state),
            Piece(f"{gauge(star.brightness)} {star.brightness:.2f}", STATE_STYLES.get(star.state, "")),
            str(counts[star.id]),
            Piece(_remarks(star), "dim"),
        )
        for star in stars
    ]
    return table(columns, rows, width=width)


def _remarks(star: Star) -> str:
    remarks = []
    if star.archived:
        remarks.append("archived")
    if star.contradictions:
        remarks.append(f"contradicted {star.contradictions}x")
    if star.cap < 1:
        remarks.append(f"held at {star.cap:.2f}")
    if star.boost:
        remarks.append(f"lifted x{1 + star.boost:.2f}")
    return ", ".join(remarks)


def star_line(star: Star) -> list[Line]:
    """Show one star in a line."""
    more = _remarks(star)
    text = f", brightness {star.brightness:.3f}" + "".join(f", {part}" for part in (star.domain, more) if part)
    return [[Piece(star.name, "name"), Piece(f" ({star.id}): "), state(star.state), Piece(text)]]


def receipt_lines(receipt: Receipt, link: Link | None, *, dated: bool = False) -> list[Line]:
    """Say what one item of evidence did, and what the link is now; `dated`: told of a day that may not be today."""
    if receipt.duplicate:
        return [[Piece("This was known already: nothing changed.")]]
    capped = {"daily_cap": ", the day's cap", "ceiling": ", the ceiling"}
    then = f"on {receipt.at:%Y-%m-%d}: " if dated else ""
    text = f"{then}strength {receipt.before:.4f} → {receipt.after:.4f} ({receipt.gain:+.4f}"
    text += f"{capped.get(receipt.capped_by or '', '')})"
    if link is None:
        return paragraph(f"Kept ({text}), but a lone co-mention is no link yet: any second item makes it one.")
    now = f"; now {link.strength:.4f}, " if dated else ", "
    return [[Piece(label(link), "name"), Piece(f" {text}{now}" if dated else f": {text}{now}"), state(link.state)]]


def spoken(text: str, called: Mapping[str, str]) -> str:
    """Write names for ids."""
    for node, name in called.items():
        text = text.replace(node, name)
    return text


def named(told: Why, blocks: Mapping[str, BlockView]) -> Why:
    """Write for the ids of blocks what they are called, or how they begin."""
    called = {name: block.name or f"“{cut(block.content, SPOKEN)}”" for name, block in blocks.items()}
    lines = tuple(replace(line, text=spoken(line.text, called)) for line in told.lines)
    notes = tuple(spoken(PROMPT.say(note), called) for note in told.notes)
    return replace(told, subject=spoken(told.subject, called), lines=lines, notes=notes)


def why_lines(why: Why, *, limit: int | None = None, width: int = WIDTH) -> list[Line]:
    """Show an explanation as a sum; with a limit, the smallest lines become one, and it still adds up."""
    told = [(in_words(line.text), line.value) for line in why.lines]
    if limit is not None and len(told) > limit:
        largest = sorted(range(len(told)), key=lambda place: -abs(told[place][1]))[: limit - 1]
        rest = sum(value for place, (_, value) in enumerate(told) if place not in largest)
        count = len(told) - len(largest)
        told = [told[place] for place in sorted(largest)] + [(f"and {count} smaller lines", rest)]
    rows = [(text, f"{value:+.6f}") for text, value in told]
    lines: list[Line] = [[Piece(why.subject, "name"), Piece(f": {why.number} {why.total:.6f}")]]
    lines += sum_lines([*rows, (f"= {why.number}", f"{why.total:.6f}")], width=width)
    lines += found_plot(why.found, width=width)
    for note in why.notes:
        lines += paragraph(in_words(note), width=width, indent="  ", style="dim")
    return lines


def changes_lines(changes: Changes, *, width: int = WIDTH) -> list[Line]:
    """Show what happened while time passed."""
    rows: list[tuple[Piece | str, ...]] = []
    for what, moved in (("link", changes.states), ("kind", changes.types), ("star", changes.stars)):
        rows += [(Piece(each.id, "name"), what, state(each.before), "→", state(each.after)) for each in moved]
    lines: list[Line] = [[Piece(f"The clock stands at {when(changes.clock)}.")]]
    if rows:
        columns = [Column("what", least=12), Column(""), Column("before"), Column(""), Column("after")]
        lines += table(columns, rows, width=width)
    else:
        lines += paragraph("No state or kind changed.")
    if changes.influence:
        told = ", ".join(f"{each.id} {each.change:+.3f}" for each in changes.influence)
        lines += paragraph(f"Influence of links on brightness: {told}.", width=width)
    expected = [each for each in changes.predictions if each.told]
    silent = len(changes.predictions) - len(expected)
    if expected:
        lines += [[], *predictions_table(expected, width=width)]
    if silent:
        so_far = f"{silent} predictions without a record yet are made or settled silently"
        lines += paragraph(f"{so_far}: asterism predictions shows them.", width=width, style="dim")
    return lines


def stats_lines(stats: Stats, *, width: int = WIDTH) -> list[Line]:
    """Show how much there is."""

    def counted(counts: Mapping[str, int]) -> str:
        return ", ".join(f"{count} {word}" for word, count in counts.items()) or "none"

    told = {
        "space": f"{stats.space} (of {stats.spaces})",
        "clock": when(stats.clock) + (f" ({stats.clock_note})" if stats.clock_note else ""),
        "stars": counted(stats.stars),
        "links": counted(stats.links),
        "kinds": counted(stats.kinds),
        "blocks": counted(stats.blocks),
        "found links": counted(stats.structural),
        "not links yet": f"{stats.latent_pairs} pairs with a lone co-mention",
        "levels": ", ".join(f"{count:,} of {symbol}" for symbol, count in stats.levels.items()) or "none",
        "predictions": f"{stats.predictions} kept, {stats.predictions_dropped} dropped",
        "ledger": f"{sum(stats.items.values())} items: {counted(stats.items)}",
        "tombstones": str(stats.tombstones),
        "not tested": f"{stats.discoveries_cut} pairs beyond the limit of discovery",
        "not counted": f"{stats.used_pairs_dropped} pairs used together beyond the limit",
        "not kept": f"{stats.names_cut} tags and sources of blocks beyond the limit",
        "not searched": f"{many(stats.texts_cut, 'very long text')} beyond the beginning",
        "vectors": f"by {stats.embedder}" if stats.embedder else "none yet: asterism dream makes them",
        "checkpoints": str(stats.checkpoints),
        "size": f"{stats.size_bytes / 1024:,.0f} KiB",
        "parameters": f"{' + '.join(stats.preset)} ({stats.parameters})",
    }
    lines: list[Line] = []
    for name, text in told.items():
        first, *rest = paragraph(text, width=width - 15)
        lines.append([Piece(f"{name:<15}", "head"), *first])
        lines += [[Piece(" " * 15), *more] for more in rest]
    return lines


def verify_lines(verify: Verify) -> list[Line]:
    """Say whether a replay gave what is stored."""
    counts = f"{verify.items} items, {verify.checkpoints} checkpoints, digest {verify.digest[:16] or 'none'}"
    if verify.ok:
        said = [Piece("ok", "good"), Piece(": the replay equals what is stored, bit for bit")]
    elif not verify.digest:
        said = [Piece("not ok", "bad"), Piece(": the ledger cannot be replayed")]
    else:
        said = [Piece("not ok", "bad"), Piece(": the replay differs from what is stored")]
    lines: list[Line] = [said, [Piece(f"    {counts}", "dim")]]
    return lines + [[Piece(f"  {difference}")] for difference in verify.differences]


def merged_lines(merged: Merged, *, width: int = WIDTH) -> list[Line]:
    """Say what a merge brought."""
    text = f"{merged.added} items added, {merged.duplicates} were known already"
    if merged.buried or merged.erased:
        text += f", {merged.buried} stay erased, {merged.erased} erased here too"
    lines: list[Line] = [[Piece(text + ".")]]
    if merged.lost:
        told = f"The other copy is damaged, and what it lost did not come: {'; '.join(merged.lost)}."
        lines += paragraph(told, width=width, style="bad")
    if merged.left_out:
        told = f"Left out: {merged.left_out:,} vectors of the other copy that cannot be used; they are made anew."
        lines += paragraph(told, width=width, style="dim")
    return lines if merged.scrubbed else lines + paragraph(merged.note, width=width, style="bad")


def predictions_table(predictions: Sequence[Prediction], *, width: int = WIDTH) -> list[Line]:
    """Show what causal links expected, how probable that was, and what became of it."""
    columns = [
        Column("because of", least=10),
        Column("expected", least=10),
        Column("at"),
        Column("probability", "right"),
        Column("chance", "right"),
        Column("outcome"),
    ]
    rows = [
        (
            Piece(each.link, "name"),
            f"{each.star} {'rises' if each.sign > 0 else 'falls'}",
            when(each.expected_at),
            f"{each.probability:.2f}",
            f"{each.base_rate:.2f}",
            Piece(each.outcome, OUTCOME_STYLES.get(each.outcome, "")),
        )
        for each in predictions
    ]
    return table(columns, rows, width=width)
