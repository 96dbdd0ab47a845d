"""The typed stub of the synchronous face, made from the async class: the same signatures, without await."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import ModuleType

NOTE = """\
# Made from the calls of asterism/engine by `python -m asterism.entry.docs`: do not edit.
# ruff: noqa: A002, E501, I001  # one line for each signature and import, and the names of memory.py
# fmt: off
"""
OWN = """
class Memory(_Reads):
    \"\"\"The synchronous face of a memory; opened by `Memory.open_sync`.\"\"\"

    def __init__(self, memory: AsyncMemory) -> None: ...
    def __enter__(self) -> Memory: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def session(self, name: str) -> AbstractContextManager[None]:
        \"\"\"Count the time inside as active hours: blocks age in them alone.\"\"\"
"""
OWN_SNAPSHOT = """
class Snapshot(_Reads):
    \"\"\"The synchronous face of a memory as it was.\"\"\"

    at: datetime
    def __init__(self, snapshot: AsyncSnapshot) -> None: ...
"""


def stub(*modules: ModuleType) -> str:
    """Write the stub: what all classes called ..Reads and ..Calls offer, and Memory and Snapshot themselves."""
    tree = ast.Module([node for module in modules for node in ast.parse(inspect.getsource(module)).body], [])
    parts: dict[str, list[str]] = {"Reads": [], "Memory": [], "Snapshot": []}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and (face := _face(node.name)):
            parts[face] += [_told(method) for method in _public(node)]
    used = "\n".join(text for texts in parts.values() for text in texts) + OWN + OWN_SNAPSHOT
    reads = 'class _Reads:\n    """What can be asked of a memory, now or as it was."""\n\n' + "\n".join(parts["Reads"])
    body = [
        "\n".join(_imports(tree, used)),
        "\n".join(_aliases(tree, used)),
        'Result = TypeVar("Result")\n\ndef drive(coroutine: Coroutine[object, object, Result]) -> Result: ...\n'
        "def derive(face: type, source: type) -> None: ...\n",
        reads,
        OWN.strip() + "\n" + "\n".join(parts["Memory"]),
        OWN_SNAPSHOT.strip() + "\n" + "\n".join(parts["Snapshot"]),
    ]
    return NOTE + "\n" + "\n\n".join(part.rstrip() for part in body if part.strip()) + "\n"


def _face(name: str) -> str | None:
    """Say which class of the stub a class belongs to."""
    ends = {"Reads": "Reads", "Calls": "Memory", "Memory": "Memory", "Snapshot": "Snapshot"}
    return next((face for end, face in ends.items() if name.endswith(end)), None)


def _public(node: ast.ClassDef) -> list[ast.AsyncFunctionDef]:
    return [
        each
        for each in node.body
        if isinstance(each, ast.AsyncFunctionDef) and not each.name.startswith("_") and not each.decorator_list
    ]


def _told(method: ast.AsyncFunctionDef) -> str:
    """Write one method without its body and without async."""
    text = ast.get_docstring(method)
    said = textwrap.indent(f'"""{text}"""' if text else "...", " " * 8)
    returns = ast.unparse(method.returns) if method.returns else "None"
    return f"    def {method.name}({ast.unparse(method.args)}) -> {returns}:\n{said}"


def _words(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def _used(tree: ast.Module, text: str) -> set[str]:
    bodies = "\n".join(line[4:] if line.startswith("    ") else "" for line in text.splitlines())
    words = _words(_valid(bodies))
    return words | {word for alias in _alias_nodes(tree, words) for word in _words(ast.unparse(alias.value))}


def _valid(bodies: str) -> str:
    return "\n".join(line for line in bodies.splitlines() if not line.startswith("class "))


def _alias_nodes(tree: ast.Module, words: set[str]) -> list[ast.Assign]:
    return [
        node
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in words
        and node.targets[0].id != "Result"
    ]


def _aliases(tree: ast.Module, text: str) -> list[str]:
    return [ast.unparse(node) for node in _alias_nodes(tree, _used(tree, text))]


def _imports(tree: ast.Module, text: str) -> list[str]:
    """Keep the imports whose names the stub uses, and add its own."""
    used = _used(tree, text) - {"Memory", "Snapshot"}
    used |= {"TracebackType", "datetime", "TypeVar"}
    wanted: dict[str, set[str]] = {
        "asterism.engine.memory": {"Memory as AsyncMemory", "Snapshot as AsyncSnapshot"},
        "collections.abc": {"Coroutine"},
        "contextlib": {"AbstractContextManager"},
    }
    typed = [each for node in tree.body if isinstance(node, ast.If) for each in node.body]  # if TYPE_CHECKING
    for node in [*tree.body, *typed]:
        if isinstance(node, ast.ImportFrom) and node.module and node.module != "__future__":
            names = {name.name for name in node.names if (name.asname or name.name) in used}
            if names:
                wanted.setdefault(node.module, set()).update(names)
    ours: list[str] = []
    others: list[str] = []
    for module, names in sorted(wanted.items()):
        (ours if module.startswith("asterism.") else others).extend(_import_lines(module, names))
    return [*others, "", *ours]


def _import_lines(module: str, names: set[str]) -> list[str]:
    renamed = sorted(name for name in names if " as " in name)
    kept = sorted(names - set(renamed))
    lines = [f"from {module} import {', '.join(kept)}"] if kept else []
    return lines + [f"from {module} import {name}" for name in renamed]
