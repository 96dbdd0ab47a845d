"""What every command has: the shared options (before or after its name), one example, and help that is easy to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Protocol

import click

from asterism.core.connections.words import taken, word
from asterism.core.text.near import did_you_mean

if TYPE_CHECKING:
    from asterism.sync import Memory

    Choice = click.Choice[str]
else:
    Choice = click.Choice  # not generic before click 8.2


class InFile(click.Path):
    """A file that is read: where the command is served to others, what they send."""


class OutFile(click.Path):
    """A file that is written: where the command is served to others, the answer. `formats` are endings to choose."""

    def __init__(self, *formats: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.formats = formats


class Serving(Protocol):
    """Who serves a command to others: it has the memory open, and takes the answer."""

    def memory(self, *, changes: bool) -> AbstractContextManager[Memory]:
        """Give the memory, if whoever asks may read it, or change it."""

    def take(self, value: Any) -> None:
        """Take what the command answers."""


@dataclass
class Asked:
    """What the shared options say; None where they were not given."""

    db: str | None = None  # a path or a URL
    space: str | None = None
    json: bool = False
    at: str | None = None
    embedder: str | None = None
    trust_clock: bool = False
    serving: Serving | None = None  # None at a prompt


def remember(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Keep a shared option that was given; the later one, after the command's name, wins."""
    asked = ctx.ensure_object(Asked)
    if value is not None and value is not False:
        setattr(asked, param.name or "", value)


def shared_options() -> list[click.Option]:
    """Make the options that every command takes."""

    def option(name: str, help_text: str, **settings: Any) -> click.Option:
        return click.Option([name], help=help_text, expose_value=False, callback=remember, **settings)

    return [
        option(
            "--db",
            "The memory's file or URL (or ASTERISM_DB; else in the platform's data folder).",
            type=click.Path(dir_okay=False),
            metavar="FILE",
        ),
        option("--space", "The space inside it (or ASTERISM_SPACE; else default).", metavar="NAME"),
        option("--json", "Print one JSON document.", is_flag=True, default=False),
        option("--at", "The moment meant, 2026-09-30T18:30Z or a date: noon to tell, its end to ask.", metavar="TIME"),
        option("--trust-clock", "Write by the system's clock also where it looks wrong.", is_flag=True, default=False),
    ]


EMBEDDER = click.option(
    "--embedder",
    help="What makes vectors: default, hashed, minilm, remote:URL#MODEL (or ASTERISM_EMBEDDER).",
    metavar="NAME",
    expose_value=False,
    callback=remember,
)
SOURCE = click.option("--source", help="Who or what says so.", metavar="TEXT")
MAX_BYTES = click.option(
    "--max-bytes", type=click.IntRange(min=1), help="How large a file may be, unpacked (else 128 MiB or 16 GiB)."
)
SKIP_ERASED = click.option(
    "--skip-erased", is_flag=True, help="Leave out, and count, what was erased; else it is refused with its row."
)


class Words(Choice):
    """The words of a vocabulary; a slip of the finger is told the word it was near to."""

    def __init__(self, words: Iterable[IntEnum] | type[IntEnum]) -> None:
        known = taken(words) if isinstance(words, type) else [word(each) for each in words]
        super().__init__(known, case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read a word."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = did_you_mean(str(value).lower(), self.choices).capitalize()
            self.fail(f"{error.message} {near}".rstrip(), param, ctx)


class Helped(click.Command):
    """Help with an example, and with the shared options apart from a command's own."""

    def __init__(
        self, *args: Any, example: str = "", choices: Mapping[str, Sequence[str]] | None = None, **kwargs: Any
    ) -> None:
        kwargs.setdefault("context_settings", {"help_option_names": ["-h", "--help"]})
        super().__init__(*args, **kwargs)
        self.example = example
        self.choices = choices or {}
        self.own = list(self.params)
        taken = {name for param in self.own for name in param.opts}
        self.params += [each for each in shared_options() if not taken & set(each.opts)]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, then the shared ones."""
        if self.choices:
            with formatter.section("Choices"):
                formatter.write_dl([(name, ", ".join(words)) for name, words in self.choices.items()])
        shared = self.params[len(self.own) :]
        own: list[click.Parameter] = [param for param in self.own if isinstance(param, click.Option)]
        help_option = self.get_help_option(ctx)
        sections: dict[str, list[click.Parameter]] = {
            "Options": own,
            "Everywhere": [*shared, *([help_option] if help_option else [])],
        }
        for title, params in sections.items():
            rows = [row for param in params if (row := param.get_help_record(ctx)) is not None]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example."""
        super().format_epilog(ctx, formatter)
        if self.example:
            with formatter.section("Example"):
                for line in self.example.splitlines():
                    formatter.write(f"  {line}\n")


class Command(Helped):
    """One command."""


class Group(Helped, click.Group):
    """Commands under one word."""

    command_class = Command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        Helped.format_options(self, ctx, formatter)


Group.group_class = Group
