"""Where ledgers and checkpoints are kept: one port, and real implementations of it."""
