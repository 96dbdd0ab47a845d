"""Causal links: lines a second against the plain walk, growth up to a million lines, memory; readers and the page."""

from __future__ import annotations

import math
import resource
import sys
from collections.abc import Iterator

import numpy as np

from asterism.core.dialogue.beats import beats
from asterism.core.dialogue.kernel import Reading, causal_links
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.links import CausalLink
from asterism.entry.pages.transcript_page import page
from asterism.transcripts import Transcript, transcript_of, write_transcript
from bench.timing import Figure, Goal, Timing, duration, interleaved, rate, timed
from tests.support.dialogue import plain_causal_links

NAME = "causal_links"
PLAYERS = ("Ann", "Bo", "Cy", "Di", "Ed")
MASTER = "DM"
EVENING = 4_000  # lines of a session of four hours
# Shares as in real play: a quarter of the lines are the master's, four of ten of the others intend something.
OPENINGS = (
    ("{}?", 0.22),
    ("Can I see the {}?", 0.03),
    ("Do I know the {}?", 0.02),
    ("I want to find the {}.", 0.015),
    ("I'm going to take the {}.", 0.03),
    ("I open the {} and look inside.", 0.035),
    ("I'll go to the {}.", 0.03),
    ("Let's try the {}.", 0.015),
    ("We should leave the {} alone.", 0.01),
    ("{}.", 0.595),
)
ANSWERS = (
    "You see the {} in front of you.",
    "Make a perception check.",
    "Yes, the {} opens slowly.",
    "No. There is nothing like a {} here.",
    "Okay.",
    "You find the {} under a cloth, and something moves behind it.",
)


def run(*, quick: bool) -> Iterator[Figure]:
    sizes = (EVENING, 25_000, 100_000) if quick else (EVENING, 28_000, 1_000_000)
    taken: dict[int, Timing] = {}
    for size in sizes:
        lines = talk(size)
        repeat = 7 if size < 10_000 else 3 if size < 200_000 else 1
        plain: list[list[CausalLink]] = []
        ours: list[Reading] = []
        jobs = {"plain": lambda: plain.append(walked(lines)), "ours": lambda: ours.append(read(lines))}  # noqa: B023
        both = interleaved(jobs, repeat=repeat)
        taken[size] = both["ours"]
        found = ours[-1].metrics
        yield rate(
            f"causal links of {size:,} lines",
            both["ours"],
            "lines/s",
            units=size,
            other="the plain walk, one line and one rule after the other",
            theirs=both["plain"],
            goal=Goal("ratio", ">=", 3.0),
            note=f"{found.intents:,} intents, {found.coverage:.0%} answered; "
            f"the same links: {plain[-1] == list(ours[-1].links)}; {peak()}",
        )
    yield duration(
        f"an evening of {EVENING:,} lines", taken[EVENING], "s", goal=Goal("ours", "<=", 0.5), note="four hours of play"
    )
    yield growth(taken)
    yield from around(talk(EVENING))


def read(lines: list[Line], *, traces: bool = False) -> Reading:
    return causal_links(lines, session="s", responders=[MASTER], traces=traces)


def walked(lines: list[Line]) -> list[CausalLink]:
    return plain_causal_links(lines, session="s", players=frozenset(PLAYERS), masters=frozenset([MASTER]))


def peak() -> str:
    return f"peak memory so far {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"


def growth(taken: dict[int, Timing]) -> Figure:
    small, large = min(taken), max(taken)
    cpu, wall = (
        math.log(getattr(taken[large], clock) / getattr(taken[small], clock)) / math.log(large / small)
        for clock in ("cpu", "wall")
    )
    return Figure(f"growth from {small:,} to {large:,}, exponent", "", cpu, wall, goal=Goal("ours", "<=", 1.15))


def around(lines: list[Line]) -> Iterator[Figure]:
    """What comes before and after the kernel, for one evening."""
    text = write_transcript(Transcript(tuple(lines), "jsonl", "s"))
    yield duration(f"read {len(lines):,} lines of JSON", timed(lambda: transcript_of(text)), "s")
    traced: list[Reading] = []
    yield duration("the same with a trace of every intent", timed(lambda: traced.append(read(lines, traces=True))), "s")
    yield duration("join its links into beats", timed(lambda: beats(traced[0])), "s")
    pages: list[str] = []
    drawn = timed(lambda: pages.append(page(traced[0])))
    yield duration("draw the annotated page", drawn, "s", note=f"{len(pages[0]) / 1e6:.1f} MB")


def talk(size: int) -> list[Line]:
    """Make a session of sentences that do not repeat."""
    chance = np.random.default_rng(size)
    letters = np.array(list("abcdefghijklmnoprstuvw"))
    vocabulary = ["".join(chance.choice(letters, length)) for length in chance.integers(2, 9, 4_000)]
    common = np.minimum(chance.zipf(1.25, size * 24) - 1, len(vocabulary) - 1)
    counts = chance.integers(1, 13, size)
    shares = np.cumsum([share for _, share in OPENINGS])
    form = np.searchsorted(shares, chance.random(size) * shares[-1])
    speaks = chance.random(size)
    player = chance.integers(0, len(PLAYERS), size)
    answer = chance.integers(0, len(ANSWERS), size)
    lines = []
    for place in range(size):
        is_master = speaks[place] < 0.27
        count = int(counts[place]) * (2 if is_master else 1)
        said = " ".join([vocabulary[number] for number in common[place * 24 : place * 24 + count].tolist()])
        text = ANSWERS[answer[place]] if is_master else OPENINGS[form[place]][0]
        tail = "" if "{}" in text else f" {said}"
        lines.append(Line(place, MASTER if is_master else PLAYERS[player[place]], text.format(said) + tail))
    return lines


if __name__ == "__main__":
    sys.exit("run it as: python -m bench causal_links")
