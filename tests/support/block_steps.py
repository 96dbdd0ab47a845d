"""Steps of a random story that are about blocks, by the names of two stars; and all that a memory says of blocks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.words import STATUSES
from asterism.core.ledger.items import Item
from asterism.core.ledger.parameters import Setting
from asterism.core.recall.model import Answer
from asterism.engine.memory import Memory, Snapshot
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import opened

BLOCK_STEPS = (
    "learn",
    "learn_many",
    "learn_claim",
    "edit",
    "forget",
    "restore",
    "used",
    "outcome",
    "begin_session",
    "end_session",
    "dream",
    "recall",
    "observe_block",
    "look_back",
)
QUERY = "sleep and work in the morning"


def text(a: str, b: str) -> str:
    """Say something of two stars; of one and itself, something near to what another text says."""
    return f"{a} is good for {b} in the morning." if a != b else f"{a} is good in the early morning."


async def take_block_step(
    memory: Memory, name: str, a: str, b: str, *, value: float, at: datetime | None, source: str | None
) -> object:
    """Take a step, and give what came of it, without what it took."""
    one, other = block_id(text(a, b)), block_id(text(b, a))
    match name:
        case "learn":
            tags = [a] if value else []
            return await memory.learn(text(a, b), tags=tags, category=b, name=a if value == 1 else None, at=at)
        case "learn_many":
            return await memory.learn_many(
                [{"content": text(a, other), "conversation": b, "speaker": a, "at": at} for other in (a, b, b, "Tea")]
            )
        case "learn_claim":
            return await memory.learn(f"{a} lives in {b}." if value else f"{a} moved to {b}.", at=at, source=source)
        case "edit":
            return await memory.edit(one, text(b, a) if value else text(a, b).upper(), at=at, source=source)
        case "forget":
            return await memory.forget(one, at=at, source=source)
        case "restore":
            return await memory.restore(one, at=at, source=source)
        case "used":
            return [await memory.used([one, other], session=f"{n}", at=at, source=source) for n in range(3)]
        case "outcome":
            return await memory.outcome([one, other], value, at=at, source=source)
        case "begin_session":
            return await memory.begin_session(a, at=at)
        case "end_session":
            return await memory.end_session(a, at=at)
        case "dream":
            return await memory.dream(steps=1 if value else None)
        case "recall":
            await memory.used(await memory.recall(text(a, b)), session=a)
            return answered(await memory.recall(text(a, b), k=3, hops=2, tags=[a] if value else []))
        case "observe_block":
            return await memory.observe(one, b, "user_confirms", at=at, source=source)
        case "look_back":
            return None if at is None else await blocks_and_answers(await memory.as_of(at))
        case _:
            raise AssertionError(name)


def answered(answer: Answer) -> list[tuple[str, float]]:
    """Give what an answer says, to the digits that single precision has."""
    for hit in answer.hits:
        assert abs(sum(hit.signals.values()) - hit.score) < 1e-9
    return [(hit.id, round(hit.score, 3)) for hit in answer.hits]


async def blocks_and_answers(memory: Memory | Snapshot) -> list[object]:
    """All that a memory says of blocks; each strength is the sum of its reasons."""
    links = await memory.links()
    for link in [link for link in links if link.family == "structural"][:5]:
        why = await memory.why(link.id)
        assert abs(sum(line.value for line in why.lines) - link.strength) < 1e-9, link
    conflicts = await memory.conflicts()
    assert [view.id for view in conflicts] == [link.id for link in links if link.kind == "conflict"]
    return [await memory.blocks(statuses=STATUSES), answered(await memory.recall(QUERY, k=100)), links, conflicts]


async def folded_anew(items: list[Item], clock: datetime, parameters: Mapping[str, Setting]) -> list[object]:
    """What a fresh memory says that is given the same ledger."""
    store = InMemoryStore()
    with store.writing("me") as writing:
        writing.append(items)
    async with opened(store, clock=clock, parameters=parameters) as memory:
        assert (await memory.verify()).ok
        return await blocks_and_answers(memory)
