"""How an entity, an observation and a relation are written as the text of a block, and read back to the letter.

    entity        NAME (TYPE)                  tags about/NAME, entity/TYPE
    observation   NAME: TEXT                   tags about/NAME
    relation      FROM → TYPE → TO             tags about/FROM, about/TO, relation/TYPE

The text is the truth, so that nothing else has to agree with it; tags (slugs) say that it is meant so, and let texts
about one thing be found and linked. A part that the signs between would break (or that is empty, or begins with a
quote, or ends in blanks) is written as a JSON string. Texts that differ in capitals alone are one block, by its id:
the second is written with its capitals escaped, which JSON reads back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from asterism.core.ledger.items import IN_A_LINE, IN_LINES, check_text
from asterism.core.ledger.nodes import slug
from asterism.errors import InputError

ENTITY, OBSERVATION, RELATION = "entity", "observation", "relation"
SPELLINGS = 9  # ways to write one text, tried in turn
REMEMBERED = 1 << 17  # texts that are not read twice
_string = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing of a type, and what was observed of it."""

    name: str
    entity_type: str
    observations: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Give it in the words of the reference server."""
        return {"name": self.name, "entityType": self.entity_type, "observations": list(self.observations)}


@dataclass(frozen=True, slots=True)
class Named:
    """An entity without what was observed of it."""

    name: str
    entity_type: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The texts it is made of, in the order they are written."""
        return self.name, self.entity_type


@dataclass(frozen=True, slots=True)
class Observation:
    """A text about an entity."""

    about: str
    text: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The texts it is made of, in the order they are written."""
        return self.about, self.text


@dataclass(frozen=True, slots=True)
class Relation:
    """How one entity is related to another."""

    start: str
    relation_type: str
    end: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The texts it is made of, in the order they are written."""
        return self.start, self.relation_type, self.end

    def to_dict(self) -> dict[str, object]:
        """Give it in the words of the reference server."""
        return {"from": self.start, "to": self.end, "relationType": self.relation_type}


Record = Named | Observation | Relation


def category_of(record: Record) -> str:
    """Give the category of a record's block."""
    return {Named: ENTITY, Observation: OBSERVATION, Relation: RELATION}[type(record)]


def tags_of(record: Record) -> list[str]:
    """Give the tags of a record's block.

    >>> tags_of(Relation("Ada", "works_at", "Acme Corp"))
    ['about/acme-corp', 'about/ada', 'relation/works-at']
    """
    if isinstance(record, Named):
        return sorted([f"about/{slug(record.name)}", f"entity/{_type(record.entity_type)}"])
    if isinstance(record, Observation):
        return [f"about/{slug(record.about)}"]
    ends = {f"about/{slug(record.start)}", f"about/{slug(record.end)}"}
    return sorted(ends | {f"relation/{_type(record.relation_type)}"})


def records_of(entity: Entity) -> list[Record]:
    """Give the records an entity is made of."""
    return [Named(entity.name, entity.entity_type), *(Observation(entity.name, text) for text in entity.observations)]


def names_of(record: Record) -> tuple[str, ...]:
    """Name the entities a record is about."""
    if isinstance(record, Relation):
        return (record.start, record.end)
    return (record.about,) if isinstance(record, Observation) else (record.name,)


def spellings(record: Record) -> Iterator[str]:
    """Write a record: as it reads best, then in ways that no other record is written.

    >>> list(spellings(Observation("Ada", "Likes tea")))[:2]
    ['Ada: Likes tea', '"\\\\u0041da": "\\\\u004cikes tea"']
    """
    yield _joined(record, [_plain(part, before) for part, before in zip(record.parts, _signs(record), strict=True)])
    for escaped in range(SPELLINGS - 1):
        yield _joined(record, [_escaped(part, escaped) for part in record.parts])


@lru_cache(maxsize=REMEMBERED)
def record_of(content: str, tags: tuple[str, ...]) -> Record | None:
    """Read a record back from its block; None if the block is something else.

    >>> record_of("Ada: Likes tea", ("about/ada",))
    Observation(about='Ada', text='Likes tea')
    >>> record_of("Note: buy tea", ("todo",)) is None
    True
    """
    heads = {tag.partition("/")[0] for tag in tags}
    if "about" not in heads:
        return None
    kind = RELATION if RELATION in heads else ENTITY if ENTITY in heads else OBSERVATION
    try:
        record = _read(kind, content)
    except ValueError:
        return None
    return record if set(tags_of(record)) <= set(tags) else None


def _type(word: str) -> str:
    return slug(word.replace("_", " "))


def _read(kind: str, content: str) -> Record:
    if kind == RELATION:
        start, rest = _part(content, " → ")
        relation_type, rest = _part(rest, " → ")
        return Relation(start, relation_type, _last(rest))
    if kind == ENTITY:
        name, rest = _part(content, " (")
        if not rest.endswith(")"):
            raise ValueError
        return Named(name, _last(rest[:-1]))
    about, rest = _part(content, ": ")
    return Observation(about, _last(rest))


def _part(text: str, sign: str) -> tuple[str, str]:
    """Read a part up to a sign; give it and what comes behind."""
    if not text.startswith('"'):
        part, found, rest = text.partition(sign)
    else:
        part, end = _string(text)
        found, rest = text[end : end + len(sign)], text[end + len(sign) :]
    if found != sign:
        raise ValueError
    return part, rest


def _last(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


def _signs(record: Record) -> tuple[str, ...]:
    """Give for each part what must not stand in it; a relation's last part may hold anything."""
    if isinstance(record, Relation):
        return (" → ", " → ", "")
    return (" (", "") if isinstance(record, Named) else (": ", "\n")


def _joined(record: Record, parts: list[str]) -> str:
    if isinstance(record, Relation):
        return " → ".join(parts)
    return f"{parts[0]} ({parts[1]})" if isinstance(record, Named) else f"{parts[0]}: {parts[1]}"


def _plain(text: str, sign: str) -> str:
    """Write a part as it is, or as a JSON string; `sign` must not stand in it (a line break may: the last part)."""
    bare = text.strip() == text != "" and not text.startswith('"')
    held = sign not in ("", "\n") and (sign in text or text.endswith(sign.rstrip()))
    odd = (IN_LINES if sign == "\n" else IN_A_LINE).search(text)
    return text if bare and not held and not odd else _quoted(text)


def _quoted(text: str) -> str:
    """Write a JSON string, readable but for signs that cannot be printed."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(_code(sign) if "\x7f" <= sign <= "\x9f" else sign for sign in quoted)


def _escaped(text: str, first: int) -> str:
    """Write a JSON string with the first signs and every capital escaped: the same text in small letters is another."""
    signs = [
        _code(sign) if place < first or sign.lower() != sign or "\x7f" <= sign <= "\x9f" else json.dumps(sign)[1:-1]
        for place, sign in enumerate(text)
    ]
    return f'"{"".join(signs)}"'


def _code(sign: str) -> str:
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else json.dumps(sign)[1:-1]


# A file of the reference server


def parsed(line: str | Mapping[str, object]) -> list[Record]:
    """Read a line of the reference server's file."""
    row = json.loads(line) if isinstance(line, str) else line
    if not isinstance(row, Mapping):
        raise _no_row("it is no JSON object")
    if row.get("type") == "relation":
        return _checked([Relation(_text(row, "from"), _text(row, "relationType"), _text(row, "to"))])
    if row.get("type") != "entity":
        raise _no_row("its type is neither entity nor relation")
    observed = row.get("observations", [])
    if not isinstance(observed, list) or not all(isinstance(each, str) for each in observed):
        raise _no_row("its observations are no list of texts")
    return _checked(records_of(Entity(_text(row, "name"), _text(row, "entityType"), tuple(observed))))


def _text(row: Mapping[str, object], field: str) -> str:
    value = row.get(field)
    if not isinstance(value, str):
        raise _no_row(f"its {field} is no text")
    return value


def _checked(records: list[Record]) -> list[Record]:
    for each in records:
        check_text(next(spellings(each)), field=category_of(each), many_lines=True)
    return records


def _no_row(problem: str) -> InputError:
    return InputError(
        f"the line cannot be read: {problem}",
        code="bad_graph_line",
        item=problem,
        hint='give {"type": "entity", "name", "entityType", "observations"} or '
        '{"type": "relation", "from", "to", "relationType"}',
    )
