"""Every line of a read transcript can be recalled: with its speaker, its time and its neighbours (08 E11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from asterism.core.dialogue import payloads
from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.lines import Line, Mask
from asterism.engine.transcripts.read import TranscriptReport
from asterism.sync import Memory
from tests.support.memories import DAY, NOON, remembering
from tests.support.stores import STORES, Place, place_of

STARTED = NOON - DAY
SAID = [
    ("Ann", "I open the red chest."),
    ("DM", "The chest opens."),
    ("Bo", "My grandmother had a violin like that."),
    ("Ann", "Mine played the cello."),
    ("Zed", "Pizza is here!"),
    ("Bo", "I take the ring."),
    ("DM", "It is yours."),
]
LINES = [Line(place, *said) for place, said in enumerate(SAID)]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def read(memory: Memory, lines: list[Line] = LINES, **more: object) -> TranscriptReport:
    options = {"session": "One", "actors": ["Ann", "Bo"], "started_at": STARTED} | more
    return memory.read_transcript(lines, **options)  # type: ignore[arg-type]  # as told


def of_links_alone(reading: Reading) -> list[int]:
    """Give the lines that versions before this rule kept."""
    return sorted({line for link in reading.links for line in link[6:10:3] if line is not None})


def read_as_before(memory: Memory, **more: object) -> TranscriptReport:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(payloads, "remembered", of_links_alone)
        return read(memory, LINES, **more)


def kept(memory: Memory) -> list[str]:
    return [node.id for node in memory.nodes(kinds="moment")]


def test_a_line_of_no_link_is_recalled_with_speaker_and_time(place: Place) -> None:
    with remembering(place) as memory:
        report = read(memory, masks=[Mask(4, 4, "ooc_hard")])
        assert (report.remembered, report.lines) == (6, 7)
        hit = memory.recall("grandmother's violin").hits[0]
        assert (hit.id, hit.text) == ("one/2", SAID[2][1])
        entry = memory.entries("one/2")["one/2"]
        assert (entry.speaker, entry.at) == ("Bo", int(STARTED.timestamp()) * 1_000_000 + 2_000_000)
        assert [link.b for link in memory.links("one/2") if link.kind == "order"] == ["one/1", "one/3"]
        assert "one/4" not in kept(memory)
        assert memory.as_of(STARTED - DAY).recall("violin").hits == ()
        assert memory.verify().ok


def test_reading_the_file_again_completes_an_older_reading(place: Place) -> None:
    with remembering(place) as memory:
        memory.add_star("Ring", domain="soul", at=STARTED - DAY)
        older = read_as_before(memory)
        assert kept(memory) == ["one/0", "one/1", "one/5", "one/6"]
        assert older.remembered == 4
        links, strengths = memory.causal_links(), {link.id: link.strength for link in memory.links("ring")}
        again = read(memory)
        assert (again.new, again.remembered, again.replaced) == (True, 7, None)
        assert kept(memory) == [f"one/{line}" for line in range(7)]
        assert [link._replace(created_at_ms=0) for link in memory.causal_links()] == [
            link._replace(created_at_ms=0) for link in links
        ]
        assert {link.id: link.strength for link in memory.links("ring")} == strengths
        assert not read(memory).new
        assert memory.verify().ok


def test_copies_of_either_version_merge_in_either_order(tmp_path: Path) -> None:
    paths = [tmp_path / "old.db", tmp_path / "new.db"]
    with remembering(paths[0]) as memory:
        read_as_before(memory)
    with remembering(paths[1]) as memory:
        read_as_before(memory)
        read(memory)
    digests = []
    for name, order in (("ab.db", paths), ("ba.db", paths[::-1])):
        with remembering(tmp_path / name) as memory:
            for path in order:
                memory.merge(path)
            verified = memory.verify()
            assert verified.ok
            digests.append((verified.digest, kept(memory), [hit.id for hit in memory.recall("violin").hits]))
    assert digests[0] == digests[1]
    assert len(digests[0][1]) == 7


def test_what_was_said_goes_with_whoever_said_it(place: Place) -> None:
    with remembering(place) as memory:
        read(memory)
        memory.erase("zed")
        assert kept(memory) == []
        assert memory.recall("violin").hits == ()
        assert memory.verify().ok


def test_lines_survive_export_and_import(tmp_path: Path) -> None:
    with remembering(tmp_path / "one.db") as memory:
        read(memory)
        memory.export(tmp_path / "ledger.jsonl")
        told = memory.recall("violin").hits[0]
    with remembering(tmp_path / "two.db") as memory:
        memory.import_(tmp_path / "ledger.jsonl")
        assert memory.recall("violin").hits[0].text == told.text
        assert kept(memory) == [f"one/{line}" for line in range(7)]


def test_actors_are_given_where_their_kind_is_asked_for(place: Place) -> None:
    with remembering(place) as memory:
        read(memory)
        assert {hit.kind for hit in memory.recall("What does Ann open?").hits} == {"moment"}
        assert [hit.id for hit in memory.recall("Ann", kinds=["actor"], k=1).hits] == ["ann"]
        assert "ann" not in {hit.id for hit in memory.recall("Ann opens", source="One").hits}
        answer = memory.why_not("ann", "What does Ann open?")
        assert (answer.gate, answer.ask["kinds"]) == ("filter", ("actor",))
