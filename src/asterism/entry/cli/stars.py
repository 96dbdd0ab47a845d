"""Commands that tell the memory about stars: `asterism star ...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from asterism.core.connections.words import Domain
from asterism.entry.cli.commands import Asked, Group, Words
from asterism.entry.cli.opening import changing, making
from asterism.entry.cli.output import answer

if TYPE_CHECKING:
    from asterism.core.connections.model import Star

DOMAINS = Words(Domain)
SOURCE = click.option("--source", help="Who or what says so.", metavar="TEXT")
NAME = click.argument("name")


@click.group("star", cls=Group, example='asterism star add "Sleep" --domain health')
def star() -> None:
    """Add a star, and tell what happened to it."""


def _told(asked: Asked, changed: Star) -> None:
    from asterism.entry.text.render import star_line

    answer(asked, changed.to_dict(), star_line(changed))


@star.command(example='asterism star add "Morning run" --domain health')
@NAME
@click.option(
    "--domain", type=DOMAINS, help="The part of life; it decides how fast it fades (21 days to half, if not told)."
)
@SOURCE
@click.pass_obj
def add(asked: Asked, name: str, domain: str | None, source: str | None) -> None:
    """Add a star.

    Makes the memory if it is not there. Adding a star again changes nothing; its domain stays.
    """
    with making(asked) as memory:
        _told(asked, memory.add_star(name, domain=domain, at=asked.at, source=source))


@star.command(example='asterism star acknowledge "Morning run"')
@NAME
@SOURCE
@click.pass_obj
def acknowledge(asked: Asked, name: str, source: str | None) -> None:
    """Say that a star is real: a new one becomes unsteady."""
    with changing(asked) as memory:
        _told(asked, memory.acknowledge(name, at=asked.at, source=source))


@star.command(example="asterism star engage morning-run --impact 0.05")
@NAME
@click.option("--impact", type=float, help="How much it brightens (0.03 unless configured otherwise).")
@SOURCE
@click.pass_obj
def engage(asked: Asked, name: str, impact: float | None, source: str | None) -> None:
    """Engage with a star: it brightens a little."""
    with changing(asked) as memory:
        _told(asked, memory.engage(name, impact=impact, at=asked.at, source=source))


@star.command(example="asterism star observe sleep 0.65 --at 2026-09-30T07:00Z")
@NAME
@click.argument("value", type=float)
@SOURCE
@click.pass_obj
def observe(asked: Asked, name: str, value: float, source: str | None) -> None:
    """Observe how bright a star is.

    A VALUE from 0.05 to 1; it holds for the day. A step of 0.1 or more is an event that detection looks at.
    """
    with changing(asked) as memory:
        _told(asked, memory.set_brightness(name, value, at=asked.at, source=source))


@star.command(example='asterism star contradict savings --source "bank statement"')
@NAME
@SOURCE
@click.pass_obj
def contradict(asked: Asked, name: str, source: str | None) -> None:
    """Note a contradiction between words and deeds.

    Three of them make a star dark.
    """
    with changing(asked) as memory:
        _told(asked, memory.contradict(name, at=asked.at, source=source))


@star.command(example="asterism star dark savings --dispute")
@NAME
@click.option("--dispute", is_flag=True, help="Say that it is not dark: it is DIM, contradictions are forgotten.")
@SOURCE
@click.pass_obj
def dark(asked: Asked, name: str, dispute: bool, source: str | None) -> None:
    """Mark a star as dark, or dispute that it is."""
    with changing(asked) as memory:
        act = memory.dispute_dark if dispute else memory.mark_dark
        _told(asked, act(name, at=asked.at, source=source))


COMMANDS = (star,)
