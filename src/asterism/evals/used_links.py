"""Who answers whom as a user gets it: lines are handed to `asterism.causal_links`, which chooses how to read them."""

from __future__ import annotations

from collections.abc import Sequence

from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.lines import Line
from asterism.evals.dialogue_sets import Dialogue, Pair
from asterism.transcripts.reading import transcript_of
from asterism.weights.links import causal_links

AS_USED = "as used: causal_links(lines, session=..), nothing else told"
WITH_KINDS = "as used: causal_links(lines with their kind, session=..)"
FROM_LOG = "as used: the log read as a transcript, nothing else told"


def lines_alone(dialogue: Dialogue) -> frozenset[Pair]:
    """Read who says what."""
    return links_of(causal_links([line._replace(kind=None) for line in dialogue.lines], session=dialogue.name))


def lines_with_kinds(dialogue: Dialogue) -> frozenset[Pair]:
    """Read who says or does what."""
    return links_of(causal_links(dialogue.lines, session=dialogue.name))


def links_of(reading: Reading) -> frozenset[Pair]:
    """Give what each line answers; where somebody was taken for a responder, what came of each intent."""
    if reading.replies:
        return frozenset((reply.head, reply.line) for reply in reading.replies)
    return frozenset(
        (link.intent_anchor_index, link.consequence_anchor_index)
        for link in reading.links
        if link.consequence_anchor_index is not None
    )


def log_read(dialogue: Dialogue, log: Sequence[str]) -> frozenset[Pair]:
    """Read a log as the file that it is, and give links by its rows."""
    lines = transcript_of("\n".join(log), name=dialogue.name.rsplit("/", 1)[-1] + ".txt").lines
    rows = rows_of_lines(log, lines)
    return frozenset((rows[head], rows[line]) for head, line in links_of(causal_links(lines, session=dialogue.name)))


def rows_of_lines(log: Sequence[str], lines: Sequence[Line]) -> list[int]:
    """Say in which row of a log each line begins; a row that begins none goes on with the line before.

    >>> said = [Line(0, "ann", "hi\\nall"), Line(1, "bo", "hello")]
    >>> rows_of_lines(["<ann> hi", "  all", "", "<bo> hello"], said)
    [0, 3]
    """
    rows: list[int] = []
    for place, row in enumerate(log):
        if len(rows) < len(lines) and row.strip() and row.rstrip().endswith(lines[len(rows)].content.split("\n")[0]):
            rows.append(place)
    return rows + [len(log) - 1] * (len(lines) - len(rows))
