"""`asterism demo`: one person's month, market, notes and game night in one memory, and what it found in them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.opening import space_of, without_at
from asterism.entry.cli.output import answer, width, working
from asterism.errors import InputError

if TYPE_CHECKING:
    from asterism.entry.sample.story import Story
    from asterism.entry.text.layout import Line
    from asterism.sync import Memory

LATER = "The story ends on 3 October 2026; asked of today, its links have faded. --at 2026-10-03 shows it as it was."


@click.command("demo", cls=Command, example="asterism demo --db month.db")
@click.pass_obj
def demo(asked: Asked) -> None:
    """See it work on the sample data that comes along.

    A diary, notes, a game night and a market day of one person: what it found in them, and why. Nothing is kept, unless
    --db FILE says where.
    """
    from asterism.engine.memory import Memory
    from asterism.entry.sample.page import page, way_to_the_game
    from asterism.entry.sample.play import StoryClock
    from asterism.entry.sample.story import tell

    without_at(asked, instead="the demo has its own clock")
    clock = StoryClock()
    path = asked.db or ":memory:"  # never the user's own memory, unless named
    with Memory.open_sync(path, space=space_of(asked), clock=clock) as memory:
        _must_be_empty(asked, memory)
        with working("The month, day 1") as progress:
            story = tell(memory, clock, progress=progress.say)
        if asked.json:
            answer(asked, _document(story), ())
            return
        names = memory.entries(story.start, *(node for _, node in way_to_the_game(story)))
        lines = page(story, names, width=width())
    answer(asked, None, lines + _next(asked))


def _must_be_empty(asked: Asked, memory: Memory) -> None:
    if memory.stats().items:
        raise InputError(
            f"space {space_of(asked)!r} of {asked.db} has something in it already",
            code="not_empty",
            item=str(asked.db),
            hint=f"name a new file, or look at what is there: asterism links{_place(asked)}",
        )


def _document(story: Story) -> dict[str, Any]:
    from asterism.entry.sample.page import way_to_the_game

    diary = story.diary
    return {
        "told": diary.played.told,
        "stars": [star.to_dict() for star in diary.stars],
        "links": [link.to_dict() | {"curve": list(diary.curves.get(link.id, ()))} for link in diary.links],
        "found": [
            {
                "day": noted.day.date().isoformat(),
                "id": noted.link.id if noted.link else noted.what,
                "before": noted.before,
                "after": noted.after,
            }
            for noted in diary.played.noted
        ],
        "discovered": diary.played.discovered,
        "predictions": diary.predictions.to_dict(),
        "why": diary.why.to_dict(),
        "project": diary.outlook.to_dict(),
        "notes": [receipt.to_dict() for receipt in story.learned],
        "dream": story.dreamed.to_dict(),
        "transcript": {"lines": story.read.lines, "links": len(story.read.links), "evidence": story.read.evidence},
        "grown": story.grown.to_dict(),
        "levels": [level.to_dict() for level in story.levels],
        "recall": [found.to_dict() | {"took_ms": None} for found in story.answers],
        "explore": story.walk.to_dict() | {"took_ms": None},
        "way": [{"by": link, "to": node} for link, node in way_to_the_game(story)],
    }


def _place(asked: Asked) -> str:
    """Say where the story is kept, or would be, as a shell reads it."""
    space = f" --space {quote(asked.space)}" if asked.space else ""
    return f" --db {quote(str(asked.db or 'month.db'))}{space}"


def _next(asked: Asked) -> list[Line]:
    from asterism.entry.text.layout import Piece, heading, paragraph

    kept, program = _place(asked), _program()
    first = (f"why sleep mood --at 2026-09-30{kept}", "a sum") if asked.db else (f"demo{kept}", "keep it")
    commands = (
        first,
        (f'recall "what did I promise Lena?"{kept}', "reasons"),
        (f"export sky.html --at 2026-10-03{kept}", "a page"),
    )
    size = max(len(command) for command, _ in commands)
    return [
        [],
        *paragraph(LATER, width=width(), style="dim"),
        *heading("Try next"),
        *([Piece(f"  {program} {command:<{size}}", "head"), Piece(f"  {text}", "dim")] for command, text in commands),
    ]


def _program() -> str:
    """Give the word that runs this: `asterism` where a shell finds it, else the path it was run by."""
    ran = Path(sys.argv[0])
    return "asterism" if ran.name != "asterism" or shutil.which("asterism") else str(ran)


COMMANDS = (demo,)
