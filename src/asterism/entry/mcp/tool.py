"""What a tool is: its name, what it is for, what it takes and gives; and how a failure becomes an answer."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from asterism.entry.hints import MCP
from asterism.entry.mcp.paging import BUDGET
from asterism.entry.mcp.schema import Schema, thing
from asterism.errors import AsterismError, InputError

if TYPE_CHECKING:
    from asterism.engine.memory import Memory

Arguments = dict[str, Any]
LONGEST = 300  # characters of what is wrong with an argument


@dataclass(frozen=True, slots=True)
class Answered:
    """What a tool answers: the same as values and as text."""

    data: dict[str, Any]
    text: str


@dataclass(frozen=True)
class Tool:
    """A tool, as the server offers it."""

    name: str
    title: str
    about: str
    takes: dict[str, Schema]
    gives: Schema
    call: Callable[[Memory, Arguments], Awaitable[Answered]]
    needs: tuple[str, ...] = ()
    reads: bool = False  # it changes nothing
    destroys: bool = False  # it takes something away
    repeats: bool = False  # the same call twice changes no more than once
    budget: bool = True

    @property
    def input_schema(self) -> Schema:
        """What it takes, with the budget that every tool has."""
        return thing(self.takes | (BUDGET if self.budget else {}), needs=self.needs)

    def checked(self, arguments: Arguments | None) -> Arguments:
        """Let arguments through that fit the schema; say of others what is wrong with them, and where."""
        from jsonschema import Draft202012Validator  # comes with the SDK; loaded by the first call

        given = arguments or {}
        wrong = sorted(Draft202012Validator(self.input_schema).iter_errors(given), key=lambda each: list(each.path))
        if wrong:
            where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in wrong[0].path).lstrip(".")
            told = wrong[0].message
            if len(told) > LONGEST:
                told = f"{told[: LONGEST // 2]} … {told[-LONGEST // 2 :]}"  # what is wrong stands at its end
            raise InputError(
                f"{where}: {told}" if where else told,
                code="bad_arguments",
                item=where or self.name,
                hint=f"{self.name} takes {self._takes()}",
            )
        return given

    def _takes(self) -> str:
        fields = self.input_schema["properties"]
        return ", ".join(name if name in self.needs else f"{name} (optional)" for name in fields)


def failed(error: AsterismError) -> Answered:
    """Tell a failure in words a model can act on: what, about which thing, what to do next, and the code."""
    hint = error.hint and MCP.say(error.hint)
    told = error.to_dict() | {"hint": hint}
    lines = [told["message"], hint or "", f"[{error.code}]"]
    return Answered(told, "\n".join(line for line in lines if line))


def written(data: object) -> str:
    """Write plain values as JSON."""
    return json.dumps(data, ensure_ascii=False, default=str)
