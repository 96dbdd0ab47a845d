"""What to do next, in the words of each surface: one table of calls for a prompt, one for a model
that holds tools, one for a program that sends requests.

In a table `{0}` is the first argument of the call, `{preset}` the one of that name and `{*}` all of them; behind a
colon stands what is shown for one that the reader fills in. A new surface is one more table, a way to write values, and
a name in `SURFACES`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping

from asterism.hints import Blank, Option, Step, Surface

FIELD = re.compile(r"\{(\w+|\*)(?::([^}]+))?\}")

AT_A_PROMPT: Mapping[str, str] = {
    "add_star": "asterism star add {0:NAME}",
    "rename_star": "asterism diary rename {0:STAR} {1:NAME}",
    "advance": "asterism advance --to {to:TIME}",
    "as_of": "asterism as-of {0:TIME}",
    "assign_type": "asterism assign-type {0:A} {1:B} {2:KIND}",
    "backup": "asterism backup {0:FILE}",
    "blocks": "asterism blocks",
    "configure": "asterism config --preset {preset:NAME}",
    "doctor": "asterism doctor",
    "dream": "asterism dream",
    "fed": "fed({0:symbol}, {1:source}) in Python",
    "feed": "asterism market feed {1:FILE} --symbol {0:SYMBOL}",
    "forget": "asterism forget {0:ID}",
    "history": "asterism history {0:SLOT}",
    "learn": "asterism learn {0:TEXT}",
    "levels": "asterism market levels {0:SYMBOL}",
    "links": "asterism links {*}",
    "nodes": "asterism nodes",
    "observe": "asterism observe {0:A} {1:B} {2:KIND}",
    "parameters": "asterism config --all",
    "pin": "asterism pin {0:ID}",
    "predictions": "asterism predictions",
    "project": "asterism project --to {0:TIME}",
    "read_transcript": "asterism transcript read {0:FILE}",
    "recall": "asterism recall {0:TEXT}",
    "reembed": "asterism reembed",
    "restore": "asterism restore {0:ID}",
    "spaces": "asterism spaces",
    "symbols": "asterism market symbols",
    "why": "asterism why {*}",
    "why_not": "asterism why-not {0:ID} {1:QUERY}",
}
AS_OPTIONS: Mapping[str, str] = {  # of the command line, where they are called otherwise
    "budget_tokens": "--budget",
    "k": "-k",
    "mapping": "--map",
    "scales": "--scale",
    "started_at": "--started",
    "file_format": "--format",
}
AS_TOOLS: Mapping[str, str] = {  # what has no tool is for the user, at a prompt
    "blocks": "recall or show",
    "dream": "dream",
    "forget": "forget with ids=[{0:ID}]",
    "history": "show with slot={0:SLOT}",
    "learn": "learn",
    "levels": "market_levels with symbol={0:SYMBOL}",
    "links": "show with id={0:ID}",
    "nodes": "recall or show",
    "observe": "observe with a={0:A}, b={1:B}, kind={2:KIND}",
    "read_transcript": "transcript_read",
    "recall": "recall",
    "restore": "forget with ids=[{0:ID}], undo=true",
    "spaces": 'show with what="spaces"',
    "symbols": "market_levels without a symbol",
    "why": "why with ids=[{*}]",
    "why_not": "why with ids=[{0:ID}], query={1:QUERY}",
}
AS_REQUESTS: Mapping[str, str] = {  # below /v1/spaces/SPACE/; what has no request is for whoever runs the server
    "add_star": "POST star/add with name={0:NAME}",
    "advance": "POST advance with to={to:TIME}",
    "as_of": "POST as-of with time={0:TIME}",
    "assign_type": "POST assign-type with a={0:A}, b={1:B}, kind={2:KIND}",
    "blocks": "GET blocks",
    "doctor": "POST doctor",
    "dream": "POST dream",
    "feed": "POST market/feed with symbol={0:SYMBOL}, file={1:TEXT}",
    "forget": "POST forget with id={0:ID}",
    "history": "GET history with slot={0:SLOT}",
    "learn": "POST learn with content={0:TEXT}",
    "levels": "POST market/levels with symbol={0:SYMBOL}",
    "links": "GET links",
    "nodes": "GET nodes",
    "observe": "POST observe with a={0:A}, b={1:B}, kind={2:KIND}",
    "pin": "POST pin with id={0:ID}",
    "predictions": "GET predictions",
    "project": "POST project with to={0:TIME}",
    "read_transcript": "POST transcript/read with file={0:TEXT}",
    "recall": "POST recall with query={0:TEXT}",
    "reembed": "POST reembed",
    "restore": "POST restore with id={0:ID}",
    "spaces": "GET /v1/spaces",
    "symbols": "POST market/symbols",
    "why": "POST why with ids=[{*}]",
    "why_not": "POST why-not with id={0:ID}, query={1:QUERY}",
}
AS_ARGUMENTS: Mapping[str, str] = {"deadline": "seconds"}  # of tools, where they are called otherwise


class Prompt(Surface):
    """What somebody types who has a shell."""

    def step(self, step: Step) -> str:
        """Write a command.

        >>> from asterism.hints import step
        >>> PROMPT.step(step("observe", "my sleep", Blank("b"), "user_confirms"))
        "asterism observe 'my sleep' B user_confirms"
        """
        return _filled(AT_A_PROMPT[step.call], step, write=_word, between=" ")

    def option(self, option: Option) -> str:
        """Write an option.

        >>> from asterism.hints import option
        >>> PROMPT.option(option("k", 12)), PROMPT.option(option("as_copy", True)), PROMPT.option(option("sort", False))
        ('-k 12', '--as-copy', '--no-sort')
        >>> PROMPT.option(option("scales", {"my mood": "1..7"})), MCP.option(option("scales", {"my mood": "1..7"}))
        ("--scale 'my mood=1..7'", 'scales={"my mood": "1..7"}')
        """
        name = AS_OPTIONS.get(option.name, f"--{option.name.replace('_', '-')}")
        if isinstance(option.value, bool):
            return name if option.value else f"--no-{name.removeprefix('--')}"
        if isinstance(option.value, Mapping):
            return " ".join(f"{name} {_word(f'{key}={value}')}" for key, value in option.value.items())
        return name if isinstance(option.value, Blank) else f"{name} {_word(option.value)}"


class Tools(Surface):
    """What a model calls that holds the tools of the server."""

    def step(self, step: Step) -> str:
        """Write the call of a tool.

        >>> from asterism.hints import step
        >>> MCP.step(step("restore", "3404")), MCP.step(step("reembed"))
        ('forget with ids=["3404"], undo=true', 'asterism reembed (for the user, at a prompt)')
        """
        if step.call not in AS_TOOLS:
            return f"{PROMPT.step(step)} (for the user, at a prompt)"
        return _filled(AS_TOOLS[step.call], step, write=_json, between=", ")

    def option(self, option: Option) -> str:
        """Write an argument of a tool.

        >>> from asterism.hints import option
        >>> MCP.option(option("deadline")), MCP.option(option("k", 12))
        ('seconds', 'k=12')
        """
        name = AS_ARGUMENTS.get(option.name, option.name)
        return name if isinstance(option.value, Blank) else f"{name}={_json(option.value)}"


class Requests(Surface):
    """What a program sends that talks to the service."""

    def step(self, step: Step) -> str:
        """Write a request, by its path below the space.

        >>> from asterism.hints import step
        >>> HTTP.step(step("restore", "3404")), HTTP.step(step("why", "a", "b"))
        ('POST restore with id="3404"', 'POST why with ids=["a", "b"]')
        """
        if step.call not in AS_REQUESTS:
            return f"{PROMPT.step(step)} (for whoever runs the server)"
        return _filled(AS_REQUESTS[step.call], step, write=_json, between=", ")

    def option(self, option: Option) -> str:
        """Write an argument of a request.

        >>> from asterism.hints import option
        >>> HTTP.option(option("k", 12))
        'k=12'
        """
        return option.name if isinstance(option.value, Blank) else f"{option.name}={_json(option.value)}"


PROMPT, MCP, HTTP = Prompt(), Tools(), Requests()
SURFACES: tuple[Surface, ...] = (PROMPT, MCP, HTTP)  # the tests look for every call in each


def _filled(template: str, step: Step, *, write: Callable[[object], str], between: str) -> str:
    """Put the arguments of a call into a template."""
    given = {str(place): each for place, each in enumerate(step.arguments)} | dict(step.named)

    def fill(field: re.Match[str]) -> str:
        if field[1] == "*":
            return between.join(map(one, step.arguments))
        return one(given.get(field[1]), field[2])

    def one(value: object, shown: str | None = None) -> str:
        if isinstance(value, Blank):
            return shown or value.name.upper()
        return shown or "" if value is None or value is ... else write(value)

    return FIELD.sub(fill, template).rstrip()


def _word(value: object) -> str:
    return shlex.quote(str(value))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
