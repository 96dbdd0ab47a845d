"""What a review of the walkers found: decisions that no test held, and narratives put away with blocks, as one."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from asterism import Memory
from asterism.core.walkers.vectors import cosine, unit
from asterism.core.walkers.walker import child_vector, mean_of_ends
from asterism.engine.blocks.forget import forget_all, forgotten
from asterism.entry.cli.app import app
from asterism.errors import InputError, UnknownError
from tests.support.walkers import Link, Node, explored, graph, toward

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_d13_what_was_found_counts_by_its_mean_weighted_by_alignment() -> None:
    angles = (0, 20, 45, 75)
    names = "abcd"
    nodes = [Node(name, "thing", toward(angle), name) for name, angle in zip(names, angles, strict=True)]
    links = [Link("a", "b"), Link("b", "c"), Link("c", "d")]
    query, intention = toward(30), toward(50)
    root = explored(graph(nodes, links), "a", query, intention, min_link_score=0.0, absorb_alignment=1.0).root
    assert [hop.end for hop in root.walked] == ["b", "c", "d"]
    a, b, c, d = (unit(toward(angle)) for angle in angles)
    aligned = [cosine(unit(intention), each) for each in (b, c)]  # d is found after it was walked to
    found = (aligned[0] * b + aligned[1] * c) / sum(aligned)
    path = np.mean([mean_of_ends(a, b), mean_of_ends(b, c), mean_of_ends(c, d)], axis=0)
    wanted = 0.4 * unit(query) + 0.25 * unit(intention) + 0.3 * d + 0.2 * found + 0.1 * path
    assert root.vector.tolist() == pytest.approx(unit(wanted).tolist(), abs=1e-9)
    without = wanted - 0.2 * found
    assert root.vector.tolist() != pytest.approx(unit(without).tolist(), abs=1e-4)


def test_d15_a_child_that_arrives_still_has_the_vector_it_was_born_with() -> None:
    nodes = [Node("m", "moment", toward(0)), Node("b", "place", toward(40)), Node("c", "place", toward(-40))]
    done = explored(graph(nodes, [Link("m", "b"), Link("m", "c")]), "m", toward(0))
    children = done.root.children
    assert [child.depth for child in children] == [1, 1]
    for child in children:
        born = child_vector(unit(toward(0)), child.walked[0].vector)
        assert child.vector.tolist() == pytest.approx(born.tolist(), abs=1e-9)


async def left_behind(memory: Memory) -> tuple[str, list[str]]:
    learned = await memory.learn_many(
        [{"content": f"Harbour crane {number} needs grease every {number} days"} for number in range(12)]
    )
    await memory.dream()
    told = await memory.explore("which cranes need grease?", intention="keep the harbour running")
    assert told.crystallized is not None
    return told.crystallized, [each.id for each in learned]


@pytest.mark.parametrize("place", [":memory:", "memory.db"])
def test_blocks_and_narratives_are_put_away_and_brought_back_together(place: str, tmp_path: Path) -> None:
    async def run() -> None:
        path = place if place == ":memory:" else tmp_path / place
        async with Memory.open(path, space="me", clock=NOW, embedder="hashed") as memory:
            narrative, blocks = await left_behind(memory)
            before = (await memory.stats()).items
            with pytest.raises(UnknownError):
                await forget_all(memory, [narrative, blocks[0], "nope"])
            with pytest.raises(InputError, match="was not forgotten"):
                await forget_all(memory, [narrative, blocks[0]], back=True)
            assert (await memory.stats()).items == before
            gone = await forget_all(memory, [blocks[0], narrative, blocks[1], blocks[0]], source="ann")
            assert [each.id for each in gone] == [blocks[0], narrative, blocks[1]]
            assert {each.id for each in await forgotten(memory)} == {blocks[0], narrative, blocks[1]}
            assert not {each.id for each in await memory.nodes()} & {narrative, *blocks[:2]}
            again = await forget_all(memory, [narrative])  # it is so already
            assert [each.id for each in again] == [narrative]
            after = (await memory.stats()).items
            assert (after["forgotten"], after["narrative_forgotten"]) == (2, 1)
            await forget_all(memory, [narrative, blocks[1], blocks[0]], back=True)
            assert await forgotten(memory) == []
            assert await memory.links(narrative)
            assert (await memory.verify()).ok

    asyncio.run(run())


def test_a_deadline_of_a_moment_holds_for_a_memory_that_was_just_opened(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory.open_sync(path, space="me", clock=NOW, embedder="hashed") as memory:
        memory.learn_many([{"content": f"deploy {each} fails when cache {each % 31} is cold"} for each in range(4_000)])
    with Memory.open_sync(path, space="me", clock=NOW, embedder="hashed") as memory:
        before = memory.stats().items
        with pytest.raises(Exception, match="still being got ready") as late:
            memory.explore("why do deploys fail?", deadline=0.05)
        assert late.value.code == "deadline"  # type: ignore[attr-defined]
        assert memory.stats().items == before


def test_the_command_line_says_how_a_forgotten_narrative_comes_back(tmp_path: Path) -> None:
    async def prepared() -> str:
        async with Memory.open(tmp_path / "memory.db", space="default", embedder="hashed") as memory:
            narrative, _ = await left_behind(memory)
            await memory.forget(narrative)
            return narrative

    narrative = asyncio.run(prepared())
    place = ["--db", str(tmp_path / "memory.db")]
    for words in (["show", narrative], ["why", narrative], ["why-not", narrative, "cranes"]):
        told = CliRunner().invoke(app, [*words, *place])
        assert told.exit_code == 3
        assert f"asterism restore {narrative}" in told.stderr
    back = CliRunner().invoke(app, ["restore", narrative, *place])
    assert back.exit_code == 0, back.stderr
    assert CliRunner().invoke(app, ["show", narrative, *place]).exit_code == 0
