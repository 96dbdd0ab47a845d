"""Export: one ledger has one file; graphs hold every kind of node; what was left out is counted."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.items import Item
from asterism.errors import AsterismError, InputError
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from tests.support.exchanging import shuffled, tell_all_kinds
from tests.support.memories import DAY, NOON, AnyMemory, contents, erase_items, is_told_well, remembering
from tests.support.strategies import ledgers

KINDS = {"star", "block", "level", "actor", "moment", "narrative"}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = InMemoryStore()
    with remembering(store) as memory:
        tell_all_kinds(memory, tmp_path_factory.mktemp("told"))
    return store


def text_of(store: Store) -> str:
    with remembering(store) as memory:
        text = memory.export().text
        assert isinstance(text, str)
        return text


def test_the_ledger_is_a_header_and_its_items_in_order(told: Store) -> None:
    lines = text_of(told).splitlines()
    header = json.loads(lines[0])
    assert header == {
        "asterism": "ledger",
        "version": 1,
        "space": "me",
        "preset": ["seed"],
        "parameters": {},
        "embedder": told.embedder("me"),
        "fold": header["fold"],
    }
    rows = [json.loads(line) for line in lines[1:]]
    assert [row["id"] for row in rows] == [stored.item.id.hex() for stored in contents(told)]
    assert len({row["what"] for row in rows}) >= 14  # every kind but erased


def test_two_copies_with_other_arrivals_give_the_same_bytes(told: Store) -> None:
    items = [stored.item for stored in contents(told)]
    one, two = (text_of(shuffled(items, seed)) for seed in (1, 2))
    assert one == two
    assert one.splitlines()[1:] == text_of(told).splitlines()[1:]


@settings(max_examples=6)
@given(ledgers(most_days=20, most_stories=2), st.integers(0, 9))
def test_any_ledger_has_one_file(items: list[Item], seed: int) -> None:
    if items:
        assert text_of(shuffled(items, seed)) == text_of(shuffled(items, seed + 1))


def test_a_new_item_is_one_new_line(told: Store, tmp_path: Path) -> None:
    before = text_of(told).splitlines()
    copy = shuffled([stored.item for stored in contents(told)], 3)
    with remembering(copy, embedder=None) as memory:
        memory.engage("sleep", at=NOON - 3 * DAY)
        after = memory.export().text.splitlines()
    assert [line for line in after[1:] if line not in before] == [line for line in after[1:] if '"engaged"' in line]
    assert len(after) == len(before) + 1


def test_a_file_is_compressed_by_its_name_the_same_each_time(told: Store, tmp_path: Path) -> None:
    with remembering(told) as memory:
        seen: list[tuple[float, int]] = []
        plain = memory.export(tmp_path / "a.jsonl", progress=lambda share, count: seen.append((share, count)))
        one = memory.export(str(tmp_path / "a.jsonl.gz"))
        memory.export(tmp_path / "b.jsonl.gz")
    assert seen[-1] == (1.0, plain.counts["items"] + 1)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == (tmp_path / "a.jsonl").read_bytes()
    assert plain.bytes == (tmp_path / "a.jsonl").stat().st_size
    assert one.to_dict()["format"] == "jsonl"


def test_the_past_has_a_ledger_too(told: Store) -> None:
    with remembering(told) as memory:
        half = memory.export(at=NOON - 10 * DAY)
        assert memory.as_of(NOON - 10 * DAY).export().text == half.text
        whole = memory.export().text.splitlines()
    assert 0 < half.counts["items"] < len(whole) - 1
    assert half.text.splitlines() == whole[: half.counts["items"] + 1]


def test_tombstones_are_in_it_once(told: Store) -> None:
    store = shuffled([stored.item for stored in contents(told)], 4)
    gone = [stored.item.id for stored in contents(store) if stored.item.what == "used"]
    erased = erase_items(store, gone, at=contents(store)[-1].item.at)
    with remembering(store) as memory:
        exported = memory.export()
    assert gone[0].hex() in exported.text
    assert '"erased":"' not in exported.text  # the item says it
    assert exported.counts["erased"] == 1
    with store.writing("me") as writing:
        writing.bury([erased.id])
    with remembering(store) as memory:
        assert memory.export().text.splitlines()[-2:] == sorted(
            f'{{"erased":"{item_id.hex()}"}}' for item_id in (gone[0], erased.id)
        )


def test_vectors_come_along_when_asked_for(told: Store) -> None:
    with remembering(told) as memory:
        plain, full = memory.export(), memory.export(vectors=True)
    assert full.counts["vectors"] > 0
    assert full.text.startswith(plain.text)
    assert len(full.text.splitlines()) == len(plain.text.splitlines()) + full.counts["vectors"]


# Graphs


def test_the_graph_holds_every_kind_and_only_links_with_both_ends(told: Store) -> None:
    with remembering(told) as memory:
        seen = memory.graph()
        assert {node.kind for node in seen.nodes} >= KINDS
        assert {link.kind for link in seen.links} >= {"causation", "similar", "caused", "order", "walk"}
        names = {node.id for node in seen.nodes}
        assert all({link.a, link.b} <= names for link in seen.links)
        assert memory.as_of(NOON - 19 * DAY).graph().nodes != seen.nodes
        assert memory.graph(at=NOON - 19 * DAY) == memory.as_of(NOON - 19 * DAY).graph()
        stars = memory.graph(kinds=["star"])
        assert {node.kind for node in stars.nodes} == {"star"}
        assert stars.left_out.nodes == len(seen.nodes) - len(stars.nodes)
        given_to = memory.to_networkx()
        assert (given_to.number_of_nodes(), given_to.number_of_edges()) == (len(seen.nodes), len(seen.links))
        assert memory.to_networkx(directed=True, kinds="star").is_directed()


def test_two_copies_give_the_same_pictures(told: Store) -> None:
    items = [stored.item for stored in contents(told)]
    for kind in ("graphml", "dot", "mermaid"):
        texts = set()
        for seed in (5, 6):
            with remembering(shuffled(items, seed)) as memory:
                texts.add(memory.export(format=kind).text)
        assert len(texts) == 1


def test_files_of_every_format_are_written(told: Store, tmp_path: Path) -> None:
    with remembering(told) as memory:
        graph = memory.graph()
        for name in ("a.graphml", "a.dot", "a.gv", "a.mmd", "a.csv", "a.parquet", "a.graphml.gz", "a.html"):
            exported = memory.export(tmp_path / name)
            assert exported.counts["nodes"] == len(graph.nodes)
            assert exported.counts["links"] >= len(graph.links)
            assert exported.bytes > 0
            with pytest.raises(InputError) as refused:
                memory.export(tmp_path / name)
            assert refused.value.code == "file_exists"
            assert memory.export(tmp_path / name, force=True) == exported
    read = networkx.read_graphml(tmp_path / "a.graphml")
    assert read.number_of_nodes() == len(graph.nodes)
    assert sorted(path.name for path in (tmp_path / "a.csv").iterdir()) == ["links.csv", "nodes.csv"]
    assert not list(tmp_path.rglob("*.part"))


def test_what_was_left_out_is_counted(told: Store) -> None:
    with remembering(told) as memory:
        whole, few = memory.graph(), memory.export(format="dot", limit=3, min_strength=0.2)
    assert few.counts["nodes"] == 3
    assert few.left_out == {"nodes": len(whole.nodes) - 3, "links": len(whole.links) - few.counts["links"]}


def test_an_open_file_is_written_to(told: Store) -> None:
    out = io.BytesIO()
    with remembering(told) as memory:
        exported = memory.export(out)
        assert out.getvalue().decode() == memory.export().text
    assert (exported.path, exported.text) == (None, None)


WRONG = [
    {"path": "a.txt"},
    {"path": "a"},
    {"format": "xls"},
    {"format": "grapml"},
    {"format": "csv"},
    {"format": "parquet"},
    {"format": "jsonl", "kinds": ["star"]},
    {"format": "jsonl", "limit": 5},
    {"format": "dot", "vectors": True},
    {"format": "dot", "kinds": ["stars"]},
    {"format": "dot", "limit": 0},
    {"format": "dot", "min_strength": 2},
    {"format": "dot", "min_strength": "much"},
]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_makes_no_sense_is_refused(told: Store, wrong: dict[str, object]) -> None:
    asked = dict(wrong)
    with remembering(told) as memory, pytest.raises(AsterismError) as refused:
        memory.export(asked.pop("path", None), **asked)
    assert is_told_well(refused.value)
    if wrong.get("format") == "grapml":
        assert "graphml" in (refused.value.hint or "")


def test_an_empty_memory_can_be_written(tmp_path: Path) -> None:
    def written(memory: AnyMemory) -> list[str]:
        return [memory.export(format=kind).text for kind in ("jsonl", "graphml", "dot", "mermaid")]

    with remembering(InMemoryStore()) as memory:
        ledger, graph, drawing, flow = written(memory)
        memory.export(tmp_path / "empty.csv")
    assert ledger.count("\n") == 1
    assert networkx.parse_graphml(graph).number_of_nodes() == 0
    assert drawing.endswith("}\n")
    assert flow == "flowchart LR\n"
    assert (tmp_path / "empty.csv" / "links.csv").read_text().count("\n") == 1


@pytest.mark.parametrize("kind", ["jsonl", "dot", "html"])
def test_a_memory_is_never_replaced_by_its_export(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.add_star("Sleep", domain="soul", at=NOON - DAY)
    with remembering(path) as memory:
        with pytest.raises(InputError) as refused:
            memory.export(path, format=kind, force=True)
        assert (refused.value.code, is_told_well(refused.value)) == ("bad_target", True)
    with remembering(path) as memory:
        assert memory.star("sleep") is not None


def test_tables_that_cannot_be_written_leave_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with remembering(InMemoryStore()) as memory:
        for name, code in (("a.parquet", "no_pyarrow"), ("a.csv.gz", "no_such_option"), ("a\0.csv", "bad_target")):
            with pytest.raises(InputError) as refused:
                memory.export(tmp_path / name)
            assert (refused.value.code, is_told_well(refused.value)) == (code, True)
    assert not list(tmp_path.iterdir())


def test_a_name_in_capitals_is_compressed_too(tmp_path: Path) -> None:
    with remembering(InMemoryStore()) as memory:
        memory.export(tmp_path / "A.JSONL.GZ")
        assert gzip.decompress((tmp_path / "A.JSONL.GZ").read_bytes()).decode() == memory.export().text


@pytest.mark.parametrize("wrong", [5, True, [None], "stars"])
def test_what_is_no_kind_is_refused_with_a_word(wrong: object) -> None:
    with remembering(InMemoryStore()) as memory:
        for call in (memory.nodes, memory.graph):
            with pytest.raises(AsterismError) as refused:
                call(kinds=wrong)
            assert (refused.value.code, is_told_well(refused.value)) == ("unknown_kind", True)


def test_a_page_is_thinned_out_as_a_graph_is(tmp_path: Path) -> None:
    with remembering(InMemoryStore()) as memory:
        tell_all_kinds(memory, tmp_path)
        whole, stars = memory.export(format="html"), memory.export(format="html", kinds=["star"])
        strong = memory.export(format="html", min_strength=0.6)
        graph = memory.graph(kinds=["star"])
        assert stars.counts == {"nodes": len(graph.nodes), "links": len(graph.links)}
        assert stars.left_out["nodes of other kinds"] == whole.counts["nodes"] - len(graph.nodes)
        assert 0 < strong.counts["links"] == len(memory.graph(min_strength=0.6).links) < whole.counts["links"]
        assert strong.counts["links"] + strong.left_out["links weaker than asked for"] == whole.counts["links"]
