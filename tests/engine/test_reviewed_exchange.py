"""What a reviewer broke in files that go out and come in, and what must hold since."""

from __future__ import annotations

import gzip
import io
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.engine.connections.advance import MOST_DAYS
from asterism.entry.cli.app import app
from asterism.errors import AsterismError, InputError
from asterism.formats import files
from asterism.formats.layout import layout
from asterism.formats.ledger import item_line
from asterism.store.in_memory import InMemoryStore
from tests.support.exchanging import tell_all_kinds
from tests.support.memories import DAY, NOON, is_told_well
from tests.support.remembering import PLACES, place_of, remembering


def item(what: str, payload: Payload, at: datetime, *, known_at: datetime = NOON) -> Item:
    return make_item(space="me", what=what, at=to_micros(at), payload=payload, known_at=to_micros(known_at))


def header() -> bytes:
    with remembering(InMemoryStore(), embedder=None) as memory:
        return str(memory.export().text).encode()


SLEEP: Payload = {"star": "sleep", "name": "Sleep", "domain": "soul"}


# Nothing is lost


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


def test_of_two_files_none_appears_if_one_was_taken_meanwhile(tmp_path: Path) -> None:
    paths = [tmp_path / "nodes.csv", tmp_path / "links.csv"]
    with pytest.raises(InputError, match="is there already"), files.writing(*paths):
        paths[1].write_bytes(b"theirs")
    assert [path.name for path in tmp_path.iterdir()] == ["links.csv"]
    assert paths[1].read_bytes() == b"theirs"


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


# Times


@pytest.mark.parametrize("kind", PLACES)
def test_a_memory_that_went_far_ahead_comes_back(tmp_path: Path, kind: str) -> None:
    with remembering(InMemoryStore()) as memory:
        for _ in range(2):
            memory.advance(days=MOST_DAYS)
        text = memory.export().text
    with remembering(place_of(kind, tmp_path)) as memory:
        assert memory.import_(io.BytesIO(text.encode())).added == 2
        assert memory.export().text == text


def test_a_clock_that_is_behind_takes_in_what_is_of_today() -> None:
    data = header() + item_line(item("star_added", SLEEP, NOON - DAY))
    with remembering(InMemoryStore(), clock=datetime(1970, 1, 2, tzinfo=UTC)) as memory:
        assert memory.import_(io.BytesIO(data)).added == 1


@pytest.mark.parametrize("turned", [False, True])
def test_no_line_makes_a_memory_fold_thousands_of_years(turned: bool) -> None:
    far = datetime(9000, 1, 1, tzinfo=UTC)
    lines = [item_line(item("star_added", SLEEP, NOON - DAY)), item_line(item("clock", {}, far, known_at=far))]
    with remembering(InMemoryStore()) as memory:
        with pytest.raises(InputError) as refused:
            memory.import_(io.BytesIO(header() + b"".join(reversed(lines) if turned else lines)))
        assert refused.value.code == "bad_line"
        assert f"line {2 if turned else 3}:" in refused.value.message
        assert "nothing was taken in" in (refused.value.hint or "")
        assert memory.export().counts["items"] == 0


# What is told


def test_the_field_that_is_wrong_is_named_and_no_other() -> None:
    wrong = item_line(item("star_added", SLEEP, NOON - DAY)).replace(b'"at"', b'"att"')
    with remembering(InMemoryStore()) as memory, pytest.raises(InputError, match=r"one too many: at, att \(export"):
        memory.import_(io.BytesIO(header() + wrong))


def test_tombstones_are_counted_once() -> None:
    data = header() + b'{"erased":"%s"}\n' % (b"ab" * 16) * 2
    with remembering(InMemoryStore()) as memory:
        assert [memory.import_(io.BytesIO(data)).erased for _ in range(2)] == [1, 0]


@pytest.mark.parametrize("wrong", [5, b"a.jsonl", [], True, io.StringIO()])
def test_what_is_no_file_is_refused_with_a_word(wrong: object) -> None:
    with remembering(InMemoryStore()) as memory:
        for call in (memory.import_, memory.export):
            with pytest.raises(InputError) as refused:
                call(wrong)
            assert is_told_well(refused.value)


@pytest.mark.parametrize("wrong", [5, True, [None], "stars"])
def test_what_is_no_kind_is_refused_with_a_word(wrong: object) -> None:
    with remembering(InMemoryStore()) as memory:
        for call in (memory.nodes, memory.graph):
            with pytest.raises(AsterismError) as refused:
                call(kinds=wrong)
            assert (refused.value.code, is_told_well(refused.value)) == ("unknown_kind", True)


def test_an_open_file_may_be_compressed() -> None:
    packed = gzip.compress(header() + item_line(item("star_added", SLEEP, NOON - DAY)))
    for file in (io.BytesIO(packed), io.BufferedReader(io.BytesIO(packed))):
        with remembering(InMemoryStore()) as memory:
            assert memory.import_(file).added == 1


# The page


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


def test_many_small_parts_are_placed_in_a_moment() -> None:
    began = time.process_time()
    places = layout(4_000, [(2 * n, 2 * n + 1) for n in range(2_000)], [0.5] * 2_000, [0] * 4_000)
    assert time.process_time() - began < 6.0  # it took 14 s when every part looked at 256 places
    assert len({tuple(place) for place in places.tolist()}) == 4_000


# At a prompt


@pytest.fixture
def ledger(tmp_path: Path) -> bytes:
    with remembering(InMemoryStore(), space="my life") as memory:
        tell_all_kinds(memory, tmp_path)
        return str(memory.export().text).encode()


def run(*words: str, data: bytes | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words), input=data)
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.parametrize("stream", [False, True])
def test_a_file_that_is_bad_anywhere_makes_no_memory(ledger: bytes, tmp_path: Path, stream: bool) -> None:
    db, path = tmp_path / "new.db", tmp_path / "a b.jsonl"
    where = ("--db", str(db), "--space", "my life")
    for data in (ledger[:-30], ledger + b"{}\n", b"hello\n", b""):
        path.write_bytes(data)
        code, _ = run("import", "-" if stream else str(path), *where, data=data if stream else None)
        assert (code, db.exists()) == (2, False)
    path.write_bytes(ledger)
    code, shown = run("import", str(path), "--db", str(db))
    assert (code, db.exists()) == (2, False)
    assert "a b.jsonl' --space 'my life'" in shown
    code, shown = run("import", "-" if stream else str(path), *where, data=ledger if stream else None)
    assert (code, f"{len(ledger.splitlines()) - 1} items added" in shown) == (0, True)
    code, shown = run("export", "-", *where)
    assert shown == " ".join(ledger.decode().split())


def test_a_limit_of_nodes_means_each_kind_in_json_too(ledger: bytes, tmp_path: Path) -> None:
    where = ("--db", str(tmp_path / "new.db"), "--space", "my life")
    run("import", "-", *where, data=ledger)
    result = CliRunner().invoke(app, ["nodes", "--limit", "1", "--json", *where])
    kinds = [each["kind"] for each in json.loads(result.stdout)]
    assert kinds == ["star", "block", "level", "actor", "moment", "narrative"]


def test_every_node_that_is_listed_can_be_shown_and_fits_its_line(ledger: bytes, tmp_path: Path) -> None:
    where = ("--db", str(tmp_path / "new.db"), "--space", "my life")
    run("import", "-", *where, data=ledger)
    listed = CliRunner().invoke(app, ["nodes", "--limit", "1", "--json", *where])
    for node in json.loads(listed.stdout):
        code, shown = run("show", node["id"], *where)
        assert code == 0, (node, shown)
    shown = CliRunner().invoke(app, ["nodes", *where]).output
    assert max(map(len, shown.splitlines())) <= 80
