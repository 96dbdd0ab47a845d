"""Lines and pairs as named numbers: what each family says of small talks that can be checked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.dialogue.features import Listing, Sheet, best, nearest, window_of
from asterism.core.dialogue.features_address import address
from asterism.core.dialogue.features_history import history, past_of
from asterism.core.dialogue.features_lines import NOBODY, Talk, talk_of
from asterism.core.dialogue.features_pairs import facts_of, meaning, speakers, words
from asterism.core.dialogue.features_says import common_words, says
from asterism.core.dialogue.forms import FORM_NAMES, forms_of
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.reply import FAMILIES, sheet_of


def talk(*said: tuple[str, str], **options: object) -> Talk:
    lines = [Line(at, who, text) for at, (who, text) in enumerate(said)]
    return talk_of(lines, **options)  # type: ignore[arg-type]


def value(found: Sheet, name: str, y: int, d: int) -> float:
    """What a feature says of line y and the line d before it."""
    return float(found.values[y, d - 1, found.places[name]])


def filled(lines: Talk, names: list[str], size: int = 4) -> Sheet:
    window = window_of(lines, np.arange(len(lines)), size)
    return sheet_of(lines, facts_of(lines, size), window, names, None)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Where is it", "asks_wh"),
        ("so, can you see it", "asks_aux"),
        ("Yep.", "yes"),
        ("nope", "no"),
        ("ok", "acknowledge"),
        ("thx a lot", "thanks"),
        ("no problem", "welcome"),
        ("good evening", "greeting"),
        ("now place two blocks", "commands"),
        ("!help", "bot_call"),
        ("That's a 19", "roll"),
        ("...", "only_marks"),
        ("word", "one_word"),
    ],
)
def test_a_text_has_the_form(text: str, form: str) -> None:
    assert forms_of([text])[0, FORM_NAMES.index(form)]


def test_whole_words_make_a_yes_or_no() -> None:
    has = forms_of(["North", "Yesterday we went", "Okra"])
    assert not has[:, [FORM_NAMES.index(name) for name in ("yes", "no", "acknowledge")]].any()


def test_system_lines_are_no_part_of_a_talk() -> None:
    lines = [Line(0, "", "joined", None, "system"), Line(1, "ann", "hi"), Line(2, "bob", "place red 1", None, "action")]
    read = talk_of(lines)
    assert read.rows.tolist() == [1, 2]
    assert read.action.tolist() == [False, True]
    assert read.acts.tolist() == [False, True]
    assert not read.forms[1].any()


def test_a_line_names_whom_it_addresses_and_keeps_its_form() -> None:
    read = talk(("ann", "hello"), ("bob", "ann: thanks"), ("cy", "I think bob and ann know"), ("ann", "ann: me"))
    assert read.lead.tolist() == [NOBODY, 0, NOBODY, NOBODY]
    assert read.named[2].tolist() == [1, 0, NOBODY]
    assert read.forms[1, FORM_NAMES.index("thanks")]
    assert read.named[3].tolist() == [NOBODY] * 3


def test_a_name_that_begins_a_line_without_a_sign_addresses_too() -> None:
    assert talk(("ann", "hello"), ("bob", "ann thanks")).lead.tolist() == [NOBODY, 0]
    assert talk(("ann", "hello"), ("bob", "@ann thanks")).lead.tolist() == [NOBODY, 0]


def test_an_alias_is_the_same_speaker() -> None:
    read = talk(("ann", "hello"), ("ann_away", "still me"), ("bob", "ann_away: hi"), aliases={"ann_away": "ann"})
    assert read.speaker.tolist() == [0, 0, 1]
    assert read.lead[2] == 0


def test_a_common_word_is_no_name_inside_a_line() -> None:
    said = [("ok", "hello"), *(("bob", f"that is ok then {at}") for at in range(6))]
    assert (talk(*said).named == NOBODY).all()


def test_own_lines_are_chained() -> None:
    read = talk(("ann", "a"), ("bob", "b"), ("ann", "c"))
    assert read.previous_own.tolist() == [NOBODY, NOBODY, 0]
    assert read.next_own.tolist() == [2, 3, 3]


def test_nearest_and_best_keep_one_of_a_row() -> None:
    assert nearest(np.array([[False, True, True]])).tolist() == [[False, True, False]]
    real = np.array([[True, True, True], [True, True, True]])
    assert best(np.array([[0.1, 0.5, 0.5], [0.0, 0.0, 0.0]]), real).tolist() == [[False, True, False], [False] * 3]


def test_speakers_say_who_spoke_in_between() -> None:
    read = talk(("ann", "a"), ("bob", "b"), ("ann", "c"), ("ann", "d"))
    names = ["speaker.same", "speaker.own_last", "speaker.other_nearest", "speaker.own_between", "none.goes_on"]
    found = filled(read, names)
    assert value(found, "speaker.same", 3, 1) == 1
    assert value(found, "speaker.own_last", 3, 3) == 0
    assert value(found, "speaker.other_nearest", 3, 2) == 1
    assert value(found, "speaker.own_between", 3, 2) == 1
    assert found.values[:, -1, found.places["none.goes_on"]].tolist() == [0, 0, 0, 1]


def test_address_goes_both_ways_and_remembers_partners() -> None:
    read = talk(
        ("ann", "bob: can you help"), ("cy", "hello all"), ("bob", "yes"), ("ann", "great"), ("bob", "ann: done")
    )
    names = ["address.y_names_x", "address.x_names_y", "address.partner", "address.y_elsewhere", "none.named"]
    found = filled(read, names)
    assert value(found, "address.x_names_y", 2, 2) == 1
    assert value(found, "address.y_names_x", 4, 1) == 1
    assert value(found, "address.partner", 3, 1) == 1  # ann named bob before
    assert value(found, "address.y_elsewhere", 4, 3) == 1  # cy is not whom bob names
    assert found.values[2, -1, found.places["none.named"]] == 1


def test_words_weigh_rare_ones_and_mark_the_best() -> None:
    read = talk(("ann", "the kernel panics"), ("bob", "nice weather"), ("cy", "which kernel version"))
    found = filled(read, ["words.overlap", "words.best", "none.no_words"])
    assert value(found, "words.overlap", 2, 2) > 0
    assert value(found, "words.overlap", 2, 1) == 0
    assert value(found, "words.best", 2, 2) == 1
    assert found.values[:, -1, found.places["none.no_words"]].tolist() == [1, 1, 0]


def test_words_beyond_the_window_are_not_looked_for() -> None:
    read = talk(("ann", "kernel"), ("bob", "a"), ("cy", "b"), ("ann", "kernel"))
    assert facts_of(read, 2).overlap.sum() == 0
    assert facts_of(read, 3).overlap[3, 2] == pytest.approx(1.0)


def test_meaning_is_the_cosine_when_there_are_vectors() -> None:
    vectors = np.array([[1, 0], [0, 1], [2, 0]], dtype=np.float32)
    read = talk(("ann", "a"), ("bob", "b"), ("cy", "c"), vectors=vectors)
    found = filled(read, ["meaning.cosine", "meaning.best"])
    assert value(found, "meaning.cosine", 2, 2) == pytest.approx(1.0)
    assert value(found, "meaning.cosine", 2, 1) == pytest.approx(0.0)
    assert value(found, "meaning.best", 2, 2) == 1
    without = talk(("ann", "a"), ("bob", "b"))
    assert not filled(without, ["meaning.cosine"]).values.any()


def test_says_looks_for_the_words_of_its_names() -> None:
    lines = [Line(0, "ann", "put it there"), Line(1, "bob", "place red 1", None, "action"), Line(2, "ann", "now that")]
    read = talk_of(lines)
    names = ["says.x=put", "says.put>act", "says.act>now", "says.none=now"]
    window = window_of(read, np.arange(3), 2)
    found = Sheet(names, 3, 2)
    says(found, read, facts_of(read, 2, ["put", "now"]), window)
    assert value(found, "says.put>act", 1, 1) == 1
    assert value(found, "says.x=put", 1, 1) == 0
    assert value(found, "says.x=put", 2, 2) == 1
    assert value(found, "says.act>now", 2, 1) == 1
    assert found.values[:, -1, 3].tolist() == [0, 0, 1]


def test_common_words_are_those_most_lines_hold_and_no_numbers_or_actions() -> None:
    lines = [Line(0, "a", "go 7 now"), Line(1, "b", "place red", None, "action"), Line(2, "a", "now 7")]
    assert common_words([talk_of(lines)], 2) == ["now", "go"]


def test_the_past_gives_heads_threads_and_answers() -> None:
    p = np.array([[0, 0, 1], [0.9, 0, 0.1], [0.2, 0.7, 0.1], [0, 0, 1]], dtype=np.float32)
    past = past_of(p)
    assert past.head.tolist() == [NOBODY, 0, 0, NOBODY]
    assert past.thread.tolist() == [0, 0, 0, 3]
    assert past.next_in_thread.tolist() == [1, 2, 4, 4]
    assert past.answers[0].tolist() == pytest.approx([0, 0.9, 1.6])


def test_history_knows_what_the_speaker_answered_before() -> None:
    read = talk(("ann", "a"), ("bob", "b"), ("bob", "c"), ("cy", "d"))
    p = np.zeros((4, 4), dtype=np.float32)
    p[0, 3] = p[3, 3] = 1.0
    p[1, 0] = 1.0  # bob answers ann
    p[2, 0] = 1.0
    names = ["history.head_of_own", "history.answered", "history.p", "history.own_thread"]
    window = window_of(read, np.arange(4), 3)
    found = sheet_of(read, facts_of(read, 3), window, names, past_of(p))
    assert value(found, "history.head_of_own", 2, 2) == 1
    assert value(found, "history.answered", 2, 2) == 1
    assert value(found, "history.p", 2, 1) == 1
    assert found.values[3, -1, found.places["history.p"]] == 1


def test_a_listing_names_every_feature_once_by_family() -> None:
    listing = Listing()
    read = talk(("ann", "a"), ("bob", "b"))
    window = window_of(read, np.arange(2), 2)
    for family in (speakers, address, words, meaning):
        family(listing, read, facts_of(read, 2), window)
    history(listing, read, facts_of(read, 2), window, past_of(np.full((2, 3), 1 / 3, dtype=np.float32)))
    assert {name.split(".")[0] for name in listing.seen} == {
        "speaker",
        "address",
        "words",
        "meaning",
        "history",
        "none",
    }


LINES = st.lists(
    st.tuples(st.sampled_from(["ann", "bob", "cy"]), st.text("abn: ?,ky", max_size=12)), min_size=1, max_size=12
)


@settings(max_examples=20)
@given(said=LINES, more=LINES)
def test_no_look_at_the_page_sees_a_later_line_but_by_counts_of_words(
    said: list[tuple[str, str]], more: list[tuple[str, str]]
) -> None:
    """Who spoke, was named and in which form: later lines change nothing of it, unless they bring new names."""
    known = [("ann", "."), ("bob", "."), ("cy", ".")]
    names = ["speaker.same", "speaker.own_last", "address.partner", "form.x_question", "open.nearest_question"]
    alone = filled(talk(*known, *said), names)
    longer = filled(talk(*known, *said, *more), names)
    kept = [0, 1, 3, 4]
    assert np.array_equal(alone.values[:, :, kept], longer.values[: len(known) + len(said), :, kept])


@settings(max_examples=15)
@given(said=LINES)
def test_features_are_finite_and_nothing_is_said_of_lines_that_are_not_there(said: list[tuple[str, str]]) -> None:
    read = talk(*said)
    listing = Listing()
    window = window_of(read, np.arange(len(read)), 5)
    for family in FAMILIES.values():
        family(listing, read, facts_of(read, 5), window)
    found = sheet_of(read, facts_of(read, 5), window, list(listing.seen), None)
    assert np.isfinite(found.values).all()
    assert not found.values[:, :-1][~window.real].any()
