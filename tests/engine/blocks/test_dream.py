"""Dreams: near-duplicates, what takes another's place, links with reasons; in steps, beside others, after merges."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from asterism.core.connections.model import Verify
from asterism.core.ledger.model import Link
from asterism.engine.blocks import dream as dreaming
from asterism.engine.memory import Memory
from asterism.errors import InputError, UnknownError
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import (
    DAY,
    FACTS,
    NOON,
    AnyMemory,
    HandClock,
    at_cosine,
    by_hand,
    remembering,
    store_checkpoint,
)
from tests.support.stores import STORES, Place, place_of, store_of

SMALL_STEPS = {"dream_batch_blocks": 2}


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def whole(memory: AnyMemory) -> str:
    verified: Verify = memory.verify()
    assert verified.ok, verified.differences
    return verified.digest


def kinds(links: Iterable[Link]) -> list[str]:
    return sorted(link.kind for link in links)


def checkpoint(place: Place) -> None:
    with closing(store_of(place)) as store:
        store_checkpoint(store)


# What a dream does


def test_a_dream_links_what_nobody_named_and_each_link_says_why(place: Place) -> None:
    with remembering(place) as memory:
        memory.learn_many(FACTS)
        done = memory.dream()
        assert (done.promoted, done.remaining, done.exact, done.embedded) == (len(FACTS), 0, True, len(FACTS))
        assert "promoted" in str(done)
        assert {block.status for block in memory.blocks()} == {"active"}
        links = memory.links()
        assert done.edges_created == len(links) > 0
        assert set(kinds(links)) == {"similar"}
        for link in links:
            why = memory.why(link.id)
            assert (why.total, why.subject) == (link.strength, link.id)
            assert sum(line.value for line in why.lines) == pytest.approx(link.strength, abs=1e-9)
            assert memory.why(link.a, link.b).total == link.strength
        again = memory.dream()
        assert (again.steps, again.promoted, again.edges_created) == (0, 0, 0)
        whole(memory)


def test_the_cosine_the_spec_names_makes_the_link_it_names(place: Place) -> None:
    embedder = by_hand({"Tea": at_cosine(1.0), "Coffee": at_cosine(0.62)})
    with remembering(place, embedder=embedder) as memory:
        tea, coffee = memory.learn("Tea.", category="a").id, memory.learn("Coffee.", category="b").id
        memory.dream()
        (link,) = memory.links(tea, coffee)
        assert link.strength == pytest.approx(0.486, abs=1e-8)  # one session, other categories


def test_a_near_duplicate_goes_and_a_better_wording_takes_the_place_of_the_older(place: Place) -> None:
    vectors = {"walks": [1.0, 0.0], "strolls": at_cosine(0.96), "ambles": at_cosine(0.92), "2pm": at_cosine(0.99)}
    clock = HandClock()
    with remembering(place, embedder=by_hand(vectors), clock=clock) as memory:
        old = memory.learn("She walks.", tags=["a"]).id
        memory.add_star("Health", domain="health")
        memory.observe(old, "health", "user_creates")
        memory.dream()
        repeated = memory.learn("She strolls.").id
        assert memory.dream().duplicates == 1
        assert (memory.block(repeated).status, memory.block(repeated).superseded_by) == ("duplicate", old)
        assert memory.learn("She strolls.").status == "duplicate"
        new = memory.learn("She ambles.").id
        assert memory.dream().superseded == 1
        assert (memory.block(old).status, memory.block(old).superseded_by) == ("superseded", new)
        assert [block.id for block in memory.blocks()] == [new]
        other = memory.learn("She is there at 2pm.").id  # a number: another fact, however near
        assert memory.dream().promoted == 1
        assert kinds(memory.links(new, other)) == ["similar"]
        moves_to_its_successor(memory, clock, old, new)
        whole(memory)


def moves_to_its_successor(memory: AnyMemory, clock: HandClock, old: str, new: str) -> None:
    clock.now += DAY
    (link,) = memory.links(new, "health")
    assert (link.a, link.b, link.family) == (new, "health", "connection")
    assert memory.link(new, "health") == memory.link(old, "health") == link
    assert memory.observe(new, "health", "user_confirms").before == link.strength
    (stronger,) = memory.links(new, "health")
    assert stronger.strength > link.strength
    assert stronger.id == link.id
    assert memory.why(new, "health").total == pytest.approx(stronger.strength, abs=1e-9)
    assert memory.why(stronger.id).total == memory.why(old, "health").total
    assert len([each for each in memory.links() if each.family == "connection"]) == 1
    assert memory.deny(new, "health").state == "DISSOLVED"
    assert memory.links(old, "health") == []


def test_an_edit_carries_links_to_the_new_wording(place: Place) -> None:
    clock = HandClock()
    with remembering(place, clock=clock) as memory:
        old, other = memory.learn("She walks.").id, memory.learn("She swims at noon.").id
        memory.add_star("Health", domain="health")
        memory.observe(old, "health", "user_creates")
        memory.outcome([old, other], 1.0)
        new = memory.edit(old, "She ambles.").id
        assert kinds(memory.links(new, other)) == ["outcome"]
        moves_to_its_successor(memory, clock, old, new)
        assert kinds(memory.links(old)) == kinds(memory.links(new))
        whole(memory)


def test_links_of_use_and_outcome_fade_in_sessions_and_say_so(place: Place) -> None:
    clock = HandClock()
    with remembering(place, clock=clock) as memory:
        names = [memory.learn(fact).id for fact in FACTS[:3]]
        for session in "abc":
            memory.used(names[:2], session=session)
        memory.outcome(names[1:], 0.8)
        memory.dream()
        for link in memory.links():
            then = link.strength
            with memory.session("work"):
                clock.now += timedelta(hours=5)
            (now,) = [each for each in memory.links() if each.id == link.id]
            assert now.strength < then
            why = memory.why(link.id)
            assert sum(line.value for line in why.lines) == pytest.approx(now.strength, abs=1e-9)
            assert why.total == now.strength
        with pytest.raises(UnknownError) as refused:
            memory.why(f"{names[0]}~{names[2]}#outcome")
        assert "why_not" in (refused.value.hint or "")
        whole(memory)


def test_a_link_that_faded_is_pruned_by_the_next_dream(place: Place) -> None:
    clock = HandClock()
    with remembering(place, clock=clock) as memory:
        a, b = (memory.learn(text, tags=["ephemeral"]).id for text in FACTS[1:3])
        memory.dream()
        assert kinds(memory.links(a, b)) == ["similar"]
        for day in range(3):
            with memory.session(f"day {day}"):
                clock.now += timedelta(hours=20)
        memory.learn(FACTS[0])
        memory.dream()
        assert memory.links(a, b) == []
        assert memory.why_not(a, b).gate == "none"
        whole(memory)


# Steps and progress


def test_many_small_steps_make_the_links_of_one_and_tell_how_far_they_are(place: Place) -> None:
    told: list[tuple[float, int]] = []
    with remembering(place, parameters=SMALL_STEPS) as memory, remembering(InMemoryStore()) as at_once:
        for each in (memory, at_once):
            each.learn_many(FACTS)
        first = memory.dream(steps=1)
        assert (first.steps, first.remaining, first.promoted) == (1, len(FACTS) - 2, 2)
        rest = memory.dream(progress=lambda share, blocks: told.append((share, blocks)))
        assert (rest.steps, rest.remaining) == (3, 0)
        assert told == sorted(told)
        assert told[-1] == (1.0, len(FACTS) - 2)
        at_once.dream()
        assert memory.links() == at_once.links()
        assert memory.blocks() == at_once.blocks()
        whole(memory)


def test_a_dream_whose_watcher_fails_has_done_its_steps(place: Place) -> None:
    def fail(share: float, _: int) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with remembering(place, parameters=SMALL_STEPS) as memory:
        memory.learn_many(FACTS)
        with pytest.raises(KeyboardInterrupt):
            memory.dream(progress=fail)
        assert 0 < len(memory.blocks(statuses=["active"])) < len(FACTS)
        whole(memory)
        memory.dream()
        with remembering(InMemoryStore()) as at_once:
            at_once.learn_many(FACTS)
            at_once.dream()
            assert memory.links() == at_once.links()
        whole(memory)


@pytest.mark.parametrize("steps", [0, -1, 1.5, True, "one"])
def test_a_dream_takes_a_whole_number_of_steps(steps: object) -> None:
    with remembering(InMemoryStore()) as memory:
        with pytest.raises(InputError) as refused:
            memory.dream(steps=steps)
        assert refused.value.code == "bad_steps"


# Beside others


def test_a_dream_goes_on_beside_others_who_write(place: Place) -> None:
    with remembering(place, parameters=SMALL_STEPS) as memory, remembering(place, parameters=SMALL_STEPS) as other:
        names = [receipt.id for receipt in memory.learn_many(FACTS)]
        told = iter([lambda: other.forget(names[-1]), lambda: other.learn("And the cat is old."), other.dream])

        def meddle(*_: object) -> None:
            next(told, lambda: None)()

        memory.dream(progress=meddle)
        assert [block.status for block in memory.blocks()] == ["active"] * len(FACTS)
        assert names[-1] not in {block.id for block in memory.blocks()}
        assert whole(memory) == whole(other)
        assert memory.links() == other.links()


def test_a_dream_that_is_overtaken_again_and_again_holds_the_others_at_last(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with remembering(place) as memory, remembering(place) as other:
        memory.learn_many(FACTS)
        computed, tries = dreaming._computed, iter(range(dreaming.TRIES))

        def overtaken(*how: object) -> object:
            done = computed(*how)  # type: ignore[arg-type]  # as it is called
            for number in tries:
                other.learn(f"One more, of many: {number}.")
                break
            return done

        monkeypatch.setattr(dreaming, "_computed", overtaken)
        done = memory.dream()
        assert (done.steps, done.promoted, done.remaining) == (1, len(FACTS) + dreaming.TRIES, 0)
        assert whole(memory) == whole(other)


def test_two_memories_of_one_store_see_each_other_at_once(place: Place) -> None:
    with remembering(place) as one, remembering(place) as other:
        name = one.learn("Tea is green.").id
        assert [hit.id for hit in other.recall("tea").hits] == [name]
        other.dream()
        assert one.block(name).status == "active"
        one.forget(name)
        assert other.recall("tea").hits == ()
        other.learn("Coffee is black.", at=NOON - 3 * DAY)
        assert [hit.text for hit in one.recall("coffee").hits] == ["Coffee is black."]
        assert whole(one) == whole(other)


# The past, checkpoints, merges


def test_the_past_shows_blocks_links_and_answers_as_they_were(place: Place) -> None:
    clock = HandClock()
    with remembering(place, clock=clock) as memory:
        seen = []
        names = [memory.learn(fact).id for fact in FACTS[:4]]
        clock.now += DAY
        for act in (
            memory.dream,
            lambda: memory.edit(names[0], "Ada plays the violin on Tuesdays."),
            lambda: memory.forget(names[1]),
            lambda: memory.learn(FACTS[4]),
            memory.dream,
        ):
            seen.append((clock.now, *shown(memory)))
            clock.now += DAY
            act()
            if len(seen) == 3:
                checkpoint(place)
        for then, *what in seen:
            assert [*shown(memory.as_of(then))] == what
        now = [*shown(memory)]
        memory.as_of(clock.now).recall("garden")
        assert [*shown(memory)] == now
        whole(memory)


def shown(memory: AnyMemory) -> tuple[object, ...]:
    hits = memory.recall("Ada and the garden").hits
    links = memory.links()
    scores = [round(hit.score, 3) for hit in hits]  # they are sums in single precision, in the order of rows
    return [hit.id for hit in hits], scores, links, memory.blocks(), [memory.why(link.id) for link in links]


def test_a_checkpoint_holds_blocks_and_later_items_are_folded_onto_it(place: Place) -> None:
    with remembering(place, parameters=SMALL_STEPS) as memory:
        names = [receipt.id for receipt in memory.learn_many(FACTS)]
        memory.begin_session("open")
        memory.used(names[:3], session="one")
        memory.dream(steps=2)
        checkpoint(place)
        memory.used(names[:3], session="two")
        memory.learn("A late one.", at=NOON - 30 * DAY)
        memory.dream()
        digest = whole(memory)
        assert memory.verify().checkpoints >= 1
        expected = shown(memory)
    with remembering(place) as fresh:
        assert shown(fresh) == expected
        assert whole(fresh) == digest


def test_two_copies_that_dreamed_apart_merge_into_one_in_either_order(tmp_path: Path) -> None:
    paths = [tmp_path / "one.db", tmp_path / "other.db"]
    for path, texts, clock in zip(paths, (FACTS[:6], FACTS[3:]), (NOON, NOON + DAY), strict=True):
        with remembering(path, parameters=SMALL_STEPS, clock=clock) as memory:
            names = [receipt.id for receipt in memory.learn_many(texts)]
            memory.dream()
            memory.edit(names[0], f"{texts[0]} Always.")
            memory.forget(names[1])
            memory.outcome(names[2:4], 1.0)
            memory.dream()
    merged = []
    for number, order in enumerate((paths, paths[::-1])):
        place = tmp_path / f"merged-{number}.db"
        with remembering(place, clock=NOON + DAY) as memory:
            for path in order:
                memory.merge(path)
                whole(memory)
            assert memory.dream().embedded == 0  # vectors came along
            merged.append((whole(memory), shown(memory), [block.id for block in memory.blocks()]))
            for link in memory.links():
                lines = memory.why(link.id).lines
                assert sum(line.value for line in lines) == pytest.approx(link.strength, abs=1e-9)
    assert merged[0] == merged[1]


def test_a_dream_does_not_undo_another_embedder(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory.open_sync(path, space="me") as memory:
        memory.learn("cats like milk")

        def meanwhile(_share: float, _blocks: int) -> None:
            with Memory.open_sync(path, space="me", embedder="hashed") as other:
                if other.stats().embedder is None:
                    other.learn("dogs like bones")
                    other.dream()

        with pytest.raises(InputError) as refused:
            memory.dream(progress=meanwhile)
        assert refused.value.code == "other_embedder"
    with Memory.open_sync(path, space="me", embedder="hashed") as other:
        assert other.recall("bones").hits


def test_tags_told_of_a_superseded_text_reach_what_stands_for_it() -> None:
    vectors = {"the alpha text": [1.0, 0.0], "the bravo text": [0.92, 0.3919]}
    with Memory.open_sync(":memory:", space="me", embedder=by_hand(vectors)) as memory:
        old = memory.learn("the alpha text")
        memory.dream()
        new = memory.learn("the bravo text")
        assert memory.dream().superseded == 1
        assert memory.learn("the alpha text", tags=["important"], source="me").status == "again"
        seen = memory.block(new.id)
        assert seen is not None
        assert (seen.tags, seen.sources) == (("important",), ("me",))
        assert memory.forget(old.id).id == new.id
        assert memory.restore(old.id).id == new.id  # undone by the name it was done with


def test_a_dream_with_nothing_new_drops_what_has_faded() -> None:
    now = [NOON]
    with Memory.open_sync(":memory:", space="me", embedder="hashed", clock=lambda: now[0]) as memory:
        memory.learn("tea is warm and green", tags=["a", "ephemeral"])
        memory.learn("tea is warm and black", tags=["a", "ephemeral"])
        memory.dream()
        assert [link.kind for link in memory.links()] == ["similar"]
        for day in range(10):
            now[0] = NOON + timedelta(days=day)
            memory.begin_session(f"day {day}")
            now[0] += timedelta(hours=20)
            memory.end_session(f"day {day}")
        assert memory.dream().promoted == 0
        assert memory.links() == []


def test_an_unfinished_dream_goes_on_inside_an_open_session() -> None:
    now = [NOON]
    texts = [f"note {number} about topic {number % 4}" for number in range(40)]

    def links(steps: int | None) -> set[str]:
        now[0] = NOON
        with Memory.open_sync(
            ":memory:", space="me", embedder="hashed", clock=lambda: now[0], parameters={"dream_batch_blocks": 10}
        ) as memory:
            memory.begin_session("s")
            memory.learn_many(texts)
            while memory.dream(steps=steps).remaining:
                now[0] += timedelta(seconds=1)
            return {link.id for link in memory.links()}

    assert links(1) == links(None)


def test_connections_of_blocks_take_room() -> None:
    vectors = {"note": at_cosine(1.0), "jot": at_cosine(0.8), "far": [0.0, 0.0]}
    parameters = {"edge_degree_cap": 1}
    with remembering(InMemoryStore(), embedder=by_hand(vectors), parameters=parameters) as memory:
        note, jot, far = (memory.learn(text).id for text in ("a note", "a jot", "far away"))
        memory.observe(note, far, "user_creates")
        assert memory.dream().edges_created == 0
        assert memory.why_not(note, jot).gate == "cap"
