"""A capability that is written in the tests alone does all that the others do, and no file of the package knows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path

import pytest

from asterism.core.ledger.items import make_item
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, digest
from asterism.engine.memory import Memory
from asterism.engine.space.live import Live
from asterism.engine.space.said import Said, item_of
from asterism.engine.space.threads import HereRunner
from asterism.errors import AsterismError
from asterism.sync import Memory as SyncMemory
from tests.support.errands import ERRANDS, FOR, SET, WITH_ERRANDS
from tests.support.memories import NOON

RULES = SpaceParameters.build(capabilities=WITH_ERRANDS)


@contextmanager
def opened(path: str | Path, **asked: float) -> Iterator[SyncMemory]:
    memory = Memory(
        path,
        space="me",
        clock=NOON,
        embedder="hashed",
        runner=HereRunner(),
        parameters=asked or None,
        capabilities=WITH_ERRANDS,
    )
    with SyncMemory(memory) as face:
        yield face


def live_of(memory: SyncMemory) -> Live:
    inner: Memory = memory._async  # type: ignore[attr-defined]  # the stub shows what users call
    return inner._open()


def tell(memory: SyncMemory, errand: str, text: str, star: str, *, days: int = 0) -> str:
    """Write an errand through the memory's ledger; give the id of its item."""
    live = live_of(memory)
    said = Said(SET, {"errand": errand, "text": text, "star": star}, NOON - timedelta(days=days))
    (written,) = live.write(lambda _: [item_of(live, said)], told=ERRANDS.kinds)
    return written.item.id.hex()


def tell_all(memory: SyncMemory) -> None:
    memory.add_star("Garden", domain="soul")
    memory.learn("The gate squeaks", tags=["home"])
    tell(memory, "oil the gate", "Oil the hinges of the gate", "garden", days=2)
    tell(memory, "oil the gate", "Oil the hinges, and paint them", "garden")
    tell(memory, "water the roses", "Water the roses at dusk", "garden")


def test_its_items_fold_in_any_order_and_its_dump_loads_to_the_same_bits() -> None:
    items = [
        make_item(space="me", what=SET, at=at, payload={"errand": "a", "text": word, "star": "garden"}, known_at=0)
        for at, word in ((0, "first"), (1, "second"), (1, "third"))
    ]
    digests = set()
    for order in permutations(items):
        projection = Projection(RULES)
        for item in order:
            projection.apply(item)
        loaded = Projection.load(projection.dump(), RULES)
        assert digest(loaded.dump()) == digest(projection.dump())
        assert projection.copy().of(ERRANDS).errands == loaded.of(ERRANDS).errands
        digests.add(digest(projection.dump()))
    assert len(digests) == 1


def test_its_nodes_and_links_are_listed_named_and_recalled_with_the_others() -> None:
    with opened(":memory:") as memory:
        tell_all(memory)
        nodes = {node.id: node.node() for node in memory.nodes()}
        assert nodes["water the roses"].kind == "errand"
        assert nodes["oil the gate"].text == "Oil the hinges, and paint them"
        assert [(link.a, link.kind) for link in memory.links("Water  the ROSES")] == [("water the roses", FOR)]
        assert {link.b for link in memory.links("garden")} == {"water the roses", "oil the gate"}
        hit = memory.recall("what about the roses at dusk?", k=1).hits[0]
        assert (hit.id, hit.kind) == ("water the roses", "errand")
        assert memory.observe("water the roses", "garden", "user_confirms").after > 0
        assert "water the roses" in {node.id for node in memory.graph().nodes}


def test_its_kind_of_nodes_can_be_asked_for_wherever_kinds_are() -> None:
    with opened(":memory:") as memory:
        tell_all(memory)
        assert [node.id for node in memory.nodes(kinds=["errand"])] == ["oil the gate", "water the roses"]
        assert {hit.kind for hit in memory.recall("roses", kinds=["errand"]).hits} == {"errand"}
        assert memory.why_not("garden", "roses", kinds="errand").gate == "filter"
        assert {node.kind for node in memory.graph(kinds=["errand"]).nodes} == {"errand"}
        assert [node.kind for node in memory.nodes()][-2:] == ["errand", "errand"]
        with pytest.raises(AsterismError, match="stone") as refused:
            memory.nodes(kinds=["stone"])
        assert str(refused.value.hint).endswith("place, errand")


def test_its_links_are_counted_with_the_others() -> None:
    with opened(":memory:") as memory:
        tell_all(memory)
        assert memory.stats().structural == {FOR: 2}


def test_what_it_does_not_explain_is_said_to_be_there_without_an_explanation() -> None:
    with opened(":memory:") as memory:
        tell_all(memory)
        (link,) = memory.links("water the roses")
        for named in (("Water the roses",), ("water the roses", "garden"), (link.id,)):
            with pytest.raises(AsterismError, match="nothing explains") as refused:
                memory.why(*named)
            assert refused.value.code == "unexplained"
            assert "gives no explanation" in str(refused.value.hint)
        with pytest.raises(AsterismError, match="there is no link between"):
            memory.why("water the roses", "oil the gate")


def test_what_is_told_after_a_recall_is_recalled_too() -> None:
    with opened(":memory:") as memory:
        tell_all(memory)
        assert memory.recall("feed the goat", k=1).hits[0].id != "feed the goat"
        tell(memory, "feed the goat", "Feed the goat", "garden")
        assert memory.recall("feed the goat", k=1).hits[0].id == "feed the goat"


def test_it_is_refused_if_it_does_not_say_when_there_are_other_nodes() -> None:
    assert ERRANDS.graph is not None
    with pytest.raises(AsterismError, match="errands") as refused:
        CAPABILITIES.and_also(replace(ERRANDS, graph=replace(ERRANDS.graph, revision=None)))
    assert refused.value.code == "no_revision"


def test_it_has_parameters_as_the_others_have() -> None:
    with opened(":memory:", errand_weight=0.25) as memory:
        tell_all(memory)
        assert {link.strength for link in memory.links("garden") if link.kind == FOR} == {0.25}
        assert memory.parameters().values["errand_weight"] == 0.25
    with pytest.raises(AsterismError, match="errand_weight"), opened(":memory:", errand_weight=2.0):
        pass


def test_its_past_is_seen_and_its_items_can_be_asked_for() -> None:
    with opened(":memory:") as memory:
        memory.add_star("Garden", domain="soul", at=NOON - timedelta(days=3))
        first = tell(memory, "oil the gate", "Oil the hinges of the gate", "garden", days=2)
        tell(memory, "oil the gate", "Oil the hinges, and paint them", "garden")
        before = memory.as_of(NOON - timedelta(days=1))
        assert {node.text for node in before.nodes() if node.kind == "errand"} == {"Oil the hinges of the gate"}
        assert memory.why(first).subject == first


def test_a_memory_with_it_is_opened_again_from_its_checkpoint_and_verified(tmp_path: Path) -> None:
    with opened(tmp_path / "me.db") as memory:
        tell_all(memory)
        live = live_of(memory)
        live.checkpoint_if_due(at_least=0)
        assert memory.verify().ok
    with opened(tmp_path / "me.db") as memory:
        assert memory.verify().ok
        live = live_of(memory)
        kept = live.store.checkpoint("me", live.fingerprint)
        assert kept is not None
        assert ERRANDS.load(kept.columns, live.parameters.of(ERRANDS)).errands.keys() == {
            "oil the gate",
            "water the roses",
        }


def test_what_it_stands_on_takes_it_along_when_it_is_erased() -> None:
    with opened(":memory:") as memory:
        tell_all(memory)
        assert memory.what_if(without="garden").items == {"star_added": 1, SET: 3}
        manifest = memory.erase("node:water the roses")
        assert "water the roses" in manifest.nodes
        assert {node.id for node in memory.nodes() if node.kind == "errand"} == {"oil the gate"}
        memory.erase("garden")
        assert {node.id for node in memory.nodes() if node.kind == "errand"} == set()
        assert memory.verify().ok


def test_its_items_are_exported_and_taken_in_and_merged(tmp_path: Path) -> None:
    with opened(":memory:") as memory:
        tell_all(memory)
        memory.export(tmp_path / "me.jsonl")
        with opened(":memory:") as copy:
            copy.import_(tmp_path / "me.jsonl")
            assert copy.verify().digest == memory.verify().digest
        with opened(":memory:") as other:
            other.merge(memory)
            assert other.verify().digest == memory.verify().digest


def test_where_it_is_not_in_the_table_its_items_are_refused(tmp_path: Path) -> None:
    with opened(":memory:") as memory:
        tell_all(memory)
        memory.export(tmp_path / "me.jsonl")
    with Memory.open_sync(":memory:", space="me", clock=NOON, embedder="hashed") as without:
        with pytest.raises(AsterismError, match=SET):
            without.import_(tmp_path / "me.jsonl")
        assert without.nodes() == []
