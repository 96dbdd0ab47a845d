"""A ledger as lines: canonical, read back to the bit, and every broken line said to be broken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.ledger.calendar import EARLIEST, LATEST
from asterism.core.ledger.items import Item, make_item
from asterism.formats.ledger import (
    BadLine,
    Header,
    NewerHeader,
    TextVector,
    Tombstone,
    entry_of,
    header_line,
    header_of,
    item_line,
    object_of,
    tombstone_line,
    vector_line,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
LINES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).filter(str.strip)
VALUES = st.one_of(TEXTS, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.none())
WORDS = st.text("abcdefgh_", min_size=1, max_size=8)
PAYLOADS = st.dictionaries(WORDS, VALUES | st.lists(TEXTS, max_size=3), max_size=4)
ITEM = make_item(space="me", what="engaged", at=5, payload={"star": "é", "impact": 0.1}, known_at=-1, source="a")


@st.composite
def items(draw: st.DrawFn) -> Item:
    return make_item(
        space="me",
        what=draw(WORDS),
        at=draw(st.integers(EARLIEST, LATEST)),
        payload=draw(PAYLOADS),
        known_at=draw(st.integers(-(2**62), 2**62)),
        source=draw(st.just("") | LINES),
        note=draw(st.just("") | LINES),
    )


@given(items())
def test_an_item_is_read_back_as_it_was(item: Item) -> None:
    line = item_line(item)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert entry_of(object_of(line), "me") == item
    told = json.loads(line)
    again = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    assert again == line  # the one form it has


def test_a_line_is_canonical_and_leaves_out_what_is_empty() -> None:
    assert item_line(ITEM).decode() == (
        '{"at":"1970-01-01T00:00:00.000005Z","id":"' + ITEM.id.hex() + '","known_at":"1969-12-31T23:59:59.999999Z",'
        '"payload":{"impact":0.1,"star":"é"},"source":"a","what":"engaged"}\n'
    )


def test_the_other_lines_are_read_back() -> None:
    header = Header("me ☆", ("seed", "tuned"), {"soft_cap": 20, "half_life_resonance": 0.5}, None, 3)
    assert header_of(object_of(header_line(header))) == header
    assert entry_of(object_of(tombstone_line(ITEM.id)), "me") == Tombstone(ITEM.id)
    vector = TextVector(ITEM.id, b"\x00\x00\x80?")
    assert entry_of(object_of(vector_line(vector)), "me") == vector


HEADER = json.loads(header_line(Header("me", ("seed",), {}, None, 3)))
BROKEN_HEADERS: dict[str, dict[str, Any]] = {
    "another file": {"asterism": "sky"},
    "a version that is none": {"version": "1"},
    "a newer version": {"version": 99},
    "no space": {"space": None},
    "a preset that is no list": {"preset": "seed"},
    "presets that are no words": {"preset": [1]},
    "parameters that are no object": {"parameters": []},
    "a parameter that is no value": {"parameters": {"soft_cap": True}},
    "an embedder that is no word": {"embedder": 3},
    "a fold that is no number": {"fold": "3"},
}


@pytest.mark.parametrize("fault", BROKEN_HEADERS)
def test_a_broken_header_is_refused(fault: str) -> None:
    with pytest.raises(BadLine) as refused:
        header_of(HEADER | BROKEN_HEADERS[fault])
    assert refused.value.hint
    assert isinstance(refused.value, NewerHeader) == (fault == "a newer version")


LINE = json.loads(item_line(ITEM))
BROKEN: dict[str, Any] = {
    "a field too many": LINE | {"colour": "red"},
    "a field too few": {name: LINE[name] for name in LINE if name != "at"},
    "a payload that is no object": LINE | {"payload": [1]},
    "an id that is no hash": LINE | {"id": "abc"},
    "an id in capitals": LINE | {"id": LINE["id"].upper().replace("1", "A")},
    "an id that is no text": LINE | {"id": 7},
    "a time that is none": LINE | {"at": "yesterday"},
    "a time without a zone": LINE | {"at": "2026-01-01T00:00:00"},
    "a time that is too large": LINE | {"at": 2**70},
    "a time that is true": LINE | {"known_at": True},
    "a note that is no text": LINE | {"note": 3},
    "a source that is no text": LINE | {"source": ["a"]},
    "a kind that is no text": LINE | {"what": None},
    "a tombstone that is none": {"erased": "xyz"},
    "a vector that is none": {"text": LINE["id"], "vector": "&&&"},
    "a vector of half a number": {"text": LINE["id"], "vector": "AAA="},
    "a vector of nothing": {"text": LINE["id"], "vector": ""},
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_line_is_refused(fault: str) -> None:
    with pytest.raises(BadLine) as refused:
        entry_of(BROKEN[fault], "me")
    assert refused.value.hint
    assert str(refused.value)


@pytest.mark.parametrize(
    "line",
    [b"", b"{", b"[1]\n", b"\xff\xfe\n", b'{"at":NaN}\n', b'{"at":-Infinity}\n', b"[" * 100_000 + b"\n", b"7\n"],
)
def test_what_is_no_object_is_refused(line: bytes) -> None:
    with pytest.raises(BadLine):
        object_of(line)


def test_a_payload_too_deep_to_write_is_refused() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(BadLine):
        entry_of(LINE | {"payload": {"star": deep}}, "me")
