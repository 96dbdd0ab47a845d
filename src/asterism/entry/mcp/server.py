"""The server: our tools and views, handed to the SDK's low-level server."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from asterism.entry.mcp import reference_tools, resources, tools_ask, tools_learn, tools_sources
from asterism.entry.mcp.holding import Holding
from asterism.entry.mcp.sdk import MCPError, Server, types
from asterism.entry.mcp.tool import Answered, Tool, failed
from asterism.errors import AsterismError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

log = logging.getLogger("asterism.mcp")

PROFILES: dict[str, tuple[Tool, ...]] = {
    "asterism": (
        tools_ask.RECALL,
        tools_learn.LEARN,
        tools_ask.SHOW,
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


def build(holding: Holding, *, profile: str = "asterism") -> Server[dict[str, Any]]:
    """Build the server of a profile over a memory."""
    from importlib.metadata import version

    tools = {tool.name: tool for tool in PROFILES[profile]}

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        holding.open_ahead()
        return types.ListToolsResult(tools=[_offered(tool) for tool in tools.values()])

    async def call_tool(_: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = tools.get(params.name)
        if tool is None:
            near = get_close_matches(params.name, tools)
            known = f"did you mean {near[0]}?" if near else f"there are {', '.join(tools)}"
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:200]} ({known})")
        try:
            answered = await tool.call(await holding.memory(), tool.checked(params.arguments))
        except AsterismError as error:
            return _result(failed(error), is_error=True)
        except Exception as error:
            log.exception("%s failed", tool.name)
            told = AsterismError(
                f"{tool.name} failed: {type(error).__name__}",
                code="internal",
                item=tool.name,
                hint="this is a fault of the server; its log says more",
            )
            return _result(failed(told), is_error=True)
        return _result(answered)

    async def list_resources(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(name=view.name, uri=view.address, description=view.about, mime_type=view.mime)
                for view in resources.VIEWS
                if not view.is_template
            ]
        )

    async def list_templates(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    name=view.name, uri_template=view.address, description=view.about, mime_type=view.mime
                )
                for view in resources.VIEWS
                if view.is_template
            ]
        )

    async def read_resource(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            view, part = resources.view_of(str(params.uri))
            text = await view.read(await holding.memory(), part)
        except AsterismError as error:
            told = failed(error)
            raise MCPError(error.mcp_code, told.text, told.data) from error
        contents = types.TextResourceContents(uri=str(params.uri), mime_type=view.mime, text=text)
        return types.ReadResourceResult(contents=[contents])

    return Server(
        "asterism",
        version=version("asterism"),
        title="Asterism",
        instructions=INSTRUCTIONS[profile],
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


def _offered(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.about,
        input_schema=tool.input_schema,
        output_schema=tool.gives,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads,
            destructive_hint=tool.destroys,
            idempotent_hint=tool.repeats,
            open_world_hint=False,
        ),
    )


def _result(answered: Answered, *, is_error: bool = False) -> types.CallToolResult:
    content = types.TextContent(type="text", text=answered.text)
    return types.CallToolResult(content=[content], structured_content=answered.data, is_error=is_error)


def listing(tools: Sequence[Tool] = PROFILES["asterism"]) -> str:
    """Write the table of tools that the documentation holds."""
    rows = ["| tool | takes | what it is for |", "|---|---|---|"]
    for tool in tools:
        takes = ", ".join(name if name in tool.needs else f"[{name}]" for name in tool.input_schema["properties"])
        mark = "" if tool.reads else " (removes)" if tool.destroys else " (writes)"
        rows.append(f"| `{tool.name}`{mark} | {takes} | {tool.about} |")
    return "\n".join(rows)


if TYPE_CHECKING:
    Context = ServerRequestContext[dict[str, Any]]
