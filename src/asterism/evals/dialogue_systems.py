"""What the dialogue evaluations compare: baselines, the seed's scorer, shipped tables, tables fitted in the run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.reply import AS_FITTED, NONE, Knobs, ReplyModel
from asterism.core.dialogue.scoring import hill, is_yes_no_answer, lexical, seed_score, tokens_of
from asterism.core.dialogue.tables import Table
from asterism.evals.dialogue_sets import Dialogue, Pair, Progress
from asterism.evals.report import Report, Row
from asterism.evals.training.fit import fit_table
from asterism.weights import reply_table

System = Callable[[Dialogue], frozenset[Pair]]
Rows = Callable[[Sequence[frozenset[Pair]], Sequence[Dialogue]], Iterable[Row]]
FOLDS = 5


def previous(dialogue: Dialogue) -> frozenset[Pair]:
    """Link every line to the one before, system lines apart."""
    spoken = _spoken(dialogue)
    return frozenset(pairwise(spoken))


def previous_other(dialogue: Dialogue) -> frozenset[Pair]:
    """Link every line to the last line of another speaker."""
    found = set()
    last: tuple[int, int] = (NONE, NONE)  # the last line, and the last one by somebody else than its speaker
    for line in _spoken(dialogue):
        near, far = last
        if near != NONE and dialogue.lines[near].author_name == dialogue.lines[line].author_name:
            near = far
        if near != NONE:
            found.add((near, line))
        last = (line, near)
    return frozenset(found)


def seed_forward(dialogue: Dialogue) -> frozenset[Pair]:
    """Let every line, as a weak intent, claim the best line of another speaker within 8 lines, at .10 and more."""
    rules = DialogueParameters()
    best: dict[int, tuple[float, int]] = {}
    for head, line, score in _seed_scores(dialogue, rules):
        if score >= rules.weak_min_score and score > best.get(head, (0.0, 0))[0]:
            best[head] = (score, line)
    return frozenset((head, line) for head, (_, line) in best.items())


def seed_backward(dialogue: Dialogue) -> frozenset[Pair]:
    """Let every line choose its head by the same score."""
    best: dict[int, tuple[float, int]] = {}
    for head, line, score in _seed_scores(dialogue, DialogueParameters()):
        if score >= best.get(line, (0.0, 0))[0]:  # the nearer of equals: heads come in order
            best[line] = (score, head)
    return frozenset((head, line) for line, (_, head) in best.items())


BASELINES: Mapping[str, tuple[System, str]] = {
    "previous": (previous, "-"),
    "previous other": (previous_other, "-"),
    "seed": (seed_forward, "seed"),
    "seed backward": (seed_backward, "seed"),
}


def _seed_scores(dialogue: Dialogue, rules: DialogueParameters) -> Iterable[tuple[int, int, float]]:
    spoken = _spoken(dialogue)
    words = {line: tokens_of(dialogue.lines[line].content) for line in spoken}
    for place, line in enumerate(spoken):
        mine = dialogue.lines[line]
        answers = is_yes_no_answer(mine.content)
        for head in spoken[max(0, place - rules.k_local) : place]:
            theirs = dialogue.lines[head]
            if theirs.author_name != mine.author_name and line - head <= rules.k_local:
                near = hill(line - head, tau=rules.hill_tau, power=rules.hill_power)
                answer = answers and "?" in theirs.content
                shared = lexical(words[head], words[line])
                yield head, line, seed_score(near, shared, answer=answer, parameters=rules)


def table_system(table: str | Table, knobs: Knobs = AS_FITTED) -> System:
    """Let a table choose every line's head."""
    model = ReplyModel(reply_table(table) if isinstance(table, str) else table, knobs)

    def links(dialogue: Dialogue) -> frozenset[Pair]:
        since = max(0, min(dialogue.scored) - model.table.window) if dialogue.scored else 0
        heads = model.choose(dialogue.lines, aliases=dialogue.aliases, since=since).heads()
        return frozenset((head, line) for line, head in heads.items() if head != NONE)

    return links


def _spoken(dialogue: Dialogue) -> list[int]:
    return [line.line_index for line in dialogue.lines if line.kind != "system"]


def run_systems(
    eval_name: str,
    systems: Mapping[str, tuple[System, str]],
    dialogues: Sequence[Dialogue],
    rows: Rows,
    *,
    progress: Progress | None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Run systems, each with the preset it uses, over all dialogues; report rows and time of each."""
    reports = []
    for name, (system, preset) in systems.items():
        if progress is not None:
            progress(name)
        started = clock()
        said = [system(dialogue) for dialogue in dialogues]
        seconds = clock() - started
        reports.append(Report(eval_name, name, preset, tuple(rows(said, dialogues)), seconds))
    return reports


def cross_fitted(
    dialogues: Sequence[Dialogue],
    fit: Callable[[Sequence[Dialogue]], Table],
    progress: Progress | None,
    knobs: Knobs = AS_FITTED,
) -> System:
    """Fit one table for each fold of groups, on the others; each dialogue is read by the one that never saw it."""
    groups = {group: at % FOLDS for at, group in enumerate(dict.fromkeys(each.group for each in dialogues))}
    systems: dict[int, System] = {}
    for fold in range(FOLDS):
        others = [each for each in dialogues if groups[each.group] != fold]
        if others and len(others) < len(dialogues):
            if progress is not None:
                progress(f"fitting without fold {fold + 1} of {FOLDS}")
            systems[fold] = table_system(fit(others), knobs)

    def links(dialogue: Dialogue) -> frozenset[Pair]:
        return systems[groups[dialogue.group]](dialogue)

    return links


def fitted(dialogues: Sequence[Dialogue], *, name: str, **options: object) -> Table:
    """Fit a table on dialogues."""
    return fit_table([each.example() for each in dialogues], name=name, **options)  # type: ignore[arg-type]
