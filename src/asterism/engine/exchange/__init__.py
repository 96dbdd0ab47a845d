"""Taking a memory out and in: merge, export, import, the reference server."""
