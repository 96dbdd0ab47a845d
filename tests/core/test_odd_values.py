"""Values that nothing can be made of are refused by the core itself: lines without an end, series of no numbers."""

from __future__ import annotations

import numpy as np
import pytest

from asterism.core.connections.words import EvidenceKind, parse
from asterism.core.dialogue.lines import MAX_LINE, Line, check_lines
from asterism.core.ledger.items import make_item
from asterism.core.space.discover import discover
from asterism.errors import InputError


def test_a_line_has_an_end() -> None:
    long = Line(1, "DM", "x" * MAX_LINE)
    assert len(check_lines([Line(0, "Ann", "Hi."), long])) == 2
    with pytest.raises(InputError, match="line 1 cannot be used: it has more than 1,000,000 characters"):
        check_lines([Line(0, "Ann", "Hi."), long._replace(content=long.content + "x")])


@pytest.mark.parametrize("series", ["x", [[1, "a"]], [[1], [1, 2]], [[10**400]], 5])
def test_series_are_a_table_of_numbers(series: object) -> None:
    with pytest.raises(InputError, match="of numbers, not 2"):
        discover(series)  # type: ignore[arg-type]


def test_a_detector_is_called_by_its_name_and_lags_are_counted() -> None:
    table = np.zeros((2, 20))
    for detector in ("nobody", ["best"]):
        with pytest.raises(InputError, match="there is no detector"):
            discover(table, detector=detector)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="lags"):
        discover(table, lags=0)


def test_a_word_and_a_source_are_text() -> None:
    with pytest.raises(InputError, match="there is no evidence kind"):
        parse(EvidenceKind, bytearray(b"x"), what="evidence kind")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the source is not text"):
        make_item(space="me", what="engaged", at=0, payload={}, known_at=0, source=b"")  # type: ignore[arg-type]
