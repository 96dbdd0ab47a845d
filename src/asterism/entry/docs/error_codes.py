"""Every error code in the package's source: found by reading it, so that the docs cannot miss one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, order=True)
class Code:
    """A code, the class it is raised as, and its message with dots for what varies."""

    code: str
    error: str
    message: str


def codes(package: Path) -> list[Code]:
    """Collect the codes of all errors raised anywhere in a package."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(package.rglob("*.py"))]
    found: dict[tuple[str, str], Code] = {}
    for tree in trees:
        for function, call in _raising(tree):
            for code, known in _values(_keyword(call, "code"), function, trees):
                name = ast.unparse(call.func)
                found.setdefault((code, name), Code(code, name, _template(call.args[0], known)))
    return sorted(found.values())


def _raising(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Give every call of an error class with a code, and the name of the function around it."""

    def walk(node: ast.AST, function: str) -> Iterator[tuple[str, ast.Call]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from walk(child, child.name)
                continue
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id.endswith("Error"):
                yield function, child
            yield from walk(child, function)

    yield from walk(tree, "")


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _values(code: ast.expr | None, function: str, trees: list[ast.Module]) -> list[tuple[str, dict[str, str]]]:
    """Read a code; one made from an argument of its function has a value for each call of that function."""
    if isinstance(code, ast.Constant):
        return [(str(code.value), {})]
    if not isinstance(code, ast.JoinedStr):
        return []
    argument = next(node.id for node in ast.walk(code) if isinstance(node, ast.Name))
    start = "".join(str(part.value) for part in code.values if isinstance(part, ast.Constant))
    given = [
        _keyword(call, argument)
        for tree in trees
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function
    ]
    values = {str(value.value) for value in given if isinstance(value, ast.Constant)}
    return [(start + value.replace(" ", "_"), {argument: value}) for value in sorted(values)]


def _template(message: ast.expr, known: dict[str, str]) -> str:
    """Write a message with dots for what varies."""
    if isinstance(message, ast.Constant):
        return str(message.value)
    if isinstance(message, ast.JoinedStr):
        return "".join(_template(part, known) for part in message.values)
    return known.get(ast.unparse(message.value), "...") if isinstance(message, ast.FormattedValue) else "..."
