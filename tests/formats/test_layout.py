"""Places of a drawing: the same for the same graph, finite, apart, and near what they are linked to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.columns import Floats, Rows
from asterism.formats.far import from_afar
from asterism.formats.forces import near_pairs
from asterism.formats.layout import layout
from tests.support.work import lines_run


def clusters(many: int, each: int) -> tuple[list[tuple[int, int]], list[float]]:
    """Give rings with chords, and one link from each ring to the next."""
    ends = []
    for ring in range(many):
        first = ring * each
        for place in range(each):
            ends += [(first + place, first + (place + step) % each) for step in (1, 2, 5)]
        ends.append((first, (first + each) % (many * each)))
    return ends, [0.5] * len(ends)


def gaps(places: Floats, rows: Rows, others: Rows) -> Floats:
    gone = places[rows] - places[others]
    return np.hypot(gone[:, 0], gone[:, 1])


def test_the_same_graph_gets_the_same_places_to_the_bit() -> None:
    ends, weights = clusters(12, 40)
    one, other = (layout(480, ends, weights, [0] * 480) for _ in range(2))
    assert one.tobytes() == other.tobytes()


def test_neighbours_are_nearer_than_strangers_and_clusters_stay_apart() -> None:
    many, each = 12, 40
    ends, weights = clusters(many, each)
    places = layout(many * each, ends, weights, [0] * many * each)
    assert np.isfinite(places).all()
    pairs = np.array(ends)
    linked = gaps(places, pairs[:, 0], pairs[:, 1])
    everyone = np.arange(many * each)
    strangers = gaps(places, everyone, (everyone + each * many // 2) % (many * each))
    assert np.median(linked) < np.median(strangers) / 3
    own = np.array([places[ring * each : (ring + 1) * each].mean(axis=0) for ring in range(many)])
    inside = np.median(gaps(np.vstack([places, own]), everyone, many * each + everyone // each))
    nearest = [min(np.hypot(*(own[a] - own[b])) for b in range(many) if a != b) for a in range(many)]
    assert inside < np.median(nearest)


def test_no_two_nodes_stand_on_one_spot() -> None:
    ends, weights = clusters(12, 40)
    places = layout(500, ends, weights, [place % 3 for place in range(500)])  # twenty without a link
    _, _, gone = near_pairs(places, within=10.0)
    assert not len(gone)
    assert np.ptp(places[:, 0]) < 500 * 40
    assert np.ptp(places[:, 1]) < 500 * 40


def test_a_hub_with_its_spokes_and_a_chain_are_laid_out_too() -> None:
    hub = [(0, spoke) for spoke in range(1, 120)]
    places = layout(120, hub, [1.0] * 119, [0] * 120)
    rim = np.hypot(*(places[1:] - places[0]).T)
    assert rim.min() > 10
    assert np.hypot(*(places[0] - places.mean(axis=0))) < np.median(rim)  # in the middle
    chain = layout(60, [(n, n + 1) for n in range(59)], [1.0] * 59, [0] * 60)
    steps = np.hypot(*(chain[1:] - chain[:-1]).T)
    assert steps.max() < 6 * np.median(steps)


def test_nothing_one_and_two() -> None:
    assert layout(0, [], [], []).shape == (0, 2)
    assert layout(1, [], [], [0]).tolist() == [[0.0, 0.0]]
    two = layout(2, [(0, 1)], [0.5], [0, 0])
    assert np.ptp(two[:, 0]) > 0


@settings(max_examples=25)
@given(
    st.integers(1, 60).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=120))
    )
)
def test_any_graph_has_finite_places_that_differ(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, ends = graph
    places = layout(count, ends, [0.0] * len(ends), [0] * count)
    assert np.isfinite(places).all()
    assert len({tuple(place) for place in places.tolist()}) == count


def pairs(count: int) -> Floats:
    """Place so many pairs."""
    return layout(2 * count, [(2 * n, 2 * n + 1) for n in range(count)], [0.5] * count, [0] * 2 * count)


def test_many_small_parts_have_places_that_differ() -> None:
    assert len({tuple(place) for place in pairs(1_000).tolist()}) == 2_000


def test_twice_as_many_small_parts_are_twice_the_work() -> None:
    assert lines_run(lambda: pairs(400)) < 2.5 * lines_run(lambda: pairs(200))


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(20, 600), wide=st.sampled_from((4, 8, 16)))
@settings(deadline=None, max_examples=25)
def test_far_cells_push_nearly_as_their_nodes_would_one_by_one(seed: int, count: int, wide: int) -> None:
    chance = np.random.default_rng(seed)
    places, mass = chance.normal(size=(count, 2)) * (3.0, 1.0), chance.uniform(0.5, 2.0, count)
    low = places.min(axis=0)
    side = float(np.ptp(places, axis=0).max()) * 1.0001 / wide
    cell = ((places - low) / side).astype(int)
    apart = np.abs(cell[:, None] - cell[None, :]).max(axis=2) > 1
    gone = places[:, None] - places[None, :]
    plain = (gone * (apart * mass / np.maximum((gone**2).sum(axis=2), 1e-12))[..., None]).sum(axis=1)
    found = from_afar(places, mass, low, side, wide)
    size = np.hypot(*plain.T)
    assert (np.hypot(*(found - plain).T) <= 0.06 * size.max() + 1e-9).all()


@pytest.mark.parametrize("grown", [480, 500, 560])
def test_a_graph_that_grows_keeps_its_looks(grown: int) -> None:
    ends, weights = clusters(14, 40)

    def first(many: int, stronger: float = 1.0) -> Floats:
        kept = [(pair, weight) for pair, weight in zip(ends, weights, strict=True) if max(pair) < many]
        pulls = [weight * (stronger if place % 3 else 1.0) for place, (_, weight) in enumerate(kept)]
        return layout(many, [pair for pair, _ in kept], pulls, [0] * many)

    before, after = first(480), first(grown, stronger=1.1)[:480]
    moved = np.hypot(*(after - after.mean(axis=0) - before + before.mean(axis=0)).T)
    assert np.median(moved) < 0.12 * np.ptp(before[:, 0])  # places anew would be a third of the width away
