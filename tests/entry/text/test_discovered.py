"""What a look through told values says to a person."""

from __future__ import annotations

from datetime import date

from asterism.core.space.discovered import Discovered, Observed
from asterism.entry.text.discovered import SHOWN, discovered_lines
from asterism.entry.text.layout import plain


def test_of_many_stars_that_were_not_compared_some_are_named_and_the_rest_counted() -> None:
    day = date(2026, 11, 3)
    stars = tuple(Observed(f"s{number}", f"Star {number}", 2, day, day, "too few days") for number in range(SHOWN + 7))
    found = Discovered("best", stars, (), 0, 0)
    said = plain(discovered_lines(found))
    assert said.count("too few days") == SHOWN
    assert "7 more: --all shows them." in said
    assert plain(discovered_lines(found, whole=True)).count("too few days") == SHOWN + 7
