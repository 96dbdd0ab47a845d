"""Two copies of a memory beside each other: which of them lacks what, and the command that brings it over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote

from asterism.engine.care.checkup import ERROR, NOTE, WARNING, CheckupFinding
from asterism.errors import AsterismError
from asterism.store.port import Place, Store

SHOWN = 5  # of what one copy lacks


def against(place: Place, other: Place, spaces: Sequence[str] | None) -> list[CheckupFinding]:
    """Say what each of two copies lacks of the other, in some spaces (None: all of both)."""
    try:
        here, there = place.look(), other.look()
    except AsterismError as error:
        return [CheckupFinding("cannot_compare", ERROR, error.message, error.item or str(other), str(error.hint))]
    try:
        there_are = {*here.spaces(), *there.spaces()}
        unknown = sorted(set(spaces or ()) - there_are)
        found = [_unknown(space, there_are) for space in unknown]
        for space in sorted(there_are if spaces is None else there_are & set(spaces)):
            found += _of_space(here, there, space, str(place), str(other))
        return found
    finally:
        here.close()
        there.close()


def _unknown(space: str, there_are: set[str]) -> CheckupFinding:
    what = f"neither copy has a space {space!r}"
    return CheckupFinding("unknown_space", ERROR, what, space, f"name one of {', '.join(sorted(there_are)) or 'none'}")


def _of_space(here: Store, there: Store, space: str, path: str, other: str) -> Iterator[CheckupFinding]:
    heads = (here.counted(space), there.counted(space))
    damaged = {
        name: bool(store.head(space).differences(head))
        for name, store, head in ((path, here, heads[0]), (other, there, heads[1]))
    }
    for name in [name for name, lost in damaged.items() if lost]:
        what = f"{name} lost something of space {space!r} that it had recorded"
        yield CheckupFinding("head_differs", ERROR, what, space, f"asterism doctor --db {quote(name)}")
    if heads[0][:2] == heads[1][:2]:
        what = f"space {space!r} holds the same here and in {other}: {heads[0].items.count:,} items"
        yield CheckupFinding("same", NOTE, what, space, "nothing to do")
        return
    held, held_there = _held(here, space), _held(there, space)
    erased, erased_there = set(here.tombstones(space)), set(there.tombstones(space))
    for lacking, given, missing, gone, not_erased in (
        (path, other, held_there.keys() - held.keys() - erased, erased_there - erased, held),
        (other, path, held.keys() - held_there.keys() - erased_there, erased - erased_there, held_there),
    ):
        first = f"asterism doctor --repair --db {quote(lacking)}, then " if damaged[lacking] else ""
        repair = f"{first}asterism merge {quote(given)} --db {quote(lacking)} --space {quote(space)}"
        if missing:
            what = f"{lacking} lacks {_some(missing)} of space {space!r} that {given} has"
            yield CheckupFinding("lacks_items", WARNING, what, space, repair)
        if gone:
            still = sum(item in not_erased for item in gone)
            what = f"{lacking} does not know {_some(gone)} that {given} erased; {still:,} of them are still in it"
            yield CheckupFinding("lacks_erasures", WARNING, what, space, repair)
    both = held.keys() & held_there.keys()
    learnt = sum(held[item] != held_there[item] for item in both)
    if learnt:
        what = f"{learnt:,} items of space {space!r} were learnt at another time, or noted otherwise, in {other}"
        repair = f"asterism merge {quote(other)} --db {quote(path)} --space {quote(space)}, and the other way round"
        yield CheckupFinding("learnt_otherwise", NOTE, what, space, repair)


def _held(store: Store, space: str) -> dict[bytes, tuple[int, str]]:
    return {each.item.id: (each.item.known_at, each.item.note) for each in store.each_item(space)}


def _some(items: set[bytes]) -> str:
    """Count items, and name the first.

    >>> _some({b"ab", b"cd"})
    '2 items (6162, 6364)'
    """
    named = [item.hex() for item in sorted(items)[:SHOWN]]
    more = ", .." if len(items) > SHOWN else ""
    return f"{'1 item' if len(items) == 1 else f'{len(items):,} items'} ({', '.join(named)}{more})"
