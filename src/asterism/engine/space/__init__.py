"""One open space: written to, followed, and read at any time."""
