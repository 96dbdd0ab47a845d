"""What a caller means to erase, or to do without: a node, a session, a source, one item, or all that has a name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from asterism.core.blocks.scoring import block_id
from asterism.core.connections.inputs import VALUES
from asterism.core.dialogue.actors import whole_word
from asterism.core.dialogue.payloads import TRANSCRIPT, session_key
from asterism.core.ledger.items import Item, check_text, cut
from asterism.core.ledger.nodes import slug
from asterism.core.recall.unanswered import QUERY, UNANSWERED
from asterism.core.space.depends import Depends
from asterism.core.space.resolve import SHOWN, meant, which_of
from asterism.core.text.names import Names, flattened
from asterism.core.text.near import did_you_mean
from asterism.errors import InputError, UnknownError

INSIDE = ("session ", VALUES)  # what items say of sessions, and of what they saw; no node is called so
SOURCES_SHOWN = 12
PACKED = ("events", "vector", "vectors")  # fields of items that hold numbers as text
NAME = "name"
SHORT = 80  # characters of a text that is looked through once, however often it comes
WORDS = {"learned": ("content", "name", "speaker", "tags"), "edited": ("content",)}  # where a learned text says them


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
    """Find what is meant: node:NAME, session:NAME, source:NAME, item:ID, name:WORDS; or a name that is one of these."""
    text = check_text(told, field="subject").strip()
    kind, _, name = text.partition(":")
    if (kind in SEEK or kind == NAME) and name.strip():
        found = named(depends, name.strip()) if kind == NAME else SEEK[kind](depends, name.strip())
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
        raise which_of(text, [f"node:{node}" for node in sorted(found)])
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
    """Give the nodes that a text may mean: the one of this id, else all that go by the name, gone or not."""
    whole = depends.part_of(text)
    if whole is not None and whole in depends.nodes:
        return {text}
    return meant(
        text,
        there=lambda node: node in depends.nodes and not _inside(depends, node),
        called=lambda name: depends.called.get(name, ()),
    )


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


# All that has a name


class Naming:
    """Finds names in texts: as whole words, in either case."""

    def __init__(self, names: Iterable[str]) -> None:
        told = [name for name in sorted(names) if name.strip()]
        self._names = Names((name, name) for name in told)
        self._signs = {name: whole_word(name) for name in told if not Names([(name, name)])}  # no letter in it
        self._seen: dict[str, str] = {}

    def first(self, text: str) -> str:
        """Give the first of the names that a text has in it, or nothing."""
        if len(text) > SHORT:
            return self._first(text)
        if text not in self._seen:  # ids and kinds come again and again
            self._seen[text] = self._first(text)
        return self._seen[text]

    def _first(self, text: str) -> str:
        found = self._names.find(text)
        return found[0] if found else next((name for name, sign in self._signs.items() if sign.search(text)), "")


def named(depends: Depends, text: str) -> Subject | None:
    """Find all that is called so, and every learned text that names it, with its other wordings."""
    flat = flattened(text)
    ids = {node for node in depends.nodes if flattened(node) in (flat, slug(text)) and not _inside(depends, node)}
    called = ids | depends.called.get(flat, set())
    nodes = {each for node in called | texts_naming(depends, text) for each in depends.one_thing(node)}
    items = depends.about(nodes) | {item.id for item in depends.items if item.source and flattened(item.source) == flat}
    naming = Naming([text])
    items |= {item.id for item in depends.items if item.what == UNANSWERED and naming.first(str(item.payload[QUERY]))}
    session = _session(depends, text)
    items |= session.items if session is not None else frozenset()
    return Subject(NAME, text, frozenset(items), frozenset(nodes), frozenset({text})) if items else None


def texts_naming(depends: Depends, text: str) -> set[str]:
    """Give the blocks that name something, or are told by somebody so called."""
    naming = Naming([text])
    return {
        block_id(str(item.payload["content"]))
        for item in depends.items
        if item.what in WORDS and any(naming.first(words) for words in _words(item))
    }


def _words(item: Item) -> Iterator[str]:
    for field in WORDS[item.what]:
        value = item.payload[field]
        yield from value if isinstance(value, list) else (str(value),)


def texts_of(item: Item) -> list[str]:
    """Give every text of an item; packed numbers are none."""
    texts = [item.source, item.note]
    for field, value in item.payload.items():
        for text in () if field in PACKED else value if isinstance(value, list) else (str(value),):
            if text.startswith("["):
                texts.extend(_unpacked(text))
            else:
                texts.append(text)
    return texts


def _unpacked(text: str) -> Iterator[str]:
    """Give the texts of a record that is kept as a short JSON list, or else the text."""
    try:
        row = json.loads(text) if text.startswith("[") else None
    except ValueError:
        row = None
    yield from (str(each) for each in row) if isinstance(row, list) else (text,)


def _inside(depends: Depends, name: str) -> bool:
    return name.startswith(INSIDE) or _is_item(depends, name)


# What is not known


def _unknown(depends: Depends, text: str, kind: str) -> UnknownError:
    return UnknownError(
        f"there is no {kind} {cut(text)!r} in this space"
        if kind != NAME
        else f"there is nothing called {cut(text)!r} in this space",
        code="unknown_subject",
        item=cut(text),
        hint=_hint(depends, text, kind),
    )


def _hint(depends: Depends, text: str, kind: str) -> str:
    sources = sorted({item.source for item in depends.items} - {""})
    if kind == "source":
        more = len(sources) - SOURCES_SHOWN
        shown = ", ".join(map(cut, sources[:SOURCES_SHOWN])) + (f" and {more:,} more" if more > 0 else "")
        near = did_you_mean(text, sources)
        return f"{near + '; ' if near else ''}{f'the sources are {shown}' if shown else 'no item here has a source'}"
    texts = len(texts_naming(depends, text)) if kind != NAME else 0
    if texts:
        return f"name:{cut(text)} takes the {'text that names' if texts == 1 else f'{texts:,} texts that name'} it"
    naming = Naming([text])
    staying = [item for item in depends.items if kind == NAME and any(map(naming.first, texts_of(item)))]
    if staying:
        shown = " or ".join(sorted({_by_itself(depends, item) for item in staying})[:SHOWN])
        return f"no learned text names it, but other items do: {shown} erases one"
    known = {name for name in depends.nodes if not ("~" in name or _inside(depends, name))}
    known |= {name for said in depends.says.values() for name, _ in said.called if slug(name) not in known}
    known |= {name for said in depends.says.values() for name in said.sessions}
    return (
        did_you_mean(text, sorted({*known, *sources}))
        or "give the id or name of a node, a source, a session, an item's id, or name:WORDS for all that names somebody"
    )


def _by_itself(depends: Depends, item: Item) -> str:
    """Say how to erase an item that has a name in it: a reading by its session."""
    sessions = depends.says[item.id].sessions if item.what == TRANSCRIPT else ()
    return next((f"session:{name}" for name in sessions), f"item:{item.id.hex()}")
