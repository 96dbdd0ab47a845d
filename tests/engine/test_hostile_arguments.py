"""Arguments that no type allows: every public call answers them, or refuses them with an error of ours."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

from asterism.core.space.discover import discover
from asterism.engine.memory import Memory
from asterism.errors import AsterismError, InputError
from asterism.incoming import path_of
from tests.support.hostile import ODD, PARAMETERS, failures, outcome, prepared, shown, sound
from tests.support.memories import NOON, is_told_well

OPENING = list(inspect.signature(Memory.open_sync).parameters)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of its own: an odd path may be that of a file that is made."""
    folder = tmp_path / "one" / "more"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)


@pytest.mark.parametrize("call", sorted(PARAMETERS))
def test_every_argument_may_be_of_any_type(call: str) -> None:
    memory, told = prepared(), []
    chance = np.random.default_rng(len(call))
    for parameter in PARAMETERS[call]:
        for place in chance.choice(len(ODD), size=12, replace=False):
            arguments = sound(call) | {parameter.name: ODD[place]}
            told.append(outcome(memory, call, arguments, parameter.name))
    assert [str(each) for each in told if each is not None] == []
    assert memory.verify().ok


FILES = {
    "feed_file": ("paths", "trades.csv", "at,price,usd,side\n1700000000,100.5,20,buy\n1700000060,101.5,20,sell\n"),
    "read_diary": ("diary", "days.csv", "date,sleep,mood\n2026-01-01,6,3\n2026-01-02,7,4\n"),
    "read_transcript": ("lines_or_path", "talk.txt", "Ann: I open the door.\nDM: It opens.\n"),
    "import_": ("path", "ledger.jsonl", ""),
}


@pytest.mark.parametrize("call", FILES)
def test_every_argument_beside_a_file_may_be_of_any_type(call: str) -> None:
    argument, name, text = FILES[call]
    Path(name).write_text(text or prepared().export().text, encoding="utf-8")
    told = []
    for parameter in [each for each in PARAMETERS[call] if each.name != argument]:
        memory = prepared()
        for value in ODD:
            arguments = sound(call) | ({"started_at": NOON} if call == "read_transcript" else {})
            arguments |= {argument: name, parameter.name: value}
            told.append(outcome(memory, call, arguments, parameter.name))
    assert [str(each) for each in told if each is not None] == []


def test_several_arguments_may_be_of_any_type() -> None:
    assert [str(each) for each in failures(seed=17, calls=600)] == []


@pytest.mark.parametrize("argument", OPENING)
def test_a_memory_may_be_opened_with_anything(argument: str) -> None:
    for value in ODD:
        if argument == "clock" and callable(value):  # whoever hands one over answers for it
            continue
        if argument == "also_read" and isinstance(value, np.ndarray):
            continue
        given = {"path": ":memory:", "space": "me", "clock": NOON, "embedder": "hashed"} | {argument: value}
        try:
            with Memory.open_sync(**given) as memory:  # type: ignore[arg-type]  # that is the point
                memory.learn("tea")
        except AsterismError as error:
            told = is_told_well(error)
        else:
            told = True
        assert told, shown(value)


# What is refused before it begins


def test_a_flag_is_true_or_false_and_what_is_to_be_called_can_be() -> None:
    memory = prepared()
    odd: tuple[object, ...] = ("no", [], None, 2, 0.5)
    for wrong in odd:
        with pytest.raises(InputError, match="skip_erased is neither true nor false") as refused:
            memory.learn_many(["tea"], skip_erased=wrong)
        assert is_told_well(refused.value)
    with pytest.raises(InputError, match="progress cannot be called"):
        memory.dream(progress="loudly")
    assert memory.stats().items["learned"] == 3


def test_an_array_is_taken_for_what_it_holds() -> None:
    memory = prepared()
    told = memory.learn("Tea", tags=np.array(["home", "kitchen"]))
    assert memory.block(told.id).tags == ("home", "kitchen")
    with pytest.raises(InputError, match="source"):
        memory.learn("Tea", source=np.zeros(3))


@pytest.mark.parametrize("told", [None, 5, b"x", [], "\0", "\ud800", "x" * 5_000])
def test_what_no_file_can_be_called_is_refused(told: object) -> None:
    with pytest.raises(InputError) as refused:
        path_of(told, meant="the folder")
    assert (refused.value.code, refused.value.item) == ("bad_path", "the folder")
    assert path_of("not there", meant="the folder") == Path("not there")


def test_series_that_are_no_numbers_are_refused() -> None:
    for series in ("x", [[1, "a"]], [[1], [1, 2]], [[10**400]], 5, {"a": 1}):
        with pytest.raises(InputError, match="of numbers, not 2"):
            discover(series)  # type: ignore[arg-type]  # as a program without types may
    table = np.zeros((2, 20))
    for wrong in ({"detector": ["best"]}, {"lags": 0}, {"lags": "3"}, {"step_hours": float("nan")}):
        with pytest.raises(InputError):
            discover(table, **wrong)
