"""Requests that may be sent twice: a key, the hash of what was sent and the answer are kept beside the ledger, a day.

The answer is written in the transaction of what it answers for, so that there is either both or neither. An erasure
empties what is kept of its space: the key is then known, and its answer gone. What changed nothing is not kept at all,
and neither is the answer to an erasure, or one that holds words of other spaces, which their erasures would not reach.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from asterism.entry.http.command import JOBS, Command, Told
from asterism.entry.http.failure import RepeatedError
from asterism.entry.http.spaces import Held
from asterism.errors import InputError
from asterism.store.port import Store

ANSWERS, ORDER = "answer", "answer order"  # two sheets: answers by key, and keys by time
KEPT_FOR = timedelta(hours=24)
KEPT = 1_000  # of a space
LONGEST_KEY, LONGEST_ANSWER = 200, 256 * 1024
AFTERWARDS = ("erase", *JOBS)  # several transactions, or none that others could wait for


def check_key(key: str | None) -> None:
    """Refuse a key that is none."""
    if key is not None and not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise InputError(
            f"an Idempotency-Key has 1 to {LONGEST_KEY} printable letters",
            code="bad_key",
            item=key[:LONGEST_KEY],
            hint="a random UUID is a good one",
        )


@dataclass(frozen=True, slots=True)
class Keyed:
    """A request that bears a key: whose it is, and what was sent with it."""

    space: str
    who: str  # the id of a token: nobody is given another's answer
    key: str
    sent: bytes
    alone: bool  # its answer is of its own space only

    def name(self, command: Command) -> str:
        """How it is kept."""
        return f"{command.path} {self.who} {self.key}"


def once(
    held: Held,
    keyed: Keyed | None,
    *,
    command: Command,
    now: datetime,
    call: Callable[[], Told],
    changed: Callable[[], bool],
) -> Told:
    """Do something that was not done under its key yet; else give its first answer."""
    if keyed is None:
        return call()
    space, key, name = keyed.space, keyed.key, keyed.name(command)
    store, digest = held.store(), sha256(keyed.sent).hexdigest()
    tellable = keyed.alone and command.name != "erase"

    def called() -> Told:
        told = call()
        if changed():
            _keep(store, space, name, digest, told if tellable else None, now)
        return told

    before = store.record(ANSWERS, name, space=space)
    if before is not None and _is_kept(store, space, name, now):
        return _first(before, digest, key)
    if command.name in AFTERWARDS:
        return called()
    with held.together():
        return called()


def _first(before: str, digest: str, key: str) -> Told:
    if not before:
        raise RepeatedError(
            "this was done already; its answer is gone with what was erased since",
            code="answer_erased",
            item=key,
            hint="nothing was done now; use another key for something new",
        )
    kept = json.loads(before)
    if kept["sent"] != digest:
        raise InputError(
            "this key was used for something else", code="key_reused", item=key, hint="use another key for it"
        )
    if kept["body"] is None:
        raise RepeatedError(
            "this was done already; its answer was not kept",
            code="answer_not_kept",
            item=key,
            hint="nothing was done now; use another key for something new",
        )
    return Told(kept["body"].encode(), kept["media"], kept["total"])


def _is_kept(store: Store, space: str, name: str, now: datetime) -> bool:
    """Say whether a key is still known; one that is a day old is not."""
    since = (now - KEPT_FOR).isoformat()
    return any(order.partition(" ")[2] == name and order >= since for order in store.records(ORDER, space=space))


def _keep(store: Store, space: str, name: str, digest: str, told: Told | None, now: datetime) -> None:
    try:
        body = told.body.decode() if told is not None and len(told.body) <= LONGEST_ANSWER else None
    except UnicodeDecodeError:
        body = None
    kept = {"sent": digest, "body": body} | ({} if told is None else {"media": told.media, "total": told.total})
    orders = [*store.records(ORDER, space=space), f"{now.isoformat()} {name}"]
    gone = [order for order in orders[:-1] if order < (now - KEPT_FOR).isoformat() or order.partition(" ")[2] == name]
    left = [order for order in orders if order not in gone]
    gone += left[: max(0, len(left) - KEPT)]
    names = [order.partition(" ")[2] for order in gone]
    store.put_records(ANSWERS, {**dict.fromkeys(names), name: json.dumps(kept)}, space=space)
    store.put_records(ORDER, {**dict.fromkeys(gone), orders[-1]: "."}, space=space)
