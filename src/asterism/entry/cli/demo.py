"""`asterism demo`: a month in a person's life, told to a memory and read back with reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.opening import space_of, without_at
from asterism.entry.cli.output import answer, width, working
from asterism.errors import InputError

if TYPE_CHECKING:
    from asterism.core.blocks.model import DreamResult
    from asterism.entry.layout import Line
    from asterism.entry.sample.play import Noted, Played
    from asterism.sync import Memory

ABOUT = (
    "Ten stars of one person, {told} things told in September 2026: a diary of how bright each star was, what was "
    "engaged with, what was said to belong together. Nobody told the memory what kind a link is, when it fades or "
    "what follows from it. This is what it found, and every number can say why."
)
WHY = ("late-screen", "sleep")
MARKET = (
    "A day on an invented market, {events:,} events: somebody lets a large order rest at 98.50 and the price turns "
    "back from it four times; at half past two it is pulled, the price falls through, and later stops there again from "
    "below. The price that the order stood at is still remembered, though the order is gone:"
)
RECALL = (
    "{notes} notes of the same person, just as they were written down. A dream linked {links} pairs nobody had named "
    "(two of the notes differ only in a day and an hour: both stay). Then a question that shares hardly a word "
    "with its answers:"
)
AHEAD_DAYS = 60


@click.command("demo", cls=Command, example="asterism demo --db month.db")
@click.pass_obj
def demo(asked: Asked) -> None:
    """See it work on a month of sample data.

    What it found, why, and what will fade. Nothing is kept, unless --db FILE says where.
    """
    from asterism.engine.memory import Memory
    from asterism.entry.sample.market_day import SYMBOL, market_day
    from asterism.entry.sample.notes import NOTES
    from asterism.entry.sample.play import StoryClock, play

    without_at(asked, instead="the demo has its own clock")
    clock = StoryClock()
    path = asked.db or ":memory:"  # never the user's own memory, unless named
    with Memory.open_sync(path, space=space_of(asked), clock=clock) as memory:
        _must_be_empty(asked, memory)
        with working("The month, day 1") as progress:
            played = play(memory, clock, progress=progress.say)
            progress.say("A market day")
            fed = memory.feed(SYMBOL, market_day(), lateness=0)
            progress.say("Notes, and a dream")
            memory.learn_many([{"content": text, "tags": tags, "category": "note"} for text, tags in NOTES])
            dreamed = memory.dream()
        answer(
            asked,
            _document(memory, played) if asked.json else None,
            () if asked.json else _page(asked, memory, played, fed.used, dreamed),
        )


def _must_be_empty(asked: Asked, memory: Memory) -> None:
    if memory.stats().items:
        raise InputError(
            f"space {space_of(asked)!r} of {asked.db} has something in it already",
            code="not_empty",
            item=str(asked.db),
            hint=f"name a new file, or look at what is there: asterism links --db {asked.db}",
        )


def _document(memory: Memory, played: Played) -> dict[str, Any]:
    from asterism.entry.sample.notes import QUESTION

    curves = memory.curves()
    return {
        "told": played.told,
        "stars": [star.to_dict() for star in memory.stars()],
        "links": [link.to_dict() | {"curve": list(curves.get(link.id, ()))} for link in memory.links()],
        "found": [
            {
                "day": noted.day.date().isoformat(),
                "id": noted.link.id if noted.link else noted.what,
                "before": noted.before,
                "after": noted.after,
            }
            for noted in played.noted
        ],
        "discovered": played.discovered,
        "predictions": memory.predictions().to_dict(),
        "why": memory.why(*WHY).to_dict(),
        "project": memory.project(days=AHEAD_DAYS).to_dict(),
        "recall": memory.recall(QUESTION, k=3).to_dict() | {"took_ms": None},
        "levels": [level.to_dict() for level in memory.levels("HARBOR")],
    }


def _page(asked: Asked, memory: Memory, played: Played, events: int, dreamed: DreamResult) -> list[Line]:
    from asterism.entry.ahead import outlook_lines, predictions_lines
    from asterism.entry.layout import Piece, heading, paragraph
    from asterism.entry.market import levels_table
    from asterism.entry.recalled import answer_lines
    from asterism.entry.render import links_table, stars_table, why_lines
    from asterism.entry.sample.notes import QUESTION

    wide = width()
    links = [link for link in memory.links() if link.family == "connection"]
    lines: list[Line] = [[Piece("Asterism: a month in a life", "name")]]
    lines += paragraph(ABOUT.format(told=played.told), width=wide)
    lines += heading("Stars") + stars_table(memory.stars(), links, width=wide)
    lines += heading("Links, and their strength from the 1st to the 30th")
    lines += links_table(links, memory.curves(), width=wide)
    lines += heading("What it noticed, morning by morning") + _noticed(played, wide)
    lines += heading("What it expected") + predictions_lines(memory.predictions(), width=wide)
    lines += heading(f"Why? (asterism why {' '.join(WHY)})") + why_lines(memory.why(*WHY), limit=9, width=wide)
    lines += heading("What will fade (asterism project)")
    lines += outlook_lines(memory.project(days=AHEAD_DAYS), limit=6, width=wide)
    lines += heading("A market day (asterism market levels HARBOR)")
    lines += paragraph(MARKET.format(events=events), width=wide)
    lines += levels_table(memory.levels("HARBOR")[:5], width=wide)
    lines += heading(f'Notes (asterism recall "{QUESTION}")')
    kept = RECALL.format(notes=dreamed.promoted, links=dreamed.edges_created)
    lines += paragraph(kept, width=wide)
    lines += answer_lines(memory.recall(QUESTION, k=3), width=wide)
    return lines + heading("Try next") + _next(asked)


def _noticed(played: Played, wide: int) -> list[Line]:
    from asterism.entry.layout import Column, Piece, table
    from asterism.entry.render import state

    def remark(noted: Noted) -> str:
        if noted.link is not None and noted.link.id in played.discovered:
            return "nobody had named it"
        return MEANINGS.get(noted.after, "")

    rows = [
        (
            f"{noted.day:%d %b}",
            Piece(_subject(noted), "name"),
            state(noted.before),
            "→",
            state(noted.after) if noted.after.isupper() else Piece(noted.after, "kind"),
            Piece(remark(noted), "dim"),
        )
        for noted in played.noted
    ]
    columns = [Column("on"), Column("what", least=12), Column("was"), Column(""), Column("is"), Column("", least=8)]
    return table(columns, rows, width=wide)


MEANINGS = {
    "causation": "cause and effect",
    "growth_edge": "one lifts the other",
    "tension": "one up, other down",
    "blocks": "work, no progress",
    "shadow_mirror": "one of them is dark",
    "DARK": "words against deeds",
    "DISSOLVED": "denied or unproven",
    "DORMANT": "no news for too long",
    "DIM": "low and steady",
    "BRIGHT": "high and steady",
}


def _subject(noted: Noted) -> str:
    from asterism.entry.render import label

    return noted.what if noted.link is None else label(noted.link)


def _next(asked: Asked) -> list[Line]:
    from asterism.entry.layout import Piece

    file = asked.db or "month.db"
    space = f" --space {asked.space}" if asked.space else ""
    kept = f" --db {file}{space}"
    first = (
        ("asterism why sleep mood --at 2026-09-30" + kept, "another sum")
        if asked.db
        else (f"asterism demo --db {file}", "kept in a file")
    )
    commands = (
        first,
        (f'asterism recall "what did I promise Lena?"{kept}', "with reasons"),
        (f"asterism market replay HARBOR --plot day.html{kept}", "a heat map"),
    )
    size = max(len(command) for command, _ in commands)
    return [[Piece(f"  {command:<{size}}", "head"), Piece(f"  {text}", "dim")] for command, text in commands]


COMMANDS = (demo,)
