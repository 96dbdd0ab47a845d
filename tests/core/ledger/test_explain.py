"""What an item changed, as lines."""

from __future__ import annotations

from asterism.core.ledger.explain import SHOWN, changed


def test_the_smallest_changes_are_one_line() -> None:
    lines = changed({}, {f"a~{number:02}": 1.0 for number in range(SHOWN + 3)})
    assert len(lines) == SHOWN + 1
    assert (lines[-1].text, lines[-1].value) == ("and 3 more links", 3.0)
