"""What to do next, as data: words, and between them calls and options that every surface writes in its own way.

A hint is a text in Python's words: `error.hint`, the note of a receipt and the change that `why_not` names read as they
are. It also keeps what it was made of, so that for one and the same step a prompt says `asterism restore 3404`, and a
model that holds tools `forget with ids=["3404"], undo=true`. Which words a surface has for a call is a table in
`entry/hints.py`.

    text without a call            a plain str, the same everywhere
    step("restore", "3404")        restore('3404')          a call to make
    step("observe", A, B, "x")     observe(a, b, 'x')       A = Blank("a"): for the reader to fill in
    mention("as_of")               as_of                    a call that is only named
    option("k", 12)                k=12                     an argument of the call that was made
    in_python(x, otherwise=y)      x                        what only somebody who writes Python can use
    elsewhere(x, y)                nothing                  what everybody else needs to be told
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple, Self


class Blank(NamedTuple):
    """An argument that the reader fills in, by the name it has in Python."""

    name: str


class Step(NamedTuple):
    """A call of the memory, and its arguments; if it is only mentioned, Python leaves them out."""

    call: str
    arguments: tuple[object, ...]
    named: Mapping[str, object]
    mentioned: bool = False


class Option(NamedTuple):
    """An argument to give, or to give otherwise, to the call that was made."""

    name: str
    value: object


class InPython(NamedTuple):
    """Words for somebody who writes Python, and what takes their place for everybody else."""

    words: str
    otherwise: str


Part = str | Step | Option | InPython


class Hint(str):
    """A text that names calls: in Python's words as text, and in parts for every other surface.

    >>> hint = Hint("it was forgotten: ", step("restore", "3404"), " brings it back")
    >>> hint
    "it was forgotten: restore('3404') brings it back"
    >>> hint.calls
    ('restore',)
    >>> Hint(hint, "; ask for ", option("k", 12)).parts[-1]
    Option(name='k', value=12)
    """

    __slots__ = ("parts",)
    parts: tuple[Part, ...]

    def __new__(cls, *parts: Part) -> Self:
        """Join parts; a hint among them stays in parts."""
        held = tuple(each for part in parts for each in (part.parts if isinstance(part, Hint) else (part,)))
        hint = super().__new__(cls, "".join(map(_python, held)))
        hint.parts = held
        return hint

    @property
    def calls(self) -> tuple[str, ...]:
        """Give the calls it names."""
        return tuple(part.call for part in self.parts if isinstance(part, Step))


def step(call: str, *arguments: object, **named: object) -> Step:
    """Name a call to make; `...` stands for arguments that are left open, as in Python."""
    return Step(call, arguments, named)


def mention(call: str, *arguments: object) -> Step:
    """Name a call without its arguments, which a surface may need that has no other name for it."""
    return Step(call, arguments, {}, mentioned=True)


def option(name: str, value: object = Blank("")) -> Option:
    """Name an argument of the call that was made, alone or with a value."""
    return Option(name, value)


def elsewhere(*parts: Part) -> InPython:
    """Say something to everybody but those who write Python."""
    return InPython("", Hint(*parts))


def in_python(words: str, *, otherwise: str = "") -> InPython:
    """Say something to those who write Python, and something else (or nothing) to everybody else."""
    return InPython(words, otherwise)


class Surface(ABC):
    """Where hints are read: it has its own words for calls and options."""

    @abstractmethod
    def step(self, step: Step) -> str:
        """Write a call."""

    @abstractmethod
    def option(self, option: Option) -> str:
        """Write an argument."""

    def say(self, text: str) -> str:
        """Say a text in the words of this surface; one that names no calls is the same everywhere."""
        return "".join(map(self._said, text.parts if isinstance(text, Hint) else (text,)))

    def _said(self, part: Part) -> str:
        if isinstance(part, Step):
            return self.step(part)
        if isinstance(part, Option):
            return self.option(part)
        return self.say(part.otherwise) if isinstance(part, InPython) else part


def _python(part: Part) -> str:
    if isinstance(part, Step):
        told = [*map(_value, part.arguments), *(f"{name}={_value(each)}" for name, each in part.named.items())]
        return part.call if part.mentioned else f"{part.call}({', '.join(told)})"
    if isinstance(part, Option):
        return f"{part.name}={_value(part.value)}"
    return part.words if isinstance(part, InPython) else part


def _value(value: object) -> str:
    if isinstance(value, Blank):
        return value.name
    return "..." if value is ... else repr(value)
