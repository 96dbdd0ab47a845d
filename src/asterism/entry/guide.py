"""The few ideas behind all commands and tools, on one page."""

from __future__ import annotations

GUIDE = """\
# Asterism in a few words
A memory that grows connections from evidence, lets them fade with time, and
can say why every number is what it is.

memory    One file. Chosen with --db FILE or ASTERISM_DB; otherwise it lies in
          your data folder.
space     A graph of its own inside the memory: a person, an agent, a project.
          Chosen with --space NAME or ASTERISM_SPACE; otherwise "default".
block     A text you let it learn: a fact, a note, a turn of a talk. It is
          recalled at once; its id comes from its words, so twice is one.
dream     Consolidates what was learned: leaves near-duplicates out and links
          what is alike. Shared tags connect blocks at lower similarity.
recall    Finds by words, by meaning and over links, each hit with its reason.
star      Something that matters, with a brightness from 0.05 to 1 and perhaps a
          domain (health, relationships, wealth, purpose, soul) that decides how
          fast it fades. You add it, engage with it, or say how bright it is.
link      A connection between two things. Nobody draws it: evidence makes it.
          It has a strength, a confidence, a state and a kind. Besides these,
          dreams, transcripts and walkers leave structural links (similar,
          caused, walk, ..), which have a strength alone.
diary     Values day by day, from a CSV or a line; discover says what they show.
evidence  Something that supports a link: you confirm it, a journal mentions
          both on one evening, two diaries move together. Each item adds a
          little; what one day can add is capped.
time      Links fade when nothing happens. They are new, forming, weak,
          moderate or strong; they fall asleep, wake up with new evidence, or
          are gone (in --json: NASCENT .. STRONG, DORMANT, DISSOLVED). Days end
          at midnight UTC.
kind      resonance (together), tension (against each other), causation and
          growth_edge (one, then the other), blocks (one holds the other down),
          shadow_mirror (one is dark). Detected from the diaries, or assigned.
level     A price that a market remembers. Feeds of trades, books, prices and
          liquidations make it (asterism market feed); it fades by the second.
ledger    Whatever you tell is kept as an item that never changes. The same
          thing of the same time told twice is one item; told late, it is as
          good as in time.
fold      Stars, links and states are computed from the ledger, day by day. The
          same items give the same memory, bit for bit, in any order.
why       The arithmetic behind a number. Its lines add up.

# A first session
asterism learn "Deploys fail when the cache is cold" --tag ops
asterism dream
asterism recall "why did the deployment fail?"
asterism diary add sleep=6.5 mood=4
asterism observe sleep mood user_creates --note "bad night, bad day"
asterism why sleep mood
asterism project --days 30

# Good to know
--at TIME     tells about another moment, or shows it: 2026-09-30T18:30Z, or a
              date: told, it means noon UTC; asked, its end (never after now).
              Shared options go before or after the command.
--json        gives one JSON document; errors too, on stderr.
exit codes    0 fine, 1 it differs or failed, 2 wrong use, 3 no such thing,
              4 the file refused.
colours       off when the output is no terminal, or with NO_COLOR=1.
completion    eval "$(asterism completion bash)" in your shell's start-up file;
              asterism completion --help shows zsh and fish.
"""
