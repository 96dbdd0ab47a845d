"""The MCP server: `asterism mcp`.

`tool` says what a tool is, `tools_*` are the twelve, `reference_tools` the nine of the reference memory server,
`resources` the views that only read; `server` hands them to the official SDK, `running` runs it over stdio or HTTP.
Nothing here loads the engine before a tool is called: a client waits for the handshake, not for the memory.
"""
