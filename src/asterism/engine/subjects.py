"""What a caller means to erase, or to do without: a node, a session, a source, or one item of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice

from asterism.core.connections.words import did_you_mean
from asterism.core.depends import Depends
from asterism.core.dialogue.payloads import session_key
from asterism.core.items import check_text, cut
from asterism.core.nodes import slug
from asterism.errors import InputError, UnknownError

INSIDE = "session "  # what items say of each other's sessions; no node is called so
SHOWN = 5


@dataclass(frozen=True)
class Subject:
    """What is meant: its items, the nodes that go with them, and what it is called in texts."""

    kind: str
    name: str
    items: frozenset[bytes]
    nodes: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


def subject_of(depends: Depends, told: object) -> Subject:
    """Find what is meant by a name, or by a kind and a name: node:NAME, session:NAME, source:NAME, item:ID."""
    text = check_text(told, field="subject").strip()
    kind, _, name = text.partition(":")
    if kind in SEEK and name.strip():
        found = SEEK[kind](depends, name.strip())
        if found is None:
            raise _unknown(depends, name.strip(), kind)
        return found
    meant = [found for seek in SEEK.values() if (found := seek(depends, text)) is not None]
    if not meant:
        raise _unknown(depends, text, "node, session, source or item")
    if any(each.items != meant[0].items for each in meant):
        raise InputError(
            f"{cut(text)!r} is the name of {' and of '.join(f'a {each.kind}' for each in meant)}",
            code="ambiguous_subject",
            item=cut(text),
            hint=f"say which: {' or '.join(str(each) for each in meant)}",
        )
    return meant[0]


def _item(depends: Depends, text: str) -> Subject | None:
    try:
        name = bytes.fromhex(text) if len(text) == 32 else b""
    except ValueError:
        return None
    if name not in depends.says:
        return None
    if next(item for item in depends.items if item.id == name).what == "erased":
        raise InputError(
            f"{text} keeps what was erased from coming back",
            code="an_erasure",
            item=text,
            hint="an erasure cannot be undone; what was erased may be told anew, of another time",
        )
    return Subject("item", text, frozenset({name}))


def _node(depends: Depends, text: str) -> Subject | None:
    found = _called(depends, text)
    if not found:
        return None
    if len(found) > 1:
        shown = " or ".join(f"node:{node}" for node in islice(sorted(found), SHOWN))
        raise InputError(
            f"{len(found)} nodes are called {cut(text)!r}",
            code="ambiguous_subject",
            item=cut(text),
            hint=f"say which by its id: {shown}",
        )
    (node,) = found
    symbol = depends.part_of(node)
    if symbol is not None and symbol in depends.nodes:
        raise InputError(
            f"{cut(node)} is what the feeds of {symbol} left at this price, and no item tells of it alone",
            code="part_of_a_book",
            item=cut(node),
            hint=f"node:{symbol} is the whole book with all its levels; source:NAME is one of its feeds",
        )
    nodes = depends.one_thing(node)
    names = depends.names_of(nodes) or {node}
    parts = {name for name, said in depends.says.items() if said.parts & nodes}
    return Subject("node", node, frozenset(depends.about(nodes) | parts), nodes, frozenset(names))


def _called(depends: Depends, text: str) -> set[str]:
    """Give the nodes that a text may mean: the one of this id, else those of this name."""
    for name in (text, slug(text)):
        if name in depends.nodes and not name.startswith(INSIDE) and not _is_item(depends, name):
            return {name}
    whole = depends.part_of(text)
    if whole is not None and whole in depends.nodes:
        return {text}
    return depends.called.get(" ".join(text.split()).casefold(), set())


def _is_item(depends: Depends, name: str) -> bool:
    try:
        return bytes.fromhex(name) in depends.says
    except ValueError:
        return False


def _session(depends: Depends, text: str) -> Subject | None:
    sessions = {name for said in depends.says.values() for name in said.sessions}
    meant = {name for name in sessions if session_key(name) == session_key(text)}
    meant = meant or {name for name in sessions if slug(name) == slug(text)}
    found = frozenset(name for name, said in depends.says.items() if said.sessions & meant)
    return Subject("session", min(meant), found, names=frozenset(meant)) if found else None


def _source(depends: Depends, text: str) -> Subject | None:
    found = frozenset(item.id for item in depends.items if item.source == text)
    return Subject("source", text, found, names=frozenset({text})) if found else None


SEEK: Mapping[str, Callable[[Depends, str], Subject | None]] = {
    "item": _item,
    "node": _node,
    "session": _session,
    "source": _source,
}


def _unknown(depends: Depends, text: str, kind: str) -> UnknownError:
    known = {name for name in depends.nodes if not ("~" in name or name.startswith(INSIDE) or _is_item(depends, name))}
    known |= {name for said in depends.says.values() for name, _ in said.called if slug(name) not in known}
    known |= {name for said in depends.says.values() for name in said.sessions}
    known |= {item.source for item in depends.items} - {""}
    return UnknownError(
        f"there is no {kind} {cut(text)!r} in this space",
        code="unknown_subject",
        item=cut(text),
        hint=did_you_mean(text, sorted(known)) or "give the id or name of a node, a source, a session, or an item's id",
    )
