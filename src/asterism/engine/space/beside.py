"""The spaces of a file beside the one that is open: named, counted, and opened for reading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from asterism.core.ledger.calendar import LATEST, to_datetime
from asterism.core.ledger.items import check_text
from asterism.core.ledger.model import Model
from asterism.engine.space.live import Live
from asterism.errors import InputError, UnknownError
from asterism.store.port import Store


@dataclass(frozen=True, slots=True)
class SpaceView(Model):
    """A space of a file: how many items it has, and when something was last learnt there."""

    name: str
    items: int
    last_at: datetime | None
    open: bool  # the one that is written to


def space_view(store: Store, name: str, *, opened: str | None = None) -> SpaceView:
    """Say how much a space holds."""
    last = store.last_known(name, until=LATEST)
    when = None if last is None else to_datetime(last)
    return SpaceView(name, sum(store.counts(name, "").items.values()), when, name == opened)


class Beside:
    """The other spaces of a store, each opened once, for reading only."""

    def __init__(self, live: Live, may_read: tuple[str, ...] | None) -> None:
        self._live = live
        self._may_read = may_read  # None: all
        self._open: dict[str, Live] = {}

    def names(self) -> list[str]:
        """Name the spaces that may be read, the open one among them."""
        known = set(self._live.store.spaces())
        may = known if self._may_read is None else known & set(self._may_read)
        return sorted(may | {self._live.space})

    def views(self) -> list[SpaceView]:
        """Say of each of them how much it holds."""
        return [space_view(self._live.store, name, opened=self._live.space) for name in self.names()]

    def lives(self, spaces: Iterable[str]) -> list[Live]:
        """Give spaces by name, each once; one that is not there, or may not be read, is unknown."""
        named = named_spaces(spaces)
        if not named:
            raise InputError("no space is named", code="bad_text", item="spaces", hint="name at least one")
        return [self._one(name) for name in named]

    def _one(self, name: str) -> Live:
        live = self._live
        if name == live.space:
            return live
        there = self.names()
        if name not in there:
            raise UnknownError(
                f"there is no space {name!r} here",
                code="unknown_space",
                item=name,
                hint=f"there are {', '.join(there)}",
            )
        if name not in self._open:
            embedder = None if live.store.embedder(name) is not None else live.embedder
            other = Live(live.store, name, clock=live.clock, embedder=embedder, capabilities=live.capabilities)
            self._open[name] = other
        return self._open[name]


def named_spaces(told: Iterable[str]) -> tuple[str, ...]:
    """Let the names of spaces through, each once."""
    if isinstance(told, str) or not isinstance(told, Iterable):
        raise InputError("the spaces are not a list", code="bad_text", item="spaces", hint='give a list: spaces=["a"]')
    return tuple(dict.fromkeys(check_text(name, field="space") for name in told))
