"""Sample data of our own, for the demo and for trying things out."""
