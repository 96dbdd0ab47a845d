"""Every kind of step that a history is made of: each one call of a memory, its choices made by a seed of its own."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from tests.support.memories import DAY, NOON, AnyMemory

STARS = ("Sleep", "Mood", "Running", "Coffee", "Rest")
TEXTS = (
    "The {marker} garden needs water in the morning, says {word}.",
    "Keep the {marker} lantern dry: {word}.",
    "{word} leaves the {marker} harbour at nine.",
    "Nobody rings the {marker} bell while {word} sleeps.",
)
EVIDENCE = ("user_confirms", "user_creates", "co_mention_session", "tars_confirmed")
COPIED = "quixcopied"  # told to both copies and erased in one of them
BACKUP, LEDGER = "backup.db", "ledger.jsonl"  # what steps write beside a memory
STATUSES = ["inbox", "active", "superseded", "duplicate"]


@dataclass(frozen=True)
class Told:
    """What a step is made of."""

    word: str  # its own, to be erased later
    marker: str  # a word of its space
    seed: str  # of its choices
    now: datetime
    files: Path  # that it may take in


Kind = Callable[[AnyMemory, Told], object]
KINDS: dict[str, Kind] = {}


def kind(step: Kind) -> Kind:
    KINDS[step.__name__.removesuffix("_")] = step
    return step


def tell_copied(memory: AnyMemory) -> None:
    """Tell what another copy was told too, which is one item."""
    memory.learn(f"Nobody knows {COPIED}.", source=COPIED, at=NOON - DAY)


def _block(memory: AnyMemory, chance: random.Random, statuses: list[str] = STATUSES) -> str | None:
    ids = sorted(block.id for block in memory.blocks(statuses=statuses))
    return chance.choice(ids) if ids else None


def _ago(chance: random.Random, now: datetime) -> datetime:
    return now - timedelta(days=chance.choice([0, 0, 0, 1]), minutes=chance.randrange(60))


@kind
def begin(memory: AnyMemory, _: Told) -> None:
    """The first step: something that another copy erased."""
    tell_copied(memory)


@kind
def star(memory: AnyMemory, told: Told) -> None:
    known = {star.name for star in memory.stars()}
    name = random.Random(told.seed).choice([each for each in STARS if each not in known] or STARS)
    memory.add_star(name, domain="health", at=told.now, source=f"{told.marker} diary")


def _known(memory: AnyMemory, chance: random.Random) -> list[str]:
    stars = sorted(star.id for star in memory.stars())
    return chance.sample(stars, 2) if len(stars) > 1 else ["sleep", "mood"]  # or it is refused


@kind
def observe(memory: AnyMemory, told: Told) -> None:
    chance = random.Random(told.seed)
    memory.observe(
        *_known(memory, chance),
        chance.choice(EVIDENCE),
        at=_ago(chance, told.now),
        source=told.word,
        note=f"{told.marker} note",
    )


@kind
def observe_many(memory: AnyMemory, told: Told) -> None:
    chance = random.Random(told.seed)
    a, b = _known(memory, chance)
    rows = [
        {"a": a, "b": b, "kind": "user_confirms", "at": told.now - n * timedelta(hours=1), "source": told.word}
        for n in range(30)
    ]
    memory.observe_many(rows)


@kind
def brightness(memory: AnyMemory, told: Told) -> None:
    chance = random.Random(told.seed)
    memory.set_brightness(
        _known(memory, chance)[0], round(chance.uniform(0.1, 1), 2), at=_ago(chance, told.now), source=told.word
    )


@kind
def engage(memory: AnyMemory, told: Told) -> None:
    memory.engage(_known(memory, random.Random(told.seed))[0], at=told.now)


@kind
def deny(memory: AnyMemory, told: Told) -> None:
    links = sorted((link.a, link.b) for link in memory.links())
    memory.deny(*(random.Random(told.seed).choice(links) if links else ("sleep", "mood")), at=told.now)


@kind
def learn(memory: AnyMemory, told: Told) -> None:
    chance = random.Random(told.seed)
    text = chance.choice(TEXTS).format(marker=told.marker, word=told.word)
    memory.learn(text, tags=[told.word], source=told.word, name=f"{told.word} itself", at=_ago(chance, told.now))


@kind
def learn_many(memory: AnyMemory, told: Told) -> None:
    facts = [
        {
            "content": f"{text.format(marker=told.marker, word=told.word)} {n}",
            "source": told.word,
            "at": told.now - timedelta(minutes=n),
        }
        for n in range(5)
        for text in TEXTS
    ]
    memory.learn_many(facts, conversation=f"{told.marker} talk")


@kind
def edit(memory: AnyMemory, told: Told) -> None:
    if block := _block(memory, random.Random(told.seed), ["inbox", "active"]):
        memory.edit(block, f"The {told.marker} ferry leaves at ten, since {told.seed}.", at=told.now)


@kind
def forget(memory: AnyMemory, told: Told) -> None:
    if block := _block(memory, random.Random(told.seed), ["inbox", "active"]):
        memory.forget(block, at=told.now)


@kind
def restore(memory: AnyMemory, told: Told) -> None:
    if block := _block(memory, random.Random(told.seed), ["forgotten"]):
        memory.restore(block, at=told.now)


@kind
def pin(memory: AnyMemory, told: Told) -> None:
    if block := _block(memory, random.Random(told.seed), ["inbox", "active"]):
        memory.pin(block, at=told.now)


@kind
def outcome(memory: AnyMemory, told: Told) -> None:
    if block := _block(memory, random.Random(told.seed), ["inbox", "active"]):
        memory.outcome([block], 0.9, at=told.now)


@kind
def used(memory: AnyMemory, told: Told) -> None:
    ids = sorted(block.id for block in memory.blocks())[:3]
    if ids:
        memory.used(ids, session=f"{told.marker} {told.seed}", at=told.now)


@kind
def dream(memory: AnyMemory, _: Told) -> None:
    memory.dream(steps=1)


@kind
def session(memory: AnyMemory, told: Told) -> None:
    memory.begin_session(f"{told.marker} {told.seed}", at=told.now)


@kind
def advance(memory: AnyMemory, told: Told) -> None:
    memory.advance(hours=random.Random(told.seed).choice([1, 30]), discover=True)


@kind
def discover(memory: AnyMemory, _: Told) -> None:
    memory.discover()


@kind
def diary(memory: AnyMemory, told: Told) -> None:
    chance = random.Random(told.seed)
    rows = [
        {"date": (told.now - n * DAY).date().isoformat(), "Sleep": 5 + (n * n) % 4, "Mood": 3 + (n * n + 1) % 4}
        for n in range(1, 8)
    ]
    if chance.random() < 0.5:
        memory.read_diary(rows, scales={"Sleep": "0..10", "Mood": "0..10"}, source=f"{told.marker} diary")
    else:
        memory.tell_values({"Sleep": chance.randint(0, 10)}, scales={"Sleep": "0..10"}, source=f"{told.marker} diary")


@kind
def transcript(memory: AnyMemory, told: Told) -> None:
    said = [
        f"Ann: I carry the {told.marker} lantern to {told.word}.",
        f"DM: The {told.marker} bell rings for {told.word}.",
    ] * 4
    memory.read_transcript(said, session=told.word, responders=["DM"], started_at=told.now - DAY)


@kind
def feed(memory: AnyMemory, told: Told) -> None:
    start = (told.now - DAY).timestamp()
    rows = [{"kind": "trade", "at": start + 60 * n, "price": 100.0 + n % 3, "usd": 9e5} for n in range(20)]
    memory.feed(f"{told.marker.upper()}", rows, source=f"{told.marker} tape {told.seed}", lateness=0)


@kind
def explore(memory: AnyMemory, told: Told) -> None:
    memory.explore(f"who keeps the {told.marker} lantern?", intention=f"find {told.seed}")


@kind
def unanswered(memory: AnyMemory, told: Told) -> None:
    memory.unanswered(f"where is the {told.marker} key of {told.seed}?")


@kind
def erase(memory: AnyMemory, told: Told) -> None:
    for subject in (f"source:{told.word}", f"session:{told.word}"):
        if subject.startswith("session:") == (told.word in memory.sessions()):
            memory.erase(subject)
            return


@kind
def merge(memory: AnyMemory, told: Told) -> None:
    memory.merge(told.files / "copy.db")


@kind
def import_(memory: AnyMemory, told: Told) -> None:
    memory.import_(told.files / "copy.jsonl")


@kind
def reference(memory: AnyMemory, told: Told) -> None:
    memory.import_(told.files / "memory.json")


def _beside(memory: AnyMemory, name: str) -> Path:
    return Path(memory._async._path).with_name(name)


@kind
def backup(memory: AnyMemory, _: Told) -> None:
    memory.backup(_beside(memory, BACKUP), force=True)


@kind
def export(memory: AnyMemory, _: Told) -> None:
    memory.export(_beside(memory, LEDGER), vectors=True, force=True)


@kind
def reembed(memory: AnyMemory, _: Told) -> None:
    memory.reembed()


@kind
def configure(memory: AnyMemory, told: Told) -> None:
    memory.configure(parameters={"dream_batch_blocks": random.Random(told.seed).choice([10, 12, 14])})


FIRST = (
    ("begin", "mine"),
    *[("star", space) for space in ("mine", "theirs", "mine", "theirs")],
    ("learn", "mine"),
    ("observe", "theirs"),
    ("learn_many", "theirs"),
)
FILES = {"merge", "import", "reference", "backup", "export"}  # they read files or write some
ERASABLE = ("learn", "learn_many", "observe", "observe_many", "transcript")
DRAWN = (*sorted(set(KINDS) - {"begin"}), "learn", "erase", "erase", "dream", "observe", "star")
