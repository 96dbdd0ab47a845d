"""What callers give: rows of every kind, names and texts with odd signs, scorers that do not score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.dialogue.actors import speakers_of
from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Actor, Line, Mask, check_lines, clean_lines
from asterism.core.dialogue.links import Chunk, check_chunks
from asterism.core.dialogue.payloads import check_payload, payload_of
from asterism.core.dialogue.rows import actors_of, chunks_of, lines_of, masks_of, names_of, spoken_rows
from asterism.core.dialogue.scoring import Pairs, Scene
from asterism.core.ledger.items import IN_A_LINE, IN_LINES
from asterism.errors import InputError

LINES = [Line(0, "Ann", "I climb."), Line(1, "DM", "Up."), Line(2, "Bo", "Where is Ann?"), Line(3, "DM", "Up there.")]


def test_rows_of_every_kind_say_the_same() -> None:
    options: dict[str, list[Any]] = {
        "actors": [Actor("ann", "Ann", ("Annie",))],
        "masks": [Mask(2, 2, "noise")],
        "chunks": [Chunk("a", 0, 1)],
    }
    expected = causal_links(LINES, session="s", responders=["DM"], **options)  # type: ignore[arg-type]
    for form in (lambda row: row._asdict(), tuple, list):
        rows = {name: [form(row) for row in given] for name, given in options.items()}
        told = causal_links(map(form, LINES), session="s", responders="DM", **rows)  # type: ignore[arg-type]
        assert (told.to_dict(), told.lines, told.chunks) == (expected.to_dict(), expected.lines, expected.chunks)
    assert causal_links([line[:3] for line in LINES], session="s").links == causal_links(LINES, session="s").links
    assert expected.chunks == (Chunk("a", 0, 1),)


def test_a_name_alone_is_an_actor_an_alias_or_a_responder() -> None:
    assert actors_of("Ann") == actors_of(["Ann"]) == (Actor("ann", "Ann"),)
    assert actors_of([("a", "Ann", "Annie"), {"id": "b", "name": "Bo", "aliases": ["Robert"]}]) == (
        Actor("a", "Ann", ("Annie",)),
        Actor("b", "Bo", ("Robert",)),
    )
    assert names_of("DM") == names_of(iter(["DM"])) == ("DM",)


BAD: dict[str, tuple[str, Callable[[], object]]] = {
    "no lines": ("bad_line", lambda: lines_of(None)),  # type: ignore[arg-type]
    "a text": ("bad_line", lambda: lines_of("Ann: Hi.")),
    "a mapping": ("bad_line", lambda: lines_of({"lines": []})),
    "numbers": ("bad_line", lambda: lines_of([1, 2])),  # type: ignore[list-item]
    "texts": ("bad_line", lambda: lines_of(["Ann: Hi."])),
    "too short": ("bad_line", lambda: lines_of([(0, "Ann")])),
    "another field": ("bad_line", lambda: lines_of([{**LINES[0]._asdict(), "mood": "glad"}])),
    "masks": ("bad_mask", lambda: masks_of([(0, 0)])),
    "chunks": ("bad_chunk", lambda: chunks_of(5)),  # type: ignore[arg-type]
    "actors": ("bad_actor", lambda: actors_of([5])),  # type: ignore[list-item]
    "no actors": ("bad_actor", lambda: actors_of(5)),  # type: ignore[arg-type]
    "one actor": ("bad_actor", lambda: actors_of({"id": "a", "name": "Ann"})),
    "aliases": ("bad_actor", lambda: actors_of([("a", "Ann", 5)])),
    "responders": ("bad_responder", lambda: names_of(5)),  # type: ignore[arg-type]
    "a mapping of them": ("bad_responder", lambda: names_of({"DM": 1})),
    "a responder": ("bad_text", lambda: causal_links(LINES, session="s", responders=[5])),  # type: ignore[list-item]
    "a chunk's id": ("bad_text", lambda: check_chunks([Chunk("a\nb", 0, 1)])),
    "a time": ("bad_time", lambda: causal_links(LINES, session="s", created_at_ms="x")),  # type: ignore[arg-type]
    "a number for parameters": ("unknown_preset", lambda: causal_links(LINES, session="s", parameters=5)),  # type: ignore[arg-type]
    "intent rules": ("bad_rule", lambda: causal_links(LINES, session="s", intent_rules=5)),  # type: ignore[arg-type]
    "rules": ("bad_rule", lambda: causal_links(LINES, session="s", consequence_rules=None)),  # type: ignore[arg-type]
    "types": ("bad_type", lambda: names_of(5, "type")),  # type: ignore[arg-type]
    "a time before all": ("bad_time", lambda: causal_links(LINES, session="s", created_at_ms=-1)),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_used_is_named(case: str) -> None:
    code, call = BAD[case]
    with pytest.raises(InputError) as caught:
        call()
    assert (caught.value.code, bool(caught.value.item), bool(caught.value.hint)) == (code, True, True)


# --- odd signs ----------------------------------------------------------------------------------------------------


def test_control_characters_become_spaces_and_are_counted() -> None:
    lines = [
        Line(0, "Bo\x00", "I go\x1b[0m\tup.\nNow."),
        Line(1, "DM\tAnn", "Okay.\r\nGo."),
        Line(2, "DM\nAnn", "Hm\r."),
    ]
    reading = causal_links(lines, session="s")
    assert [line[1:3] for line in reading.lines] == [
        ("Bo ", "I go [0m\tup.\nNow."),
        ("DM Ann", "Okay.\nGo."),
        ("DM Ann", "Hm\n."),
    ]
    assert reading.cleaned == reading.to_dict()["cleaned"] == 3
    assert {speaker.actor[:2] for speaker in reading.speakers.values()} == {("bo", "Bo"), ("dm-ann", "DM Ann")}
    check_payload("transcript", payload_of(reading, started_at_ms=0))
    kept, count = clean_lines(clean := (Line(0, "Ann", "One\n\ttwo"),))
    assert (kept is clean, count) == (True, 0)
    assert clean_lines((Line(0, "Ann", "One\r\ntwo"),)) == ((Line(0, "Ann", "One\ntwo"),), 0)


@given(st.lists(st.tuples(st.text(max_size=6), st.text(max_size=12)), max_size=6))
def test_whatever_is_read_can_be_kept(said: list[tuple[str, str]]) -> None:
    rows = [Line(place, *each) for place, each in enumerate([("DM", "Hm."), *said])]
    cleaned, count = clean_lines(check_lines(rows))
    assert count <= len(rows)
    for line in cleaned:
        assert not IN_A_LINE.search(line.author_name)
        assert not IN_LINES.search(line.content)
    assert clean_lines(cleaned) == (cleaned, 0)
    check_payload("transcript", payload_of(causal_links(rows, session="s", responders=["DM"]), started_at_ms=0))


def test_names_are_found_whatever_the_spaces_between_their_words() -> None:
    found = speakers_of([Line(0, "DM  Ann", ""), Line(1, "Bo", "")], responders=["DM Ann"])
    assert found["DM  Ann"].actor == ("dm-ann", "DM Ann", ())
    assert speakers_of([Line(0, "DM  Ann", "")])["DM  Ann"].actor.name == "DM Ann"


# --- scorers ------------------------------------------------------------------------------------------------------


class Given:
    """Scores what it was told to."""

    def __init__(self, scores: object, parts: object = None, name: str = "given") -> None:
        self.name, self.said, self.made = name, scores, parts

    def scores(self, _: Scene, __: Pairs) -> list[float]:
        return self.said  # type: ignore[return-value]

    def parts(self, _: Scene, __: Pairs) -> list[dict[str, float]]:
        return self.made  # type: ignore[return-value]


PAIRS = 3  # line 0 with 1 and 3, line 2 with 3


@pytest.mark.parametrize(
    "scores",
    [
        [float("nan")] * PAIRS,
        [0.5, float("inf"), 0.5],
        ["0.5"] * PAIRS,
        [True] * PAIRS,
        [[0.5], [0.5, 0.5], 0.5],
        [],
        [0.5] * (PAIRS + 1),
        0.5,
        None,
    ],
)
def test_a_scorer_gives_a_finite_number_for_each_pair(scores: object) -> None:
    with pytest.raises(InputError, match="the scorer 'given'") as caught:
        causal_links(LINES, session="s", scorer=Given(scores))
    assert caught.value.code == "bad_scorer"


def test_numbers_of_every_kind_are_scores() -> None:
    for scores in ([1, 0, 1], np.array([1, 0, 1], dtype=np.float32), (1.0, 0.0, 1.0)):
        links = causal_links(LINES, session="s", scorer=Given(scores)).links
        assert [(link.consequence_anchor_index, link.score) for link in links] == [(1, 1.0), (3, 1.0)]
        assert {type(link.score) for link in links} == {float}
    nothing = causal_links([Line(0, "DM", "Hm.")], session="s", scorer=Given([]))
    assert nothing.links == ()


@pytest.mark.parametrize("parts", [None, [{}], [{}, {}, 5]])
def test_a_scorer_gives_parts_for_each_pair(parts: object) -> None:
    with pytest.raises(InputError, match="does not give the parts of 3 pairs") as caught:
        causal_links(LINES, session="s", scorer=Given([0.5] * PAIRS, parts), traces=True)
    assert caught.value.code == "bad_scorer"


@pytest.mark.parametrize(("scorer", "code"), [(5, "bad_scorer"), (Given([], name="a\nb"), "bad_text")])
def test_what_is_no_scorer(scorer: object, code: str) -> None:
    with pytest.raises(InputError) as caught:
        causal_links(LINES, session="s", scorer=scorer)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_rows_that_are_said_are_numbered_and_others_stay() -> None:
    rows = list(spoken_rows(["by nobody", "Ann: Hi.", "there", Line(2, "Bo", "Ho."), "and more"]))
    assert rows == [Line(0, "", "by nobody"), Line(1, "Ann", "Hi.\nthere"), Line(2, "Bo", "Ho.\nand more")]
    assert list(spoken_rows([{"role": "user", "content": 5}])) == [{"role": "user", "content": 5}]
    assert list(spoken_rows([(0, "Ann", "Hi."), "Bo: Ho."])) == [(0, "Ann", "Hi."), Line(1, "Bo", "Ho.")]
    assert list(spoken_rows([(0, "Ann", "Hi."), "ho"])) == [(0, "Ann", "Hi."), Line(1, "", "ho")]
    assert spoken_rows("Ann: Hi.") == "Ann: Hi."
