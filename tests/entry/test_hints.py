"""A hint is data: every call that one names is there, and every surface has words for it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

import asterism
from asterism import Memory
from asterism.entry.cli.app import app
from asterism.entry.cli.table import table
from asterism.entry.hints import AS_ARGUMENTS, AS_OPTIONS, AS_REQUESTS, AS_TOOLS, AT_A_PROMPT, MCP, PROMPT, SURFACES
from asterism.entry.mcp import tools_ask, tools_learn, tools_show, tools_sources
from asterism.hints import Blank, Hint, Step, Surface, in_python, mention, option, step

SOURCE = Path(asterism.__file__).parent
CALLS = sorted(name for name in dir(Memory) if not name.startswith("_"))
A_CALL = re.compile(rf"\b({'|'.join(CALLS)})\(")
TOOLS = {each.name: each for each in (*tools_ask.TOOLS, *tools_learn.TOOLS, *tools_show.TOOLS, *tools_sources.TOOLS)}


class Named(NamedTuple):
    """A call or an option, where a hint names it."""

    where: str
    node: ast.Call

    @property
    def step(self) -> Step:
        """Give it with a word for each argument, as many as there are."""
        given = [f"word{place}" for place, each in enumerate(self.node.args[1:]) if not _is_open(each)]
        named = {each.arg: f"word_{each.arg}" for each in self.node.keywords if each.arg is not None}
        return step(_name(self.node), *given, **named)


def _is_open(argument: ast.expr) -> bool:
    return isinstance(argument, ast.Constant) and argument.value is ...


def _name(node: ast.Call) -> str:
    return str(ast.literal_eval(node.args[0]))


def _trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "hint" in text and path.name != "hints.py":
            yield path, ast.parse(text)


def _made_by(*makers: str) -> Iterator[Named]:
    """Find what is made with these functions of hints, by a name that stands there."""
    for path, tree in _trees():
        if not any(isinstance(node, ast.ImportFrom) and node.module == "asterism.hints" for node in tree.body):
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=maker), args=[ast.Constant(), *_]) if maker in makers:
                    yield Named(f"{path.relative_to(SOURCE)}:{node.lineno}", node)


STEPS = list(_made_by("step", "mention"))


def test_hints_name_calls() -> None:
    assert len(STEPS) > 30


@pytest.mark.parametrize("named", STEPS, ids=lambda named: named.where)
def test_a_call_that_a_hint_names_is_one_of_the_memory_with_these_arguments(named: Named) -> None:
    told = named.step
    assert told.call in CALLS
    bound = inspect.signature(getattr(Memory, told.call)).bind_partial(None, *told.arguments, **told.named)
    assert bound.arguments


@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: type(surface).__name__)
@pytest.mark.parametrize("named", STEPS, ids=lambda named: named.where)
def test_every_surface_has_words_for_a_call_that_a_hint_names(named: Named, surface: Surface) -> None:
    said = surface.step(named.step)
    assert said
    assert "{" not in said


@pytest.mark.parametrize("named", STEPS, ids=lambda named: named.where)
def test_no_argument_is_lost_at_a_prompt(named: Named) -> None:
    typed = PROMPT.step(named.step)
    for word in (*named.step.arguments, *named.step.named.values()):
        assert str(word) in typed


@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: type(surface).__name__)
def test_every_surface_has_words_for_an_option_that_a_hint_names(surface: Surface) -> None:
    assert all(surface.option(option(_name(each.node))) for each in _made_by("option"))


def test_what_is_told_as_data_has_words_too() -> None:
    told = {"assign_type", "dream", "observe", "restore"}  # the calls that why_not gives in `tell`
    assert told <= AT_A_PROMPT.keys()


@pytest.mark.parametrize("call", AT_A_PROMPT)
def test_what_is_typed_for_a_call_is_a_command_with_these_options(call: str) -> None:
    assert call in CALLS
    words = AT_A_PROMPT[call].split()
    if words[0] != "asterism":
        assert AT_A_PROMPT[call].endswith("in Python")
        return
    command: click.Command = app
    for place, word in enumerate(words[1:], 1):
        if not isinstance(command, click.Group):
            options = {each for param in command.params for each in param.opts}
            assert {each for each in words[place:] if each.startswith("-")} <= options
            return
        command = command.commands[word]
    assert not isinstance(command, click.Group)


@pytest.mark.parametrize("call", AS_TOOLS)
def test_what_a_model_calls_is_a_tool_with_these_arguments(call: str) -> None:
    assert call in AT_A_PROMPT
    told = AS_TOOLS[call]
    tool = TOOLS[told.split()[0]]
    assert set(re.findall(r"(\w+)=", told)) <= tool.takes.keys()


@pytest.mark.parametrize("call", AS_REQUESTS)
def test_what_a_program_sends_is_a_request_with_these_arguments(call: str) -> None:
    assert call in AT_A_PROMPT
    method, path, *_ = AS_REQUESTS[call].split()
    if path != "/v1/spaces":
        (command,) = [each for each in table(app) if each.path == path]
        assert command.method == method
        assert set(re.findall(r"(\w+)=", AS_REQUESTS[call])) <= command.takes.keys()


def test_an_option_that_a_hint_names_is_an_argument_of_a_call() -> None:
    known = {name for call in CALLS for name in inspect.signature(getattr(Memory, call)).parameters}
    named = {_name(each.node) for each in _made_by("option")}
    assert named <= known
    assert {*AS_OPTIONS, *AS_ARGUMENTS} <= known


def test_no_hint_has_a_call_in_its_text() -> None:
    found = []
    for path, tree in _trees():
        if path.is_relative_to(SOURCE / "entry") or path.is_relative_to(SOURCE / "evals"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg == "hint":
                found += [f"{path.name}:{text}" for text in _texts(node.value) if A_CALL.search(text)]
    assert found == []


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "in_python":
        node = ast.Tuple([each.value for each in node.keywords], ast.Load())
    for child in ast.iter_child_nodes(node):
        yield from _texts(child)


def test_one_hint_reads_otherwise_on_every_surface() -> None:
    hint = Hint("it was forgotten: ", step("restore", "3404"), " brings it back; or ask for ", option("k", 12))
    assert hint == "it was forgotten: restore('3404') brings it back; or ask for k=12"
    assert PROMPT.say(hint) == "it was forgotten: asterism restore 3404 brings it back; or ask for -k 12"
    assert MCP.say(hint) == 'it was forgotten: forget with ids=["3404"], undo=true brings it back; or ask for k=12'


def test_what_the_reader_fills_in_is_shown_as_each_surface_shows_it() -> None:
    hint = Hint(step("project", Blank("to")), "; ", step("configure", ...), "; ", mention("as_of"))
    assert hint == "project(to); configure(...); as_of"
    assert PROMPT.say(hint) == "asterism project --to TIME; asterism config --preset NAME; asterism as-of TIME"


def test_what_only_python_can_use_is_told_to_nobody_else() -> None:
    hint = Hint(
        "give a path", in_python(", or a file"), in_python("", otherwise=Hint(" (", option("force", True), ")"))
    )
    assert hint == "give a path, or a file"
    assert PROMPT.say(hint) == "give a path (--force)"
    assert MCP.say(hint) == "give a path (force=true)"


def test_a_text_without_calls_is_the_same_everywhere() -> None:
    assert PROMPT.say("name two different nodes") == MCP.say("name two different nodes") == "name two different nodes"
