"""What a strict reading found in why, why not, names and the doctor: each defect once, so that it stays mended."""

from __future__ import annotations

import shlex
import sqlite3
import unicodedata
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism.core.dialogue.lines import Actor
from asterism.core.ledger.items import Item, moved
from asterism.core.space.parameters import SpaceParameters
from asterism.embed.wordllama import WordLlamaEmbedder
from asterism.engine.blocks import naming
from asterism.engine.care import doctor as doctoring
from asterism.entry.cli.app import app
from asterism.errors import InputError
from asterism.store.in_memory import InMemoryStore
from tests.support.five import SAID, STARTED, market, tell_five
from tests.support.memories import DAY, NOON
from tests.support.remembering import PLACES, AnyMemory, at_cosine, by_hand, place_of, remembering

# Names in texts


def with_stars(memory: AnyMemory, *names: str) -> None:
    for name in names:
        memory.add_star(name, domain="soul", at=NOON - 2 * DAY)


@pytest.mark.parametrize("kind", PLACES)
def test_what_could_not_be_learned_takes_nobodys_name(kind: str, tmp_path: Path) -> None:
    with remembering(place_of(kind, tmp_path)) as memory:
        with_stars(memory, "Zest")  # greater than every id of a block, which is hexadecimal
        assert memory.learn("Zest one").mentions == ("zest",)
        with pytest.raises(InputError, match="future"):
            memory.learn("of tomorrow", name="Zest", at=NOON + DAY)
        assert memory.learn("Zest two").mentions == ("zest",)


def test_what_was_erased_takes_nobodys_name() -> None:
    with remembering(InMemoryStore()) as memory:
        with_stars(memory, "Zest")
        fact = {"content": "not to be kept", "name": "Zest", "at": NOON - DAY}
        memory.erase(memory.learn_many([fact])[0].id)
        first, second = memory.learn_many([fact, "something else"])
        assert (first.status, second.status) == ("rejected", "new")
        assert memory.learn("Zest two").mentions == ("zest",)


def test_a_name_is_found_however_its_letters_are_written() -> None:
    with remembering(InMemoryStore()) as memory:
        with_stars(memory, "Zoë", "Straße")
        assert memory.learn(unicodedata.normalize("NFD", "Zoë was here")).mentions == ("zoë",)
        assert memory.learn("IN DER STRASSE").mentions == ("strasse",)


def test_the_next_free_moment_is_not_looked_for_from_the_start_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts of one moment that name the same two stars tell of them one moment after the other."""
    tried: list[int] = []

    def counted(item: Item, *, at: int) -> Item:
        tried.append(at)
        return moved(item, at=at)

    monkeypatch.setattr(naming, "moved", counted)
    with remembering(InMemoryStore()) as memory:
        with_stars(memory, "Sleep", "Mood")
        memory.learn_many([{"content": f"Sleep, mood, {place}", "at": NOON - DAY} for place in range(300)])
        assert memory.link("sleep", "mood").evidence.raw == 300
        assert memory.stats().items["evidence"] == 900
        assert len(tried) < 900  # it was 44,850


@pytest.mark.parametrize("anew", [False, True])
def test_a_dream_tells_of_names_whether_the_memory_was_opened_anew_or_not(anew: bool, tmp_path: Path) -> None:
    """A text that was away when its name came is told of when it is back; and what was erased and came anew."""
    place = tmp_path / "memory.db"

    def opened(memory: AnyMemory | None) -> AnyMemory:
        if memory is not None and not anew:
            return memory
        if memory is not None:
            memory.close()
        return remembering(place).__enter__()

    memory = opened(None)
    note = memory.learn("Sleep is a note").id
    memory.dream()
    memory.forget(note)
    with_stars(memory, "Sleep")
    assert memory.dream().mentions == 0
    memory.restore(note)
    memory = opened(memory)
    assert (memory.dream().mentions, memory.dream().mentions) == (1, 0)
    memory.erase("sleep")
    memory.add_star("Sleep", domain="soul")
    memory = opened(memory)
    assert (memory.dream().mentions, memory.dream().mentions) == (1, 0)
    memory.close()


def test_names_of_stars_take_no_room_from_what_is_alike() -> None:
    """A note that names five stars in the first week is still linked to its like by a dream."""
    stars = [f"Star {letter}" for letter in "abcde"]
    with remembering(InMemoryStore(), embedder=by_hand({"note": at_cosine(1.0), "jot": at_cosine(0.8)})) as memory:
        with_stars(memory, *stars)
        first = memory.learn(f"note of {', '.join(stars)}")
        second = memory.learn("a jot")
        assert len(first.mentions) == 5
        assert memory.dream().edges_created == 1
        assert memory.why_not(first.id, second.id).gate == "linked"


def test_connections_of_blocks_take_room() -> None:
    vectors = {"note": at_cosine(1.0), "jot": at_cosine(0.8), "far": [0.0, 0.0]}
    parameters = {"edge_degree_cap": 1}
    with remembering(InMemoryStore(), embedder=by_hand(vectors), parameters=parameters) as memory:
        note, jot, far = (memory.learn(text).id for text in ("a note", "a jot", "far away"))
        memory.observe(note, far, "user_creates")
        assert memory.dream().edges_created == 0
        assert memory.why_not(note, jot).gate == "cap"


# Why


@pytest.mark.parametrize("session", ["Ann ~ Bo", "me@home", "a:b#c!d", "x/y"])
def test_a_causal_link_is_found_by_its_line_whatever_its_session_is_called(session: str) -> None:
    with remembering(InMemoryStore()) as memory:
        lines = [{"line_index": place, "author_name": who, "content": said} for place, (who, said) in enumerate(SAID)]
        actors = [Actor("player-1", "Ann"), Actor("bo", "Bo")]
        report = memory.read_transcript(lines, session=session, actors=actors, started_at=STARTED)
        link = next(each for each in report.links if each.claimed)
        assert memory.why(f"{session}:{link.intent_anchor_index}").subject == link.id
        assert memory.why("Ann").subject == memory.why("player-1").subject == "player-1"


def test_a_block_is_explained_by_a_name_with_signs_in_it() -> None:
    with remembering(InMemoryStore()) as memory:
        for name in ("ann@home", "this ~ that"):
            told = memory.learn(f"what is called {name}", name=name)
            assert memory.why(name).subject == told.id


def test_configuring_keeps_the_embedder() -> None:
    with remembering(InMemoryStore(), embedder=by_hand({"a": [1.0, 0.0], "b": [0.0, 1.0]})) as memory:
        memory.learn_many(["a", "b"])
        memory.dream()
        memory.configure(parameters={"edge_degree_cap": 4})
        assert memory.recall("a").hits[0].text == "a"


def test_how_many_levels_an_answer_holds_is_no_matter_of_the_fold() -> None:
    plain, more = SpaceParameters.build(), SpaceParameters.build(overrides={"recall_levels_max": 9})
    assert more.recall.recall_levels_max == 9
    assert plain.fold_digest() == more.fold_digest()
    assert plain.digest() != more.digest()


# Why not


def test_nothing_is_linked_to_itself() -> None:
    with remembering(InMemoryStore()) as memory:
        with_stars(memory, "Sleep")
        for wanted in ("STRONG", "tension"):
            with pytest.raises(InputError) as raised:
                memory.why_not("sleep~sleep", wanted)
            assert raised.value.code == "self_link"


def test_a_hit_can_be_asked_about_and_a_number_cannot() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn("tea in the morning")
        assert memory.why_not(memory.recall("tea").hits[0], "tea").gate == "in"
        with pytest.raises(InputError) as raised:
            memory.why_not(5, "tea")
        assert raised.value.code == "bad_text"


def test_two_blocks_of_which_one_is_gone() -> None:
    with remembering(InMemoryStore(), embedder=by_hand({"a": at_cosine(1.0), "b": at_cosine(0.8)})) as memory:
        a, b = (memory.learn(text).id for text in ("a", "b"))
        memory.dream()
        c = memory.edit(b, "b again").id
        assert memory.why_not(f"{a}~{b}", "similar").tell == ()
        assert c in memory.why_not(b, a).change
        memory.forget(c)
        for told in (
            memory.why_not(f"{a}~{b}", "similar"),
            memory.why_not(f"{b}~{a}", "similar"),
            memory.why_not(b, a),
        ):
            assert (told.gate, told.tell) == ("gone", ("restore", c))
        memory.restore(*told.tell[1:])
        assert memory.why_not(a, c).gate == "inbox"


def test_no_more_is_asked_for_than_can_be() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn_many([f"garden and water {place}" for place in range(1_005)])
        last = memory.learn("tyres").id
        told = memory.why_not(last, "garden water", tags=["x"])
        assert (told.gate, told.ask) == ("filter", {"tags": ()})
        assert told.rank == 1_006
        assert "beyond k=1000" in told.change


@pytest.mark.parametrize("budget", [None, 1, 5, 20, 40, 60, 100])
@pytest.mark.parametrize("query", ["what do I do about X at 100?", "does the bell ring?", "x 110"])
def test_with_levels_in_the_answer_what_is_said_of_it_is_true(query: str, budget: int | None) -> None:
    with remembering(InMemoryStore()) as memory:
        tell_five(memory)
        memory.learn("Sell X when it is back at 100")
        memory.learn("What X does at 100 nobody knows, says Ann, who has seen it often enough to know")
        memory.observe("X@110.0", "bell", "user_confirms")
        nodes = {hit.id for hit in memory.recall(query, k=5).hits} | {"X@100.0", "X@110.0"}
        for only in ({}, {"kinds": ("block",)}, {"kinds": ("level",)}):
            asked = {"query": query, "k": 5, "budget_tokens": budget, **only}
            found = {hit.id for hit in memory.recall(**asked).hits}
            for node in sorted(nodes):
                told = memory.why_not(node, **asked)
                assert (told.gate == "in") == (node in found), told
                otherwise = asked | (told.ask or {})
                assert node in {hit.id for hit in memory.recall(**otherwise).hits} or told.tell, told


def test_a_level_that_no_answer_may_hold() -> None:
    with remembering(InMemoryStore(), parameters={"recall_levels_max": 0}) as memory:
        tell_five(memory)
        assert memory.why_not("X@100.0", "X 100").gate == "crowded"


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


def test_at_a_prompt_the_changes_are_those_of_commands(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.learn_many([f"garden and water {place}" for place in range(1_005)])
        last = memory.learn("tyres and a long word more than fits").id

    def asked(*words: str) -> str:
        shown = CliRunner().invoke(app, ["why-not", last, *words, "--db", str(path), "--space", "me"]).output
        return " ".join(shown.split())

    assert "ask more narrowly" in asked("garden water", "--embedder", "hashed")
    assert "-k 1006" not in asked("garden water", "--embedder", "hashed")
    assert "and ask for --budget " in asked("tyres", "--tag", "x", "--budget", "1", "--embedder", "hashed")


# The doctor


def test_repairs_can_be_copied_into_a_shell(tmp_path: Path) -> None:
    path = tmp_path / "my own; memory.db"
    with remembering(path, space="two words") as memory:
        memory.learn("something")
    (waits,) = doctoring.examine(path, embedder="hashed").named("inbox_waits")
    assert shlex.split(waits.repair) == ["asterism", "dream", "--db", str(path), "--space", "two words"]
    path.chmod(0o644)
    (others,) = doctoring.examine(path, embedder="hashed").named("open_to_others")
    assert shlex.split(others.repair) == ["chmod", "600", str(path)]


def changed(path: Path, *statements: str) -> None:
    """Make a memory, and change its file behind its back."""
    with remembering(path) as memory:
        memory.learn("something")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in (*statements, "PRAGMA wal_checkpoint(TRUNCATE)"):
            connection.execute(statement)


@pytest.mark.parametrize("table", ["causal_links", "cache_column"])
def test_a_lost_table_is_named(table: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    changed(path, f"DROP TABLE {table}")
    found = doctoring.examine(path, embedder="hashed")
    assert not found.ok
    assert [each.item for each in found.named("corrupted")] == [table]


def test_a_schema_that_is_no_text_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    damage = "UPDATE sqlite_master SET name = CAST(x'cb41' AS TEXT), sql = 'no' WHERE name = 'cache'"
    changed(path, "PRAGMA writable_schema = ON", damage)
    found = doctoring.examine(path, embedder="hashed")
    assert not found.ok
    assert found.named("corrupted")


# The demo


def test_without_word_vectors_the_demo_does_not_say_that_it_found_by_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WordLlamaEmbedder, "is_installed", lambda: False)
    shown = " ".join(CliRunner().invoke(app, ["demo"]).output.split())
    assert "they are found by meaning. 1." not in shown
    assert "No word vectors are installed, so they may be missed here" in shown


def test_commands_to_try_next_can_be_copied_into_a_shell(tmp_path: Path) -> None:
    path = tmp_path / "a month.db"
    shown = CliRunner().invoke(app, ["demo", "--db", str(path), "--space", "for me"]).output
    (line,) = [line for line in shown.splitlines() if "export sky.html" in line]
    assert shlex.split(line)[-6:-2] == ["--db", str(path), "--space", "for me"]
