"""How long what was told holds: occurrences, slots, replacements, ends, and what is put away meanwhile."""

from __future__ import annotations

import pytest

from asterism.core.blocks.capability import BLOCKS
from asterism.core.blocks.explain import why_block
from asterism.core.blocks.fold import Blocks, Learned, folded
from asterism.core.blocks.inputs import says, without
from asterism.core.blocks.links import Link, Links, key_of
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.payloads import check_payload
from asterism.core.blocks.read import block, last_values, slot_values
from asterism.core.blocks.records import Occurrence
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.snapshot import dump, load
from asterism.core.blocks.staging import active_of
from asterism.core.blocks.state import Protected
from asterism.core.blocks.validity import (
    EXPIRED,
    PUT_AWAY,
    VALID_UNTIL,
    Held,
    Stay,
    ended_by,
    expired,
    history,
    is_current,
    stays,
    timed,
    valid_until,
    value,
)
from asterism.core.ledger.calendar import MICROS_PER_HOUR as HOUR
from asterism.core.ledger.items import Item, Value, make_item
from asterism.core.space.projection import differences
from asterism.errors import InputError
from tests.support.asking import Asking
from tests.support.block_items import RULES, blocks_of, dreamed, item, vectors_for

PARIS, BERLIN, ROME = (block_id(text) for text in ("in Paris", "in Berlin", "in Rome"))


def told(text: str, hour: float, source: Value = "", **more: Value) -> Item:
    payload: dict[str, Value] = {"content": text, "tags": [], "category": "", "name": ""}
    payload |= {"conversation": "", "speaker": ""} | more
    check_payload("learned", payload)
    return make_item(space="me", what="learned", at=round(hour * HOUR), payload=payload, known_at=0, source=str(source))


def home(text: str, hour: float, **more: Value) -> Item:
    return told(text, hour, slot="home", **more)


def held(blocks: Blocks, slot: str = "home") -> list[tuple[str, float, float | None]]:
    """What a slot held, from which hour to which."""
    return [
        (
            blocks.blocks[each.block].content,
            each.stay.begin / HOUR,
            None if each.stay.end is None else each.stay.end / HOUR,
        )
        for each in history(blocks, slot)
    ]


# --- occurrences --------------------------------------------------------------------------------------------------


def test_the_same_words_of_another_time_are_another_occurrence() -> None:
    items = [told("headache", 1), told("headache", 5, "ann"), told("headache", 3)]
    (block,) = blocks_of(*items).blocks.values()
    assert [each.at / HOUR for each in block.occurrences] == [1, 3, 5]
    assert [each.sources for each in block.occurrences] == [(), (), ("ann",)]


def test_two_sources_of_one_time_are_one_occurrence() -> None:
    items = [told("headache", 1, source, speaker=source) for source in ("ann", "bob")]
    (block,) = blocks_of(*items).blocks.values()
    (once,) = block.occurrences
    first = min(items, key=lambda each: each.id)
    assert (once.sources, once.item, once.speaker) == (("ann", "bob"), first.id.hex(), first.source)


def test_of_two_sources_of_one_time_the_one_that_tells_of_a_slot_counts() -> None:
    for texts in (("ann", "bob"), ("bob", "ann")):
        plain, slotted = told("in Paris", 1, texts[0]), told("in Paris", 1, texts[1], slot="home")
        blocks = blocks_of(plain, slotted)
        assert [each.slot for each in blocks.blocks[PARIS].occurrences] == ["home"]
        assert blocks.terms == load(dump(blocks), RULES).terms
    apart = blocks_of(home("in Paris", 1), told("in Paris", 1, slot="work"))
    assert {each.slot for each in apart.blocks[PARIS].occurrences} == {"home", "work"}


def test_what_is_added_within_minutes_is_no_other_occurrence() -> None:
    blocks = blocks_of(told("tea", 1, "ann"))
    again = told("tea", 1.1, "bob", tags=["warm"], conversation="chat", retold=True)
    assert blocks.apply(again) == Learned(block_id("tea"), "known")
    (block,) = blocks.blocks.values()
    assert (block.tags, block.sources, block.conversation) == (("warm",), ("ann", "bob"), "chat")
    assert block.occurrences == (Occurrence(HOUR, told("tea", 1, "ann").id.hex(), ("ann",)),)
    assert not differences(dump(load(dump(blocks), RULES)), dump(blocks))
    alone = blocks_of(again)  # what it added to was erased
    assert len(alone.blocks[block_id("tea")].occurrences) == 1


def test_a_telling_within_minutes_of_what_was_forgotten_meanwhile_brings_it_back() -> None:
    tea = block_id("tea")
    blocks = blocks_of(
        told("tea", 1), item("forgotten", 1.05, {"block": tea}), told("tea", 1.1, tags=["warm"], retold=True)
    )
    assert (blocks.blocks[tea].status, len(blocks.blocks[tea].occurrences)) == ("inbox", 2)


def test_tellings_of_a_duplicate_count_for_the_block_that_stands_for_it() -> None:
    a, b = sorted([PARIS, BERLIN])
    blocks = blocks_of(told("in Paris", 1), told("in Berlin", 2), dreamed(3, promoted=[a, b], duplicates=[f"{a} {b}"]))
    blocks.apply(told("in Paris" if a == PARIS else "in Berlin", 4))
    assert [each.at / HOUR for each in blocks.occurrences(b)] == [1, 2, 4]
    assert (blocks.standing(a), blocks.standing(b), blocks.same(b)) == (b, b, [b, a])
    assert stays(blocks, a) == stays(blocks, b) == (Stay(HOUR, None),)


def test_duplicates_in_a_circle_end() -> None:
    blocks = blocks_of(told("in Paris", 1), told("in Berlin", 2))
    for one, other in ((PARIS, BERLIN), (BERLIN, PARIS)):
        blocks.blocks[one].status, blocks.blocks[one].heir = "duplicate", other
    assert blocks.standing(PARIS) == BERLIN


def test_an_edit_tells_the_new_words_at_its_time() -> None:
    blocks = blocks_of(told("in Paris", 1, speaker="Ann"), item("edited", 3, {"block": PARIS, "content": "in Berlin"}))
    (only,) = blocks.blocks[BERLIN].occurrences
    assert (only.at / HOUR, only.speaker) == (3, "Ann")
    back = blocks_of(
        told("in Paris", 1),
        item("edited", 3, {"block": PARIS, "content": "in Berlin"}),
        item("edited", 5, {"block": BERLIN, "content": "in Paris"}),
    )
    assert [each.at / HOUR for each in back.blocks[PARIS].occurrences] == [1, 5]
    assert back.blocks[PARIS].away == ((3 * HOUR, 5 * HOUR),)


def test_an_edited_block_that_is_forgotten_was_away_since_the_edit() -> None:
    blocks = blocks_of(
        told("in Paris", 1),
        item("edited", 2, {"block": PARIS, "content": "in Berlin"}),
        item("forgotten", 3, {"block": PARIS}),
    )
    assert blocks.blocks[PARIS].away == ((2 * HOUR, None),)
    assert load(dump(blocks), RULES).blocks[PARIS].away == ((2 * HOUR, None),)


def test_tellings_are_bounded_and_counted() -> None:
    rules = BlockParameters.build("seed", {"block_occurrences_max": 3})
    items = [told("headache", 1), home("headache", 2), *(told("headache", hour) for hour in range(3, 7))]
    blocks = folded(items, rules)
    (block,) = blocks.blocks.values()
    assert [each.at / HOUR for each in block.occurrences] == [1, 2, 6]  # the first, what says more, and the last
    assert blocks.cut == 3


def test_late_tellings_need_no_other_fold() -> None:
    blocks = blocks_of(told("headache", 1), told("tea", 9), told("headache", 8))
    for hour in (5, 3, 4):
        assert blocks.apply(told("headache", hour)) == Learned(block_id("headache"), "again")
    assert not blocks.stale
    assert [each.at / HOUR for each in blocks.blocks[block_id("headache")].occurrences] == [1, 3, 4, 5, 8]


def test_a_telling_before_the_first_needs_no_other_fold_either() -> None:
    items = [told("tea", 9), home("headache", 8), told("headache", 5, "ann"), home("headache", 3), told("tea", 2)]
    blocks, again = blocks_of(*items[:2]), blocks_of(*items)
    for late in items[2:]:
        assert blocks.apply(late) == Learned(block_id(str(late.payload["content"])), "again")
    assert not blocks.stale
    assert dict(blocks.blocks.items()) == dict(again.blocks.items())
    assert (blocks.terms, held(blocks)) == (again.terms, [("headache", 3, None)])


def test_what_would_only_have_been_added_to_an_earlier_telling_has_all_folded_anew() -> None:
    blocks = blocks_of(told("tea", 5, retold=True), told("milk", 9))
    blocks.apply(told("tea", 3))
    assert blocks.stale


@pytest.mark.parametrize(
    "late",
    [
        told("Tea", 0.5),
        told("tea", 0.5, category="drink"),
        told("tea", 0.5, speaker="Ann"),
        told("tea", 8),
        told("tea", 3, tags=["warm"]),
        told("tea", 3, name="Cup"),
        told("tea", 3, speaker="Ann"),
        told("tea", 3, retold=True),
    ],
    ids=lambda each: each.text,
)
def test_a_late_telling_that_says_more_has_all_folded_anew(late: Item) -> None:
    blocks = blocks_of(told("tea", 1), told("tea", 8, "bob"), told("milk", 9))
    blocks.apply(late)
    assert blocks.stale


# --- validity -----------------------------------------------------------------------------------------------------


def test_what_was_told_holds_from_then_on() -> None:
    blocks = blocks_of(told("in Paris", 5), told("in Paris", 9))
    assert stays(blocks, PARIS) == (Stay(5 * HOUR, None),)
    assert [is_current(blocks, PARIS, hour * HOUR) for hour in (4, 5, 99)] == [False, True, True]
    assert valid_until(blocks, PARIS, 4 * HOUR) is valid_until(blocks, PARIS, 9 * HOUR) is None
    assert (timed(blocks), history(blocks, "home"), value(blocks, "home", 0)) == (set(), [], None)


def test_other_words_end_the_value_of_a_slot_and_the_same_go_on() -> None:
    blocks = blocks_of(home("in Berlin", 1), home("in Berlin", 2), home("in Paris", 5), home("in Berlin", 8))
    assert held(blocks) == [("in Berlin", 1, 5), ("in Paris", 5, 8), ("in Berlin", 8, None)]
    assert [stay.ended_by for stay in stays(blocks, BERLIN)] == [PARIS, ""]
    assert [value(blocks, "home", hour * HOUR) for hour in (0, 1, 5, 8)] == [None, BERLIN, PARIS, BERLIN]
    assert valid_until(blocks, BERLIN, 6 * HOUR) == 5 * HOUR
    assert timed(blocks) == {BERLIN, PARIS}


def test_what_followed_in_a_slot_or_replaced_it_ended_it_and_nothing_else_did() -> None:
    blocks = blocks_of(home("in Berlin", 1), home("in Paris", 3), told("in Rome", 1, valid_until=3 * HOUR))
    assert [ended_by(blocks, name, 4 * HOUR) for name in (BERLIN, PARIS, ROME)] == [PARIS, "", ""]
    replaced = blocks_of(told("in Berlin", 1), told("in Paris", 3, replaces=BERLIN))
    assert ended_by(replaced, BERLIN, 4 * HOUR) == PARIS


def test_late_tellings_fit_in_between() -> None:
    items = [home("in Berlin", 1), home("in Rome", 9), home("in Paris", 6, valid_from=4 * HOUR)]
    blocks = blocks_of(*items)
    assert held(blocks) == [("in Berlin", 1, 4), ("in Paris", 4, 9), ("in Rome", 9, None)]
    late = blocks_of(*items[:2])
    late.apply(items[2])
    assert not late.stale
    assert not differences(dump(late), dump(blocks))


def test_of_two_values_that_begin_at_once_the_later_item_holds() -> None:
    first, second = sorted([home("in Berlin", 1), home("in Paris", 1)], key=lambda each: each.id)
    blocks = blocks_of(home("in Rome", 0), first, second)
    assert [text for text, _, _ in held(blocks)] == ["in Rome", second.payload["content"]]


@pytest.mark.parametrize("towns", [1, 2, 400])
def test_the_history_of_a_slot_grows_with_what_was_told_of_it_and_no_faster(
    towns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_often = blocks_of(*(home(f"in town {hour % towns}", hour) for hour in range(400)))
    asked = [0]
    standing = Blocks.standing

    def counted(self: Blocks, block: str) -> str:
        asked[0] += 1
        return standing(self, block)

    monkeypatch.setattr(Blocks, "standing", counted)
    assert len(history(told_often, "home")) == (1 if towns == 1 else 400)
    assert asked[0] < 4 * 400


def test_what_ended_does_not_come_back() -> None:
    run_out = blocks_of(home("in Berlin", 1), home("in Paris", 2, valid_until=4 * HOUR))
    assert held(run_out) == [("in Berlin", 1, 2), ("in Paris", 2, 4)]
    assert stays(run_out, PARIS)[0].ended_by == VALID_UNTIL
    forgotten = blocks_of(home("in Berlin", 1), home("in Paris", 2), item("forgotten", 4, {"block": PARIS}))
    assert held(forgotten) == held(run_out)
    assert stays(forgotten, PARIS)[0].ended_by == PUT_AWAY
    assert held(blocks_of(home("in Berlin", 1))) == [("in Berlin", 1, None)]  # as if what was erased was never told


def test_what_is_restored_goes_on_and_what_is_told_anew_begins_anew() -> None:
    items = [home("in Paris", 2), item("forgotten", 4, {"block": PARIS})]
    restored = blocks_of(*items, item("restored", 6, {"block": PARIS}))
    assert held(restored) == [("in Paris", 2, 4), ("in Paris", 6, None)]
    anew = blocks_of(*items, told("in Paris", 6))
    assert held(anew) == [("in Paris", 2, 4)]
    assert [(stay.begin / HOUR, stay.slot) for stay in stays(anew, PARIS)] == [(2, "home"), (6, "")]
    ended = blocks_of(*items, home("in Rome", 5), item("restored", 6, {"block": PARIS}))
    assert held(ended) == [("in Paris", 2, 4), ("in Rome", 5, None)]
    since = blocks_of(*items, home("in Paris", 6, valid_from=HOUR))
    assert held(since) == [("in Paris", 1, None)]  # so it was told in the end
    never = blocks_of(home("in Paris", 1, valid_from=5 * HOUR), item("forgotten", 2, {"block": PARIS}))
    assert held(never) == []
    after = blocks_of(home("in Paris", 1, valid_until=3 * HOUR), item("forgotten", 4, {"block": PARIS}))
    assert held(after) == [("in Paris", 1, 3)]


def test_words_told_without_a_slot_go_on_in_the_slot_that_holds_them() -> None:
    blocks = blocks_of(told("in Berlin", 1), home("in Berlin", 2), told("in Berlin", 3), home("in Paris", 5))
    assert [(stay.begin / HOUR, stay.end, stay.slot) for stay in stays(blocks, BERLIN)] == [
        (1, 2 * HOUR, ""),
        (2, 5 * HOUR, "home"),
    ]
    assert not is_current(blocks, BERLIN, 6 * HOUR)
    later = blocks_of(home("in Berlin", 2), home("in Paris", 5), told("in Berlin", 7))
    assert is_current(later, BERLIN, 8 * HOUR)
    assert is_current(later, PARIS, 8 * HOUR)  # nobody said which: that is shown, not settled


def test_what_is_replaced_ends_when_the_other_begins() -> None:
    items = [told("in Paris", 1), told("in Berlin", 3, replaces=PARIS, valid_from=2 * HOUR)]
    blocks = blocks_of(*items)
    assert stays(blocks, PARIS) == (Stay(HOUR, 2 * HOUR, "", BERLIN),)
    assert (is_current(blocks, PARIS, 3 * HOUR), is_current(blocks, BERLIN, 3 * HOUR)) == (False, True)
    again = blocks_of(*items, told("in Paris", 5))
    assert [(stay.begin / HOUR, stay.end) for stay in stays(again, PARIS)] == [(1, 2 * HOUR), (5, None)]
    unknown = blocks_of(items[1])  # the replaced one was erased, or is not here yet
    assert timed(unknown) == {BERLIN}


def test_what_expires_leaves_at_its_time_unless_it_is_told_again() -> None:
    items = [told("in Paris", 1, expires=4 * HOUR)]
    blocks = blocks_of(*items)
    assert [expired(blocks, PARIS, hour * HOUR) for hour in (0, 3, 4)] == [False, False, True]
    assert stays(blocks, PARIS)[0].ended_by == EXPIRED
    again = blocks_of(*items, told("in Paris", 5))
    assert not expired(again, PARIS, 6 * HOUR)
    assert not expired(blocks_of(told("in Rome", 1)), ROME, 9 * HOUR)


def test_what_is_to_come_does_not_hold_yet() -> None:
    blocks = blocks_of(home("in Berlin", 1), home("in Paris", 2, valid_from=9 * HOUR))
    assert [value(blocks, "home", hour * HOUR) for hour in (3, 9)] == [BERLIN, PARIS]
    assert history(blocks, "home")[1] == Held(PARIS, Stay(9 * HOUR, None, "home"))
    assert valid_until(blocks, BERLIN, 3 * HOUR) == 9 * HOUR


def test_an_edit_may_say_that_the_new_words_are_the_value_of_the_slot() -> None:
    payload: dict[str, Value] = {"block": PARIS, "content": "in Rome", "slot": "home"}
    check_payload("edited", payload)
    blocks = blocks_of(home("in Paris", 1), item("edited", 3, payload))
    assert held(blocks) == [("in Paris", 1, 3), ("in Rome", 3, None)]
    assert not differences(dump(load(dump(blocks), RULES)), dump(blocks))


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("slot", ""),
        ("valid_from", True),
        ("valid_until", 1.5),
        ("expires", "soon"),
        ("replaces", "x"),
        ("retold", False),
    ],
)
def test_what_no_telling_says_is_refused(field: str, wrong: Value) -> None:
    with pytest.raises((ValueError, InputError), match=field):
        told("tea", 1, **{field: wrong})


# --- pins ---------------------------------------------------------------------------------------------------------


def test_a_pinned_block_does_not_fade_and_hands_its_pin_on() -> None:
    items = [told("in Paris", 1), told("in Berlin", 1), item("pinned", 2, {"block": PARIS, "on": True})]
    blocks = blocks_of(*items)
    for each in (blocks, load(dump(blocks), RULES)):
        assert (each.rate(PARIS), each.rate(BERLIN)) == (0.0, RULES.decay_standard)
    assert load(dump(blocks), RULES).blocks[PARIS].pinned
    off = blocks_of(*items, item("pinned", 3, {"block": PARIS, "on": False}))
    assert off.rate(PARIS) == RULES.decay_standard
    edited = blocks_of(*items, item("edited", 3, {"block": PARIS, "content": "in Rome"}))
    assert edited.blocks[ROME].pinned
    nobody = blocks_of(item("pinned", 2, {"block": PARIS, "on": True}))
    assert nobody.unmet == {PARIS}


def test_links_of_a_pinned_block_are_neither_displaced_nor_capped_away() -> None:
    a, b = sorted([PARIS, BERLIN])
    items = [
        told("in Paris", 1),
        told("in Berlin", 1),
        item("pinned", 2, {"block": a, "on": True}),
        dreamed(3, promoted=[a, b], created=[f"{a} {b} 0.5"]),
        dreamed(4, dream="later", displaced=[f"{a} {b} 0.5"], hours=10_000.0),
    ]
    assert list(blocks_of(*items).links.links) == [key_of("similar", a, b)]
    links = Links()
    for other, score in (("b", 0.5), ("c", 0.6), ("d", 0.4)):
        links.put(key_of("similar", "a", other), Link(score, 0.0))
    links.hold("a", 1, pinned=lambda name: name == "d")
    assert list(links.links) == [("similar", "a", "c"), ("similar", "a", "d")]


def test_a_dream_neither_displaces_the_links_of_a_pinned_block_nor_retires_what_has_a_slot_or_an_end() -> None:
    a, b = sorted([PARIS, BERLIN])
    items = [
        told("in Paris", 1),
        home("in Berlin", 1),
        told("in Rome", 1),
        dreamed(2, promoted=sorted([PARIS, BERLIN, ROME]), created=[f"{a} {b} 0.5"]),
    ]
    free = blocks_of(*items)
    state = active_of(free, vectors_for(sorted([PARIS, BERLIN, ROME])), dream="x", now_hours=0.0)
    assert (len(state.edges.a), state.protected) == (1, [])
    same = dict(zip(state.ids, state.facts.tolist(), strict=True))
    assert {name for name, code in same.items() if code != free.blocks[name].facts} == {BERLIN}
    pinned = blocks_of(*items, item("pinned", 3, {"block": a, "on": True}))
    state = active_of(pinned, vectors_for(sorted([PARIS, BERLIN, ROME])), dream="x", now_hours=0.0)
    assert (len(state.edges.a), state.protected) == (0, [Protected(a, b, "similar")])


# --- what is read of it -------------------------------------------------------------------------------------------


def test_a_block_says_when_it_was_told_and_holds() -> None:
    items = [
        home("in Paris", 1, speaker="Ann", conversation="chat", valid_until=9 * HOUR),
        *(told("in Paris", hour, "bob") for hour in (2, 3, 4, 5, 6, 7)),
        item("pinned", 8, {"block": PARIS, "on": True}),
        told("in Rome", 2),
    ]
    why = why_block(Asking(BLOCKS, items), PARIS)
    assert why is not None
    notes = why.notes[1:]
    assert notes[0] == "told 7 times"
    assert notes[1].startswith("told 1970-01-01 01:00, said by Ann in chat (item ")
    assert notes[2].startswith("told 1970-01-01 04:00 by bob (item ")
    assert notes[6:] == (
        "and 2 times in between",
        "holds as home from 1970-01-01 01:00 on",
        "pinned: it does not fade",
    )
    once = why_block(Asking(BLOCKS, [told("in Rome", 1, valid_until=2 * HOUR)]), ROME)
    assert once is not None
    assert once.notes[1] == "told once"
    assert once.notes[3] == "holds from 1970-01-01 01:00 until 1970-01-01 02:00, ended by valid_until"


def test_a_block_is_read_with_what_holds_now_or_held_last_or_is_to_come() -> None:
    blocks = blocks_of(
        home("in Paris", 1),
        home("in Berlin", 3, valid_from=5 * HOUR),
        told("in Rome", 3, valid_from=9 * HOUR),
        item("forgotten", 6, {"block": PARIS}),
    )
    blocks.seen = 7 * HOUR
    seen = [each for name in (PARIS, BERLIN, ROME) if (each := block(blocks, name)) is not None]
    assert [(each.current, each.slot) for each in seen] == [
        (False, "home"),
        (True, "home"),
        (False, ""),
    ]
    assert len(seen[0].away) == 1
    gone = blocks_of(home("in Paris", 1, valid_from=5 * HOUR), item("forgotten", 2, {"block": PARIS}))
    never = block(gone, PARIS)
    assert never is not None
    assert (never.current, never.valid_from, never.slot) == (False, None, "")
    assert [(each.slot, each.text, each.current) for each in slot_values(blocks)] == [
        ("home", "in Paris", False),
        ("home", "in Berlin", True),
    ]
    assert [each.text for each in last_values(blocks)] == ["in Berlin"]
    blocks.seen = 4 * HOUR
    assert [each.text for each in last_values(blocks)] == ["in Paris"], "what is to come is not held yet"


def test_a_text_that_replaced_what_is_gone_is_told_without_saying_so() -> None:
    replacing = told("in Berlin", 3, replaces=PARIS)
    assert says(replacing).parts == {PARIS}
    assert without(replacing.payload, {PARIS}) == told("in Berlin", 3).payload
