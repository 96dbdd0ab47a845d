"""The fold of blocks, whatever the items: a function of their set, that packs and copies, with strengths in bounds."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.blocks.fold import Blocks, folded
from asterism.core.blocks.payloads import FIELDS, check_payload
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.shown import edges, followed
from asterism.core.blocks.snapshot import dump, load
from asterism.core.blocks.validity import expired, is_current, stays, timed, value
from asterism.core.blocks.words import STATUSES
from asterism.core.ledger.items import Item, Payload, Value, make_item
from asterism.core.space.projection import differences
from tests.support.block_items import IDS, RULES, TEXTS, blocks_of, dreamed, item, learned

HOUR = 3_600_000_000
TERMS: list[Payload] = [
    {},
    {},
    {},
    {"retold": True},
    {"slot": "home"},
    {"slot": "home", "valid_from": 5 * HOUR},
    {"slot": "work", "valid_until": 90 * HOUR},
    {"replaces": IDS[0]},
    {"expires": 70 * HOUR},
]
PAIRS = [(a, b) for a in sorted(IDS) for b in sorted(IDS) if a < b]


@st.composite
def items(draw: st.DrawFn) -> list[Item]:
    edges = st.lists(st.sampled_from(PAIRS), max_size=4, unique=True)
    scores = st.sampled_from([0.4, 0.5, 0.9])
    some = st.lists(st.sampled_from(IDS), max_size=4, unique=True).map(sorted)

    def written() -> list[str]:
        return [f"{a} {b} {draw(scores)}" for a, b in draw(edges)]

    def payload(what: str) -> Payload:
        if what == "learned":
            tags = draw(st.lists(st.sampled_from(["a", "b"]), unique=True))
            return {
                **draw(st.sampled_from(TERMS)),
                "content": draw(st.sampled_from(TEXTS)),
                "tags": sorted(tags),
                "category": draw(st.sampled_from(["", "x"])),
                "name": draw(st.sampled_from(["", "Tea"])),
                "conversation": draw(st.sampled_from(["", "chat"])),
                "speaker": "Ann",
            }
        if what == "edited":
            return {"block": draw(st.sampled_from(IDS)), "content": draw(st.sampled_from(TEXTS))}
        if what == "pinned":
            return {"block": draw(st.sampled_from(IDS)), "on": draw(st.booleans())}
        if what in ("forgotten", "restored"):
            return {"block": draw(st.sampled_from(IDS))}
        if what == "used":
            return {"blocks": draw(some), "session": draw(st.sampled_from("abc"))}
        if what == "outcome":
            return {"blocks": draw(some), "signal": draw(st.sampled_from([0.0, 0.3, 0.9]))}
        if what == "session":
            return {"name": draw(st.sampled_from("ab")), "act": draw(st.sampled_from(["start", "end"]))}
        said: dict[str, Value] = {"promoted": draw(some), "created": written(), "displaced": written()}
        said |= {name: [" ".join(pair) for pair in draw(edges)][:1] for name in ("duplicates", "superseded")}
        said |= {"dream": draw(st.sampled_from("de")), "hours": draw(st.sampled_from([0.0, 5.0, 300.0]))}
        return {**said, "exact": True, "recall": 1.0, "remaining": 0}

    kinds = [*FIELDS, "learned", "dreamed"]
    made = []
    for what in draw(st.lists(st.sampled_from(kinds), max_size=25)):
        source = draw(st.sampled_from(["", "ann"]))
        at = draw(st.integers(0, 80)) * HOUR
        made.append(make_item(space="me", what=what, at=at, payload=payload(what), known_at=0, source=source))
        check_payload(what, made[-1].payload)
    return sorted({each.id: each for each in made}.values(), key=lambda each: each.position)


@settings(max_examples=60)
@given(items(), st.integers(0, 25), st.integers(0, 2**32))
def test_the_fold_packs_copies_and_depends_on_the_set_of_items_alone(made: list[Item], cut: int, chance: int) -> None:
    whole = dump(folded(made, RULES))
    half = folded(made[:cut], RULES)
    copied, loaded = half.copy(), load(dump(half), RULES)
    before = dump(half)
    for each in made[cut:]:
        copied.apply(each)
        loaded.apply(each)
    assert not differences(dump(copied), whole)
    assert not differences(dump(loaded), whole)
    assert not differences(dump(half), before)
    mixed = list(made)
    random.Random(chance).shuffle(mixed)
    arrived = Blocks(RULES)
    for each in mixed:
        arrived.apply(each)
    assert mixed != made or not arrived.stale
    assert arrived.stale or not differences(dump(arrived), whole)
    for blocks in (copied, loaded, *([] if arrived.stale else [arrived])):
        assert blocks.terms == folded(made, RULES).terms


@settings(max_examples=60)
@given(items(), st.sets(st.sampled_from(IDS)), st.integers(0, 2**32))
def test_a_late_text_that_nothing_has_to_do_with_is_folded_where_it_comes(
    made: list[Item], late: set[str], chance: int
) -> None:
    """It is stale or the same, and not stale if no session was told of, and nobody else told or named the texts."""
    blocks = folded([each for each in made if not set(mentioned(each)) & late], RULES)
    coming = [each for each in made if each.what == "learned" and set(mentioned(each)) <= late]
    first = list({mentioned(each)[0]: each for each in reversed(coming)}.values())  # each text once
    random.Random(chance).shuffle(first)
    wanted = [each for each in made if not set(mentioned(each)) & late or each in first]
    for each in first:
        blocks.apply(each)
    assert blocks.stale or not differences(dump(blocks), dump(folded(wanted, RULES)))
    assert not blocks.stale or any(each.what == "session" for each in made)


EDGE = " ".join([*sorted(IDS[:2]), "0.5"])
NAMING: list[Item] = [
    item("edited", 5, {"block": IDS[0], "content": TEXTS[3]}),
    *(item(what, 5, {"block": IDS[0]}) for what in ("forgotten", "restored")),
    item("pinned", 5, {"block": IDS[0], "on": True}),
    item("used", 5, {"blocks": sorted(IDS[:2]), "session": "a"}),
    item("outcome", 5, {"blocks": sorted(IDS[:2]), "signal": 0.9}),
    dreamed(5, promoted=[IDS[0]]),
    dreamed(5, duplicates=[" ".join(IDS[:2])]),
    dreamed(5, superseded=[" ".join(IDS[:2])]),
    dreamed(5, created=[EDGE]),
    dreamed(5, displaced=[EDGE]),
]


@pytest.mark.parametrize("naming", NAMING, ids=lambda each: each.text)
def test_a_late_text_whose_block_was_named_has_all_blocks_folded_anew(naming: Item) -> None:
    check_payload(naming.what, naming.payload)
    late, other = learned(TEXTS[0], 2), learned(TEXTS[4], 3)
    blocks = blocks_of(learned(TEXTS[1], 1), naming)
    blocks.apply(other)
    assert not blocks.stale
    blocks.apply(late)
    assert blocks.stale


@settings(max_examples=60)
@given(items(), st.data())
def test_a_late_telling_of_known_words_is_folded_where_it_comes_or_has_them_folded_anew(
    made: list[Item], data: st.DataObject
) -> None:
    tellings = [each for each in made if each.what == "learned"]
    late = data.draw(st.sampled_from(tellings)) if tellings else None
    blocks = folded([each for each in made if each is not late], RULES)
    for loaded in (False, True):
        here = load(dump(blocks), RULES) if loaded else blocks.copy()
        if late is not None:
            here.apply(late)
        assert here.stale or not differences(dump(here), dump(folded(made, RULES)))
        assert here.stale or here.terms == folded(made, RULES).terms


@settings(max_examples=60)
@given(items(), st.integers(0, 100))
def test_a_slot_holds_the_latest_words_told_of_it_or_nothing(made: list[Item], hour: int) -> None:
    blocks = folded(made, RULES)
    for slot in ("home", "work"):
        told = [entry for entry in blocks.terms.slots.get(slot, []) if entry.begin <= hour * HOUR]
        held = value(blocks, slot, hour * HOUR)
        assert held is None or held == blocks.standing(told[-1].block)
        assert held is None or is_current(blocks, held, hour * HOUR)
    for name in blocks.blocks:
        begins = [stay.begin for stay in stays(blocks, name)]
        assert begins == sorted(begins)
        assert all(stay.end is None or stay.begin < stay.end for stay in stays(blocks, name))
        assert not (expired(blocks, name, hour * HOUR) and name not in timed(blocks) | blocks.forebears.keys())


def mentioned(told: Item) -> list[str]:
    """Name the blocks that an item is about."""
    told_of = [block_id(str(told.payload["content"]))] if "content" in told.payload else []
    return told_of + [name for name in IDS if name in told.text]


@settings(max_examples=40)
@given(items())
def test_strengths_stay_in_bounds_and_links_join_blocks_that_are_there(made: list[Item]) -> None:
    blocks = folded(made, RULES)
    for key, link in blocks.links.links.items():
        assert 0.0 <= blocks.strength(key, blocks.clock.hours + 50) <= link.anchor <= 1.0
        allowed = ("active", "inbox") if key[0] == "similar" else ("active", "inbox", "forgotten")
        assert all(blocks.blocks[end].status in allowed for end in key[1:])
    for block in blocks.blocks.values():
        assert 0.0 < block.confidence(RULES) < 1.0


def told_by(blocks: Blocks) -> dict[str, list[tuple[str, list[tuple[str, float]]]]]:
    """Give the links that are followed from each block."""
    found = {name: list(followed(blocks, name)) for name in [*blocks.blocks, "nobody"]}
    return {
        name: sorted((kind, sorted(zip(others, list(strengths), strict=True))) for kind, others, strengths in each)
        for name, each in found.items()
    }


@settings(max_examples=60)
@given(items(), st.floats(0.0, 400.0))
def test_what_is_loaded_reads_as_what_was_packed_whatever_is_unpacked_first(made: list[Item], hours: float) -> None:
    told = folded(made, RULES)
    for first in range(4):
        loaded = load(dump(told), RULES)
        for each in (told, loaded):
            each.seen = each.clock.at + int(hours * 3.6e9)
        around = told_by(loaded)
        if first == 1:
            loaded = loaded.copy()
        elif first == 2 and loaded.blocks:
            some = sorted(loaded.blocks)[0]
            assert (loaded.blocks[some], loaded.rate(some)) == (told.blocks[some], told.rate(some))
            loaded = loaded.copy()
        elif first == 3:
            assert list(loaded.blocks.values()) == [told.blocks[name] for name in sorted(told.blocks)]
        assert {name: loaded.rate(name) for name in loaded.blocks} == {name: told.rate(name) for name in told.blocks}
        assert around == told_by(loaded) == told_by(told)
        assert (loaded.links.packed is None) == (not made)
        assert sorted(edges(loaded)) == sorted(edges(told))
        assert loaded.links.packed is None
        for status in STATUSES:
            assert set(loaded.blocks.of_status(status)) == set(told.blocks.of_status(status))
        assert not differences(dump(loaded), dump(told))
