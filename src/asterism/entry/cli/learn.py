"""`asterism learn` and `asterism dream`: tell it texts, and let it find what belongs together."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from asterism.entry.cli.commands import EMBEDDER, MAX_BYTES, SKIP_ERASED, SOURCE, Asked, Command, InFile
from asterism.entry.cli.opening import blocks_among, changing, making, without_at
from asterism.entry.cli.output import answer, width, working
from asterism.errors import InputError

if TYPE_CHECKING:
    from asterism.core.ledger.model import Link
    from asterism.entry.facts_file import Common, FactRow
    from asterism.sync import Memory

FOUND_SHOWN = 3
COMPARED_UP_TO = 5_000  # structural links; above, a dream does not look which of them are new


@click.command(
    "learn",
    cls=Command,
    example='asterism learn "Warm the cache before each deploy" --tag ops/cache',
)
@click.argument("texts", nargs=-1, metavar="[TEXT]...")
@click.option("--tag", "tags", multiple=True, help="A tag; repeat it for more.", metavar="TAG")
@click.option("--category", help="What sort of thing it is (knowledge).", metavar="WORD")
@click.option("--name", help="What it is called; other texts that say it lead here.", metavar="TEXT")
@click.option("--conversation", help='Where it was said: "Name: text" is what that name said.', metavar="NAME")
@click.option("--speaker", help="Who said it.", metavar="NAME")
@click.option("--slot", help="What it is the value of; other words end it.", metavar="user/home")
@click.option("--replaces", help="The block that ends when this one begins.", metavar="ID")
@click.option("--valid-from", help="Since when it holds (else when it was told).", metavar="TIME")
@click.option("--valid-until", help="Until when it holds.", metavar="TIME")
@click.option("--expires", help="From then on it is not recalled.", metavar="TIME")
@SOURCE
@click.option(
    "--file",
    "path",
    type=InFile(exists=True, dir_okay=False, path_type=Path),
    help="Many at once: one text a line, or JSON lines with content, tags ...; all of them or none.",
)
@SKIP_ERASED
@MAX_BYTES
@click.option("--whole", is_flag=True, help="Take all of the file, or of standard input, as one text.")
@click.pass_obj
def learn(
    asked: Asked,
    texts: tuple[str, ...],
    tags: tuple[str, ...],
    category: str | None,
    name: str | None,
    conversation: str | None,
    speaker: str | None,
    slot: str | None,
    replaces: str | None,
    valid_from: str | None,
    valid_until: str | None,
    expires: str | None,
    source: str | None,
    path: Path | None,
    whole: bool,
    skip_erased: bool,
    max_bytes: int | None,
) -> None:
    """Learn a text; recall finds it from now on.

    Each quoted TEXT is a block of its own; words without quotes are one text. A single - reads standard input, like
    --file. The same text twice is one block: its tags are united, and told of another time it is another occurrence
    of it. A row of a file without a time has that of its first import: the same file again changes nothing.
    """
    from asterism.entry.evidence_file import blame
    from asterism.entry.facts_file import Common, texts_said
    from asterism.entry.text.blocks import learned_lines
    from asterism.errors import AsterismError

    common = Common(
        tags,
        category,
        source,
        asked.at,
        conversation,
        speaker,
        slot=slot,
        replaces=replaces,
        valid_from=valid_from,
        valid_until=valid_until,
        expires=expires,
    )
    imported = path is not None or (texts == ("-",) and asked.serving is None)
    if not imported:
        if whole or skip_erased:
            raise click.UsageError(f"{'--whole' if whole else '--skip-erased'} is for --file and -")
        if not texts:
            raise click.UsageError("say a TEXT, - for standard input, or --file FILE")
        facts, lines = [common.fact(text, name=name) for text in texts_said(texts)], []
    else:
        if path is not None and texts:
            raise click.UsageError("give either TEXT or --file")
        read = _read(path, common, name, whole=whole, max_bytes=max_bytes)
        facts, lines = [row.fact for row in read], [] if whole else [row.line for row in read]
    if name is not None and len(facts) > 1:
        raise click.UsageError("--name is for one text; in JSON lines, each row has its own name")
    with making(asked) as memory, working(f"Learning {len(facts):,} texts"):
        try:
            receipts = memory.learn_many(facts, skip_erased=skip_erased, imported=imported)
        except AsterismError as error:
            raise blame(error, lines, _shown(path)) from None
    told = [each.to_dict() for each in receipts]
    rows = [(fact.content, receipt) for fact, receipt in zip(facts, receipts, strict=True)]
    one = len(told) == 1 and (whole or not imported)
    answer(asked, told[0] if one else told, learned_lines(rows, width=width()))


def _shown(path: Path | None) -> str:
    return "standard input" if path is None else path.name


def _read(path: Path | None, common: Common, name: str | None, *, whole: bool, max_bytes: int | None) -> list[FactRow]:
    from asterism.entry.facts_file import FactRow, read_facts
    from asterism.incoming import everything
    from asterism.incoming import whole as whole_file

    shown = _shown(path)
    with working(f"Reading {shown}") as progress:
        if path is None:
            data = everything(sys.stdin.buffer, name=shown, max_bytes=max_bytes)
        else:
            data = whole_file(path, expected="give a file of texts", max_bytes=max_bytes)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise InputError(
                f"line {line} of {shown} is not UTF-8 text; nothing was written",
                code="bad_row",
                item=str(line),
                hint="save it as UTF-8",
            ) from None
        if whole:
            return [FactRow(1, common.fact(text.strip(), name=name))]
        json_lines = True if path is not None and path.suffix.lower() in (".jsonl", ".ndjson") else None
        told = read_facts(text, common, json_lines=json_lines, progress=lambda count: progress.say(f"{count:,} texts"))
    if name is not None and len(told) == 1:
        return [FactRow(told[0].line, told[0].fact._replace(name=name))]
    return told


@click.command("dream", cls=Command, example="asterism dream")
@click.option("--steps", type=click.IntRange(min=1), help="Stop after so many steps; the next dream goes on.")
@EMBEDDER
@click.pass_obj
def dream(asked: Asked, steps: int | None) -> None:
    """Consolidate the inbox: find links nobody named.

    Near-duplicates are left out, newer wordings supersede older ones, and what is alike is linked. Shared tags connect
    blocks at lower similarity: tag what belongs together. A dream that was interrupted goes on where it stopped.
    """
    from asterism.entry.text.blocks import dream_lines
    from asterism.entry.text.layout import gauge

    without_at(asked, instead="a dream is of now")
    with changing(asked) as memory, working("Dreaming") as progress:

        def tell(share: float, blocks: int) -> None:
            so_far = f", {blocks:,} blocks taken in" if blocks else ""
            progress.say(f"Dreaming {gauge(share, width=20)} {share:.0%}{so_far}")

        before = None if asked.json else _structural(memory)
        try:
            result = memory.dream(steps=steps, progress=tell)
        except KeyboardInterrupt:
            click.echo("What was dreamed so far is kept; the same command goes on from there.", err=True)
            raise
        found = _new_links(memory, before) if result.edges_created and before is not None else []
        known = blocks_among(memory, (end for link in found for end in (link.a, link.b)))
    texts = {block.id: block.content for block in known.values()}
    answer(asked, result.to_dict(), dream_lines(result, found, texts, width=width()))


def _structural(memory: Memory) -> set[str] | None:
    """Name the structural links there are, unless they are very many."""
    if sum(memory.stats().structural.values()) > COMPARED_UP_TO:
        return None
    return {link.id for link in memory.links() if link.family == "structural"}


def _new_links(memory: Memory, before: set[str]) -> list[Link]:
    new = [link for link in memory.links() if link.family == "structural" and link.id not in before]
    found = [link for link in new if link.kind != "conflict"]
    return found[:FOUND_SHOWN]


COMMANDS = (learn, dream)
