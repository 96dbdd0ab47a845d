"""The second look: what the first look believes of the lines around helps to choose again.

The first look gives every line a probability for each candidate. From these: what the speaker answered before, which
thread a line belongs to, whether a candidate has its answer already, or will get a better one later.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from asterism.core.dialogue.features import Grid, Sheet, Window, nearest
from asterism.core.dialogue.features_lines import NOBODY, Singles, Talk
from asterism.core.dialogue.features_pairs import Facts
from asterism.core.ledger.columns import Longs


@dataclass(frozen=True, slots=True)
class Past:
    """What the first look believes: p of every line for each candidate and none, and what follows from it."""

    p: Singles  # lines x (window + 1)
    head: Longs  # the likeliest, -1 for none
    thread: Longs  # the line that the chain of heads starts with
    next_in_thread: Longs  # the next line of the same thread
    answers: Singles  # lines x (window + 1): how much this line is answered within the next 0, 1, 2, .. lines


def past_of(p: Singles) -> Past:
    """Draw heads, threads and answers from the probabilities."""
    lines, size = len(p), p.shape[1] - 1
    top = p.argmax(axis=1)
    rows = np.arange(lines)
    head = np.where(top < size, rows - top - 1, NOBODY)
    thread = rows.copy()
    for row, above in enumerate(head.tolist()):
        if above != NOBODY:
            thread[row] = thread[above]
    following = np.full(lines, lines, dtype=np.int64)
    order = np.argsort(thread, kind="stable")
    alike = thread[order[1:]] == thread[order[:-1]]
    following[order[:-1][alike]] = order[1:][alike]
    answers = np.zeros((lines, size + 1), dtype=np.float32)
    for d in range(1, min(size, lines - 1) + 1):
        answers[:-d, d] = p[d:, d - 1]
    return Past(p, head, thread, following, np.cumsum(answers, axis=1))


def history(sheet: Sheet, talk: Talk, facts: Facts, window: Window, past: Past) -> None:
    """What the speaker answered before, threads, and rivals for the same candidate."""
    x, y, same, other, real = window.x, window.y, window.same, window.other, window.real
    size = x.shape[1]
    own = talk.previous_own[y]
    had = own >= 0
    at = np.maximum(own, 0)
    own_head = np.where(had, past.head[at], NOBODY)[:, None]
    goes_on = (facts.turn_start[y] < y)[:, None]
    sy = talk.speaker[y][:, None]
    above = past.head[x]
    put = sheet.put
    before = np.take_along_axis(past.answers[x], np.maximum(window.d - 1, 0)[None, :, None].repeat(len(y), 0), 2)[
        :, :, 0
    ]
    upto = np.take_along_axis(past.answers[x], window.d[None, :, None].repeat(len(y), 0), 2)[:, :, 0]
    after = past.answers[x][:, :, -1] - upto
    soft_own = _between(past.p, own, x, size) * real
    put("history.head_of_own", real & (x == own_head))
    put("history.head_of_own.goes_on", real & (x == own_head) & goes_on)
    put("history.head_of_own.soft", soft_own)
    put("history.head_of_own.goes_on.soft", soft_own * goes_on)
    put("history.head_of_line_before", real & (x == past.head[np.maximum(y - 1, 0)][:, None]))
    put("history.head_of_line_before.other", real & (x == past.head[np.maximum(y - 1, 0)][:, None]) & ~goes_on)
    put("history.x_answers_y", other & (above >= 0) & (talk.speaker[np.maximum(above, 0)] == sy))
    put("history.x_answers_y.nearest", nearest(other & (above >= 0) & (talk.speaker[np.maximum(above, 0)] == sy)))
    put("history.x_answers_own", other & (above == own[:, None]) & had[:, None])
    put("history.x_answers_own.nearest", nearest(other & (above == own[:, None]) & had[:, None]))
    put("history.x_answers_other", other & (above >= 0) & (talk.speaker[np.maximum(above, 0)] != sy))
    put("history.x_starts", real * past.p[x, -1])
    put("history.x_starts.other", other * past.p[x, -1])
    same_thread = real & had[:, None] & (past.thread[x] == past.thread[at][:, None])
    put("history.own_thread", same_thread)
    put("history.own_thread.last", nearest(same_thread))
    put("history.own_thread.last_other", nearest(same_thread & other))
    put("history.own_thread.other", same_thread & other)
    put("history.last_of_thread", real & (past.next_in_thread[x] >= y[:, None]))
    put("history.last_of_thread.other", other & (past.next_in_thread[x] >= y[:, None]))
    put("history.thread_before", real & (past.thread[x] == past.thread[np.maximum(y - 1, 0)][:, None]))
    put("history.answered", before * real)
    put("history.answered.other", before * other)
    put("history.unanswered_question", other & (before < 0.5) & facts.flags["question"][x])
    put("history.nearest_unanswered_question", nearest(other & (before < 0.5) & facts.flags["question"][x]))
    put("history.nearest_unanswered", nearest(other & (before < 0.5)))
    put("history.later", after * real)
    put("history.later.same", after * same)
    p = past.p[y]
    rival = np.maximum(past.answers[x][:, :, -1] - p[:, :-1], 0)
    put("history.p", p[:, :-1] * real)
    put("history.rivals", np.minimum(rival, 1.0) * real)
    put("history.log_p", np.log(np.maximum(p[:, :-1], 1e-4)) * real)
    sheet.none("history.p", p[:, -1])
    sheet.none("history.log_p", np.log(np.maximum(p[:, -1], 1e-4)))
    sheet.none("none.own_started", np.where(had, past.p[at, -1], 0.0))
    sheet.none("none.line_before_starts", past.p[np.maximum(y - 1, 0), -1] * (y > 0))
    nexts = np.minimum(y + 1, len(talk) - 1)
    sheet.none("none.next_answers", past.p[nexts, 0] * (y + 1 < len(talk)))
    sheet.none("none.answered", past.answers[y, -1])


def _between(p: Singles, row: Longs, x: Longs, size: int) -> Grid:
    """Give p(row answers x) for each row's candidates, 0 where x is out of its window."""
    gap = row[:, None] - x
    inside = (gap >= 1) & (gap <= size)
    return np.where(inside, p[np.maximum(row, 0)[:, None], np.clip(gap - 1, 0, size - 1)], 0.0)
