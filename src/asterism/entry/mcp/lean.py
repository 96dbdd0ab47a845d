"""Loading the official SDK: as little of it as a stdio server needs, and a clear word when it is not installed.

Importing the whole SDK takes about a second of CPU: its client, an HTTP stack, and some six hundred message classes. A
stdio server needs neither of the first two. So `load_lean` leaves out the `__init__` of the packages around what we
use (they import everything), puts placeholders where the SDK's server would import its HTTP side, and lets message
classes be built when they are first used (pydantic's defer_build). What is loaded is the SDK's own code, unchanged.
That halves the time; if it fails in any way, the SDK is imported as usual. A package `mcp` loaded so is of no use to
anyone else: `let_go` takes it out of the process when the server has ended.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from asterism.errors import AsterismError

SDK = "asterism.entry.mcp.sdk"
OURS = {SDK, "asterism.entry.mcp.server", "mcp", "mcp_types", "starlette"}  # modules, and packages with all in them
PACKAGES = ("mcp", "mcp.server", "mcp.server.lowlevel")  # whose __init__ would import the whole SDK
HTTP_SIDE = (  # what mcp.server.lowlevel.server imports for HTTP alone
    "mcp.server.auth.middleware.auth_context",
    "mcp.server.auth.middleware.bearer_auth",
    "mcp.server.auth.provider",
    "mcp.server.auth.routes",
    "mcp.server.auth.settings",
    "mcp.server.streamable_http",
    "mcp.server.streamable_http_manager",
    "mcp.server.transport_security",
    "starlette.applications",
    "starlette.middleware",
    "starlette.middleware.authentication",
    "starlette.routing",
)


class _Placeholder(ModuleType):
    """Stands for a module that is imported from and never used."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return object


def missing() -> AsterismError:
    """Say that the SDK is not installed."""
    return AsterismError(
        "the MCP server needs the package mcp",
        code="needs_mcp",
        item="mcp",
        hint="pip install 'asterism[mcp]', or in a clone of the project: pip install '.[mcp]'",
    )


def load() -> None:
    """Load the SDK as usual."""
    if find_spec("mcp") is None:
        raise missing()
    import_module(SDK)


def load_lean() -> None:
    """Load what a stdio server needs of the SDK, and as usual if that fails."""
    if "mcp" in sys.modules or find_spec("mcp") is None:
        load()
        return
    before = set(sys.modules)
    try:
        with _lean():
            import_module(SDK)
    except Exception:  # another version of the SDK may be built otherwise
        let_go(before)
        load()


def is_lean() -> bool:
    """Say whether the SDK that is loaded is of use to a stdio server alone."""
    return "mcp" in sys.modules and getattr(sys.modules["mcp"], "__file__", None) is None


def let_go(kept: Collection[str] = ()) -> None:
    """Take the SDK and what was made of it out of the process, but for the modules of these names."""
    for name in set(sys.modules) - set(kept):
        if name in OURS or name.split(".")[0] in OURS:
            del sys.modules[name]


@contextmanager
def _lean() -> Iterator[None]:
    """Keep what is imported inside small."""
    from pydantic import BaseModel, TypeAdapter

    spec = find_spec("mcp")
    assert spec is not None
    root = Path(next(iter(spec.submodule_search_locations or ())))
    for name in PACKAGES:
        package = ModuleType(name)
        package.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
        sys.modules[name] = package
    placed = [name for name in HTTP_SIDE if name not in sys.modules]
    placed += [
        name for name in ("mcp.server.auth", "mcp.server.auth.middleware", "starlette") if name not in sys.modules
    ]
    sys.modules.update({name: _Placeholder(name) for name in placed})
    config = BaseModel.model_config
    BaseModel.model_config = {**config, "defer_build": True}
    waits = vars(TypeAdapter).get("_defer_build")  # the same for unions of messages, where pydantic has it
    if isinstance(waits, property):
        setattr(TypeAdapter, "_defer_build", property(lambda _: True))  # noqa: B010  # a private name
    gc.disable()  # classes are no garbage
    try:
        yield
    finally:
        gc.enable()
        BaseModel.model_config = config
        if isinstance(waits, property):
            setattr(TypeAdapter, "_defer_build", waits)  # noqa: B010
        for name in placed:
            sys.modules.pop(name, None)
