"""The whole public API, driven at random on every store and in two spaces: no leak, no divergence, no crash."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from datetime import timedelta
from math import sin
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from asterism.core.ledger.model import plain
from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import AnyMemory, HandClock, remembering
from tests.support.stores import STORES, place_of

CANARY = {"mine": "yellowhammer", "theirs": "kingfisher"}
THINGS = ("ferry", "bell", "lantern", "fog")
SAYINGS = (
    "The {canary} sits on the {thing} at dawn.",
    "Nobody rings the {thing} while the {canary} sleeps.",
    "Keep the {thing} dry, said the {canary} keeper.",
    "The {thing} fails when the cache is cold, says {canary}.",
)
KINDS = ("user_confirms", "user_creates", "co_mention_session", "causation_detected", "correlation_detected")
VARIES = {"took_ms", "seconds", "size_bytes", "path", "checkpoints", "free_bytes", "steps_left"}
SPACES = tuple(CANARY)

spaces = st.sampled_from(SPACES)
things = st.sampled_from(THINGS)
numbers = st.integers(0, 40)
Call = Callable[[AnyMemory], Any]


def told(value: object) -> str:
    """Say a value as JSON, without what may differ between two runs."""
    return json.dumps(_steady(plain(_parts(value))), ensure_ascii=False, sort_keys=True, default=str)


def _parts(value: object) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, list | tuple):
        return [_parts(each) for each in value]
    return value


def _steady(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _steady(each) for name, each in value.items() if name not in VARIES}
    return [_steady(each) for each in value] if isinstance(value, list) else value


class WholeMemory(RuleBasedStateMachine):
    """Every store, two spaces in each; whatever is told to one store is told to the others, and all say the same."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = HandClock()
        self.places = [place_of(kind, Path(self.folder.name)) for kind in STORES]
        self.held: dict[str, list[AnyMemory]] = {}

    @initialize()
    def opening(self) -> None:
        for space in SPACES:
            self.held[space] = [remembering(place, space=space, clock=self.clock) for place in self.places]
            for memory in self.held[space]:
                memory.__enter__()
            self.add_star(space, "ferry")

    def teardown(self) -> None:
        for memories in self.held.values():
            for memory in memories:
                memory.__exit__(None, None, None)
        self.folder.cleanup()

    def alike(self, space: str, call: Call) -> str:
        """Do the same in every store; give what they say, which must be the same and of this space alone."""
        said = []
        for memory in self.held[space]:
            try:
                said.append(told(call(memory)))
            except AsterismError as error:
                said.append(f"refused: {error.code}: {error.message}")
        assert all(each == said[0] for each in said)
        (other,) = set(SPACES) - {space}
        assert CANARY[other] not in said[0].lower(), f"space {space!r} speaks of {other!r}: {said[0][:500]}"
        return said[0]

    def node(self, space: str, number: int) -> str:
        """Choose a node of a space."""
        ids = [node.id for node in self.held[space][0].nodes()]
        return ids[number % len(ids)] if ids else "nobody"

    def text(self, space: str, thing: str, number: int) -> str:
        return SAYINGS[number % len(SAYINGS)].format(canary=CANARY[space], thing=thing)

    # Telling

    @rule(space=spaces, thing=things)
    def add_star(self, space: str, thing: str) -> None:
        self.alike(space, lambda memory: memory.add_star(f"{CANARY[space]} {thing}", domain="health"))

    @rule(space=spaces, one=numbers, other=numbers, kind=st.sampled_from(KINDS), ago=st.integers(0, 90))
    def observe(self, space: str, one: int, other: int, kind: str, ago: int) -> None:
        a, b = self.node(space, one), self.node(space, other)
        at = self.clock.now - timedelta(hours=ago)
        self.alike(space, lambda memory: memory.observe(a, b, kind, at=at, source=f"{CANARY[space]} diary"))

    @rule(space=spaces, star=numbers, value=st.floats(0, 1))
    def star_calls(self, space: str, star: int, value: float) -> None:
        name = self.node(space, star)
        self.alike(space, lambda memory: memory.set_brightness(name, value))
        self.alike(space, lambda memory: memory.engage(name))

    @rule(space=spaces, one=things, other=things, late=st.integers(0, 2))
    def keep_diary(self, space: str, one: str, other: str, late: int) -> None:
        """Some weeks of values of two stars, one of which may follow the other."""
        names = [f"{CANARY[space]} {thing}" for thing in (one, other)]
        rows = [
            {"date": (self.clock.now - timedelta(days=30 - day)).date().isoformat()}
            | {name: round(0.5 + 0.3 * sin((day - late * place) ** 2), 3) for place, name in enumerate(names)}
            for day in range(30)
        ]
        scales = dict.fromkeys(names, "0..1")
        self.alike(space, lambda memory: memory.read_diary(rows, scales=scales, source=f"{CANARY[space]} diary"))
        self.discover(space, "best")

    @rule(space=spaces, detector=st.sampled_from(["best", "seed"]))
    def discover(self, space: str, detector: str) -> None:
        self.alike(space, lambda memory: memory.discover(detector=detector))

    @rule(space=spaces, one=numbers, other=numbers)
    def deny(self, space: str, one: int, other: int) -> None:
        a, b = self.node(space, one), self.node(space, other)
        self.alike(space, lambda memory: memory.deny(a, b))

    @rule(space=spaces, thing=things, number=numbers, tagged=st.booleans())
    def learn(self, space: str, thing: str, number: int, tagged: bool) -> None:
        text, tags = self.text(space, thing, number), [f"{CANARY[space]}/{thing}"] * tagged
        self.alike(space, lambda memory: memory.learn(text, tags=tags, source=f"{CANARY[space]} notes"))

    @rule(
        space=spaces,
        thing=things,
        number=numbers,
        ago=st.integers(0, 90) | st.none(),
        slot=st.sampled_from(["", "place", "keeper"]),
        more=st.sampled_from(["", "valid_from", "valid_until", "expires", "replaces"]),
    )
    def learn_for_a_while(self, space: str, thing: str, number: int, ago: int | None, slot: str, more: str) -> None:
        text, hours = self.text(space, thing, number), timedelta(hours=number)
        terms: dict[str, Any] = {"slot": f"{CANARY[space]}/{slot}"} if slot else {}
        if ago is not None:
            terms["at"] = self.clock.now - timedelta(hours=ago)
        if more:
            times = {"valid_from": self.clock.now - hours, "replaces": self.node(space, number)}
            terms[more] = times.get(more, self.clock.now + hours)
        self.alike(space, lambda memory: memory.learn(text, **terms, source=f"{CANARY[space]} notes"))
        self.alike(space, lambda memory: [memory.history(), memory.blocks()])

    @rule(space=spaces, thing=things, keeper=things, dreams=st.booleans())
    def learn_where(self, space: str, thing: str, keeper: str, dreams: bool) -> None:
        """What cannot both hold is shown after a dream, and settled by whoever knows."""
        self.alike(space, lambda memory: memory.learn(f"{CANARY[space].title()} lives in the {thing} house."))
        self.alike(space, lambda memory: memory.learn(f"{CANARY[space].title()} lives in the {keeper} house."))
        if dreams:
            self.dream(space)
        shown = json.loads(self.alike(space, lambda memory: memory.conflicts()))
        there = {block.id for block in self.held[space][0].blocks()}
        assert all({each["earlier"]["id"], each["later"]["id"]} <= there for each in shown)

    @rule(space=spaces, number=numbers, on=st.booleans())
    def pin(self, space: str, number: int, on: bool) -> None:
        name = self.node(space, number)
        self.alike(space, lambda memory: memory.pin(name, on=on))

    @rule(space=spaces)
    def dream(self, space: str) -> None:
        self.alike(space, lambda memory: memory.dream())

    @rule(space=spaces, number=numbers, thing=things)
    def edit(self, space: str, number: int, thing: str) -> None:
        name, text = self.node(space, number), self.text(space, thing, number + 1)
        self.alike(space, lambda memory: memory.edit(name, text))

    @rule(space=spaces, number=numbers, back=st.booleans())
    def forget(self, space: str, number: int, back: bool) -> None:
        name = self.node(space, number)
        self.alike(space, lambda memory: memory.forget(name))
        if back:
            self.alike(space, lambda memory: memory.restore(name))

    @rule(space=spaces, number=numbers, signal=st.sampled_from([-1.0, 0.5, 1.0]))
    def outcome(self, space: str, number: int, signal: float) -> None:
        name = self.node(space, number)
        self.alike(space, lambda memory: memory.outcome([name], signal))
        self.alike(space, lambda memory: memory.used([name], session=f"{CANARY[space]} talk"))

    @rule(space=spaces, thing=things, swapped=st.booleans())
    def read_transcript(self, space: str, thing: str, swapped: bool) -> None:
        name = CANARY[space]
        said = [("Ann", f"I pick up the {thing}."), ("DM", f"The {name} {thing} is heavy."), ("Bo", "Can I help her?")]
        lines = [
            {"line_index": place, "author_name": f"{who} {name}", "content": text}
            for place, (who, text) in enumerate(said[::-1] if swapped else said)
        ]
        started = self.clock.now - timedelta(hours=1)
        self.alike(
            space,
            lambda memory: memory.read_transcript(lines, session=f"{name} {thing}", started_at=started).to_dict(),
        )

    @rule(space=spaces, thing=things, answering=st.sampled_from([None, "channel", "reply"]), learned=st.booleans())
    def read_talk(self, space: str, thing: str, answering: str | None, learned: bool) -> None:
        name = CANARY[space]
        session, started = f"{name} talk of {thing}", self.clock.now - timedelta(hours=1)
        said = [
            f"Ann {name}: Where is the {thing}?",
            f"Bo {name}: It is here.",
            f"Cy {name}: I saw the {name} {thing}.",
        ]
        if learned:
            self.alike(space, lambda memory: memory.learn_many(said, conversation=session))
            return
        self.alike(
            space,
            lambda memory: memory.read_transcript(
                said, session=session, started_at=started, answering=answering
            ).to_dict(),
        )
        self.alike(space, lambda memory: memory.replies(session))

    @rule(space=spaces, price=st.integers(90, 110), number=numbers)
    def feed(self, space: str, price: int, number: int) -> None:
        first = self.clock.now.timestamp() - 600
        rows = [
            {"kind": "trade", "at": first + 7 * step, "price": float(price), "usd": 3e5}
            for step in range(1 + number % 5)
        ]
        symbol = CANARY[space].upper()
        self.alike(space, lambda memory: memory.feed(symbol, rows, source=f"tape {number}", lateness=0))

    @rule(space=spaces, thing=things, learn=st.booleans())
    def explore(self, space: str, thing: str, learn: bool) -> None:
        self.alike(space, lambda memory: memory.explore(f"what of the {thing}?", intention="know it", learn=learn))

    @rule(space=spaces, days=st.integers(1, 20), discover=st.booleans())
    def advance(self, space: str, days: int, discover: bool) -> None:
        self.alike(space, lambda memory: memory.advance(days=days, discover=discover))

    @rule(hours=st.integers(1, 100))
    def time_passes(self, hours: int) -> None:
        self.clock.now += timedelta(hours=hours)

    # Asking

    @rule(space=spaces, thing=things, walk=st.booleans(), both=st.booleans())
    def recall(self, space: str, thing: str, walk: bool, both: bool) -> None:
        words = f"{thing} {CANARY['theirs']} {CANARY['mine']}" if both else f"what about the {thing}?"
        said = self.alike(space, lambda memory: [hit.to_dict() for hit in memory.recall(words, walk=walk).hits])
        for hit in json.loads(said):
            assert abs(sum(hit["signals"].values()) - hit["score"]) < 1e-9

    @rule(space=spaces, thing=things, floor=st.sampled_from([0.0, 0.1, 0.5, 1.0]), now=st.booleans())
    def recall_with_a_floor(self, space: str, thing: str, floor: float, now: bool) -> None:
        words = f"Where is the {thing}{' now' * now}?"
        said = self.alike(space, lambda memory: [hit.to_dict() for hit in memory.recall(words, floor=floor).hits])
        assert all(hit["probability"] >= floor for hit in json.loads(said))
        self.alike(space, lambda memory: memory.recall(words).as_prompt(budget=200))

    @rule(thing=things, first=spaces)
    def recall_in_both(self, thing: str, first: str) -> None:
        """Asked in both spaces, every hit says whose it is, and none is in another."""
        said = []
        for memory in self.held[first]:
            hits = memory.recall(f"what about the {thing}?", spaces=list(SPACES)).hits
            assert all(CANARY[other] not in hit.text for hit in hits for other in SPACES if other != hit.space)
            said.append(told([hit.to_dict() for hit in hits]))
            assert {each.name for each in memory.spaces()} == {*SPACES}
        assert all(each == said[0] for each in said)

    @rule(space=spaces, thing=things)
    def unanswered(self, space: str, thing: str) -> None:
        """A question that was written down is open until something answers it."""
        query = f"Who painted the {thing} of {CANARY[space]}?"
        self.alike(space, lambda memory: memory.unanswered(query))
        still = json.loads(self.alike(space, lambda memory: memory.open_questions()))
        unsure = self.held[space][0].recall(query).unsure
        assert (query in {each["query"] for each in still}) is unsure

    @rule(space=spaces, one=numbers, other=numbers)
    def why(self, space: str, one: int, other: int) -> None:
        a, b = self.node(space, one), self.node(space, other)
        for call in (lambda memory: memory.why(a), lambda memory: memory.why(a, b)):
            said = self.alike(space, call)
            if not said.startswith("refused"):
                explained = json.loads(said)
                assert abs(sum(line["value"] for line in explained["lines"]) - explained["total"]) < 1e-9
        self.alike(space, lambda memory: memory.why_not(a, "what of the bell?"))

    @rule(space=spaces, ago=st.integers(0, 200))
    def past(self, space: str, ago: int) -> None:
        at = self.clock.now - timedelta(hours=ago)
        for memory in self.held[space]:
            memory.as_of(at)
        self.alike(space, lambda memory: [memory.as_of(at).nodes(), memory.as_of(at).links()])
        self.alike(space, lambda memory: [memory.as_of(at).history(), memory.history(at=at)])

    @rule(space=spaces)
    def whole(self, space: str) -> None:
        self.alike(space, lambda memory: memory.project(days=30))
        self.alike(space, lambda memory: [memory.predictions(), memory.causal_links(), memory.sessions()])
        self.alike(space, lambda memory: [memory.stats().items, memory.symbols()])

    @rule(space=spaces, number=numbers, source=st.sampled_from(["diary", "notes", "tape 3", None]))
    def what_if(self, space: str, number: int, source: str | None) -> None:
        subject = self.subject(space, number, source)
        before = [told(memory.verify()) for memory in self.held[space]]
        self.alike(space, lambda memory: memory.what_if(without=subject))
        assert before == [told(memory.verify()) for memory in self.held[space]]

    @rule(space=spaces, number=numbers, source=st.sampled_from(["diary", "notes", "tape 3", None]))
    def erase(self, space: str, number: int, source: str | None) -> None:
        subject = self.subject(space, number, source)
        foreseen = self.alike(space, lambda memory: memory.what_if(without=subject))
        said = self.alike(space, lambda memory: memory.erase(subject))
        assert foreseen.startswith("refused") == said.startswith("refused")
        if not said.startswith("refused"):
            self.alike(space, lambda memory: memory.erase(subject, dry_run=True))

    def subject(self, space: str, number: int, source: str | None) -> str:
        """Choose something to do without."""
        if source is None:
            return f"node:{self.node(space, number)}"
        return f"source:{source}" if source.startswith("tape") else f"source:{CANARY[space]} {source}"

    @rule(space=spaces)
    def take_along(self, space: str) -> None:
        """A ledger that was exported is the same in a new memory, and says the same."""
        text = self.alike(space, lambda memory: memory.export(format="jsonl").text)
        written = self.held[space][0].export(format="jsonl").text
        with remembering(InMemoryStore(), space=space, clock=self.clock) as copy:
            copy.import_(io.BytesIO(written.encode()))
            assert told(copy.export(format="jsonl").text) == text
            assert told(copy.verify().digest) == told(self.held[space][0].verify().digest)
            again = self.held[space][0].merge(copy)
            assert (again.added, again.erased) == (0, 0)

    @rule(space=spaces)
    def look_after(self, space: str) -> None:
        for memory in self.held[space]:
            assert memory.doctor().ok
        self.alike(space, lambda memory: memory.graph())

    @rule()
    def reopen(self) -> None:
        for memories in self.held.values():
            for memory in memories:
                memory.__exit__(None, None, None)
        for space in SPACES:
            self.held[space] = [remembering(place, space=space, clock=self.clock) for place in self.places]
            for memory in self.held[space]:
                memory.__enter__()

    @invariant()
    def says_the_same(self) -> None:
        for space in self.held:
            self.alike(space, lambda memory: [memory.nodes(), memory.links()])

    @rule(space=spaces)
    def verify(self, space: str) -> None:
        said = json.loads(self.alike(space, lambda memory: memory.verify()))
        assert said["ok"], said["differences"]


TestWholeMemory = WholeMemory.TestCase
TestWholeMemory.settings = settings(max_examples=10, stateful_step_count=25)
