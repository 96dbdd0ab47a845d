"""A capability that the package does not know explains itself: its row is all that is needed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from asterism.core.ledger.capability import Capability
from asterism.core.ledger.explain import Added, Asked, Explains, Gates, Sum
from asterism.core.ledger.graph import GONE, Entry, Shown
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.ledger.marks import MARKS, NoParameters
from asterism.core.ledger.model import Line, Why, WhyNotAnswer, link_id
from asterism.core.space.capabilities import CAPABILITIES, Capabilities
from asterism.engine.explain.why import why
from asterism.engine.explain.why_not import why_not
from asterism.engine.recall.answer import question, sight
from asterism.engine.space.live import Live
from asterism.errors import InputError, UnknownError
from asterism.store.in_memory import InMemoryStore

RAINED = "rained"
WETTER = "wetter"


@dataclass
class Rain:
    """Millimetres of rain by place."""

    fallen: dict[str, float] = field(default_factory=dict)

    def apply(self, item: Item) -> None:
        place = str(item.payload["place"])
        self.fallen[place] = self.fallen.get(place, 0.0) + _millimetres(item)


def _millimetres(item: Item) -> float:
    return float(str(item.payload["millimetres"]))


def _why_place(asked: Asked[Rain], node: str) -> Why | None:
    if node not in asked.fold.fallen:
        return None
    lines = tuple(
        Line(f"rain of {item.at}", _millimetres(item)) for item in asked.items() if item.payload["place"] == node
    )
    return Why(node, "rain", lines, asked.fold.fallen[node])


def _why_wetter(asked: Asked[Rain], a: str, b: str, kind: str) -> Why | None:
    more = asked.fold.fallen.get(a, 0.0) - asked.fold.fallen.get(b, 0.0)
    return Why(link_id(a, b, WETTER), "strength", (Line("more rain", more),), more) if kind == WETTER else None


def _added(asked: Asked[Rain], item: Item) -> Added:
    rain, take = asked.before(item)
    before = sum(rain.fallen.values())
    take()
    return Added("rain", [Line("more", sum(rain.fallen.values()) - before)])


def _other(asked: Asked[Rain], subject: object) -> Why | None:
    return Why("all", "rain", (), sum(asked.fold.fallen.values())) if subject == "all rain" else None


def _missing(_: Asked[Rain], name: str) -> UnknownError | None:
    return UnknownError("no rain", code="no_rain", hint="wait") if name.startswith("rain in ") else None


def _dry(asked: Asked[Rain], node: str) -> WhyNotAnswer | None:
    dry = asked.fold.fallen.get(node) == 0.0
    return WhyNotAnswer(node, "dry", 0.0, 1.0, "Wait for rain.") if dry else None


def _not_wetter(asked: Asked[Rain], a: str, b: str, wanted: str) -> WhyNotAnswer:
    fallen = asked.fold.fallen
    return WhyNotAnswer(link_id(a, b, wanted), "rain", fallen[a], fallen[b], "Wait for rain.")


def _entry(rain: Rain, node: str) -> Entry | None:
    return Entry(id=node, text=node, kind="place") if node in rain.fallen else None


WEATHER: Capability[Rain, NoParameters] = Capability(
    name="weather",
    parameters=NoParameters,
    kinds=frozenset({RAINED}),
    begin=lambda _: Rain(),
    apply=lambda rain, item: rain.apply(item),
    copy=lambda rain: replace(rain, fallen=dict(rain.fallen)),
    load=lambda _, __: Rain(),
    graph=Shown(
        kinds=("place",),
        revision=lambda rain: frozenset(rain.fallen),
        entries=lambda rain: [Entry(id=node, text=node, kind="place") for node in rain.fallen],
        entry=_entry,
    ),
    explain=Explains(node=_why_place, link=_why_wetter, item=_added, other=_other, missing=_missing),
    gates=Gates(node=_dry, link=_not_wetter, words=("wetter",)),
)
THUNDER: Capability[None, NoParameters] = replace(
    MARKS,
    name="thunder",
    kinds=frozenset({"thundered"}),
    explain=Explains(adds=lambda _, told: Sum([Line("thunder", 0.5)], 0.5) if told.number == "rain" else None),
)


@pytest.fixture
def live() -> Live:
    """A space that knows of rain."""
    return raining(CAPABILITIES.and_also(WEATHER).and_also(THUNDER))


def raining(capabilities: Capabilities) -> Live:
    live = Live(InMemoryStore(), "me", clock=lambda: 100, embedder="hashed", capabilities=capabilities)
    fallen = [("hill", 2.0), ("dale", 1.0), ("hill", 3.0), ("desert", 0.0)]
    live.write(lambda _: [_rained(place, millimetres, at) for at, (place, millimetres) in enumerate(fallen, 1)])
    return live


def _rained(place: str, millimetres: float, at: int) -> Item:
    payload: Payload = {"place": place, "millimetres": millimetres}
    return make_item(space="me", what=RAINED, at=at, payload=payload, known_at=at)


def asked_not(live: Live, subject: str, query: str) -> WhyNotAnswer:
    asked = question(
        query,
        k=10,
        intention=None,
        hops=1,
        budget_tokens=None,
        tags=(),
        category=None,
        source=None,
        since=None,
        until=None,
        kinds=(),
    )
    return why_not(live, sight(live), subject, asked)


def test_its_nodes_are_explained_with_what_others_added(live: Live) -> None:
    told = why(live, ["hill"])
    assert told.lines == (Line("rain of 1", 2.0), Line("rain of 3", 3.0), Line("thunder", 0.5))
    assert told.total == 5.5


def test_its_nodes_are_explained_as_they_were(live: Live) -> None:
    assert why(live, ["hill"], at=2).total == 2.5


def test_its_links_are_explained_by_their_kind(live: Live) -> None:
    assert why(live, ["hill~dale#wetter"]).total == 4.0
    with pytest.raises(UnknownError, match="no link between"):
        why(live, ["hill", "dale"])


def test_its_items_are_explained(live: Live) -> None:
    assert why(live, [_rained("hill", 3.0, 3).id.hex()]).lines == (Line("more", 3.0),)


def test_what_is_neither_node_nor_link_nor_item_is_explained(live: Live) -> None:
    assert why(live, ["all rain"]).total == 6.0


def test_it_says_what_is_missing(live: Live) -> None:
    with pytest.raises(UnknownError, match="no rain"):
        why(live, ["rain in spain"])
    with pytest.raises(UnknownError, match="there is nothing called"):
        why(live, ["snow"])


def test_its_gates_are_named(live: Live) -> None:
    assert asked_not(live, "hill~dale", "WETTER").value == 5.0
    assert asked_not(live, "desert", "where does it rain?").gate == "dry"
    with pytest.raises(InputError) as caught:
        asked_not(live, "hill~dale", "colder")
    assert "wetter; of two blocks also similar" in str(caught.value.hint)


def test_its_nodes_that_were_put_away_can_be_asked_about_with_another() -> None:
    assert WEATHER.graph is not None
    assert WEATHER.gates is not None
    dry_is_gone = replace(
        WEATHER.graph,
        entries=lambda rain: [Entry(id=node, text=node, kind="place") for node in rain.fallen if rain.fallen[node]],
        stands=lambda rain, node: (node if rain.fallen[node] else GONE) if node in rain.fallen else None,
    )
    gates = replace(WEATHER.gates, node=None, kinds=("place",))
    live = raining(CAPABILITIES.and_also(replace(WEATHER, graph=dry_is_gone, gates=gates)))
    assert asked_not(live, "desert", "hill").id == "desert~hill#wetter"
    for subject, query, code in ("desert", "where?", "unknown_entry"), ("snow", "hill", "unknown_place"):
        with pytest.raises(UnknownError) as caught:
            asked_not(live, subject, query)
        assert caught.value.code == code
    with pytest.raises(UnknownError, match="it was forgotten"):
        asked_not(live, "desert", "where does it rain?")


def test_what_cannot_be_recalled_is_told_with_the_kinds_that_can_its_own_among_them() -> None:
    assert WEATHER.graph is not None
    unlisted = replace(WEATHER, graph=replace(WEATHER.graph, kinds=("puddle",), entries=None))
    with pytest.raises(UnknownError, match="hill cannot be recalled") as caught:
        asked_not(raining(CAPABILITIES.and_also(unlisted)), "hill", "where does it rain?")
    assert str(caught.value.hint).endswith("narrative, puddle")
