"""What callers give as rows: each is a line, a mask, an actor or a chunk already, a mapping, or its fields in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from asterism.core.dialogue.lines import Actor, Line, Mask
from asterism.core.dialogue.links import Chunk
from asterism.core.ledger.items import cut
from asterism.core.ledger.nodes import slug
from asterism.core.text.spoken import turn_of
from asterism.errors import InputError

LineRow = Line | Mapping[str, object] | Sequence[object]
MaskRow = Mask | Mapping[str, object] | Sequence[object]
ChunkRow = Chunk | Mapping[str, object] | Sequence[object]
ActorRow = Actor | Mapping[str, object] | Sequence[object] | str
Row = TypeVar("Row", Line, Mask, Actor, Chunk)


def spoken_rows(told: Iterable[LineRow | str]) -> Iterable[LineRow]:
    """Give lines of what was said: "Name: text", or a chat's mapping with role and content; others as they are.

    They are numbered by their place. A text without a name goes on with what was said before it; where nobody was
    named yet, it is a line of nobody's. Of a chat's mapping the name, the time and the kind count too.

    >>> [line[:3] for line in lines_of(spoken_rows(["Ann: Hi.", {"role": "user", "content": "Ho."}]))]
    [(0, 'Ann', 'Hi.'), (1, 'user', 'Ho.')]
    >>> lines_of(spoken_rows([{"role": "user", "name": "Bo", "content": "Ho."}]))[0].author_name
    'Bo'
    >>> [line[1:3] for line in lines_of(spoken_rows(["At sea.", "Night.", "Ann: Hi.", "Ho."]))]
    [('', 'At sea.'), ('', 'Night.'), ('Ann', 'Hi.\\nHo.')]
    """
    if isinstance(told, str | Mapping) or not isinstance(told, Iterable):
        return told
    rows: list[LineRow] = []
    for each in told:
        if isinstance(each, str):
            speaker, text = turn_of(each)
            before = rows[-1] if rows else None
            if not speaker and isinstance(before, Line) and before.author_name:
                rows[-1] = before._replace(content=f"{before.content}\n{text}")
            else:
                rows.append(Line(len(rows), speaker, text))
        elif isinstance(each, Mapping) and "role" in each and isinstance(each.get("content"), str):
            more = {name: each[name] for name in ("timestamp_ms", "kind") if name in each}
            author = each.get("name") or each["role"]
            rows.append({"line_index": len(rows), "author_name": author, "content": each["content"], **more})
        else:
            rows.append(each)
    return rows


def lines_of(told: Iterable[LineRow]) -> tuple[Line, ...]:
    """Read lines.

    >>> lines_of([{"line_index": 0, "author_name": "Ann", "content": "Hi."}, (1, "DM", "Hello.")])[1].author_name
    'DM'
    """
    return _rows(Line, told, "line")


def masks_of(told: Iterable[MaskRow]) -> tuple[Mask, ...]:
    """Read masks."""
    return _rows(Mask, told, "mask")


def chunks_of(told: Iterable[ChunkRow]) -> tuple[Chunk, ...]:
    """Read chunks."""
    return _rows(Chunk, told, "chunk")


def actors_of(told: Iterable[ActorRow] | str) -> tuple[Actor, ...]:
    """Read actors; a name alone is one, and so is an alias.

    >>> actors_of(["Ann B.", ("bo", "Bo", "Robert")])
    (Actor(id='ann-b-e5506358', name='Ann B.', aliases=()), Actor(id='bo', name='Bo', aliases=('Robert',)))
    """
    given: object = (told,) if isinstance(told, str) else told
    if isinstance(given, Iterable) and not isinstance(given, Mapping):
        given = [(slug(each), each) if isinstance(each, str) else each for each in given]
    return tuple(_actor(place, each) for place, each in enumerate(_rows(Actor, given, "actor")))


def _actor(place: int, actor: Actor) -> Actor:
    aliases: object = actor.aliases
    if isinstance(aliases, str):
        return actor._replace(aliases=(aliases,))
    if not isinstance(aliases, Iterable):
        raise _bad("actor", str(place), f"actor {place} cannot be used: its aliases are no names", Actor)
    return actor._replace(aliases=tuple(aliases))


def names_of(told: Iterable[str] | str, what: str = "responder") -> tuple[str, ...]:
    """Read the names of responders, or of something else; one alone is a list of one.

    >>> names_of("DM"), names_of(["DM", "Mara"])
    (('DM',), ('DM', 'Mara'))
    """
    given: object = told
    if isinstance(given, str):
        return (given,)
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        shown = cut(repr(told))
        raise InputError(
            f"{shown} names no {what}s", code=f"bad_{what}", item=shown, hint="give a name, or a list of names"
        )
    return tuple(given)


def _rows(kind: type[Row], told: object, what: str) -> tuple[Row, ...]:
    if isinstance(told, str | Mapping) or not isinstance(told, Iterable):
        raise _bad(what, cut(repr(told)), f"there are no {what}s in {cut(repr(told))}", kind)
    found = []
    for place, each in enumerate(told):
        if isinstance(each, kind):
            found.append(each)
            continue
        try:
            if isinstance(each, str) or not isinstance(each, Iterable):
                raise TypeError
            found.append(kind(**each) if isinstance(each, Mapping) else kind(*each))
        except TypeError:
            raise _bad(what, str(place), f"{what} {place} cannot be used: it is no {what}", kind) from None
    return tuple(found)


def _bad(what: str, item: str, problem: str, kind: type[Line | Mask | Actor | Chunk]) -> InputError:
    return InputError(problem, code=f"bad_{what}", item=item, hint=f"give each as {', '.join(kind._fields)}")
