"""The annotated transcript as Markdown: every line, what it intends, what came of it; candidates too if it is dense."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.lines import Line
from asterism.entry.pages.transcript_view import View, arithmetic, bidders, cast, colophon, outcome, reasons, summary
from asterism.entry.text.transcripts import DOES

SIGNS = re.compile(r"([\\`*_{}\[\]()#+\-!|~>])")


def escaped(text: str) -> str:
    """Write a text so that Markdown shows it as it is, on one line.

    >>> escaped("*no* <b>tags</b>\\nhere")
    '\\\\*no\\\\* &lt;b&gt;tags&lt;/b&gt; here'
    """
    flat = " ".join(text.split())
    return SIGNS.sub(r"\\\1", flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def markdown(reading: Reading, *, dense: bool = False) -> str:
    """Annotate a transcript; `dense` shows under each intent every candidate with its arithmetic."""
    return "\n".join(_parts(View(reading), dense=dense)) + "\n"


def _parts(view: View, *, dense: bool) -> Iterator[str]:
    yield f"# {escaped(view.reading.session)}\n"
    yield f"{summary(view)}\n"
    if view.by_model:
        yield f"{cast(view)}\n"
    yield "## Chapters\n"
    yield from _chapters(view)
    yield "\n## Lines\n"
    for row in view.rows():
        if isinstance(row, Line):
            yield from _line(view, row, dense=dense)
            continue
        run, lines = row
        yield f"\n<details><summary>{reasons(run)}</summary>\n"
        yield from (f"- {_said(line)}" for line in lines)
        yield "\n</details>\n"
    yield "\n## Contested\n"
    yield from _contested(view) if view.reading.metrics.contested else ["Nothing was."]
    yield "\n## Left hanging\n"
    yield from (f"- {_said(view.reading.lines[link.intent_anchor_index])}" for link in view.hanging)
    if not view.hanging:
        yield "Nothing was."
    yield f"\n{colophon(view)}"


def _chapters(view: View) -> Iterator[str]:
    for chapter in view.chapters:
        yield f"- lines {chapter.start} to {chapter.end}: {escaped(', '.join(chapter.words))}"
        for link in view.tried(chapter):
            tried = f"`{link.intent_anchor_index}` **{escaped(view.name(link.actor))}** {escaped(link.intent_text)}"
            yield f"  - {tried} → {escaped(link.consequence_text or '')}"
        for roll in view.rolls:
            if chapter.start <= roll.call <= chapter.end:
                numbers = ", ".join(f"{escaped(view.name(each.actor))} {each.number}" for each in roll.rolled)
                came = "" if roll.result is None else f" → {escaped(view.reading.lines[roll.result].content)}"
                yield f"  - `{roll.call}` {escaped(view.reading.lines[roll.call].content)} → {numbers}{came}"


def _said(line: Line) -> str:
    kind = f" ({line.kind})" if line.kind else ""
    return f"`{line.line_index}` **{escaped(line.author_name) or '?'}**{kind} {escaped(line.content)}"


def _line(view: View, line: Line, *, dense: bool) -> Iterator[str]:
    yield f"- {_said(line)}"
    link = view.link_of.get(line.line_index)
    if link is not None:
        yield f"  - {DOES[link.intent_type]} ({link.intent_strength}, {link.rule}) → {outcome(link)}"
        trace = view.trace_of.get(line.line_index)
        if dense and trace is not None:
            yield f"    - {trace.why}"
            for each in trace.candidates:
                mark = "**" if each.line_index == trace.winner else ""
                yield (
                    f"    - {mark}line {each.line_index}{mark}, distance {each.distance}: "
                    f"{each.score:.3f} ({arithmetic(each)})"
                )
    causes = view.causes_of.get(line.line_index, ())
    if causes:
        yield f"  - answers line {', '.join(str(cause.intent_anchor_index) for cause in causes)}"
    reply = view.reply_of.get(line.line_index)
    if reply is not None:
        yield f"  - answers line {reply.head} (p {reply.p:.2f})"


def _contested(view: View) -> Iterator[str]:
    for each in view.reading.metrics.contested:
        yield f"- {_said(view.reading.lines[each.line_index])}"
        for link, got in bidders(view, each):
            who = f"line {link.intent_anchor_index}, {escaped(view.name(link.actor))}"
            yield f"  - {who}, {got}: {escaped(link.intent_text)}"
