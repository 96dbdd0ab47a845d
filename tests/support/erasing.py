"""A memory with one word in every place where text can be, for tests that look for it afterwards."""

from __future__ import annotations

import gc
import hashlib
from datetime import datetime
from pathlib import Path

from asterism.core.dialogue.lines import Actor
from asterism.engine.recall.recaller import CACHE, recaller_of
from asterism.engine.space.vectors import text_key
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from tests.support.five import market
from tests.support.memories import DAY, NOON, AnyMemory
from tests.support.stores import Place

BEGIN = NOON - 5 * DAY
WORD = "Quixotl"
BREAD = ["Grandmother's bread has walnuts in it", "The bread with walnuts rises overnight"]


def lines(*said: tuple[str, str]) -> list[dict[str, object]]:
    """Give lines of a transcript."""
    return [{"line_index": place, "author_name": who, "content": text} for place, (who, text) in enumerate(said)]


def tell_word(memory: AnyMemory, word: str = WORD, *, at: datetime = BEGIN) -> None:
    """Tell a memory something of every kind, with a word in every text of it, and something without."""
    for name in ("Lantern", "Bell", word):
        memory.add_star(name, domain="soul", at=at)
        memory.acknowledge(name, at=at)
    memory.observe("lantern", "bell", "user_confirms", at=at, source="diary")
    memory.observe("lantern", word, "user_confirms", at=at, source="diary", note=f"{word} again")
    for text in BREAD:
        memory.learn(text, source="cook", at=at)
    for number, text in enumerate(("keeps bees behind the house", "keeps bees behind the house and a goat")):
        memory.learn(f"{word} {text}", name=f"{word} {number}", tags=[word], source=word, speaker=word, at=at)
    memory.dream()
    block = memory.blocks()[-1]
    memory.used([block.id, memory.blocks()[0].id], session="morning", at=at + DAY)
    memory.outcome([block.id, memory.blocks()[0].id], 0.9, at=at + DAY)
    memory.explore(f"who keeps bees? {word}", intention="find honey", start=block.id)
    said = lines((word, f"I carry the Lantern to {word}."), ("DM", f"The Bell rings for {word}."))
    memory.read_transcript(said, session=word, actors=[Actor(word.lower(), word)], started_at=at)
    said = lines(("Ann", "I carry the Lantern."), ("DM", "The Bell rings."), ("Ann", "I look at the Bell."))
    memory.read_transcript(said, session="Ferry", actors=[Actor("ann", "Ann")], started_at=at)
    memory.feed("X", market(at), source="tape", lateness=0)
    memory.feed("X", market(at + DAY), source=word, lateness=0)
    live = memory._async._live
    live.keep(CACHE, recaller_of(live).cache(live.seq))
    live.checkpoint_if_due(at_least=0)


SUBJECTS = (f"session:{WORD}", f"source:{WORD}", f"node:{WORD}")


def vector_of(store: Store, text: str) -> bytes:
    """Give the vector that is kept of a text."""
    identity = store.embedder("me")
    assert identity is not None
    return store.vectors("me", identity, [text_key(text)])[text_key(text)]


def raw(place: Place, *, index: bool = True) -> bytes:
    """Give every byte that is kept of a memory: the file, its log and its index; or what a store in memory holds."""
    if isinstance(place, Path):
        ends = ("", "-wal", "-shm") if index else ("", "-wal")  # readers leave their marks in the index
        files = [place.with_name(place.name + end) for end in ends]
        return b"".join(path.read_bytes() for path in files if path.exists())
    assert isinstance(place, InMemoryStore)
    gc.collect()
    return repr({name: vars(shelf) for name, shelf in place._shelves.items()}).encode()


def has(place: Place, word: str = WORD) -> bool:
    """Say whether a word is anywhere in what is kept, in either case."""
    return word.lower().encode() in raw(place).lower()


def numbers(texts: list[str]) -> list[list[float]]:
    """Embed texts so that every vector has bytes of its own."""
    return [[byte / 255 for byte in hashlib.sha256(text.encode()).digest()] for text in texts]
