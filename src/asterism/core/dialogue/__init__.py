"""Dialogue: who intended what, and what came of it.

`lines` is what a transcript is made of, `eligibility` which lines count, `actors` who speaks, `intents` and
`consequences` the rules that read a line, `scoring` how near a response is, `allocation` who gets it, `kernel` all of
it as one call, `beats` and `metrics` what the links add up to, `fold` what a reading leaves in a memory.
"""
