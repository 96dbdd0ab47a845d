"""The parts of the official SDK that the server is made of; `lean` says how little of it can be loaded."""

from __future__ import annotations

import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

__all__ = ["MCPError", "Server", "stdio_server", "types"]
