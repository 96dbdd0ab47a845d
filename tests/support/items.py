"""Items of all five capabilities, each in a line: what ledgers in tests of the core are made of."""

from __future__ import annotations

from asterism.core.blocks.inputs import LISTS
from asterism.core.blocks.scoring import block_id
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.levels.events import events_of
from asterism.core.levels.fold import MarketBatch

BEES, TEA, GOAT = (block_id(text) for text in ("Bees", "Tea", "Goat"))
TOLD = {"tags": [], "category": "", "conversation": "", "speaker": ""}


def item(what: str, at: int = 0, *, source: str = "", note: str = "", **payload: object) -> Item:
    told: Payload = payload  # type: ignore[assignment]  # as told
    return make_item(space="me", what=what, at=at, payload=told, known_at=0, source=source, note=note)


def star(name: str, at: int = 0, source: str = "") -> Item:
    return item("star_added", at, source=source, star=name.lower(), name=name, domain="soul")


def evidence(a: str, b: str, at: int = 0, **more: object) -> Item:
    return item("evidence", at, a=a, b=b, kind="user_creates", **more)  # type: ignore[arg-type]  # as told


def learned(content: str, at: int = 0, *, name: str = "", source: str = "", **more: object) -> Item:
    return item("learned", at, source=source, **(TOLD | {"content": content, "name": name} | more))  # type: ignore[arg-type]  # as told


def dreamed(at: int, **more: object) -> Item:
    lists: dict[str, object] = {name: [] for name in LISTS}
    told = {"dream": "1 0.0", "hours": 0.0, "exact": True, "recall": 1.0, "remaining": 0}
    return item("dreamed", at, **(told | lists | more))  # type: ignore[arg-type]  # as told


def reading(session: str, at: int, *actors: str) -> Item:
    return item(
        "transcript",
        at,
        source=session,
        session=session,
        content_hash="00" * 32,
        kernel_version=1,
        scorer="plain",
        parameters="{}",
        lines=2,
        actors=[f'["{name.lower()}","{name}"]' for name in actors],
        moments=[f'[0,0,"{actors[0].lower()}","Go!"]'],
        links=[],
        chunks=[],
    )


def batch(price: float, at: int, *, source: str) -> Item:
    row = {"kind": "liquidation", "at": float(at), "price": price, "usd": 2e6}
    events = events_of([row, row | {"at": at + 1.0}, row | {"at": at + 2.0}]).events
    payload = MarketBatch("X", 0, 3, 0, 0, events).payload()
    return make_item(space="me", what="market", at=int(events.at.max()), payload=payload, known_at=0, source=source)


def walk(at: int, *, narrative: str, content: str = "c") -> Item:
    return item(
        "explored",
        at,
        query="q",
        intention="",
        start="sleep",
        embedder="",
        vector="",
        paths=['["0","mood~sleep","a#b"]'],
        injections=['["work",0.5,0.5]'],
        coloured=['["work~run#similar",0,0.5,0.1,0]'],
        narratives=[f'["{narrative}","why","{content}",0.5,0.5,0,["sleep"]]'],
        ties=[f'["sleep","{narrative}",0.8,0.3,0.0,0.5,[]]'],
        vectors=[""],
    )
