"""Scores: the batch gives the plain numbers to the bit, symmetric and in bounds; its bound is never below them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from asterism.core.blocks.batch import MARGIN, Frame, nearness
from asterism.core.blocks.candidates import bounds
from asterism.core.blocks.facts import facts_code, facts_of, same_facts
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import category_match, composite, cosine, jaccard, temporal_proximity
from asterism.core.blocks.state import Tags, unit_vectors
from asterism.core.space.parameters import SpaceParameters
from asterism.errors import InputError

RULES = BlockParameters()


@st.composite
def frames(draw: st.DrawFn) -> tuple[Frame, list[frozenset[int]], list[float]]:
    size, dimension = draw(st.integers(1, 12)), draw(st.integers(1, 9))
    elements = st.floats(-1, 1, width=32, allow_subnormal=False)
    raw = draw(hnp.arrays(np.float32, (size, dimension), elements=elements))
    tags = [draw(st.frozensets(st.integers(0, 200), max_size=6)) for _ in range(size)]
    hours = [draw(st.floats(0, 100)) for _ in range(size)]
    frame = Frame(
        vectors=unit_vectors([str(row) for row in range(size)], raw),
        tags=Tags.of(tags),
        category=np.array([draw(st.integers(0, 30)) for _ in range(size)], dtype=np.int32),
        time=nearness(np.array(hours), 50.0, RULES),
        parameters=RULES,
    )
    return frame, tags, hours


@settings(max_examples=60)
@given(frames())
def test_the_batch_gives_the_plain_scores(made: tuple[Frame, list[frozenset[int]], list[float]]) -> None:
    frame, tags, hours = made
    every = np.arange(len(frame))
    for a in range(len(frame)):
        scores = frame.scores(np.full(len(frame), a), every)
        for b in range(len(frame)):
            near = cosine(frame.vectors[a].astype(float).tolist(), frame.vectors[b].astype(float).tolist())
            match = category_match(
                str(frame.category[a]), str(frame.category[b]), cross_category_score=RULES.cross_category_score
            )
            time = [temporal_proximity(50.0, hours[end], sigma=RULES.temporal_sigma_hours) for end in (a, b)]
            plain = composite(
                cosine=near, tags=jaccard(tags[a], tags[b]), category=match, time=time[0] * time[1], parameters=RULES
            )
            assert scores[b] == plain


@settings(max_examples=60)
@given(frames())
def test_scores_are_symmetric_in_bounds_and_never_above_what_is_proposed(
    made: tuple[Frame, list[frozenset[int]], list[float]],
) -> None:
    frame, _, _ = made
    size = len(frame)
    a, b = np.divmod(np.arange(size * size), size)
    scores = frame.scores(a, b)
    assert (scores == frame.scores(b, a)).all()
    assert ((scores >= 0) & (scores <= 1)).all()
    proposed = bounds(frame, slice(None), slice(None)).ravel()
    assert (proposed + MARGIN >= scores).all()


def test_no_parameter_is_declared_twice() -> None:
    others = {name for name, _ in SpaceParameters.table()}
    mine = {name for name, _ in BlockParameters.table()}
    assert mine <= others or not mine & others  # joined with the others, or apart from them


def test_parameters_that_do_not_go_together_are_named() -> None:
    with pytest.raises(InputError, match=r"weight_cosine .* add up to 1.35.*supersede_cosine = 0.99 is above"):
        BlockParameters.build("seed", {"weight_cosine": 0.9, "supersede_cosine": 0.99})


# --- vectors ------------------------------------------------------------------------------------------------------


def test_a_zero_vector_has_cosine_0() -> None:
    vectors = unit_vectors(["a", "b"], [[0.0, 0.0], [2.0, 0.0]])
    assert vectors.tolist() == [[0.0, 0.0], [1.0, 0.0]]
    frame = Frame(vectors, Tags.of([[1], [1]]), np.zeros(2, dtype=np.int32), np.ones(2), RULES)
    assert frame.scores(np.array([0]), np.array([1])).tolist() == [0.0]


def test_vectors_of_no_dimension_have_cosine_0() -> None:
    vectors = unit_vectors(["a", "b"], [[], []])
    frame = Frame(vectors, Tags.of([[], []]), np.zeros(2, dtype=np.int32), np.ones(2), RULES)
    assert frame.cosines(np.array([0]), np.array([1])).tolist() == [0.0]


def test_a_unit_vector_is_kept_to_the_bit() -> None:
    once = unit_vectors(["a"], [[1.0, 2.0, 3.0]])
    assert unit_vectors(["a"], once).tobytes() == once.tobytes()


def test_extreme_vectors_are_brought_to_length_1() -> None:
    assert unit_vectors(["a", "b"], [[3e-200, 4e-200], [3e200, 4e200]]).tolist() == [
        pytest.approx([0.6, 0.8]),
        pytest.approx([0.6, 0.8]),
    ]


@pytest.mark.parametrize(
    ("vectors", "dimension", "message"),
    [
        ([[1.0, 0.0], [float("nan"), 1.0]], 0, "block b has a value that is not a finite number"),
        (np.array([[1.0, 0.0], [np.inf, 1.0]]), 0, "block b has a value that is not a finite number"),
        ([[1.0, 0.0], [1.0]], 0, "block b has not the dimension 2"),
        ([[1.0, 0.0], [1.0, 0.0]], 3, "block a has not the dimension 3"),
        (np.ones((2, 2)), 3, "block a has not the dimension 3"),
        ([[1.0, 0.0]], 0, "1 vectors for 2 blocks"),
    ],
)
def test_a_broken_vector_is_refused_and_its_block_named(
    vectors: list[list[float]], dimension: int, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        unit_vectors(["a", "b"], vectors, dimension=dimension)


# --- facts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("meeting at 2pm", "meeting at 4pm", False),
        ("meeting at 2pm", "the meeting is at 2 PM", True),
        ("Bob likes tea", "Alice likes tea", False),
        ("Bob's tea is hot", "hot is the tea of Bob", True),
        ("she does not smoke", "she smokes", False),
        ("she doesn't smoke", "she does not smoke", True),
        ("it costs 2,000 euros", "it costs 2000 euros", True),
        ("room B12", "room B13", False),
        ("two cats", "three cats", False),
        ("it fell by 5%", "it fell by 5", False),
        ("The sky is blue", "the sky is blue", True),
    ],
)
def test_facts(one: str, other: str, *, same: bool) -> None:
    assert same_facts(one, other) == same
    assert (facts_code(one) == facts_code(other)) == same


@given(st.text())
def test_any_text_has_facts(content: str) -> None:
    assert facts_of(content) == facts_of(content)
    assert 0 <= facts_code(content) < 2**63
