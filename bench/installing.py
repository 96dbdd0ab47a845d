"""What an install weighs: fresh environments, installed by name, without pip and compiled files.

It needs the package index, so it runs only when it is named: python -m bench installing
"""

from __future__ import annotations

import subprocess
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path

from bench.timing import Figure, Goal

NAME = "installing"
ON_REQUEST = True
ROOT = Path(__file__).parents[1]
TOOLS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "wheel")
WAYS: dict[str, tuple[tuple[str, ...], ...]] = {
    "asterism": ((str(ROOT),),),
    "asterism with word vectors (--no-deps wordllama)": ((str(ROOT),), ("--no-deps", "wordllama")),
    "asterism with the extra words (all that wordllama asks for)": ((f"{ROOT}[words]",),),
    "asterism with the extra mcp, and word vectors": ((f"{ROOT}[mcp]",), ("--no-deps", "wordllama")),
}


def run(*, quick: bool) -> Iterator[Figure]:
    for name, steps in list(WAYS.items())[: 2 if quick else None]:
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            venv.create(folder, with_pip=True)
            for step in steps:
                subprocess.run(
                    [f"{folder}/bin/python", "-m", "pip", "install", "-q", "--no-compile", *step], check=True
                )
            seconds = time.perf_counter() - began
            weight = weigh(Path(folder)) / 1e6
        goal = Goal("ours", "<=", 120.0) if "--no-deps" in name else None
        yield Figure(name, "MB", weight, weight, goal=goal, note=f"{seconds:.0f} s to install")


def weigh(folder: Path) -> int:
    """Add up the bytes of what was installed, without the tools that installed it."""
    return sum(
        file.stat().st_size
        for packages in folder.glob("lib/python*/site-packages")
        for part in packages.iterdir()
        if not part.name.startswith(TOOLS)
        for file in ([part] if part.is_file() else part.rglob("*"))
        if file.is_file() and file.suffix != ".pyc"
    )
