"""The families of pair features, each a function that writes its columns on a sheet."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from asterism.core.dialogue.features import Sheet, Window, best, nearest
from asterism.core.dialogue.features_lines import NOBODY, Singles, Talk, rarity
from asterism.core.dialogue.forms import FORM_NAMES
from asterism.core.ledger.columns import Bools, Longs

DISTANCES = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 8), (9, 12), (13, 20), (21, 40), (41, 10**9))
PAIRED = (
    "question",
    "asks_wh",
    "asks_help",
    "yes",
    "no",
    "acknowledge",
    "thanks",
    "greeting",
    "commands",
    "advises",
    "corrects",
    "done",
    "praise",
    "first_person",
    "second_person",
    "bot_call",
    "goes_on",
    "now",
    "plain",
    "act",
)
WITH_SPEAKER = (*FORM_NAMES, "act", "plain")


@dataclass(frozen=True, slots=True)
class Facts:
    """What several families ask of a talk, computed once."""

    flags: dict[str, Bools]  # by form, with `act` and `plain`
    partner: Longs  # with whom the speaker last exchanged names
    first_line: Bools  # of its speaker
    turn_start: Longs
    turn_end: Longs
    overlap: Singles  # lines x window: shared rare words, as a cosine
    shared: Singles  # lines x window: the rarest shared word
    held: dict[str, Bools]  # by word of the table's list: which lines of speech hold it


def facts_of(talk: Talk, size: int, vocabulary: Collection[str] = ()) -> Facts:
    """Compute them."""
    flags = {name: talk.forms[:, place] for place, name in enumerate(FORM_NAMES)}
    flags["act"] = talk.action
    speechlike = ["question", "yes", "no", "acknowledge", "thanks", "greeting", "commands", "bot_call"]
    flags["plain"] = ~talk.action & ~np.any([flags[name] for name in speechlike], axis=0)
    breaks = np.ones(len(talk), dtype=np.bool_)
    breaks[1:] = talk.speaker[1:] != talk.speaker[:-1]
    starts = np.flatnonzero(breaks)
    turn = np.cumsum(breaks) - 1
    ends = np.append(starts[1:], len(talk)) - 1
    overlap, shared = _overlaps(talk, size)
    held = {word: np.zeros(len(talk), dtype=np.bool_) for word in vocabulary}
    wanted = held.keys()
    for row in np.flatnonzero(~talk.action).tolist():
        for word in talk.said[row] & wanted:
            held[word][row] = True
    alone = talk.previous_own == NOBODY
    return Facts(flags, _partners(talk), alone, starts[turn], ends[turn], overlap, shared, held)


def _partners(talk: Talk) -> Longs:
    last: dict[int, int] = {}
    partner = np.full(len(talk), NOBODY, dtype=np.int64)
    for row, (speaker, named) in enumerate(zip(talk.speaker.tolist(), talk.named[:, 0].tolist(), strict=True)):
        partner[row] = last.get(speaker, NOBODY)
        if named != NOBODY:
            last[speaker] = named
            last[named] = speaker
    return partner


def _overlaps(talk: Talk, size: int) -> tuple[Singles, Singles]:
    weights = rarity(talk)
    total = np.zeros((len(talk), size), dtype=np.float32)
    rarest = np.zeros((len(talk), size), dtype=np.float32)
    norms = [sum(weights[word] ** 2 for word in words) ** 0.5 for words in talk.words]
    recent: dict[str, list[int]] = {}
    for y, words in enumerate(talk.words):
        for word in words:
            weight = weights[word]
            holders = recent.setdefault(word, [])
            for x in reversed(holders):
                d = y - x
                if d > size:
                    break
                total[y, d - 1] += weight * weight / (norms[x] * norms[y])
                rarest[y, d - 1] = max(rarest[y, d - 1], weight)
            holders.append(y)
    return total, rarest


def distance(sheet: Sheet, talk: Talk, facts: Facts, window: Window) -> None:  # noqa: ARG001 - as every family
    """How many lines lie between."""
    for nearest_d, farthest in DISTANCES:
        name = f"{nearest_d}" if nearest_d == farthest else f"{nearest_d}_{min(farthest, 99)}"
        sheet.put(f"distance.{name}", window.real & ((window.d >= nearest_d) & (window.d <= farthest)))
    sheet.put("distance.log", window.real * np.log(window.d))
    sheet.none("none.bias", 1.0)


def speakers(sheet: Sheet, talk: Talk, facts: Facts, window: Window) -> None:
    """Who speaks, in which turn, and who spoke in between."""
    x, y, same, other = window.x, window.y, window.same, window.other
    own_before = talk.previous_own[y][:, None]
    is_own_last = same & (x == own_before)
    last_of = window.real & (talk.next_own[x] >= y[:, None])
    goes_on = (facts.turn_start[y] < y)[:, None]
    new = facts.first_line[y][:, None]
    own_between: Longs = np.cumsum(same, axis=1) - same
    nearest_other = nearest(other)
    since_own = other & (x > own_before)
    in_turn = same & (x >= facts.turn_start[y][:, None])
    other_turn = other & (x >= facts.turn_start[np.maximum(facts.turn_start[y] - 1, 0)][:, None])
    sheet.put("speaker.same", same)
    sheet.put("speaker.own_last", is_own_last)
    sheet.put("speaker.own_last.d2", is_own_last & (window.d > 1))
    sheet.put("speaker.own_last.d6", is_own_last & (window.d > 5))
    sheet.put("speaker.same_turn", in_turn)
    sheet.put("speaker.same_turn.start", in_turn & (x == facts.turn_start[y][:, None]))
    sheet.put("speaker.other_nearest", nearest_other)
    sheet.put("speaker.other_turn", other_turn)
    sheet.put("speaker.other_turn.start", other_turn & (x == facts.turn_start[x]))
    sheet.put("speaker.other_since_own", since_own)
    sheet.put("speaker.other_since_own.first", since_own & (x == own_before + 1))
    sheet.put("speaker.last_of_x", last_of & other)
    sheet.put("speaker.last_turn_of_x", other & (talk.next_own[facts.turn_end[x]] >= y[:, None]))
    sheet.put("speaker.own_between", np.minimum(own_between, 6) * other)
    sheet.put("speaker.own_between_any", (own_between > 0) & other)
    sheet.put("speaker.goes_on.same", goes_on & same)
    sheet.put("speaker.goes_on.d1", goes_on & in_turn & (window.d == 1))
    sheet.put("speaker.goes_on.other_nearest", goes_on & nearest_other)
    sheet.put("speaker.goes_on.other_turn", goes_on & other_turn)
    sheet.put("speaker.new.other", new & other)
    sheet.put("speaker.new.d1", new & other & (window.d == 1))
    sheet.put("speaker.x_new", facts.first_line[x] & other)
    sheet.put("speaker.x_ends_turn", window.real & (facts.turn_end[x] == x))
    sheet.put("speaker.x_starts_turn", window.real & (facts.turn_start[x] == x))
    replied = other & (talk.previous_own[y][:, None] > x) & (talk.previous_own[np.maximum(x, 0)] < 0)
    sheet.put("speaker.x_new_before_own", replied)
    for role, roles in (("aa", (True, True)), ("ab", (True, False)), ("ba", (False, True)), ("bb", (False, False))):
        sheet.put(
            f"speaker.acts.{role}",
            window.real & (talk.acts[x] == roles[0]) & (talk.acts[y] == roles[1])[:, None] & talk.acts.any(),
        )
    sheet.none("none.new_speaker", facts.first_line[y])
    sheet.none("none.goes_on", facts.turn_start[y] < y)
    sheet.none("none.own_near", (talk.previous_own[y] >= y - 5) & ~facts.first_line[y])
    sheet.none("none.acts", talk.acts[y])


def forms(sheet: Sheet, talk: Talk, facts: Facts, window: Window) -> None:  # noqa: ARG001 - as every family
    """What x and y look like, apart and with the speaker."""
    x, y = window.x, window.y
    for name in WITH_SPEAKER:
        flag = facts.flags[name]
        xs, ys = flag[x] & window.real, flag[y][:, None]
        sheet.put(f"form.x_{name}", xs)
        sheet.put(f"form.x_{name}.same", xs & window.same)
        sheet.put(f"form.y_{name}.same", ys & window.same)
        sheet.put(f"form.y_{name}.d1", ys & window.real & (window.d == 1))
        sheet.none(f"none.y_{name}", ys[:, 0])


def pairs(sheet: Sheet, talk: Talk, facts: Facts, window: Window) -> None:  # noqa: ARG001 - as every family
    """Which form answers which, another speaker's."""
    x, y = window.x, window.y
    for first in PAIRED:
        xs = facts.flags[first][x] & window.other
        for second in PAIRED:
            sheet.put(f"pair.{first}>{second}", xs & facts.flags[second][y][:, None])


def open_intents(sheet: Sheet, talk: Talk, facts: Facts, window: Window) -> None:
    """Is x the nearest line of its kind, and what lies between."""
    x, y, other, same = window.x, window.y, window.other, window.same
    for name in ("question", "commands", "act", "asks_help", "thanks", "greeting", "bot_call", "plain"):
        flag = facts.flags[name][x]
        sheet.put(f"open.nearest_{name}", nearest(flag & other))
        sheet.put(f"open.own_nearest_{name}", nearest(flag & same))
        held: Longs = np.cumsum(flag & other, axis=1) - (flag & other)
        sheet.put(f"open.{name}_between", window.real & (held > 0))
    question = facts.flags["question"]
    y_free = ~question[y][:, None]
    sheet.put("open.question.y_answers", nearest(question[x] & other) & y_free)
    sheet.put(
        "open.question.y_answers_since_own", nearest(question[x] & other) & y_free & (x > talk.previous_own[y][:, None])
    )
    for name in ("acknowledge", "thanks", "yes", "no", "act", "commands", "question", "plain", "goes_on", "now"):
        flag = facts.flags[name][y][:, None]
        sheet.put(f"open.y_{name}.other_nearest", nearest(other) & flag)
        sheet.put(f"open.y_{name}.own_last", same & (x == talk.previous_own[y][:, None]) & flag)


def words(sheet: Sheet, talk: Talk, facts: Facts, window: Window) -> None:
    """Which rare words they share."""
    size = window.x.shape[1]
    overlap, shared = facts.overlap[window.y, :size], facts.shared[window.y, :size]
    sheet.put("words.overlap", overlap)
    sheet.put("words.overlap.same", overlap * window.same)
    sheet.put("words.shared", shared)
    sheet.put("words.shared.same", shared * window.same)
    sheet.put("words.best", best(overlap, window.real))
    sheet.put("words.best.other", best(overlap, window.other))
    sheet.put("words.any", overlap > 0)
    sheet.put("words.none_between", (overlap > 0) & (np.cumsum(overlap > 0, axis=1) == 1))
    sheet.none("none.no_words", overlap.max(axis=1) <= 0)
    sheet.none("none.best_shared", shared.max(axis=1))
    sheet.put("words.size_x", np.minimum(talk.size[window.x], 30) / 10 * window.real)
    sheet.put("words.short_x", window.real & (talk.size[window.x] <= 2))


def meaning(sheet: Sheet, talk: Talk, facts: Facts, window: Window) -> None:
    """How near their vectors are."""
    size = window.x.shape[1]
    near = np.zeros((len(window.y), size), dtype=np.float32)
    if talk.vectors is not None:
        near = _cosines(talk.vectors, window) * window.real
    sheet.put("meaning.cosine", near)
    sheet.put("meaning.cosine.same", near * window.same)
    sheet.put("meaning.best", best(near, window.real))
    sheet.put("meaning.best.other", best(near, window.other))
    question = facts.flags["question"]
    sheet.put("meaning.question_answer", near * (question[window.x] & window.other & ~question[window.y][:, None]))
    sheet.none("none.nearest_meaning", near.max(axis=1))


def _cosines(vectors: Singles, window: Window) -> Singles:
    found = np.zeros(window.x.shape, dtype=np.float32)
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    for d in range(1, window.x.shape[1] + 1):
        found[:, d - 1] = np.einsum("ij,ij->i", unit[window.y], unit[window.x[:, d - 1]])
    return found
