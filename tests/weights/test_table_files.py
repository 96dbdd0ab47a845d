"""Tables as text: what was written is read back, and what is no table is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.dialogue.tables import Hidden, Table
from asterism.errors import InputError
from asterism.weights.table_files import table_of, text_of

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
weights = st.dictionaries(names, st.floats(allow_nan=False, allow_infinity=False), max_size=6)


@given(first=weights, second=weights, window=st.integers(1, 99), name=names)
def test_every_weight_is_read_back_to_its_bits_and_in_its_order(
    first: dict[str, float], second: dict[str, float], window: int, name: str
) -> None:
    again = table_of(text_of(Table(name, "by hand", window, first, second), {"licence": "CC0"}))
    assert again == Table(name, "by hand", window, first, second)
    assert [(key, value.hex()) for key, value in again.first.items()] == [(k, v.hex()) for k, v in first.items()]


def layered() -> Table:
    rng = np.random.default_rng(5)
    layer = Hidden(*(rng.standard_normal(shape).astype(np.float32) for shape in ((30, 3), 3, 3)))
    return Table("own", "by hand", 2, {"distance.1": 1.0}, {}, layer, tuple(f"form.{at}" for at in range(30)))


def test_a_hidden_layer_is_read_back_to_a_127th_and_then_to_its_bits() -> None:
    table = layered()
    text = text_of(table, {})
    again = table_of(text)
    assert table.hidden is not None
    assert again.hidden is not None
    assert again.hidden_names == table.hidden_names
    step = float(np.abs(table.hidden.inwards).max()) / 250
    assert again.hidden.inwards == pytest.approx(table.hidden.inwards, abs=step)
    assert again.hidden.bias == pytest.approx(table.hidden.bias, rel=1e-3)
    assert again.hidden.outwards == pytest.approx(table.hidden.outwards, rel=1e-3)
    assert text_of(again, {}) == text


GOOD = json.loads(text_of(layered(), {}))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": 3}, "has no name"),
        ({"provenance": None}, "lacks one of its parts"),
        ({"provenance": {}}, "has no fitted_on"),
        ({"window": 0}, "has no window"),
        ({"window": True}, "has no window"),
        ({"first": []}, "lacks one of its parts"),
        ({"first": {"distance.1": "1"}}, "where a number belongs"),
        ({"first": {"distance.1": True}}, "where a number belongs"),
        ({"second": {"distance.1": float("nan")}}, "where a number belongs"),
        ({"hidden": {**GOOD["hidden"], "scale": None}}, "lacks one of its parts"),
        ({"hidden": {**GOOD["hidden"], "bias": [1.0]}}, "hidden units without"),
        ({"hidden": {**GOOD["hidden"], "scale": [1.0]}}, "rows of 1 bytes"),
        ({"hidden": {**GOOD["hidden"], "inwards": {"form.1": "\u00e9"}}}, "rows of 3 bytes"),
    ],
)
def test_what_is_no_table_is_refused_with_what_is_wrong(change: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        table_of(json.dumps(GOOD | change))
    assert refused.value.code == "bad_table"


@pytest.mark.parametrize("text", ["", "{", "[]", "3"])
def test_text_that_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no reply table"):
        table_of(text)
