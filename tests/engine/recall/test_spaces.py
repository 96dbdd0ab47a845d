"""Several spaces of a file are asked together: each is ranked by itself, and writing goes to one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from asterism.errors import AsterismError, UnknownError
from tests.support.memories import HandClock, remembering
from tests.support.stores import STORES, Place, place_of

NOW = datetime(2026, 11, 18, 10, tzinfo=UTC)


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    place = place_of(request.param, tmp_path)
    for space, fact in (("work", "The deploy failed on Friday."), ("home", "The oven failed on Sunday.")):
        with remembering(place, space=space, clock=HandClock(NOW)) as memory:
            memory.learn(fact, at="2026-11-01")
    return place


def test_spaces_are_joined_by_how_probable_their_hits_are(place: Place) -> None:
    with remembering(place, space="home", clock=HandClock(NOW)) as memory:
        alone = memory.recall("Why did the deploy fail?", floor=0)
        both = memory.recall("Why did the deploy fail?", spaces=["home", "work", "home"], floor=0)
        assert [hit.space for hit in alone.hits] == [""]
        assert [hit.space for hit in both.hits] == ["work", "home"]
        assert [hit.probability for hit in both.hits] == sorted((hit.probability for hit in both.hits), reverse=True)
        assert both.searched == 2
        assert both.hits[0].context.startswith("work, 1 Nov 2026")
        assert len(memory.recall("What failed?", spaces=["home", "work"], k=1).hits) == 1
        assert memory.recall("What failed?", spaces=["home", "work"], budget_tokens=8, floor=0).hits[1:] == ()
        memory.learn("The kettle failed.")
        assert len(memory.recall("What failed?", spaces=["work"], floor=0).hits) == 1
        assert memory.as_of("2026-10-01").recall("What failed?", spaces=["home", "work"]).searched == 0
        assert len(memory.as_of("2026-11-02").recall("What failed?", spaces=["home", "work"], floor=0).hits) == 2


def test_spaces_are_listed_with_what_they_hold(place: Place) -> None:
    with remembering(place, space="home", clock=HandClock(NOW)) as memory:
        listed = memory.spaces()
        assert [(each.name, each.items, each.open) for each in listed] == [("home", 1, True), ("work", 1, False)]
        assert all(each.last_at == NOW for each in listed)
        assert listed[0].to_dict()["name"] == "home"


def test_an_empty_space_says_which_there_are(place: Place) -> None:
    with remembering(place, space="holm", clock=HandClock(NOW)) as memory:
        assert memory.recall("oven").notes == ("this space is empty; there are home, work",)


def test_a_space_that_may_not_be_read_is_unknown(place: Place) -> None:
    with remembering(place, space="home", clock=HandClock(NOW), also_read=["plans"]) as memory:
        assert [each.name for each in memory.spaces()] == ["home"]
        for name in ("work", "plans", "nowhere"):
            with pytest.raises(UnknownError) as unknown:
                memory.recall("deploy", spaces=["home", name])
            assert unknown.value.code == "unknown_space"
        for spaces in ("work", [], [""], 3):
            with pytest.raises(AsterismError):
                memory.recall("deploy", spaces=spaces)


def test_spaces_opened_beside_follow_what_is_told_there(place: Place) -> None:
    with (
        remembering(place, space="home", clock=HandClock(NOW)) as home,
        remembering(place, space="work", clock=HandClock(NOW)) as work,
    ):
        assert home.recall("release on Monday", spaces=["work"]).unsure
        work.learn("The release is on Monday.")
        assert home.recall("release on Monday", spaces=["work"]).hits[0].text == "The release is on Monday."
