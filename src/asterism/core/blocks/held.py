"""What the fold of blocks holds, and the steps that several kinds of items take."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from asterism.core.blocks.links import Marked
from asterism.core.blocks.occurrences import Terms
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.standing import Standing
from asterism.core.ledger.items import Item, Position
from asterism.core.ledger.payloads import texts


class Held(Standing):
    """Blocks, the links between them, and what later items will be judged by."""

    def __init__(self, parameters: BlockParameters) -> None:
        super().__init__(parameters)
        self.position: Position | None = None  # of the last item in order
        self.stale = False
        self.joint: dict[tuple[str, str], tuple[str, ...]] = {}  # sessions in which pairs were used, the latest last
        self.dropped = 0  # pairs that fell out of `joint`
        self.dream = ""  # the last dream, what it promoted so far, and what it displaced
        self.fresh: set[str] = set()
        self._lost: dict[tuple[str, str], float] = {}
        self.packed_lost: Callable[[], dict[tuple[str, str], float]] | None = None  # unpacks it, if it was loaded
        self.cut = 0  # tags and sources beyond what a block keeps
        self.unfinished = False  # the last dream left blocks in the inbox
        self.terms = Terms()
        self.marked: dict[str, dict[str, Marked]] = {}  # by each end: what it was found to be in conflict with
        self.named: dict[str, set[str]] = {}  # by name, as `flattened` writes it: blocks that have it
        self.revision = object()  # another one whenever a block may be another
        self.unmet: set[str] = set()  # blocks that items named and that were not here
        self.followed = False  # somebody has taken changes: `changed` are not all since this was begun or loaded
        self.changed: set[str] = set()  # blocks whose text, name, tags or status changed since `take_changes`

    @property
    def lost(self) -> dict[tuple[str, str], float]:
        """The similarity edges that the last dream displaced, with their scores."""
        if self.packed_lost is not None:
            self._lost, self.packed_lost = self.packed_lost(), None
        return self._lost

    def begin_dream(self, name: str) -> None:
        """Begin another dream, which has promoted and displaced nothing yet."""
        self.dream, self.fresh, self._lost, self.packed_lost = name, set(), {}, None

    def take_changes(self) -> set[str]:
        """Name the blocks that changed since this was last asked."""
        changed, self.changed, self.followed = self.changed, set(), True
        return changed

    def meet(self, names: Iterable[str]) -> None:
        """Take note of the blocks that an item names and that are not here."""
        self.unmet.update(name for name in names if name not in self.blocks)

    def mark(self, mark: Marked) -> None:
        """Keep that two blocks were found to be in conflict, whatever becomes of them."""
        for end, other in ((mark.a, mark.b), (mark.b, mark.a)):
            self.marked.setdefault(end, {})[other] = mark

    def is_(self, name: str, *statuses: str) -> bool:
        """Say whether a block is here, in one of some statuses."""
        return name in self.blocks and self.blocks[name].status in statuses

    def is_pinned(self, name: str) -> bool:
        """Say whether a block is here and pinned."""
        return name in self.blocks and self.blocks[name].pinned

    def leave(self, name: str, status: str, heir: str) -> None:
        """Let a block give its place, its links and its pin to another."""
        block, there = self.blocks[name], self.there(heir)
        assert there is not None
        block.status, block.heir = status, heir
        self.blocks[there].pinned |= block.pinned
        self.forebears.setdefault(heir, set()).add(name)
        self.links.move(name, there)
        self.changed.add(name)

    def all_there(self, item: Item) -> list[str]:
        """Give the blocks an item names, or what stands for them now, each once and in order."""
        names = texts(item.payload, "blocks")
        self.meet(names)
        found = (self.there(name) for name in names)
        return sorted({name for name in found if name is not None})
