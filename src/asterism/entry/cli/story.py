"""`asterism transcript story`: which lines of a session a summary tells of."""

from __future__ import annotations

from pathlib import Path

import click

from asterism.entry.cli.commands import Asked, Command, InFile
from asterism.entry.cli.opening import reading
from asterism.entry.cli.output import answer, width, working


@click.command(
    "story", cls=Command, example='asterism transcript story summary.txt --session "The bell of Low Water" -k 2'
)
@click.argument("summary", type=InFile(path_type=Path))
@click.option("--session", required=True, help="The session that it tells of.", metavar="NAME")
@click.option("-k", type=click.IntRange(1, 1_000), default=3, help="At most so many lines a part (3).", metavar="N")
@click.pass_obj
def story(asked: Asked, /, summary: Path, session: str, k: int) -> None:
    """Find the lines of a session that its summary tells of.

    Each line of the file is a part of the summary, in the order of what happened: so its parts help to place each
    other.
    """
    from asterism.entry.text.layout import Piece, paragraph
    from asterism.transcripts.opened import read_text

    parts = [line.strip() for line in read_text(summary).splitlines() if line.strip()]
    with reading(asked) as memory, working("Placing the summary"):
        found = memory.recall_story(parts, session=session, k=k, at=asked.at)
    lines = []
    for told in found:
        lines += paragraph(told.query, width=width(), style="head")
        for hit in told.hits:
            said = f"{hit.speaker}: {' '.join(hit.text.split())}"
            lines.append([Piece(f"  {hit.probability:4.0%} "), Piece(said[: width() - 8])])
    answer(asked, [told.to_dict() for told in found], lines)
