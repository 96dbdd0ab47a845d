"""`asterism token`: who may ask the service, for which spaces, and what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from asterism.entry.cli.commands import Asked, Choice, Command, Group
from asterism.entry.cli.opening import make_folder, named, without_at
from asterism.entry.cli.output import answer, width

if TYPE_CHECKING:
    from asterism.entry.http.rights import Token
    from asterism.entry.text.layout import Line
    from asterism.store.port import Store


@click.group("token", cls=Group, example="asterism token add --space me --may write")
def token() -> None:
    """Let programs in that send a token, and shut them out again."""


@token.command("add", cls=Command, example="asterism token add --space me --space work --may write")
@click.option("--space", "spaces", multiple=True, required=True, help="A space, or '*'; repeat it.", metavar="NAME")
@click.option("--may", type=Choice(("read", "write", "admin")), required=True, help="What it lets do.")
@click.option("--expires", help="Until when it opens something.", metavar="TIME")
@click.pass_obj
def add(asked: Asked, spaces: tuple[str, ...], may: str, expires: str | None) -> None:
    """Make a token, and show it once.

    Only its hash is kept. write includes read, admin includes erase, doctor and reembed; admin for '*' also sees
    figures and takes copies of the whole memory.
    """
    from asterism.core.ledger.calendar import DAY_END, to_datetime, to_micros
    from asterism.entry.http.rights import Right
    from asterism.entry.http.rights import add as make
    from asterism.entry.text.layout import Piece

    until = None if expires is None else to_datetime(to_micros(expires, of_date=DAY_END))
    with _store(asked) as store:
        sent, made = make(store, spaces=spaces, may=Right[may.upper()], now=datetime.now(UTC), expires=until)
    lines: list[Line] = [[Piece(sent, "name")], [Piece("It is shown this once: keep it where nobody else reads.")]]
    answer(asked, {"token": sent} | made.to_dict(), lines)


@token.command("list", cls=Command, example="asterism token list")
@click.pass_obj
def list_(asked: Asked) -> None:
    """List the tokens, without what opens anything."""
    from asterism.entry.http.rights import every

    with _store(asked) as store:
        known = every(store)
    answer(asked, [each.to_dict() for each in known], _lines(known))


@token.command("revoke", cls=Command, example="asterism token revoke 3f9a1c0b7d21")
@click.argument("name", metavar="ID")
@click.pass_obj
def revoke(asked: Asked, name: str) -> None:
    """Let a token open nothing any more, at once."""
    from asterism.entry.http.rights import revoke as take_away

    with _store(asked) as store:
        gone = take_away(store, name)
    answer(asked, gone.to_dict(), _lines([gone]))


@contextmanager
def _store(asked: Asked) -> Iterator[Store]:
    from asterism.wiring import open_store

    without_at(asked, instead="a token holds from now on")
    make_folder(asked)
    with closing(open_store(named(asked))) as store:
        yield store


def _lines(tokens: list[Token]) -> list[Line]:
    from asterism.entry.text.layout import Column, Piece, paragraph, table

    if not tokens:
        return paragraph("No tokens. Make one: asterism token add --space NAME --may read")
    columns = (Column("id"), Column("may"), Column("spaces"), Column("made"), Column("expires"), Column("last used"))
    rows = [
        (
            Piece(each.id, "name"),
            each.may.word,
            ", ".join(each.spaces),
            f"{each.made:%Y-%m-%d}",
            f"{each.expires:%Y-%m-%d %H:%M}" if each.expires else "never",
            f"{each.used:%Y-%m-%d %Hh}" if each.used else "never",
        )
        for each in tokens
    ]
    return table(columns, rows, width=width())


COMMANDS = (token,)
