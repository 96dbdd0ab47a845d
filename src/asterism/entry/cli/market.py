"""`asterism market`: feed trades, books and liquidations, and ask which prices the market remembers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from asterism.entry.cli.commands import MAX_BYTES, Asked, Choice, Command, Group, InFile, OutFile
from asterism.entry.cli.opening import making, reading, without_at
from asterism.entry.cli.output import answer, width, working
from asterism.errors import InputError

if TYPE_CHECKING:
    from asterism.core.levels.history import Replay

PRICE = click.FloatRange(min=0, min_open=True)
COUNT = click.IntRange(min=1)
SIDES = ("bid", "ask", "both")


@click.group("market", cls=Group, example="asterism market feed trades.csv --symbol BTCUSDT")
def market() -> None:
    """Feed a market, and see which prices it remembers."""


@market.command(
    "feed",
    cls=Command,
    example="asterism market feed trades.csv --symbol BTCUSDT --map at=ts,price=px,usd=px*qty,kind=trade,side=side",
)
@click.argument("files", nargs=-1, required=True, type=InFile(dir_okay=False, path_type=Path))
@click.option("--symbol", required=True, help="The symbol that the events are of.", metavar="NAME")
@click.option("--map", "mapping", help="A ready layout's name, or field=column pairs.", metavar="MAPPING")
@click.option("--unit", help="The unit of the times: s, ms, us, ns, iso, utc (else detected).", metavar="UNIT")
@click.option("--sort/--no-sort", default=None, help="Put the events in order of time first.")
@click.option("--strict", is_flag=True, help="Stop at the first malformed row.")
@click.option("--only", help="Take the rows of this symbol from a file of several.", metavar="NAME")
@MAX_BYTES
@click.pass_obj
def feed(
    asked: Asked,
    files: tuple[Path, ...],
    symbol: str,
    mapping: str | None,
    unit: str | None,
    sort: bool | None,
    strict: bool,
    only: str | None,
    max_bytes: int | None,
) -> None:
    """Read FILES of trades, books, prices or liquidations.

    CSV (.gz, .zip), Parquet, or websocket recordings (.jsonl.gz); several are merged by time. Known layouts are
    recognised. A feed that was interrupted goes on where it stopped.
    """
    from asterism.entry.text.market import feed_lines

    without_at(asked, instead="the events have their own times")
    with making(asked) as memory, working(f"Reading {files[0].name}") as progress:

        def tell(share: float, events: int) -> None:
            progress.say(f"Reading {files[0].name}: {share:.0%}, {events:,} events")

        try:
            report = memory.feed_file(
                symbol,
                *files,
                mapping=mapping,
                unit=unit,
                sort=sort,
                strict=strict,
                only=only,
                max_bytes=max_bytes,
                progress=tell,
            )
        except KeyboardInterrupt:
            click.echo("What was read so far is kept; the same command goes on from there.", err=True)
            raise
    answer(asked, report.to_dict(), feed_lines(report, width=width()))


@market.command("symbols", cls=Command, example="asterism market symbols")
@click.pass_obj
def symbols(asked: Asked) -> None:
    """List the symbols that were fed."""
    from asterism.entry.text.market import symbols_lines

    with reading(asked) as memory:
        found = memory.symbols()
    answer(asked, [each.to_dict() for each in found], symbols_lines(found, width=width()))


@market.command("levels", cls=Command, example="asterism market levels BTCUSDT --near 65000 --within 200")
@click.argument("symbol")
@click.option("--near", type=PRICE, help="Only levels near this price.", metavar="PRICE")
@click.option("--within", type=click.FloatRange(min=0), help="How near, in bps (a band's width).", metavar="BPS")
@click.option("--min", "least", type=click.FloatRange(0, 1), default=0.0, help="Only levels at least so strong.")
@click.option("--side", type=Choice(SIDES), help="Only levels of this side.")
@click.option("--archived", is_flag=True, help="Also levels that have faded.")
@click.option("--clusters", "shape", flag_value="clusters", help="Show clusters of neighbours instead.")
@click.option("--gaps", "shape", flag_value="gaps", help="Show the gaps between clusters instead.")
@click.option("--density", "shape", flag_value="density", help="Show how much is remembered by price instead.")
@click.option("--limit", type=COUNT, default=20, help="At most so many, the strongest (20).")
@click.pass_obj
def levels(
    asked: Asked,
    symbol: str,
    near: float | None,
    within: float | None,
    least: float,
    side: str | None,
    archived: bool,
    shape: str | None,
    limit: int,
) -> None:
    """Show the prices SYMBOL remembers, strongest first.

    As of its latest event, or of --at TIME.
    """
    from asterism.entry.text import market as shown

    if shape is not None and (near, within, least, side, archived) != (None, None, 0.0, None, False):
        raise click.UsageError(f"--{shape} is of all levels: leave --near, --within, --min, --side and --archived out")
    with reading(asked) as memory, working("Reading the book"):
        if shape is not None:
            value = getattr(memory, shape)(symbol, at=asked.at)
            lines = getattr(shown, f"{shape}_lines")(value, width=width())
        else:
            value = memory.levels(
                symbol,
                near=near,
                within_bps=within,
                min_strength=least,
                side=side,
                archived=archived,
                at=asked.at,
            )
            lines = shown.levels_lines(value, limit=limit, width=width(), parameters=memory.parameters().values)
            value = value[:limit]
    answer(asked, [each.to_dict() for each in value], lines)


@market.command("nearest", cls=Command, example="asterism market nearest BTCUSDT 65000")
@click.argument("symbol")
@click.argument("price", type=PRICE)
@click.option("-n", "count", type=COUNT, default=3, help="So many below and above (3).")
@click.pass_obj
def nearest(asked: Asked, symbol: str, price: float, count: int) -> None:
    """Show the levels of SYMBOL next below and above PRICE."""
    from asterism.entry.text.market import nearest_lines

    with reading(asked) as memory:
        found = memory.nearest(symbol, price, count, at=asked.at)
    answer(asked, found.to_dict(), nearest_lines(found, width=width()))


@market.command("replay", cls=Command, example="asterism market replay BTCUSDT --plot memory.html")
@click.argument("symbol")
@click.option("--from", "start", help="Begin at this moment (the first event).", metavar="TIME")
@click.option("--to", "end", help="End at this moment (the latest event).", metavar="TIME")
@click.option("--steps", type=COUNT, default=300, help="So many moments between them (300).")
@click.option("--most", type=COUNT, default=200, help="At most so many levels, the strongest (200).")
@click.option(
    "--plot",
    type=OutFile("html", "png", dir_okay=False, path_type=Path),
    help="Draw the heat map into this file (.html or .png).",
    metavar="FILE",
)
@click.pass_obj
def replay(
    asked: Asked, symbol: str, start: str | None, end: str | None, steps: int, most: int, plot: Path | None
) -> None:
    """Show how strong the levels of SYMBOL were through time."""
    from asterism.entry.text.market import replay_lines

    without_at(asked, instead="asterism market replay SYMBOL --from TIME --to TIME")
    if plot is not None and plot.suffix.lower() not in (".html", ".png"):
        raise InputError(
            f"{plot.name} is neither a page nor a picture",
            code="bad_plot",
            item=plot.name,
            hint="end it in .html or .png",
        )
    with reading(asked) as memory, working("Replaying"):
        told = memory.replay(symbol, start=start, end=end, steps=steps, most=most)
        if plot is not None:
            _draw(told, plot)
    answer(asked, told.to_dict() | {"plot": str(plot) if plot else None}, replay_lines(told, plot, width=width()))


def _draw(told: Replay, plot: Path) -> None:
    from asterism.entry.pages import heatmap

    try:
        if plot.suffix.lower() == ".html":
            plot.write_text(heatmap.page(told), encoding="utf-8")
        else:
            heatmap.save_png(told, plot)
    except OSError as error:
        raise InputError(
            f"{plot} cannot be written: {error.strerror}", code="bad_plot", item=str(plot), hint="name another file"
        ) from None


COMMANDS = (market,)
