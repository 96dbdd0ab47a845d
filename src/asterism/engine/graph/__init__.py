"""The memory as one graph of nodes and links."""
