"""Views that only read, each under an address: asterism://stats, asterism://node/{id} and so on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from asterism.entry.mcp.manner import Manner
from asterism.entry.mcp.tool import written
from asterism.entry.mcp.tools_show import SHOW
from asterism.entry.mcp.views import link_of, texts_of
from asterism.errors import UnknownError

if TYPE_CHECKING:
    from asterism.engine.memory import Memory

SCHEME = "asterism://"
LINKS = 100
JSON, MARKDOWN = "application/json", "text/markdown"


@dataclass(frozen=True)
class View:
    """Something to read under an address; a template has a part that varies."""

    address: str
    name: str
    about: str
    read: Callable[[Memory, str, Manner], Awaitable[str]]
    mime: str = JSON

    @property
    def is_template(self) -> bool:
        """Say whether the address has a part that varies."""
        return "{" in self.address

    def part(self, address: str) -> str | None:
        """Give the part that varies, "" if there is none; None if the address is another."""
        head = self.address.partition("{")[0]
        if not self.is_template:
            return "" if address == self.address else None
        return unquote(address.removeprefix(head)) if address.startswith(head) and address != head else None


async def _stats(memory: Memory, _: str, __: Manner) -> str:
    return written((await memory.stats()).to_dict())


async def _links(memory: Memory, _: str, __: Manner) -> str:
    links = await memory.links()
    shown = links[:LINKS]
    texts = await texts_of(memory, *(end for each in shown for end in (each.a, each.b)))
    return written({"links": [link_of(each, texts) for each in shown], "total": len(links)})


async def _guide(_: Memory, __: str, ___: Manner) -> str:
    from asterism.entry.guide import GUIDE

    return GUIDE


async def _node(memory: Memory, name: str, manner: Manner) -> str:
    return written((await SHOW.called(memory, {"id": name, "max_tokens": 10_000}, manner)).data)


async def _conflicts(memory: Memory, _: str, __: Manner) -> str:
    return written({"conflicts": [each.to_dict() for each in await memory.conflicts()]})


async def _spaces(memory: Memory, _: str, __: Manner) -> str:
    return written({"spaces": [each.to_dict() for each in await memory.spaces()]})


async def _unanswered(memory: Memory, _: str, __: Manner) -> str:
    return written({"unanswered": [each.to_dict() for each in await memory.open_questions()]})


async def _slots(memory: Memory, _: str, __: Manner) -> str:
    names = dict.fromkeys(each.slot for each in await memory.history())
    return written({"slots": [{"name": name, "uri": f"{SCHEME}slot/{quote(name, safe='')}"} for name in names]})


async def _slot(memory: Memory, name: str, _: Manner) -> str:
    return written({"slot": name, "history": [each.to_dict() for each in await memory.history(name)]})


async def _session(memory: Memory, name: str, _: Manner) -> str:
    if name not in await memory.sessions():
        raise UnknownError(
            f"there is no session {name!r}",
            code="unknown_session",
            item=name,
            hint="asterism://sessions lists those there are",
        )
    links = await memory.causal_links(name)
    return written({"session": name, "links": [each.to_dict() for each in links]})


async def _sessions(memory: Memory, _: str, __: Manner) -> str:
    names = await memory.sessions()
    return written({"sessions": [{"name": name, "uri": f"{SCHEME}session/{quote(name, safe='')}"} for name in names]})


async def _levels(memory: Memory, symbol: str, _: Manner) -> str:
    return written({"symbol": symbol, "levels": [each.to_dict() for each in await memory.levels(symbol)]})


VIEWS = (
    View(f"{SCHEME}stats", "stats", "How much the memory holds, and what was dropped.", _stats),
    View(f"{SCHEME}links", "links", f"The {LINKS} strongest links.", _links),
    View(f"{SCHEME}conflicts", "conflicts", "Pairs of facts that probably cannot both hold.", _conflicts),
    View(f"{SCHEME}spaces", "spaces", "The spaces that can be read from here.", _spaces),
    View(f"{SCHEME}unanswered", "unanswered", "Questions that were left open.", _unanswered),
    View(f"{SCHEME}slots", "slots", "What has a value that changes.", _slots),
    View(f"{SCHEME}sessions", "sessions", "The conversations that were read.", _sessions),
    View(f"{SCHEME}guide", "guide", "The few ideas behind the memory, on one page.", _guide, MARKDOWN),
    View(f"{SCHEME}node/{{id}}", "node", "One node with its links, by id or name.", _node),
    View(f"{SCHEME}slot/{{name}}", "slot", "What a slot held, and from when to when.", _slot),
    View(f"{SCHEME}session/{{name}}", "session", "What was intended in a conversation, and what came of it.", _session),
    View(f"{SCHEME}levels/{{symbol}}", "levels", "The prices a market remembers.", _levels),
)


def view_of(address: str) -> tuple[View, str]:
    """Find the view of an address, and the part that varies."""
    for view in VIEWS:
        part = view.part(address)
        if part is not None:
            return view, part
    raise UnknownError(
        f"there is nothing at {address}",
        code="unknown_resource",
        item=address,
        hint=f"there are {', '.join(view.address for view in VIEWS)}",
    )
