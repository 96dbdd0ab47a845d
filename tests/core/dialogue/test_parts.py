"""Lines, masks, speakers, rules and queries, each on its own."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.dialogue.actors import INITIATOR, RESPONDER, UNKNOWN, masters_of, speakers_of
from asterism.core.dialogue.answering import Answering, answering_of
from asterism.core.dialogue.consequences import CONSEQUENCES, consequence_of
from asterism.core.dialogue.eligibility import build_eligibility, exclusion_reasons, is_line_eligible
from asterism.core.dialogue.intents import ENGLISH, TABLETOP
from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Actor, Line, Mask, check_actors, check_lines, check_masks, renumbered
from asterism.core.dialogue.links import Chunk, by_actor, by_event, check_chunks, in_event, in_session, of_type
from asterism.core.dialogue.overlap import lexical_overlaps, number_of, words_of
from asterism.core.dialogue.replies import chosen_for
from asterism.core.dialogue.rules import RULES_MAX, Rule, Rules, words
from asterism.core.dialogue.scoring import lexical, tokens_of
from asterism.errors import InputError
from tests.support.dialogue import masks, texts


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        ([Line(1, "A", "x")], "unordered_lines", "line 1 stands where line 0 should"),
        ([Line(0, "A", "x"), Line(0, "A", "x")], "unordered_lines", "line 0 stands where line 1 should"),
        ([Line("0", "A", "x")], "unordered_lines", "'0'"),  # type: ignore[arg-type]
        ([Line(False, "A", "x")], "unordered_lines", "False"),
        ([Line(0, None, "x")], "bad_line", "author_name"),  # type: ignore[arg-type]
        ([Line(0, "A", b"x")], "bad_line", "content"),  # type: ignore[arg-type]
        ([Line(0, "A", "x", 1.5)], "bad_line", "timestamp_ms"),  # type: ignore[arg-type]
        ([Line(0, "A", "x", -1)], "bad_line", "timestamp_ms"),
        ([Line(0, "A", "x", None, "song")], "bad_line", "song"),  # type: ignore[arg-type]
        ([Line(0, "A", "x"), Line(1, "A", "\ud800")], "bad_line", "line 1 cannot be used: it is not valid Unicode"),
        ([Line(0, "\udfff", "x")], "bad_line", "line 0"),
        ([Line(0, "A", "x", [])], "bad_line", "timestamp_ms"),  # type: ignore[arg-type]
        ([Line(0, "A", "x", None, [])], "bad_line", "no kind"),  # type: ignore[arg-type]
        (
            [Line(0, "A", "x"), Line(1, "A" * 10_001, "x")],
            "bad_line",
            "line 1 cannot be used: its author_name has more",
        ),
    ],
)
def test_bad_lines_are_named(lines: list[Line], code: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        check_lines(lines)
    assert caught.value.code == code
    assert caught.value.hint


def test_lines_can_be_renumbered() -> None:
    assert check_lines(renumbered([Line(5, "A", "x", 0, "roll"), Line(5, "B", "y")]))[1] == Line(1, "B", "y")


@pytest.mark.parametrize(
    ("actors", "said"),
    [
        ([Actor("", "Ann")], "empty"),
        ([Actor("a", " ")], "empty"),
        ([Actor("a", "Ann", ("",))], "empty"),
        ([Actor("a", "Ann"), Actor("a", "Bo")], "two actors have the id"),
        ([Actor("a", "Ann"), Actor("b", "Bo", ("ANN",))], "belongs to 'a' and to 'b'"),
        ([Actor("a\x1fb", "Ann")], "control character"),
    ],
)
def test_bad_actors_are_named(actors: list[Actor], said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_actors(actors)


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        (Mask(3, 1, "noise"), "starts at line 3 and ends at line 1"),
        (Mask(0, 1, "boredom"), "'boredom' is no reason"),  # type: ignore[arg-type]
        (Mask(0.5, 1, "noise"), "not whole numbers"),  # type: ignore[arg-type]
    ],
)
def test_bad_masks_are_named(mask: Mask, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        check_masks([mask], 5)
    assert caught.value.code == "bad_mask"


@given(st.integers(1, 30).flatmap(lambda lines: st.tuples(st.just(lines), masks(lines))))
def test_the_array_the_runs_and_the_reasons_agree(session: tuple[int, list[Mask]]) -> None:
    lines, spans = session
    found = build_eligibility(lines, spans)
    from_runs = {place: run.reasons for run in found.excluded for place in range(run.start, run.end + 1)}
    for place in range(lines):
        reasons = {mask.reason for mask in spans if mask.start <= place <= mask.end}
        assert set(exclusion_reasons(found, place)) == set(from_runs.get(place, ())) == reasons
        assert is_line_eligible(found, place) == (not reasons)
    behind = found.next_excluded().tolist()
    assert behind == [
        next((other for other in range(place + 1, lines) if other in from_runs), lines) for place in range(lines)
    ]
    for one, other in zip(found.excluded, found.excluded[1:], strict=False):
        assert one.end < other.start
        assert one.end + 1 < other.start or one.reasons != other.reasons


def roles(authors: list[str], **options: object) -> list[tuple[int, str]]:
    lines = [Line(place, author, "") for place, author in enumerate(authors)]
    found = speakers_of(lines, **{"responders": masters_of(lines)} | options)  # type: ignore[arg-type]
    return [(found[author].role, found[author].actor.id) for author in authors]


def test_the_master_is_found_by_a_whole_word() -> None:
    found = roles(["The DM", "gm_bo", "Admin", "Edmund"])
    assert [role for role, _ in found] == [RESPONDER, RESPONDER, INITIATOR, INITIATOR]


def test_names_are_whole_words_and_the_longest_wins() -> None:
    actors = [Actor("a", "Ann"), Actor("al", "Ann Lee", ("Vex",))]
    found = roles(["Ann Lee", "ann", "Laura (VEX)", "Anna", "Matt", " "], responders=["Matt"], actors=actors)
    assert found == [
        (INITIATOR, "al"),
        (INITIATOR, "a"),
        (INITIATOR, "al"),
        (UNKNOWN, ""),
        (RESPONDER, "matt"),
        (UNKNOWN, ""),
    ]


def test_a_responder_is_one_even_beside_others() -> None:
    assert roles(["MATT and SAM", "SAM"], responders=["MATT"])[0] == (RESPONDER, "matt")


PEOPLE = [Line(at, name, "") for at, name in enumerate(["Ann", *(f"P{number}" for number in range(20))])]


@pytest.mark.parametrize(
    ("responders", "told", "code"),
    [
        ([], None, "no_responder"),
        (None, "responders", "no_responder"),
        ([""], None, "bad_text"),
        (["Ann"], "channel", "bad_answering"),
        (None, "guess", "unknown_answering"),
    ],
)
def test_what_cannot_answer_is_refused(responders: list[str] | None, told: str | None, code: str) -> None:
    with pytest.raises(InputError) as caught:
        answering_of(PEOPLE, responders, told, choose=chosen_for)
    assert caught.value.code == code
    if code == "no_responder":
        assert "Ann" in str(caught.value)
        assert "9 more" in str(caught.value)


def test_responders_are_named_or_masters_or_a_model_reads_the_lines() -> None:
    assert answering_of(PEOPLE, "Ann", None, choose=chosen_for) == (Answering("responders"), ["Ann"])
    master = [*PEOPLE, Line(21, "GM", "")]
    assert answering_of(master, None, None, choose=chosen_for, asked_scorer=True) == (Answering("responders"), ["GM"])
    assert answering_of(master, None, "reply", choose=chosen_for) == (Answering("reply"), [])
    assert answering_of(PEOPLE, None, None, choose=chosen_for)[0].because == "21 people"
    assert answering_of([], None, None, choose=chosen_for) == (Answering("responders"), [])
    with pytest.raises(InputError, match="nobody here is a responder"):  # a scorer scores responders
        answering_of(PEOPLE, None, None, choose=chosen_for, asked_scorer=True)


def test_rules_are_data() -> None:
    german = Rules(
        (
            Rule("ausruf", "none", r"^ach"),
            Rule("frage", "question", r"\?", words("?")),
            Rule("will", "request", r"\b(?:ich|wir) möchte\b", words("möchte"), words("ich wir")),
        ),
        types=("question", "request"),
    )
    said = ("Ich möchte gehen", "Wo?", "Ach, wo?", "Er möchte gehen", "")
    fired = german.first_of_each(said)
    assert fired == [german.first(text) for text in said]
    assert [rule.name if rule else None for rule in fired] == ["will", "frage", None, None, None]


@pytest.mark.parametrize(
    "rules",
    [
        (Rule("a", "question", "x"), Rule("a", "question", "y")),
        (Rule("a", "song", "x"),),
        (Rule("a", "question", "("),),
    ],
)
def test_bad_rules_are_named(rules: tuple[Rule, ...]) -> None:
    with pytest.raises(InputError, match="'a'") as caught:
        Rules(rules, types=("question",))
    assert caught.value.code == "bad_rule"


def test_a_book_has_room_for_so_many_rules() -> None:
    many = [Rule(f"r{number}", "question", "x") for number in range(RULES_MAX + 1)]
    assert Rules(many[:-1], types=("question",)).first_of_each(["", "x"]) == [None, many[0]]
    with pytest.raises(InputError, match="31 rules"):
        Rules(many, types=("question",))


@given(st.lists(texts))
def test_many_texts_are_read_as_each_alone(many: list[str]) -> None:
    for book in (ENGLISH, TABLETOP, CONSEQUENCES):
        assert book.first_of_each(many) == [book.first(text) for text in many]


def test_a_long_session_is_read_block_by_block() -> None:
    lines = [
        Line(n, ("Ann", "DM")[n % 2], f"I open door {n}?" if n % 2 == 0 else f"No, door {n - 1}") for n in range(20_000)
    ]
    links = causal_links(lines, session="s").links
    assert len(links) == 10_000
    assert {(link.distance, link.rule) for link in links} == {(1, "question_mark")}
    assert links[9_999].score == links[5_000].score == links[1_000].score


@given(st.lists(texts, min_size=1), st.data())
def test_overlaps_are_those_of_sets_of_words(many: list[str], data: st.DataObject) -> None:
    numbers = st.integers(0, len(many) - 1)
    pairs = data.draw(st.lists(st.tuples(numbers, numbers)))
    a, b = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    expected = [lexical(tokens_of(many[one]), tokens_of(many[other])) for one, other in pairs]
    assert lexical_overlaps(many, a, b).tolist() == expected


@given(st.lists(texts))
def test_words_are_those_of_the_pattern(many: list[str]) -> None:
    found = words_of(many)
    plain = [(place, word) for place, text in enumerate(many) for word in re.findall(r"[^\W_]+", text.lower())]
    assert found.text.tolist() == [place for place, _ in plain]
    assert found.letters.tolist() == [len(word) for _, word in plain]
    assert found.number.tolist() == [number_of(word) for _, word in plain]


def test_long_texts_are_split_block_by_block() -> None:
    many = [f"red door {number}" for number in range(100_000)]
    found = words_of(many)
    assert found.text[-1] == 99_999
    assert len(set(found.number[::3].tolist())) == 1


@pytest.mark.parametrize(
    ("text", "kind", "rule"),
    [
        ("Make a stealth check for me.", "roll", "asks_for_a_roll"),
        ("Take 2d6 fire.", "roll", "names_dice"),
        ("A 21 hits.", "roll", "judges_a_roll"),
        ("I'll allow it.", "commitment", "commits"),
        ("Sure, go for it.", "commitment", "commits"),
        ("You find a rusty key.", "deterministic", "you_do"),
        ("The old door swings open.", "deterministic", "it_does"),
        ("Six points of cold.", "deterministic", "damage"),
        ("You hear steps.", "information", "you_see"),
        ("There's a lake.", "information", "it_is"),
        ("Nope.", "information", "answers"),
        ("Hm, pizza.", "dm_statement", "statement"),
        ("Bird20 sings", "dm_statement", "statement"),
    ],
)
def test_consequences(text: str, kind: str, rule: str) -> None:
    found = consequence_of(text, None)
    assert (found.type, found.name) == (kind, rule)


def test_play_reports_rolls_and_reacts() -> None:
    fired = [
        TABLETOP.first(text)
        for text in ("Really?!", "That's a 19.", "15 plus 3 is 18", "I have 19 apples", "Oh, what?")
    ]
    assert [rule.name if rule else None for rule in fired] == [None, "roll_report", "roll_report", None, None]


def test_links_are_found_by_session_actor_type_and_event() -> None:
    lines = [Line(0, "Ann", "I climb."), Line(1, "DM", "You fall."), Line(2, "Bo", "Who?"), Line(3, "DM", "Hm.")]
    links = causal_links(lines, session="one", chunks=None).links
    assert len(in_session(links, "one")) == 2
    assert in_session(links, "two") == []
    assert [link.intent_anchor_index for link in by_actor(links, "bo")] == [2]
    assert [link.intent_anchor_index for link in of_type(links, "deterministic", "question")] == [0, 2]
    assert [link.intent_anchor_index for link in in_event(links, Chunk("fall", 1, 1))] == [0]
    grouped = by_event(links, [Chunk("late", 3, 9), Chunk("fall", 1, 1)])
    assert {name: len(each) for name, each in grouped.items()} == {"fall": 1, "late": 1}


@pytest.mark.parametrize(
    "chunks",
    [
        [Chunk("a", 3, 1)],
        [Chunk("a", -1, 1)],
        [Chunk("a", 0, 3), Chunk("b", 3, 5)],
        [Chunk("", 0, 1)],
        [Chunk("a", 0, 1), Chunk("a", 2, 3)],
        [Chunk("a", "0", 1)],  # type: ignore[arg-type]
        [Chunk("a", 0, True), Chunk("b", "2", 3)],  # type: ignore[arg-type]
        [Chunk(5, 0, 1)],  # type: ignore[arg-type]
    ],
)
def test_bad_chunks_are_named(chunks: list[Chunk]) -> None:
    with pytest.raises(InputError) as caught:
        check_chunks(chunks)
    assert caught.value.code == "bad_chunk"
