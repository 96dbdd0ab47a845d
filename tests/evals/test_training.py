"""Fitting: a rule that was put into examples is found again, by name, and used on other lines."""

from __future__ import annotations

import numpy as np
import pytest

from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.reply import NONE, ReplyModel, chosen
from asterism.core.dialogue.tables import Table
from asterism.errors import InputError
from asterism.evals.training.cases import (
    Cases,
    Example,
    cases_of,
    feature_names,
    hardest,
    loss_of,
    read_examples,
    truth_of,
)
from asterism.evals.training.fit import fit_table, joined_cases
from asterism.evals.training.hidden import Schedule, fit_hidden
from asterism.evals.training.minimise import minimise

PEOPLE = ("ann", "bob", "cy", "dee")
THINGS = ("kernel", "printer", "window", "sound", "mouse", "screen")


def conversation(shift: int) -> Example:
    """Two questions by two people, then two answers that name the asker, then a start of something new."""
    a, b, c, d = (PEOPLE[(at + shift) % 4] for at in range(4))
    first, second = THINGS[shift % 6], THINGS[(shift + 1) % 6]
    said = [
        (a, f"how do I fix my {first}?"),
        (b, f"who knows about the {second}?"),
        (c, f"{b}: the {second} needs a cable"),
        (d, f"{a}: restart the {first}"),
        (a, "thanks"),
        (c, "good morning everybody"),
    ]
    lines = [Line(at, who, text) for at, (who, text) in enumerate(said)]
    return Example(lines, {2: [1], 3: [0], 4: [3]}, group=str(shift))


EXAMPLES = [conversation(shift) for shift in range(12)]


@pytest.fixture(scope="module")
def table() -> Table:
    return fit_table(EXAMPLES, name="own", window=4, l2=1.0, words=10, steps=40)


def test_a_fitted_table_finds_the_links_of_lines_it_never_saw(table: Table) -> None:
    fresh = conversation(13)
    renamed = [line._replace(author_name=line.author_name + "x") for line in fresh.lines]
    lines = [
        line._replace(content=line.content.replace("bob:", "bobx:").replace("cy:", "cyx:").replace("ann:", "annx:"))
        for line in renamed
    ]
    assert ReplyModel(table).choose(lines).heads() == {0: NONE, 1: NONE, 2: 1, 3: 0, 4: 3, 5: NONE}


def test_weights_have_names_of_families(table: Table) -> None:
    assert table.first["address.y_names_x"] > 0.1
    assert set(table.first) < set(table.second)
    assert any(name.startswith("history.") for name in table.second)
    assert any(name.startswith("says.none=") for name in table.first)
    assert not any(name.startswith("says.") and name.endswith(">act") for name in table.first)


def test_fitting_twice_gives_the_same_weights(table: Table) -> None:
    again = fit_table(EXAMPLES, name="own", window=4, l2=1.0, words=10, steps=40)
    assert again.first == table.first
    assert again.second == table.second


def test_actions_get_words_of_their_own_and_one_look_can_be_enough() -> None:
    lines = [Line(0, "ann", "put one there"), Line(1, "bob", "place red 1", None, "action"), Line(2, "ann", "now")]
    fitted = fit_table([Example(lines, {1: [0]})], name="own", window=2, words=3, second_look=False, steps=5)
    assert "says.put>act" in fitted.first
    assert not fitted.second


def test_learning_from_the_hardest_candidates_finds_the_same_links() -> None:
    fitted = fit_table(EXAMPLES, name="own", window=5, l2=1.0, most=2, steps=40)
    assert ReplyModel(fitted).choose(EXAMPLES[0].lines).heads() == {0: NONE, 1: NONE, 2: 1, 3: 0, 4: 3, 5: NONE}


def test_only_scored_lines_are_learnt_from() -> None:
    example = EXAMPLES[0]
    scored = Example(example.lines, example.heads, scored=[3, 4])
    reads, _ = read_examples([scored], window=2, words=0)
    assert reads[0].rows.tolist() == [1, 2, 3, 4, 5]
    assert reads[0].learnt.tolist() == [0, 0, 1, 1, 0]


def test_the_truth_is_spread_over_heads_in_the_window() -> None:
    example = Example(EXAMPLES[0].lines, {4: [3, 2], 5: [0]})
    reads, _ = read_examples([example], window=2, words=0)
    truth = truth_of(reads[0], 2)
    assert truth[4].tolist() == [0.5, 0.5, 0.0]
    assert truth[5].tolist() == [0.0, 0.0, 1.0]  # its head lies beyond the window


def test_hardest_keeps_the_true_ones_and_none() -> None:
    reads, _ = read_examples([EXAMPLES[0]], window=4, words=0)
    names = ["distance.1", "none.bias"]
    cases = cases_of(reads[0], names, window=4)
    assert hardest(cases, np.array([5.0, 0.0]), 2)[3].tolist() == [0, 2, 4]  # nearest, true (3 before), none


def test_the_slope_of_the_loss_is_its_change() -> None:
    reads, vocabulary = read_examples(EXAMPLES[:2], window=3, words=2)
    names = feature_names(
        reads[0], window=3, families=("distance", "says"), vocabulary=vocabulary, acts=True, second=True
    )
    cases = [cases_of(read, names, window=3, p=np.full((6, 4), 0.25, dtype=np.float32)) for read in reads]
    loss = loss_of([joined_cases(cases)], np.full(len(names), 0.5))
    at = np.linspace(-0.5, 0.5, len(names))
    _, slope = loss(at)
    for place in range(0, len(names), 7):
        step = np.zeros(len(names))
        step[place] = 1e-2
        assert slope[place] == pytest.approx((loss(at + step)[0] - loss(at - step)[0]) / 2e-2, abs=2e-4)


def test_a_long_valley_is_walked_to_its_end() -> None:
    scale = np.array([1.0, 100.0])
    found = minimise(lambda w: (float((scale * (w - 1) ** 2).sum()), 2 * scale * (w - 1)), np.zeros(2))
    assert found == pytest.approx([1.0, 1.0], abs=1e-2)


def test_a_search_ends_after_its_steps() -> None:
    far = minimise(lambda w: (float(((w - 9.0) ** 2).sum()), 2 * (w - 9.0)), np.zeros(2), steps=1)
    assert (far > 0).all()
    assert (far < 9.0).all()


def test_a_start_at_the_lowest_point_stays_there() -> None:
    assert minimise(lambda w: (float((w**2).sum()), 2 * w), np.zeros(2)).tolist() == [0.0, 0.0]


def test_a_hidden_layer_learns_what_weights_cannot() -> None:
    """Two features that mean the opposite together: no sum of weights tells it."""
    values = np.zeros((400, 2, 2), dtype=np.float32)
    rng = np.random.default_rng(3)
    values[:, 0] = rng.integers(0, 2, (400, 2))
    odd = values[:, 0].sum(axis=1) == 1
    truth = np.stack([odd, ~odd], axis=1).astype(np.float32)
    places = np.zeros((400, 2), dtype=np.int64)
    cases = Cases(values, np.ones((400, 2), dtype=np.bool_), truth, np.ones(400, dtype=np.float32), places)
    plan = Schedule(units=12, rounds=60, batch=32, rate=2e-2, dropped=0.0, decay=0.0, warm=5)
    hidden, weights = fit_hidden(cases, np.zeros(2), rng=rng, schedule=plan)
    p = chosen(values @ weights.astype(np.float32) + hidden.logits(np.moveaxis(values, 2, 0).copy()), cases.real)
    assert ((p[:, 0] > 0.5) == odd).mean() > 0.95


def test_a_layer_is_part_of_a_table_and_of_its_reasons() -> None:
    plan = Schedule(units=3, rounds=2, batch=16)
    rng = np.random.default_rng(0)
    fitted = fit_table(EXAMPLES, name="own", window=4, l2=1.0, steps=30, layer=plan, rng=rng)
    assert fitted.hidden is not None
    assert fitted.hidden.inwards.shape == (len(fitted.hidden_names), 3)
    model = ReplyModel(fitted)
    why = model.explain(EXAMPLES[0].lines, 2)[0]
    assert why.head == 1
    assert "hidden" in why.parts
    assert sum(why.parts.values()) == pytest.approx(why.logit, abs=1e-3)


def test_examples_without_links_or_with_impossible_ones_are_refused() -> None:
    with pytest.raises(InputError, match="nothing to fit"):
        fit_table([Example(EXAMPLES[0].lines, {})], name="own")
    with pytest.raises(InputError, match="line 1 cannot answer line 4"):
        fit_table([Example(EXAMPLES[0].lines, {1: [4]})], name="own")
