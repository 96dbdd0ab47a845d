"""What a reader sees: why adds up, changes are named, values become plain parts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from asterism.core.connections import read
from asterism.core.connections.explain import LinkWatch, StarWatch, why_link, why_star
from asterism.core.connections.model import (
    Changes,
    Fading,
    Outlook,
    Prediction,
    StarInfluence,
    StarOutlook,
    StateChange,
)
from asterism.core.connections.telling import Telling
from asterism.core.ledger.calendar import MICROS_PER_DAY, to_datetime
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Line, Why, plain
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from tests.support import items as made
from tests.support.story import Story, diary, followed, wave


def rewatched(projection: Projection, items: list[Item], day: int, a: str, b: str | None) -> Why | None:
    again = Projection(projection.parameters)
    watch = StarWatch(again.connections, a) if b is None else LinkWatch(again.connections, a, b)
    for item in sorted(items, key=lambda item: item.position):
        again.apply(item, watch=watch)
    again.close_days(day, watch=watch)
    return why_star(watch, day=day) if isinstance(watch, StarWatch) else why_link(watch, day=day)


def collected(story: Story) -> list[Item]:
    """Record what a story says from here on."""
    kept: list[Item] = []
    apply = story.projection.apply

    def recording(item: Item, **options: object) -> object:
        kept.append(item)
        return apply(item)

    story.projection.apply = recording  # type: ignore[method-assign]  # a tap, not a fake: it applies too
    return kept


def busy_story() -> tuple[Story, list[Item]]:
    story = Story(excavation_days=3)
    items = collected(story)
    for name in ("a", "b", "c"):
        story.say("star_added", 0, 0, star=name, name=name.upper(), domain="health")
    for kind, hour in (("user_creates", 8), ("co_mention_session", 9), ("tars_confirmed", 10), ("user_confirms", 11)):
        story.evidence(kind, 0, hour)
    for day in range(1, 40):
        story.observe("a", wave(day), day)
        if day % 2:
            story.observe("b", wave(day), day)
        if day % 3 == 0:
            story.evidence("user_confirms", day, 14)
            story.say("engaged", day, 15, star="b", impact=0.02)
        if day == 20:
            story.say("denied", day, 20, a="a", b="b")
    story.evidence("co_mention_response", 39, 20, a="b", b="c")
    return story, items


def test_the_lines_of_a_link_add_up_to_its_strength() -> None:
    story, items = busy_story()
    told = None
    for day in (39, 55, 120):
        story.projection.close_days(day)
        told = rewatched(story.projection, items, day, "a", "b")
        assert told is not None
        assert told.total == story.link().strength
        assert sum(line.value for line in told.lines) == pytest.approx(told.total, abs=1e-9)
    assert "denied" in str(told)
    assert "daily cap" in str(told)


def test_the_lines_of_a_star_add_up_to_its_brightness() -> None:
    story, items = busy_story()
    for name in ("a", "b", "c"):
        told = rewatched(story.projection, items, 60, name, None)
        assert told is not None
        story_then = story.projection.copy()
        story_then.close_days(60)
        seen = read.star(story_then.connections, name)
        assert seen is not None
        assert told.total == seen.brightness
        assert sum(line.value for line in told.lines) == pytest.approx(told.total, abs=1e-9)


def test_a_story_watched_from_a_checkpoint_says_so_and_adds_up() -> None:
    story, _ = busy_story()
    for subject in (("a", "b"), ("a", None)):
        later = Projection.load(story.projection.dump(), story.projection.parameters)
        a, b = subject
        watch = LinkWatch(later.connections, a, b) if b else StarWatch(later.connections, a)
        later.close_days(50, watch=watch)
        told = why_link(watch, day=50) if isinstance(watch, LinkWatch) else why_star(watch, day=50)
        assert told is not None
        assert "checkpoint" in told.lines[0].text
        assert sum(line.value for line in told.lines) == pytest.approx(told.total, abs=1e-9)


def test_a_latent_pair_says_that_it_is_no_link_yet() -> None:
    story, items = busy_story()
    told = rewatched(story.projection, items, 39, "b", "c")
    assert told is not None
    assert "not a link yet" in told.notes[0]


def test_what_never_was_has_no_why() -> None:
    story, items = busy_story()
    assert rewatched(story.projection, items, 39, "a", "c") is None
    assert rewatched(story.projection, items, 39, "a", "nobody") is None
    assert rewatched(story.projection, items, 39, "nobody", None) is None


def test_why_tells_of_lone_links_that_dissolved_of_ceilings_and_of_other_nodes() -> None:
    story = Story(max_strength=0.2)
    items = collected(story)
    story.say("star_added", 0, 0, star="a", name="A", domain="soul")
    story.evidence("user_creates", 0)
    story.evidence("user_creates", 1)
    told = rewatched(story.projection, items, 1, "a", "b")
    assert told is not None
    assert "ceiling" in str(told)
    story.evidence("user_creates", 2, a="a", b="z")
    told = rewatched(story.projection, items, 30, "a", "z")
    assert told is not None
    assert "dissolved" in str(told)
    assert told.total == 0.0


def test_why_tells_of_predictions_detection_boosts_and_blocks() -> None:
    story = followed(-1, influence_min_state="NASCENT")
    story.end(28)
    items_from_here = collected(story)
    del items_from_here
    folded = story.projection.connections
    watch = LinkWatch(folded, "a", "b")
    story.observe("a", 0.7, 29, 12)
    story.observe("b", 0.3, 30, 8)
    story.projection.close_days(31, watch=watch)
    told = why_link(watch, day=31)
    assert told is not None
    assert "prediction verified" in str(told)
    assert "mean 20.0 h (a to b)" in str(told)
    story.set_star("b", boost=0.1, cap=0.7)
    star = why_star(StarWatch(folded, "b"), day=31)
    assert star is not None
    assert "bright enabler" in str(star)
    assert "blocked" in str(star)


def test_why_says_when_lags_are_too_uneven_and_when_a_link_sleeps_before_it_halves() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0, 1)
    story.evidence("user_creates", 0, 2)
    for turn in range(5):
        value = 0.7 if turn % 2 else 0.3
        story.observe("a", value, turn * 6, 0)
        story.observe("b", value, turn * 6 + (1 if turn % 2 else 2), 0)
    story.projection.close_days(27)
    story.set_link(strength=0.08, state=2, last_day=26, fed_day=26)
    watch = LinkWatch(story.projection.connections, "a", "b")
    told = why_link(watch, day=27)
    assert told is not None
    assert "spread is as large as their mean" in str(told)
    assert "idle, it would be asleep in 6 days at the latest" in str(told)
    story.set_link(state=1)
    told = why_link(watch, day=27)
    assert "asleep, it does not fade; evidence wakes it" in str(told)


def test_many_acts_of_a_day_are_cut_short() -> None:
    story = Story("a")
    for hour in range(6):
        story.say("engaged", 1, hour, star="a", impact=0.001)
    told = why_star(StarWatch(story.projection.connections, "a"), day=1)
    assert told is not None
    assert "and 3 more" in str(told)


def test_runs_of_days_become_one_line_and_gaps_break_them() -> None:
    telling = Telling()
    for day in (0, 1, 4):
        telling.repeat("decay", day, -0.1)
    telling.rest()
    assert telling.lines == [
        Line("1970-01-01 .. 1970-01-02, 2 days: decay", -0.2),
        Line("1970-01-05: decay", -0.1),
    ]


def test_links_can_be_read_by_either_end_and_dissolved_ones_are_archived() -> None:
    story = Story("a", "b", "c")
    story.evidence("user_creates", 0)
    story.evidence("user_confirms", 0, a="b", b="c")
    folded = story.projection.connections
    assert [(link.a, link.b) for link in read.links(folded, "b")] == [("b", "a"), ("b", "c")]
    assert [link.id for link in read.links(folded, None, "c")] == ["b~c"]
    assert [link.id for link in read.links(folded, "a", "b")] == ["a~b"]
    assert [link.id for link in read.links(folded)] == ["a~b", "b~c"]
    assert read.links(folded, "nobody") == []
    story.say("denied", 0, 20, a="a", b="b")
    assert read.links(folded, "a", "b") == []
    assert story.link().state == "DISSOLVED"
    assert read.counts(folded) == ({"DISSOLVED": 1, "NASCENT": 1}, {"resonance": 1}, {"NASCENT": 3}, 0)


def test_reading_what_is_not_there_gives_none() -> None:
    story = Story("a")
    folded = story.projection.connections
    assert read.star(folded, "nobody") is None
    assert read.link(folded, "a", "nobody") is None
    assert read.stars(folded) == [story.star("a")]


def test_changes_between_two_looks_are_named() -> None:
    story = diary(-1.0, days=6)
    before = read.Look(story.projection.connections)
    for day in range(6, 9):
        story.observe("a", wave(day), day)
        story.observe("b", 1 - wave(day), day)
    story.say("dark_marked", 9, star="a")
    story.evidence("user_creates", 9, a="b", b="c")
    story.end(9)
    changed = before.changes(story.projection.connections)
    assert changed.types == (StateChange("a~b", "resonance", "tension"),)
    assert StateChange("b~c", "DISSOLVED", "NASCENT") in changed.states
    assert [change.id for change in changed.stars] == ["a"]


def test_changes_are_told_by_id_whatever_row_a_thing_is_in() -> None:
    story = Story("d", "c", "b", "a")
    story.evidence("user_creates", 0, a="c", b="d")
    story.evidence("user_confirms", 0, a="a", b="b")
    story.say("type_assigned", 0, 13, a="a", b="b", kind="tension", direction="none")
    story.say("dark_marked", 0, star="d")
    before = read.Look(story.projection.connections)
    moved = Projection.load(story.projection.dump(), story.projection.parameters)
    assert moved.nodes.ids != story.projection.nodes.ids
    assert before.changes(moved.connections) == read.Changed((), (), (), ())
    moved.close_days(7)
    assert [(each.id, each.after) for each in before.changes(moved.connections).states] == []
    moved.close_days(8)
    dissolved = [(each.id, each.after) for each in before.changes(moved.connections).states]
    assert dissolved == [("a~b", "DISSOLVED"), ("c~d", "DISSOLVED")]


def test_what_is_no_more_is_no_change() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    before = read.Look(story.projection.connections)
    assert before.changes(Story("b", "c").projection.connections) == read.Changed((), (), (), ())


def test_changes_and_outlooks_are_short_texts() -> None:
    at, later = datetime(2026, 1, 2, 12, tzinfo=UTC), datetime(2026, 1, 9, 12, tzinfo=UTC)
    told = Prediction("a~b", "b", at, later, -1, 0.5, 0.4, 0.3, True, "missed", later)
    silent = replace(told, told=False)
    moved = tuple(StateChange(f"s{number:02d}", "DIM", "DARK") for number in range(25))
    changes = Changes(later, (), (), (), (), (), (StarInfluence("b", -0.0124),), (told, silent))
    assert str(changes).splitlines() == [
        "The clock stands at 2026-01-09 12:00:",
        "  b: -0.012 by its links",
        "  a~b: b falls about 2026-01-09 12:00, probability 0.40, missed",
    ]
    assert str(replace(changes, stars=moved)).splitlines()[-2:] == ["  s19: DIM -> DARK", "  and 7 more"]
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    fading = Fading(story.link(), 0.1, "DORMANT", date(2026, 1, 5), None, None, ())
    stars = (StarOutlook(story.star("a"), 0.1, "NASCENT"), StarOutlook(story.star("b"), 0.2, "DORMANT"))
    assert str(Outlook(at, later, (fading,), stars)).splitlines() == [
        "From 2026-01-02 12:00 to 2026-01-09 12:00, if nothing happens:",
        "  a~b: 0.15 NASCENT -> 0.10 DORMANT, asleep on 2026-01-05",
        "  b: NASCENT -> DORMANT",
    ]
    assert "nothing that could fade" in str(Outlook(at, later, (), ()))


def test_values_become_plain_parts() -> None:
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    told = story.link().to_dict()
    assert told["evidence"] == {"raw": 1, "effective": 1.0}
    assert told["last_engaged"] == "1970-01-01T12:00:00+00:00"
    assert plain({"day": date(2026, 1, 2), "at": datetime(2026, 1, 2, tzinfo=UTC), "all": (1, None)}) == {
        "day": "2026-01-02",
        "at": "2026-01-02T00:00:00+00:00",
        "all": [1, None],
    }
    assert to_datetime(MICROS_PER_DAY).isoformat() == "1970-01-02T00:00:00+00:00"


def test_a_star_without_a_domain_fades_by_half_in_its_own_days_and_why_says_so() -> None:
    told = [
        made.item("star_added", 0, star="sleep", name="Sleep"),
        made.item("brightness_observed", 1, star="sleep", value=1.0),
    ]
    projection = Projection(SpaceParameters.build("seed", {"decay_shape": "exponential"}))
    projection.apply_all(told)
    projection.close_days(11)
    star = read.star(projection.connections, "sleep")
    assert star is not None
    assert star.domain is None
    assert star.brightness == pytest.approx(0.5 ** (10 / 21))
    why = rewatched(projection, told, 11, "sleep", None)
    assert why is not None
    assert "no domain: half-life 21 d" in str(why.lines)
