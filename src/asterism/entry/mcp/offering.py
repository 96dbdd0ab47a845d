"""What the server offers, in the words of the protocol: tools and views as plain values, whoever carries them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from asterism.entry.mcp import reference_tools, resources, tools_ask, tools_learn, tools_show, tools_sources
from asterism.entry.mcp.holding import Holding
from asterism.entry.mcp.manner import BRIEF, Manner
from asterism.entry.mcp.prompts import PROMPTS, Prompt, prompt_of
from asterism.entry.mcp.tool import Answered, Tool, failed
from asterism.errors import AsterismError

log = logging.getLogger("asterism.mcp")

Result = dict[str, Any]
INVALID_PARAMS = -32602
PROFILES: dict[str, tuple[Tool, ...]] = {
    "asterism": (
        tools_ask.RECALL,
        tools_learn.LEARN,
        tools_show.SHOW,
        tools_ask.EXPLORE,
        tools_ask.WHY,
        tools_learn.OBSERVE,
        tools_learn.OUTCOME,
        tools_learn.EDIT,
        tools_learn.FORGET,
        tools_learn.DREAM,
        tools_sources.TRANSCRIPT_READ,
        tools_sources.MARKET_LEVELS,
    ),
    "reference": reference_tools.TOOLS,
}
INSTRUCTIONS = {
    "asterism": "A lasting memory that links what it learns and can say why. Before you answer something that may have "
    "come up earlier, call recall. When something is worth keeping, call learn, one statement each. After acting on "
    "recalled facts, call outcome. After learning a good deal, call dream. Answers are cut to max_tokens and say where "
    "to go on (next_offset).",
    "reference": "A lasting memory as a knowledge graph of entities, observations and relations. Call search_nodes "
    "before you answer something that may have come up earlier; add what is worth keeping.",
}


class RefusedError(Exception):
    """A request that cannot be answered: a code of the protocol, what is wrong, and maybe more of it."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class Offering:
    """The tools of a profile, all views and prompts, over a memory; each method answers the request of its name."""

    def __init__(self, holding: Holding, *, profile: str = "asterism", manner: Manner = BRIEF) -> None:
        self._holding = holding
        self._manner = manner
        self._values = manner.full or profile == "reference"  # answers are values too, as a switching client expects
        self._tools = {tool.name: tool for tool in PROFILES[profile] if tool.reads or not manner.only_reads}
        self.instructions = INSTRUCTIONS[profile]

    async def list_tools(self) -> Result:
        """Describe the tools; whoever asks will call one, so the memory begins to open."""
        self._holding.open_ahead()
        return {"tools": [offered(tool, full=self._values) for tool in self._tools.values()]}

    async def call_tool(self, name: str, arguments: dict[str, Any] | None) -> Result:
        """Call a tool; a failure is an answer that says what to do next."""
        tool = self._tools.get(name)
        if tool is None:
            near = get_close_matches(name, self._tools)
            known = f"did you mean {near[0]}?" if near else f"there are {', '.join(self._tools)}"
            raise RefusedError(INVALID_PARAMS, f"Unknown tool: {name[:200]} ({known})")
        try:
            checked = tool.checked(arguments)
            answered = await tool.called(await self._holding.memory(), checked, self._manner)
        except AsterismError as error:
            return self._result(failed(error), is_error=True)
        except Exception as error:
            log.exception("%s failed", tool.name)
            told = AsterismError(
                f"{tool.name} failed: {type(error).__name__}",
                code="internal",
                item=tool.name,
                hint="this is a fault of the server; its log says more",
            )
            return self._result(failed(told), is_error=True)
        return self._result(answered)

    async def list_resources(self) -> Result:
        """List the views that have one address."""
        views = [view for view in resources.VIEWS if not view.is_template]
        return {"resources": [_view(view) | {"uri": view.address} for view in views]}

    async def list_templates(self) -> Result:
        """List the views whose address has a part that varies."""
        views = [view for view in resources.VIEWS if view.is_template]
        return {"resourceTemplates": [_view(view) | {"uriTemplate": view.address} for view in views]}

    async def read_resource(self, uri: str) -> Result:
        """Read a view."""
        try:
            view, part = resources.view_of(uri)
            text = await view.read(await self._holding.memory(), part, self._manner)
        except AsterismError as error:
            told = failed(error)
            raise RefusedError(error.mcp_code, told.text, told.data) from error
        return {"contents": [{"uri": uri, "mimeType": view.mime, "text": text}]}

    async def list_prompts(self) -> Result:
        """List the prompts."""
        return {"prompts": [_prompt(prompt) for prompt in PROMPTS]}

    async def get_prompt(self, name: str, arguments: dict[str, Any] | None) -> Result:
        """Write a prompt with its places filled in."""
        try:
            prompt = prompt_of(name)
            told = prompt.told(arguments or {})
        except AsterismError as error:
            raise RefusedError(INVALID_PARAMS, failed(error).text, failed(error).data) from error
        return {
            "description": prompt.about,
            "messages": [{"role": "user", "content": {"type": "text", "text": told}}],
        }

    def _result(self, answered: Answered, *, is_error: bool = False) -> Result:
        content = [{"type": "text", "text": answered.text}]
        values = {"structuredContent": answered.data} if self._values else {}
        return {"content": content, **values, "isError": is_error}


def offered(tool: Tool, *, full: bool) -> Result:
    """Describe a tool; briefly, what need not be said is left out."""
    if not full:
        return {
            "name": tool.name,
            "title": tool.title,
            "description": tool.about,
            "inputSchema": tool.brief_schema,
            "annotations": {"readOnlyHint": True} if tool.reads else {"destructiveHint": tool.destroys},
        }
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.about,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.gives,
        "annotations": {
            "title": tool.title,
            "readOnlyHint": tool.reads,
            "destructiveHint": tool.destroys,
            "idempotentHint": tool.repeats,
            "openWorldHint": False,
        },
    }


def _view(view: resources.View) -> Result:
    return {"name": view.name, "description": view.about, "mimeType": view.mime}


def _prompt(prompt: Prompt) -> Result:
    takes = [{"name": name, "description": about, "required": True} for name, about in prompt.takes.items()]
    return {"name": prompt.name, "title": prompt.title, "description": prompt.about, "arguments": takes}


def listing(tools: Sequence[Tool] = PROFILES["asterism"]) -> str:
    """Write the table of tools that the documentation holds."""
    rows = ["| tool | takes | what it is for |", "|---|---|---|"]
    for tool in tools:
        takes = ", ".join(_argument(tool, name) for name in tool.input_schema["properties"])
        mark = "" if tool.reads else " (removes)" if tool.destroys else " (writes)"
        rows.append(f"| `{tool.name}`{mark} | {takes} | {tool.about} |")
    return "\n".join(rows)


def _argument(tool: Tool, name: str) -> str:
    if name in tool.needs:
        return name
    return f"[*{name}*]" if name in tool.rarely else f"[{name}]"
