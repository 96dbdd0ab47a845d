"""What readings of transcripts look like as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from asterism.entry.hints import PROMPT
from asterism.entry.text.layout import WIDTH, Column, Line, Piece, cells, cut, gauge, heading, many, paragraph, table
from asterism.entry.text.render import when

if TYPE_CHECKING:
    from asterism.core.dialogue.beats import Beat
    from asterism.core.dialogue.kernel import Reading
    from asterism.core.dialogue.links import CausalLink
    from asterism.core.dialogue.traces import Trace
    from asterism.engine.transcripts.link_files import LinkFiles
    from asterism.engine.transcripts.read import TranscriptReport

DOES = {"question": "asks", "declare": "declares", "propose": "proposes", "request": "requests"}
SHOWN = 20
BAR = 30  # cells of the longest bar


def read_lines(report: TranscriptReport, *, shown: int = SHOWN, width: int = WIDTH) -> list[Line]:
    """Tell what a transcript left in the memory."""
    if not report.lines:
        return paragraph(f"{report.session}: it has no lines, and nothing was written.", width=width)
    found = report.metrics
    told = f"{many(report.lines, 'line')}, {many(found.intents, 'intent')}, {found.coverage:.0%} with a consequence."
    state = "It is new here." if report.new else "It was read before, and says the same."
    state = replacing(report, otherwise="--session keeps both") or state
    kept = "All can be recalled." if report.remembered == report.lines else f"{report.remembered} can be recalled."
    lines = paragraph(f"{report.session}: {told} {kept} {state}", width=width)
    known = many(report.evidence_known, "item")
    if report.evidence:
        before = f"; {known} were known" if report.evidence_known else ""
        lines += paragraph(
            f"{many(report.evidence, 'new item')} of evidence about what is named in it{before}.", width=width
        )
    elif report.evidence_known:
        lines += paragraph(f"It gives no new evidence: {known} were known.", width=width)
    if report.evidence_set_aside:
        aside = many(report.evidence_set_aside, "item")
        lines += paragraph(f"{aside} of evidence of the reading before this one count no more.", width=width)
    if report.names_dropped:
        lines += paragraph(f"{many(report.names_dropped, 'further name')} in it were too many to follow.", width=width)
    lines += answering_lines(report, width=width)
    for note in report.notes:
        lines += paragraph(sentence(PROMPT.say(note)), width=width)
    skipped = ", ".join(f"{count} {why.replace('_', ' ')}" for why, count in report.skipped.items() if count)
    if skipped:
        lines += paragraph(f"Lines not looked at: {skipped}.", width=width)
    if report.cleaned:
        lines += paragraph(f"{many(report.cleaned, 'line')} had control characters, which became spaces.", width=width)
    if not report.links:
        return lines + paragraph("Nobody intends anything in it.", width=width)
    names = {speaker.actor.id: speaker.actor.name for speaker in report.reading.speakers.values()}
    tried = links_lines(report.links, names, shown=shown, width=width)
    return lines + heading("What was tried, and what came of it") + tried


def replacing(report: TranscriptReport, *, otherwise: str) -> str:
    """Say what a reading took the place of; nothing if there was nothing. `otherwise` says how both are kept."""
    if report.moved_from is not None:
        return f"It replaces the reading that began {when(report.moved_from)}: the same words, at other times."
    if report.replaced is not None:
        return f"It replaces another transcript of this name ({many(report.replaced, 'line')}): {otherwise}."
    return ""


def sentence(note: str) -> str:
    """Write a note as a sentence.

    >>> sentence("its times are taken as UTC")
    'Its times are taken as UTC.'
    """
    return f"{note[:1].upper()}{note[1:]}."


def answering_lines(report: TranscriptReport, *, width: int = WIDTH) -> list[Line]:
    """Say how it was found who answers whom, and who was named and says nothing."""
    by, because = report.answering
    lines: list[Line] = []
    if by != "responders":
        chosen = f" (taken for {because}; --as channel, instruction, reply or responders says otherwise)"
        told = f"Who answers whom is said by the reply model {by}{chosen if because else ''}: "
        lines = paragraph(
            f"{told}{len(report.replies):,} {'reply' if len(report.replies) == 1 else 'replies'}.", width=width
        )
    if report.silent:
        lines += paragraph(f"Named, and silent in it: {', '.join(report.silent)}.", width=width)
    return lines


def written_lines(written: LinkFiles, *, width: int = WIDTH) -> list[Line]:
    """Say which files hold links now."""
    first, *others = written.files
    where = first if not others else f"{first} .. {others[-1]} ({many(len(written.files), 'file')})"
    return paragraph(f"{many(written.links, 'link')} in {where}.", width=width)


def none_lines(sessions: Sequence[str], *, width: int = WIDTH) -> list[Line]:
    """Say that there are no links, and what to do."""
    read = f"The sessions are {', '.join(sessions)}." if sessions else "asterism transcript read FILE reads a session."
    return paragraph(f"There are no such links. {read}", width=width)


def links_lines(
    links: Sequence[CausalLink], names: Mapping[str, str], *, shown: int = SHOWN, width: int = WIDTH
) -> list[Line]:
    """List causal links in the order of their lines: what was intended, and under it what came of it."""
    rows: list[list[Piece | str]] = []
    several = len({link.session_id for link in links[:shown]}) > 1
    last = None
    for link in links[:shown]:
        if several and link.session_id != last:
            rows.append(["", "", "", Piece(link.session_id, "head"), ""])
            last = link.session_id
        does = Piece(DOES[link.intent_type], "kind")
        rows.append(
            [
                str(link.intent_anchor_index),
                Piece(names.get(link.actor, link.actor), "name"),
                does,
                _flat(link.intent_text),
                "",
            ]
        )
        if link.claimed:
            came = _flat(link.consequence_text or "")
            rows.append([str(link.consequence_anchor_index), "", "→", came, f"{link.score:.2f}"])
        elif link.intent_strength == "strong":
            rows.append(["", "", "→", Piece("left hanging", "weak"), ""])
    columns = [Column("line", "right"), Column("who", least=6), Column("does"), Column("what", least=20)]
    lines = table([*columns, Column("score", "right")], rows, width=width)
    if len(links) > shown:
        more = f"and {len(links) - shown} more; asterism transcript links --limit {len(links)} shows all"
        lines += paragraph(more, width=width, style="dim")
    return lines


def metrics_lines(reading: Reading, beats: Sequence[Beat] = (), *, width: int = WIDTH) -> list[Line]:
    """Tell the figures of a reading, and its beats."""
    found = reading.metrics
    told = f"{many(found.lines, 'line')}, {many(found.intents, 'intent')}, {found.coverage:.0%} with a consequence."
    lines = [*paragraph(f"{reading.session}: {told}", width=width), []]
    rates = [
        (Piece(name, "name"), str(rate.intents), str(rate.claimed), f"{rate.share:.0%}", gauge(rate.share))
        for part in (found.by_strength, found.by_type)
        for name, rate in part.items()
        if rate.intents
    ]
    columns = [Column("intents"), Column("all", "right"), Column("claimed", "right"), Column("share", "right")]
    lines += table([*columns, Column("")], rates, width=width)
    for title, counts in (
        ("Lines from intent to consequence", found.distances),
        ("Scores, from", found.scores),
        ("What came of it", found.consequences),
        ("Intents that share a response", found.fanout),
    ):
        if counts:
            lines += heading(title) + _bars(counts)
    if any(beat.level for beat in beats):
        lines += heading("Beats: links that belong together") + _beats(beats, width=width)
    hanging = found.unclaimed_strong
    where = f": lines {', '.join(map(str, hanging[:12]))}{', ..' if len(hanging) > 12 else ''}" if hanging else ""
    told = f"{many(len(found.contested), 'response')} contested; {many(len(hanging), 'strong intent')} left hanging"
    return [*lines, [], *paragraph(f"{told}{where}.", width=width)]


def _beats(beats: Sequence[Beat], *, width: int) -> list[Line]:
    joined = [beat for beat in beats if beat.level]
    rows: list[list[Piece | str]] = [
        [
            Piece(f"{beat.anchors[0]}-{beat.anchors[-1]}", "name"),
            str(len(beat.links)),
            str(len(beat.context)),
            str(beat.level),
            f"{beat.strength_internal:.2f}",
        ]
        for beat in joined[:SHOWN]
    ]
    columns = [Column(name, "right") for name in ("lines", "links", "context", "level", "strength")]
    lines = table(columns, rows, width=width)
    if len(joined) > SHOWN:
        lines += paragraph(f"and {len(joined) - SHOWN} more; --json shows all", width=width, style="dim")
    return lines


def _bars(counts: Mapping[str, int] | Mapping[int, int]) -> list[Line]:
    most = max(counts.values())
    wide = max(len(str(key)) for key in counts)
    return [
        [Piece(f"  {key!s:>{wide}}  "), Piece(f"{'█' * max(1, round(BAR * count / most))}", "good"), Piece(f" {count}")]
        for key, count in counts.items()
        if count
    ]


def trace_lines(reading: Reading, traces: Sequence[Trace], *, width: int = WIDTH) -> list[Line]:
    """Tell how each intent got its consequence."""
    lines: list[Line] = []
    for each in traces:
        line = reading.lines[each.intent_anchor_index]
        head = f"{line.line_index} {cut(line.author_name, width // 2)}: "
        lines.append([Piece(head, "name"), Piece(cut(_flat(line.content), width - cells(head)))])
        told = f"{DOES[each.intent_type]} ({each.intent_strength}, rule {each.rule}): {each.why}."
        lines += paragraph(told, width=width, indent="  ")
        for candidate in each.candidates:
            won = candidate.line_index == each.winner
            said = _flat(reading.lines[candidate.line_index].content)
            start = f"  {'→' if won else ' '} {candidate.score:.3f}  line {candidate.line_index}: "
            lines.append([Piece(start, "good" if won else ""), Piece(cut(said, width - cells(start)))])
            taken = f"; taken by line {candidate.taken_by}" if candidate.taken_by is not None and not won else ""
            parts = ", ".join(
                f"{name.replace('_', ' ')} {value:.3f}" for name, value in candidate.parts.items() if value
            )
            lines += paragraph(
                f"distance {candidate.distance}, {parts}{taken}", width=width, indent=" " * 11, style="dim"
            )
        lines.append([])
    return lines[:-1] or paragraph("Nobody intends anything in it.", width=width)


def _flat(text: str) -> str:
    return " ".join(text.split())
