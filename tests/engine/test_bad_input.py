"""Bad input and bad files: each gives an error with a code and a hint, and leaves the memory as it was."""

from __future__ import annotations

import asyncio
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from asterism.core.ledger.items import make_item
from asterism.engine.connections.observe import Evidence
from asterism.engine.memory import Memory
from asterism.engine.space.live import Live
from asterism.errors import AsterismError
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import DAY, NOON, is_told_well, opened
from tests.support.refusing import Call, is_refused
from tests.support.small_memory import made, told

SURROGATE = "half a pair \ud83d"
LONG = "long " * 200_000  # 1 MB
NAIVE = datetime(2026, 1, 1)  # noqa: DTZ001  # the fault under test
NAN, INF = float("nan"), float("inf")


REFUSED: dict[str, tuple[str, Call]] = {
    # words
    "unknown evidence kind": ("unknown_evidence_kind", lambda m: m.observe("sleep", "mood", "hunch")),
    "empty evidence kind": ("unknown_evidence_kind", lambda m: m.observe("sleep", "mood", "")),
    "1 MB evidence kind": ("unknown_evidence_kind", lambda m: m.observe("sleep", "mood", LONG)),
    "unknown link kind": ("unknown_link_kind", lambda m: m.assign_type("sleep", "mood", "friendship")),
    "unknown domain": ("unknown_domain", lambda m: m.add_star("Cat", domain="animals")),
    "unknown direction": (
        "unknown_direction",
        lambda m: m.assign_type("sleep", "mood", "causation", direction="up"),
    ),
    "direction of an undirected kind": (
        "no_direction",
        lambda m: m.assign_type("sleep", "mood", "resonance", direction="a_to_b"),
    ),
    # ends
    "self-link": ("self_link", lambda m: m.observe("sleep", "Sleep", "user_creates")),
    "denied self-link": ("self_link", lambda m: m.deny("sleep", "sleep")),
    "unknown star": ("unknown_node", lambda m: m.engage("nobody")),
    "unknown star brightness": ("unknown_node", lambda m: m.set_brightness("nobody", 0.5)),
    "unknown star contradicted": ("unknown_node", lambda m: m.contradict("nobody")),
    "unknown star dark": ("unknown_node", lambda m: m.mark_dark("nobody")),
    "unknown end": ("unknown_node", lambda m: m.observe("sleep", "nobody", "user_creates")),
    "empty star": ("unknown_node", lambda m: m.engage("")),
    "blank star": ("unknown_node", lambda m: m.engage(" \t ")),
    "1 MB star": ("unknown_node", lambda m: m.engage(LONG)),
    "surrogate star": ("unknown_node", lambda m: m.engage(SURROGATE)),
    "surrogate end": ("unknown_node", lambda m: m.observe(SURROGATE, "mood", "user_creates")),
    "control character star": ("unknown_node", lambda m: m.engage("sleep\0")),
    "SQL star": ("unknown_node", lambda m: m.engage("sleep'; DROP TABLE ledger; --")),
    "unknown link denied": ("unknown_link", lambda m: m.deny("sleep", "work")),
    "unknown link typed": ("unknown_link", lambda m: m.assign_type("sleep", "work", "tension")),
    "unknown node denied": ("unknown_node", lambda m: m.deny("sleep", "nobody")),
    "nothing to explain": ("unknown_id", lambda m: m.why("nobody")),
    "surrogate to explain": ("unknown_id", lambda m: m.why(SURROGATE)),
    "no link to explain": ("unknown_link", lambda m: m.why("sleep", "work")),
    "three ends to explain": ("bad_ids", lambda m: m.why("sleep", "work", "mood")),
    "nothing at all to explain": ("bad_ids", lambda m: m.why()),
    # times
    "future time": ("future_time", lambda m: m.engage("sleep", at=NOON + timedelta(seconds=1))),
    "future read": ("future_time", lambda m: m.links(at=NOON + DAY)),
    "future past": ("future_time", lambda m: m.as_of(NOON + DAY)),
    "naive time": ("naive_time", lambda m: m.engage("sleep", at=NAIVE)),
    "naive read": ("naive_time", lambda m: m.links(at=NAIVE)),
    "naive text": ("naive_time", lambda m: m.engage("sleep", at="2026-01-01T12:00:00")),
    "bad time text": ("bad_time", lambda m: m.engage("sleep", at="yesterday")),
    "empty time text": ("bad_time", lambda m: m.engage("sleep", at="")),
    "1 MB time text": ("bad_time", lambda m: m.engage("sleep", at=LONG)),
    "impossible date": ("bad_time", lambda m: m.engage("sleep", at="2026-02-30")),
    "backwards": ("past_time", lambda m: m.advance(to=NOON - DAY)),
    "no span": ("bad_span", lambda m: m.advance()),
    "two spans": ("bad_span", lambda m: m.advance(days=1, to=NOON + DAY)),
    "negative span": ("bad_span", lambda m: m.advance(days=-1)),
    "NaN span": ("bad_span", lambda m: m.advance(days=NAN)),
    "infinite span": ("bad_span", lambda m: m.advance(hours=INF)),
    "span beyond any calendar": ("bad_span", lambda m: m.advance(days=1e300)),
    "span beyond year 9999": ("bad_span", lambda m: m.advance(days=4e6)),
    "span that is no number of the outlook": ("bad_span", lambda m: m.project(days=NAN)),
    "outlook into the past": ("not_the_future", lambda m: m.project(NOON - DAY)),
    # numbers
    **{
        f"{name} {word}": (f"bad_{name}", call)
        for word, value in (("NaN", NAN), ("infinite", INF), ("-infinite", -INF), ("2", 2.0), ("-1", -1.0))
        for name, call in (
            ("brightness", lambda m, value=value: m.set_brightness("sleep", value)),
            ("impact", lambda m, value=value: m.engage("sleep", impact=value)),
        )
    },
    "brightness below the floor": ("bad_brightness", lambda m: m.set_brightness("sleep", 0.049)),
    "whole impact beyond floats": ("bad_impact", lambda m: m.engage("sleep", impact=10**400)),
    # texts
    **{
        f"{word} {field}": ("bad_text", call)
        for word, text in (("blank", "  "), ("control", "a\x07b"), ("surrogate", SURROGATE), ("1 MB", LONG))
        for field, call in (
            ("name", lambda m, text=text: m.add_star(text, domain="soul")),
            ("source", lambda m, text=text: m.engage("sleep", source=text)),
            ("source of a star", lambda m, text=text: m.add_star("Cat", domain="soul", source=text)),
            ("note", lambda m, text=text: m.observe("sleep", "mood", "user_confirms", note=text)),
        )
    },
    "empty name": ("bad_text", lambda m: m.add_star("", domain="soul")),
    "name of two lines": ("bad_text", lambda m: m.add_star("two\nlines", domain="soul")),
    "name with NUL": ("bad_text", lambda m: m.add_star("nu\0l", domain="soul")),
    "name with a C1 control": ("bad_text", lambda m: m.add_star("\x9b31m red", domain="soul")),
    # many at once
    "a bad row among good ones": (
        "unknown_node",
        lambda m: m.observe_many([("sleep", "work", "user_creates"), ("sleep", "nobody", "user_creates")]),
    ),
    "a late row that is bad": (
        "naive_time",
        lambda m: m.observe_many(
            [Evidence("sleep", "work", "user_creates"), Evidence("sleep", "mood", "user_creates", NAIVE)]
        ),
    ),
    "a short row": ("bad_evidence", lambda m: m.observe_many([("sleep", "work")])),  # type: ignore[list-item]
    "a row with another field": (
        "bad_evidence",
        lambda m: m.observe_many([{"a": "sleep", "b": "mood", "kind": "user_creates", "weight": "9"}]),
    ),
    "a row that is a word": ("bad_evidence", lambda m: m.observe_many(["abc"])),  # type: ignore[list-item]
    "no rows": ("bad_evidence", lambda m: m.observe_many(5)),  # type: ignore[arg-type]
    # other types than asked for; in a program without type checks this is how they come
    "link of none": ("bad_text", lambda m: m.link(None, "mood")),  # type: ignore[arg-type]
    "links of a number": ("bad_text", lambda m: m.links(3)),  # type: ignore[arg-type]
    "star of a number": ("bad_text", lambda m: m.star(3)),  # type: ignore[arg-type]
    "why of a number": ("bad_text", lambda m: m.why(5)),  # type: ignore[arg-type]
    "why of a list": ("bad_text", lambda m: m.why("sleep", ["mood"])),  # type: ignore[arg-type]
    "end that is a list": ("bad_text", lambda m: m.observe(["sleep"], "mood", "user_creates")),  # type: ignore[arg-type]
    "end that is none": ("bad_text", lambda m: m.deny("sleep", None)),  # type: ignore[arg-type]
    "star that is none": ("bad_text", lambda m: m.engage(None)),  # type: ignore[arg-type]
    "name that is a number": ("bad_text", lambda m: m.add_star(5, domain="soul")),  # type: ignore[arg-type]
    "domain that is a number": ("unknown_domain", lambda m: m.add_star("Cat", domain=5)),  # type: ignore[arg-type]
    "kind that is a list": (
        "unknown_evidence_kind",
        lambda m: m.observe("sleep", "mood", ["user_creates"]),  # type: ignore[arg-type]
    ),
    "kind of link that is none": (
        "unknown_link_kind",
        lambda m: m.assign_type("sleep", "mood", None),  # type: ignore[arg-type]
    ),
    "brightness that is text": ("bad_brightness", lambda m: m.set_brightness("sleep", "0.5")),  # type: ignore[arg-type]
    "time that is a number": ("bad_time", lambda m: m.links(at=5)),  # type: ignore[arg-type]
    "past that is none": ("bad_time", lambda m: m.as_of(None)),  # type: ignore[arg-type]
    "span that is text": ("bad_span", lambda m: m.advance(days="x")),  # type: ignore[arg-type]
    "span that is a list": ("bad_span", lambda m: m.advance(hours=[1])),  # type: ignore[arg-type]
    "outlook of text": ("bad_span", lambda m: m.project(days="x")),  # type: ignore[arg-type]
    "outlook of less than none": ("bad_limit", lambda m: m.project(limit=-1)),
    "outlook of half a link": ("bad_limit", lambda m: m.project(limit=0.5)),  # type: ignore[arg-type]
    "curves of no point": ("bad_points", lambda m: m.curves(points=0)),
    "curves of a truth": ("bad_points", lambda m: m.curves(points=True)),
    "merge with a number": ("bad_path", lambda m: m.merge(7)),  # type: ignore[arg-type]
    "preset that is a number": ("unknown_preset", lambda m: m.configure(preset=5)),  # type: ignore[arg-type]
    "presets that are numbers": ("unknown_preset", lambda m: m.configure(preset=(5,))),  # type: ignore[arg-type]
    "parameters that are a list": ("bad_parameters", lambda m: m.configure(parameters=[1])),  # type: ignore[arg-type]
    # told of a time at which it means nothing
    "denied before there was a link": ("unknown_link", lambda m: m.deny("sleep", "mood", at=NOON - 3 * DAY)),
    "typed before there was a link": (
        "unknown_link",
        lambda m: m.assign_type("sleep", "mood", "tension", at=NOON - 3 * DAY),
    ),
    "another domain": ("other_domain", lambda m: m.add_star("Sleep", domain="soul")),
    "another domain at a time it was there": (
        "other_domain",
        lambda m: m.add_star("sleep", domain="soul", at=NOON - 2 * DAY),
    ),
    # parameters
    "unknown preset": ("unknown_preset", lambda m: m.configure(preset="best")),
    "bad parameters": ("bad_parameters", lambda m: m.configure(parameters={"floor": 7.0})),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_used_is_refused_and_changes_nothing(tmp_path: Path, what: str) -> None:
    code, call = REFUSED[what]
    drive(is_refused(made(tmp_path / "memory.db"), call, code=code))


def test_a_refusal_does_not_repeat_a_megabyte(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    for call in (REFUSED["1 MB star"], REFUSED["1 MB time text"], REFUSED["1 MB evidence kind"]):
        error = drive(is_refused(path, call[1], code=call[0]))
        assert len(str(error.to_dict())) < 2_000


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "\0", SURROGATE, LONG])
def test_a_space_must_have_a_name_that_can_be_kept(tmp_path: Path, text: str) -> None:
    path = made(tmp_path / "memory.db")
    with pytest.raises(AsterismError) as refused:
        opened(path, space=text)
    assert refused.value.code == "bad_text"
    assert is_told_well(refused.value)


@pytest.mark.parametrize("text", ["", "nobody", SURROGATE, "sleep\0", "x" * 100_000, "' OR 1=1 --"])
def test_a_lookup_of_an_impossible_name_gives_nothing(tmp_path: Path, text: str) -> None:
    async def scenario() -> None:
        async with opened(made(tmp_path / "memory.db")) as memory:
            assert await memory.star(text) is None
            assert await memory.link(text, "sleep") is None
            assert await memory.link("sleep", text) is None
            assert await memory.links(text) == []

    drive(scenario())


def test_every_bad_parameter_is_named_at_once(tmp_path: Path) -> None:
    bad: dict[str, float | str] = {"floor": 7.0, "max_strength": NAN, "no_such_thing": 1.0, "decay_shape": "square"}
    with pytest.raises(AsterismError) as refused:
        drive(opened(tmp_path / "memory.db", parameters=bad).__aenter__())
    assert refused.value.code == "bad_parameters"
    assert all(name in refused.value.message for name in bad)
    assert is_told_well(refused.value)


def test_a_refused_parameter_leaves_no_space_behind(tmp_path: Path) -> None:
    for wrong in (
        opened(tmp_path / "memory.db", preset="best"),
        opened(tmp_path / "memory.db", parameters={"floor": 7.0}),
    ):
        with pytest.raises(AsterismError):
            drive(wrong.__aenter__())
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        assert store.spaces() == []


# Whose memory it is


@pytest.mark.parametrize("asked", [{"preset": "tuned"}, {"parameters": {"engage_impact": 0.05}}])
def test_a_space_is_not_opened_with_other_parameters_than_it_was_made_with(
    tmp_path: Path, asked: dict[str, object]
) -> None:
    path = made(tmp_path / "memory.db")
    before = told(path)
    with pytest.raises(AsterismError) as refused:
        drive(opened(path, **asked).__aenter__())  # type: ignore[arg-type]  # one case for each
    assert refused.value.code == "other_parameters"
    assert is_told_well(refused.value)
    assert told(path) == before


def test_a_refused_opening_does_not_close_a_store_that_others_use(tmp_path: Path) -> None:
    async def scenario() -> None:
        with closing(SQLiteStore(made(tmp_path / "memory.db"))) as store:
            async with opened(store) as memory:
                with pytest.raises(AsterismError):
                    await opened(store, preset="tuned").__aenter__()
                assert len(await memory.nodes()) == 3

    drive(scenario())


def test_two_memories_that_begin_a_space_with_other_parameters_do_not_both_write(tmp_path: Path) -> None:
    async def scenario(path: Path) -> None:
        async with opened(path, preset="seed") as one, opened(path, preset="tuned") as other:
            await one.add_star("Sleep", domain="health")
            with pytest.raises(AsterismError) as refused:
                await other.add_star("Mood", domain="soul")
            assert refused.value.code == "other_parameters"
            assert len(await one.nodes()) == 1

    drive(scenario(tmp_path / "memory.db"))


def test_merging_a_file_without_the_space_is_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        other = tmp_path / "other.db"
        async with opened(other, space="you") as memory:
            await memory.add_star("Sleep", domain="health")
        error = await is_refused(made(tmp_path / "memory.db"), lambda m: m.merge(other), code="wrong_space")
        assert "you" in (error.hint or "")

    drive(scenario())


@pytest.mark.parametrize("other", ["not there.db", "text.db", "folder"])
def test_merging_what_is_no_memory_is_refused(tmp_path: Path, other: str) -> None:
    (tmp_path / "text.db").write_text("just text, " * 100)
    (tmp_path / "folder").mkdir()
    code = {"not there.db": "unknown_memory", "text.db": "corrupt", "folder": "cannot_open"}[other]
    drive(is_refused(made(tmp_path / "memory.db"), lambda m: m.merge(tmp_path / other), code=code))
    assert not (tmp_path / "not there.db").exists()


def test_an_item_of_another_space_is_refused(tmp_path: Path) -> None:
    stray = make_item(space="you", what="engaged", at=0, payload={"star": "sleep"}, known_at=0)

    async def send(_: Memory) -> None:
        with closing(SQLiteStore(tmp_path / "memory.db")) as store:
            Live(store, "me", clock=lambda: 0).write(lambda _: [stray])

    drive(is_refused(made(tmp_path / "memory.db"), send, code="wrong_space"))


# Text is text

TEXTS = [
    "'; DROP TABLE ledger; --",
    'Robert"); DELETE FROM space; --',
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "%s %d {0} ${HOME} $(ls) `ls`",
    "../../etc/passwd",
    "🜁🔥",
    "🏃‍♀️ run",
    "睡眠",
    "気分 と 天気",
    "שינה",
    "مزاج",
    "Ünï¢ødé",
    "ﬁ ligature",
    "a~b",
    "null",
    "NaN",
    "-1",
    "e\u0301 and é",
]


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_kept_as_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "memory.db"

    async def scenario() -> None:
        async with opened(path, space=text) as memory:
            star = await memory.add_star(text, domain="soul", source=text)
            other = await memory.add_star("Other", domain="soul")
            receipt = await memory.observe(text, "other", "user_creates", source=text, note=f"{text}\n\t{text}")
            assert star.name == text
            assert "~" not in star.id
        async with opened(path, space=text) as memory:
            assert await memory.star(text) == await memory.star(star.id)
            link = await memory.link(text, "Other")
            assert link is not None
            assert {link.a, link.b} == {star.id, other.id}
            assert (await memory.verify()).ok
            assert text in str(await memory.why(receipt.item_id))
            assert (await memory.why(link.id)).total == link.strength
        with closing(SQLiteStore(path)) as store:
            assert store.spaces() == [text]
            kept = [each.item for each in store.items(text) if each.item.what == "evidence"]
            assert [(item.source, item.note) for item in kept] == [(text, f"{text}\n\t{text}")]

    drive(scenario())


def test_names_of_any_script_are_different_stars(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "memory.db") as memory:
            for text in TEXTS:
                await memory.add_star(text, domain="soul")
            assert sorted(star.name for star in await memory.nodes()) == sorted(TEXTS)

    drive(scenario())


GOOD = ("sleep", "work", "user_creates")


@pytest.mark.parametrize(
    ("call", "row"),
    [
        (lambda m: m.observe_many([GOOD, ("sleep", "nobody", "user_creates"), GOOD]), 2),
        (lambda m: m.observe_many([GOOD, GOOD, ("sleep",)]), 3),
        (lambda m: m.observe_many([("sleep", "nobody", "user_creates")]), None),
        (lambda m: m.learn_many(["tea", "rain", 5]), 3),
        (lambda m: m.learn_many(["tea", "rain\x07"]), 2),
        (lambda m: m.learn_many(["tea", "tea", {"content": "rain", "at": NOON + DAY}, "wind"]), 3),
        (lambda m: m.learn_many(["rain\x07"]), None),
    ],
)
def test_of_several_rows_the_one_that_is_refused_is_named(tmp_path: Path, call: Call, row: int | None) -> None:
    async def scenario() -> None:
        async with opened(made(tmp_path / "memory.db")) as memory:
            with pytest.raises(AsterismError) as refused:
                await call(memory)
            assert refused.value.row == row

    drive(scenario())


def test_as_many_names_of_emoji_as_many_stars(tmp_path: Path) -> None:
    async def scenario() -> None:
        names = [chr(0x1F300 + first) + chr(0x1F600 + second) for first in range(30) for second in range(20)]
        async with opened(tmp_path / "memory.db") as memory:
            for name in names:
                await memory.add_star(name, domain="soul", at=NOON)
            assert len(await memory.nodes()) == len(names)

    drive(scenario())


@pytest.mark.parametrize("where", ["here", "in a thread"])
def test_a_memory_opened_for_reading_reads_and_does_not_write(tmp_path: Path, where: str) -> None:
    path = made(tmp_path / "memory.db")
    before = path.read_bytes()

    async def scenario() -> None:
        memory = opened(path, read_only=True) if where == "here" else Memory.open(path, space="me", read_only=True)
        async with memory:
            assert len(await memory.nodes()) == 3
            writes: list[Call] = [
                lambda m: m.add_star("Cat", domain="soul"),
                lambda m: m.observe("sleep", "mood", "user_confirms"),
                lambda m: m.observe_many([]),
                lambda m: m.advance(days=1),
                lambda m: m.deny("sleep", "mood"),
                lambda m: m.configure(preset="tuned"),
                lambda m: m.merge(path),
            ]
            for write in writes:
                with pytest.raises(AsterismError) as refused:
                    await write(memory)
                assert refused.value.code == "read_only"
                assert is_told_well(refused.value)
            assert (await memory.verify()).ok

    asyncio.run(scenario())
    assert path.read_bytes() == before
