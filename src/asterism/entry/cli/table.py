"""The commands as a table for whoever serves them: read off click, so that nothing about a command is told twice.

A field has the name that the argument has in Python, which is mostly its name here. What is only for a screen, names a
file or an address of this machine, or holds for a whole server is not in it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from asterism.entry.cli.commands import Asked, Helped, InFile, OutFile
from asterism.entry.cli.output import Progress, telling
from asterism.entry.http.command import LISTED, MOST_LISTED, Call, Command, Schema, Told
from asterism.entry.http.written import json_body
from asterism.errors import InputError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from asterism.sync import Memory

NOT_SERVED = (
    *("demo", "eval", "bench", "serve", "mcp", "token", "config", "guide", "fleet", "completion"),
    *("spaces", "backup", "webhook"),  # of the whole server, which has its own ways
)
NAMES = {  # by the click name, for all commands or for one
    "words": "query",
    "names": "ids",
    "texts": "content",
    "path": "file",
    "files": "file",
    "edit words": "content",
    "kind_of_file": "format",
    "file_format": "format",
    "answering": "as",
    **{f"{command} name": "id" for command in ("show", "edit", "forget", "restore", "pin", "why-not")},
}
FOR_A_SCREEN = {
    *("recall whole", "recall sums", "discover whole", "explore shape", "why limit"),
    *(
        "transcript links force",
        "transcript links per_file",
        "transcript links format",
        "export force",
        "export increments",
        "export remake",
    ),
}
OF_THE_SERVER = {"embedder", "max_bytes"}
LISTS = {  # what --json gives is a list: it is served in pages, and has no limit of its own
    *("links", "nodes", "blocks", "history", "slots", "conflicts", "as-of", "diary show"),
    *("transcript links", "transcript trace", "market symbols", "market levels"),
}
MEDIA = {
    ".jsonl": "application/x-ndjson",
    ".graphml": "application/graphml+xml",
    ".dot": "text/vnd.graphviz",
    ".mmd": "text/plain",
    ".csv": "text/csv",
    ".html": "text/html",
    ".png": "image/png",
    ".zip": "application/zip",
}
EVERY = 1_000_000_000
ENDINGS = {"mermaid": "mmd"}  # of formats that have another name
AT: Schema = {"type": "string", "description": "The moment meant: a time, or a date."}
TRUST: Schema = {"type": "boolean", "description": "Write by the server's clock also where it looks wrong."}
PAGE: dict[str, Schema] = {
    "limit": {"type": "integer", "minimum": 1, "maximum": MOST_LISTED, "default": LISTED},
    "offset": {"type": "integer", "minimum": 0, "default": 0},
}


def table(root: click.Group) -> tuple[Command, ...]:
    """Give every command that is about a memory.

    >>> from asterism.entry.cli.app import app
    >>> [command.path for command in table(app)][:4]
    ['nodes', 'show', 'learn', 'dream']
    """
    return tuple(_command(words, command) for words, command in _each(root, ()) if words[0] not in NOT_SERVED)


def _each(group: click.Group, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Helped]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _each(command, (*before, name))
        elif isinstance(command, Helped):
            yield (*before, name), command


def _field(words: tuple[str, ...], param: click.Parameter) -> str:
    own = param.name or ""
    return NAMES.get(f"{' '.join(words)} {own}", NAMES.get(own, own))


def _command(words: tuple[str, ...], command: Helped) -> Command:
    name = " ".join(words)
    params: dict[str, list[click.Parameter]] = {}
    for param in command.own:
        hidden = param.name in OF_THE_SERVER or f"{name} {param.name}" in FOR_A_SCREEN
        paged = name in LISTS and param.name == "limit"
        if not hidden and not paged and f"{name} {_field(words, param)}" not in FOR_A_SCREEN:
            params.setdefault(_field(words, param), []).append(param)
    outs = {field: kind for field, each in params.items() if isinstance(kind := each[0].type, OutFile)}
    whole = [field for field, kind in outs.items() if not kind.formats]
    takes = {field: _schema(each) for field, each in params.items() if field not in whole}
    takes |= PAGE if name in LISTS else {}
    files = [field for field, each in params.items() if isinstance(each[0].type, InFile)]
    return Command(
        words,
        (command.help or "").replace("\b", "").strip(),
        takes | {"at": AT, "trust_clock": TRUST},
        tuple(field for field, each in params.items() if each[0].required and field in takes),
        lambda call: _Served(words, command, params, call).told(),
        file=files[0] if files else None,
        lists=name in LISTS,
        writes=tuple(MEDIA.values()) if outs else (),
    )


def _schema(params: list[click.Parameter]) -> Schema:
    """Describe what an argument may be; several options of one name are the words it may have."""
    param = params[0]
    about = getattr(param, "help", None)
    told: Schema = {"description": about} if about else {}
    if len(params) > 1:
        return told | {"type": "string", "enum": [getattr(each, "flag_value", "") for each in params]}
    each = told | _kind(param.type) if not getattr(param, "is_flag", False) else told | {"type": "boolean"}
    many = getattr(param, "multiple", False) or (param.nargs == -1 and param.name not in ("words", "texts", "files"))
    if not many:
        return each
    about = each.pop("description", None)
    return {"type": "array", "items": each, "maxItems": 1_000} | ({"description": about} if about else {})


def _kind(kind: object) -> Schema:
    if isinstance(kind, OutFile):
        return {"type": "string", "enum": list(kind.formats)}
    if isinstance(kind, InFile):
        return {"type": "string", "description": "What the file holds, as text; or send it as the body."}
    if isinstance(kind, click.Choice):
        return {"type": "string", "enum": list(kind.choices)}
    if isinstance(kind, click.IntRange | click.FloatRange):
        bounds: Schema = {"type": "integer" if isinstance(kind, click.IntRange) else "number"}
        low = "exclusiveMinimum" if kind.min_open else "minimum"
        high = "exclusiveMaximum" if kind.max_open else "maximum"
        return bounds | {name: bound for name, bound in ((low, kind.min), (high, kind.max)) if bound is not None}
    if kind is click.FLOAT:
        return {"type": "number"}
    return {"type": "boolean"} if kind is click.BOOL else {"type": "string"}


class _Heard(Progress):
    """What is being done, for somebody else to hear."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        super().__init__("")
        self._hear = hear

    def say(self, text: str) -> None:
        """Say what comes next."""
        self.text = text
        self._hear(text)


class _Served:
    """One call of a command on behalf of somebody else: it gives the memory, and takes the answer."""

    def __init__(
        self, words: tuple[str, ...], command: Helped, params: dict[str, list[click.Parameter]], call: Call
    ) -> None:
        self._words, self._command, self._params, self._call = words, command, params, call
        self._told: Any = None
        self._written: Path | None = None
        files = [field for field, each in params.items() if isinstance(each[0].type, InFile)]
        self._file_field = files[0] if files else None

    def memory(self, *, changes: bool) -> AbstractContextManager[Memory]:
        """Give the memory, if whoever asks may read it, or change it."""
        return self._call.memory(changes=changes)

    def take(self, value: Any) -> None:
        """Take what the command answers."""
        self._told = value

    def told(self) -> Told:
        """Run the command, and give what it answered."""
        call = self._call
        asked = Asked(
            db=str(call.db),
            space=call.space,
            json=True,
            at=call.arguments.get("at"),
            trust_clock=call.arguments.get("trust_clock", False),
            serving=self,
        )
        with telling(_Heard(call.say)):
            try:
                words = [*self._options(), "--", *self._arguments()]
                with self._command.make_context(" ".join(self._words), words, obj=asked) as ctx:
                    self._command.invoke(ctx)
            except click.exceptions.Exit:  # it says by its code what its answer says too
                pass
            except click.ClickException as error:
                said = " ".join(error.format_message().split())
                raise InputError(said, code="usage", item=" ".join(self._words)) from None
        return self._answer()

    def _options(self) -> Iterator[str]:
        """Write the options as they are typed; a value stands in one word with its name, whatever it begins with."""
        for field, params in self._params.items():
            told = self._value(field, params[0])
            for param in params:
                if not isinstance(param, click.Option) or told is None:
                    continue
                name = max(param.opts, key=len)
                if len(params) > 1:
                    yield from [name] if param.flag_value == told else []
                elif param.is_flag:
                    yield from [name] if told else param.secondary_opts[:1]
                else:
                    for each in told if isinstance(told, list) else [told]:
                        yield f"{name}={each}" if name.startswith("--") else f"{name}{each}"
        own = [param for param in self._command.own if param.name == "limit"]
        if "limit" not in self._params and any(isinstance(param.default, int) for param in own):
            yield f"--limit={EVERY}"  # what is cut is cut into pages

    def _arguments(self) -> Iterator[str]:
        """Write the arguments in their order; none can be left out before one that is told."""
        missing = ""
        for field, params in self._params.items():
            if isinstance(params[0], click.Argument):
                told = self._value(field, params[0])
                if told is not None and missing:
                    raise InputError(f"{field} is told without {missing}", code="usage", item=missing)
                missing = missing or (field if told is None else "")
                told = [] if told is None else told if isinstance(told, list) else [told]
                yield from map(str, told)

    def _value(self, field: str, param: click.Parameter) -> Any:
        told = self._call.arguments.get(field)
        if isinstance(param.type, OutFile):
            return self._target(param.type, told)
        return self._source(field, told) if isinstance(param.type, InFile) else told

    def _source(self, field: str, text: str | None) -> Path | None:
        """Give the file that came with the request, or one that holds the text that came in it."""
        if text is None:
            return self._call.file if field == self._file_field else None
        file = self._call.folder / f"{field}.txt"
        file.write_text(text, encoding="utf-8")
        return file

    def _target(self, kind: OutFile, told: str | None) -> Path | None:
        """Give the file to write: of the format that was asked for, or, where it is all the command is for, its own."""
        if kind.formats and told is None:
            return None
        default = "jsonl" if self._words == ("export",) else "csv"
        word = told or self._call.arguments.get("format") or default
        self._written = self._call.folder / f"answer.{ENDINGS.get(word, word)}"
        return self._written

    def _answer(self) -> Told:
        if self._written is not None:
            return self._file(self._written)
        value, total = self._told, None
        if " ".join(self._words) in LISTS and isinstance(value, list):
            offset, limit = self._call.arguments.get("offset", 0), self._call.arguments.get("limit", LISTED)
            value, total = value[offset : offset + limit], len(value)
        return Told(json_body(value), total=total)

    def _file(self, path: Path) -> Told:
        """Give a file that was written; of a folder, all its files in one."""
        if path.is_dir():
            path = Path(shutil.make_archive(str(path), "zip", path))
        return Told(path.read_bytes(), MEDIA.get(path.suffix, "application/octet-stream"))
