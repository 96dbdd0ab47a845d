"""The annotated transcript as one HTML page that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.rolls import Roll
from asterism.entry.pages.template import template
from asterism.entry.pages.transcript_view import (
    CAME,
    View,
    arithmetic,
    bidders,
    cast,
    colophon,
    outcome,
    reasons,
    summary,
)
from asterism.entry.text.transcripts import DOES

HUES = (212, 28, 142, 282, 340, 178, 52, 248)  # one for each who intends something, then again from the first
SLOT = re.compile(r"\{(title|summary|cast|legend|chapters|story|lines|contested|names|hanging|figures|colophon)\}")
CUT = 320  # characters of a text that a list shows; the line itself shows all


def page(reading: Reading, *, dense: bool = False) -> str:
    """Annotate a transcript; `dense` opens the candidates of every intent."""
    view = View(reading)
    hues = {actor: HUES[place % len(HUES)] for place, actor in enumerate(view.actors)}
    parts = {
        "title": escape(reading.session),
        "summary": escape(summary(view)),
        "cast": escape(cast(view)),
        "legend": "".join(_legend(view, hues)),
        "chapters": "".join(_chapters(view, hues)),
        "story": "".join(_story(view, hues)),
        "lines": "".join(_lines(view, hues, dense=dense)),
        "contested": "".join(_contested(view, hues)),
        "names": "".join(_names(view)),
        "hanging": "".join(_hanging(view, hues)),
        "figures": "".join(_figures(view)),
        "colophon": escape(colophon(view)),
    }
    return SLOT.sub(lambda slot: parts[slot[1]], template("transcript_page.html"))


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return escape(flat if len(flat) <= CUT else flat[:CUT].rsplit(" ", 1)[0] + " …")


def _to(line: int) -> str:
    return f'<a href="#l{line}">{line}</a>'


def _who(view: View, actor: str, hues: Mapping[str, int]) -> str:
    return f'<b class="who" style="--h:{hues[actor]}">{escape(view.name(actor))}</b>'


def _legend(view: View, hues: Mapping[str, int]) -> Iterator[str]:
    for actor in view.actors:
        mine = [link for link in view.reading.links if link.actor == actor]
        claimed = sum(link.claimed for link in mine)
        yield (
            f'<button type="button" data-actor="{escape(actor)}" style="--h:{hues[actor]}" aria-pressed="false">'
            f"{escape(view.name(actor))} <small>{claimed} of {len(mine)}</small></button>"
        )


def _chapters(view: View, hues: Mapping[str, int]) -> Iterator[str]:
    for chapter in view.chapters:
        inside = range(chapter.start, chapter.end + 1)
        rolls = [roll for roll in view.rolls if roll.call in inside]
        passed = [link for link in view.hanging if link.id in view.passed_over and link.intent_anchor_index in inside]
        words = escape(", ".join(chapter.words)) or "nothing that sets it apart"
        yield f"<li><b>{words}</b> <small>lines {_to(chapter.start)} to {_to(chapter.end)}</small>"
        if chapter.quoted is not None:
            yield f"<br>{_to(chapter.quoted)} <q class=quiet>{_short(view.reading.lines[chapter.quoted].content)}</q>"
        yield "<ul>"
        yield from (f"<li>{_pair(view, link, hues)}</li>" for link in view.tried(chapter))
        if rolls:
            yield f"<li><details><summary>{len(rolls)} rolled</summary><ul>"
            yield from (_roll(view, roll, hues) for roll in rolls)
            yield "</ul></details></li>"
        if passed:
            yield f"<li><details><summary>{len(passed)} passed over</summary><ul>"
            yield from (_open(view, link, hues) for link in passed)
            yield "</ul></details></li>"
        yield "</ul></li>"


def _roll(view: View, roll: Roll, hues: Mapping[str, int]) -> str:
    lines = view.reading.lines
    numbers = ", ".join(f"{_name(view, each.actor, hues)} <b>{each.number}</b>" for each in roll.rolled)
    came = "nothing more" if roll.result is None else f"{_to(roll.result)} <q>{_short(lines[roll.result].content)}</q>"
    arrow = "<span class=arrow>→</span>"
    return f"<li>{_to(roll.call)} {_short(lines[roll.call].content)} {arrow} {numbers} {arrow} {came}</li>"


def _name(view: View, actor: str, hues: Mapping[str, int]) -> str:
    return _who(view, actor, hues) if actor in hues else f"<b>{escape(view.name(actor))}</b>"


def _story(view: View, hues: Mapping[str, int]) -> Iterator[str]:
    for beat in view.story:
        links = view.links_of(beat)
        best = max(links, key=lambda link: (link.intent_strength == "strong", link.score or 0.0))
        first, last = min(beat.anchors), max(beat.anchors)
        yield f"<li><details><summary>lines {_to(first)} to {_to(last)}, {len(links)} links: "
        yield f"{_pair(view, best, hues)}</summary><ul>"
        yield from (f"<li>{_pair(view, link, hues)}</li>" for link in links if link != best)
        context = ", ".join(_to(line) for line in beat.context)
        yield f"<li class=quiet>context: lines {context}</li>" if context else ""
        yield f"<li class=quiet>mass {beat.mass}, bridge {beat.strength_bridge:.3f}, "
        yield f"strength {beat.strength_internal:.3f}</li></ul></details></li>"


def _pair(view: View, link: CausalLink, hues: Mapping[str, int]) -> str:
    came = " ".join(f"{_to(line.line_index)} <q>{_short(line.content)}</q>" for line in view.outcome_lines(link))
    tried = f"{_to(link.intent_anchor_index)} {_who(view, link.actor, hues)} {_short(link.intent_text)}"
    return f"{tried} <span class=arrow>→</span> {came}"


def _names(view: View) -> Iterator[str]:
    last = max(len(view.reading.lines) - 1, 1)
    for named in view.names:
        place = (
            f"left:{named.first / last * 100:.1f}%;width:{max(named.last - named.first, last / 100) / last * 100:.1f}%"
        )
        yield f"<tr><th>{escape(named.name)}<td>{named.times}<td><span class=span><i style='{place}'></i></span>"
        yield f"<td>{_to(named.first)} to {_to(named.last)}</tr>"


def _lines(view: View, hues: Mapping[str, int], *, dense: bool) -> Iterator[str]:
    for row in view.rows():
        if isinstance(row, Line):
            yield from _line(view, row, hues, dense=dense)
            continue
        run, lines = row
        yield f"<details class=out><summary>{escape(reasons(run))}</summary>"
        for line in lines:
            yield from _line(view, line, hues, dense=dense)
        yield "</details>"


def _line(view: View, line: Line, hues: Mapping[str, int], *, dense: bool) -> Iterator[str]:
    place = line.line_index
    link, causes = view.link_of.get(place), view.causes_of.get(place, [])
    marks, style, data = ["line"], "", ""
    if link is not None:
        marks += ["intent", link.intent_strength] + ([] if link.claimed else ["open"])
        style = f' style="--h:{hues[link.actor]}"'
        data = f' data-actor="{escape(link.actor)}"'
        if link.consequence_anchor_index is not None:
            data += f' data-to="{link.consequence_anchor_index}"'
    if causes:
        marks.append("effect")
        data += f' data-from="{" ".join(str(cause.intent_anchor_index) for cause in causes)}"'
    yield f'<div id="l{place}" class="{" ".join(marks)}"{style}{data}><a class=n href="#l{place}">{place}</a>'
    kind = f" <i>{line.kind}</i>" if line.kind else ""
    yield f"<b>{escape(line.author_name) or '?'}</b>{kind}<p>{escape(line.content)}</p>"
    if link is not None:
        yield from _intent(view, link, dense=dense)
    if causes:
        yield '<div class="tag came">'
        yield f"{CAME[causes[0].consequence_type]}, answers "
        yield ", ".join(
            f'<a class=chip style="--h:{hues[cause.actor]}" href="#l{cause.intent_anchor_index}">'
            f"{cause.intent_anchor_index} {escape(view.name(cause.actor))}</a>"
            for cause in causes
        )
        yield "</div>"
    reply = view.reply_of.get(place)
    if reply is not None:
        yield f'<div class="tag came">answers <a class=chip href="#l{reply.head}">{reply.head} '
        yield f"{escape(view.reading.lines[reply.head].author_name)}</a> <small>p {reply.p:.2f}</small></div>"
    yield "</div>\n"


def _intent(view: View, link: CausalLink, *, dense: bool) -> Iterator[str]:
    said = f"{DOES[link.intent_type]} <small>({escape(link.rule)})</small> → "
    result = escape(outcome(link))
    if link.consequence_anchor_index is not None:
        result = f'<a href="#l{link.consequence_anchor_index}">{result}</a>'
    trace = view.trace_of.get(link.intent_anchor_index)
    if trace is None:
        yield f"<div class=tag>{said}{result}</div>"
        return
    yield f"<details class=tag{' open' * dense}><summary>{said}{result}</summary><p>{escape(trace.why)}</p>"
    if trace.candidates:
        yield "<table><tr><th>line<th>distance<th>score<th>made of</tr>"
        for each in trace.candidates:
            won = " class=won" if each.line_index == trace.winner else ""
            yield f"<tr{won}><td>{_to(each.line_index)}<td>{each.distance}<td>{each.score:.3f}"
            yield f"<td>{escape(arithmetic(each))}</tr>"
        yield "</table>"
    yield "</details>"


def _contested(view: View, hues: Mapping[str, int]) -> Iterator[str]:
    for each in view.reading.metrics.contested:
        line = view.reading.lines[each.line_index]
        yield f"<li>{_to(each.line_index)} <b>{escape(line.author_name)}</b> {_short(line.content)}<ul>"
        for link, got in bidders(view, each):
            yield f"<li>{_to(link.intent_anchor_index)} {_who(view, link.actor, hues)} <em>{got}</em>: "
            yield f"{_short(link.intent_text)}</li>"
        yield "</ul></li>"


def _hanging(view: View, hues: Mapping[str, int]) -> Iterator[str]:
    passed = [link for link in view.hanging if link.id in view.passed_over]
    among = [link for link in view.hanging if link.id not in view.passed_over]
    for title, links in (
        ("passed over: a responder spoke of something else", passed),
        ("fragments, numbers, nods, and talk among the others", among),
    ):
        if links:
            yield f"<li><details><summary>{len(links)} {title}</summary><ul>"
            yield from (_open(view, link, hues) for link in links)
            yield "</ul></details></li>"


def _open(view: View, link: CausalLink, hues: Mapping[str, int]) -> str:
    said = f"{_who(view, link.actor, hues)} {DOES[link.intent_type]}: {_short(link.intent_text)}"
    return f"<li>{_to(link.intent_anchor_index)} {said}</li>"


def _figures(view: View) -> Iterator[str]:
    told = view.reading.metrics
    rates = {**told.by_strength, **told.by_type}
    yield _bars("answered", {name: (rate.share, f"{rate.claimed} of {rate.intents}") for name, rate in rates.items()})
    for title, counts in (
        ("distance", told.distances),
        ("score from", told.scores),
        ("intents per response", told.fanout),
        ("what came", {CAME[name]: number for name, number in told.consequences.items()}),
        ("rule", {name.replace("_", " "): number for name, number in told.rules.items()}),
    ):
        most = max(counts.values(), default=1)
        yield _bars(title, {str(name): (number / most, str(number)) for name, number in counts.items()})


def _bars(title: str, rows: Mapping[str, tuple[float, str]]) -> str:
    body = "".join(
        f"<tr><th>{escape(name)}<td><span class=bar style='width:{share * 100:.1f}%'></span><td>{escape(said)}</tr>"
        for name, (share, said) in rows.items()
    )
    return f"<table class=bars><caption>{escape(title)}</caption>{body}</table>"
