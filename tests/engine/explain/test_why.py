"""Why, for everything there is: the lines add up to the number, and the number is the one that is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from asterism.core.ledger.calendar import to_datetime, to_micros
from asterism.core.ledger.model import Why
from asterism.engine.explore.graph import graph_of
from asterism.engine.recall import answer as answering
from asterism.engine.space.live import Live
from asterism.errors import UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.store.sqlite import SQLiteStore
from tests.support.memories import DAY, NOON, AnyMemory, HandClock, contents, remembering
from tests.support.whole import TALK, tell_everything


class Told:
    """A memory that was told of everything, with what it needs to be looked into."""

    def __init__(self, path: Path) -> None:
        self.clock: HandClock = HandClock()
        self.store = SQLiteStore(path)
        self.memory: AnyMemory = remembering(self.store, clock=self.clock)
        self.memory.__enter__()
        self.ids = tell_everything(self.memory, self.clock)


KNOWN = NOON + 12 * DAY
FIRST = NOON + DAY / 8
MOMENTS: dict[int, Callable[[Told], int | None]] = {
    0: lambda _: None,
    1: lambda told: to_micros(told.clock.now - 9 * DAY),
    2: lambda told: to_micros(told.clock.now),
    3: lambda _: to_micros(FIRST),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    made = Told(tmp_path_factory.mktemp("why") / "memory.db")
    yield made
    made.memory.__exit__(None, None, None)
    made.store.close()


def adds_up(why: Why, stored: float | None = None) -> Why:
    """See that the lines add up to the total, and the total is the number that is stored."""
    assert sum(line.value for line in why.lines) == pytest.approx(why.total, abs=1e-9), why
    if stored is not None:
        assert why.total == pytest.approx(stored, abs=1e-9), why
    assert str(why)
    return why


def views(told: Told) -> list[AnyMemory]:
    """Give the memory now, as it was, and as it was known."""
    memory = told.memory
    past = [
        memory.as_of(to_datetime(moment(told) or 0), known_at=KNOWN if place == 2 else None)
        for place, moment in MOMENTS.items()
        if place
    ]
    return [memory, *past]


def test_every_kind_of_link_is_there(told: Told) -> None:
    kinds = {link.kind for link in told.memory.links()}
    assert {"similar", "co_occurs", "outcome", "caused", "order", "walk"} <= kinds
    assert any(link.family == "connection" for link in told.memory.links())
    assert {node.node().kind for node in told.memory.nodes()} >= {"star", "block", "level", "actor", "moment"}
    assert told.memory.nodes(kinds=["narrative"])
    assert told.memory.predictions().items


@pytest.mark.parametrize("place", range(4))
def test_every_link_adds_up(told: Told, place: int) -> None:
    view = views(told)[place]
    links = view.links()
    assert links or place == 3
    for link in links:
        why = adds_up(view.why(link.id), link.strength)
        assert (why.subject, why.number) == (link.id, "strength")
        assert why.lines
    for link in (each for each in links if each.family == "connection"):
        assert view.why(link.a, link.b) == view.why(link.b, link.a)


@pytest.mark.parametrize("place", range(4))
def test_every_node_adds_up(told: Told, place: int) -> None:
    view = views(told)[place]
    live = Live(told.store, "me", clock=lambda: to_micros(told.clock.now), embedder="hashed")
    seen = answering.sight(live, at=MOMENTS[place](told), known_at=to_micros(KNOWN) if place == 2 else None)
    graph = graph_of(live, seen)
    weights = dict(zip(graph.ids, graph.weight.tolist(), strict=True))
    for star in view.stars():
        assert adds_up(view.why(star.id), star.brightness).number == "brightness"
    for block in view.blocks(statuses=["inbox", "active", "duplicate", "superseded", "edited", "forgotten"]):
        assert adds_up(view.why(block.id), block.confidence).number == "confidence"
    for symbol in view.symbols():
        for level in view.levels(symbol.symbol):
            assert adds_up(view.why(level.id), level.strength).number == "strength"
    for node in view.nodes(kinds=["actor", "moment", "narrative"]):
        if view.star(node.id) is None:
            assert adds_up(view.why(node.id), weights[node.id]).number == "weight"


def test_a_narrative_says_what_it_was_made_of(told: Told) -> None:
    (narrative, *_) = told.memory.nodes(kinds=["narrative"])
    said = "\n".join(told.memory.why(narrative.id).notes)
    assert "by the query “" in said
    assert "with the intention “" in said
    assert "it started at" in said
    assert "energy" in said


@pytest.mark.parametrize("place", range(4))
def test_every_causal_link_adds_up(told: Told, place: int) -> None:
    view = views(told)[place]
    links = view.causal_links() if view.sessions() else []
    assert len(links) == (4 if place < 3 and view.sessions() else 0)
    for link in links:
        why = adds_up(view.why(link.id), link.score or 0.0)
        assert view.why(f"{link.session_id}:{link.intent_anchor_index}") == why
        assert view.why(link) == why
    if links:
        question = view.why("game 1:0")
        assert [line.text.split(":")[0].split(" at")[0] for line in question.lines][:3] == [
            "nearness",
            "words in common",
            "a question, answered with yes or no",
        ]
        assert view.why("Game 1:1") == question  # the line of its consequence


def test_traces_of_both_scorers_add_up() -> None:
    for scorer in ("seed", "dialogue"):
        with remembering(InMemoryStore(), clock=NOON + DAY) as memory:
            how = {"session": "one", "responders": ["DM"], "started_at": NOON, "scorer": scorer}
            report = memory.read_transcript(TALK, traces=True, **how)
            assert report.traces
            scores = {link.intent_anchor_index: link.score or 0.0 for link in report.links}
            for trace in report.traces:
                adds_up(memory.why(trace), scores.get(trace.intent_anchor_index, 0.0))
            for link in memory.causal_links():
                adds_up(memory.why(link.id), link.score or 0.0)
            if scorer == "dialogue":
                assert any("logit." in note for trace in report.traces for note in memory.why(trace).notes)


def test_every_item_adds_up(told: Told) -> None:
    memory, kinds = told.memory, set()
    numbers: dict[str, set[str]] = {}
    for stored in contents(told.store):
        why = adds_up(memory.why(stored.item.id.hex()))
        kinds.add(stored.item.what)
        numbers.setdefault(stored.item.what, set()).add(why.number)
    assert numbers["evidence"] == {"gain"}
    assert numbers["market"] == {"events"}
    assert numbers["explored"] == {"energy"}
    assert numbers["session"] == {"active hours"}
    assert numbers["outcome"] == {"strength"}
    assert {"star_added", "learned", "dreamed", "transcript", "brightness_observed", "denied"} <= kinds
    sessions = [stored.item.id.hex() for stored in contents(told.store) if stored.item.what == "session"]
    assert sum(memory.why(each).total for each in sessions) == pytest.approx(200, abs=1e-3)  # 6, 96, 96, 2
    last = contents(told.store)[-1].item
    with pytest.raises(UnknownError):
        memory.as_of(NOON).why(last.id.hex())


@pytest.mark.parametrize("place", range(2))
def test_every_prediction_adds_up(told: Told, place: int) -> None:
    view = views(told)[place]
    for each in view.predictions().items:
        why = adds_up(view.why(each), each.confidence)
        assert view.why(each.id) == why
        assert len(why.lines) == 2


@pytest.mark.parametrize("place", range(4))
def test_every_hit_and_what_led_to_it_adds_up(told: Told, place: int) -> None:
    view = views(told)[place]
    queries = ("Where was the director of Lone Wolf born?", "dinner with Lena", "the key", "Where to?")
    hits = [
        hit for query in (queries if place == 0 else queries[:1]) for hit in view.recall(query, hops=2, floor=0).hits
    ]
    for hit in hits:
        adds_up(view.why(hit), hit.score)
    links = {link.link: link.kind for hit in hits for link in hit.links}
    for link in links:
        assert 0 < adds_up(view.why(link)).total <= 1
    assert {"mention", "mention_rest", "shared_term"} & set(links.values())


def test_links_by_name_say_why_in_the_past_too(told: Told) -> None:
    ids, then = told.ids, told.memory.as_of(FIRST)
    for kind, a, b in (("mention", "film", "carver"), ("order", "chat 0", "chat 1")):
        link = f"{ids[a]}~{ids[b]}#{kind}"
        assert adds_up(then.why(link)) == told.memory.why(link)
    with pytest.raises(UnknownError):
        told.memory.as_of(NOON - DAY).why(f"{ids['film']}~{ids['carver']}#mention")
