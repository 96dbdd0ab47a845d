"""The fold of blocks: a function of the set of items, that packs, copies and needs no vectors."""

from __future__ import annotations

import pytest

from asterism.core.blocks import read
from asterism.core.blocks.fold import Blocks, Learned, folded
from asterism.core.blocks.links import Link, Links, key_of
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.payloads import check_payload, payload_of
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.snapshot import dump, load
from asterism.core.blocks.staging import active_of, ids_of
from asterism.core.blocks.state import Protected
from asterism.core.blocks.words import ACTIVE
from asterism.core.ledger.calendar import MICROS_PER_HOUR
from asterism.core.ledger.items import Payload, make_item
from asterism.core.space.projection import differences
from tests.support.block_items import IDS, RULES, TEXTS, blocks_of, dreamed, item, learned, step, vectors_for

# --- learning -----------------------------------------------------------------------------------------------------


def test_the_same_content_twice_is_one_block_and_tags_unite() -> None:
    blocks = Blocks(RULES)
    assert blocks.apply(learned("Tea", 1, "warm", category="fact")) == Learned(block_id("tea"), "new")
    assert blocks.apply(learned(" tea ", 2, "dry", category="other")) == Learned(block_id("tea"), "again")
    (block,) = blocks.blocks.values()
    assert (block.tags, block.category, block.content) == (("dry", "warm"), "fact", "Tea")


def test_a_block_that_comes_back_by_an_edit_has_no_longer_the_name_it_had() -> None:
    tea, milk = (
        make_item(space="me", what="learned", at=at, payload={**learned(text, 1).payload, "name": name}, known_at=0)
        for at, text, name in ((1, "tea", "Cup"), (2, "milk", "Jug"))
    )
    blocks = blocks_of(
        tea,
        milk,
        item("forgotten", 2, {"block": block_id("tea")}),
        item("edited", 3, {"block": block_id("milk"), "content": "tea"}),
    )
    assert blocks.blocks[block_id("tea")].name == "Jug"
    named = {name: ids for name, ids in blocks.named.items() if ids}
    assert named == load(dump(blocks), RULES).named == {"jug": {block_id("milk"), block_id("tea")}}


def test_what_was_forgotten_or_edited_away_comes_back_by_a_later_telling() -> None:
    blocks = blocks_of(
        learned("tea", 1, "warm"),
        learned("milk", 1),
        item("forgotten", 2, {"block": block_id("tea")}),
        item("edited", 2, {"block": block_id("milk"), "content": "oat milk"}),
    )
    assert blocks.apply(learned("tea", 3)) == Learned(block_id("tea"), "again")
    assert blocks.apply(learned("milk", 4)) == Learned(block_id("milk"), "again")
    assert ids_of(blocks, "inbox") == sorted(map(block_id, ("tea", "milk", "oat milk")))
    tea, milk = (blocks.blocks[block_id(text)] for text in ("tea", "milk"))
    hour = MICROS_PER_HOUR
    assert (tea.away, milk.away) == (((2 * hour, 3 * hour),), ((2 * hour, 4 * hour),))
    assert (tea.tags, milk.heir) == (("warm",), "")


def test_words_that_repeated_what_is_gone_come_back_by_a_later_telling() -> None:
    a, b = sorted(IDS[:2])
    texts = {block_id(text): text for text in TEXTS}
    blocks = blocks_of(
        learned(texts[a], 1),
        learned(texts[b], 1),
        dreamed(2, promoted=[a, b], duplicates=[f"{a} {b}"]),
        item("forgotten", 3, {"block": b}),
    )
    assert blocks.there(a) is None
    assert blocks.apply(learned(texts[a], 4)) == Learned(a, "again")
    assert blocks.there(a) == a
    assert blocks.blocks[a].away == ()


def test_what_was_forgotten_can_be_restored_and_goes_through_the_inbox_again() -> None:
    tea = block_id("tea")
    items = [learned("tea", 1, "warm"), item("forgotten", 2, {"block": tea})]
    blocks = blocks_of(*items, item("restored", 3, {"block": tea}))
    assert (blocks.blocks[tea].status, blocks.blocks[tea].tags) == ("inbox", ("warm",))
    again = blocks_of(*items, item("restored", 3, {"block": tea}), item("restored", 4, {"block": tea}))
    assert differences(dump(blocks), dump(again)) == ["counts", "position"]


def test_names_and_sources_are_kept() -> None:
    first = make_item(
        space="me",
        what="learned",
        at=1,
        known_at=0,
        source="diary",
        payload={"content": "tea", "tags": [], "category": "", "name": "Tea time", "conversation": "", "speaker": ""},
    )
    other = make_item(
        space="me",
        what="learned",
        at=2,
        known_at=0,
        source="a friend",
        payload={"content": "tea", "tags": [], "category": "", "name": "Other", "conversation": "", "speaker": ""},
    )
    (block,) = blocks_of(first, other).blocks.values()
    assert (block.name, block.sources) == ("Tea time", ("a friend", "diary"))


def test_stale_blocks_are_folded_anew_and_say_what_changed() -> None:
    blocks = blocks_of(learned("milk", 2))
    assert blocks.take_changes() == {block_id("milk")}
    assert blocks.take_changes() == set()
    items = [learned("tea", 1), learned("milk", 2)]
    blocks.apply(items[0])
    blocks.refold(items)
    assert not blocks.stale
    assert not differences(dump(blocks), dump(blocks_of(*items)))
    assert blocks.take_changes() == {block_id("tea"), block_id("milk")}


def test_a_dream_that_left_blocks_behind_is_unfinished() -> None:
    left = {**dreamed(2).payload, "remaining": 3}
    blocks = blocks_of(learned("tea", 1), item("dreamed", 2, left))
    assert blocks.unfinished
    assert load(dump(blocks), RULES).unfinished
    blocks.apply(dreamed(3))
    assert not blocks.unfinished


def test_an_edit_hands_tags_and_links_on() -> None:
    one, other, new = block_id("tea"), block_id("milk"), block_id("green tea")
    items = [
        learned("tea", 1, "warm"),
        learned("milk", 1),
        item("outcome", 2, {"blocks": sorted([one, other]), "signal": 1.0}),
        item("edited", 3, {"block": one, "content": "green tea"}),
    ]
    blocks = blocks_of(*items)
    assert blocks.blocks[new].tags == ("warm",)
    assert list(blocks.links.links) == [key_of("outcome", new, other)]
    assert blocks.there(one) == new
    known = blocks_of(*items, item("edited", 4, {"block": new, "content": "milk"}))
    assert known.blocks[other].tags == ("warm",)
    assert not known.links.links  # its one link would join the block with itself
    capitals = blocks_of(learned("tea", 1), item("edited", 2, {"block": one, "content": "TEA"}))
    assert capitals.blocks[one].content == "TEA"


def test_items_about_blocks_that_are_not_there_change_nothing() -> None:
    tea = block_id("tea")
    blocks = blocks_of(learned("tea", 1), item("forgotten", 2, {"block": tea}))
    before = dump(blocks)
    nothing: list[tuple[str, Payload]] = [
        ("edited", {"block": tea, "content": "other"}),
        ("edited", {"block": IDS[0], "content": "other"}),
        ("forgotten", {"block": tea}),
        ("forgotten", {"block": IDS[0]}),
        ("outcome", {"blocks": [tea], "signal": 1.0}),
        ("used", {"blocks": sorted([IDS[0], tea]), "session": "s"}),
    ]
    for what, payload in nothing:
        blocks.apply(make_item(space="me", what=what, at=blocks.clock.at + 1, payload=payload, known_at=0))
    changed = differences(before, dump(blocks))
    assert changed == ["counts", "position", "unmet"]  # that they were named is kept, for what is told late


def test_after_a_checkpoint_a_late_telling_of_new_words_is_folded_where_it_comes() -> None:
    told = [learned("tea", 2), item("forgotten", 3, {"block": block_id("milk")})]
    blocks = blocks_of(*told)
    loaded = load(dump(blocks), RULES)
    loaded.apply(learned("coffee", 1))
    assert not loaded.stale
    assert not differences(dump(loaded), dump(blocks_of(learned("coffee", 1), *told)))
    loaded.apply(learned("milk", 1))  # this one was named before it was here
    assert loaded.stale


def test_edits_in_a_circle_end() -> None:
    tea, milk = block_id("tea"), block_id("milk")
    blocks = blocks_of(
        learned("tea", 1),
        item("edited", 2, {"block": tea, "content": "milk"}),
        item("edited", 3, {"block": milk, "content": "tea"}),
    )
    assert blocks.there(milk) == tea  # the edit brought it back
    blocks.blocks[tea].status, blocks.blocks[tea].heir = "edited", milk
    assert blocks.there(milk) is None


def test_a_forgotten_block_hides_its_links_until_it_is_restored() -> None:
    pair = sorted(IDS[:2])
    items = [
        learned(TEXTS[0], 1),
        learned(TEXTS[1], 1),
        dreamed(2, promoted=pair, created=[f"{pair[0]} {pair[1]} 0.5"]),
        item("outcome", 3, {"blocks": pair, "signal": 1.0}),
        item("forgotten", 4, {"block": pair[0]}),
    ]
    blocks = blocks_of(*items)
    assert read.links(blocks) == read.links(blocks, pair[1]) == []
    assert blocks.there(pair[0]) is None
    state = active_of(blocks, vectors_for([pair[1]]), dream="x", now_hours=0.0)
    assert state.protected == []
    restored = blocks_of(*items, item("restored", 5, {"block": pair[0]}))
    assert [link.kind for link in read.links(restored, *pair)] == ["outcome"]  # similarity is found anew by a dream


def test_tags_and_sources_are_bounded_and_counted() -> None:
    rules = BlockParameters.build("seed", {"block_tags_max": 2})
    blocks = folded([learned("tea", 1, "a"), learned("tea", 2, "a", "b", "c")], rules)
    (block,) = blocks.blocks.values()
    assert (block.tags, blocks.cut) == (("a", "b"), 1)
    assert load(dump(blocks), rules).cut == 1


def test_an_item_that_comes_late_makes_the_blocks_stale() -> None:
    blocks = blocks_of(learned(TEXTS[0], 2))
    assert blocks.apply(item("forgotten", 1, {"block": IDS[0]})) is None
    assert blocks.stale
    assert blocks.apply(learned(TEXTS[1], 1)) is None
    assert blocks.apply(learned(TEXTS[2], 3)) is None
    assert list(blocks.blocks) == IDS[:1]


# --- dreams -------------------------------------------------------------------------------------------------------


def test_a_dream_promotes_links_and_archives() -> None:
    a, b, c, d = sorted(IDS[:4])
    texts = {block_id(text): text for text in TEXTS}
    blocks = blocks_of(
        *(learned(texts[name], 1) for name in (a, b, c, d)),
        dreamed(2, promoted=[a, b], created=[f"{a} {b} 0.5"]),
        item("outcome", 2.5, {"blocks": [a, b], "signal": 1.0}),
        dreamed(3, promoted=[c], superseded=[f"{a} {c}"], duplicates=[f"{d} {b}"], created=[f"{b} {c} 0.6"], hours=2.0),
    )
    assert [blocks.blocks[name].status for name in (a, b, c, d)] == ["superseded", "active", "active", "duplicate"]
    assert [blocks.there(name) for name in (a, d)] == [c, b]
    assert blocks.links.links.keys() == {key_of("similar", b, c), key_of("outcome", b, c)}
    assert blocks.blocks[c].hours == 2.0


def test_a_dream_leaves_alone_what_is_no_longer_as_it_was() -> None:
    a, b = sorted(IDS[:2])
    blocks = blocks_of(
        learned(TEXTS[0], 1),
        learned(TEXTS[1], 1),
        item("forgotten", 2, {"block": a}),
        dreamed(3, promoted=[a, b], created=[f"{a} {b} 0.5"], superseded=[f"{a} {b}"], duplicates=[f"{IDS[3]} {a}"]),
    )
    assert (blocks.blocks[a].status, blocks.blocks[b].status) == ("forgotten", "active")
    assert not blocks.links.links


def test_two_merged_dreams_keep_within_the_cap() -> None:
    items = [learned(text, 1) for text in TEXTS] + [learned("a seventh", 1)]
    first, *others = sorted([*IDS, block_id("a seventh")])
    items += [dreamed(2, promoted=sorted([first, *others]))]
    for number, other in enumerate(others):
        items.append(dreamed(3 + number, dream=str(number), created=[f"{first} {other} 0.{5 + number % 3}"]))
    blocks = blocks_of(*items)
    kept = [link.anchor for link in blocks.links.links.values()]
    assert len(kept) == RULES.edge_degree_cap
    assert sorted(kept) == [0.5, 0.6, 0.6, 0.7, 0.7]


def test_what_a_dream_displaced_may_come_back_in_that_dream_only() -> None:
    a, b = sorted(IDS[:2])
    items = [
        learned(TEXTS[0], 1),
        learned(TEXTS[1], 1),
        dreamed(2, promoted=[a, b], created=[f"{a} {b} 0.5"]),
        dreamed(3, displaced=[f"{a} {b} 0.5"]),
    ]
    blocks = blocks_of(*items)
    assert blocks.lost == {(a, b): 0.5}
    state = active_of(blocks, vectors_for([a, b]), dream="d", now_hours=0.0)
    assert (state.lost.score.tolist(), state.fresh.tolist()) == ([0.5], [True, True])
    other = active_of(blocks, vectors_for([a, b]), dream="e", now_hours=0.0)
    assert (other.lost.score.tolist(), other.fresh.tolist()) == ([], [False, False])
    assert blocks_of(*items, dreamed(4, created=[f"{a} {b} 0.5"])).lost == {}
    assert blocks_of(*items, dreamed(4, dream="e")).lost == {}


def test_links_never_reinforced_are_pruned_when_they_have_faded() -> None:
    a, b = sorted(IDS[:2])
    items = [
        learned(TEXTS[0], 1),
        learned(TEXTS[1], 1),
        dreamed(2, promoted=[a, b], created=[f"{a} {b} 0.5"]),
        item("outcome", 3, {"blocks": [a, b], "signal": 1.0}),
        item("outcome", 4, {"blocks": [a, b], "signal": 1.0}),
    ]
    later = blocks_of(*items, dreamed(5, dream="later", hours=1_000.0))
    assert list(later.links.links) == [key_of("outcome", a, b)]  # reinforced: never pruned by age alone
    state = active_of(blocks_of(*items), vectors_for([a, b]), dream="x", now_hours=1_000.0)
    assert (len(state.edges.a), state.protected) == (0, [Protected(a, b, "outcome")])


def test_steps_through_the_fold_give_what_one_step_gives() -> None:
    texts = [f"block {number} of {number % 3}" for number in range(40)]
    whole, steps = (blocks_of(*(learned(text, 1 + place / 100) for place, text in enumerate(texts))) for _ in "ab")
    once = step(whole, dream="d", now_hours=0.0)
    whole.apply(item("dreamed", 9, payload_of(once, dream="d")))
    small = BlockParameters.build("seed", {"dream_batch_blocks": 7})
    hour, remaining = 9.0, 1
    while remaining:
        done = step(steps, dream="d", now_hours=0.0, rules=small)
        said = payload_of(done, dream="d")
        check_payload("dreamed", said)
        steps.apply(item("dreamed", hour, said))
        hour, remaining = hour + 1, done.remaining
    assert hour == 15.0
    assert steps.links.links == whole.links.links
    assert ids_of(steps, ACTIVE) == ids_of(whole, ACTIVE)


# --- use ----------------------------------------------------------------------------------------------------------


def test_pairs_on_their_way_to_a_link_are_bounded_and_counted() -> None:
    blocks = Blocks(BlockParameters.build("seed", {"used_pairs_max": 2}))
    for text in TEXTS[:3]:
        blocks.apply(
            make_item(
                space="me",
                what="learned",
                at=blocks.clock.at + 1,
                known_at=0,
                payload={"content": text, "tags": [], "category": "", "name": "", "conversation": "", "speaker": ""},
            )
        )
    blocks.apply(item("used", 1, {"blocks": sorted(IDS[:3]), "session": "s"}))
    assert (len(blocks.joint), blocks.dropped) == (2, 1)


def test_use_renews_a_link_made_by_use() -> None:
    pair = sorted(IDS[:2])
    blocks = blocks_of(
        learned(TEXTS[0], 0.1),
        learned(TEXTS[1], 0.1),
        item("session", 0.2, {"name": "s", "act": "start"}),
        *(item("used", hour, {"blocks": pair, "session": str(hour)}) for hour in (1, 2, 3, 4)),
        item("session", 4.2, {"name": "s", "act": "end"}),
    )
    link = blocks.links.links[key_of("co_occurs", *pair)]
    assert (link.anchor, link.reinforced) == (0.55, 1)
    assert link.hours == pytest.approx(3.8)
    assert blocks.clock.hours_at(10**15) == pytest.approx(4.0)


def test_permanent_and_durable_blocks_do_not_fade_faster_after_failure() -> None:
    blocks = blocks_of(learned("tea", 1, "durable"), item("outcome", 2, {"blocks": [block_id("tea")], "signal": 0.0}))
    assert blocks.rate(block_id("tea")) == RULES.decay_durable


def test_of_two_links_of_a_kind_the_stronger_stays() -> None:
    links = Links()
    links.put(key_of("outcome", "a", "c"), Link(0.5, 0.0))
    links.put(key_of("outcome", "b", "c"), Link(0.7, 0.0))
    links.move("a", "b")
    assert links.links == {("outcome", "b", "c"): Link(0.7, 0.0)}
    links.drop(("outcome", "x", "y"))


def test_blocks_and_links_are_packed_and_unpacked() -> None:
    a, b = sorted(IDS[:2])
    blocks = blocks_of(
        *(learned(text, 1, "x", "y") for text in TEXTS),
        item("session", 1.5, {"name": "s", "act": "start"}),
        dreamed(2, promoted=sorted(IDS), created=[f"{a} {b} 0.5"]),
        item("used", 3, {"blocks": sorted(IDS[2:4]), "session": "s"}),
        dreamed(4, displaced=[f"{a} {b} 0.5"]),
        item("outcome", 5, {"blocks": [a, b], "signal": 0.9}),
    )
    loaded = load(dump(blocks), RULES)
    assert not differences(dump(loaded), dump(blocks))
    assert (loaded.blocks, loaded.links.links, loaded.clock) == (blocks.blocks, blocks.links.links, blocks.clock)
    assert (loaded.joint, loaded.lost, loaded.fresh) == (blocks.joint, blocks.lost, blocks.fresh)
    assert load({}, RULES).position is None
