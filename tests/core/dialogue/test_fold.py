"""Transcripts in a memory: the item, the fold, and the evidence of what was named."""

from __future__ import annotations

import json
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given

from asterism.core.dialogue.capability import TRANSCRIPTS
from asterism.core.dialogue.fold import COLUMNS, INDEXES, Transcripts, folded
from asterism.core.dialogue.kernel import Reading, causal_links
from asterism.core.dialogue.lines import Line, Mask
from asterism.core.dialogue.links import Chunk
from asterism.core.dialogue.mentions import NODES_MAX, EvidenceRow, Names, evidence_of
from asterism.core.dialogue.payloads import check_payload, content_hash, line_times, payload_of, said_of
from asterism.core.dialogue.shown import edges, entry
from asterism.core.ledger.items import Item, Value, make_item
from asterism.errors import InputError
from tests.support.dialogue import transcripts

LINES = [
    Line(0, "Ann", "I open the red chest\nwith the key."),
    Line(1, "Bo", "hm"),
    Line(2, "DM", "The chest opens: a ring!"),
    Line(3, "Bo", "I take the ring."),
]


def read(lines: list[Line] = LINES, session: str = "Night 1", **options: object) -> Reading:
    return causal_links(lines, session=session, responders=["DM"], **options)  # type: ignore[arg-type]


def item(reading: Reading, at: int = 5_000, started_at_ms: int | None = 60_000) -> Item:
    payload = payload_of(reading, started_at_ms=started_at_ms)
    return make_item(space="me", what="transcript", at=at, payload=payload, known_at=at)


def test_a_reading_becomes_moments_actors_and_links() -> None:
    kept = folded([item(read())])
    assert kept.sessions == ["Night 1"]
    assert [moment.id for moment in kept.moments()] == [f"night-1/{line}" for line in range(4)]
    assert [moment.at_ms for moment in kept.moments("Night 1")] == [60_000, 61_000, 62_000, 63_000]
    assert [tuple(actor) for actor in kept.actors()] == [("ann", "Ann"), ("bo", "Bo"), ("dm", "DM")]
    caused, one, other, _ = kept.structural()
    (link, _) = read().links
    assert (caused.kind, caused.a, caused.b, caused.strength) == ("caused", "night-1/0", "night-1/2", link.score)
    assert [(one.kind, one.a, one.b), other.strength] == [("order", "night-1/0", "night-1/1"), 1.0]
    assert list(kept.moments("Night 2")) == []


def test_every_line_that_counts_and_says_something_is_kept() -> None:
    lines = [
        *LINES,
        Line(4, "", "The wind howls."),
        Line(5, "Zed", "Brr."),
        Line(6, "Bo", "has left", None, "system"),
        Line(7, "Ann", "  "),
        Line(8, "Ann", "Pizza?"),
        Line(9, "Zed", "Mine!"),
    ]
    kept = folded([item(read(lines, actors=["Ann", "Bo"], masks=[(8, 8, "ooc_hard")]))])
    assert [(moment.line_index, moment.actor) for moment in kept.moments()][3:] == [
        (3, "bo"),
        (4, ""),
        (5, "zed"),
        (9, "zed"),
    ]
    assert [actor.name for actor in kept.actors()] == ["Ann", "Bo", "DM", "Zed"]
    assert {(edge.a, edge.b) for edge in edges(kept) if edge.kind == "said" and edge.b == "night-1/4"} == set()
    assert [entry(kept, f"night-1/{line}").speaker for line in (4, 5)] == ["", "Zed"]  # type: ignore[union-attr]


def test_a_notice_of_the_system_is_kept_where_a_link_has_it() -> None:
    lines = [Line(0, "Ann", "Is anybody there?"), Line(1, "DM", "Yes, all.", None, "system")]
    assert [moment.line_index for moment in folded([item(read(lines))]).moments()] == [0, 1]


def test_strength_stays_within_one() -> None:
    kept = folded([item(read([Line(0, "Ann", "Where is the key?"), Line(1, "DM", "Here is the key.")]))])
    (caused, _) = kept.structural()
    assert caused.strength == 1.0


def test_the_table_has_the_links_of_the_kernel() -> None:
    at = 7_000_000
    kept = folded([item(read(), at=at)])
    assert list(kept.causal_links()) == list(read(created_at_ms=at // 1000).links)
    assert COLUMNS[:14] == (
        "id", "session_id", "actor", "intent_text", "intent_type", "intent_strength", "intent_anchor_index",
        "consequence_text", "consequence_type", "consequence_anchor_index", "distance", "score", "claimed",
        "created_at_ms",
    )  # fmt: skip
    assert {name for index in INDEXES for name in index} <= set(COLUMNS)


@given(transcripts())
def test_every_reading_comes_back(lines: list[Line]) -> None:
    made = item(read(lines))
    check_payload(made.what, made.payload)
    kept = folded([made])
    assert list(kept.causal_links()) == list(read(lines, created_at_ms=5).links)
    again = Transcripts.load(kept.dump())
    assert list(again.causal_links()) == list(kept.causal_links())
    assert again.dump().keys() == kept.dump().keys()
    assert all(np.array_equal(again.dump()[name], column) for name, column in kept.dump().items())


def test_the_latest_reading_counts_whatever_the_order() -> None:
    first, later = item(read()), item(read(k_local=1), at=6_000)
    other = item(read(session="Night 2"))
    for order in permutations([first, later, other]):
        kept = folded(order)
        assert kept.sessions == ["Night 1", "Night 2"]
        assert kept.readings["night 1"].position == later.position
        assert not [link for link in kept.causal_links("Night 1") if link.claimed]
    one = Transcripts()
    assert [one.apply(later), one.apply(first), one.apply(later)] == [True, False, False]


def test_a_transcript_read_twice_is_the_same_item_and_known() -> None:
    one, two = item(read()), item(read(created_at_ms=99))
    assert one.id == two.id
    kept = folded([one])
    assert kept.says(two.payload)
    assert not kept.says(item(read(k_local=1)).payload)
    assert not kept.says(item(read(session="Night 2")).payload)
    said = kept.said("Night 1")
    assert said is not None
    assert (said.content_hash, said.lines, said.scorer) == (content_hash(LINES), 4, "seed")
    assert kept.said("Night 2") is None


def test_a_copy_goes_its_own_way_and_nothing_packs_to_nothing() -> None:
    kept = folded([item(read())])
    copied = kept.copy()
    copied.apply(item(read(session="Night 2")))
    assert (kept.sessions, copied.sessions) == (["Night 1"], ["Night 1", "Night 2"])
    assert Transcripts().dump() == {}
    assert Transcripts.load({}).sessions == []


def test_of_two_readings_of_one_time_the_one_with_more_lines_counts_in_any_order() -> None:
    whole = item(read())
    shorter = [read(LINES[:count]) for count in (1, 2, 3)]
    for less in (item(each) for each in shorter):
        for order in permutations([whole, less]):
            kept = folded(order)
            assert len(list(kept.moments())) == len(LINES)
            opened = Transcripts()
            opened.apply(order[0])
            assert opened.opens(order[1]) is None
    assert {whole.id > item(each).id for each in shorter} == {True, False}, "one of them has a larger id"


def test_the_name_of_an_actor_is_that_of_the_latest_reading() -> None:
    louder = [line._replace(author_name=line.author_name.upper()) for line in LINES]
    assert folded([item(read()), item(read(louder, session="Night 0"), at=9_000)]).actors()[0].name == "ANN"


def test_times() -> None:
    own = [line._replace(timestamp_ms=1_000 + line.line_index) for line in LINES]
    assert line_times(own) == [1_000, 1_001, 1_002, 1_003]
    assert line_times([own[0], LINES[1]], 0) == [1_000, 1_000]
    with pytest.raises(InputError, match="line 1 has no time"):
        payload_of(read([own[0], *LINES[1:]]))


def test_the_hash_is_that_of_the_content() -> None:
    assert content_hash(LINES) == content_hash(list(LINES))
    for changed in (
        LINES[0]._replace(kind="roll"),
        LINES[0]._replace(timestamp_ms=0),
        LINES[0]._replace(author_name="An"),
    ):
        assert content_hash([changed, *LINES[1:]]) != content_hash(LINES)


def broken(field: str, value: Value) -> dict[str, Value]:
    return {**payload_of(read(), started_at_ms=0), field: value}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("session", ""),
        ("content_hash", "abc"),
        ("content_hash", 3),
        ("kernel_version", 0),
        ("kernel_version", True),
        ("lines", "4"),
        ("lines", 2),
        ("actors", "ann"),
        ("actors", ['["ann"]']),
        ("actors", ['["ann", "Ann"]']),
        ("actors", ['["","Ann"]']),
        ("actors", ['["ann","Ann"]']),
        ("moments", []),
        ("moments", ['{"0":1}']),
        ("moments", ['[true,0,"ann","x"]']),
        ("moments", ['[3,0,"ann","x"]', '[2,0,"dm","x"]', '[0,0,"ann","x"]']),
        ("moments", ['[0,-1,"ann","x"]', '[2,0,"dm","x"]', '[3,0,"bo","x"]']),
        ("moments", ["nonsense"]),
        ("links", [json.dumps([0, 2, "song", "r", "roll", 2, 0.5], separators=(",", ":"))]),
        ("links", [json.dumps([0, 2, "declare", "r", "song", 2, 0.5], separators=(",", ":"))]),
        ("links", [json.dumps([2, 0, "declare", "r", "roll", 2, 0.5], separators=(",", ":"))]),
        ("links", [json.dumps([0, 2, "declare", "r", "none", 2, 0.5], separators=(",", ":"))]),
        ("links", [json.dumps([0, 2, "declare", "r", "roll", None, 0.5], separators=(",", ":"))]),
        ("links", [json.dumps([0, 2, "declare", "r", "roll", 2, -0.5], separators=(",", ":"))]),
        ("chunks", "gate"),
        ("chunks", ['["gate",0]']),
        ("chunks", ['["gate",3,1]']),
        ("chunks", ['["late",2,3]', '["gate",0,1]']),
        ("links", [json.dumps([3, None, "declare", "r", "none", None, None], separators=(",", ":"))] * 2),
    ],
)
def test_a_payload_that_no_reading_gives_is_refused(field: str, value: Value) -> None:
    with pytest.raises((ValueError, InputError)):
        check_payload("transcript", broken(field, value))


def test_what_was_said_can_be_read() -> None:
    said = said_of(payload_of(read(), started_at_ms=0))
    assert said.moments[0].content == LINES[0].content
    assert [link.consequence for link in said.links] == [2, None]
    assert said.chunks == ()
    chunks = [("late", 3, 9), ("gate", 0, 1)]
    payload = payload_of(read(chunks=chunks), started_at_ms=0)
    check_payload("transcript", payload)
    assert said_of(payload).chunks == (Chunk("gate", 0, 1), Chunk("late", 3, 9))


# --- evidence -----------------------------------------------------------------------------------------------------

NAMES = [("chest", "chest"), ("Red Chest", "red-chest"), ("ring", "ring"), ("key", "key"), ("C++", "cpp"), ("!!", "no")]


def rows(reading: Reading) -> list[tuple[str, str, str, int]]:
    return [(row.kind, row.a, row.b, row.line) for row in evidence_of(reading, NAMES, started_at_ms=0).rows]


def test_names_are_whole_words_and_the_longest_goes_first() -> None:
    found = Names([*NAMES, ("Ol’ Bess", "bess")])
    assert found.find("The RED  chest, a chest and chests. Ring.") == ["red-chest", "chest", "ring"]
    assert found.find("keyring, monkey; C++ or _key_ or ol' bess") == ["cpp", "bess"]
    assert found.find("") == []
    assert Names([("red chest", "a"), ("chest key", "b")]).find("red chest key") == ["a"]


def test_evidence_of_a_session() -> None:
    assert rows(read()) == [
        ("co_mention_response", "key", "red-chest", 0),
        ("causation_detected", "key", "chest", 2),
        ("causation_detected", "key", "ring", 2),
        ("causation_detected", "red-chest", "chest", 2),
        ("causation_detected", "red-chest", "ring", 2),
        ("co_mention_response", "chest", "ring", 2),
        ("co_mention_session", "chest", "key", 2),
        ("co_mention_session", "chest", "red-chest", 2),
        ("co_mention_session", "key", "ring", 2),
        ("co_mention_session", "red-chest", "ring", 2),
    ]
    (first, *_) = evidence_of(read(), dict(NAMES), started_at_ms=1_000).rows
    assert first == EvidenceRow("co_mention_response", "key", "red-chest", "none", 1_000, 0)
    caused = [row for row in evidence_of(read(), NAMES, started_at_ms=0).rows if row.kind == "causation_detected"]
    assert {row.direction for row in caused} == {"a_to_b"}


def test_a_name_on_both_sides_does_not_cause_itself() -> None:
    lines = [Line(0, "Ann", "I turn the key."), Line(1, "DM", "The key turns.")]
    assert rows(read(lines)) == []


def test_excluded_lines_name_nothing() -> None:
    assert rows(read(masks=[Mask(0, 2, "noise")])) == []


def test_the_nodes_of_a_session_are_bounded() -> None:
    many = [(f"n{number}", f"n{number}") for number in range(NODES_MAX + 3)]
    lines = [Line(0, "DM", " ".join(name for name, _ in many[:2])), Line(1, "DM", " ".join(name for name, _ in many))]
    found = evidence_of(read(lines), many, started_at_ms=0)
    assert found.dropped == 3
    assert not [row for row in found.rows if f"n{NODES_MAX}" in (row.a, row.b)]


def test_the_table_of_causal_links_has_a_part_for_each_current_reading() -> None:
    table = TRANSCRIPTS.table
    assert table is not None
    first, again, other = item(read()), item(read(LINES[:3]), at=6_000), item(read(session="Other night"))
    kept = folded([first, again, other])
    assert table.parts(kept) == {"Night 1": again.id, "Other night": other.id}
    assert list(table.rows(kept, "Night 1")) == list(kept.causal_links("Night 1"))
