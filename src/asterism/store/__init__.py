"""Where ledgers and checkpoints are kept: two ports, a store and its place, and real implementations of both."""
