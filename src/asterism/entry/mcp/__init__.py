"""The MCP server: `asterism mcp`.

`tool` says what a tool is, `tools_*` are the twelve, `reference_tools` the nine of the reference memory server,
`resources` the views that only read; `offering` has them all as plain values. `stdio` speaks the protocol with the one
client that started us, `server` hands the same to the official SDK, for HTTP; `running` runs either.
Nothing here loads the engine before a tool is called: a client waits for the handshake, not for the memory.
"""
