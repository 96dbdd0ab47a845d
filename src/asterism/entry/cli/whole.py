"""Commands that ask about numbers, and about the memory as a whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from asterism.entry.cli.commands import Asked, Command, InFile
from asterism.entry.cli.opening import blocks_among, making, reading, space_of, where, without_at
from asterism.entry.cli.output import answer, width, working
from asterism.errors import UnknownError

if TYPE_CHECKING:
    from asterism.core.ledger.parameters import Setting
    from asterism.core.space.parameters import SpaceParameters
    from asterism.entry.text.layout import Line

BLOCK_ID = re.compile(r"\b[0-9a-f]{16}\b")


@click.command("why", cls=Command, example="asterism why sleep mood")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--limit", type=click.IntRange(min=2), help="At most so many lines; the smallest become one.")
@click.pass_obj
def why(asked: Asked, ids: tuple[str, ...], limit: int | None) -> None:
    """Explain a number as a sum.

    Two ends, or a link's id (a~b, a~b#similar): the strength of their link. One star: its brightness. A block: its
    confidence. A level (BTCUSDT@50000.0): its strength. A narrative, a moment (night-1/12), an actor: its weight. A
    causal link, by its id or SESSION:LINE: its score. A prediction (LINK!TIME): how sure it was. An item's id: what it
    added. asterism recall QUERY --why: the score of each answer.
    """
    from asterism.entry.text.render import named, why_lines

    with reading(asked) as memory, working("Adding it up"):
        view = memory if asked.at is None else memory.as_of(asked.at)
        told = view.why(*ids)
        said = [told.subject, *told.notes, *(line.text for line in told.lines)]
        called = {} if asked.json else blocks_among(view, BLOCK_ID.findall(" ".join(said)))
    answer(asked, told.to_dict(), why_lines(named(told, called), limit=limit, width=width()))


@click.command("merge", cls=Command, example="asterism merge other-laptop.db")
@click.argument("other", type=InFile())
@click.pass_obj
def merge(asked: Asked, other: str) -> None:
    """Take in what another copy of the memory knows.

    The ledger of this space becomes the union of both; OTHER is only read.
    """
    from asterism.entry.text.render import merged_lines
    from asterism.wiring import place_of

    without_at(asked, instead="a merge keeps the times of the items")
    if not place_of(other).exists():
        raise UnknownError(f"there is no memory at {other}", code="unknown_memory", item=other, hint="check the path")
    with making(asked) as memory, working("Merging"):
        merged = memory.merge(other)
    answer(asked, merged.to_dict(), merged_lines(merged))


@click.command("verify", cls=Command, example="asterism verify")
@click.pass_obj
def verify(asked: Asked) -> None:
    """Replay the ledger and compare, bit for bit.

    Exit code 1 if what is stored differs from the replay.
    """
    from asterism.entry.text.render import verify_lines

    without_at(asked, instead="verify always replays the whole ledger")
    with reading(asked) as memory, working("Replaying the ledger"):
        told = memory.verify()
    answer(asked, told.to_dict(), verify_lines(told))
    if not told.ok:
        click.get_current_context().exit(1)


@click.command("stats", cls=Command, example="asterism stats --json")
@click.pass_obj
def stats(asked: Asked) -> None:
    """Count what there is, and what was dropped."""
    from asterism.entry.text.render import stats_lines

    without_at(asked, instead="asterism as-of TIME shows links of the past")
    with reading(asked) as memory:
        told = memory.stats()
    answer(asked, told.to_dict(), stats_lines(told, width=width()))


@click.command("config", cls=Command, example="asterism config --preset tuned --set half_life_resonance=45")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--all", "every", is_flag=True, help="List every parameter, not only those that differ.")
@click.option("--preset", multiple=True, help="Use this preset from now on; repeat it to combine.", metavar="NAME")
@click.option("--set", "settings", multiple=True, help="Set a parameter; repeat it for more.", metavar="NAME=VALUE")
@click.option("--unset", multiple=True, help="Give a parameter back to the preset.", metavar="NAME")
@click.pass_obj
def config(
    asked: Asked,
    names: tuple[str, ...],
    every: bool,
    preset: tuple[str, ...],
    settings: tuple[str, ...],
    unset: tuple[str, ...],
) -> None:
    """Show or change the parameters of a space.

    Without options, shows what differs from the preset seed; with a NAME (or a part of one), those parameters.
    A change folds the whole ledger anew; no item is lost.
    """
    from asterism.core.ledger.parameters import read_settings

    without_at(asked, instead="parameters hold for all times")
    presets, overrides = _recorded(asked)
    if preset or settings or unset:
        presets = preset or presets
        overrides = {name: value for name, value in overrides.items() if name not in unset} | read_settings(settings)
        with making(asked) as memory, working("Folding the ledger anew"):
            memory.configure(preset=presets, parameters=overrides)
        presets, overrides = _recorded(asked)
    _show_config(asked, presets, overrides, names=names, every=every)


def _recorded(asked: Asked) -> tuple[tuple[str, ...], dict[str, Setting]]:
    """Read which preset and overrides the space was made with."""
    import json

    place = where(asked)
    if not place.exists():
        return ("seed",), {}
    store = place.open(read_only=True)
    try:
        text = store.parameters(space_of(asked))
    finally:
        store.close()
    kept = json.loads(text or '{"preset": ["seed"], "overrides": {}}')
    return tuple(kept["preset"]), dict(kept["overrides"])


def _show_config(
    asked: Asked,
    presets: tuple[str, ...],
    overrides: dict[str, Setting],
    *,
    names: tuple[str, ...],
    every: bool,
) -> None:
    from asterism.core.space.parameters import SpaceParameters

    built = SpaceParameters.build(presets, overrides)
    values = {name: value for name, value in built.to_dict().items() if not names or _called(name, names)}
    told = {
        "preset": list(presets),
        "overrides": overrides,
        "parameters": values,
        "digest": built.digest(),
    }
    answer(asked, told, () if asked.json else _config_lines(presets, overrides, built, names, every=every))


def _called(name: str, parts: tuple[str, ...]) -> bool:
    return any(part.lower() in name for part in parts)


def _config_lines(
    presets: tuple[str, ...],
    overrides: dict[str, Setting],
    built: SpaceParameters,
    names: tuple[str, ...],
    *,
    every: bool,
) -> list[Line]:
    from asterism.entry.text.layout import Column, Piece, paragraph, table

    listed = list(built.table())
    lines = paragraph(f"Preset {' + '.join(presets)}, {len(overrides)} set by hand, {len(listed)} parameters in all.")
    if names:
        for name, bounds in listed:
            if _called(name, names):
                allowed = ", ".join(bounds.choices) or f"{bounds.low:g} to {bounds.high:g}"
                unit = "" if bounds.choices else f" {bounds.unit}"
                lines += [[], [Piece(name, "name"), Piece(f" = {_figure(built.to_dict()[name])}{unit}")]]
                about = f"{bounds.meaning} (seed {_figure(bounds.default)}; allowed {allowed}; source {bounds.source})"
                lines += paragraph(about, width=width(), indent="  ", style="dim")
        return lines if len(lines) > 1 else lines + paragraph(f"No parameter is called like {' or '.join(names)}.")
    rows: list[list[Piece | str]] = []
    for name, bounds in listed:
        value = built.to_dict()[name]
        if every or name in overrides or value != bounds.default:
            changed = "set" if name in overrides else "preset" if value != bounds.default else ""
            shown = [Piece(name, "name"), Piece(_figure(value)), Piece(bounds.unit), Piece(_figure(bounds.default))]
            rows.append([*shown, Piece(changed, "fair")])
    if not rows:
        return lines + paragraph("Every value is that of the preset seed; --all lists them.")
    columns = [Column("parameter", least=24), Column("value", "right"), Column("unit", least=4)]
    return lines + table([*columns, Column("seed", "right"), Column("by")], rows, width=width())


def _figure(value: Setting) -> str:
    return value if isinstance(value, str) else f"{value:g}"


COMMANDS = (why, merge, verify, stats, config)
