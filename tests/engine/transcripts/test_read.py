"""Transcripts in a memory: what is kept, what it says of known nodes, read twice, read otherwise, merged, refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from asterism.core.dialogue.lines import Actor, Line, Mask
from asterism.core.dialogue.links import Chunk
from asterism.core.ledger.items import Item
from asterism.engine.transcripts.read import TranscriptReport
from asterism.errors import AsterismError, InputError, UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.sync import Memory
from tests.support.memories import DAY, NOON, HandClock, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of, store_of

STARTED = NOON - DAY
MS = int(STARTED.timestamp() * 1000)
SAID = [
    ("Ann", "I pick up the Lantern near the Bell."),
    ("DM", "The Bell rings, and the Boat moves."),
    ("Bo", "Is there anything in the Boat?"),
    ("DM", "There is a Lantern, and Ann's knife."),
    ("Zed", "Pizza is here!"),
    ("Bo", "I look for the Ferryman in the fog."),
    ("DM", "Nothing but fog."),
]
ACTORS = (Actor("ann", "Ann"), Actor("bo", "Bo"))
LINES = [Line(place, *said) for place, said in enumerate(SAID)]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def read(memory: Memory, lines: list[Line] = LINES, **more: object) -> TranscriptReport:
    options = {"session": "One", "actors": ACTORS, "started_at": STARTED} | more
    return memory.read_transcript(lines, **options)  # type: ignore[arg-type]  # as told


def starred(memory: Memory) -> Memory:
    for name in ("Lantern", "Bell", "Boat"):
        memory.add_star(name, domain="soul", at=STARTED - DAY)
    return memory


def ledger(place: Place) -> list[Item]:
    store = store_of(place, read_only=True)
    return [item for _, item in store.items("me")]


def evidence(place: Place) -> Counter[tuple[str, str, str]]:
    told = [item.payload for item in ledger(place) if item.what == "evidence"]
    return Counter((str(each["kind"]), str(each["a"]), str(each["b"])) for each in told)


# What is kept


def test_moments_actors_and_links_are_kept(place: Place) -> None:
    with remembering(place) as memory:
        report = read(memory)
        assert (report.new, report.lines, report.skipped["unknown_speaker"]) == (True, 7, 1)
        links = memory.causal_links("One")
        assert [link.intent_anchor_index for link in links] == [0, 2, 5]
        assert [link.consequence_anchor_index for link in links] == [1, 3, 6]
        assert links == list(report.links) == list(report.reading.links)
        assert memory.sessions() == ["One"]
        told = memory.entries("one/0", "ann", "dm", "one/4")
        assert {name: entry.kind for name, entry in told.items()} == {
            "one/0": "moment",
            "one/4": "moment",
            "ann": "actor",
            "dm": "actor",
        }
        assert (told["one/0"].text, told["one/0"].speaker) == (SAID[0][1], "Ann")
        first = memory.links("one/0")
        assert [(link.kind, link.a, link.b, link.direction) for link in first] == [
            ("caused", "one/0", "one/1", "a_to_b"),
            ("order", "one/0", "one/1", None),
        ]
        assert first[0].strength == min(1.0, links[0].score or 0)
        back = memory.links("one/1", "one/0")
        assert (back[0].a, back[0].direction, back[0].id) == ("one/1", "b_to_a", first[0].id)
        assert [link.b for link in memory.links("one/3") if link.kind == "order"] == ["one/2", "one/4"]
        assert [link.kind for link in memory.links()][-6:] == ["order"] * 6
        assert memory.verify().ok


def test_links_are_found_by_session_actor_type_and_event(place: Place) -> None:
    with remembering(place) as memory:
        read(memory)
        read(memory, session="Two")
        assert len(memory.causal_links()) == 6
        assert [link.intent_anchor_index for link in memory.causal_links("Two", actor="bo")] == [2, 5]
        assert [link.actor for link in memory.causal_links("one", actor="ANN")] == ["ann"]
        assert {link.intent_type for link in memory.causal_links(types=["question"])} == {"question"}
        chunk = Chunk("the fog", 4, 6)
        assert [link.intent_anchor_index for link in memory.causal_links("One", event=chunk)] == [5]
        wrong: dict[str, Callable[[], object]] = {
            "unknown_session": lambda: memory.causal_links("Three"),
            "unknown_actor": lambda: memory.causal_links(actor="Nobody"),
            "unknown_type": lambda: memory.causal_links(types=["wish"]),
            "no_session": lambda: memory.causal_links(event=chunk),
        }
        for code, ask in wrong.items():
            with pytest.raises((UnknownError, InputError)) as caught:
                ask()
            assert caught.value.code == code
            assert is_told_well(caught.value)


def test_evidence_is_told_once_per_pair_and_line_or_session(place: Place) -> None:
    with starred(remembering(place).__enter__()) as memory:
        memory.learn("A knife of bone", name="Knife")
        knife = memory.learn("Fog over the lake", name="Fog").id
        report = read(memory)
        found = evidence(place)
        assert report.evidence == sum(found.values())
        assert {name: found[name] for name in found if name[0] == "causation_detected"} == {
            ("causation_detected", "bell", "boat"): 1,  # the bell in 0, the boat in 1; never a node with itself
            ("causation_detected", "bell", "lantern"): 1,
            ("causation_detected", "boat", "lantern"): 2,  # 0 -> 1 and 2 -> 3
            ("causation_detected", "ann", "boat"): 1,
            ("causation_detected", *sorted(("boat", knife_id(memory)))): 1,
        }
        assert found["co_mention_response", "bell", "lantern"] == 1
        assert found["co_mention_response", "bell", "boat"] == 1
        assert found["co_mention_response", "ann", "lantern"] == 1
        assert found["co_mention_session", "boat", "lantern"] == 1  # in one session, in no line together
        assert found["co_mention_session", "bell", "lantern"] == 0
        assert found["co_mention_session", min("bell", knife), max("bell", knife)] == 1
        link = memory.link("bell", "boat")
        assert link is not None
        assert (link.evidence.raw, memory.why("bell", "boat").total) == (2, link.strength)
        assert {each.b for each in memory.links("ann")} >= {"lantern", "boat"}
        notes = {item.note for item in ledger(place) if item.payload.get("kind") == "causation_detected"}
        assert "line 1: bell to boat" in notes
        assert all(item.source == "One" for item in ledger(place) if item.what == "evidence")


def knife_id(memory: Memory) -> str:
    return next(block.id for block in memory.blocks() if block.name == "Knife")


def test_a_forgotten_block_is_not_known_by_its_name(place: Place) -> None:
    with remembering(place) as memory:
        memory.forget(memory.learn("It hangs in the tower", name="Bell").id)
        boat = memory.learn("It floats", name="Boat").id
        read(memory)
        assert {end for _, a, b in evidence(place) for end in (a, b)} == {"ann", boat}


def test_lines_of_one_millisecond_stay_apart(place: Place) -> None:
    lines = [Line(0, "Ann", "I pick up the Bell in the Boat", MS), Line(1, "DM", "The Bell and the Boat fall.", MS)]
    with starred(remembering(place).__enter__()) as memory:
        report = read(memory, lines, started_at=None)
        assert evidence(place)["co_mention_response", "bell", "boat"] == 2
        assert (report.evidence, report.evidence_known) == (3, 0)  # bell to boat and boat to bell are one
        again = read(memory, lines, started_at=None)
        assert (again.new, again.evidence, again.evidence_known) == (False, 0, 3)


# Read again


def test_read_twice_changes_nothing(place: Place) -> None:
    with starred(remembering(place).__enter__()) as memory:
        first = read(memory)
        before, digest = ledger(place), memory.verify().digest
        for lines in (LINES, [line._asdict() for line in LINES], [tuple(line) for line in LINES]):
            report = read(memory, lines)  # type: ignore[arg-type]  # rows of any kind
            assert (report.new, report.evidence, report.evidence_known) == (False, 0, first.evidence)
        assert (ledger(place), memory.verify().digest) == (before, digest)
        links = memory.links()
        assert read(memory, session="ONE").new  # a session's name is kept as it was last written
        assert [link for link in memory.links() if "/" not in link.a] == [link for link in links if "/" not in link.a]
    with starred(remembering(place_of("in_memory", Path())).__enter__()) as other:
        read(other)
        assert other.verify().digest == digest


def test_a_name_that_is_known_later_is_found_when_it_is_read_again(place: Place) -> None:
    with starred(remembering(place).__enter__()) as memory:
        read(memory)
        memory.add_star("Ferryman", domain="soul", at=STARTED - DAY)
        report = read(memory)
        assert not report.new
        assert report.evidence == len([1 for kind, a, b in evidence(place) if "ferryman" in (a, b)]) > 0
        assert report.evidence_known > 0


def test_the_latest_reading_is_current_whatever_it_says(place: Place) -> None:
    clock = HandClock()
    with starred(remembering(place, clock=clock).__enter__()) as memory:
        readings = ["seed", "tuned", "seed", "tabletop", "seed"]
        said = []
        for preset in readings:
            clock.now += timedelta(minutes=1)
            assert read(memory, preset=preset).new
            said.append([(link.rule, link.consequence_anchor_index, link.score) for link in memory.causal_links()])
        assert said[0] == said[2] == said[4]
        assert said[1] != said[0] != said[3]
        first_minute = NOON + timedelta(minutes=1, seconds=30)
        for minutes, told in enumerate(said):
            known_at = first_minute + timedelta(minutes=minutes)
            links = memory.as_of(clock.now, known_at=known_at).causal_links()
            assert [(link.rule, link.consequence_anchor_index, link.score) for link in links] == told
        assert memory.as_of(STARTED - timedelta(minutes=1)).causal_links() == []
        assert memory.verify().ok
        items = sum(evidence(place).values())
        shorter = read(memory, LINES[:4])
        assert shorter.new
        assert len(memory.causal_links()) == 2
        assert (shorter.evidence_set_aside, sum(evidence(place).values())) == (items // 5, items + shorter.evidence)


def test_another_start_moves_the_moments_and_the_evidence(place: Place) -> None:
    with starred(remembering(place).__enter__()) as memory:
        told = read(memory).evidence
        raw = {link.id: link.evidence.raw for link in memory.links()}
        moved = read(memory, started_at=STARTED - DAY)
        assert (moved.new, moved.evidence, moved.evidence_known, moved.evidence_set_aside) == (True, told, 0, told)
        assert {link.id: link.evidence.raw for link in memory.links()} == raw
        assert memory.verify().ok
        at = memory.entries("one/0")["one/0"].at
        assert at == int((STARTED - DAY).timestamp()) * 1_000_000


def test_merged_in_either_order_it_is_the_same(tmp_path: Path) -> None:
    paths = [tmp_path / "a.db", tmp_path / "b.db"]
    for number, path in enumerate(paths):
        with starred(remembering(path).__enter__()) as memory:
            read(memory, preset=("seed", "tuned")[number])
            read(memory, session=f"Only {number}", masks=[Mask(0, 1, "noise")])
    digests = []
    for name, order in (("ab.db", paths), ("ba.db", paths[::-1])):
        with remembering(tmp_path / name) as memory:
            for path in order:
                memory.merge(path)
            verified = memory.verify()
            assert verified.ok
            digests.append((verified.digest, memory.sessions(), memory.causal_links()))
    assert digests[0] == digests[1]
    assert digests[0][1] == ["One", "Only 0", "Only 1"]


def test_recall_reaches_moments_and_actors(place: Place) -> None:
    with remembering(place) as memory:
        memory.learn("Tea is served at four")
        read(memory)
        hits = memory.recall("who looks for the ferryman in the fog?").hits
        assert (hits[0].id, hits[0].kind, hits[0].text) == ("one/5", "moment", SAID[5][1])
        assert "ann" in {hit.id for hit in memory.recall("Ann", kinds=["actor"]).hits}
        assert memory.as_of(STARTED - DAY).recall("ferryman").hits == ()
        assert {"one/5", "one/6"} <= {hit.id for hit in hits}
        read(memory, LINES[:4])
        assert "one/5" not in {hit.id for hit in memory.recall("ferryman fog").hits}


# Refused


def file(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


BAD: dict[str, Callable[[Memory, Path], object]] = {
    "unordered_lines": lambda memory, _: read(memory, [LINES[1], LINES[0]]),
    "no_responder": lambda memory, _: read(memory, [Line(0, "Ann", "I jump.")], answering="responders"),
    "bad_answering": lambda memory, _: read(memory, responders=["DM"], answering="channel"),
    "unknown_answering": lambda memory, _: read(memory, answering="guess"),
    "bad_mask": lambda memory, _: read(memory, masks=[Mask(4, 2, "noise")]),
    "no_time": lambda memory, folder: memory.read_transcript(file(folder, "x.txt", b"DM: Hi")),
    "future_time": lambda memory, _: read(memory, started_at=NOON - timedelta(seconds=3)),
    "bad_time": lambda memory, _: read(memory, started_at="1850-01-01T00:00Z"),
    "no_session": lambda memory, _: memory.read_transcript(LINES),
    "bad_text": lambda memory, _: read(memory, session=" "),
    "bad_line": lambda memory, _: read(memory, [7]),  # type: ignore[list-item]
    "bad_actor": lambda memory, _: read(memory, actors=[Actor("ann", "Ann"), Actor("ann", "Bo")]),
    "bad_chunk": lambda memory, _: read(memory, chunks=[("scene", 3, 1)]),
    "unknown_preset": lambda memory, _: read(memory, preset="best"),
    "bad_parameters": lambda memory, _: read(memory, scorer="best"),
    "no_file": lambda memory, folder: memory.read_transcript(folder / "nothing.txt"),
    "bad_transcript": lambda memory, folder: memory.read_transcript(file(folder, "x.json", b'[{"author_name": "Ann",')),
    "bad_encoding": lambda memory, folder: memory.read_transcript(file(folder, "x.txt", b"DM: Hi"), encoding="klingon"),
}


@pytest.mark.parametrize("code", BAD)
def test_what_cannot_be_read_is_refused_and_nothing_is_stored(place: Place, tmp_path: Path, code: str) -> None:
    with starred(remembering(place).__enter__()) as memory:
        before, digest = ledger(place), memory.verify().digest
        with pytest.raises(AsterismError) as caught:
            BAD[code](memory, tmp_path)
        assert caught.value.code == code
        assert is_told_well(caught.value)
        assert (ledger(place), memory.verify().digest, memory.sessions()) == (before, digest, [])


def test_a_wrong_byte_is_named_with_its_place_and_a_file_names_its_session(place: Place, tmp_path: Path) -> None:
    path = file(tmp_path, "Evening 3.txt", "DM: Hi\nZoë: I jump.\nDM: You fall.".encode("cp1252"))
    with remembering(place) as memory:
        with pytest.raises(InputError, match="line 2, column 3: the byte 0xeb is not utf-8"):
            memory.read_transcript(path, started_at=STARTED)
        memory.read_transcript(path, started_at=STARTED, encoding="cp1252")
        assert memory.sessions() == ["Evening 3"]
        assert memory.causal_links()[0].actor == "zoë"


def times(memory: Memory) -> list[datetime]:
    return [
        hit.at for hit in sorted(memory.recall("Ann and Bo: hi, ho", floor=0).hits, key=lambda hit: hit.id) if hit.at
    ]


def test_a_talk_that_nobody_dates_ended_just_now_and_keeps_that_time(place: Place) -> None:
    with remembering(place) as memory:
        first = memory.read_transcript(["Ann: Hi.", "Bo: Ho."], session="chat")
        assert times(memory) == [NOON - timedelta(seconds=2), NOON - timedelta(seconds=1)]
        assert "it is taken to end now (started_at says otherwise)" in first.notes[0]
    with remembering(place, clock=NOON + DAY) as memory:
        again = memory.read_transcript(["Ann: Hi.", "Bo: Ho."], session="chat")
        assert (again.new, again.moved_from) == (False, None)
        longer = memory.read_transcript(["Ann: Hi.", "Bo: Ho.", "Ann: Bye."], session="chat")
        assert "it keeps the time it had" in longer.notes[0]
        assert times(memory)[:2] == [NOON - timedelta(seconds=2), NOON - timedelta(seconds=1)]


def test_the_same_words_at_other_times_say_what_they_replace(place: Place) -> None:
    with remembering(place) as memory:
        assert read(memory).moved_from is None
        moved = read(memory, started_at=STARTED - DAY)
        assert (moved.new, moved.replaced, moved.moved_from) == (True, None, STARTED)
        assert moved.to_dict()["moved_from"] == STARTED.isoformat()
        assert read(memory, started_at=STARTED - DAY).moved_from is None
        assert read(memory, LINES[:4], started_at=STARTED).moved_from is None, "other words, too"


def test_every_kind_of_scorer() -> None:
    with remembering(InMemoryStore()) as memory:
        plain = read(memory, scorer="seed").links
        assert read(memory).links == plain
        assert read(memory, scorer="dialogue").reading.scorer == "dialogue"
        assert read(memory, preset="tuned").new is False
        assert read(memory, preset="tuned", scorer="seed").links == plain
        told = read(memory, traces=True).to_dict()
        assert len(told["traces"]) == len(told["links"]) == 3  # type: ignore[arg-type]


def test_a_chat_exported_east_of_utc_a_moment_ago_is_read_and_ends_by_now(place: Place, tmp_path: Path) -> None:
    told = [NOON + timedelta(hours=1, minutes=50), NOON + timedelta(hours=1, minutes=58)]  # by a clock of UTC+2
    file = tmp_path / "WhatsApp Chat with Ann.txt"
    file.write_text("".join(f"[{at:%Y-%m-%d, %H:%M:%S}] Ann and Bo: hi, ho {at.minute}\n" for at in told))
    with remembering(place) as memory:
        read = memory.read_transcript(file)
        assert times(memory) == [at - timedelta(hours=2) for at in told]
        assert "moved back by 2 h (started_at says otherwise)" in read.notes[-1]
