"""What was done so far: kept in a file after every few rounds, so that another run goes on from there."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from campaign.part import Counts, Part


@dataclass
class Tally:
    """What was done of one part."""

    next: int = 0  # the seed of the next round
    seconds: float = 0.0
    counts: Counts = field(default_factory=Counter)
    failed: dict[str, str] = field(default_factory=dict)  # by seed
    mended: list[str] = field(default_factory=list)  # seeds that failed once and held when they were played again
    passed_over: str = ""  # why it cannot run on this machine

    def done(self, part: Part) -> int:
        """How much counts towards the goal."""
        return self.counts[part.COUNTED]


class Record:
    """The tallies of all parts, in a file or only here."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.tallies: dict[str, Tally] = {}
        if path is not None and path.exists():
            for name, told in json.loads(path.read_text(encoding="utf-8")).items():
                self.tallies[name] = Tally(**told | {"counts": Counter(told["counts"])})

    def of(self, part: Part) -> Tally:
        """Give the tally of a part."""
        return self.tallies.setdefault(part.NAME, Tally())

    def save(self) -> None:
        """Write the file, whole or not at all."""
        if self._path is None:
            return
        told = {name: vars(tally) for name, tally in sorted(self.tallies.items())}
        unfinished = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        unfinished.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        unfinished.replace(self._path)


def table(record: Record, parts: Iterable[Part]) -> str:
    """Give the figures as a table in Markdown."""
    lines = [
        "| part | in every round | done | goal | counted besides | failed | seeds | minutes |",
        "|---|---|---:|---:|---|---:|---|---:|",
    ]
    for part in parts:
        tally = record.of(part)
        others = sorted((name, count) for name, count in tally.counts.items() if name != part.COUNTED)
        besides = tally.passed_over or ", ".join(f"{count:,} {name}" for name, count in others)
        seeds = f"0 to {tally.next - 1:,}" if tally.next else ""
        failed = f"{len(tally.failed)}" + (f" ({', '.join(tally.failed)})" if tally.failed else "")
        failed += f", once: {', '.join(tally.mended)}" if tally.mended else ""
        done = f"{tally.done(part):,} {part.COUNTED}"
        cells = (part.NAME, part.HOLDS, done, f"{part.GOAL:,}", besides, failed, seeds, f"{tally.seconds / 60:,.0f}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
