"""The server as the official SDK's: for HTTP, and for whoever holds it in the same process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from asterism.entry.mcp.holding import Holding
from asterism.entry.mcp.manner import BRIEF, Manner
from asterism.entry.mcp.offering import Offering, RefusedError

Context = ServerRequestContext[dict[str, Any]]


def build(holding: Holding, *, profile: str = "asterism", manner: Manner = BRIEF) -> Server[dict[str, Any]]:
    """Build the server of a profile over a memory."""
    offering = Offering(holding, profile=profile, manner=manner)

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult.model_validate(await offering.list_tools())

    async def call_tool(_: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        async with _refusing():
            return types.CallToolResult.model_validate(await offering.call_tool(params.name, params.arguments))

    async def list_resources(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult.model_validate(await offering.list_resources())

    async def list_templates(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult.model_validate(await offering.list_templates())

    async def read_resource(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        async with _refusing():
            return types.ReadResourceResult.model_validate(await offering.read_resource(str(params.uri)))

    async def list_prompts(_: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult.model_validate(await offering.list_prompts())

    async def get_prompt(_: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        async with _refusing():
            return types.GetPromptResult.model_validate(await offering.get_prompt(params.name, params.arguments))

    return Server(
        "asterism",
        version=version("asterism"),
        title="Asterism",
        instructions=offering.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


@asynccontextmanager
async def _refusing() -> AsyncIterator[None]:
    """Refuse in the SDK's way what cannot be answered."""
    try:
        yield
    except RefusedError as error:
        raise MCPError(error.code, error.message, error.data) from error
