"""Why a number is what it is, and why something is not there.

`why` and `why_not` find out what is meant and ask the table of capabilities: each explains its own, in `core/`, by the
shape of `core/ledger/explain.py`. Here is what an explanation needs of a store (`look`), and what recall answers.
"""
