"""The heavy calls: why of a pair, an erasure, the page, an import and a long transcript, each in a large memory."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from asterism import Memory
from asterism.core.connections.explain import LinkWatch, why_link
from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.items import Item
from asterism.core.space.projection import FOLD_VERSION, Projection
from asterism.engine.explain.look import Look
from asterism.formats.ledger import Header, header_line, item_line
from asterism.sync import Memory as SyncMemory
from bench.processes import compiled
from bench.processes import run as in_a_process
from bench.replay import FIRST_DAY, SPACE, ledger
from bench.timing import Figure, Goal, Timing, duration, timed

NAME = "heavy"
NOW = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=FIRST_DAY + 1_100)
SHAPES = {  # pairs, stars, days of 80,000 items
    "many links, a month": (40_000, 2_000, 30),
    "few links, 1,000 days": (200, 40, 1_000),
}
SAID = (
    "the door opens slowly and we try to find what was lost in an old tower because nobody knows why she will go "
    "there tomorrow if it rains open attack decide promise take key dragon village asked answered again"
)
SPEAKERS = ("Ada", "Bo", "Cy", "Di", "Eve GM")
IMPORT = """
import sys
from asterism import Memory
with Memory.open_sync(sys.argv[1], space="bench") as memory:
    memory.import_(sys.argv[2])
try:
    with open("/proc/self/status") as status:  # of this process alone: getrusage remembers who started it
        print(next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024)
except OSError:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 1024))
"""


def run(*, quick: bool) -> Iterator[Figure]:
    scale = 10 if quick else 1
    with tempfile.TemporaryDirectory() as folder:
        for shape, (pairs, stars, days) in SHAPES.items():
            made = ledger(items=80_000 // scale, pairs=pairs // scale, stars=max(stars // scale, 20), days=days)
            yield from _asked(Path(folder), shape, made)
        yield from _pages(Path(folder), nodes=2_000 // scale)
        yield from _import(Path(folder), items=300_000 // scale)
        yield from _transcript(Path(folder), lines=15_000 // scale)


def _file(path: Path, items: list[Item]) -> Path:
    with path.open("wb") as out:
        out.write(header_line(Header(SPACE, ("seed",), {}, None, FOLD_VERSION)))
        out.writelines(map(item_line, items))
    return path


def _opened(path: Path) -> SyncMemory:
    return Memory.open_sync(path, space=SPACE, clock=NOW)


def _asked(folder: Path, shape: str, items: list[Item]) -> Iterator[Figure]:
    path = folder / "asked.db"
    path.unlink(missing_ok=True)
    with _opened(path) as memory:
        memory.import_(_file(folder / "asked.jsonl", items))
    a, b = next((str(item.payload["a"]), str(item.payload["b"])) for item in items if item.what == "evidence")
    with _opened(path) as memory:
        memory.stats()
        ours = timed(lambda: memory.why(a, b))
        assert memory.why(a, b).lines == _watched(memory, a, b)
        plain = timed(lambda: _watched(memory, a, b))
    note = f"{len(items):,} items; the first call of a process, its memory open"
    yield duration(
        f"why of a pair: {shape}",
        ours,
        "ms",
        other="the whole ledger folded again with a watch, the same lines",
        theirs=plain,
        goal=Goal("ours", "<=", 150),
        note=note,
    )
    copy = folder / "erased.db"
    shutil.copy(path, copy)
    with _opened(copy) as memory:
        memory.stats()
        erased = timed(lambda: memory.erase(f"node:{a}"))
    with _opened(copy) as memory:
        bare = timed(lambda: memory.verify())
    yield duration(
        f"erase of a star: {shape}",
        erased,
        "s",
        other="verify: the ledger read and folded once",
        theirs=bare,
        goal=Goal("ours", "<=", 2),
        note="every byte of it gone, the file written anew",
    )


def _watched(memory: SyncMemory, a: str, b: str) -> object:
    live = memory.__dict__["_async"]._live
    look = Look(live)
    watches: list[LinkWatch] = []

    def watch(folded: Projection) -> LinkWatch:
        watches.append(LinkWatch(folded.connections, a, b))
        return watches[0]

    live.replay(look.moment, watch=watch)
    told = why_link(watches[0], day=day_of(look.moment))
    assert told is not None
    return told.lines


def _pages(folder: Path, *, nodes: int) -> Iterator[Figure]:
    items = ledger(items=10 * nodes, pairs=3 * nodes, stars=nodes, days=120)
    with _opened(folder / "stars.db") as memory:
        memory.import_(_file(folder / "stars.jsonl", items))
        ours = timed(lambda: memory.export(folder / "stars.html"))
    yield duration(f"page of {nodes:,} stars", ours, "s", goal=Goal("ours", "<=", 2), note=f"{3 * nodes:,} links")
    chance = random.Random(4)
    topics = [chance.sample(range(300), 12) for _ in range(max(nodes // 33, 1))]
    texts = [
        " ".join(f"word{word}" for word in [*chance.sample(topics[n % len(topics)], 6), *chance.sample(range(300), 2)])
        for n in range(nodes)
    ]
    with _opened(folder / "blocks.db") as memory:
        memory.learn_many(texts)
        memory.dream()
        ours = timed(lambda: memory.export(folder / "blocks.html"))
    yield duration(f"page of {nodes:,} dreamed blocks", ours, "s", goal=Goal("ours", "<=", 2))


def _import(folder: Path, *, items: int) -> Iterator[Figure]:
    made = ledger(items=items, pairs=items // 3, stars=2_000, days=60)
    path = _file(folder / "import.jsonl", made)
    with compiled() as environment:
        in_a_process("from asterism import Memory", environment=environment)
        timing, printed = in_a_process(IMPORT, folder / "import.db", path, environment=environment)
    megabytes = float(printed)
    size = path.stat().st_size / 2**20
    yield Figure(
        f"import of {items:,} items, peak memory",
        "MB",
        megabytes,
        megabytes,
        other="the file",
        other_cpu=size,
        other_wall=size,
        goal=Goal("ours", "<=", 200),
        note="of a fresh process, all of it; one transaction",
    )
    yield duration(f"import of {items:,} items", timing, "s")


def _transcript(folder: Path, *, lines: int) -> Iterator[Figure]:
    chance, words = random.Random(2), SAID.split(" ")

    def told(count: int) -> list[dict[str, object]]:
        return [
            {
                "line_index": number,
                "author_name": chance.choice(SPEAKERS),
                "content": " ".join(chance.choices(words, k=chance.randint(4, 18))) + chance.choice(".?!"),
                "timestamp_ms": 1_760_000_000_000 + number * 4_000,
            }
            for number in range(count)
        ]

    timings: list[Timing] = []
    for count in (lines // 5, lines):
        spoken = told(count)
        with _opened(folder / f"read{count}.db") as memory:
            memory.stats()
            timings.append(timed(lambda: memory.read_transcript(spoken, session="bench")))  # noqa: B023  # called now
    yield duration(
        f"reading {lines:,} lines",
        timings[1],
        "s",
        other=f"{lines // 5:,} lines, five times",
        theirs=Timing(timings[0].cpu * 5, timings[0].wall * 5),
    )
    spoken = told(20)
    spoken[3]["content"] = " ".join(chance.choices(words, k=200 * lines // 15))
    with _opened(folder / "long.db") as memory:
        memory.stats()
        long = timed(lambda: memory.read_transcript(spoken, session="bench"))
    size = len(str(spoken[3]["content"]))
    yield duration("reading 20 lines, one of them very long", long, "s", note=f"{size:,} characters in one line")
