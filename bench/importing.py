"""What a fresh process pays before it can begin, beyond Python's own start."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from bench import processes
from bench.timing import Figure, Goal, Timing, duration, median

NAME = "importing"
SCRIPTS = {
    "nothing": "pass",
    "import numpy": "import numpy",
    "import asterism": "import asterism",
    "from asterism import Memory": "from asterism import Memory",
    "asterism --help": "import sys; sys.argv = ['asterism', '--help']; from asterism.entry.cli import main; main()",
}


def run(*, quick: bool) -> Iterator[Figure]:
    scripts = dict(SCRIPTS)
    if find_spec("asterism.entry.cli") is None:
        del scripts["asterism --help"]
    taken: dict[str, list[Timing]] = {name: [] for name in scripts}
    with processes.compiled() as environment:
        for turn in range(6 if quick else 16):
            for name, script in scripts.items():
                timing, _ = processes.run(script, environment=environment)
                if turn:  # the first one compiles
                    taken[name].append(timing)
    found = {name: median(each) for name, each in taken.items()}
    nothing = found.pop("nothing")
    numpy = found.pop("import numpy") - nothing
    for name, timing in found.items():
        yield duration(
            name,
            timing - nothing,
            "ms",
            other="import numpy",
            theirs=numpy,
            goal=Goal("ours", "<=", 150.0) if name == "import asterism" else None,
            note=f"less Python's own {nothing.cpu * 1e3:.0f} ms"
            + ("" if name == "import asterism" else f"; {(timing - nothing - numpy).cpu * 1e3:.0f} ms beside numpy's"),
        )
