"""What a fresh process pays before it can begin, beyond Python's own start; numpy's share is told apart."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from bench import processes
from bench.timing import Figure, Goal, Timing, duration, median

NAME = "importing"
IMPORT = "from asterism import Memory"
OPEN = f"{IMPORT}\nwith Memory.open_sync(':memory:', space='me') as memory: pass"
SCRIPTS = {
    "nothing": "pass",
    "import numpy": "import numpy",
    "import asterism": "import asterism",
    IMPORT: f"import numpy\n{IMPORT}",
    "- and open a memory": f"import numpy\n{OPEN}",
    "- and tell it something": f"import numpy\n{OPEN[:-4]}memory.add_star('Sleep', domain='health')",
    "asterism --help": "import sys; sys.argv = ['asterism', '--help']; from asterism.entry.cli import main; main()",
}
BESIDE_NUMPY = {IMPORT: Goal("ours", "<=", 120.0), "- and open a memory": None, "- and tell it something": None}
GOALS = BESIDE_NUMPY | {"import asterism": Goal("ours", "<=", 150.0)}


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
        beside = name in BESIDE_NUMPY
        yield duration(
            name,
            timing - nothing - numpy if beside else timing - nothing,
            "ms",
            other="import numpy",
            theirs=numpy,
            goal=GOALS.get(name),
            note=f"less Python's own {nothing.cpu * 1e3:.0f} ms" + (" and numpy's" if beside else ""),
        )
