"""Walkers: exploration with a query and an intention.

`states` is the machine, `formulas` the numbers of the page, `vectors` and `scoring` the same for all links of a node,
`graph` what a walker sees, `walker` one of them, `tour` what they share, `steps` what they do in each state,
`expedition` all of them in rounds, `effects` what an exploration leaves behind, `fold` what the ledger makes of it,
`laying` how that comes onto the next graph, `trace` and `result` what is told. Nothing here waits: a step asks for what
it needs by a value and is answered.
"""
