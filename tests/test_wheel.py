"""The wheel: it carries a bill of materials that tells of what the lock holds."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

from tools.dependencies import BILL, LOCK, PAGE, ROOT, locked, main, told_licences


def test_the_page_and_the_bill_tell_of_what_is_locked() -> None:
    assert main("check") == 0
    packages = locked(LOCK.read_text(encoding="utf-8"))
    assert {"numpy", "click", "rich", "mcp"} <= packages.keys()
    assert "asterism" in packages["numpy"].used_by
    assert told_licences(PAGE.read_text(encoding="utf-8")).keys() == packages.keys()


def test_a_wheel_carries_its_bill_of_materials(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if ".dist-info/sboms/" in each]
        told = json.loads(archive.read(name))
    assert told == json.loads(BILL.read_text(encoding="utf-8"))
    assert (told["bomFormat"], told["metadata"]["component"]["name"]) == ("CycloneDX", "asterism")
    named = {each["name"]: each for each in told["components"]}
    assert {name for name, each in named.items() if each["scope"] == "required"} >= {"numpy", "click", "rich"}
    assert not {"pytest", "ruff", "mypy"} & named.keys()
    refs = {each["ref"] for each in told["dependencies"]}
    assert {need for each in told["dependencies"] for need in each["dependsOn"]} <= refs
