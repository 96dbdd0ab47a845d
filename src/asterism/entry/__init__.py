"""Front doors: the command line, the MCP server and pages; the lines of text that they show are made in `text`."""
