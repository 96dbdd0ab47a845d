"""The sky of a memory says what the memory says: now, at every time of its slider, and ahead."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from asterism import sync
from asterism.core.ledger.calendar import to_micros
from asterism.engine.exchange.constellation import sky_of
from asterism.engine.memory import Memory
from asterism.engine.space import looking
from asterism.engine.space.live import Live
from asterism.entry.sample import session
from asterism.formats.constellation import Sky, SkyLink, SkyNode, page
from tests.support.memories import DAY, HandClock

NOW = datetime(2026, 3, 20, 15, tzinfo=UTC)


def tell(memory: sync.Memory) -> None:
    """Tell of three stars, two notes, a level, and a session."""
    for place, name in enumerate(("Sleep", "Mood", "Work")):
        memory.add_star(name, domain="health", at=datetime(2026, 3, 1 + place, 8, tzinfo=UTC))
    for day in (2, 4, 5, 9):
        at = datetime(2026, 3, day, 9, tzinfo=UTC)
        memory.observe("sleep", "mood", "user_confirms", at=at)
        memory.engage("sleep", at=at)
    memory.observe("work", "mood", "user_creates", at="2026-03-06T09:00:00Z")
    memory.observe("sleep", "work", "co_mention_session", at="2026-03-04T10:00:00Z")
    memory.deny("sleep", "work", at="2026-03-05T10:00:00Z")  # NASCENT: it dissolves
    for text in ("The window is open at night.", "I sleep better with the window open at night."):
        memory.learn(text, at="2026-03-08T09:00:00Z")
    memory.dream()
    begun = datetime(2026, 3, 10, 9, tzinfo=UTC).timestamp()
    memory.feed("S", [{"kind": "liquidation", "at": begun + second, "price": 100.0, "n": 1} for second in range(9)])
    found = session.transcript()
    memory.read_transcript(
        found.lines,
        session=found.session,
        responders=found.responders,
        actors=found.actors,
        masks=found.masks,
        started_at="2026-03-12T18:00:00Z",
    )


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sync.Memory]:
    with Memory.open_sync(
        tmp_path_factory.mktemp("sky") / "sky.db", space="me", clock=NOW, embedder="hashed"
    ) as opened:
        tell(opened)
        yield opened


def live_of(memory: sync.Memory) -> Live:
    held: Memory = memory.__dict__["_async"]
    live = held._live
    assert live is not None
    return live


def link_of(sky: Sky, name: str) -> SkyLink:
    (found,) = [link for link in sky.links if link.id == name]
    return found


def node_of(sky: Sky, name: str) -> SkyNode:
    (found,) = [node for node in sky.nodes if node.id == name]
    return found


def test_it_holds_every_node_and_every_link_as_they_are(memory: sync.Memory) -> None:
    sky = sky_of(live_of(memory))
    assert {node.kind for node in sky.nodes} >= {"star", "block", "level", "actor", "moment"}
    shown = {link.id: link.strength for link in sky.links if link.state != "DISSOLVED"}
    assert shown == {link.id: link.strength for link in memory.links()}
    assert {node.id for node in sky.nodes} == {node.id for node in memory.nodes()}
    assert sky.left_out == {}
    assert node_of(sky, "sleep").at == datetime(2026, 3, 1, tzinfo=UTC)
    assert all(node.at is not None for node in sky.nodes)
    assert sky.made_at == "2026-03-20 15:00 UTC"


def test_at_every_time_of_the_slider_it_says_what_as_of_says(memory: sync.Memory) -> None:
    sky = sky_of(live_of(memory))
    assert sky.times[sky.now] == NOW
    assert len(sky.times) == 21 + 12
    for place, time in enumerate(sky.times[: sky.now + 1]):
        then = memory.as_of(time)
        for name, ends in (
            ("mood~sleep", ("mood", "sleep")),
            ("mood~work", ("mood", "work")),
            ("sleep~work", ("sleep", "work")),
        ):
            told, link = link_of(sky, name), then.link(*ends)
            if link is None:
                assert told.strengths[place] == 0.0
            else:
                assert (told.strengths[place], told.states[place]) == (link.strength, link.state)
        star = then.star("sleep")
        assert node_of(sky, "sleep").strengths[place] == (0.0 if star is None else star.brightness)
    assert link_of(sky, "sleep~work").state == "DISSOLVED"
    assert max(link_of(sky, "sleep~work").strengths) > 0


def test_ahead_it_says_what_project_says(memory: sync.Memory) -> None:
    sky = sky_of(live_of(memory))
    assert sky.times[-1] - NOW == timedelta(days=19)
    told = {each.link.id: each.strength_then for each in memory.project(sky.times[-1]).links}
    assert {name: link_of(sky, name).strengths[-1] for name in told} == told


def test_sums_add_up_to_the_strengths(memory: sync.Memory) -> None:
    sky = sky_of(live_of(memory))
    explained = [link for link in sky.links if link.why is not None]
    assert {link.family for link in explained} == {"connection", "structural"}
    for link in explained:
        assert link.why is not None
        assert link.why.total == pytest.approx(link.strength, abs=1e-9)
        assert sum(line.value for line in link.why.lines) == pytest.approx(link.strength, abs=1e-9)
    assert link_of(sky, "mood~sleep").why == memory.why("mood", "sleep")
    untold = sky.shortened["links whose sum is not written out here"]
    assert untold == len(sky.links) - len(explained) > 0


def test_the_same_memory_gives_the_same_page_and_looking_writes_nothing(memory: sync.Memory) -> None:
    live = live_of(memory)
    before = live.store.version("me"), memory.stats().items
    assert page(sky_of(live)) == page(sky_of(live))
    assert (live.store.version("me"), memory.stats().items) == before


def test_it_can_be_drawn_as_it_was(memory: sync.Memory) -> None:
    then = to_micros("2026-03-05T12:00:00Z")
    sky = sky_of(live_of(memory), at=then)
    assert {node.kind for node in sky.nodes} == {"star"}
    assert link_of(sky, "mood~sleep").strength == memory.as_of(sky.times[sky.now]).links("mood", "sleep")[0].strength
    assert sky.times[sky.now] == datetime(2026, 3, 5, 12, tzinfo=UTC)


def test_what_is_too_much_is_counted_and_the_weightiest_stays(memory: sync.Memory) -> None:
    whole = sky_of(live_of(memory))
    sky = sky_of(live_of(memory), most_nodes=20, most_links=5)
    assert (len(sky.nodes), len(sky.links)) == (20, 5)
    assert sky.left_out["nodes with fewer or weaker links"] == len(whole.nodes) - 20
    assert sum(count for text, count in sky.left_out.items() if "links" in text and "nodes with" not in text) == (
        len(whole.links) - 5
    )


def test_a_long_history_is_watched_from_a_checkpoint_and_the_page_says_so(
    memory: sync.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = live_of(memory)
    live.checkpoint_if_due(at_least=0)
    monkeypatch.setattr(looking, "WATCHED_LINK_DAYS", 0)
    sky = sky_of(live)
    skipped = sky.shortened["earlier times that are not on the slider"]
    assert skipped > 0
    assert len(sky.times) == 33 - skipped
    for place, time in enumerate(sky.times[: sky.now + 1]):
        link = memory.as_of(time).link("mood", "sleep")
        assert link is not None
        assert link_of(sky, "mood~sleep").strengths[place] == link.strength


def test_the_link_of_a_corrected_block_keeps_its_life_and_its_sum() -> None:
    clock = HandClock(NOW)
    with Memory.open_sync(":memory:", space="me", clock=clock, embedder="hashed") as memory:
        memory.add_star("Sleep", domain="health", at="2026-03-01T08:00:00Z")
        block = memory.learn("Tea keeps me awake.", at="2026-03-02T08:00:00Z").id
        for day in (3, 15, 18):
            memory.observe("sleep", block, "user_confirms", at=datetime(2026, 3, day, 8, tzinfo=UTC))
        memory.dream()
        memory.edit(block, "Green tea keeps me awake.")
        clock.now += DAY
        (link,) = memory.links("sleep")
        assert block not in (link.a, link.b)
        sky = sky_of(live_of(memory))
        drawn = link_of(sky, link.id)
        assert drawn.strengths[sky.now] == drawn.strength == link.strength
        assert max(drawn.strengths[: sky.now]) > 0
        assert drawn.why is not None
        assert sum(line.value for line in drawn.why.lines) == pytest.approx(link.strength, abs=1e-9)
        assert {node.id for node in sky.nodes} == {"sleep", link.a, link.b}


def test_an_export_counts_the_links_that_the_page_counts_and_the_page_says_which_it_has_besides(
    memory: sync.Memory,
) -> None:
    sky = sky_of(live_of(memory))
    page_counts = memory.export(None, format="html").counts
    assert page_counts["links"] == len(memory.links()) == memory.export(None, format="graphml").counts["links"]
    said = sky.shortened["links that have dissolved: drawn at the times when they were there"]
    assert page_counts["dissolved"] == sky.dissolved == said > 0
    assert page_counts["links"] + page_counts["dissolved"] == len(sky.links)


def test_links_too_weak_to_be_drawn_are_counted() -> None:
    """A claimed link of a transcript is as strong as its score, however little that is."""
    with Memory.open_sync(
        ":memory:", space="me", clock=NOW, embedder="hashed", parameters={"weak_min_score": 0.0, "hill_power": 20.0}
    ) as memory:
        said = [("Ann", "Is there a door?"), *[("Bo", "Hm.")] * 6, ("DM", "There is.")]
        lines = [{"line_index": place, "author_name": who, "content": text} for place, (who, text) in enumerate(said)]
        memory.read_transcript(lines, session="one", responders=["DM"], started_at="2026-03-10T08:00:00Z")
        faint = [link for link in memory.links() if link.strength <= 0.0005]
        sky = sky_of(live_of(memory))
        assert sky.left_out["links too weak to be drawn"] == len(faint) > 0
        assert not {link.id for link in faint} & {link.id for link in sky.links}


def test_an_empty_memory_has_an_empty_sky() -> None:
    with Memory.open_sync(":memory:", space="me", clock=NOW) as memory:
        sky = sky_of(live_of(memory))
        assert (sky.nodes, sky.links, sky.left_out) == ((), (), {})
        assert "0 nodes" not in page(sky)  # the page counts by itself
