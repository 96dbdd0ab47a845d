"""What blocks say when they are asked why, and why not."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from asterism.core.blocks.capability import BLOCKS
from asterism.core.blocks.explain import added, why_block, why_link, why_links
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.gates import why_gone, why_no_link
from asterism.core.blocks.scoring import block_id
from asterism.core.ledger.items import Item
from asterism.core.space.parameters import SpaceParameters
from asterism.errors import InputError
from tests.support.asking import Asking
from tests.support.block_items import RULES, dreamed, item, learned

A, B = sorted([block_id("tea at 4"), block_id("tea at 5")])
LEARNED = [learned("tea at 4", 1), learned("tea at 5", 1)]
LINKED = [*LEARNED, dreamed(2, promoted=[A, B], created=[f"{A} {B} 0.5"])]


def asking(*items: Item, kept: list[Item] | None = None, embedder: bool = True) -> Asking[Blocks]:
    return Asking(BLOCKS, items, kept=kept, vectors=(lambda _: [1.0, 0.0]) if embedder else None)


def told(asked: Asking[Blocks]) -> list[str]:
    """Give the lines of the link of A and B, which add up."""
    why = why_link(asked, A, B, "similar")
    assert why is not None
    assert sum(line.value for line in why.lines) == pytest.approx(why.total)
    return [line.text for line in why.lines][:-1]  # the last is what has faded


def test_a_block_says_what_stands_for_it() -> None:
    why = why_block(
        asking(learned("tea", 1), item("edited", 2, {"block": block_id("tea"), "content": "green tea"})),
        block_id("tea"),
    )
    assert why is not None
    assert why.notes[1:] == (f"{block_id('green tea')} stands for it now", "put away 1970-01-01 02:00")


def test_a_block_of_many_links_says_how_many_more_there_are() -> None:
    tea, *others = [block_id(f"tea of {number}") for number in range(5)]
    pairs = [sorted([tea, other]) for other in others]
    dream = dreamed(2, promoted=sorted([tea, *others]), created=sorted(f"{a} {b} 0.5" for a, b in pairs))
    used = [
        item("used", 3 + hour, {"blocks": pair, "session": f"day {hour}"}) for pair in pairs[:3] for hour in range(3)
    ]
    why = why_block(asking(*(learned(f"tea of {number}", 1) for number in range(5)), dream, *used), tea)
    assert why is not None
    assert why.notes[-1] == "and 2 more links"  # four of a dream, three of use


def test_what_no_item_explains_is_a_line_of_its_own() -> None:
    assert told(asking(*LINKED, kept=LEARNED)) == ["as it stood before"]


def test_a_score_that_its_parts_do_not_give_is_told_as_the_dream_saw_it() -> None:
    assert told(asking(*LINKED))[-1] == "as the dream saw it, with the vectors, tags and parameters of then"


def test_without_the_vectors_a_score_is_told_alone() -> None:
    assert told(asking(*LINKED, embedder=False)) == ["1970-01-01 02:00: score of a dream"]


class Counting(Asking[Blocks]):
    """Counts how often the items are read."""

    reads = 0

    def items(self, kinds: Collection[str] = ()) -> Sequence[Item]:
        self.reads += 1
        return super().items(kinds)


def test_many_links_are_told_as_each_alone_with_the_blocks_folded_once() -> None:
    names = [block_id(f"tea of {number}") for number in range(4)]
    pairs = [sorted(pair) for pair in combinations(names, 2)]
    dream = dreamed(2, promoted=sorted(names), created=sorted(f"{a} {b} 0.5" for a, b in pairs))
    used = [item("used", 3 + hour, {"blocks": pairs[0], "session": f"day {hour}"}) for hour in range(3)]
    asked = Counting(BLOCKS, [*(learned(f"tea of {number}", 1) for number in range(4)), dream, *used])
    wanted = [(a, b, kind) for a, b in [*pairs, ["no", "such"]] for kind in ("similar", "co_occurs", "")]
    alone = [why_link(asked, *each) for each in wanted]
    assert sum(each is not None for each in alone) == 2 * len(pairs) + 1
    asked.reads = 0
    assert why_links(asked, wanted) == alone
    assert asked.reads == 1


def test_a_link_that_was_dropped_begins_anew() -> None:
    again = [dreamed(3, dream="e", displaced=[f"{A} {B} 0.5"]), dreamed(4, dream="f", created=[f"{A} {B} 0.75"])]
    assert told(asking(*LINKED, *again, embedder=False)) == ["1970-01-01 04:00: score of a dream"]


def test_an_item_that_changes_many_blocks_names_some() -> None:
    names = sorted(block_id(f"tea of {number}") for number in range(25))
    dream = dreamed(2, promoted=names)
    done = added(asking(*(learned(f"tea of {number}", 1) for number in range(25)), dream), dream)
    assert done.notes[-1] == "and 5 more blocks"
    assert len(done.notes) == 21


def test_a_block_whose_heir_was_erased_is_gone() -> None:
    asked = asking(learned("tea", 1), item("edited", 2, {"block": block_id("tea"), "content": "green tea"}))
    del asked.fold.blocks[block_id("green tea")]
    gate = why_gone(asked, block_id("tea"))
    assert gate is not None
    assert gate.change.endswith("what took its place was erased.")


def test_blocks_that_took_each_others_place_are_gone() -> None:
    asked = asking(*LEARNED)
    for one, other in ((A, B), (B, A)):
        asked.fold.blocks[one].status, asked.fold.blocks[one].heir = "edited", other
    gate = why_gone(asked, A)
    assert gate is not None
    assert gate.gate == "gone"


def test_a_score_is_the_sum_of_its_parts() -> None:
    why = why_link(asking(*LINKED), A, B, "")
    assert why is not None
    score = sum(line.value for line in why.lines[:4])
    again = dreamed(2, promoted=[A, B], created=[f"{A} {B} {score!r}"])
    assert [text.partition(" ")[0] for text in told(asking(*LEARNED, again))] == ["cosine", "tags", "category", "time"]


def test_what_happens_at_once_fades_nothing_between() -> None:
    went = [item("outcome", 3, {"blocks": [A, B], "signal": signal}) for signal in (0.9, 1.0)]
    why = why_link(asking(*LINKED, *went), A, B, "outcome")
    assert why is not None
    texts = [line.text.partition(": ")[2] for line in why.lines[:-1]]
    assert sorted(texts) == ["outcome 0.9", "outcome 1"]


def test_a_link_that_another_block_took_over_says_so() -> None:
    went = item("outcome", 3, {"blocks": [A, B], "signal": 1.0})
    edited = item("edited", 4, {"block": A, "content": "tea at noon"})
    why = why_link(asking(*LINKED, went, edited), block_id("tea at noon"), B, "outcome")
    assert why is not None
    assert why.lines[0].text == "1970-01-01 04:00: taken over from a block whose place this one took (edited)"


PROMOTED = [*LEARNED, dreamed(2, promoted=[A, B])]


@pytest.mark.parametrize(
    ("cosine", "set_to", "gate"),
    [
        (0.0, {}, "guard"),
        (0.4, {"edge_score_threshold": 0.55}, "threshold"),
        (0.4, {"edge_score_threshold": 1.0, "weight_tags": 0.01}, "threshold"),
        (1.0, {"edge_degree_cap": 0}, "cap"),
        (1.0, {}, "none"),
    ],
)
def test_the_gate_of_a_dream_names_the_evidence_that_passes_it(
    cosine: float, set_to: dict[str, float], gate: str
) -> None:
    rules = SpaceParameters(replace(RULES, **set_to))  # type: ignore[arg-type]  # by the names of its fields

    def vectors(text: str) -> list[float]:
        return [1.0, 0.0] if text.endswith("4") else [cosine, (1 - cosine**2) ** 0.5]

    answer = why_no_link(Asking(BLOCKS, PROMOTED, rules=rules, vectors=vectors), A, B, "similar")
    assert (answer.gate, answer.tell) == (gate, ("observe", A, B, "user_creates"))


def test_connections_take_the_room_of_links() -> None:
    others = [block_id(f"milk of {number}") for number in range(5)]
    learn = [learned(f"milk of {number}", 1) for number in range(5)]
    items = [*LEARNED, *learn, dreamed(2, promoted=sorted([A, B, *others]))]
    for a, b in (sorted([A, other]) for other in others):
        items.append(item("evidence", 3, {"a": a, "b": b, "kind": "user_creates"}))
    answer = why_no_link(Asking(BLOCKS, items, vectors=lambda _: [1.0, 0.0]), A, B, "similar")
    assert (answer.gate, answer.needed) == ("cap", 1.0)


def test_a_block_is_not_linked_to_itself() -> None:
    with pytest.raises(InputError, match="cannot be linked to itself"):
        why_no_link(asking(*LINKED), A, A, "similar")
