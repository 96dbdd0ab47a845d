"""The causal evaluation on sets that the test writes itself, in the public formats."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from asterism.core.discovery.detectors import Discovery, Link
from asterism.core.ledger.columns import Floats
from asterism.errors import InputError
from asterism.evals import causal
from asterism.evals.causal import Dataset
from asterism.evals.common_drivers import driver_set
from asterism.evals.labels import acts_as_collider, label_rows, leads_by_skewness
from asterism.evals.report import Report, Row, render, table

Links = Mapping[tuple[int, int], int]


def network(links: Links, *, rows: int, steps: int, strength: float = 0.7, number: int = 1) -> Floats:
    series = np.random.default_rng(number).normal(size=(rows, steps))
    for step in range(steps):
        for (cause, effect), delay in links.items():
            if step >= delay:
                series[effect, step] += strength * series[cause, step - delay]
    return series


def write_series(path: Path, series: Floats) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [",".join(f"S{index}" for index in range(len(series)))]
    lines += [",".join(f"{value:.6f}" for value in step) for step in series.T]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))


def write_truth(path: Path, links: Links, *, newline: str = "\n") -> None:
    path.write_text(newline.join(f"{cause},{effect},{delay}" for (cause, effect), delay in links.items()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    finance = {(0, 1): 1, (0, 2): 2, (3, 3): 1}
    write_series(tmp_path / "finance/one_returns.csv.gz", network(finance, rows=4, steps=600))
    write_truth(tmp_path / "finance/one_truth.csv", finance, newline="\r")
    ties = np.random.default_rng(7).exponential(size=(3, 900))
    ties[1] += ties[0]
    ties[2] += ties[1]
    write_series(tmp_path / "fmri/timeseries2.csv.gz", ties)
    write_truth(tmp_path / "fmri/sim2_truth.csv", {(0, 1): 1, (1, 2): 1, (0, 0): 1})
    for kind, name, links in (("var", "S_1", {(0, 1): 1}), ("lorenz96", "F_1", {(1, 0): 1})):
        (tmp_path / kind).mkdir()
        drives = np.eye(3)
        for cause, effect in links:
            drives[effect, cause] = 1
        np.savez(tmp_path / kind / f"{name}.npz", X_np=network(links, rows=3, steps=400), Gref=drives)
    return tmp_path


def test_every_kind_is_read_and_scored(folder: Path) -> None:
    heard: list[str] = []
    reports = {report.system: report for report in causal.run(folder, drivers=0, progress=heard.append)}
    assert list(reports) == ["reference", "seed", "seed_tuned", "granger", "best", "labels"]
    assert len(heard) == 4
    parts = causal.tables(list(reports.values()))
    assert [[report.system for report in part][-1] for part in parts] == ["best", "labels"]
    best = reports["best"]
    for kind in ("finance", "var", "lorenz96"):
        assert best.value(kind, "f1") == 1.0
    assert best.value("finance", "delay accuracy") == 1.0
    assert best.value("finance", "common driver: correlated") == 1.0
    assert best.value("finance", "common driver: causes") == 0.0
    assert best.value("fmri", "f1 either way") == 1.0
    assert best.value("fmri", "direction") == 0.5
    assert reports["seed"].value("var", "f1") == 0.0
    assert (reports["reference"].value("var", "recall"), reports["best"].preset) == (1.0, "best")


def test_two_runs_differ_in_seconds_only(folder: Path) -> None:
    def figures() -> list[object]:
        return [report.to_dict() for report in causal.run(folder, drivers=2, clock=lambda: 0.0)]

    assert json.dumps(figures()) == json.dumps(figures())


def test_a_part_of_the_folder_is_enough(folder: Path) -> None:
    reports = causal.run(folder / "var", drivers=0)
    assert [report.system for report in reports] == ["reference", "seed", "seed_tuned", "granger", "best"]
    assert {row.name for report in reports for row in report.rows} == {"var"}


def test_counts_of_a_known_answer_are_those_of_the_definition() -> None:
    truth = {(0, 1): 1, (1, 2): 3, (3, 4): 1}
    data = Dataset("finance", "x", np.zeros((5, 9)), truth)
    found = Discovery(
        "x",
        (Link(0, 1, 1, 1, positive=True), Link(1, 2, 2, 1, positive=True), Link(4, 3, 1, 1, positive=True)),
        frozenset(),
    )
    tally = causal._Tally()
    tally.add(data, found)
    rows = {row.metric: (row.value, row.n) for row in tally.rows("finance")}
    assert rows["precision"] == (2 / 3, 3)
    assert rows["recall"] == (2 / 3, 3)
    assert rows["f1"] == (2 / 3, 3)
    assert rows["f1 either way"] == (1.0, 3)
    assert rows["direction"] == (2 / 3, 3)
    assert rows["delay accuracy"] == (0.5, 2)


def test_only_pairs_without_any_path_count_as_driven_in_common() -> None:
    data = Dataset("var", "x", np.zeros((5, 9)), {(0, 1): 1, (0, 2): 1, (0, 3): 1, (1, 4): 1, (4, 2): 1})
    assert data.driven_in_common() == [(1, 3), (2, 3)]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("finance/a_returns.csv.gz", b"not gzip", "damaged"),
        ("finance/a_returns.csv", b"S0,S1\n1,x\n", "not numbers"),
        ("finance/a_returns.csv", b"S0,S1\n1,2\n3\n", "not numbers"),
        ("finance/a_returns.csv", b"S0,S1\n", "no values"),
        ("finance/a_returns.csv", b"S0,S1\n1,2\n", "no such file"),
        ("fmri/timeseries.csv", b"S0\n1\n", "holds no number"),
        ("var/S.npz", b"PK", "could not be read"),
    ],
)
def test_a_bad_file_is_named_with_what_was_expected(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    path = tmp_path / name
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        causal.run(tmp_path)
    assert "expected finance/" in str(caught.value)


@pytest.mark.parametrize(("truth", "reason"), [("0,1", "not cause,effect,delay"), ("0,9,1", "names series 9")])
def test_a_bad_truth_file_is_named(tmp_path: Path, truth: str, reason: str) -> None:
    write_series(tmp_path / "a_returns.csv.gz", np.zeros((2, 5)))
    (tmp_path / "a_truth.csv").write_text(f"\n{truth}\n\n")
    with pytest.raises(InputError, match=reason):
        causal.run(tmp_path)


def test_matrices_must_fit(tmp_path: Path) -> None:
    np.savez(tmp_path / "S_1.npz", X_np=np.zeros((3, 9)), Gref=np.zeros((2, 2)))
    with pytest.raises(InputError, match="not n x T and n x n"):
        causal.run(tmp_path)


def test_an_empty_or_absent_folder_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no"):
        causal.run(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        causal.run(tmp_path / "absent")


def test_reversed_labels_are_seen_as_such() -> None:
    drives = np.random.default_rng(5).exponential(size=(4, 3000))
    series = np.vstack([drives[0], drives[1], drives[0] + drives[1] + drives[2]])
    assert acts_as_collider(series, ends=(0, 1), middle=2)
    assert leads_by_skewness(series, cause=0, effect=2)
    assert leads_by_skewness(-series, cause=0, effect=2)
    right = {row.metric: row.value for row in label_rows("fmri", [(series, {(0, 2), (1, 2)})])}
    wrong = {row.metric: row.value for row in label_rows("fmri", [(series, {(2, 0), (2, 1)})])}
    assert right == {"listed colliders act as colliders": 1.0, "skewness agrees with listing": 1.0}
    assert wrong == {"listed forks act as colliders": 1.0, "skewness agrees with listing": 0.0}
    assert label_rows("fmri", [(series, {(0, 2), (2, 0)})]) == []
    assert len(label_rows("fmri", [(series, {(0, 2), (1, 2), (0, 1)})])) == 1


def test_a_table_groups_by_name_and_marks_what_is_missing() -> None:
    first = Report("causal", "one", "seed", (Row("a", "f1", 0.5, 4), Row("b", "f1", 1.0, 4)), 0.1)
    second = Report("causal", "two", "best", (Row("a", "f1", -0.25, 5), Row("a", "days", 127, 9)), 12.0)
    headers, lines = table([first, second])
    assert headers == ["name", "metric", "n", "one", "two"]
    assert lines == [
        ["a", "f1", "", ".500", "-.250"],
        ["a", "days", "9", "-", "127"],
        ["b", "f1", "4", "1.000", "-"],
    ]
    assert first.value("a", "f1") == 0.5
    assert first.value("a", "none") is None


def test_the_text_fits_the_terminal() -> None:
    rows = (Row("a name that is rather long", "a metric whose name is longer still", 1234.5, 10**6),)
    reports = [Report("causal", f"system{index}", "none", rows, 0.0) for index in range(5)]
    for width in (80, 100):
        assert max(len(line) for line in render(reports, width=width).splitlines()) <= width
    assert render([]).startswith("nothing was evaluated")


# --- sets with common drivers --------------------------------------------------------------------------------------


def test_without_a_folder_common_drivers_are_scored_by_recipe() -> None:
    reports = {report.system: report for report in causal.run(drivers=5, first=100)}
    assert list(reports) == ["reference", "seed", "seed_tuned", "granger", "best"]
    best = reports["best"]
    assert [row.name for row in best.rows if row.metric == "f1"] == [
        "drivers",
        "drivers, noisy",
        "drivers, returns",
        "drivers, slow",
        "drivers, spread",
        "drivers, values",
    ]
    assert best.value("drivers", "sets") == 5
    assert (best.value("drivers", "common driver: causes") or 0.0) <= 0.05
    assert (best.value("drivers", "f1") or 0.0) > 0.8
    assert [len(part) for part in causal.tables(list(reports.values()))] == [5]
    assert best.seconds == pytest.approx(best.value("drivers", "seconds"), abs=0.01)


def test_a_set_of_drivers_is_fixed_by_its_number_and_its_links_form_no_circle() -> None:
    for number in range(10):
        made, again = driver_set(number), driver_set(number)
        assert (made.series == again.series).all()
        assert np.isfinite(made.series).all()
        drives = np.zeros((len(made.series),) * 2)
        for cause, effect in made.links:
            drives[cause, effect] = 1
        assert not np.linalg.matrix_power(drives, len(drives)).any()
        assert set(made.links.values()) <= ({0} if made.recipe == "slow" else {1, 2, 3})
