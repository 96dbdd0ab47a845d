"""Connections: how two things become linked, and what the link does (spec 01).

words       the closed vocabularies          states      the ladder of states
parameters  every number                     causation   lags between changes
evidence    what an item is worth            link_type   which kind a pair is
decay       how things fade                  influence   what links do to stars
today       the open day                     predictions what causal links expect
day         the day's end                    stars       states of a star
fold        items and days into columns      snapshot    columns in canonical order
tables      the columns                      read        what a reader sees
"""
