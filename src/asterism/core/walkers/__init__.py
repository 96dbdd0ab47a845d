"""Walkers: exploration with a query and an intention. Nothing here waits: a step asks by a value and is answered.

The way through it, in the order in which a walk comes by:

    graph, places, nearest          what a walker sees, asks for and is answered
    states                          the machine: a table of moves
    formulas, scoring, vectors      the numbers of the page; the same for all links of a node at once
    walker, tour                    one walker; what all of one exploration share
    steps, crystals                 what a walker does in each state; the narrative it leaves
    expedition                      all walkers, in rounds
    trace, result                   what is told
    effects, payloads               what an exploration leaves behind, as an item; the test of one that comes in
    fold, snapshot                  what the ledger makes of such items; packed
    laying                          how that comes onto the next graph
    capability, parameters,         walks as a row of the table, with their numbers,
    inputs, shown                   what items are about, and what the space's graph shows of them
"""
