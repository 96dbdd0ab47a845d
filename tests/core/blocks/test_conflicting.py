"""Conflicts as the fold keeps them: open while both sides are there and hold, in every order, packed and unpacked."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from asterism.core.blocks.capability import BLOCKS
from asterism.core.blocks.conflicting import (
    conflict_views,
    conflicts_of,
    conflicts_to_mark,
    earlier_and_later,
    open_conflicts,
)
from asterism.core.blocks.dreaming import dream_step
from asterism.core.blocks.explain import why_link, why_links
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.inputs import says, without
from asterism.core.blocks.links import Marked
from asterism.core.blocks.payloads import check_payload, payload_of, said_of
from asterism.core.blocks.read import block, links
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.snapshot import dump, load
from asterism.core.blocks.staging import inbox_of
from asterism.core.blocks.state import Active
from asterism.core.ledger.calendar import MICROS_PER_HOUR
from asterism.core.ledger.items import Item, Value, make_item
from asterism.core.space.projection import differences
from tests.support.asking import Asking
from tests.support.block_items import RULES, blocks_of, dreamed, item, learned

LISBON, PORTO, FARO = "Anna lives in Lisbon", "Anna moved to Porto", "Anna moved to Faro"
L, P, F = map(block_id, (LISBON, PORTO, FARO))
HOUR = MICROS_PER_HOUR
NOW = 100 * HOUR


def mark(a: str, b: str) -> str:
    return f"{min(a, b)} {max(a, b)} 0.9 home"


def told(content: str, hour: float, **terms: Value) -> Item:
    payload = {**learned(content, hour).payload, **terms}
    return make_item(space="me", what="learned", at=round(hour * HOUR), payload=payload, known_at=0)


DREAM = dreamed(3, promoted=sorted([L, P]), conflicts=[mark(L, P)])
ITEMS = [learned(LISBON, 1), learned(PORTO, 2), DREAM]


def seen(*items: Item) -> Blocks:
    blocks = blocks_of(*items)
    blocks.seen = NOW
    return blocks


def test_a_mark_is_a_link_that_nothing_fades_or_follows() -> None:
    blocks = seen(*ITEMS)
    (link,) = links(blocks)
    assert (link.kind, link.strength, link.family) == ("conflict", 0.9, "structural")
    assert {link.a, link.b} == {L, P}
    assert [(each.a, each.b) for each in links(blocks, P)] == [(P, L)]
    assert links(blocks, P, L) == links(blocks, P)
    assert not blocks.links.links
    assert links(blocks, L, block_id("tea")) == []
    assert open_conflicts(blocks, 10_000 * HOUR) == [Marked(min(L, P), max(L, P), 0.9, "home")]


def test_the_side_that_was_told_last_is_the_later() -> None:
    (view,) = conflict_views(seen(*ITEMS), NOW)
    assert (view.earlier.text, view.later.text, view.ends) == (LISBON, PORTO, {L, P})
    assert "home, 0.90" in str(view)
    (view,) = conflict_views(seen(*ITEMS, learned(LISBON, 5)), NOW)
    assert (view.earlier.text, view.later.text) == (PORTO, LISBON)
    (view,) = conflict_views(seen(*ITEMS, learned(LISBON, 5)), 4 * HOUR)
    assert view.later.text == PORTO
    (other,) = conflicts_of(seen(*ITEMS), L, NOW)
    assert (other.id, other.text, other.later, other.reason) == (P, PORTO, True, "home")
    (other,) = conflicts_of(seen(*ITEMS), P, NOW)
    assert (other.id, other.later) == (L, False)
    assert conflicts_of(seen(*ITEMS), F, NOW) == ()
    shown = block(seen(*ITEMS), L)
    assert shown is not None
    assert shown.conflicts == conflicts_of(seen(*ITEMS), L, NOW)
    assert conflicts_of(seen(*ITEMS, item("forgotten", 4, {"block": P})), L, NOW) == ()


@pytest.mark.parametrize(
    "ending",
    [
        item("forgotten", 4, {"block": L}),
        item("edited", 4, {"block": L, "content": "Anna lived in Lisbon"}),
        told(PORTO, 4, replaces=L),
        told(LISBON, 4, valid_until=5 * HOUR),
        told(LISBON, 4, expires=5 * HOUR),
    ],
)
def test_a_conflict_ends_when_a_side_is_no_longer_current(ending: Item) -> None:
    blocks = seen(*ITEMS, ending)
    assert open_conflicts(blocks, NOW) == []
    assert links(blocks, L) == links(blocks) == []


def test_what_is_restored_is_in_conflict_again() -> None:
    ended = item("forgotten", 4, {"block": L})
    assert open_conflicts(seen(*ITEMS, ended, item("restored", 5, {"block": L})), NOW)


def test_marks_do_not_depend_on_the_order_in_which_items_come() -> None:
    for order in permutations(ITEMS):
        blocks = Blocks(RULES)
        for each in order:
            blocks.apply(each)
        if blocks.stale:
            blocks.refold(sorted(ITEMS, key=lambda each: each.position))
        assert open_conflicts(blocks, NOW) == open_conflicts(seen(*ITEMS), NOW)


def test_marks_are_packed_and_copied_and_those_without_leave_no_column() -> None:
    blocks = seen(*ITEMS)
    again = load(dump(blocks), RULES)
    assert again.marked == blocks.marked == blocks.copy().marked
    assert not differences(dump(again), dump(blocks))
    assert "marked" not in dump(seen(*ITEMS[:2]))


def test_a_block_that_was_erased_leaves_no_mark() -> None:
    assert says(DREAM).parts == {L, P}
    trimmed = without(DREAM.payload, {L})
    assert trimmed is not None
    assert "conflicts" not in trimmed
    check_payload("dreamed", trimmed)
    three = dreamed(3, promoted=sorted([L, P, F]), conflicts=sorted([mark(L, P), mark(P, F)]))
    left = without(three.payload, {L})
    assert left is not None
    assert left["conflicts"] == [mark(P, F)]
    assert open_conflicts(seen(ITEMS[1], DREAM), NOW) == []


def test_a_dream_compares_what_is_new_with_what_is_active_and_has_not_ended() -> None:
    blocks = seen(*ITEMS, learned(FARO, 5), learned("Ben lives in Rome", 5), learned("It rained.", 5))
    new = inbox_of(blocks).ids
    assert [{*each[:2]} for each in conflicts_to_mark(blocks, new, NOW)] == [{end, F} for end in sorted((L, P))]
    blocks = seen(*ITEMS, told(FARO, 5, replaces=L))
    assert [{*each[:2]} for each in conflicts_to_mark(blocks, [F], NOW)] == [{P, F}]
    assert conflicts_to_mark(blocks, [], NOW) == []


def test_what_a_speaker_says_of_himself_meets_what_others_say_of_him() -> None:
    mine = told("I live in Rome", 1, speaker="Anna")
    blocks = seen(
        mine, dreamed(2, promoted=[block_id("I live in Rome")]), learned(PORTO, 3), learned("I live in Bonn", 3)
    )
    (found,) = conflicts_to_mark(blocks, inbox_of(blocks).ids, NOW)
    assert {*found[:2]} == {P, block_id("I live in Rome")}


def test_a_pair_in_conflict_is_neither_duplicate_nor_superseded() -> None:
    dark, light = "The user prefers dark mode", "The user prefers light mode"
    for order in ((1, 2), (2, 1)):
        blocks = seen(learned(dark, order[0]), learned(light, order[1]))
        inbox, vectors = inbox_of(blocks), np.full((2, 4), 0.5, dtype=np.float32)
        marks = conflicts_to_mark(blocks, inbox.ids, NOW)
        plain = dream_step(Active.none(4), inbox, vectors, now_hours=0.0, parameters=RULES)
        kept = dream_step(Active.none(4), inbox, vectors, now_hours=0.0, parameters=RULES, conflicts=marks)
        assert plain.duplicates
        assert (kept.duplicates, kept.superseded, kept.conflicts) == ((), (), tuple(marks))
        assert len(kept.promoted) == 2
        assert said_of(payload_of(kept, dream="d")).conflicts == marks
        assert "conflicts" not in payload_of(plain, dream="d")


def test_of_what_repeats_something_no_conflict_is_told() -> None:
    blocks = seen(learned(PORTO, 1), learned("Anna has moved to Porto", 2), learned(LISBON, 3))
    inbox = inbox_of(blocks)
    near = np.array([[0.0, 1.0] if name == L else [1.0, 0.0] for name in inbox.ids], dtype=np.float32)
    marks = conflicts_to_mark(blocks, inbox.ids, NOW)
    done = dream_step(
        Active.none(2), inbox, near, now_hours=0.0, parameters=RULES, conflicts=[*marks, Marked("a", "b", 0.9, "home")]
    )
    assert len(marks) == 2
    assert [{*each[:2]} for each in done.conflicts[:-1]] == [{P, L}]


def test_a_conflict_says_why() -> None:
    asked = Asking(BLOCKS, ITEMS)
    asked.fold.seen = NOW
    why = why_link(asked, L, P, "conflict")
    assert why is not None
    assert (why.number, why.total, why.lines[0].value) == ("confidence", 0.9, 0.9)
    assert why.notes[0].endswith(LISBON)
    assert why.notes[2].startswith("found by the dream of ")
    assert why_links(asked, [(P, L, ""), (P, L, "similar"), (P, F, "")]) == [why, None, None]


def test_the_strongest_link_of_two_is_told_if_nobody_says_which() -> None:
    linked = dreamed(3, promoted=sorted([L, P]), created=[f"{min(L, P)} {max(L, P)} 1.0"], conflicts=[mark(L, P)])
    asked = Asking(BLOCKS, [*ITEMS[:2], linked], vectors=lambda _: [1.0, 0.0])
    asked.fold.seen = 0
    asked.fold.seen = NOW
    why = why_link(asked, L, P, "")
    assert why is not None
    assert why.subject.endswith("#similar")


def test_the_earlier_side_of_each_conflict_is_known_while_both_are_there() -> None:
    assert list(earlier_and_later(seen(*ITEMS))) == [(L, P)]
    assert list(earlier_and_later(seen(*ITEMS, learned(LISBON, 5)))) == [(P, L)]
    assert list(earlier_and_later(seen(*ITEMS, item("forgotten", 4, {"block": L})))) == []
    assert list(earlier_and_later(seen(ITEMS[0], DREAM))) == []
