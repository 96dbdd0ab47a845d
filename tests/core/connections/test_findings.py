"""Findings: once a week and once for what they saw, in any order; what they make of a link, and what renews it."""

from __future__ import annotations

from itertools import permutations

import pytest

from asterism.core.connections import read
from asterism.core.connections.capability import CONNECTIONS
from asterism.core.connections.explain import LinkWatch, why_link
from asterism.core.connections.found_why import FoundIn, found_in
from asterism.core.connections.inputs import lost, says
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.payloads import check_payload
from asterism.core.connections.words import LinkKind
from asterism.core.ledger.items import Item, Value
from asterism.core.ledger.parameters import Setting
from asterism.core.space.depends import Depends
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, digest
from tests.support.strategies import (
    FIRST_DAY,
    Told,
    about,
    denied,
    engaged,
    evidence,
    found,
    ledger_of,
    mark,
    observed,
    star_added,
)

STARS = [star_added("a"), star_added("b")]
FRESH, STALE = 0.05, 0.035
NO_EXCAVATION: dict[str, Setting] = {"excavation_days": 0}


def folded(*told: Told, days: int = 0, **overrides: Setting) -> Projection:
    parameters = ConnectionParameters.build("seed", NO_EXCAVATION | overrides)
    projection = Projection(SpaceParameters(parameters))
    projection.apply_all(ledger_of([*STARS, *told]))
    projection.close_days(FIRST_DAY + days)
    return projection


def link(projection: Projection) -> dict[str, object]:
    links = projection.connections.graph.links
    assert links.size == 1
    return {name: getattr(links, name).item(0) for name in links.schema}


def diary(days: range) -> list[Told]:
    return [observed(star, 0.5, day) for day in days for star in ("a", "b")]


# What counts


def test_a_finding_makes_the_link_and_engages_nobody() -> None:
    now = folded(found("a", "b", 3))
    assert link(now)["strength"] == pytest.approx(FRESH, abs=1e-12)
    assert link(now)["raw"] == 1
    stars = now.connections.graph.stars
    assert not stars.engaged_days[: stars.size].any()


def test_findings_of_one_pair_count_once_in_seven_days() -> None:
    assert link(folded(found("a", "b", 3), found("a", "b", 9)))["raw"] == 1
    again = link(folded(found("a", "b", 3), found("a", "b", 10)))
    assert again["raw"] == 2
    assert link(folded(found("a", "b", 3), found("a", "b", 10), days=11))["found_day"] == FIRST_DAY + 10


def test_a_finding_that_saw_no_newer_value_does_not_count_however_late_it_comes() -> None:
    assert link(folded(found("a", "b", 3), found("a", "b", 23, ago=20)))["raw"] == 1


def test_two_copies_that_found_the_same_count_one_in_any_order_of_arrival() -> None:
    told = [
        found("a", "b", 3, 9),
        found("a", "b", 3, 10, ago=1),
        found("a", "b", 3, 8, r=-0.6),
        evidence("a", "b", "user_confirms", 3, 9.5),
    ]
    digests = set()
    for order in permutations([each.item() for each in told]):
        projection = folded()
        for item in order:
            projection.apply(item)
        digests.add(digest(projection.dump()))
        reloaded = Projection.load(projection.dump(), projection.parameters)
        assert digest(reloaded.dump()) == digest(projection.dump())
        projection.close_days(FIRST_DAY + 5)
        reloaded.close_days(FIRST_DAY + 5)
        assert digest(reloaded.dump()) == digest(projection.dump())
    assert len(digests) == 1
    now = link(folded(*told))
    assert (now["raw"], now["effective"]) == (2, 2.0)


def test_many_items_of_a_day_fold_as_one_by_one() -> None:
    told = [evidence("a", f"n{number}", "user_confirms", 2, 8) for number in range(20)]
    told += [found("a", "n3", 2), found("a", "n4", 2, lag=1), found("b", "n4", 2)]
    at_once, one_by_one = folded(*told), folded()
    for item in ledger_of(told):
        one_by_one.apply(item)
    assert digest(at_once.dump()) == digest(one_by_one.dump())


def test_a_copy_of_the_open_day_goes_on_by_itself() -> None:
    now = folded(found("a", "b", 3))
    copied = now.copy()
    copied.apply(found("a", "b", 3, 13, r=-0.9).item())
    assert link(now)["same_sign"]
    assert not link(copied)["same_sign"]


# What a link is


@pytest.mark.parametrize(
    ("r", "lag", "kind", "direction"),
    [
        (0.8, 0, LinkKind.RESONANCE, 0),
        (-0.8, 0, LinkKind.TENSION, 0),
        (0.8, 1, LinkKind.CAUSATION, 1),
        (-0.5, 2, LinkKind.CAUSATION, 1),
    ],
)
def test_a_finding_gives_kind_direction_and_delay(r: float, lag: int, kind: LinkKind, direction: int) -> None:
    now = link(folded(found("a", "b", 3, r=r, lag=lag)))
    assert (now["kind"], now["direction"], now["same_sign"]) == (kind, direction, r > 0)
    if lag:
        assert (now["lag_hours"], now["lag_direction"], now["causation"]) == (24.0 * lag, direction, abs(r))


def test_what_saw_the_newest_values_speaks_also_where_it_does_not_count() -> None:
    now = link(folded(found("a", "b", 3, r=0.8), found("a", "b", 5, r=-0.8), found("a", "b", 6, r=0.7, ago=4)))
    assert (now["kind"], now["raw"]) == (LinkKind.TENSION, 1)


def test_a_user_s_kind_and_a_dark_end_go_before_what_was_found() -> None:
    assigned = Told("type_assigned", 3, 9.0, {"a": "a", "b": "b", "kind": "growth_edge", "direction": "b_to_a"})
    now = link(folded(found("a", "b", 3, lag=1), assigned, days=20))
    assert (now["kind"], now["direction"], now["lag_hours"]) == (LinkKind.GROWTH_EDGE, 2, 24.0)

    dark = Told("dark_marked", 2, 9.0, {"star": "a"})
    week = [*diary(range(2, 30)), found("a", "b", 3, lag=1)]
    assert link(folded(*week, dark, days=4))["kind"] == LinkKind.SHADOW_MIRROR
    bright = Told("dark_disputed", 6, 9.0, {"star": "a"})
    now = link(folded(*week, dark, bright, days=20))
    assert (now["kind"], now["direction"]) == (LinkKind.CAUSATION, 1)


def test_a_found_link_gets_its_kind_back_while_it_sleeps() -> None:
    told = [found("a", "b", 3, r=-0.8), evidence("a", "b", "user_confirms", 3), found("a", "b", 40)]
    told += [Told("dark_marked", 4, 9.0, {"star": "a"}), Told("dark_disputed", 30, 9.0, {"star": "a"})]
    assert link(folded(*told[:2], *told[3:], days=29))["kind"] == LinkKind.SHADOW_MIRROR
    assert link(folded(*told[:2], *told[3:], days=120))["kind"] == LinkKind.TENSION


def test_a_found_pair_takes_no_evidence_or_kind_from_comparing_brightness() -> None:
    moving = [observed(star, 0.3 + 0.4 * (day % 3 == 0), day) for day in range(30) for star in ("a", "b")]
    only = [evidence("a", "b", "user_confirms", 2), *moving]
    detected = link(folded(*only, days=30))
    assert detected["raw"] != 1  # detection found what the values show
    now = link(folded(found("a", "b", 2, r=-0.8), *moving, days=30))
    assert (now["raw"], now["kind"]) == (1, LinkKind.TENSION)


def test_a_dissolved_pair_begins_anew_and_remembers_what_was_counted() -> None:
    assert link(folded(found("a", "b", 3), days=40))["state"] == 0
    again = link(folded(found("a", "b", 3), found("a", "b", 40)))
    assert (again["raw"], again["found"]) == (1, 1)
    old = link(folded(found("a", "b", 3), found("a", "b", 40, ago=37)))  # of the life that ended
    assert (old["state"], old["found_day"]) == (0, FIRST_DAY + 3)
    other = link(folded(found("a", "b", 3), evidence("a", "b", "user_creates", 40)))
    assert (other["found"], other["found_day"]) == (0, FIRST_DAY + 3)


def test_a_dissolved_pair_hears_that_it_no_longer_holds() -> None:
    assert link(folded(found("a", "b", 3), days=40))["found"] == 1
    assert link(folded(found("a", "b", 3), found("a", "b", 40, gone=True)))["found"] == 2


def test_a_link_was_denied_until_a_user_confirms_it() -> None:
    told = [found("a", "b", 3), denied("a", "b", 4)]
    assert link(folded(*told, days=20))["denied"]
    assert link(folded(*told, evidence("a", "b", "co_mention_response", 5)))["denied"]
    assert not link(folded(*told, evidence("a", "b", "user_confirms", 5)))["denied"]
    assert link(folded(*told, evidence("a", "b", "user_confirms", 4)))["denied"]  # a day's denials come last


def test_many_links_are_confirmed_at_once_as_one_by_one() -> None:
    links = [f"n{number}" for number in range(20)]
    made = [evidence("a", name, "user_creates", 2) for name in links]
    no = [Told("denied", 3, 9.0, {"a": "a", "b": name}) for name in links]
    kinds = ("user_confirms", "co_mention_response")
    told = [*made, *no, *(evidence("a", name, kinds[place % 2], 5) for place, name in enumerate(links))]
    at_once, one_by_one = folded(*told), folded()
    for item in ledger_of(told):
        one_by_one.apply(item)
    assert digest(at_once.dump()) == digest(one_by_one.dump())
    links_now = at_once.connections.graph.links
    assert links_now.denied[: links_now.size].sum() == 10


# What renews it


def test_values_of_both_ends_renew_a_found_link_and_its_own_evidence_does_not() -> None:
    fed = link(folded(found("a", "b", 3), *diary(range(40)), days=40))
    assert fed["strength"] == pytest.approx(FRESH, abs=1e-12)
    assert (fed["state"], fed["last_day"], fed["fed_day"]) == (2, FIRST_DAY + 3, FIRST_DAY + 39)
    one_end = [each for each in diary(range(40)) if each.payload["star"] == "a"]
    assert link(folded(found("a", "b", 3), *one_end, days=40))["state"] == 0
    assert link(folded(found("a", "b", 3), days=40))["state"] == 0


def test_renewed_days_take_nothing_and_others_do() -> None:
    strong = [evidence("a", "b", "user_creates", day) for day in range(3)]
    told = [*strong, found("a", "b", 3), engaged("a", 3)]
    renewed = link(folded(*told, *diary(range(20)), days=20))["strength"]
    assert renewed == link(folded(*told, days=4))["strength"]
    assert link(folded(*told, days=20))["strength"] != renewed


def test_what_no_longer_holds_is_not_renewed_and_fades_as_any_other() -> None:
    told = [found("a", "b", 3), found("a", "b", 10, gone=True), *diary(range(60))]
    now = link(folded(*told, days=60))
    assert (now["found"], now["state"], now["raw"]) == (2, 0, 1)
    back = link(folded(*told, found("a", "b", 15), days=16))
    assert (back["found"], back["raw"]) == (1, 2)


def test_values_do_not_renew_a_link_that_was_denied_until_it_is_confirmed() -> None:
    strong = [evidence("a", "b", "user_creates", day) for day in range(8)]
    told = [*strong, found("a", "b", 8), *diary(range(90))]
    denied = [*told, Told("denied", 9, 9.0, {"a": "a", "b": "b"})]
    assert link(folded(*told, days=90))["fed_day"] == FIRST_DAY + 89
    left = link(folded(*denied, days=90))
    assert (left["denied"], left["found"], left["fed_day"]) == (1, 1, FIRST_DAY + 8)
    assert left["state"] == 1  # it went to sleep, as a link does that nobody feeds
    again = link(folded(*denied, evidence("a", "b", "user_confirms", 12), days=90))
    assert (again["denied"], again["fed_day"]) == (0, FIRST_DAY + 89)


def test_that_something_no_longer_holds_makes_no_link() -> None:
    now = folded(found("a", "b", 3, gone=True), mark("clock", 5))
    assert (link(now)["raw"], link(now)["found"]) == (0, 0)


def test_values_keep_a_link_awake_and_do_not_wake_it() -> None:
    told = [found("a", "b", 3), evidence("a", "b", "user_confirms", 3)]
    asleep = link(folded(*told, *diary(range(40, 60)), days=60))
    assert asleep["state"] == 1
    awake = link(folded(*told, *diary(range(40, 60)), found("a", "b", 45), days=60))
    assert awake["state"] > 1  # type: ignore[operator]


# What nobody told a value of


@pytest.mark.parametrize("causality", ["seed", "granger"])
def test_two_stars_nobody_observed_are_never_linked(causality: str) -> None:
    told = [
        engaged(star, day, impact=0.01 * ((day * 7 + shift) % 5))
        for day in range(30)
        for shift, star in enumerate("ab")
    ]
    now = folded(*told, mark("discovery", 30), days=32, causality=causality)
    assert not now.connections.graph.links.size


# Items


def said(**other: Value) -> dict[str, Value]:
    payload: dict[str, Value] = dict(found("a", "b", 3, lag=1).payload)
    return payload | other


def test_what_a_finding_says_is_checked() -> None:
    check_payload("evidence", said())
    check_payload("evidence", dict(found("a", "b", 3, gone=True).payload))


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"finding": "perhaps"}, "finding is none of holds, gone"),
        ({"kind": "user_confirms"}, "kind is none of"),
        ({"r": 1.5}, "r is no number from -1 to 1"),
        ({"p": 2}, "p is no number from 0 to 1"),
        ({"days": -1}, "days is no number of days"),
        ({"days": True}, "days is no number of days"),
        ({"until": "2024-1-1"}, "2024-1-1"),
        ({"until": 7}, "until is no date"),
        ({"since": "2030-01-01"}, "ends before it begins"),
        ({"seen": "7"}, "seen is no id of an item"),
        ({"direction": "none"}, "does not go with direction none"),
        ({"lag_days": 0}, "does not go with direction a_to_b"),
        ({"skill": "much"}, "skill is no number"),
        ({"more": 1}, "it says"),
    ],
)
def test_what_no_finding_says_is_refused(other: dict[str, Value], why: str) -> None:
    with pytest.raises(Exception, match=why):
        check_payload("evidence", said(**other))


def without_values(*gone: Told) -> list[str]:
    """Give which findings are left when some values go."""
    told = [*STARS, *diary(range(5)), found("a", "b", 4), found("a", "b", 4, 13, gone=True)]
    items: list[Item] = ledger_of(told)
    chosen = [each.item().id for each in gone]
    left = Depends(items).without(chosen, SpaceParameters(ConnectionParameters.build()))
    return [str(item.payload["finding"]) for item in left.items if item.what == "evidence"]


def test_a_finding_goes_with_any_value_it_saw_and_with_no_other() -> None:
    assert without_values() == ["holds", "gone"]
    assert without_values(observed("a", 0.5, 2)) == []
    assert without_values(found("a", "b", 4)) == []  # that it no longer holds needs that it did
    parameters = ConnectionParameters.build()
    items = ledger_of([observed("a", 0.5, 2), observed("b", 0.5, 30)])
    needs = says(found("a", "b", 4).item()).needs
    assert lost(needs, items, items[:1], parameters) == set()
    assert len(lost(needs, items, items[1:], parameters)) == 1
    assert CONNECTIONS.lost is lost


# Why


def why_of(*told: Told) -> FoundIn | None:
    return found_in(("a", "b"), ledger_of([*STARS, *told]), {})


def test_why_shows_the_figures_and_the_days_that_were_seen() -> None:
    other = found("a", "c", 4)
    shown = why_of(*diary(range(-70, 9)), found("b", "a", 4, lag=2), other)
    assert shown is not None
    assert (shown.first, shown.second, shown.drives, shown.skill) == ("b", "a", True, 0.2)
    assert len(shown.pairs) == 59  # of 61 days looked at
    head, days = shown.notes()
    assert "b drives a 2 days later: r .80 (.70 to .90), 60 days, unseen days forecast 20% better, p 0.001" in head
    assert days.startswith("59 days of b and of a 2 days later: ")
    assert "...; " in days
    assert why_of(other) is None
    assert why_of(*diary(range(3)), found("a", "b", 2, gone=True)) is None


def test_why_says_since_when_it_no_longer_holds_and_how_often_it_was_found() -> None:
    shown = why_of(*diary(range(3)), found("a", "b", 2), found("a", "b", 12), found("a", "b", 20, r=0.1, gone=True))
    assert shown is not None
    head, gone, days = shown.notes()
    assert "the latest of 2 findings" in head
    assert gone == f"no longer holds since {shown.gone_on}: r .10 then; it fades as any other"
    assert days.count(";") == 2
    nothing_left = why_of(found("a", "b", 2))
    assert nothing_left is not None
    assert len(nothing_left.notes()) == 1


def test_who_leads_is_told_of_a_delay_without_direction() -> None:
    told = found("a", "b", 4)
    shown = why_of(Told(told.what, told.day, told.hour, {**told.payload, "lag_days": 1, "leads": "b"}))
    assert shown is not None
    assert shown.notes()[0].endswith("b goes with a a day later: r .80 (.70 to .90), 60 days, p 0.001")


def test_why_shows_only_days_that_were_told_when_it_was_found() -> None:
    late = observed("a", 0.9, 1, 13.0).item()._replace(known_at=1)  # a day that was corrected
    later = observed("b", 0.9, 2).item()._replace(known_at=1)  # and one that came after all
    told = [*diary(range(2)), observed("a", 0.5, 2), found("a", "b", 2, 14.0)]
    shown = found_in(("a", "b"), sorted([*ledger_of(told), late, later], key=lambda item: item.position), {})
    assert shown is not None
    assert [(pair.first, pair.second) for pair in shown.pairs] == [(0.5, 0.5), (0.5, 0.5)]


def test_why_shows_names_and_values_as_they_were_told() -> None:
    def told(star: str, value: float, day: int, **scale: float) -> Told:
        return Told("brightness_observed", day, 12.0, {"star": star, "value": value, **scale})

    steps = {"low": 0.0, "high": 20_000.0}
    items = [told("a", 0.525, 1, low=1.0, high=7.0), told("a", 1.0, 2), told("b", 0.525, 1, **steps)]
    ledger = ledger_of([*items, told("b", 1.0, 2, **steps), found("a", "b", 3)])
    shown = found_in(("a", "b"), ledger, {"a": "Mood of the day", "b": "Steps"})
    assert shown is not None
    head, days = shown.notes()
    assert "Mood of the day goes with Steps on the same day" in head
    assert days.startswith("2 days of Mood of the day and of Steps: ")
    assert [part.split(" ", 1)[1] for part in days.split(": ")[1].split("; ")] == ["4, 10000", "7, 20000"]


def story_of(*told: Told, days: int) -> str:
    return str(why_link(LinkWatch(folded(*told, days=days).connections, "a", "b"), day=FIRST_DAY + days))


def test_why_says_that_days_renew_it_only_while_they_can() -> None:
    assert "renew it" in story_of(found("a", "b", 3), days=4)
    assert "renew it" not in story_of(found("a", "b", 3), denied("a", "b", 4), days=5)
    assert "renew it" not in story_of(found("a", "b", 3), days=400)


def test_why_of_a_found_link_takes_its_kind_from_the_finding_or_a_dark_end() -> None:
    told = story_of(*diary(range(4)), found("a", "b", 3), days=4)
    assert "type resonance: found in told values; Granger p n/a a to b, n/a b to a, not used" in told
    assert "causation confidence" not in told
    dark = story_of(*diary(range(4)), found("a", "b", 3), about("a", "dark_marked", 3), days=6)
    assert "type shadow_mirror: an end is DARK; " in dark


def test_a_link_says_whether_it_still_holds() -> None:
    def holds(*told: Told) -> bool | None:
        return read.links(folded(*told).connections, "a", "b")[0].holds

    assert holds(evidence("a", "b", "user_confirms", 3)) is None
    assert holds(found("a", "b", 3)) is True
    assert holds(found("a", "b", 3), found("a", "b", 4, gone=True)) is False
    story = why_link(LinkWatch(folded(found("a", "b", 3)).connections, "a", "b"), day=FIRST_DAY + 3)
    assert "found in told values" in str(story)
    assert "renew it" in str(story)
