"""The weights that ship: the same numbers as ever, with their provenance, read only when they are asked for."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zipfile
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

from asterism.core.dialogue.tables import TABLES, Table
from asterism.errors import InputError
from asterism.evals import dialogue_fit
from asterism.evals.dialogue_fit import PLANS
from asterism.weights import reply_table
from asterism.weights.table_files import table_of, text_of

# Of every number to its last bit, taken when the tables were Python modules; a table that is fitted anew has another.
DIGESTS = {
    "reply": "9c11d93f77e0742e8326e8c3999f728fbf4819b71e70d33508d87c97d9f9037a",
    "instruction": "599c4ed4887b5b999a451bcf6305748fd7d6710722599256dff07f63806cad52",
    "channel": "eb8d0ff9b6b581a87e4095f9c52ac0d662398309d469d154d9cc6749c4bb918a",
    "group": "07ef189cba62519e021128a467a634646bfc32b1e3f4613befd6c149a5d20974",
}


def digest(table: Table) -> str:
    """Hash the names, the order and the bits of all that a table holds."""
    told = hashlib.sha256(f"{table.name}\n{table.fitted_on}\n{table.window}\n".encode())
    for look in (table.first, table.second):
        for name, value in look.items():
            told.update(f"{name} {value.hex()}\n".encode())
        told.update(b"\n")
    if table.hidden is not None:
        for part in (table.hidden.inwards, table.hidden.bias, table.hidden.outwards):
            told.update(f"{part.dtype.str} {part.shape}\n".encode() + part.tobytes())
    for name in table.hidden_names:
        told.update(f"{name}\n".encode())
    return told.hexdigest()


@pytest.mark.parametrize("name", TABLES)
def test_a_shipped_table_has_its_weights_to_the_last_bit(name: str) -> None:
    assert digest(reply_table(name)) == DIGESTS[name]


@pytest.mark.parametrize("name", TABLES)
def test_a_shipped_table_says_where_its_numbers_come_from_and_never_from_stac(name: str) -> None:
    told = json.loads(files("asterism.weights").joinpath(f"{name}.json").read_text(encoding="utf-8"))["provenance"]
    table, plan = reply_table(name), PLANS[name]
    assert table.fitted_on == told["fitted_on"] == plan.fitted_on
    assert (table.name, table.window) == (name, plan.window)
    assert [source["dataset"] for source in told["sources"]] == [source.dataset for source in plan.sources]
    for source in told["sources"]:
        assert source["part"]
        assert source["licence"] in table.fitted_on
        assert "stac" not in source["dataset"].lower()
    assert told["settings"]["l2"] == plan.l2
    assert told["fitted_at"]


def test_an_unknown_table_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match="reply, instruction, channel"):
        reply_table("poetry")


def test_opening_a_memory_and_reading_with_the_seed_reads_no_table() -> None:
    check = """
import sys
from asterism import Memory
said = [("Ann", "I open the red chest."), ("DM", "The chest opens.")]
lines = [(at, who, text, at) for at, (who, text) in enumerate(said)]
with Memory.open_sync(":memory:", space="home") as memory:
    memory.read_transcript(lines, session="one", responders=["DM"])
    assert "asterism.weights.table_files" not in sys.modules
    memory.read_transcript(lines, session="two", responders=["DM"], preset="tuned")
    assert "asterism.weights.table_files" in sys.modules
"""
    subprocess.run([sys.executable, "-c", check], check=True)


def test_a_table_is_read_from_a_package_inside_a_zip(tmp_path: Path) -> None:
    """Reading goes through the package's resources, not through a path beside a module."""
    package = Path(str(files("asterism")))
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(package.rglob("*")):
            if path.suffix in (".py", ".json"):
                archive.write(path, Path("asterism") / path.relative_to(package))
    check = f"""
import sys
sys.path.insert(0, {str(packed)!r})
import asterism.weights
assert asterism.weights.__file__.startswith({str(packed)!r})
print(len(asterism.weights.reply_table("reply").first))
"""
    told = subprocess.run([sys.executable, "-c", check], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert told.stdout.strip() == str(len(reply_table("reply").first))


@pytest.mark.parametrize("name", TABLES)
def test_the_file_of_a_table_is_what_the_writer_writes(name: str) -> None:
    text = files("asterism.weights").joinpath(f"{name}.json").read_text(encoding="utf-8")
    provenance = json.loads(text)["provenance"]
    del provenance["fitted_on"]
    assert text_of(table_of(text), provenance) == text
    assert provenance == json.loads(
        json.dumps(dialogue_fit.provenance(name, date(2026, 11, 18 if name == "group" else 16)))
    )
