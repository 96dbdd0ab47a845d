"""Blocks: things learned, and the structural links between them.

`scoring` and `facts` are about two blocks, `batch` gives the same numbers for many pairs, `duplicates`, `candidates`,
`cells` and `edges` are the steps of a dream, `dreaming` is the whole of it as a value, `fold` what items make of it.
"""
