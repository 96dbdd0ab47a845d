"""The doctor: what is wrong with a memory, and the command that repairs it. It changes nothing unless told to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from shlex import quote

from asterism.core.blocks.conflicting import open_conflicts
from asterism.core.blocks.words import INBOX, THERE
from asterism.core.ledger.calendar import written
from asterism.core.ledger.head import PARTS
from asterism.core.ledger.items import Item, cut
from asterism.core.ledger.marks import ERASED
from asterism.core.space.parameters import SpaceParameters
from asterism.embed import open_embedder
from asterism.engine.care import verify
from asterism.engine.care.checkup import ERROR, NOTE, WARNING, Checkup, CheckupFinding, checkup_of
from asterism.engine.care.surroundings import extras, versions
from asterism.engine.space.clock import MOST_BEHIND, Clock, SystemClock
from asterism.engine.space.live import Live
from asterism.engine.space.parameters import recorded
from asterism.engine.space.vectors import BUILT_IN, EmbedderSpec, text_key
from asterism.errors import AsterismError, CorruptError, StoreError
from asterism.store.port import SHOWN, Ailment, Place, Store

DROPPED = (
    "damaged_checkpoint",
    "damaged_cache",
    "projection_differs",
    "not_scrubbed",
    "damaged_parameters",
    "head_differs",
    "arrivals_differ",
)
EVERY_DAY = -(2**40)  # before all days

COPY = "asterism backup --restore FILE --db {path}, or of another copy: asterism merge COPY --db NEW.db"

# What each name means for whoever reads it: how bad it is, and what repairs it.
REPAIRS = {
    "old_sqlite": (ERROR, "install a Python built with a newer SQLite"),
    "disk_nearly_full": (WARNING, "make room on the disk, or move the file"),
    "file_size_limit": (WARNING, "raise the limit: ulimit -f unlimited"),
    "unknown_memory": (ERROR, "check the path (--db), or begin one: asterism learn TEXT --db {path}"),
    "cannot_open": (ERROR, "name a file that you may read: asterism doctor --db FILE"),
    "empty_file": (NOTE, 'begin: asterism learn "Ada likes tea" --db {path}'),
    "not_a_memory": (ERROR, "name another file: asterism doctor --db FILE"),
    "newer_schema": (ERROR, "pip install --upgrade asterism"),
    "older_schema": (NOTE, "the next command that writes brings it forward: asterism dream --db {path}"),
    "truncated": (ERROR, COPY),
    "corrupted": (ERROR, COPY),
    "head_differs": (
        ERROR,
        f"{COPY}; to go on with what is left: asterism doctor --repair --db {{path}}",
    ),
    "arrivals_differ": (ERROR, "asterism doctor --repair --db {path}"),
    "damaged_item": (ERROR, COPY),
    "damaged_checkpoint": (WARNING, "asterism doctor --repair --db {path}"),
    "damaged_cache": (WARNING, "asterism doctor --repair --db {path}"),
    "damaged_vector": (ERROR, "asterism reembed --db {path} --space {space}"),
    "damaged_parameters": (
        ERROR,
        "asterism doctor --repair --db {path}, then asterism config --set NAME=VALUE --db {path} --space {space}",
    ),
    "not_scrubbed": (ERROR, "asterism doctor --repair --db {path}"),
    "projection_differs": (ERROR, "asterism doctor --repair --db {path}"),
    "read_only": (WARNING, "chmod u+w {item}"),
    "open_to_others": (NOTE, "chmod 600 {path}"),
    "locked": (WARNING, "wait until it has ended; writers take turns by themselves, for up to a minute"),
    "free_space": (NOTE, "nothing to do: the next command that writes takes them up or gives them back"),
    "kept_space": (NOTE, "what is written next takes them up; to have them now: sqlite3 {path} VACUUM"),
    "left_over": (NOTE, "when you do not need it any more, and no backup or restore is running: rm {item}"),
    "log_left_behind": (NOTE, "nothing to do: the next command that writes takes it in"),
}


def examine(
    place: Place,
    *,
    spaces: Sequence[str] | None = None,
    clock: Clock | None = None,
    embedder: EmbedderSpec = None,
    replay: bool = True,
    mine: bool = False,
) -> Checkup:
    """Examine a memory, whatever state it is in: the whole of it, and some of its spaces (None: all).

    `replay` folds every ledger anew and compares; `mine` says that this process holds it open.
    """
    clock = SystemClock() if clock is None else clock
    seen = place.examine(spaces, mine=mine)
    findings, checked = [*versions(), *_told(seen.ailments, place)], list(seen.looked_at)
    if seen.opens:
        try:
            findings += _spaces(place, findings, checked, spaces, clock=clock, embedder=embedder, replay=replay)
        except StoreError as error:
            findings += _told([Ailment("corrupted", error.message, str(place))], place)
    return checkup_of(str(place), [*findings, *extras()], [*checked, "what is installed"])


def not_begun(checkup: Checkup) -> Checkup:
    """Take a memory that nobody named and that is not there for one that was not begun yet: nothing is broken."""
    return checkup_of(
        checkup.path,
        [replace(each, severity=NOTE) if each.name == "unknown_memory" else each for each in checkup.findings],
        list(checkup.checked),
        checkup.repaired,
    )


def _told(ailments: Iterable[Ailment], place: Place) -> list[CheckupFinding]:
    told = []
    for name, what, item, space in ailments:
        severity, repair = REPAIRS[name]
        where = {"path": quote(str(place)), "item": quote(item), "space": quote(space or "NAME")}
        told.append(CheckupFinding(name, severity, what, item, repair.format(**where)))
    return told


def _spaces(
    place: Place,
    known: list[CheckupFinding],
    checked: list[str],
    spaces: Sequence[str] | None,
    *,
    clock: Clock,
    embedder: EmbedderSpec,
    replay: bool,
) -> list[CheckupFinding]:
    found: list[CheckupFinding] = []
    damaged = any(each.name == "damaged_item" for each in known)
    store = place.look()
    try:
        for space in spaces if spaces is not None else store.spaces():
            try:
                here = quote(str(place))
                found += of_space(store, space, here, clock=clock, embedder=embedder, replay=replay and not damaged)
            except AsterismError as error:  # so damaged that it cannot be looked at further
                ailment = Ailment("corrupted", f"space {space!r}: {error.message}", error.item or space, space)
                found += _told([ailment] if not any(each.name.startswith("damaged") for each in known) else [], place)
    finally:
        store.close()
    checked += ["parameters", "clock", "embedder", "inbox", *(["replay of the ledger"] if replay else [])]
    return found


def of_space(
    store: Store, space: str, path: str, *, clock: Clock, embedder: EmbedderSpec, replay: bool
) -> list[CheckupFinding]:
    """Look at one space as a memory does: parameters, clock, embedder, inbox, and whether a replay gives the same.

    `path` is the file as a shell reads it: repairs are commands to be copied.
    """
    text = store.parameters(space)
    try:
        live = Live(store, space, clock=clock, embedder=embedder)
        SpaceParameters.build(live.preset, live.overrides)
    except AsterismError as error:
        repair = REPAIRS["damaged_parameters"][1].format(path=path, space=quote(space))
        return [CheckupFinding("damaged_parameters", ERROR, f"{error.message}: {cut(str(text))}", space, repair)]
    try:
        folded = live.refresh()
    except CorruptError as error:
        return [CheckupFinding("damaged_item", ERROR, error.message, error.item or space, COPY.format(path=path))]
    found = [*_clock(live, space, path), *_embedder(live, space, path)]
    blocks = folded.blocks.blocks
    inbox = sum(block.status == INBOX for block in blocks.values())
    if inbox:
        waiting = "1 block waits" if inbox == 1 else f"{inbox:,} blocks wait"
        what = f"{waiting} in space {space!r} to be dreamed: found already, but not linked"
        found.append(
            CheckupFinding("inbox_waits", NOTE, what, space, f"asterism dream --db {path} --space {quote(space)}")
        )
    conflicts = len(open_conflicts(folded.blocks, live.now()))
    if conflicts:
        pairs = "1 pair is" if conflicts == 1 else f"{conflicts:,} pairs are"
        what = f"{pairs} in conflict in space {space!r}: they cannot both hold, and nobody settled which does"
        found.append(
            CheckupFinding(
                "open_conflicts", NOTE, what, space, f"asterism conflicts --db {path} --space {quote(space)}"
            )
        )
    found += _vectors(live, space, path)
    if replay:
        found += _replay(live, space, path)
    return found


def _clock(live: Live, space: str, path: str) -> Iterator[CheckupFinding]:
    """See whether the system's clock can be believed, and name the items that are ahead of it."""
    doubted, now, stands, latest = live.doubt(), live.clock(), written(live.clock()), live.held.latest_at
    if doubted is not None:
        repair = "set the clock of this machine right"
        yield CheckupFinding(
            doubted.code, WARNING, f"space {space!r}: {doubted.message}", doubted.item or space, repair
        )
    behind = doubted is not None and doubted.code == "clock_behind"
    if not behind and (latest is None or latest <= now):
        return
    items = [stored.item for stored in live.store.items(space)]
    ahead = [item for item in items if item.at > now or (behind and item.known_at > now + MOST_BEHIND)]
    for item in ahead[: -SHOWN - 1 : -1]:
        by = f" by {cut(item.source)}" if item.source else ""
        what = f"item {item.id.hex()} ({item.what}{by}) "
        if item.at <= now:
            what += f"of space {space!r} was learnt at {written(item.known_at)}; it is {stands} here"
        elif item is ahead[-1]:
            what += f"holds the clock of space {space!r} at {written(item.at)}; it is {stands} here"
        else:
            what += f"is ahead of the clock here too, at {written(item.at)}"
        meant = "; if time was let pass on purpose, all is well" if item.what == "clock" else ""
        lost = "; erased, what it tells is lost" if item.what not in ("clock", ERASED) else ""
        yield CheckupFinding(
            "future_item",
            WARNING,
            what + meant + lost,
            item.id.hex(),
            _erasing(item, space, path, behind=behind),
        )
    if (more := len(ahead) - SHOWN) > 0:
        repair = f"asterism doctor --db {path} --space {quote(space)}, once those are erased"
        yield CheckupFinding("future_item", WARNING, f"{more:,} more items of space {space!r} are ahead", space, repair)


def _erasing(item: Item, space: str, path: str, *, behind: bool) -> str:
    """Give the command that removes an item; where the clock may be wrong itself, with a word of care."""
    if item.what == ERASED:
        return "nothing to do: an erasure stays, and what is told from now on comes after it"
    command = f"asterism erase item:{item.id.hex()} --db {path} --space {quote(space)}"
    return f"if the clock of this machine is right: {command} --trust-clock" if behind else command


def _embedder(live: Live, space: str, path: str) -> Iterator[CheckupFinding]:
    """See whether the embedder is here that made the vectors."""
    made = live.store.embedder(space)
    if made is None:
        return
    try:
        live.texts()
        return
    except AsterismError as error:
        reason = error.message
    names = [name for name in BUILT_IN if _identity(name) == made]
    here = f"--db {path} --space {quote(space)}"
    anew = f"asterism reembed --embedder default {here}"
    by_name = f"asterism recall QUERY --embedder {names[0]} {here}, or {anew}" if names else ""
    repair = by_name or f"use that embedder, or {anew}"
    yield CheckupFinding("other_embedder", WARNING, reason, made, repair)


def _identity(name: str) -> str | None:
    try:
        return open_embedder(name).identity
    except AsterismError:  # its weights are not installed
        return None


def _vectors(live: Live, space: str, path: str) -> Iterator[CheckupFinding]:
    """Count the blocks that were dreamed and have no vector."""
    made = live.store.embedder(space)
    blocks = live.held.blocks.blocks.values()
    keys = [text_key(block.text()) for block in blocks if block.status in THERE and block.status != INBOX]
    if made is None or not keys:
        return
    missing = len(set(keys)) - len(live.store.vectors(space, made, keys))
    if missing > 0:
        what = f"{missing:,} blocks of space {space!r} have no vector by {made}"
        yield CheckupFinding(
            "missing_vectors", WARNING, what, space, f"asterism reembed --db {path} --space {quote(space)}"
        )


def _replay(live: Live, space: str, path: str) -> Iterator[CheckupFinding]:
    verified = verify.verify(live)
    for each in verified.differences[:SHOWN]:
        name, told = "projection_differs", f"{each}: a replay gives another"
        if each.startswith("item "):
            name, told = "damaged_item", each
        elif each.startswith("arrival: "):
            name, told = "arrivals_differ", f"the order of arrival: {each.removeprefix('arrival: ')}"
        elif each.startswith("head: "):
            continue  # told by looking at the file
        yield CheckupFinding(name, ERROR, f"space {space!r}, {told}", each, REPAIRS[name][1].format(path=path))
    if (more := len(verified.differences) - SHOWN) > 0:
        repair = REPAIRS["projection_differs"][1].format(path=path)
        yield CheckupFinding(
            "projection_differs", ERROR, f"space {space!r}: and {more} more differences", space, repair
        )


def repair(place: Place, checkup: Checkup) -> tuple[str, ...]:
    """Repair what can be repaired without loss: drop checkpoints and caches, scrub the erased, record parameters."""
    wanted = {each.name for each in checkup.findings} & set(DROPPED)
    if not wanted:
        return ()
    done = []
    store = place.open()
    try:
        for space in store.spaces():
            with store.writing(space) as writing:
                if "not_scrubbed" in wanted:
                    count = writing.bury(store.tombstones(space))
                    done.append(f"space {space!r}: {count} erased items scrubbed")
                if wanted & {"damaged_checkpoint", "projection_differs"}:
                    writing.drop_checkpoints(after_day=EVERY_DAY)
                    done.append(f"space {space!r}: checkpoints dropped, the ledger will be folded anew")
                if "damaged_cache" in wanted:
                    writing.drop_vectors(())
                    done.append(f"space {space!r}: caches dropped, they will be computed anew")
                if "head_differs" in wanted:
                    writing.record_head(*PARTS)
                    done.append(f"space {space!r}: what is left was recorded as all there is")
                if wanted & {"head_differs", "arrivals_differ"}:  # a lost page may have held the last position too
                    writing.place_anew()
                    done.append(f"space {space!r}: the order of arrival was numbered anew, and this copy renamed")
                if _unreadable(store, space):
                    writing.set_parameters(recorded(("seed",), {}))
                    done.append(f"space {space!r}: preset seed recorded in place of parameters nobody can read")
        if note := store.scrub():
            done.append(note)
    finally:
        store.close()
    return tuple(done)


def _unreadable(store: Store, space: str) -> bool:
    try:
        Live(store, space, clock=lambda: 0)
    except CorruptError as error:
        return error.code == "damaged_parameters"
    except AsterismError:
        return True
    return False
