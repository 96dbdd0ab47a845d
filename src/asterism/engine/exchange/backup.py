"""A backup: all spaces of a memory in one file, as they were at one moment, while whoever writes goes on.

The file is a memory like any other: it can be opened, asked, merged. It is written beside the name it is to have, read
back, and only then renamed, so that there is never half a backup.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from asterism.core.ledger.model import Model
from asterism.engine.care.checkup import ERROR
from asterism.engine.care.doctor import REPAIRS
from asterism.errors import CorruptError, InputError
from asterism.formats import files
from asterism.hints import Hint, step
from asterism.store.port import Place, Store
from asterism.wiring import place_of

Share = Callable[[float], object]  # is told how much is done, from 0 to 1


@dataclass(frozen=True, slots=True)
class Backup(Model):
    """What was written: where, how much, the items of each space, and the name of this copy."""

    path: str
    bytes: int
    spaces: dict[str, int]
    erased: int  # hashes of what was erased: it does not come back with this copy
    copy: str


def backup(store: Store, path: str | Path, *, force: bool, say: Share) -> Backup:
    """Write a copy of all spaces, and read it back."""
    place = place_of(path)
    target = Path(str(place))
    refuse_itself(place, store.place)
    try:
        files.check_place(target, force=False)
    except InputError as error:
        if error.code != "file_exists" or not force:
            raise
    with place.room() as part:
        store.copy_to(part, say)
        found = faults(place_of(part))
        if found:
            raise CorruptError(
                f"the copy of {store.place} does not read back: {found[0]}; nothing was written",
                code="bad_copy",
                item=str(store.place),
                hint=Hint(step("doctor"), " says whether the memory itself is damaged"),
            )
        if force:
            place.take(part)
        else:
            place.take_free(part)
    with closing(place.look()) as made:
        heads = {space: made.head(space) for space in made.spaces()}
        items = {space: head.items.count for space, head in heads.items()}
        erased = sum(head.erased.count for head in heads.values())
        return Backup(str(target), made.size_bytes(), items, erased, made.copy_name())


def faults(place: Place) -> list[str]:
    """Read everything that lies there, and say what is wrong with it."""
    return [each.what for each in place.examine(None, mine=True).ailments if REPAIRS[each.name][0] == ERROR]


def refuse_itself(place: Place, memory: Place) -> None:
    """Refuse two places that are one."""
    one, other = Path(str(place)), Path(str(memory))
    if one.exists() and other.exists() and one.samefile(other):
        raise InputError(
            f"{place} is the memory itself", code="bad_target", item=str(place), hint="name another file for the copy"
        )
