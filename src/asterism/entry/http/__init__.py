"""The memory as a service over HTTP: the commands of the command line, tokens, events, and MCP on one port."""
