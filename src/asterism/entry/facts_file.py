"""Facts in a file or from a pipe: one text for each line, or JSON lines with fields; a bad row is named by its line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import check_text, cut
from asterism.core.text.spoken import turn_of
from asterism.engine.blocks.learn import Fact
from asterism.errors import InputError

HINT = (
    f'each row has content and maybe {", ".join(Fact._fields[1:])}: {{"content": "Ada likes tea", "tags": ["people"]}}'
)
TOLD_EVERY = 10_000
TIMES = ("at", "valid_from", "valid_until", "expires")
COMMON = ("category", "source", "conversation", "speaker", "slot", "replaces", *TIMES)


@dataclass(frozen=True, slots=True)
class FactRow:
    """A row and the line it stands on."""

    line: int
    fact: Fact


@dataclass(frozen=True, slots=True)
class Common:
    """What holds for every row that does not say otherwise; tags are added to those of the row."""

    tags: tuple[str, ...] = ()
    category: str | None = None
    source: str | None = None
    at: str | None = None
    conversation: str | None = None
    speaker: str | None = None
    slot: str | None = None
    replaces: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    expires: str | None = None

    def fact(self, content: str, *, name: str | None = None) -> Fact:
        """Make a fact of a text alone."""
        return self.of(self.row(content) | {"name": name})

    def row(self, text: str) -> dict[str, object]:
        """Make a row of a text; in a conversation "Name: text" is what that name said."""
        if self.conversation is None or self.speaker is not None:
            return {"content": text}
        speaker, content = turn_of(text)
        return {"content": content, "speaker": speaker or None}

    def of(self, row: dict[str, object]) -> Fact:
        """Make a fact of a row."""
        tags = row.get("tags") or []
        assert isinstance(tags, list)
        said: dict[str, object] = {name: value for name, value in row.items() if value is not None}
        for field in COMMON:
            if field not in said and getattr(self, field) is not None:
                said[field] = getattr(self, field)
        return Fact(**said | {"tags": [*tags, *self.tags]})  # type: ignore[arg-type]  # checked by _checked


def read_facts(
    text: str, common: Common, *, json_lines: bool | None = None, progress: Callable[[int], None] = lambda _: None
) -> list[FactRow]:
    """Read all rows; without a word about it, the first row tells whether they are JSON.

    Empty lines are left out. The first row that cannot be learned is refused with its line.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if json_lines is None:
        json_lines = bool(lines) and _is_object(lines[0][1])
    facts = []
    for number, line in lines:
        row: dict[str, object] = _object(number, line) if json_lines else common.row(line)
        facts.append(FactRow(number, _checked(number, row, common)))
        if len(facts) % TOLD_EVERY == 0:
            progress(len(facts))
    return facts


def _is_object(line: str) -> bool:
    try:
        return "content" in json.loads(line) if line.lstrip().startswith("{") else False
    except (ValueError, RecursionError):
        return False


def _object(line: int, text: str) -> dict[str, object]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _bad(line, f"is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise _bad(line, "is not an object with names")
    if "role" in row:  # as chats write it
        row.setdefault("speaker", row.pop("role"))
    unknown = [str(name) for name in row if name not in Fact._fields]
    if unknown:
        raise _bad(line, f"has {cut(', '.join(unknown))}, which a block does not have")
    return row


def _checked(line: int, row: dict[str, object], common: Common) -> Fact:
    if not isinstance(row.get("tags") or [], list):
        raise _bad(line, "has tags that are no list")
    if not row.get("content"):
        raise _bad(line, "has no content")
    fact = common.of(row)
    try:
        for field, value in _texts(fact):
            check_text(value, field=field, many_lines=field == "content")
        for time in TIMES:
            if getattr(fact, time) is not None:
                to_micros(getattr(fact, time))
    except InputError as error:
        raise _bad(line, f"is not right: {error.message}") from None
    return fact


def _texts(fact: Fact) -> Iterator[tuple[str, object]]:
    yield "content", fact.content
    for tag in fact.tags:
        yield "tag", tag
    for field in ("category", "name", "source", "conversation", "speaker", "slot", "replaces"):
        if getattr(fact, field) not in (None, ""):
            yield field, getattr(fact, field)


def _bad(line: int, problem: str) -> InputError:
    return InputError(f"line {line} {problem}; nothing was written", code="bad_row", item=str(line), hint=HINT)


def texts_said(words: Sequence[str]) -> list[str]:
    """Read the words of a command line: quoted texts are one each, words without quotes are one text.

    >>> texts_said(["Ada", "likes", "tea"]), texts_said(["Ada likes tea", "Bo likes rain"])
    (['Ada likes tea'], ['Ada likes tea', 'Bo likes rain'])
    """
    loose = all(len(word.split()) <= 1 for word in words)
    return [" ".join(words)] if loose else list(words)
