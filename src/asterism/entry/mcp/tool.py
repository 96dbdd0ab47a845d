"""What a tool is: its name, what it is for, what it takes and gives; and how a failure becomes an answer."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from asterism.entry.hints import MCP
from asterism.entry.mcp.manner import Manner
from asterism.entry.mcp.paging import BUDGET
from asterism.entry.mcp.schema import Schema, thing, unbounded
from asterism.errors import AsterismError, InputError

if TYPE_CHECKING:
    from jsonschema import ValidationError

    from asterism.engine.memory import Memory

Arguments = dict[str, Any]
LONGEST = 300  # characters of what is wrong with an argument
KINDS = {"string": "a text", "object": "an object with names"}


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
    call: Callable[..., Awaitable[Answered]]  # of a memory and arguments, and of the manner if it has one
    needs: tuple[str, ...] = ()
    rarely: tuple[str, ...] = ()  # arguments that a brief list leaves out; they are taken all the same
    briefly: dict[str, Schema] = field(default_factory=dict)  # arguments of which a brief list says less
    example: str = ""  # of a call, for whoever called it wrongly
    by_manner: bool = False  # what it does depends on how the server was started
    reads: bool = False  # it changes nothing
    destroys: bool = False  # it takes something away
    repeats: bool = False  # the same call twice changes no more than once
    budget: bool = True

    @property
    def input_schema(self) -> Schema:
        """What it takes, with the budget that every tool has."""
        return thing(self.takes | (BUDGET if self.budget else {}), needs=self.needs)

    @property
    def brief_schema(self) -> Schema:
        """What it takes as a brief list tells it: without what is rarely wanted, and without bounds."""
        schema = self.input_schema
        often = {name: each for name, each in schema["properties"].items() if name not in self.rarely}
        return unbounded(schema | {"properties": often | self.briefly | _pages(often)})

    async def called(self, memory: Memory, arguments: Arguments, manner: Manner) -> Answered:
        """Do what it is for."""
        return await (self.call(memory, arguments, manner) if self.by_manner else self.call(memory, arguments))

    def checked(self, arguments: Arguments | None) -> Arguments:
        """Let arguments through that fit the schema; say of others what is wrong with them, and where."""
        from jsonschema import Draft202012Validator  # comes with the SDK; loaded by the first call

        given = arguments or {}
        wrong = sorted(Draft202012Validator(self.input_schema).iter_errors(given), key=lambda each: list(each.path))
        if wrong:
            where, told = what_is_wrong(wrong[0])
            raise InputError(
                f"{where}: {told}" if where else told,
                code="bad_arguments",
                item=where or self.name,
                hint="; ".join(filter(None, [f"{self.name} takes {self._takes()}", self.example])),
            )
        return given

    def _takes(self) -> str:
        fields = self.input_schema["properties"]
        return ", ".join(name if name in self.needs else f"{name} (optional)" for name in fields)


def _pages(fields: dict[str, Schema]) -> dict[str, Schema]:
    """Say nothing of pages and budgets, which the server's instructions tell of all tools at once."""
    return {name: {"type": "integer"} for name in ("offset", "max_tokens") if name in fields}


def what_is_wrong(error: ValidationError) -> tuple[str, str]:
    """Say where something is wrong, and what; of several forms that something may have, by the one it comes nearest."""
    while error.validator == "anyOf" and error.context:
        other = {each.schema_path[0] for each in error.context if list(each.schema_path)[1:] == ["type"]}
        nearest = [each for each in error.context if each.schema_path[0] not in other]
        if not nearest:
            break
        error = nearest[0]
    path = error.absolute_path
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    if error.validator == "maxLength":
        return where, f"{len(error.instance):,} characters are too many, there may be {error.validator_value:,}"
    told = error.message
    if error.validator == "anyOf":
        words = " or ".join(KINDS.get(each.get("type"), "something else") for each in error.validator_value)
        told = f"{json.dumps(error.instance, ensure_ascii=False)} is not {words}"
    if error.validator == "type" and {"minimum", "maximum"} <= error.schema.keys():
        told += f": give a number from {error.schema['minimum']} to {error.schema['maximum']}"
    if len(told) > LONGEST:
        told = f"{told[: LONGEST // 2]} … {told[-LONGEST // 2 :]}"  # what is wrong stands at its end
    return where, told


def failed(error: AsterismError) -> Answered:
    """Tell a failure in words a model can act on: what, about which thing, what to do next, and the code."""
    hint = error.hint and MCP.say(error.hint)
    told = {name: each for name, each in error.to_dict().items() if name != "ledger"} | {"hint": hint}
    lines = [str(told["message"]), hint or "", f"[{error.code}]"]
    return Answered(told, "\n".join(line for line in lines if line))


def written(data: object) -> str:
    """Write plain values as JSON."""
    return json.dumps(data, ensure_ascii=False, default=str)
