"""Levels: what a market remembers about a price.

A *level* is a node with a price instead of a text. Resting orders, fills, liquidations and turned-back visits make
it and strengthen it; time wears it down. The rules are spelled out once, in `plain`; `kernel` is the same book over
arrays, compiled, and gives the same bits.
"""
