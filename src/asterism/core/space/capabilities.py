"""The table of capabilities: one row each, and what follows from all of them together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar, cast

from asterism.core.blocks.capability import BLOCKS
from asterism.core.connections.capability import CONNECTIONS
from asterism.core.dialogue.capability import TRANSCRIPTS
from asterism.core.ledger.calendar import EARLIEST, LATEST
from asterism.core.ledger.capability import Capability, Judges
from asterism.core.ledger.graph import Shown
from asterism.core.ledger.items import Item, make_item
from asterism.core.ledger.marks import MARKS
from asterism.core.ledger.model import NODE_KINDS
from asterism.core.ledger.parameters import Parameters
from asterism.core.ledger.payloads import check_values
from asterism.core.levels.capability import LEVELS
from asterism.core.recall.capability import RECALL
from asterism.core.space.damage import REFUSED, damaged, of_unknown_kind
from asterism.core.walkers.capability import WALKS
from asterism.errors import InputError

Fold = TypeVar("Fold")
Rules = TypeVar("Rules", bound=Parameters)
Row = Capability[object, Parameters]  # a row of which it is not known which: it is handed its own fold and parameters


class Capabilities:
    """Rows of a table, and which of them an item concerns."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = tuple(rows)
        self.of_kind: Mapping[str, Row] = {kind: row for row in self.rows for kind in row.kinds}
        self.judging: dict[str, list[tuple[str, Judges[object]]]] = {}
        for row in self.rows:
            _refuse_without_revision(row)
            if row.judges is not None:
                for kind in row.judges.kinds:
                    self.judging.setdefault(kind, []).append((row.name, row.judges))

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def and_also(self, capability: Capability[Fold, Rules]) -> Capabilities:
        """Give a table with one more row."""
        return Capabilities((*self.rows, row_of(capability)))

    @cached_property
    def dated(self) -> tuple[Row, ...]:
        """The rows that count calendar days."""
        return tuple(row for row in self.rows if row.days is not None)

    @cached_property
    def shown(self) -> tuple[tuple[str, Shown[object]], ...]:
        """What rows show of the graph, by their names."""
        return tuple((row.name, row.graph) for row in self.rows if row.graph is not None)

    @cached_property
    def node_kinds(self) -> tuple[str, ...]:
        """The kinds of nodes there can be: those that every memory knows, then what further rows show."""
        return tuple(dict.fromkeys((*NODE_KINDS, *(kind for _, shown in self.shown for kind in shown.kinds))))

    @cached_property
    def stand_ins(self) -> Mapping[str, tuple[str, Callable[[object, str], str | None]]]:
        """How nodes whose place others may take are asked what stands for them, by kind, with the row's name."""
        return {kind: (name, shown.stands) for name, shown in self.shown if shown.stands for kind in shown.kinds}

    @cached_property
    def turned_back(self) -> tuple[Row, ...]:
        """The rows that a late item turns back: those that count days, and those that judge their items."""
        return tuple(row for row in self.rows if row.days is not None or row.judges is not None)

    @cached_property
    def undated(self) -> Collection[str]:
        """The kinds of items that open no day."""
        return frozenset(kind for row in self.rows if row.days is None for kind in row.kinds)

    @cached_property
    def judged_by(self) -> Collection[str]:
        """The kinds of items by which others count or not: they are folded first."""
        return frozenset(kind for row in self.rows if row.judges is not None for kind in row.kinds)

    def has_judges(self, item: Item) -> bool:
        """Say whether an item counts only with somebody's consent."""
        return any(judges.field in item.payload for _, judges in self.judging.get(item.what, ()))

    @cached_property
    def not_replayed(self) -> Collection[str]:
        """The kinds of items that a look into the past leaves to their own capability."""
        return frozenset(kind for row in self.rows if not row.replayed for kind in row.kinds)

    def check(self, item: Item) -> None:
        """Refuse an item of another ledger that cannot have been told: unknown, ill-formed, not what its id names."""
        row = self.of_kind.get(item.what)
        if row is None:
            raise of_unknown_kind(item)
        try:
            check_values(item.payload)
            row.check(item)
            parts = item._asdict()
            if make_item(**{name: parts[name] for name in parts if name not in ("id", "text")}) != item:
                raise ValueError("its content does not give its id")
            if not EARLIEST <= item.at <= LATEST:
                raise ValueError("its time is none that can be told")
        except REFUSED as error:
            raise damaged(item, error) from error


def _refuse_without_revision(row: Row) -> None:
    """Refuse a row that lists nodes and never says that there are others: recall would miss whatever came later."""
    if row.graph is not None and row.graph.entries is not None and row.graph.revision is None:
        raise InputError(
            f"the capability {row.name!r} lists nodes, and does not say when there are others",
            code="no_revision",
            item=row.name,
            hint="give its graph a revision: of its fold, another object whenever a node or a name is another",
        )


def row_of(capability: Capability[Fold, Rules]) -> Row:
    """Take a capability as one row among others: whoever holds the table hands each its own fold and parameters."""
    return cast("Row", capability)


CAPABILITIES = Capabilities(
    (
        row_of(MARKS),
        row_of(CONNECTIONS),
        row_of(LEVELS),
        row_of(BLOCKS),
        row_of(RECALL),
        row_of(TRANSCRIPTS),
        row_of(WALKS),
    )
)
