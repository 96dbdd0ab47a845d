"""The dialogue evaluations on small sets that the tests write themselves, in the public formats."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.tables import TABLES
from asterism.errors import InputError
from asterism.evals import crd3, dialogue_fit, irc, minecraft, molweni, used_crd3
from asterism.evals.dialogue_sets import Dialogue, grouped
from asterism.evals.dialogue_systems import previous, previous_other, seed_backward, seed_forward
from asterism.evals.report import Report, render
from asterism.weights.table_files import table_of

COLOURS = ("red", "blue", "green", "purple")


def building(number: int) -> dict[str, object]:
    colour = COLOURS[number % 4]
    said = [
        ("Builder", "Mission has started."),
        ("Architect", f"place a {colour} block in the middle"),
        ("Builder", f"place {colour} 0 1 0"),
        ("Architect", "great"),
        ("Architect", f"now put {number} more on top"),
        ("Builder", f"place {colour} 0 2 0, place {colour} 0 3 0"),
    ]
    links = [(1, 2, "Result"), (2, 3, "Acknowledgement"), (3, 4, "Result"), (4, 5, "Result")]
    return {
        "id": f"b{number}",
        "edus": [{"speaker": speaker, "text": text} for speaker, text in said],
        "relations": [{"x": x, "y": y, "type": kind} for x, y, kind in links],
    }


def chat(number: int) -> dict[str, object]:
    said = [
        ("ann", f"how do i mount disk {number} ?"),
        ("bob", f"which filesystem is on disk {number} ?"),
        ("ann", f"it is ext4 on {number}"),
        ("cy", f"try mount dash t ext4 {number}"),
    ]
    return {
        "id": f"m{number}",
        "edus": [{"speaker": speaker, "text": text} for speaker, text in said],
        "relations": [{"x": x, "y": x + 1, "type": "QAP"} for x in range(3)],
    }


def write(path: Path, records: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(records).encode()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "minecraft_sdrt" / "msdc_train.json.gz", [building(number) for number in range(6)])
    write(tmp_path / "minecraft_sdrt" / "msdc_dev.json.gz", [building(number) for number in range(6, 8)])
    write(tmp_path / "molweni" / "dev.json.gz", [*(chat(number) for number in range(9)), chat(0)])
    for part in ("train", "dev"):
        log = [
            "=== ann [~a@host] has joined #help",
            "[03:01] <ann> how do I mount a disk?",
            "[03:01] <bob> does anybody play flac files?",
            "=== cy is now known as cy_away",
            f"[03:02] <cy_away> ann: look under /media {part}",
            "[03:02]  * dee shrugs",
            "[03:03] <ann> cy: thanks",
        ]
        inside = tmp_path / "irc_reply_links" / part
        inside.mkdir(parents=True)
        (inside / "one.ascii.txt.gz").write_bytes(gzip.compress("\n".join(log).encode()))
        (inside / "one.annotation.txt").write_text("1 4 -\n4 6 -\n2 2 -\n3 3 -\n5 5 -\n")
    turns = [f"They {word} at last" for word in ("sleep", "wake", "walk", "fight", "win", "feast")]
    for number in (1, 2):
        write(
            tmp_path / "crd3" / "cleaned" / f"C1E00{number}.json.gz",
            {"TURNS": [{"NAMES": ["MATT"], "UTTERANCES": [turn], "NUMBER": at} for at, turn in enumerate(turns)]},
        )
        write(
            tmp_path / "crd3" / "aligned_c2" / f"C1E00{number}_2_0.json.gz",
            [
                {"CHUNK": f"They {word}.", "ALIGNMENT": {"CHUNK ID": at, "TURN START": turn, "TURN END": turn}}
                for at, (word, turn) in enumerate((("wake", 1), ("fight", 3), ("feast", 5)))
            ],
        )
    return tmp_path


def by_name(reports: list[Report]) -> dict[str, Report]:
    return {report.system: report for report in reports}


def test_minecraft_reads_moves_as_actions_and_scores_results_alone(folder: Path) -> None:
    dialogues = minecraft.load(folder)
    assert [dialogue.part for dialogue in dialogues].count("msdc_train") == 6
    assert dialogues[0].lines[2].kind == "action"
    assert dialogues[0].gold == {(1, 2), (3, 4), (4, 5)}
    reports = by_name(minecraft.run(folder))
    assert reports["previous"].value("msdc_dev", "result f1") == pytest.approx(2 * 6 / (10 + 6))
    assert (reports["inside"].value("msdc_dev", "result f1") or 0) > 0.85
    assert reports["as used"].rows == reports["inside"].rows  # what ships is what is scored
    quick = minecraft.run(folder, as_used=True, sample=1)
    assert [report.system for report in quick][:3] == ["as used", "no kinds", "previous"]
    assert quick[0].value("msdc_train", "dialogues") == 1
    assert {"seed", "seed kernel", "seed backward", "previous other"} < set(reports)


def test_one_file_is_enough(folder: Path) -> None:
    path = folder / "minecraft_sdrt" / "msdc_dev.json.gz"
    assert len(minecraft.load(path)) == 2


def test_molweni_groups_dialogues_that_share_utterances(folder: Path) -> None:
    dialogues = molweni.load(folder)
    assert len({dialogue.group for dialogue in dialogues}) == 9
    assert dialogues[0].group == dialogues[9].group
    reports = by_name(molweni.run(folder))
    assert reports["cross-fitted"].value("all", "groups") == 9
    assert (reports["cross-fitted"].value("all", "link f1") or 0) > 0.9
    assert reports["previous"].value("all", "link f1") == 1.0
    assert (reports["as used"].value("all", "link f1") or 0) > 0.9
    assert "cross-fitted" not in by_name(molweni.run(folder, as_used=True))


def test_irc_counts_self_links_and_follows_who_renames_himself(folder: Path) -> None:
    log = irc.load(folder)[0]
    assert log.aliases == {"cy_away": "cy"}
    assert [line.kind for line in log.lines] == ["system", None, None, "system", None, None, None]
    assert log.lines[5].author_name == "dee"
    reports = by_name(irc.run(folder))
    assert reports["inside"].value("dev", "link f1") == 1.0
    assert reports["inside"].value("train", "f1 without self") == 1.0
    assert "inside" not in by_name(irc.run(folder, as_used=True))
    assert (reports["previous"].value("dev", "link f1") or 1) < 0.5


def test_crd3_is_read_and_asked_as_a_user_does(folder: Path) -> None:
    heard: list[str] = []
    report, story = used_crd3.run(folder, embedder="hashed", progress=heard.append)
    assert (report.system, report.value("all", "episodes")) == ("as used", 2)
    assert heard == ["as used: C1E001", "as used: C1E002"]
    asked = next(row.n for row in report.rows if row.metric == "hit@10")
    assert (story.system, story.value("all", "hit@1"), report.value("all", "hit@10")) == ("story", 1.0, 1.0)
    some, _ = used_crd3.run(folder, embedder="hashed", sample=1)
    assert next(row.n for row in some.rows if row.metric == "hit@10") < asked


def test_crd3_ranks_turns_in_story_order(folder: Path) -> None:
    reports = by_name(crd3.run(folder))
    assert reports["inside"].value("all", "hit@1") == 1.0
    assert reports["BM25"].value("all", "hit@10") == 1.0
    assert reports["others' settings"].value("C1E002", "hit@10") == 1.0
    assert "hit@10" in render(list(reports.values()))


@pytest.mark.parametrize("name", ["minecraft", "molweni", "irc"])
def test_families_are_added_one_by_one(folder: Path, name: str) -> None:
    run = {"minecraft": minecraft.run, "molweni": molweni.run, "irc": irc.run}[name]
    told: list[str] = []
    (report,) = run(folder, families=True, progress=told.append)
    names = list(dict.fromkeys(row.name for row in report.rows))
    assert names[:3] == ["distance", "+ speaker", "+ address"]
    assert names[-1] == "+ second look"
    assert told[0] == "fitting distance"


def test_families_need_a_part_to_fit_on(folder: Path) -> None:
    with pytest.raises(InputError, match="nothing to compare"):
        irc.run(folder / "irc_reply_links" / "dev", families=True)


def test_progress_is_told_and_one_dialogue_is_enough(folder: Path) -> None:
    told: list[str] = []
    write(folder / "alone" / "one.json.gz", [chat(1)])
    reports = by_name(molweni.run(folder / "alone", progress=told.append))
    assert "cross-fitted" not in reports
    assert told[0] == "as used"
    assert crd3.run(folder, progress=told.append)[-1].system == "others' settings"
    one = folder / "one"
    for kind, path in (("cleaned", "C1E001.json.gz"), ("aligned_c2", "C1E001_2_0.json.gz")):
        (one / kind).mkdir(parents=True)
        (one / kind / path).write_bytes((folder / "crd3" / kind / path).read_bytes())
    assert [report.system for report in crd3.run(one)] == ["BM25", "words", "inside"]


def test_baselines_keep_to_lines_of_speech() -> None:
    lines = (
        Line(0, "ann", "where is the red key?"),
        Line(1, "ann", "anybody"),
        Line(2, "", "bob joined", None, "system"),
        Line(3, "bob", "yes, the red key is here"),
        Line(4, "bob", "look"),
    )
    dialogue = Dialogue("one", "part", lines, frozenset())
    assert previous(dialogue) == {(0, 1), (1, 3), (3, 4)}
    assert previous_other(dialogue) == {(1, 3), (1, 4)}
    assert seed_backward(dialogue) == {(0, 3), (1, 4)} or seed_backward(dialogue) == {(1, 3), (1, 4)}
    assert seed_forward(dialogue) == {(0, 3), (1, 3)}


def test_grouping_is_transitive() -> None:
    def dialogue(*texts: str) -> Dialogue:
        return Dialogue(texts[0], "p", tuple(Line(at, "ann", text) for at, text in enumerate(texts)), frozenset())

    found = grouped([dialogue("a", "b"), dialogue("c", "d"), dialogue("b", "c"), dialogue("e")])
    assert len({each.group for each in found[:3]}) == 1
    assert found[3].group != found[0].group


@pytest.mark.parametrize("load", [minecraft.load, molweni.load, irc.load, crd3.load])
def test_a_folder_without_the_set_is_refused(tmp_path: Path, load: object) -> None:
    with pytest.raises(InputError, match="holds no"):
        load(tmp_path)  # type: ignore[operator]


def test_damaged_files_are_named(folder: Path) -> None:
    annotation = folder / "irc_reply_links" / "dev" / "one.annotation.txt"
    annotation.write_text("1 99 -\n")
    with pytest.raises(InputError, match="line 1 is no link"):
        irc.load(folder)
    (folder / "irc_reply_links" / "dev" / "one.ascii.txt.gz").write_bytes(b"no gzip")
    with pytest.raises(InputError, match="damaged"):
        irc.load(folder)
    (folder / "irc_reply_links" / "dev" / "one.ascii.txt.gz").unlink()
    with pytest.raises(InputError, match="not beside it"):
        irc.load(folder)
    write(folder / "molweni" / "bad.json.gz", [{"id": 1, "edus": "no list", "relations": []}])
    with pytest.raises(InputError, match="units and relations"):
        molweni.load(folder)
    aligned = folder / "crd3" / "aligned_c2" / "C1E001_2_0.json.gz"
    write(aligned, [{"CHUNK": "x"}])
    with pytest.raises(InputError, match="CRD3"):
        crd3.load(folder)
    aligned.write_bytes(b"no gzip")
    with pytest.raises(InputError, match="damaged"):
        crd3.load(folder)
    (folder / "crd3" / "cleaned" / "C1E001.json.gz").unlink()
    with pytest.raises(InputError, match="is missing"):
        crd3.load(folder)


def test_shipped_tables_are_fitted_on_train_parts_and_written(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    dialogue_fit.main(["--data", str(folder), "--out", str(out), "--on", "2026-11-16"])
    assert sorted(path.name for path in out.iterdir()) == [f"{name}.json" for name in sorted(TABLES)]
    assert "reply.json" in capsys.readouterr().out
    text = (out / "reply.json").read_text(encoding="utf-8")
    table = table_of(text)
    assert "Molweni" in table.fitted_on
    assert table.window == 16
    assert all(value == round(value, 1) != 0 for value in [*table.first.values(), *table.second.values()])
    told = json.loads(text)["provenance"]
    assert told["fitted_at"] == "2026-11-16"
    assert [source["licence"] for source in told["sources"]] == ["CC BY 4.0", "Apache 2.0"]
    assert table_of((out / "channel.json").read_text(encoding="utf-8")).hidden is not None
