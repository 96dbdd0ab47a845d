"""Items about blocks, and their fold."""

from __future__ import annotations

from asterism.core.blocks.dreaming import Dreamed, dream_step
from asterism.core.blocks.fold import Blocks, folded
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.staging import active_of, ids_of, inbox_of
from asterism.core.blocks.state import Vectors, unit_vectors
from asterism.core.blocks.words import ACTIVE
from asterism.core.ledger.calendar import MICROS_PER_HOUR
from asterism.core.ledger.items import Item, Payload, Value, make_item

RULES = BlockParameters()

TEXTS = ("tea at 4", "tea at 5", "Bob likes tea", "cold rain", "warm rain", "a long\nstory\nin lines")

IDS = [block_id(text) for text in TEXTS]


def item(what: str, hour: float, payload: Payload) -> Item:
    return make_item(space="me", what=what, at=round(hour * MICROS_PER_HOUR), payload=payload, known_at=0)


def learned(content: str, hour: float, *tags: str, category: str = "") -> Item:
    return item(
        "learned",
        hour,
        {"content": content, "tags": sorted(tags), "category": category, "name": "", "conversation": "", "speaker": ""},
    )


def dreamed(hour: float, *, dream: str = "d", hours: float = 0.0, **said: list[str]) -> Item:
    payload: dict[str, Value] = {"dream": dream, "hours": hours, "exact": True, "recall": 1.0, "remaining": 0}
    payload |= {name: said.get(name, []) for name in ("promoted", "duplicates", "superseded", "created", "displaced")}
    payload |= {"conflicts": said["conflicts"]} if "conflicts" in said else {}
    return item("dreamed", hour, payload)


def blocks_of(*items: Item) -> Blocks:
    return folded(sorted(items, key=lambda each: each.position), RULES)


def vectors_for(ids: list[str]) -> Vectors:
    """Vectors as an embedder would give them: a function of the block alone."""
    made = [[1.0, *(int(digit, 16) / 16 for digit in name[:3])] for name in ids]
    return unit_vectors(ids, made, dimension=4).reshape(len(ids), 4)


def step(blocks: Blocks, *, dream: str, now_hours: float, rules: BlockParameters = RULES) -> Dreamed:
    inbox = inbox_of(blocks)
    state = active_of(blocks, vectors_for(ids_of(blocks, ACTIVE)), dream=dream, now_hours=now_hours)
    return dream_step(state, inbox, vectors_for(list(inbox.ids)), now_hours=now_hours, parameters=rules)
