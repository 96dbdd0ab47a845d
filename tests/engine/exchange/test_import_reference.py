"""The file of a reference server is taken in, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from asterism.errors import InputError
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import is_told_well, remembering

REFERENCE = """\
{"type":"entity","name":"Ada","entityType":"person","observations":["Likes tea","Plays the piano"]}
{"type":"entity","name":"Acme Corp","entityType":"company","observations":[]}

{"type":"relation","from":"Ada","to":"Acme Corp","relationType":"works_at"}"""


def test_the_file_of_a_reference_server_is_taken_in(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    path.write_text(REFERENCE, encoding="utf-8")
    with remembering(InMemoryStore()) as memory:
        imported = memory.import_(path)
        assert (imported.format, imported.entities, imported.observations, imported.relations) == ("reference", 2, 2, 1)
        assert len(memory.blocks()) == 5
        (link,) = memory.links()
        assert link.family == "connection"
        assert memory.recall("Likes tea").hits[0].text == "Ada: Likes tea"
        again = memory.import_(path)
        assert (again.added, again.duplicates) == (0, 5)
        assert memory.verify().ok


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"entity","name":"Bo"}',
        '{"type":"entity","name":"","entityType":"person","observations":[3]}',
        '{"type":"relation","from":"Ada","to":7,"relationType":"x"}',
        '{"type":"rumour"}',
        "no JSON",
        '{"type":"entity","name":"' + "x" * 20_000 + '","entityType":"person","observations":[]}',
    ],
)
def test_one_bad_line_of_it_and_nothing_is_written(tmp_path: Path, line: str) -> None:
    path = tmp_path / "memory.json"
    path.write_text(f"{REFERENCE}\n{line}\n", encoding="utf-8")
    with remembering(InMemoryStore()) as memory:
        with pytest.raises(InputError) as refused:
            memory.import_(path)
        assert refused.value.item == "memory.json:5"
        assert is_told_well(refused.value)
        assert memory.blocks() == []
