"""Every command, end to end on a file, as text and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Line


def test_a_first_session_works(line: Line) -> None:
    assert "Sleep (sleep): new" in line.run("star", "add", "Sleep", "--domain", "health").output
    line.run("star", "add", "Mood", "--domain", "soul")
    assert "0.0000 → 0.1500" in line.run("observe", "sleep", "Mood", "user_creates").output
    assert "mood ↔ sleep" in line.run("links").output
    assert "= strength" in line.run("why", "sleep", "mood").output
    assert "The clock stands at" in line.run("advance", "--days", "1").output
    assert "bit for bit" in line.run("verify").output


def test_star_commands_give_the_star_they_changed(line: Line) -> None:
    assert line.json("star", "add", "Night Owl", "--domain", "soul")["id"] == "night-owl"
    assert line.json("star", "acknowledge", "Night Owl")["state"] == "FLICKERING"
    assert line.json("star", "engage", "night-owl", "--impact", "0.05")["brightness"] == pytest.approx(0.35)
    assert line.json("star", "observe", "night-owl", "0.8")["brightness"] == pytest.approx(0.8)
    assert line.json("star", "contradict", "night-owl")["contradictions"] == 1
    assert line.json("star", "dark", "night-owl")["state"] == "DARK"
    assert line.json("star", "dark", "night-owl", "--dispute")["state"] == "DIM"
    assert "dim" in line.run("nodes").output


def test_shared_options_may_stand_before_or_after_the_command(told: Line) -> None:
    from click.testing import CliRunner

    from asterism.entry.cli.app import app

    before = CliRunner().invoke(app, ["--db", str(told.db), "--json", "--at", "2026-09-03", "links"])
    between = CliRunner().invoke(app, ["--json", "star", "--db", str(told.db), "engage", "sleep", "--at", "2026-09-04"])
    after = told.run("links", "--json", "--at", "2026-09-03")
    assert (before.exit_code, between.exit_code) == (0, 0)
    assert before.output == after.output


def test_the_later_shared_option_wins(told: Line) -> None:
    told.run("--space", "other", "star", "add", "Sun", "--domain", "soul", "--space", "third")
    assert [star["id"] for star in told.json("nodes", "--space", "third")] == ["sun"]
    assert "Nothing in space 'other' yet" in told.run("nodes", "--space", "other").output


def test_observe_says_what_it_added(told: Line) -> None:
    receipt = told.json("observe", "mood", "sleep", "co_mention_session", "--at", "2026-09-12")
    assert receipt["gain"] == pytest.approx(0.0256)
    assert not receipt["duplicate"]
    again = told.run("observe", "mood", "sleep", "co_mention_session", "--at", "2026-09-12").output
    assert "nothing changed" in again


def test_a_lone_co_mention_is_no_link_yet(told: Line) -> None:
    told.run("star", "add", "Tea", "--domain", "health", "--at", "2026-09-20")
    assert "no link yet" in told.run("observe", "tea", "mood", "co_mention_session", "--at", "2026-09-20").output
    assert "There is no link" in told.run("link", "tea", "mood", "--at", "2026-09-20").output
    assert told.json("link", "tea", "mood", "--at", "2026-09-20") is None


def test_links_are_shown_with_arrow_state_and_curve(told: Line) -> None:
    told.run("assign-type", "sleep", "mood", "causation", "--direction", "a_to_b", "--at", "2026-09-04")
    output = told.run("link", "mood", "sleep", "--at", "2026-09-04").output
    assert "sleep → mood" in output
    assert "causation*" in output
    assert "▃" in output
    one = told.json("links", "sleep", "--curve", "--at", "2026-09-04")[0]
    assert one["direction"] == "a_to_b"
    assert one["curve"][-1] == pytest.approx(one["strength"])
    assert told.json("links", "sleep", "mood", "--at", "2026-09-04")[0]["id"] == "mood~sleep"


def test_links_are_limited_on_request(told: Line) -> None:
    for name in ("Tea", "Walk"):
        told.run("star", "add", name, "--domain", "health", "--at", "2026-09-02")
        told.run("observe", name, "sleep", "user_creates", "--at", "2026-09-03")
    assert len(told.json("links", "--limit", "2", "--at", "2026-09-03")) == 2
    assert "and 1 more; --limit 3 shows all" in told.run("links", "--limit", "2", "--at", "2026-09-03").output


def test_deny_dissolves_a_weak_link(told: Line) -> None:
    assert "gone" in told.run("deny", "sleep", "mood", "--at", "2026-09-04").output
    assert told.json("links", "--at", "2026-09-05") == []


def test_show_gives_the_star_with_its_links(told: Line) -> None:
    shown = told.json("show", "Sleep", "--at", "2026-09-03")
    assert shown["node"]["id"] == "sleep"
    assert [link["id"] for link in shown["links"]] == ["mood~sleep"]
    assert "sleep ↔ mood" in told.run("show", "sleep", "--at", "2026-09-03").output


@pytest.mark.parametrize("ids", [("sleep", "mood"), ("sleep",), ("mood~sleep",)])
def test_the_lines_of_why_add_up(told: Line, ids: tuple[str, ...]) -> None:
    why = told.json("why", *ids, "--at", "2026-09-20")
    assert sum(part["value"] for part in why["lines"]) == pytest.approx(why["total"], abs=1e-9)


def test_why_explains_an_item(told: Line) -> None:
    item = told.json("observe", "sleep", "mood", "user_confirms", "--at", "2026-09-20")["item_id"]
    assert told.json("why", item)["total"] == pytest.approx(0.15)
    assert "confirmed by the user" in told.run("why", item).output


def test_the_assistant_confirms_by_either_word_and_the_sum_says_it_in_words(told: Line) -> None:
    kinds = ("assistant_confirmed", "tars_confirmed")
    items = [told.json("observe", "sleep", "mood", kind, "--at", "2026-09-20") for kind in kinds]
    assert items[0]["item_id"] == items[1]["item_id"]
    lines = [line["text"] for line in told.json("why", "sleep", "mood", "--at", "2026-09-20")["lines"]]
    assert any("2026-09-20: tars_confirmed" in line for line in lines)
    assert "2026-09-20: confirmed by the assistant" in told.run("why", "sleep", "mood", "--at", "2026-09-20").output


def test_why_with_a_limit_still_adds_up(told: Line) -> None:
    output = told.run("why", "sleep", "mood", "--limit", "2", "--at", "2026-09-20").output
    assert "smaller lines" in output


def test_as_of_shows_the_past(told: Line) -> None:
    assert told.json("as-of", "2026-09-02", "sleep")[0]["evidence"]["raw"] == 1
    assert told.json("as-of", "2026-09-03", "sleep", "mood")[0]["evidence"]["raw"] == 2
    assert told.json("as-of", "2026-09-03", "--known-at", "2026-09-03") == []  # nothing was known yet, on that day
    assert "No links here" in told.run("as-of", "2026-08-01").output
    assert "No links here" in told.run("as-of", "2026-08-01", "sleep").output  # it is there now


def test_curves_of_what_was_known_are_drawn_from_what_was_known(told: Line) -> None:
    known = ("as-of", "2026-09-03", "--known-at", "2999-01-01")
    assert "its life" in told.run(*known).output
    assert "its life" not in told.run(*known, "--no-curve").output
    assert told.json(*known, "--curve")[0]["curve"][-1] == pytest.approx(told.json(*known)[0]["strength"])


def test_a_date_is_asked_for_to_its_end(told: Line) -> None:
    told.run("observe", "sleep", "mood", "tars_confirmed", "--at", "2026-09-04T22:00Z")
    assert told.json("links", "--at", "2026-09-04")[0]["evidence"]["raw"] == 3
    assert told.json("links", "--at", "2026-09-04T12:00Z")[0]["evidence"]["raw"] == 2


def test_tables_explain_their_signs(told: Line) -> None:
    assert "evid.: all items / what of them still counts" in told.run("links").output
    told.run("star", "add", "Tea", "--domain", "health")
    told.run("observe", "tea", "mood", "user_creates")
    outlook = told.run("project").output
    assert "† it dissolves: it never had a second item" in outlook
    assert outlook.count("†") == 2


def test_advance_says_what_changed(told: Line) -> None:
    told.run("observe", "sleep", "mood", "user_confirms")
    changes = told.json("advance", "--days", "40")
    assert changes["dormant"] == ["mood~sleep"]
    assert "asleep" in told.run("links").output
    assert told.json("advance", "--hours", "1", "--discover")["states"] == []


def test_project_looks_ahead_and_changes_nothing(told: Line) -> None:
    told.run("observe", "sleep", "mood", "user_confirms")
    items = told.items()
    outlook = told.json("project", "--days", "60")
    assert outlook["links"][0]["dormant_on"] is not None
    assert "if nothing happens" in told.run("project").output
    assert told.items() == items


def test_predictions_may_be_none(told: Line) -> None:
    assert told.json("predictions")["items"] == []
    assert "No predictions yet" in told.run("predictions").output


def test_merge_is_a_union(told: Line, tmp_path: Path) -> None:
    copy = Line(tmp_path / "copy.db")
    assert copy.json("merge", str(told.db))["added"] == 4
    assert "0 items added, 4 were known already" in copy.run("merge", str(told.db)).output
    assert copy.json("links") == told.json("links")


def test_stats_and_verify_count_the_ledger(told: Line) -> None:
    assert told.json("stats")["items"] == {"evidence": 2, "star_added": 2}
    assert told.json("verify")["ok"] is True
    assert "2 evidence" in told.run("stats").output


def test_config_shows_a_value_that_was_set_by_hand_even_if_it_is_that_of_the_preset(told: Line) -> None:
    shown = told.run("config", "--set", "dream_exact_pairs=4e+08").output
    assert "1 set by hand" in shown
    assert "dream_exact_pairs" in shown
    assert "Every value" not in shown


def test_config_shows_and_changes_parameters(told: Line) -> None:
    assert "Every value is that of the preset seed" in told.run("config").output
    told.run("config", "--preset", "tuned", "--set", "half_life_resonance=45")
    changed = told.json("config")
    assert changed["preset"] == ["tuned"]
    assert changed["overrides"] == {"half_life_resonance": 45}
    told.run("config", "--set", "soft_cap=20")  # keeps what was set before
    assert told.json("config")["overrides"] == {"half_life_resonance": 45, "soft_cap": 20}
    told.run("config", "--unset", "soft_cap")
    told.run("config", "--set", "dream_exact_pairs=4e+08")  # as the page of parameters prints it
    changed = told.json("config", "dream_exact_pairs")
    assert (
        repr(changed["parameters"]["dream_exact_pairs"])
        == repr(changed["overrides"].pop("dream_exact_pairs"))
        == "400000000"
    )
    assert told.json("config", "--unset", "dream_exact_pairs")["overrides"] == {"half_life_resonance": 45}
    assert told.json("config", "soft_cap")["parameters"] == {"soft_cap": 10}
    assert "decay_shape" in told.run("config").output
    assert "max_strength" in told.run("config", "--all").output
    assert "allowed 0.1 to 36500" in told.run("config", "half_life_resonance").output
    assert told.json("verify")["ok"] is True


def test_config_of_a_memory_that_is_not_there_shows_the_defaults(line: Line) -> None:
    assert line.json("config")["preset"] == ["seed"]
    assert not line.db.exists()


def test_guide_is_one_page(line: Line) -> None:
    *rows, lies = line.run("guide").output.splitlines()
    assert len(rows) < 60
    assert all(len(row) <= 80 for row in rows)
    assert lies.endswith(str(line.db))
    assert "asterism completion bash" in line.json("guide")["guide"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "rows.jsonl",
            '{"a": "sleep", "b": "mood", "kind": "user_confirms", "at": "2026-09-05"}\n\n'
            '{"a": "sleep", "b": "mood", "kind": "tars_confirmed", "at": "2026-09-04T08:00Z", "note": "x"}\n',
        ),
        ("rows.csv", "a,b,kind,at\nsleep,mood,user_confirms,2026-09-05\nsleep,mood,tars_confirmed,2026-09-04T08:00Z\n"),
    ],
)
def test_evidence_comes_from_a_file_once(told: Line, tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert told.json("observe", "--file", str(path))["added"] == 2
    assert "2 were known already" in told.run("observe", "--file", str(path)).output


def test_rows_without_a_time_take_the_one_given(told: Line, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,b,kind\nsleep,mood,user_confirms\n", encoding="utf-8")
    told.run("observe", "--file", str(path), "--at", "2026-09-07")
    assert told.json("links", "--at", "2026-09-07")[0]["last_engaged"].startswith("2026-09-07")
