"""Dialogues whose links are known, and how links are counted: what the dialogue evaluations share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from asterism.core.dialogue.lines import Line
from asterism.evals.recall_sets import read, unusable
from asterism.evals.report import Row
from asterism.evals.training.cases import Example

Pair = tuple[int, int]  # head, line
Views = Mapping[str, Callable[[Pair], bool]]  # by metric: the links it looks at
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Dialogue:
    """A dialogue, its gold links (head, line), and the lines whose links are known (all if None)."""

    name: str
    part: str  # the file or folder it came from
    lines: tuple[Line, ...]
    gold: frozenset[Pair]
    scored: frozenset[int] | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    group: str = ""

    def example(self, weight: float = 1.0) -> Example:
        """Give the dialogue as something to learn from."""
        heads: dict[int, list[int]] = {}
        for head, line in sorted(self.gold):
            if head < line:
                heads.setdefault(line, []).append(head)
        return Example(
            self.lines, heads, self.scored, self.aliases or None, group=self.group or self.name, weight=weight
        )


@dataclass(frozen=True, slots=True)
class Counted:
    """How many links were right, said, and known."""

    right: int = 0
    said: int = 0
    known: int = 0

    def f1(self) -> float:
        """Give the harmonic mean of precision and recall.

        >>> round(Counted(right=3, said=4, known=6).f1(), 3)
        0.6
        """
        return 2.0 * self.right / (self.said + self.known) if self.said + self.known else 0.0


def count(said: Sequence[frozenset[Pair]], dialogues: Sequence[Dialogue], keep: Callable[[Pair], bool]) -> Counted:
    """Count the links of all dialogues that are kept."""
    right = told = known = 0
    for links, dialogue in zip(said, dialogues, strict=True):
        mine = {pair for pair in links if keep(pair)}
        gold = {pair for pair in dialogue.gold if keep(pair)}
        right, told, known = right + len(mine & gold), told + len(mine), known + len(gold)
    return Counted(right, told, known)


def rows_of(
    name: str,
    said: Sequence[frozenset[Pair]],
    dialogues: Sequence[Dialogue],
    views: Mapping[str, Callable[[Pair], bool]],
) -> Iterable[Row]:
    """Give F1 of every view, and precision and recall of the first."""
    for place, (metric, keep) in enumerate(views.items()):
        counted = count(said, dialogues, keep)
        yield Row(name, metric, counted.f1(), counted.known)
        if place == 0:
            yield Row(name, "precision", counted.right / max(counted.said, 1), counted.known)
            yield Row(name, "recall", counted.right / max(counted.known, 1), counted.known)


def rows_by_part(
    said: Sequence[frozenset[Pair]],
    dialogues: Sequence[Dialogue],
    views: Mapping[str, Callable[[Pair], bool]],
    *,
    counted: str,
) -> Iterable[Row]:
    """Give the rows of each part, and how many dialogues (or what they are called) it has."""
    for part in dict.fromkeys(dialogue.part for dialogue in dialogues):
        mine = [at for at, dialogue in enumerate(dialogues) if dialogue.part == part]
        yield Row(part, counted, len(mine), len(mine))
        yield from rows_of(part, [said[at] for at in mine], [dialogues[at] for at in mine], views)


def sampled(dialogues: Sequence[Dialogue], most: int | None) -> list[Dialogue]:
    """Keep so many dialogues of each part, from all over it."""
    if most is None:
        return list(dialogues)
    kept: list[Dialogue] = []
    for part in dict.fromkeys(dialogue.part for dialogue in dialogues):
        mine = [dialogue for dialogue in dialogues if dialogue.part == part]
        kept += mine[:: max(1, -(-len(mine) // most))]
    return kept


def train_and_rest(dialogues: Sequence[Dialogue]) -> tuple[list[Dialogue], list[Dialogue]]:
    """Part dialogues by the name of their part: what is called train, and what is not."""
    train = [each for each in dialogues if "train" in each.part]
    return train, [each for each in dialogues if "train" not in each.part]


def load_units(
    data: Path, folder: str, kinds: frozenset[str] | None, line_of: Callable[[int, str, str], Line]
) -> list[Dialogue]:
    """Read every `.json` and `.json.gz` file of units and relations under a folder, or one such file."""
    inside = data / folder if (data / folder).is_dir() else data
    paths = [inside] if inside.is_file() else sorted([*inside.glob("*.json"), *inside.glob("*.json.gz")])
    found = [_dialogue(record, path, kinds, line_of) for path in paths for record in read(path)]
    if not found:
        raise unusable(data, "it holds no dialogues: no .json or .json.gz file with id, edus and relations")
    return found


def _dialogue(
    record: Mapping[str, object], path: Path, kinds: frozenset[str] | None, line_of: Callable[[int, str, str], Line]
) -> Dialogue:
    try:
        units, relations = record["edus"], record["relations"]
        assert isinstance(units, list)
        assert isinstance(relations, list)
        lines = tuple(line_of(at, str(unit["speaker"]), str(unit["text"])) for at, unit in enumerate(units))
        gold = frozenset(
            (int(one["x"]), int(one["y"])) for one in relations if kinds is None or str(one["type"]) in kinds
        )
        part = path.name.removesuffix(".gz").removesuffix(".json")
        return Dialogue(f"{part}/{record['id']}", part, lines, gold)
    except (KeyError, TypeError, ValueError, AssertionError) as problem:
        raise unusable(path, f"a dialogue does not read as units and relations ({problem!r})") from problem


def grouped(dialogues: Sequence[Dialogue]) -> list[Dialogue]:
    """Give dialogues that share an utterance (speaker and text) one group: learning from one would tell the other."""
    above = list(range(len(dialogues)))

    def root(at: int) -> int:
        while above[at] != at:
            above[at] = above[above[at]]
            at = above[at]
        return at

    seen: dict[tuple[str, str], int] = {}
    for at, dialogue in enumerate(dialogues):
        for line in dialogue.lines:
            other = seen.setdefault((line.author_name, line.content), at)
            above[root(at)] = root(other)
    return [replace(dialogue, group=str(root(at))) for at, dialogue in enumerate(dialogues)]
