"""A store that counts what it gives, for tests of how much a space reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from asterism.core.ledger.capability import Cells
from asterism.core.ledger.head import Head
from asterism.core.ledger.items import Item
from asterism.store.port import Arrival, Cache, Checkpoint, Counts, Place, Store, Stored, Version, Writing


class WatchedStore:
    """A store that counts the items it gave, and lets something happen each time before it gives any."""

    def __init__(self, inner: Store, *, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.inner = inner
        self.meanwhile = meanwhile
        self.items_read = 0

    def version(self, space: str) -> Version:
        return self.inner.version(space)

    @property
    def place(self) -> Place:
        return self.inner.place

    def check(self, space: str) -> None:
        self.inner.check(space)

    def head(self, space: str) -> Head:
        return self.inner.head(space)

    def counted(self, space: str) -> Head:
        return self.inner.counted(space)

    def record(self, sheet: str, key: str, *, space: str = "") -> str | None:
        return self.inner.record(sheet, key, space=space)

    def sheets(self, *, space: str = "") -> list[str]:
        return self.inner.sheets(space=space)

    def records(self, sheet: str, *, space: str = "") -> dict[str, str]:
        return self.inner.records(sheet, space=space)

    def put_records(self, sheet: str, texts: Mapping[str, str | None], *, space: str = "") -> None:
        self.inner.put_records(sheet, texts, space=space)

    def together(self) -> AbstractContextManager[object]:
        return self.inner.together()

    def copy_name(self) -> str:
        return self.inner.copy_name()

    def last_position(self, space: str) -> int:
        return self.inner.last_position(space)

    def arrivals(
        self, space: str, *, after: int = 0, until: int | None = None, limit: int | None = None
    ) -> list[Arrival]:
        return self.inner.arrivals(space, after=after, until=until, limit=limit)

    def lost_arrivals(self, space: str) -> list[str]:
        return self.inner.lost_arrivals(space)

    def copy_to(self, path: Path, say: Callable[[float], object]) -> None:
        self.inner.copy_to(path, say)

    def writing(self, space: str) -> AbstractContextManager[Writing]:
        return self.inner.writing(space)

    def without_waiting(self) -> AbstractContextManager[object]:
        return self.inner.without_waiting()

    def one_moment(self) -> AbstractContextManager[object]:
        return self.inner.one_moment()

    def items(
        self,
        space: str,
        *,
        after_seq: int = 0,
        from_at: int | None = None,
        until_at: int | None = None,
        known_until: int | None = None,
        only: Collection[str] | None = None,
        without: Collection[str] = (),
        naming: Collection[str] | None = None,
    ) -> list[Stored]:
        self.meanwhile()
        found = self.inner.items(
            space,
            after_seq=after_seq,
            from_at=from_at,
            until_at=until_at,
            known_until=known_until,
            only=only,
            without=without,
            naming=naming,
        )
        self.items_read += len(found)
        return found

    def each_item(
        self, space: str, *, after_seq: int = 0, only: Collection[str] | None = None, without: Collection[str] = ()
    ) -> Iterator[Stored]:
        return self.inner.each_item(space, after_seq=after_seq, only=only, without=without)

    def item(self, space: str, item_id: bytes, *, at: int | None = None) -> Item | None:
        return self.inner.item(space, item_id, at=at)

    def last_known(self, space: str, *, until: int) -> int | None:
        return self.inner.last_known(space, until=until)

    def tombstones(self, space: str) -> Iterator[bytes]:
        return self.inner.tombstones(space)

    def is_buried(self, space: str, item_id: bytes) -> bool:
        return self.inner.is_buried(space, item_id)

    def buried(self, space: str) -> int:
        return self.inner.buried(space)

    def parameters(self, space: str) -> str | None:
        return self.inner.parameters(space)

    def embedder(self, space: str) -> str | None:
        return self.inner.embedder(space)

    def vectors(self, space: str, identity: str, texts: Collection[bytes]) -> dict[bytes, bytes]:
        return self.inner.vectors(space, identity, texts)

    def vector_packs(self, space: str, identity: str) -> list[tuple[bytes, bytes]]:
        return self.inner.vector_packs(space, identity)

    def vector_texts(self, space: str) -> set[bytes]:
        return self.inner.vector_texts(space)

    def scrub(self) -> str:
        return self.inner.scrub()

    def parts(self, space: str, table: str) -> dict[str, bytes]:
        return self.inner.parts(space, table)

    def rows(self, space: str, table: str, part: str) -> list[Cells]:
        return self.inner.rows(space, table, part)

    def cache(self, space: str, name: str) -> Cache | None:
        return self.inner.cache(space, name)

    def checkpoint(
        self, space: str, fingerprint: str, *, until_day: int | None = None, until_at: int | None = None
    ) -> Checkpoint | None:
        return self.inner.checkpoint(space, fingerprint, until_day=until_day, until_at=until_at)

    def checkpoints(self, space: str, fingerprint: str) -> list[Checkpoint]:
        return self.inner.checkpoints(space, fingerprint)

    def counts(self, space: str, fingerprint: str) -> Counts:
        return self.inner.counts(space, fingerprint)

    def spaces(self) -> list[str]:
        return self.inner.spaces()

    def size_bytes(self) -> int:
        return self.inner.size_bytes()

    def recover(self) -> None:
        self.inner.recover()

    def close(self) -> None:
        self.inner.close()
