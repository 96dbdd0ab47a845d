"""Recall: answers with reasons, narrowed and bounded; nothing written; and why something is not among them."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from asterism.core.recall.model import Answer
from asterism.engine.memory import Memory
from asterism.engine.recall import keeping
from asterism.engine.recall.recaller import recaller_of
from asterism.errors import AsterismError, InputError, UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.store.sqlite import SQLiteStore
from tests.support.five import STARTED, market
from tests.support.memories import DAY, FACTS, NOON, AnyMemory, HandClock, at_cosine, by_hand, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of

QUERIES = ["garden water", "What does Ada play?", "Lisbon", "nothing of that kind", "bread!", "日本"]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


def said(answer: Answer) -> list[tuple[str, object]]:
    return [(hit.id, hit.to_dict()) for hit in answer.hits]


def filled(place: Place, facts: Iterable[str] = FACTS, **how: object) -> AnyMemory:
    memory = remembering(place, **how)  # type: ignore[arg-type]  # as told
    memory.__enter__()
    memory.learn_many([{"content": fact, "conversation": "talk", "speaker": "Ada"} for fact in facts])
    return memory


# Answers


@pytest.mark.parametrize("embedder", ["hashed", "default"])
def test_every_score_is_the_sum_of_its_signals(place: Place, embedder: str) -> None:
    with filled(place, embedder=embedder) as memory:
        memory.add_star("Garden work", domain="health")
        for _ in range(2):
            for query in QUERIES:
                answer = memory.recall(query, hops=2, intention="plan the week")
                assert answer.searched == len(FACTS) + 1
                assert [hit.score for hit in answer.hits] == sorted((hit.score for hit in answer.hits), reverse=True)
                for hit in answer.hits:
                    assert sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-9)
                    why = memory.why(hit)
                    assert (why.total, why.subject) == (hit.score, hit.id)
                    assert sum(line.value for line in why.lines) == pytest.approx(hit.score, abs=1e-9)
                    assert hit.reason
                    assert set(hit.via) == {each.link for each in hit.links}
                assert said(memory.recall(query, hops=2, intention="plan the week")) == said(answer)
                assert str(answer)
            memory.dream()


def test_a_text_is_found_by_its_meaning_the_moment_it_was_learned(place: Place) -> None:
    with remembering(place, embedder="default") as memory:
        for fact in ("The cat sleeps on the sofa.", "Interest rates rose again.", "He repaired the old bicycle."):
            memory.learn(fact)
        assert texts(memory.recall("kitten on a couch"))[0] == "The cat sleeps on the sofa."
        assert texts(memory.recall("money and banks"))[0] == "Interest rates rose again."
        memory.dream()
        assert texts(memory.recall("fixing a bike"))[0] == "He repaired the old bicycle."


def test_what_changes_is_seen_at_once(place: Place) -> None:
    with filled(place) as memory:
        bread = memory.recall("bread", k=1).hits[0].id
        cake = memory.edit(bread, "Grandmother's cake has almonds in it.").id
        assert FACTS[5] not in texts(memory.recall("bread"))
        assert memory.recall("cake almonds", k=1).hits[0].id == cake
        memory.forget(cake)
        assert cake not in {hit.id for hit in memory.recall("cake almonds").hits}
        memory.restore(cake)
        assert memory.recall("cake almonds", k=1).hits[0].id == cake
        memory.edit(cake, "GRANDMOTHER'S cake has almonds in it.")
        assert texts(memory.recall("cake almonds", k=1)) == ["GRANDMOTHER'S cake has almonds in it."]
        late = memory.learn("A heron stood in the pond.", at=NOON - 50 * DAY).id
        assert memory.recall("heron", k=1).hits[0].id == late
        memory.as_of(NOON).recall("heron")
        memory.learn("An otter swam in the pond.")
        memory.as_of(NOON).recall("heron")
        assert texts(memory.recall("otter", k=1)) == ["An otter swam in the pond."]


def test_tags_and_sources_told_later_count_in_the_next_answer(place: Place) -> None:
    with remembering(place) as memory:
        tea = memory.learn("Tea is green.").id
        memory.learn("Coffee is black.", tags=["hot"], source="Bo")
        for told in ({"tags": ["cup"]}, {"source": "Ada"}):
            assert memory.recall("tea", **told).hits == ()
            memory.learn("Tea is green.", **told)
            assert [hit.id for hit in memory.recall("tea", **told).hits] == [tea]


def test_a_star_is_recalled_by_the_name_it_has_now(place: Place) -> None:
    with remembering(place) as memory:
        memory.add_star("Night walk", domain="soul", at=NOON)
        assert [hit.text for hit in memory.recall("night", kinds=["star"]).hits] == ["Night walk"]
        memory.add_star("NIGHT WALK", domain="soul", at=NOON - timedelta(hours=2))  # of its day, and earlier
        assert memory.star("night-walk").name == "NIGHT WALK"
        (hit,) = memory.recall("night", kinds=["star"]).hits
        assert (hit.text, hit.name) == ("NIGHT WALK", "NIGHT WALK")


def test_links_bring_what_words_do_not(place: Place) -> None:
    with remembering(place) as memory:
        clue = memory.learn("The key opens the cellar.").id
        wine = memory.learn("Old bottles from Porto lie there.").id
        for number in range(6):
            memory.learn(f"Unrelated note {number} of many words about nothing at all.")
        plain = memory.recall("key", hops=0)
        memory.observe(clue, wine, "user_creates")
        linked = memory.recall("key")
        assert linked.hits[1].id == wine
        assert linked.hits[1].signals["evidence"] > 0
        assert linked.hits[1].via == (memory.link(clue, wine).id,)
        assert memory.why(linked.hits[1].via[0]).total == memory.link(clue, wine).strength
        assert said(memory.recall("key", hops=0)) == said(plain)
        memory.outcome([clue, wine], 1.0)
        assert "outcome" in memory.recall("key").hits[1].signals
        memory.deny(clue, wine)
        assert "evidence" not in memory.recall("key").hits[1].signals


def test_an_intention_moves_the_answer(place: Place) -> None:
    with filled(place) as memory:
        assert said(memory.recall("Lisbon")) != said(memory.recall("Lisbon", intention="the museum on a Monday"))
        museum = memory.recall("Lisbon", intention="the museum on a Monday").hits[0]
        assert museum.text == FACTS[4]


# Narrowing


def test_filters_keep_what_was_asked_for(place: Place) -> None:
    clock = HandClock()
    with remembering(place, clock=clock) as memory:
        memory.learn("Tea is green.", tags=["hot", "cup"], category="drink", source="Ada")
        clock.now += 2 * DAY
        memory.learn("Milk is white.", tags=["cup"], category="drink", source="Bob")
        memory.learn("Snow is white.", category="")
        memory.add_star("White", domain="soul")
        query = "white green"

        def found(**how: object) -> set[str]:
            return {hit.text.split()[0] for hit in memory.recall(query, **how).hits}

        assert found() == {"Tea", "Milk", "Snow", "White"}
        assert found(tags=["cup"]) == {"Tea", "Milk"}
        assert found(tags=["cup", " hot "]) == {"Tea"}
        assert found(category="drink", source="Bob") == {"Milk"}
        assert found(category="") == {"Snow"}
        assert found(source="Ada") == {"Tea"}
        assert found(since=NOON + DAY) == found(since=date(2026, 3, 3)) == {"Milk", "Snow"}
        assert found(until=date(2026, 3, 1)) == found(until=NOON) == {"Tea"}
        assert found(since=date(2026, 3, 2), until=date(2026, 3, 2)) == set()
        assert found(kinds=["star"]) == {"White"}
        assert found(kinds=["block"], tags=["none"]) == set()
        assert "Nothing" in str(memory.recall(query, tags=["none"]))


def test_k_and_the_budget_bound_an_answer(place: Place) -> None:
    with filled(place) as memory:
        every = memory.recall("garden", k=1000)
        assert len(every.hits) == len(FACTS)
        assert said(memory.recall("garden", k=3)) == said(every)[:3]
        for budget in (1, 10, 15, 30, 10_000):
            kept = memory.recall("garden", k=1000, budget_tokens=budget).hits
            assert sum(hit.tokens for hit in kept) <= budget
            assert [hit.id for hit in every.hits if hit.id in {hit.id for hit in kept}] == [hit.id for hit in kept]
        assert memory.recall("garden", budget_tokens=1).hits == ()


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"query": ""}, "bad_text"),
        ({"query": "\ud800"}, "bad_text"),
        ({"query": "x" * 10_000_000}, "bad_text"),
        ({"intention": ""}, "bad_text"),
        ({"k": 0}, "bad_k"),
        ({"k": 1001}, "bad_k"),
        ({"hops": -1}, "bad_hops"),
        ({"hops": 3}, "bad_hops"),
        ({"budget_tokens": 0}, "bad_budget_tokens"),
        ({"tags": "cup"}, "bad_text"),
        ({"category": 5}, "bad_text"),
        ({"source": ["Ada"]}, "bad_text"),
        ({"kinds": 5}, "unknown_kind"),
        ({"kinds": ["stone"]}, "unknown_kind"),
        ({"since": "yesterday"}, "bad_time"),
    ],
)
def test_what_cannot_be_asked_is_said(how: dict[str, object], code: str) -> None:
    with filled(InMemoryStore()) as memory:
        name = memory.blocks()[0].id
        for call in (memory.recall, lambda **how: memory.why_not(name, **how)):
            with pytest.raises(AsterismError) as refused:
                call(**{"query": "tea", **how})
            assert refused.value.code == code
            assert is_told_well(refused.value)


def test_an_empty_memory_answers_with_nothing(place: Place) -> None:
    with remembering(place) as memory:
        assert memory.recall("tea", hops=2, intention="rest").hits == ()
        assert memory.dream().steps == 0
        assert memory.blocks() == []
        assert memory.reembed() == 0


# Reads write nothing


def test_recall_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with filled(path) as memory:
        memory.dream()
        memory.learn("Not dreamed of yet.")
    with closing(SQLiteStore(path)) as watcher:
        before = path.read_bytes(), watcher.version("me"), watcher.items("me")
        for read_only in (False, True):
            with remembering(path, read_only=read_only) as memory:
                for query in QUERIES:
                    memory.recall(query, hops=2, tags=["x"])
                    memory.as_of(NOON).recall(query)
                    for block in memory.blocks():
                        memory.why_not(block.id, query)
                        memory.why(block.id)
                for link in memory.links():
                    memory.why(link.id)
                memory.block("0" * 16)
        assert (path.read_bytes(), watcher.version("me"), watcher.items("me")) == before


# The cache


@pytest.fixture
def cached(place: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setattr(keeping, "CACHED_FROM", 4)
    with filled(place, embedder="default") as memory:
        memory.dream()
        assert memory._async._live.store.cache("me", "recall") is not None
        memory.forget(memory.blocks()[0].id)
        memory.edit(memory.blocks()[0].id, "The garden needs no water.")
        memory.learn("Something came since.")
    return place


def test_the_next_process_reads_the_cache_and_answers_as_without_it(cached: Place, tmp_path: Path) -> None:
    with (
        remembering(cached, embedder="default") as memory,
        remembering(tmp_path / "without.db", embedder="default") as without,
    ):
        without.merge(memory)
        assert without._async._live.store.cache("me", "recall") is None
        for query in QUERIES:
            one, other = memory.recall(query), without.recall(query)
            assert [hit.id for hit in one.hits] == [hit.id for hit in other.hits]
            assert [hit.score for hit in one.hits] == pytest.approx([hit.score for hit in other.hits], abs=1e-5)
            assert [hit.signals.keys() for hit in one.hits] == [hit.signals.keys() for hit in other.hits]
        recaller = recaller_of(memory._async._live)
        assert recaller.indexed == 4  # two that went and two that came: the others were in the cache


def test_a_damaged_cache_is_passed_over(cached: Place) -> None:
    if not isinstance(cached, Path):
        pytest.skip("a store without a file is not damaged")
    with remembering(cached, embedder="default") as memory:
        expected = [(hit.id, pytest.approx(hit.score, abs=1e-5)) for hit in memory.recall("garden").hits]
    with closing(sqlite3.connect(cached)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM cache_column ORDER BY name")]
    assert len(names) > 10
    for name in names[::9]:
        with closing(sqlite3.connect(cached)) as connection, connection:
            query = "SELECT data FROM cache_column WHERE name = ?"
            (data,) = connection.execute(query, (name,)).fetchone()
            connection.execute("UPDATE cache_column SET data = ? WHERE name = ?", (data[:-1] + b"\7\7", name))
        with remembering(cached, embedder="default") as memory:
            assert [(hit.id, hit.score) for hit in memory.recall("garden").hits] == expected
            assert memory.verify().ok
        with closing(sqlite3.connect(cached)) as connection, connection:
            connection.execute("UPDATE cache_column SET data = ? WHERE name = ?", (data, name))


# Why not


def test_the_gates_of_an_answer(place: Place) -> None:
    with filled(place) as memory:
        hits = memory.recall("garden", k=1000).hits
        first, last = hits[0].id, hits[-1].id
        inside = memory.why_not(first, "garden")
        assert (inside.gate, inside.rank, inside.value) == ("in", 1, pytest.approx(hits[0].score, abs=1e-9))
        below = memory.why_not(last, "garden", k=2)
        assert (below.gate, below.rank) == ("rank", len(FACTS))
        assert below.needed == pytest.approx(hits[1].score, abs=1e-8)
        assert last in {hit.id for hit in memory.recall("garden", k=below.rank).hits}  # the change that it names
        assert sum(below.signals.values()) == pytest.approx(below.value, abs=1e-8)
        for how in ({"tags": ["x"]}, {"category": "x"}, {"source": "x"}, {"since": NOON + DAY}, {"kinds": ["star"]}):
            out = memory.why_not(first, "garden", **how)
            assert out.gate == "filter", how
            assert "drop that filter" in out.change
        second = hits[1].id
        poor = memory.why_not(second, "garden", budget_tokens=1)
        fitting = [
            budget
            for budget in range(1, 50)
            if second in {hit.id for hit in memory.recall("garden", budget_tokens=budget).hits}
        ]
        assert (poor.gate, poor.needed) == ("budget", fitting[0])
        memory.forget(first)
        assert memory.why_not(first, "garden").gate == "gone"
        assert "restore" in memory.why_not(first, "garden").change
        edited = memory.edit(last, "Something else.").id
        assert edited in memory.why_not(last, "garden").change
        for name in ("nobody", "0" * 16, ""):
            with pytest.raises((UnknownError, InputError)):
                memory.why_not(name, "garden")


def test_the_gates_of_a_link(place: Place) -> None:
    vectors = {"one": at_cosine(1), "two": at_cosine(0.8), "three": at_cosine(0.2), "four": at_cosine(0.45)}
    with remembering(place, embedder=by_hand(vectors), parameters={"edge_degree_cap": 1}) as memory:
        one, two, three, four = (memory.learn(f"{word}.", category=word).id for word in vectors)
        assert memory.why_not(one, two).gate == "inbox"
        memory.dream()
        links = {frozenset((link.a, link.b)) for link in memory.links()}
        assert memory.why_not(one, three).gate == "guard"
        for link in memory.links():
            linked = memory.why_not(link.b, link.a)
            assert (linked.gate, linked.value) == ("linked", link.strength)
        assert memory.why_not(one, four).gate in ("threshold", "linked")
        others = [frozenset(pair) for pair in ((one, two), (two, four), (three, four), (two, three))]
        gates = {memory.why_not(*sorted(pair)).gate for pair in others if pair not in links}
        assert gates <= {"cap", "guard", "threshold"}
        assert "cap" in gates
        with pytest.raises(InputError) as itself:
            memory.why_not(one, one)
        assert itself.value.code == "self_link"
        memory.forget(three)
        assert memory.why_not(one, three).gate == "gone"


def test_a_link_below_the_threshold_says_how_many_tags_would_make_it(place: Place) -> None:
    with remembering(place, embedder=by_hand({"one": at_cosine(1), "two": at_cosine(0.4)})) as memory:
        one = memory.learn("one.", category="a", at=NOON - timedelta(days=2)).id
        memory.dream()
        for day in range(3):
            memory.begin_session(f"s{day}", at=NOON - timedelta(hours=72 - 24 * day))
        two = memory.learn("two.", category="b").id
        memory.dream()
        below = memory.why_not(one, two)
        assert (below.gate, below.needed) == ("threshold", 0.4)
        assert below.value < 0.4
        assert "tags" in below.change or "Evidence" in below.change


def test_the_order_of_learning_does_not_show_in_scores() -> None:
    words = ["basalt", "fjord", "lantern", "harbour", "amber"]
    chance = random.Random(7)
    texts = [" ".join(chance.sample(words, 3)) for _ in range(11)]

    def scores(order: list[str]) -> dict[str, float]:
        with Memory.open_sync(":memory:", space="me", embedder="hashed", clock=NOON) as memory:
            memory.learn_many(order)
            return {hit.id: hit.score for hit in memory.recall("basalt fjord", k=20).hits}

    first = scores(texts)
    for _ in range(5):
        chance.shuffle(texts)
        assert scores(texts) == first


def test_looking_again_changes_no_answer() -> None:
    with Memory.open_sync(":memory:", space="me", embedder="hashed") as memory:
        memory.learn_many([f"text {number} of many" for number in range(3_000)])
        first, second = (memory.recall("text 17 of many") for _ in range(2))
        assert [(hit.id, hit.score) for hit in first.hits] == [(hit.id, hit.score) for hit in second.hits]
        assert first.notes == second.notes == ()


def test_a_budget_holds_for_levels_and_the_others_together() -> None:
    """What a level leaves room for is there, though a larger hit would have taken that room without the level."""
    with remembering(InMemoryStore()) as memory:
        memory.feed("X", market(STARTED), source="tape", lateness=0)
        large = memory.learn("Sell X at 100, " + "sell X at 100 " * 11).id
        small = memory.learn("sell it").id
        hits = {hit.id: hit for hit in memory.recall("sell X at 100?", kinds=["level", "block"]).hits}
        assert list(hits)[:2] == ["X@100.0", large]
        assert hits["X@100.0"].tokens + hits[small].tokens <= hits[large].tokens
        found = memory.recall("sell X at 100?", budget_tokens=hits[large].tokens).hits
        assert [hit.id for hit in found] == ["X@100.0", small]
