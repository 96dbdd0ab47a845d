"""IRC reply links: which earlier message does a message of a busy channel answer?

    asterism eval irc --data FOLDER

The folder (or its folder `irc_reply_links`) holds logs `NAME.ascii.txt.gz` (or `.txt`) with `NAME.annotation.txt`
beside them, in any folders below; each folder is a part with its own rows. Links are counted with self links (a message
that starts something), as the set's paper does; only messages that are the later end of a link are scored. The table
`channel` was fitted on the folder `train` of the developer part and never saw `dev`.
"""

from __future__ import annotations

import gzip
import re
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from asterism.core.dialogue.lines import Line
from asterism.evals.dialogue_families import families_report
from asterism.evals.dialogue_sets import Dialogue, Pair, Progress, rows_by_part, sampled, train_and_rest
from asterism.evals.dialogue_systems import BASELINES, System, run_systems, table_system
from asterism.evals.recall_sets import unusable
from asterism.evals.report import Report, Row
from asterism.evals.used_links import FROM_LOG, log_read

FAR = 8
WINDOW = 60
VIEWS: dict[str, Callable[[Pair], bool]] = {
    "link f1": lambda _: True,
    "f1 without self": lambda pair: pair[0] != pair[1],
    f"f1 beyond {FAR} lines": lambda pair: pair[1] - pair[0] > FAR,
}
SPOKEN = re.compile(r"^\[\d\d:\d\d(?::\d\d)?\]\s+<([^>]*)> ?(.*)$")
ACTED = re.compile(r"^(?:===|\[\d\d:\d\d(?::\d\d)?\]\s+\*) (\S+)\s*(.*)$")
SYSTEM = re.compile(
    r"^=== (?:\S+ \[|mode/|#|topic|signoff|\S+ (?:is now known as|was kicked|changed|sets)\b"
    r"|.*\bhas (?:joined|left|quit|changed|set)\b)",
    re.IGNORECASE,
)
RENAMED = re.compile(r"^=== (\S+) is now known as (\S+)")


def run(
    data: Path,
    *,
    progress: Progress | None = None,
    families: bool = False,
    as_used: bool = False,
    sample: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Score every system on all logs found, or on a sample; with `families`, what each family of features adds.

    With `as_used`, only what a user gets and the baselines.
    """
    dialogues = sampled(load(data), sample)
    if families:
        fit, check = train_and_rest(dialogues)
        options = {"window": WINDOW, "l2": 8.0, "most": 11, "words": 0}
        return families_report(
            "irc", fit[::3], check, rows=_rows, as_system=_with_self, progress=progress, clock=clock, **options
        )
    logs = logs_of(data)
    systems: dict[str, tuple[System, str]] = {
        "as used": (lambda dialogue: log_read(dialogue, logs[dialogue.name]), FROM_LOG),
        **BASELINES,
    }
    if not as_used:
        systems |= {"reply": (table_system("reply"), "reply"), "inside": (table_system("channel"), "channel")}
    systems = {name: (_with_self(system), preset) for name, (system, preset) in systems.items()}
    return run_systems("irc", systems, dialogues, _rows, progress=progress, clock=clock)


def load(data: Path) -> list[Dialogue]:
    """Read every annotated log under the folder."""
    return [_dialogue(path, log) for path, log in _found(data)]


def logs_of(data: Path) -> dict[str, list[str]]:
    """Give the rows of every annotated log, by the name of its dialogue."""
    return {_name(path): log for path, log in _found(data)}


def _found(data: Path) -> list[tuple[Path, list[str]]]:
    folder = data / "irc_reply_links" if (data / "irc_reply_links").is_dir() else data
    found = []
    for path in sorted(folder.rglob("*.annotation.txt")):
        stem = path.name.removesuffix(".annotation.txt")
        beside = [path.with_name(f"{stem}.ascii.txt{end}") for end in (".gz", "")]
        log = next((each for each in beside if each.exists()), None)
        if log is None:
            raise unusable(path, f"its log {stem}.ascii.txt.gz is not beside it")
        found.append((path, _text(log).split("\n")))
    if not found:
        raise unusable(data, "it holds no logs: no NAME.annotation.txt with NAME.ascii.txt.gz beside it")
    return found


def _name(annotation: Path) -> str:
    return f"{annotation.parent.name}/{annotation.name.removesuffix('.annotation.txt')}"


def _text(path: Path) -> str:
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError, zlib.error) as problem:
        raise unusable(path, f"it is damaged ({problem})") from problem
    return raw.decode("utf-8", errors="replace")


def _dialogue(annotation: Path, log: Sequence[str]) -> Dialogue:
    aliases: dict[str, str] = {}
    lines = [_line(at, text, aliases) for at, text in enumerate(log)]
    gold = set()
    for number, text in enumerate(_text(annotation).splitlines(), start=1):
        ends = text.split()[:2]
        if len(ends) < 2 or not all(end.isdigit() and int(end) < len(lines) for end in ends):
            raise unusable(annotation, f"line {number} is no link of two messages of the log: {text!r}")
        low, high = sorted(int(end) for end in ends)
        gold.add((low, high))
    part, later = annotation.parent.name, frozenset(high for _, high in gold)
    return Dialogue(_name(annotation), part, tuple(lines), frozenset(gold), later, aliases)


def _line(at: int, text: str, aliases: dict[str, str]) -> Line:
    """Read a message; who renames himself goes by both names, and a line without a speaker is the system's."""
    spoken = SPOKEN.match(text)
    if spoken:
        return Line(at, spoken[1], spoken[2])
    renamed = RENAMED.match(text)
    if renamed:
        old, new = renamed[1].lower(), renamed[2].lower()
        first = aliases.get(old, old)
        if new != first:
            aliases[new] = first
    acted = None if SYSTEM.match(text) else ACTED.match(text)
    return Line(at, acted[1], acted[2]) if acted else Line(at, "", text, None, "system")


def _with_self(system: System) -> System:
    """Let a message without a head start something, and keep to the messages that are scored."""

    def links(dialogue: Dialogue) -> frozenset[Pair]:
        scored = dialogue.scored or frozenset()
        found = {(head, line) for head, line in system(dialogue) if line in scored}
        led = {line for _, line in found}
        return frozenset(found | {(line, line) for line in scored - led})

    return links


def _rows(said: Sequence[frozenset[Pair]], dialogues: Sequence[Dialogue]) -> Iterable[Row]:
    return rows_by_part(said, dialogues, VIEWS, counted="logs")
