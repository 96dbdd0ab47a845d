"""What a transcript is made of: lines, actors and masks, and what is wrong with those that cannot be used.

A *line* is one turn of one speaker. A *kind* is set by the reader when the line is no speech: `action` (something done
in the game), `roll` (dice) or `system` (joined, left, a bot's notice). A *mask* takes a span of lines out of the story.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from asterism.core.ledger.calendar import LATEST
from asterism.core.ledger.items import IN_A_LINE, IN_LINES, MAX_TEXT, check_text, cut
from asterism.errors import InputError
from asterism.hints import Hint, elsewhere, option

LineKind = Literal["action", "roll", "system"]
Reason = Literal["ooc_hard", "ooc_soft", "combat", "transition", "noise"]
KINDS: tuple[LineKind, ...] = get_args(LineKind)
REASONS: tuple[Reason, ...] = get_args(Reason)
MAX_LINE = 1_000_000  # characters: a book is no line
MAX_TIMESTAMP_MS = LATEST // 1000  # the last millisecond of the year 9998
RENUMBER = elsewhere(" (", option("renumber", True), ")")


class Line(NamedTuple):
    """One turn of one speaker."""

    line_index: int
    author_name: str
    content: str
    timestamp_ms: int | None = None
    kind: LineKind | None = None


class Actor(NamedTuple):
    """Somebody who intends things, and every name by which the transcript calls them."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()


class Mask(NamedTuple):
    """A span of lines, both ends included, that is no part of the story, and why."""

    start: int
    end: int
    reason: Reason


def check_lines(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Let through the lines of a session: numbered 0, 1, 2, .. in order, each with texts.

    >>> check_lines([Line(0, "Ann", "I climb."), Line(2, "DM", "You fall.")])
    Traceback (most recent call last):
    asterism.errors.InputError: line 2 stands where line 1 should (number the lines 0, 1, 2, .. or have them renumbered)
    """
    checked = lines if isinstance(lines, tuple) else tuple(lines)
    if not checked:
        return ()
    indices, authors, contents, times, kinds = zip(*checked, strict=True)
    right = (
        set(map(type, indices)) == {int}
        and list(indices) == list(range(len(checked)))
        and set(map(type, authors)) == set(map(type, contents)) == {str}
        and all(each is None for each in times)
        and all(kind is None or kind in KINDS for kind in kinds)
    )
    if not right:  # or there are times: then each is looked at
        for place, line in enumerate(checked):
            _check_line(place, line)
    try:
        "".join([*contents, *set(authors)]).encode()
    except UnicodeEncodeError:
        place = next(at for at, line in enumerate(checked) if _is_broken(line.author_name + line.content))
        raise _bad_line(
            place, "it is not valid Unicode (a lone surrogate)", "read the file with its own encoding"
        ) from None
    if max(map(len, authors)) > MAX_TEXT:
        place = next(at for at, author in enumerate(authors) if len(author) > MAX_TEXT)
        raise _bad_line(place, f"its author_name has more than {MAX_TEXT} characters", "give the name of the speaker")
    if max(map(len, contents)) > MAX_LINE:
        place = next(at for at, content in enumerate(contents) if len(content) > MAX_LINE)
        raise _bad_line(place, f"it has more than {MAX_LINE:,} characters", "cut it into several lines")
    return checked


def clean_lines(lines: tuple[Line, ...]) -> tuple[tuple[Line, ...], int]:
    """Put a space for each sign that can be neither printed nor kept, and count the lines that had one.

    A text may have several lines and tabs, a name may not.

    >>> clean_lines((Line(0, "DM\\tAnn", "Hm\\x00."), Line(1, "Bo", "One\\r\\n\\ttwo.")))[1]
    1
    """
    if not _odd("".join(line.content for line in lines), "".join({line.author_name for line in lines})):
        return lines, 0
    ended = [line._replace(content=line.content.replace("\r\n", "\n").replace("\r", "\n")) for line in lines]
    cleaned = tuple(
        line._replace(author_name=IN_A_LINE.sub(" ", line.author_name), content=IN_LINES.sub(" ", line.content))
        for line in ended
    )
    return cleaned, sum(line != clean for line, clean in zip(ended, cleaned, strict=True))


def _odd(content: str, author: str) -> bool:
    return IN_LINES.search(content) is not None or IN_A_LINE.search(author) is not None


def _check_line(place: int, line: Line) -> None:
    index, author, content, timestamp_ms, kind = line
    if index != place or index.__class__ is not int:
        raise InputError(
            f"line {index!r} stands where line {place} should",
            code="unordered_lines",
            item=str(index),
            hint=Hint("number the lines 0, 1, 2, .. or have them renumbered", RENUMBER),
        )
    if author.__class__ is not str or content.__class__ is not str:
        wrong = "author_name" if author.__class__ is not str else "content"
        raise _bad_line(place, f"its {wrong} is not text", f"give the {wrong} as text")
    if kind is not None and kind not in KINDS:
        raise _bad_line(place, f"{kind!r} is no kind of line", f"use {', '.join(KINDS)}, or none for speech")
    if timestamp_ms is not None:
        _check_time(place, timestamp_ms)


def renumbered(lines: Iterable[Line]) -> list[Line]:
    """Number the lines 0, 1, 2, .. in the order given.

    >>> [line.line_index for line in renumbered([Line(7, "Ann", "Hi."), Line(3, "DM", "Hello.")])]
    [0, 1]
    """
    return [line._replace(line_index=place) for place, line in enumerate(lines)]


def check_actors(actors: Iterable[Actor]) -> tuple[Actor, ...]:
    """Let through actors with an id and a name each; no id and no name may stand for two of them."""
    checked = tuple(actors)
    owners: dict[str, str] = {}
    ids: set[str] = set()
    for actor in checked:
        check_text(actor.id, field="actor's id")
        for name in (actor.name, *actor.aliases):
            check_text(name, field="actor's name")
        if actor.id in ids:
            raise InputError(
                f"two actors have the id {actor.id!r}", code="bad_actor", item=actor.id, hint="give each its own id"
            )
        ids.add(actor.id)
        for name in (actor.name, *actor.aliases):
            owner = owners.setdefault(name.casefold(), actor.id)
            if owner != actor.id:
                raise InputError(
                    f"the name {name!r} belongs to {owner!r} and to {actor.id!r}",
                    code="bad_actor",
                    item=actor.id,
                    hint="give a name to one actor only",
                )
    return checked


def check_masks(masks: Iterable[Mask], lines: int) -> tuple[Mask, ...]:
    """Clamp masks to a session of so many lines; one that ends before it starts is refused, one outside goes.

    >>> check_masks([Mask(-3, 1, "noise"), Mask(8, 99, "combat"), Mask(20, 30, "noise")], 10)
    (Mask(start=0, end=1, reason='noise'), Mask(start=8, end=9, reason='combat'))
    """
    checked = []
    for mask in masks:
        start, end, reason = mask
        if reason not in REASONS:
            raise _bad_mask(mask, f"{reason!r} is no reason", f"use one of {', '.join(REASONS)}")
        if start.__class__ is not int or end.__class__ is not int:
            raise _bad_mask(mask, "its ends are not whole numbers", "give the numbers of its first and last line")
        if start > end:
            raise _bad_mask(mask, f"it starts at line {start} and ends at line {end}", "give the smaller number first")
        clamped = Mask(max(start, 0), min(end, lines - 1), reason)
        if clamped.start <= clamped.end:
            checked.append(clamped)
    return tuple(checked)


def _check_time(place: int, timestamp_ms: int) -> None:
    if timestamp_ms.__class__ is not int or not 0 <= timestamp_ms <= MAX_TIMESTAMP_MS:
        raise _bad_line(place, "its timestamp_ms is no time", "give whole milliseconds since 1970, or leave it out")


def _is_broken(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _bad_line(place: int, problem: str, hint: str) -> InputError:
    return InputError(f"line {place} cannot be used: {problem}", code="bad_line", item=str(place), hint=hint)


def _bad_mask(mask: Mask, problem: str, hint: str) -> InputError:
    return InputError(
        f"the mask {cut(repr(tuple(mask)))} cannot be used: {problem}", code="bad_mask", item=cut(repr(mask)), hint=hint
    )
