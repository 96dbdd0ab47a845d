"""The graph in other programs' formats: read back by them or their rules, whatever the texts hold."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.ledger.model import EvidenceCount, Link, Node, link_id
from asterism.core.space.view import GraphView, label, view_of
from asterism.errors import InputError
from asterism.formats import tables
from asterism.formats.as_networkx import as_networkx
from asterism.formats.drawn import dot, mermaid
from asterism.formats.graphml import graphml

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
ODD = [
    '"',
    "\\",
    'a\\"',
    "<b>&amp;</b>",
    "%%{init}%%",
    "`md`",
    "]\n--> n0",
    "#quot;",
    "=1+1",
    "\ufffe",
    "-->|x|",
    "\\N",
]


def node(name: str, kind: str = "block", text: str = "", strength: float | None = 0.5) -> Node:
    return Node(name, kind, "", text or name, "active", strength, AT)


def link(a: str, b: str, kind: str = "resonance", *, direction: str | None = None, strength: float = 0.5) -> Link:
    family = "connection" if kind in ("resonance", "causation") else "structural"
    kind_of_id = "" if family == "connection" else kind
    count = EvidenceCount(3, 2.5)
    state = "STRONG" if family == "connection" else ""
    return Link(
        link_id(a, b, kind_of_id), a, b, kind, family, direction, strength, 0.25, state, count, AT, "told", False
    )


def view(nodes: list[Node], links: list[Link], **thin: object) -> GraphView:
    return view_of(nodes, links, space='me "&"', at=AT, **thin)  # type: ignore[arg-type]


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12) | st.sampled_from(ODD)


@st.composite
def views(draw: st.DrawFn) -> GraphView:
    names = draw(st.lists(TEXTS.filter(str.strip), min_size=1, max_size=5, unique=True))
    kinds = st.sampled_from(["star", "block", "actor", "moment", "level", "narrative"])
    nodes = [node(name, draw(kinds), draw(TEXTS)) for name in names]
    pairs = draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=5, unique=True))
    words = st.sampled_from(["resonance", "causation", "similar", "caused"])
    return view(nodes, [link(a, b, draw(words), strength=draw(st.floats(0, 1))) for a, b in pairs])


def test_graphml_is_read_by_networkx_with_typed_values() -> None:
    nodes = [node(f"n{place}", text=text) for place, text in enumerate(ODD)]
    seen = view(
        nodes,
        [
            link("n0", "n1", strength=0.75),
            link("n1", "n0", "similar"),
            link("n3", "n2", "causation", direction="b_to_a"),
        ],
    )
    read = networkx.parse_graphml("".join(graphml(seen)))
    assert isinstance(read, networkx.MultiGraph)
    assert set(read.nodes) == {each.id for each in nodes}
    texts = [text.replace("\ufffe", "\ufffd") for text in ODD]
    assert [read.nodes[each.id]["text"] for each in nodes] == texts
    assert read.nodes["n0"]["strength"] == 0.5
    told = {key: (a, b, data) for a, b, key, data in read.edges(keys=True, data=True)}
    assert told.keys() == {"n0~n1", "n0~n1#similar", "n2~n3"}
    assert told["n0~n1"][2] == {
        "kind": "resonance",
        "family": "connection",
        "strength": 0.75,
        "confidence": 0.25,
        "state": "STRONG",
        "evidence": 3,
        "origin": "told",
    }
    assert told["n2~n3"][2]["direction"] == "a_to_b"


@given(views())
def test_any_text_makes_well_formed_xml(seen: GraphView) -> None:
    tree = ET.fromstring("".join(graphml(seen)).encode())
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert len(tree.findall(f".//{space}node")) == len(seen.nodes)
    assert len(tree.findall(f".//{space}edge")) == len(seen.links)


def test_networkx_gets_the_same_graph_one_way_or_both() -> None:
    seen = view([node("a"), node("b")], [link("b", "a"), link("a", "b", "caused", direction="b_to_a")])
    plain, directed = as_networkx(seen), as_networkx(seen, directed=True)
    assert set(plain.edges(keys=True)) == {("a", "b", "a~b"), ("a", "b", "a~b#caused")}
    assert set(directed.edges(keys=True)) == {("a", "b", "a~b"), ("b", "a", "a~b"), ("b", "a", "a~b#caused")}
    assert plain.graph["space"] == 'me "&"'
    assert directed.edges["b", "a", "a~b#caused"]["direction"] == "a_to_b"


def test_without_networkx_or_pyarrow_the_repair_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "networkx", None)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(InputError, match="networkx") as refused:
        as_networkx(view([], []))
    assert "pip install networkx" in (refused.value.hint or "")
    with pytest.raises(InputError, match="pyarrow") as refused:
        tables.write_parquet(tables.NODES, [], io.BytesIO())
    assert "pip install pyarrow" in (refused.value.hint or "")


STRING = r'"(?:[^"\\]|\\.)*"'
DOT_LINE = re.compile(rf"  {STRING}( -> {STRING})? \[label={STRING}(, \w+=[\w.]+)*\];")


@given(views())
def test_dot_is_quoted_whatever_the_text(seen: GraphView) -> None:
    lines = "".join(dot(seen)).split("\n")
    body = lines[4:-2]
    assert len(body) == len(seen.nodes) + len(seen.links)
    assert all(DOT_LINE.fullmatch(line) for line in body), body


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_it(tmp_path: Path) -> None:
    seen = view([node(text) for text in ODD], [link(a, b) for a, b in pairwise(ODD)])
    done = subprocess.run(
        ["dot", "-Tplain", "-Kdot"], input="".join(dot(seen)).encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b"\nnode ") == len(ODD)


MERMAID_LINE = re.compile(
    r'  n\d+\W{1,3}"[^"#<>`%|\[\]{}\\]*(#\d+;[^"#<>`%|\[\]{}\\]*)*"\W{1,3}|  n\d+ [-.>]+\|"[^"|]*"\| n\d+'
)


@given(views())
def test_no_text_can_end_a_label_of_mermaid(seen: GraphView) -> None:
    lines = "".join(mermaid(seen)).split("\n")
    assert lines[0] == "flowchart LR"
    assert len(lines) == 2 + len(seen.nodes) + len(seen.links)
    assert all(MERMAID_LINE.fullmatch(line) for line in lines[1:-1]), lines


def test_csv_cells_are_no_formulas_and_are_read_back() -> None:
    texts = ["=1+1", "+1", "-1", "@x", "plain", 'with "quotes", and\nlines', "é"]
    file = io.BytesIO()
    tables.write_csv(
        tables.NODES, tables.node_rows(view([node(f"n{n}", text=t) for n, t in enumerate(texts)], [])), file
    )
    rows = list(csv.DictReader(io.StringIO(file.getvalue().decode(), newline="")))
    assert [row["text"] for row in rows] == ["'=1+1", "'+1", "'-1", "'@x", *texts[4:]]
    assert rows[0]["strength"] == "0.5"
    assert rows[0]["at"] == "2026-03-01T12:00:00+00:00"
    assert b"\r" not in file.getvalue()


def test_parquet_has_typed_columns() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    seen = view([node("a", text="=x"), node("b", strength=None)], [link("a", "b")])
    nodes, links = io.BytesIO(), io.BytesIO()
    tables.write_parquet(tables.NODES, tables.node_rows(seen), nodes)
    tables.write_parquet(tables.LINKS, tables.link_rows(seen), links)
    read = parquet.read_table(io.BytesIO(nodes.getvalue()))
    assert read.column("strength").to_pylist() == [0.5, None]
    assert read.column("at").to_pylist() == [AT, AT]
    assert read.column("text").to_pylist() == ["=x", "b"]  # no spreadsheet: as it is
    (row,) = parquet.read_table(io.BytesIO(links.getvalue())).to_pylist()
    assert (row["a"], row["b"], row["evidence"], row["strength"]) == ("a", "b", 3, 0.5)
    empty = io.BytesIO()
    tables.write_parquet(tables.LINKS, [], empty)
    assert parquet.read_table(io.BytesIO(empty.getvalue())).column_names == list(tables.LINKS)


def test_a_graph_is_thinned_out_and_says_so() -> None:
    nodes = [node("hub", "star"), node("a", strength=0.9), node("b"), node("c", "actor")]
    links = [link("hub", "a", strength=0.9), link("b", "hub", strength=0.2), link("c", "ghost", strength=0.5)]
    whole = view(nodes, links)
    assert [each.id for each in whole.nodes] == ["hub", "a", "b", "c", "ghost"]
    assert whole.nodes[-1].kind == "unknown"
    assert [(each.a, each.b) for each in whole.links] == [("a", "hub"), ("b", "hub"), ("c", "ghost")]
    assert (whole.left_out.nodes, whole.left_out.links) == (0, 0)
    kinds = view(nodes, links, kinds=["star", "block"])
    assert [each.id for each in kinds.nodes] == ["hub", "a", "b"]
    assert (kinds.left_out.nodes, kinds.left_out.links) == (1, 1)
    strong = view(nodes, links, min_strength=0.5)
    assert [each.id for each in strong.links] == ["a~hub", "c~ghost"]
    assert (strong.left_out.nodes, strong.left_out.links) == (0, 1)
    few = view(nodes, links, limit=2)
    assert [each.id for each in few.nodes] == ["hub", "a"]  # most linked, then strongest, in their order
    assert (few.left_out.nodes, few.left_out.links) == (3, 2)
    assert view(nodes, links, limit=9) == whole


def test_a_link_has_one_orientation_whoever_looked() -> None:
    nodes = [node("a"), node("b")]
    for given_link in (link("a", "b"), link("b", "a")):
        (kept,) = view(nodes, [given_link]).links
        assert (kept.a, kept.b, kept.direction) == ("a", "b", None)
    for given_link in (
        link("b", "a", "causation", direction="a_to_b"),
        link("a", "b", "causation", direction="b_to_a"),
    ):
        (kept,) = view(nodes, [given_link]).links
        assert (kept.a, kept.b, kept.direction) == ("b", "a", "a_to_b")
    (kept,) = view(nodes, [link("b", "a", "order")]).links
    assert (kept.a, kept.b) == ("b", "a")  # what came first stays first


def test_a_label_is_short_and_of_one_line() -> None:
    assert label(Node("x", "star", "Sleep", "text", "", None, None)) == "Sleep"
    assert label(Node("x", "block", "", "a\n b", "", None, None)) == "a b"
    assert label(Node("x", "block", "", "", "", None, None)) == "x"
    assert len(label(node("x", text="y" * 100))) == 61
