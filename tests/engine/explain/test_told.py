"""Why links of transcripts and explorations, and narratives, have their numbers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from asterism.core.dialogue.lines import Actor, Line
from asterism.engine.memory import Memory
from asterism.errors import UnknownError
from asterism.store.in_memory import InMemoryStore
from tests.support.five import SAID
from tests.support.memories import DAY, NOON, remembering

STARTED = datetime(2026, 9, 5, 18, tzinfo=UTC)
LINES = [
    Line(0, "Bo", "Where is the key?"),
    Line(1, "DM", "The key is here."),
    Line(2, "Bo", "I open the chest."),
    Line(3, "DM", "The chest creaks open."),
]


def test_links_of_a_session_say_why() -> None:
    with Memory.open_sync(":memory:", space="me", embedder="hashed") as memory:
        memory.read_transcript(LINES, session="one", responders=["DM"], started_at=STARTED)
        for link in memory.links():
            told = memory.why(link.id)
            assert told.total == pytest.approx(link.strength, abs=1e-9)
            assert sum(line.value for line in told.lines) == pytest.approx(told.total, abs=1e-9)
        caused = memory.why("one/0", "one/1")
        assert caused.subject == "one/0~one/1#caused"
        assert [line.text for line in caused.lines] == [
            "nearness at distance 1",
            "words in common: nearness 0.8213 x 0.5 x 0.6667",
            "rounding",
            "a strength is 1 at most",
        ]
        with pytest.raises(UnknownError):
            memory.why("one/0~one/3#caused")
        assert memory.stats().structural == {"caused": 2, "order": 3}
        moments = memory.recall(
            "the chest", kinds=["moment"], source="one", since="2026-09-05", until="2026-09-05"
        ).hits
        assert {hit.kind for hit in moments} == {"moment"}
        assert memory.recall("the chest", tags=["x"]).hits == ()
        assert memory.recall("bo", kinds=["actor"], since="2026-09-05").hits == ()  # an actor has no time


def test_moments_of_sessions_that_share_an_id_say_why() -> None:
    with remembering(InMemoryStore()) as memory, remembering(InMemoryStore()) as other:
        memory.read_transcript(LINES, session="Game 1", responders=["DM"], started_at=NOON - DAY)
        other.read_transcript(LINES, session="Game-1", responders=["DM"], started_at=NOON - DAY)
        memory.merge(other)
        moments = [node.id for node in memory.nodes(kinds=["moment"])]
        assert len(moments) == 2 * len(LINES)
        for moment in moments:
            assert memory.why(moment).subject == moment


def test_what_walkers_leave_says_why() -> None:
    with Memory.open_sync(":memory:", space="me", embedder="hashed") as memory:
        for text in ("Lena was sad about dinner.", "I promised Lena to cook.", "Lena likes soup for dinner."):
            memory.learn(text)
        memory.dream()
        found = memory.explore("what about Lena?", intention="be kind to Lena")
        assert found.crystallized is not None
        told = memory.why(found.crystallized)
        assert (told.number, len(told.lines)) == ("weight", 2)
        assert sum(line.value for line in told.lines) == pytest.approx(told.total)
        walked = [link for link in memory.links() if link.kind == "walk"]
        assert walked
        for link in walked:
            assert memory.why(link.id).total == pytest.approx(link.strength)
        assert memory.stats().structural["walk"] == len(walked)


def test_links_by_name_and_order_say_why() -> None:
    with Memory.open_sync(":memory:", space="me", embedder="hashed") as memory:
        film = memory.learn("Lone Wolf McQuade was directed by Steve Carver.", name="Lone Wolf McQuade")
        born = memory.learn("An American director, born in Brooklyn.", name="Steve Carver")
        other = memory.learn("Big Bad Mama is a film by Steve Carver.", name="Big Bad Mama")
        said = [memory.learn(text, conversation="chat") for text in ("Where did you go?", "To the sea, it was cold.")]
        hits = memory.recall("Where was the director of Lone Wolf McQuade born?").hits
        named = {link for hit in hits for link in hit.via if "#mention" in link or "#shared_term" in link}
        assert named
        for link in named:
            told = memory.why(link)
            assert told.total == pytest.approx(sum(line.value for line in told.lines))
            assert 0 < told.total <= 1
        assert memory.why(f"{film.id}~{born.id}#mention").lines[0].text.endswith("which leads to 1")
        assert memory.why(f"{film.id}~{other.id}#shared_term").total == pytest.approx(1.0)
        assert memory.why(f"{said[0].id}~{said[1].id}#order").total == pytest.approx(0.7)
        for wrong in (f"{film.id}~{said[0].id}#mention", f"{film.id}~{said[0].id}#order"):
            with pytest.raises(UnknownError):
                memory.why(wrong)


@pytest.mark.parametrize("session", ["Ann ~ Bo", "me@home", "a:b#c!d", "x/y"])
def test_a_causal_link_is_found_by_its_line_whatever_its_session_is_called(session: str) -> None:
    with remembering(InMemoryStore()) as memory:
        lines = [{"line_index": place, "author_name": who, "content": said} for place, (who, said) in enumerate(SAID)]
        actors = [Actor("player-1", "Ann"), Actor("bo", "Bo")]
        report = memory.read_transcript(lines, session=session, actors=actors, started_at=NOON - 2 * DAY)
        link = next(each for each in report.links if each.claimed)
        assert memory.why(f"{session}:{link.intent_anchor_index}").subject == link.id
        assert memory.why("Ann").subject == memory.why("player-1").subject == "player-1"


def test_a_block_is_explained_by_a_name_with_signs_in_it() -> None:
    with remembering(InMemoryStore()) as memory:
        for name in ("ann@home", "this ~ that"):
            told = memory.learn(f"what is called {name}", name=name)
            assert memory.why(name).subject == told.id
