"""The constellation in a real browser: what a frame costs while one moves about, by WebGL2 and by the canvas alone."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from asterism.formats.constellation import page
from bench.timing import Figure, Goal, Timing, duration
from tests.support.browser import CHROMIUM, Browser
from tests.support.skies import planted

NAME = "page"
FRAMES, TURNS = 10, 5
MOVED = """new Promise(done => {{ let left = {frames}; const step = () => {{ view.x += 3 / view.k; picture();
    if (left--) requestAnimationFrame(step); else done(); }}; step(); }})"""
GOALS = {"webgl2": Goal("ours", "<=", 30.0), "canvas": Goal("ours", "<=", 250.0)}


def run(*, quick: bool) -> Iterator[Figure]:
    if CHROMIUM is None:
        print("bench page: there is no Chromium here (Debian: apt-get install chromium)", file=sys.stderr)
        return
    sizes = ((30, 10, 45), (3_000, 60, 10_000)) if quick else ((30, 10, 45), (3_000, 60, 10_000), (30_000, 60, 60_000))
    with tempfile.TemporaryDirectory() as folder, Browser(Path(folder) / "browser") as browser:
        browser.call("Performance.enable", timeDomain="threadTicks")
        for nodes, each, links in sizes:
            cpu, wall = time.process_time(), time.perf_counter()
            text = page(planted(nodes, each, links))
            made = Timing(time.process_time() - cpu, time.perf_counter() - wall)
            written = Path(folder) / f"{nodes}.html"
            written.write_text(text, encoding="utf-8")
            yield duration(
                f"page of {nodes:,} nodes, {links:,} links: write it", made, "s", note=f"{len(text):,} bytes"
            )
            for painter in ("webgl2", "canvas"):
                browser.show(written, fragment="" if painter == "webgl2" else "canvas")
                if browser.js("painter.name") != painter:
                    print(f"bench page: this browser has no {painter}", file=sys.stderr)
                    continue
                for nearness, closer in (("all of it", 1.0), ("nearer", 6.0)):
                    browser.js(f"zoom({closer})")
                    yield duration(
                        f"page of {nodes:,} nodes by {painter}, {nearness}: a frame",
                        _frame(browser, painter),
                        "ms",
                        goal=GOALS[painter] if nodes == 30_000 else None,
                        note="of the page's own thread" if painter == "webgl2" else "of all threads of the browser",
                    )


def _frame(browser: Browser, painter: str) -> Timing:
    """Give what one frame costs: the page's thread, or, where the browser draws by itself, everything it does."""
    taken = []
    browser.js(MOVED.format(frames=FRAMES))
    for _ in range(TURNS):
        spent, began = _spent(browser, painter), time.perf_counter()
        browser.js(MOVED.format(frames=FRAMES))
        gone = Timing(_spent(browser, painter) - spent, time.perf_counter() - began)
        taken.append(gone.per(FRAMES + 1))
    return Timing(statistics.median(each.cpu for each in taken), statistics.median(each.wall for each in taken))


def _spent(browser: Browser, painter: str) -> float:
    if painter == "webgl2":
        told = browser.call("Performance.getMetrics")["metrics"]
        return float(next(each["value"] for each in told if each["name"] == "TaskDuration"))
    return _processor_seconds(browser.process)


def _processor_seconds(root: int) -> float:
    """Add up what a process and all below it have spent, as /proc tells it."""
    stats = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = entry.read_text().rpartition(")")
        except OSError:
            continue  # it has ended meanwhile
        fields = rest.split()
        stats[int(name.split()[0])] = int(fields[1]), int(fields[11]) + int(fields[12])
    family = {root}
    while more := {child for child, (parent, _) in stats.items() if parent in family} - family:
        family |= more
    return sum(stats[each][1] for each in family & stats.keys()) / os.sysconf("SC_CLK_TCK")
