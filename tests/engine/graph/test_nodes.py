"""Every node of a memory, whatever its kind, now and as it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from asterism.core.connections.model import Star
from asterism.core.ledger.model import NODE_KINDS, Node
from asterism.errors import InputError
from tests.support.five import NOTES, SAID, STARTED, tell_five
from tests.support.memories import DAY, is_told_well, remembering
from tests.support.stores import STORES, place_of


@pytest.mark.parametrize("kind", STORES)
def test_nodes_of_every_kind_have_the_same_names_for_what_all_have(kind: str, tmp_path: Path) -> None:
    with remembering(place_of(kind, tmp_path)) as memory:
        tell_five(memory)
        found = memory.nodes()
        assert [each.kind for each in found] == sorted((each.kind for each in found), key=NODE_KINDS.index)
        assert {each.kind for each in found} == set(NODE_KINDS) - {"thing", "place"}  # nothing makes these yet
        assert len({each.id for each in found}) == len(found)
        for each in found:
            node = each.node()
            assert isinstance(node, Node)
            assert (node.id, node.kind, node.text) == (each.id, each.kind, each.text)
            assert each.to_dict()["kind"] == each.kind
            assert node.text
            assert node.strength is None or 0 <= node.strength <= 1
        texts = {each.kind: {other.text for other in found if other.kind == each.kind} for each in found}
        assert texts["star"] == {"Lantern", "Bell"}
        assert texts["actor"] >= {"Ann", "Bo"}
        assert texts["moment"] <= {said for _, said in SAID}
        assert texts["block"] <= {text for text, _ in NOTES}
        assert {each.symbol for each in memory.nodes(kinds=["level"])} == {"X"}


def test_only_some_kinds_and_only_what_was_there() -> None:
    with remembering(place_of("in_memory", Path())) as memory:
        tell_five(memory)
        assert memory.nodes(kinds=("star",)) == memory.stars()
        assert all(isinstance(each, Star) for each in memory.stars())
        assert memory.nodes(kinds="actor") == [each for each in memory.nodes() if each.kind == "actor"]
        before = memory.as_of(STARTED - DAY)
        assert {each.kind for each in before.nodes()} == {"star", "block"}
        assert memory.nodes(at=STARTED - 2 * DAY) == []
        with pytest.raises(InputError) as refused:
            memory.nodes(kinds=["stars"])
        assert refused.value.code == "unknown_kind"
        assert is_told_well(refused.value)
        assert "star" in (refused.value.hint or "")


def test_every_call_takes_the_same_kinds_of_nodes() -> None:
    with remembering(place_of("in_memory", Path())) as memory:
        tell_five(memory)
        asked: list[Callable[[Sequence[str]], object]] = [
            lambda kinds: memory.nodes(kinds=kinds),
            lambda kinds: memory.recall("bell", kinds=kinds).hits,
            lambda kinds: memory.why_not("bell", "bell", kinds=kinds),
            lambda kinds: memory.to_networkx(kinds=kinds),
        ]
        for ask in asked:
            for kind in NODE_KINDS:
                ask([kind])
            ask("star")  # a word alone is one kind
            for wrong in ("stone", "unknown", "bells"):
                with pytest.raises(InputError) as refused:
                    ask(["star", wrong])
                assert (refused.value.code, is_told_well(refused.value)) == ("unknown_kind", True)
                assert (refused.value.hint or "").endswith(f"kinds are {', '.join(NODE_KINDS)}")
        assert memory.nodes(kinds=["thing", "place"]) == []
        assert memory.recall("bell", kinds=["thing", "place"]).hits == ()


@pytest.mark.parametrize("kind", STORES)
def test_every_call_takes_names_for_ids(kind: str, tmp_path: Path) -> None:
    with remembering(place_of(kind, tmp_path)) as memory:
        tell_five(memory)
        note = memory.learn("The kettle whistles at four.", name="Kettle")
        memory.observe("KETTLE", "lantern", "user_creates")
        memory.observe("Kettle", "ann", "user_creates")
        assert memory.link("kettle", "Lantern") == memory.link(note.id, "lantern")
        assert memory.link("kettle", "ANN").strength == 0.15
        assert {memory.link("Kettle", "bell"), memory.link("nobody", "bell")} == {None}
        assert {link.b for link in memory.links("Kettle") if link.family == "connection"} == {"lantern", "ann"}
        assert memory.why("kettle", "Ann").total == pytest.approx(0.15)
