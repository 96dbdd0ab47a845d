"""Links join into beats."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given

from asterism.core.dialogue.beats import _round, _Words, beats, least_bridge
from asterism.core.dialogue.kernel import Reading, causal_links
from asterism.core.dialogue.lines import Line, Mask
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.scoring import hill
from tests.support.dialogue import transcripts

SEED = DialogueParameters()


def said(*lines: tuple[str, str]) -> Reading:
    return causal_links([Line(place, *each) for place, each in enumerate(lines)], session="s", responders=["DM"])


def test_what_a_bridge_must_carry() -> None:
    assert least_bridge(2, 2, SEED) == pytest.approx(1 + 0.15 * math.log(3))
    assert least_bridge(4, 16, SEED) == pytest.approx(1 + 0.15 * math.log(9))


def test_two_links_about_one_thing_join() -> None:
    reading = said(
        ("Ann", "I open the red chest."),
        ("DM", "The red chest opens."),
        ("Bo", "I search the red chest."),
        ("DM", "You find a ring in the red chest."),
        ("Cy", "What a chest."),
    )
    (beat,) = beats(reading)
    one, other = reading.links
    assert (beat.level, beat.mass, beat.centre, beat.anchors) == (1, 4, 1.5, (0, 1, 2, 3))
    assert beat.links == beat.children == (one.id, other.id)
    shared = len({"red", "chest", "the"}) / len({"you", "find", "ring", "the", "red", "chest", "search"})
    assert beat.strength_bridge == pytest.approx(hill(2, tau=30) * (1 + 2 * shared), abs=1e-8)
    assert one.score is not None
    assert other.score is not None
    assert beat.strength_internal == pytest.approx(beat.strength_bridge + one.score + other.score, abs=1e-8)
    assert beat.context == (4,)


def test_links_about_different_things_stay_apart() -> None:
    found = beats(said(("Ann", "I open the chest."), ("DM", "Click."), ("Bo", "Who sings?"), ("DM", "Bards.")))
    assert [beat.level for beat in found] == [0, 0]
    assert [beat.children for beat in found] == [(), ()]


def test_joining_ends_at_the_third_level() -> None:
    turns = [("Ann", "I open the red chest."), ("DM", "The red chest opens.")] * 24
    found = beats(said(*turns))
    assert {beat.level for beat in found} == {3}
    assert sum(beat.mass for beat in found) == 48
    heavy = beats(said(*turns, *[("Zed", "hm")] * 12))[-1]
    assert heavy.mass == 16  # it reaches for 10.8 lines, but the last of them do not pull enough
    assert heavy.context == (48,)
    flat = causal_links([Line(place, *turn) for place, turn in enumerate(turns)], session="s")
    unlimited = Reading(**{**flat.__dict__, "parameters": DialogueParameters(beat_levels=0)})
    assert {beat.level for beat in beats(unlimited)} == {0}


def test_far_links_do_not_join() -> None:
    far = [("Zed", "hm")] * 130
    turn = [("Ann", "I open the red chest."), ("DM", "The red chest opens.")]
    assert len(beats(said(*turn, *far, *turn))) == 2


def test_excluded_lines_and_other_intents_are_no_context() -> None:
    lines = [Line(0, "Ann", "I open the chest."), Line(1, "DM", "The chest opens."), Line(2, "Bo", "chest chest")]
    assert beats(causal_links(lines, session="s"))[0].context == (2,)
    assert beats(causal_links(lines, session="s", masks=[Mask(2, 2, "noise")]))[0].context == ()
    hanging = [*lines[:2], Line(2, "Bo", "I close the chest.")]
    assert beats(causal_links(hanging, session="s"))[0].context == ()


def test_a_part_takes_in_no_more_than_it_has_room_for() -> None:
    lines = [("Ann", "I open the chest."), ("DM", "The chest opens."), *[("Zed", "the chest opens")] * 5]
    (beat,) = beats(said(*lines))
    assert beat.context == (2, 3)  # floor(2 + .25 x 2)


def test_no_claimed_link_no_beat() -> None:
    assert beats(said(("DM", "Hm."), ("Ann", "I wait."))) == ()


@given(transcripts(most=60))
def test_every_claimed_link_is_in_one_beat_and_nothing_more_would_join(lines: list[Line]) -> None:
    reading = causal_links(lines, session="s", responders=["DM"])
    found = beats(reading)
    assert found == beats(reading)
    claimed = sorted(link.id for link in reading.links if link.claimed)
    assert sorted(link for beat in found for link in beat.links) == claimed
    bare = [replace(beat, context=()) for beat in found]
    assert _round(sorted(bare, key=lambda beat: (beat.centre, beat.id)), _Words(reading.lines), SEED) == []
    context = [line for beat in found for line in beat.context]
    assert len(context) == len(set(context))
    for beat in found:
        assert beat.mass == 2 * len(beat.links)
        assert beat.level <= 3
        assert beat.strength_internal >= beat.strength_bridge
