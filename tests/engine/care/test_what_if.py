"""A memory without something: to the bit what it would be had it never been told, and what is otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from asterism.core.blocks.scoring import block_id
from asterism.core.dialogue.lines import Actor
from asterism.core.ledger.items import make_item
from asterism.engine.care.what_if import suppose
from asterism.errors import AsterismError, InputError, UnknownError
from asterism.store.in_memory import InMemoryStore
from tests.support.five import SAID, SESSION, market, tell_five
from tests.support.memories import DAY, NOON, AnyMemory, HandClock, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of
from tests.support.work import lines_run

BEGIN = NOON - 10 * DAY
COOK = [
    "Grandmother's bread has walnuts in it",
    "The bread with walnuts rises overnight",
    "Walnuts go into the bread last",
]
DRIVE = [
    "Winter tyres lie in the garage",
    "The garage on Mill Street keeps winter tyres",
    "Tyres from the garage are worn",
]
Step = tuple[str, Callable[[AnyMemory], object]]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def lines(said: list[tuple[str, str]]) -> list[dict[str, object]]:
    return [{"line_index": place, "author_name": who, "content": text} for place, (who, text) in enumerate(said)]


def steps() -> list[Step]:
    """Give calls of all five capabilities, each with the source that it is of."""

    def star(memory: AnyMemory) -> None:
        for name in ("Lantern", "Bell", "Coin"):
            memory.add_star(name, domain="soul", at=BEGIN)

    def told(source: str, a: str, b: str, day: int) -> Step:
        return source, lambda memory: memory.observe(a, b, "user_confirms", at=BEGIN + day * DAY, source=source)

    def learned(source: str, texts: list[str]) -> Step:
        rows = [{"content": text, "source": source, "at": BEGIN + DAY} for text in texts]
        return source, lambda memory: memory.learn_many(rows)

    def fed(source: str, day: int) -> Step:
        return source, lambda memory: memory.feed("X", market(BEGIN + day * DAY), source=source, lateness=0)

    return [
        ("", star),
        told("diary", "lantern", "bell", 1),
        told("letters", "lantern", "bell", 2),
        told("letters", "bell", "coin", 3),
        ("letters", lambda memory: memory.deny("bell", "coin", at=BEGIN + 4 * DAY)),  # it needs what letters told
        learned("cook", COOK),
        ("", lambda memory: memory.dream()),
        ("cook", lambda memory: memory.explore("how does the bread rise?", intention="bake")),
        learned("drive", DRIVE),
        learned("cook", ["Salt goes into the bread before walnuts"]),
        ("", lambda memory: memory.dream()),
        (
            SESSION,
            lambda memory: memory.read_transcript(
                lines(SAID), session=SESSION, actors=[Actor("ann", "Ann"), Actor("bo", "Bo")], started_at=BEGIN
            ),
        ),
        fed("tape", 1),
        fed("wire", 2),
    ]


def built(place: Place, *, without: str = "-") -> AnyMemory:
    """Tell everything but what is of a source."""
    clock = HandClock(NOON - DAY)
    memory = remembering(place, clock=clock).__enter__()
    for source, step in steps():
        clock.now += DAY / 48
        if source != without:
            step(memory)
    clock.now = NOON
    return memory


@pytest.mark.parametrize("source", ["diary", "letters", "drive", "cook", SESSION, "tape", "wire"])
def test_it_is_to_the_bit_a_memory_that_was_never_told(place: Place, source: str) -> None:
    with built(place) as memory, built(InMemoryStore(), without=source) as other:
        before, items = memory.verify().digest, memory.stats().items
        found = memory.what_if(without=f"source:{source}")
        assert found.digest == other.verify().digest != before
        assert memory.verify().digest == before
        assert memory.stats().items == items
        assert found.changes


def test_a_dream_loses_what_it_said_of_blocks_that_are_gone(place: Place) -> None:
    with built(place) as memory:
        found = memory.what_if(without="source:drive")
        (trimmed,) = found.trimmed
        assert (trimmed.what, len(trimmed.missing), found.trimmed_items) == ("dreamed", 3, 1)
        assert trimmed.id != trimmed.now
        assert found.lost == ()
        assert found.totals["block"] == {"gone": 3}


def test_what_stood_on_it_is_listed_with_what_it_misses(place: Place) -> None:
    with built(place) as memory:
        found = memory.what_if(without="source:letters")
        (denied,) = found.lost
        assert (denied.what, denied.missing, found.items) == ("denied", ("bell~coin",), {"denied": 1, "evidence": 2})
        walked = memory.what_if(without="source:cook")
        assert {each.what for each in walked.lost} == {"dreamed", "explored"}
        assert walked.totals["narrative"] == {"gone": 1}


def test_the_biggest_change_comes_first_and_the_rest_is_counted(place: Place) -> None:
    with built(place) as memory:
        all_of_it = memory.what_if(without=f"session:{SESSION}", limit=1000)
        sizes = [each.size for each in all_of_it.changes if not each.id.endswith("#order")]
        assert sizes == sorted(sizes, reverse=True)
        assert all_of_it.left_out == 0
        assert sum(sum(each.values()) for each in all_of_it.totals.values()) == len(all_of_it.changes)
        few = memory.what_if(without=f"session:{SESSION}", limit=2)
        assert few.changes == all_of_it.changes[:2]
        assert (few.left_out, few.totals) == (len(all_of_it.changes) - 2, all_of_it.totals)
        assert str(few).startswith(f"Without session:{SESSION}:\n")
        assert f"and {few.left_out} more" in str(few)


def test_a_link_that_others_support_gets_weaker(place: Place) -> None:
    with built(place) as memory:
        found = memory.what_if(without="source:diary")
        (change,) = [each for each in found.changes if each.id == "bell~lantern"]
        assert change.change == "changed"
        assert change.before is not None
        assert change.after is not None
        assert change.size == pytest.approx(change.before["strength"] - change.after["strength"])
        assert change.before["strength"] == memory.link("bell", "lantern").strength
        assert str(change).startswith("changed link bell~lantern: strength 0.")
        assert "evidence 4 -> 3" in str(change)


def test_what_a_cause_predicted_goes_with_its_evidence(place: Place) -> None:
    apart = {"resonance_threshold": 1.0, "tension_threshold": -1.0}  # nothing correlates: only causes are left
    with remembering(place, parameters=apart) as memory:
        for name in ("Screen", "Sleep"):
            memory.add_star(name, domain="health", at=NOON - 40 * DAY)
        for turn in range(13):
            at, more = NOON + (3 * turn - 39) * DAY, bool(turn % 2)
            memory.set_brightness("screen", 0.7 if more else 0.3, at=at)
            memory.set_brightness("sleep", 0.3 if more else 0.7, at=at + 5 * DAY / 6)
            memory.observe("screen", "sleep", "user_creates", at=at, source="diary")
        memory.set_brightness("screen", 0.7)
        memory.advance(hours=12)
        made = len(memory.predictions().items)
        assert made > 0
        assert memory.what_if(without="diary").totals["prediction"] == {"gone": made}


def test_one_item_can_be_taken_away(place: Place) -> None:
    with remembering(place) as memory:
        for name in ("Sleep", "Mood"):
            memory.add_star(name, domain="soul", at=BEGIN)
        first = memory.observe("sleep", "mood", "user_creates", at=NOON)
        found = memory.what_if(without=first.item_id)
        assert found.without == f"item:{first.item_id}"
        assert found.totals["link"] == {"gone": 1}
        assert found.changes[0].id == "mood~sleep"


def test_a_node_is_gone_with_its_links_and_nothing_is_new(place: Place) -> None:
    with remembering(place) as memory:
        tell_five(memory)
        found = memory.what_if(without="Lantern")
        assert found.without == "node:lantern"
        assert found.totals["star"] == {"gone": 1, "changed": 1}
        assert found.nodes_gone == 1
        assert memory.star("lantern") is not None


def test_without_nothing_that_counts_nothing_changes(place: Place) -> None:
    with remembering(place) as memory:
        memory.learn("Ada likes tea", at=BEGIN, source="a")
        memory.learn("Ada likes tea", at=BEGIN + DAY, source="b", tags=["x"])
        found = memory.what_if(without="b")
        assert found.changes == ()
        assert str(found) == "Without source:b:\n  nothing would change"


def test_a_file_that_is_only_read_can_be_asked(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        tell_five(memory)
        told = memory.what_if(without="notes")
    before = path.read_bytes()
    with remembering(path, read_only=True) as memory:
        assert memory.what_if(without="notes") == told
    assert path.read_bytes() == before


def refused(memory: AnyMemory, without: object, **how: object) -> AsterismError:
    with pytest.raises(AsterismError) as caught:
        memory.what_if(without=without, **how)
    assert is_told_well(caught.value)
    return caught.value


def test_what_cannot_be_meant_is_named(place: Place) -> None:
    with remembering(place) as memory:
        tell_five(memory)
        memory.observe("lantern", "bell", "user_confirms", source="bell", at=BEGIN)
        assert refused(memory, "bell").code == "ambiguous_subject"
        assert refused(memory, "bell").hint == "say which: node:bell or source:bell"
        assert memory.what_if(without="source:bell").items == {"evidence": 1}
        unknown = refused(memory, "lanter")
        assert isinstance(unknown, UnknownError)
        assert (unknown.code, unknown.hint) == ("unknown_subject", "did you mean lantern?")
        assert refused(memory, "source:lantern").code == "unknown_subject"
        assert refused(memory, "ab" * 16).code == "unknown_subject"
        assert refused(memory, "zz" * 16).code == "unknown_subject"
        level = refused(memory, "X@100.0")
        assert (level.code, "node:X" in str(level.hint)) == ("part_of_a_book", True)
        assert refused(memory, " ").code == "bad_text"
        assert refused(memory, 7).code == "bad_text"
        assert isinstance(refused(memory, "ann", limit=0), InputError)


def test_two_blocks_of_one_name_are_told_apart_by_id(place: Place) -> None:
    with remembering(place) as memory:
        one = memory.learn("Ada drinks tea at four", name="Tea", at=BEGIN)
        other = memory.learn("Green tea is for guests", name="tea", at=BEGIN)
        assert refused(memory, "Tea").code == "ambiguous_node"
        assert refused(memory, "node:tea").hint == "say which by its id: " + " or ".join(
            f"node:{name}" for name in sorted((one.id, other.id))
        )
        assert memory.what_if(without=one.id).totals["block"] == {"gone": 1}


def test_a_level_that_evidence_names_is_compared_by_its_strength() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.add_star("Lantern", domain="soul", at=BEGIN)
        for day, source in enumerate(("tape", "wire"), start=1):
            memory.feed("X", market(BEGIN + day * DAY), source=source, lateness=0)
        memory.observe("X@100.0", "lantern", "user_confirms")
        changes = {each.id: each for each in memory.what_if(without="source:tape").changes}
        level = changes["X@100.0"]
        assert level.before is not None
        assert level.after is not None
        assert (level.before["interactions"], level.after["interactions"]) == (8, 4)


def test_of_many_of_one_name_it_is_said_how_many_are_not_shown() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn_many([{"content": f"Tea number {number}", "name": "Tea", "at": BEGIN} for number in range(7)])
        hint = str(refused(memory, "node:Tea").hint)
        assert (hint.count("node:"), hint.endswith(", or one of 2 more")) == (5, True)


@pytest.mark.parametrize("subject", ["source:first", "node:{last}"])
def test_a_chain_of_wordings_that_is_twice_as_long_is_twice_the_work(subject: str) -> None:
    taken = [lines_to_suppose(subject, wordings) for wordings in (150, 300)]
    assert taken[1] < 2.5 * taken[0]


def lines_to_suppose(subject: str, wordings: int) -> int:
    """Count the work to suppose that a block had never been said that was worded anew so many times."""
    with remembering(InMemoryStore()) as memory:
        name = memory.learn("Version 0 of the plan", source="first", at=BEGIN).id
        live = memory._async._live
        live.refresh()
        items, at = [], live.now()
        for number in range(1, wordings + 1):
            text = f"Version {number} of the plan"
            payload = {"block": name, "content": text}
            items.append(make_item(space="me", what="edited", at=at + number, payload=payload, known_at=at, source="e"))
            name = block_id(text)
        live.write(lambda _: items)
        supposed = []
        taken = lines_run(lambda: supposed.append(suppose(live, subject.format(last=name))))
        assert len(supposed[0].left.removed) == wordings + 1
        return taken
