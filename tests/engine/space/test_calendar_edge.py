"""Times at the edge of the calendar are an input error, in every call that takes a time."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from asterism.core.dialogue.lines import Line
from asterism.core.ledger.calendar import LATEST, to_datetime
from asterism.core.ledger.items import Payload, make_item
from asterism.engine.memory import Memory
from asterism.engine.space.live import Live
from asterism.errors import InputError
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import NOON, AnyMemory, contents, is_told_well, remembering

EAST, WEST = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
EDGES = [
    *(datetime.min.replace(tzinfo=zone) for zone in (UTC, EAST, WEST)),
    *(datetime.max.replace(tzinfo=zone) for zone in (UTC, EAST, WEST)),
    date.min,
    date.max,
    "0001-01-01",
    "9999-12-31",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999-12:00",
    to_datetime(LATEST + 1),
]
CALLS: dict[str, tuple[object, ...]] = {  # what else a call that takes a time needs
    "link": ("sleep", "mood"),
    "star": ("sleep",),
    "levels": ("BTC",),
    "nearest": ("BTC", 50_000.0),
    "clusters": ("BTC",),
    "gaps": ("BTC",),
    "density": ("BTC",),
    "replay": ("BTC",),
    "recall": ("tea",),
    "why_not": ("BLOCK", "tea"),
    "block": ("BLOCK",),
    "write_causal_links": ("links.jsonl",),
    "learn": ("Coffee is black.",),
    "edit": ("BLOCK", "Tea is black."),
    "forget": ("BLOCK",),
    "restore": ("BLOCK",),
    "pin": ("BLOCK",),
    "replies": ("talk",),
    "recall_story": (["They asked where."],),
    "outcome": (["BLOCK"], 0.9),
    "begin_session": ("work",),
    "end_session": ("work",),
    "read_transcript": ([Line(0, "Bo", "Where?"), Line(1, "Cy", "Here.")],),
    "acknowledge": ("sleep",),
    "engage": ("sleep",),
    "set_brightness": ("sleep", 0.5),
    "tell_values": ({"sleep": 0.5},),
    "contradict": ("sleep",),
    "mark_dark": ("sleep",),
    "dispute_dark": ("sleep",),
    "observe": ("sleep", "mood", "user_creates"),
    "deny": ("sleep", "mood"),
    "assign_type": ("sleep", "mood", "tension"),
    "as_of": (NOON,),
}
WORDS: dict[str, dict[str, object]] = {
    "add_star": {"name": "Tea", "domain": "soul"},
    "recall_story": {"session": "talk"},
    "used": {"answer": ["BLOCK"], "session": "work"},
    "read_transcript": {"session": "talk", "responders": ["Cy"]},
}


def takes_times() -> list[tuple[str, str]]:
    """Find every call of a memory that takes a time, and by which name."""
    return [
        (name, argument)
        for name, call in inspect.getmembers(Memory, inspect.isfunction)
        for argument, told in inspect.signature(call).parameters.items()
        if not name.startswith("_") and "When" in str(told.annotation)
    ]


@pytest.fixture(scope="module")
def store() -> InMemoryStore:
    return InMemoryStore()


@pytest.fixture(scope="module")
def memory(store: InMemoryStore) -> Iterator[AnyMemory]:
    with remembering(store) as memory:
        memory.add_star("Sleep", domain="health")
        memory.add_star("Mood", domain="soul")
        memory.observe("sleep", "mood", "user_creates")
        memory.learn("Tea is green.")
        memory.feed("BTC", [{"kind": "trade", "at": NOON.timestamp(), "price": 50_000.0, "usd": 9_000.0}])
        yield memory


def with_block(memory: AnyMemory, given: object) -> object:
    block = memory.blocks()[0].id
    return block if given == "BLOCK" else [block] if given == ["BLOCK"] else given


def test_there_are_calls_that_take_a_time() -> None:
    assert {name for name, _ in takes_times()} >= CALLS.keys() | WORDS.keys()


def called(memory: AnyMemory, name: str, **times: object) -> None:
    """Make a call with all that it needs, and a time."""
    call = getattr(memory, name)
    names = list(inspect.signature(call).parameters)
    given = dict(zip(names, (with_block(memory, each) for each in CALLS.get(name, ())), strict=False))
    call(**given | {word: with_block(memory, each) for word, each in WORDS.get(name, {}).items()} | times)


@pytest.mark.parametrize(("name", "argument"), takes_times())
def test_a_time_at_the_edge_of_the_calendar_is_refused(
    memory: AnyMemory, store: InMemoryStore, name: str, argument: str
) -> None:
    told = len(contents(store))
    for edge in EDGES:
        with pytest.raises(InputError) as refused:
            called(memory, name, **{argument: edge})
        assert refused.value.code == "bad_time", edge
        assert is_told_well(refused.value)
    assert len(contents(store)) == told


MAY_COME = ("valid_from", "valid_until", "expires")  # what is told of how long something holds


def tells() -> list[tuple[str, str]]:
    """Find the calls among them by which something is told: a call that only asks is of a class called ..Reads."""
    reads = {name for each in Memory.__mro__ if each.__name__.endswith("Reads") for name in vars(each)}
    told = [(name, argument) for name, argument in takes_times() if name not in reads | {"as_of", "project"}]
    return [(name, argument) for name, argument in told if argument not in MAY_COME]


@pytest.mark.parametrize(("name", "argument"), tells())
def test_what_is_told_lies_between_1900_and_the_memorys_clock(
    memory: AnyMemory, store: InMemoryStore, name: str, argument: str
) -> None:
    told = len(contents(store))
    ahead = NOON + timedelta(days=3_661) if name == "advance" else NOON + timedelta(seconds=1)
    for odd in (datetime(1899, 12, 31, 23, 59, 59, tzinfo=UTC), date(1899, 12, 31), "0500-01-01", ahead):
        with pytest.raises(InputError) as refused:
            called(memory, name, **{argument: odd})
        assert refused.value.code in {"bad_time", "future_time", "past_time", "bad_span"}, odd
        assert is_told_well(refused.value)
    assert len(contents(store)) == told


@pytest.mark.parametrize("argument", MAY_COME)
def test_how_long_something_holds_may_come_and_lies_in_the_calendar(argument: str) -> None:
    with remembering(InMemoryStore()) as memory:
        ahead = NOON + timedelta(days=1)
        assert memory.learn("Coffee is black.", **{argument: ahead}).status == "new"
        with pytest.raises(InputError, match="in the future"):
            memory.learn("Coffee is hot.", at=ahead, **{argument: ahead})


def test_rows_and_events_lie_there_too(memory: AnyMemory, store: InMemoryStore) -> None:
    told = len(contents(store))
    for odd in ("1899-12-31", NOON + timedelta(seconds=1)):
        for tell, row in (
            (memory.observe_many, {"a": "sleep", "b": "mood", "kind": "user_creates", "at": odd}),
            (memory.learn_many, {"content": "Coffee is black.", "at": odd}),
        ):
            with pytest.raises(InputError):
                tell([row])
    trade = {"kind": "trade", "price": 50_000.0, "usd": 9_000.0}
    assert memory.feed("BTC", [trade | {"at": "1899-12-31T12:00Z"}]).malformed == 1
    with pytest.raises(InputError, match="in the future"):
        memory.feed("BTC", [trade | {"at": NOON.timestamp() + 1}])
    now = round(NOON.timestamp() * 1000)
    for first, last in ((-(10**13), now), (now, now + 1)):
        lines = [Line(0, "Bo", "Where?", first), Line(1, "Cy", "Here.", last)]
        with pytest.raises(InputError):
            memory.read_transcript(lines, session="talk", responders=["Cy"])
    assert [each.item.what for each in contents(store)[told:]] in ([], ["market"])  # which counts what is malformed


def test_ten_years_are_the_most_at_once_and_the_error_says_how_to_go_on() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.add_star("Sleep", domain="health")
        with pytest.raises(InputError) as refused:
            memory.advance(to=NOON + timedelta(days=3_661))
        assert "ten years" in refused.value.message
        assert "2036-03-07" in (refused.value.hint or "")
        memory.advance(to="2036-03-07")
        memory.advance(days=3_660)
        with pytest.raises(InputError, match="ten years"):
            memory.advance(days=3_661)


@pytest.mark.parametrize("edge", EDGES)
def test_evidence_in_rows_facts_and_events_at_the_edge_are_refused(memory: AnyMemory, edge: object) -> None:
    for tell, row in (
        (memory.observe_many, {"a": "sleep", "b": "mood", "kind": "user_creates", "at": edge}),
        (memory.learn_many, {"content": "Coffee is black.", "at": edge}),
    ):
        with pytest.raises(InputError) as refused:
            tell([row])
        assert refused.value.code == "bad_time"
    report = memory.feed("BTC", [{"kind": "trade", "at": edge, "price": 50_000.0, "usd": 9_000.0}])
    assert (report.used, report.malformed) == (0, 1)


@pytest.mark.parametrize("edge", [datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=EAST)])
def test_a_clock_at_the_edge_is_refused(edge: datetime) -> None:
    for clock in (edge, lambda: edge):
        with pytest.raises(InputError) as refused, Memory.open_sync(":memory:", space="me", clock=clock) as memory:
            memory.add_star("Sleep", domain="health")
        assert refused.value.code == "bad_time"


def test_no_span_leads_over_the_edge() -> None:
    with remembering(InMemoryStore(), clock=to_datetime(LATEST)) as memory:
        memory.add_star("Sleep", domain="health")
        for go in (memory.advance, memory.project):
            with pytest.raises(InputError) as refused:
                go(days=1)
            assert refused.value.code == "bad_time"


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize(
    "at", [1e22, -1e22, 1e300, -(10**30), 10**400], ids=["1e22", "-1e22", "1e300", "-1e30", "1e400"]
)
def test_an_event_of_an_absurd_epoch_is_malformed(memory: AnyMemory, at: float, unit: str) -> None:
    row = {"kind": "trade", "at": at, "price": 50_000.0, "usd": 9_000.0}
    report = memory.feed("BTC", [row], unit=unit)
    assert (report.used, report.malformed) == (0, 1)


@pytest.mark.parametrize("known_at", [2**62, -(2**62)])
def test_an_item_known_at_no_time_of_any_calendar_can_be_explained(known_at: int) -> None:
    store = InMemoryStore()
    at = (NOON - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    payload: Payload = {"star": "sleep", "name": "Sleep", "domain": "health"}
    item = make_item(space="me", what="star_added", at=at, payload=payload, known_at=known_at)
    Live(store, "me", clock=lambda: at).write(lambda _: [item])
    with remembering(store) as memory:
        assert f"known since microsecond {known_at}" in str(memory.why(item.id.hex()))
