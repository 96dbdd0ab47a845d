"""Printing: one JSON document, coloured lines in a terminal, plain text elsewhere; progress on stderr."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import click

from asterism.entry.cli.commands import Asked
from asterism.entry.http.written import as_json
from asterism.entry.text.layout import WIDTH, Line, plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

WIDEST = 110
PATIENCE_SECONDS = 0.7
STYLES = {
    "head": "bold",
    "dim": "bright_black",
    "good": "green",
    "fair": "yellow",
    "weak": "magenta",
    "bad": "red",
    "name": "bold cyan",
    "kind": "blue",
}


def width() -> int:
    """Give the columns there are: the terminal's, within reason; 80 where there is none."""
    if not sys.stdout.isatty():
        return WIDTH
    import shutil

    return min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDEST)


def show(lines: Iterable[Line]) -> None:
    """Print lines, in colour where that helps."""
    _quieten()
    if not sys.stdout.isatty():
        text = plain(lines)
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        click.echo(text.encode(encoding, "replace").decode(encoding))
        return
    from rich.text import Text

    console = _console(stderr=False)
    for line in lines:
        styled = Text.assemble(*((piece.text, STYLES.get(piece.style, "")) for piece in line))
        console.print(styled, soft_wrap=True, highlight=False)


def answer(asked: Asked, value: Any, lines: Iterable[Line]) -> None:
    """Print a value: as JSON if that was asked for, else as lines."""
    if asked.serving is not None:
        asked.serving.take(value)
        return
    _quieten()
    if asked.json:
        click.echo(as_json(value))
    else:
        show(lines)


class Progress:
    """What is being done, for whoever waits."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._status: Status | None = None
        self._ended = False
        self._lock = threading.Lock()

    def say(self, text: str) -> None:
        """Say what comes next."""
        with self._lock:
            self.text = text
            if self._status is not None:
                self._status.update(text)

    def begin(self) -> None:
        """Appear; called when it has taken longer than a moment."""
        with self._lock:
            if not self._ended:
                self._status = _console(stderr=True).status(self.text)
                self._status.start()

    def end(self) -> None:
        """Disappear."""
        with self._lock:
            self._ended = True
            if self._status is not None:
                self._status.stop()


_current: ContextVar[Progress | None] = ContextVar("progress", default=None)


def _quieten() -> None:
    """End what moves on stderr before something is printed."""
    progress = _current.get()
    if progress is not None:
        progress.end()


@contextmanager
def working(text: str) -> Iterator[Progress]:
    """Show on stderr what is being done, if it takes a while and a person is watching.

    Inside another one, it only changes the words.
    """
    outer = _current.get()
    if outer is not None:
        before = outer.text
        outer.say(text)
        yield outer
        outer.say(before)
        return
    progress = Progress(text)
    if not sys.stderr.isatty():
        yield progress
        return
    token = _current.set(progress)
    timer = threading.Timer(PATIENCE_SECONDS, progress.begin)
    timer.daemon = True
    timer.start()
    try:
        yield progress
    finally:
        _current.reset(token)
        timer.cancel()
        progress.end()


@contextmanager
def telling(progress: Progress) -> Iterator[None]:
    """Let somebody else be told what is being done."""
    token = _current.set(progress)
    try:
        yield
    finally:
        _current.reset(token)


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    from asterism.config import load

    return Console(stderr=stderr, no_color=not load().color, highlight=False)
