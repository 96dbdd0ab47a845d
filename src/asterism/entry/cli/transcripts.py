"""`asterism transcript`: read a session, annotate it, and see who intended what and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from asterism.entry.cli.commands import MAX_BYTES, Asked, Choice, Command, Group, InFile, OutFile
from asterism.entry.cli.opening import making, reading, without_at
from asterism.entry.cli.output import answer, width, working
from asterism.entry.cli.story import story
from asterism.errors import InputError

if TYPE_CHECKING:
    from asterism.core.dialogue.kernel import Reading
    from asterism.core.dialogue.lines import Actor
    from asterism.engine.transcripts.scene import Scene

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
FILE = click.argument("file", type=InFile(dir_okay=False, path_type=Path))
WAYS = ("channel", "instruction", "reply", "responders")
PRESETS = ("seed", "tuned", "tabletop")
WHATSAPP = ("whatsapp", "whatsapp-dmy", "whatsapp-mdy")
FORMATS = (*("json", "jsonl", "csv", "plain", "vtt", "srt", "discord", "crd3"), *WHATSAPP)
SHOWN = 20


def about_the_file(command: Decorated) -> Decorated:
    """Give a command the options that say what a file does not."""
    options = [
        click.option("--session", help="The session's name (else the file's).", metavar="NAME"),
        click.option("--responder", "responders", multiple=True, help="Who answers or decides.", metavar="NAME"),
        click.option("--as", "answering", type=Choice(WAYS), help="Who answers whom: by which model (else what fits)."),
        click.option("--actor", "actors", multiple=True, help="Who intends: NAME or NAME=ALIAS,..", metavar="NAME"),
        click.option("--mask", "masks", multiple=True, help="Lines to leave out: 40-44:ooc_hard.", metavar="SPAN"),
        click.option("--started", help="When it began, if the lines bear no times.", metavar="TIME"),
        click.option("--format", "file_format", type=Choice(FORMATS), help="What the file is, if it cannot be told."),
        click.option("--encoding", help="The file's encoding (utf-8).", metavar="NAME"),
        click.option("--renumber", is_flag=True, help="Number the lines anew, in their order."),
        click.option("--preset", type=Choice(PRESETS), help="How intents find their consequence (seed)."),
        MAX_BYTES,
    ]
    for option in reversed(options):
        command = option(command)
    return FILE(command)


@click.group("transcript", cls=Group, example="asterism transcript annotate session.txt --html session.html")
def transcript() -> None:
    """Read a session, and see what was tried and what came of it."""


@transcript.command(
    "read", cls=Command, example="asterism transcript read session.txt --responder Mara --started 2026-09-05T18:00Z"
)
@about_the_file
@click.pass_obj
def read(asked: Asked, /, **said: Any) -> None:
    """Read FILE into the memory, as links and evidence.

    Lines "Name: text", JSON and JSON Lines (chats with role and content, too), CSV, WebVTT, SRT, exports of WhatsApp
    and Discord, CRD3. Read twice, it changes nothing.
    """
    from asterism.entry.text.transcripts import read_lines

    without_at(asked, instead="--started TIME says when the session began")
    with making(asked) as memory, working(f"Reading {said['file'].name}"):
        report = memory.read_transcript(said["file"], preset=said["preset"], **_about(said))
    answer(asked, report.to_dict(), read_lines(report, shown=SHOWN, width=width()))


@transcript.command("annotate", cls=Command, example="asterism transcript annotate session.txt --html session.html")
@about_the_file
@click.option("--html", type=OutFile("html", dir_okay=False, path_type=Path), help="Write a page.", metavar="FILE")
@click.option("--dense", is_flag=True, help="Show every candidate with its arithmetic.")
@click.pass_obj
def annotate(asked: Asked, /, html: Path | None, dense: bool, **said: Any) -> None:
    """Annotate FILE, line by line, as Markdown or as a page.

    Each line with what it intends and what came of it; what was contested, and what was left hanging. No memory is
    needed.
    """
    from asterism.entry.text.layout import Piece, paragraph

    found = reading_of(said, traces=True)
    if html is not None and html.resolve() == said["file"].resolve():
        raise InputError(
            f"{html} is the transcript itself",
            code="same_file",
            item=str(html),
            hint="name another file for the page: --html session.html",
        )
    if html is None:
        from asterism.entry.pages.transcript_text import markdown

        text = markdown(found, dense=dense)
        answer(asked, {"markdown": text}, [[Piece(line)] for line in text.splitlines()])
        return
    from asterism.entry.pages.transcript_page import page

    try:
        html.write_text(page(found, dense=dense), encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{html} cannot be written: {error.strerror}",
            code="unwritable",
            item=str(html),
            hint="name a file in a folder that is there",
        ) from None
    told = f"{html} shows {len(found.lines)} lines and {len(found.links)} intents. Open it in a browser."
    counted = {"file": str(html), "lines": len(found.lines), "links": len(found.links)}
    answer(asked, counted, paragraph(told, width=width()))


@transcript.command("metrics", cls=Command, example="asterism transcript metrics session.txt")
@about_the_file
@click.pass_obj
def metrics(asked: Asked, /, **said: Any) -> None:
    """Count what FILE holds, claimed and left hanging.

    Claim rates, distances, scores, what was contested, which links make a beat. No memory is needed.
    """
    from asterism.core.dialogue.beats import beats
    from asterism.entry.text.transcripts import metrics_lines

    found = reading_of(said, traces=False)
    parts = beats(found)
    told = found.metrics.to_dict() | {"beats": [beat.to_dict() for beat in parts]}
    answer(asked, told, metrics_lines(found, parts, width=width()))


@transcript.command("trace", cls=Command, example="asterism transcript trace session.txt --line 12")
@about_the_file
@click.option("--line", type=click.IntRange(min=0), help="Only the intent of this line.", metavar="N")
@click.pass_obj
def trace(asked: Asked, /, line: int | None, **said: Any) -> None:
    """Show how each intent of FILE got its consequence.

    Every candidate, all components, and why. No memory is needed.
    """
    from asterism.entry.text.transcripts import trace_lines

    found = reading_of(said, traces=True)
    traces = [each for each in found.traces if line is None or each.intent_anchor_index == line]
    if line is not None and not traces:
        raise InputError(
            f"line {line} holds no intent",
            code="no_intent",
            item=str(line),
            hint="asterism transcript annotate FILE shows which lines do",
        )
    answer(asked, [each.to_dict() for each in traces], trace_lines(found, traces, width=width()))


@transcript.command("links", cls=Command, example='asterism transcript links --session "The bell of Low Water"')
@click.option("--session", help="Only this session.", metavar="NAME")
@click.option("--actor", help="Only what this actor intended.", metavar="NAME")
@click.option("--type", "types", multiple=True, help="Only intents or consequences of this type.", metavar="TYPE")
@click.option("--event", help="Only this chunk of the session.", metavar="NAME")
@click.option("--limit", type=click.IntRange(min=1), help="Show at most so many.", metavar="N")
@click.option(
    "--out", type=OutFile("jsonl", "csv", path_type=Path), help="Write them to a file (.jsonl, .csv).", metavar="FILE"
)
@click.option("--format", "file_format", type=Choice(("jsonl", "csv")), help="What the file is, whatever its name.")
@click.option("--per-file", type=click.IntRange(min=1), help="Write several files of so many.", metavar="N")
@click.option("--force", is_flag=True, help="Replace files that are there.")
@click.pass_obj
def links(
    asked: Asked,
    /,
    session: str | None,
    actor: str | None,
    types: tuple[str, ...],
    event: str | None,
    limit: int | None,
    out: Path | None,
    **form: Any,
) -> None:
    """List the causal links of the memory, or write them.

    In a file each link says which event it belongs to. With --per-file there are several: links-0001.jsonl, ..
    """
    from asterism.entry.text.transcripts import links_lines, none_lines, written_lines

    if out is not None and limit is None:
        with reading(asked) as memory, working(f"Writing {out.name}"):
            written = memory.write_causal_links(
                out, session, actor=actor, types=types, event=event, at=asked.at, **form
            )
        answer(asked, written.to_dict(), written_lines(written, width=width()))
        return
    if out is not None or any(form.values()):
        raise InputError(
            "--limit is for the screen" if out is not None else "--format, --per-file and --force are for a file",
            code="bad_options",
            hint="asterism transcript links --session NAME --out links.jsonl",
        )
    with reading(asked) as memory:
        found = memory.causal_links(session, actor=actor, types=types, event=event, at=asked.at)
        sessions = memory.sessions(at=asked.at)
        who = memory.entries(*{link.actor for link in found}, at=asked.at)
    names = {name: entry.name for name, entry in who.items()}
    told = [link.to_dict() for link in found[:limit]]
    lines = links_lines(found, names, shown=limit or SHOWN, width=width())
    lines = lines if found else none_lines(sessions, width=width())
    answer(asked, told, lines)


def scene_said(said: dict[str, Any]) -> Scene:
    """Read the file, with what was said about it."""
    from asterism.engine.transcripts.scene import scene_of

    with working(f"Reading {said['file'].name}"):
        return scene_of(said["file"], chunks=None, **_about(said))


def _about(said: dict[str, Any]) -> dict[str, Any]:
    """Give what was said about the file, as calls take it."""
    from asterism.transcripts import mask_of

    return {
        "session": said["session"],
        "responders": said["responders"] or None,
        "actors": actors_of(said["actors"]),
        "masks": [mask_of(each) for each in said["masks"]],
        "started_at": said["started"],
        "file_format": said["file_format"],
        "encoding": said["encoding"],
        "renumber": said["renumber"],
        "answering": said["answering"],
        "max_bytes": said["max_bytes"],
    }


def reading_of(said: dict[str, Any], *, traces: bool) -> Reading:
    """Find the links of a file, without a memory."""
    from asterism.engine.transcripts import scene as scenes

    scene = scene_said(said)
    with working(f"Looking for links in {said['file'].name}"):
        return scenes.reading_of(scene, preset=said["preset"], traces=traces)


def actors_of(told: tuple[str, ...]) -> tuple[Actor, ...] | None:
    """Read actors: NAME, or NAME=ALIAS,ALIAS."""
    from asterism.core.dialogue.lines import Actor
    from asterism.core.ledger.nodes import slug

    found = []
    for each in told:
        name, _, rest = each.partition("=")
        aliases = tuple(part.strip() for part in rest.split(",") if part.strip())
        found.append(Actor(slug(name), name.strip(), aliases))
    return tuple(found) or None


transcript.add_command(story)
COMMANDS = (transcript,)
