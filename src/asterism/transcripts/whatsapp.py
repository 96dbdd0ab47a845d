"""WhatsApp exports: a date, a time, who wrote, and what, in the forms that the telephones of many places write.

`[12/10/2026, 18:03:11] Ana: text` or `12/10/26, 18:03 - Ana: text`; a row without a date goes on with the message
before. Whether the day or the month stands first is decided by all dates of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from asterism.core.dialogue.lines import Line, LineKind
from asterism.errors import InputError
from asterism.hints import Hint, in_python, option
from asterism.transcripts.fields import kind_of
from asterism.transcripts.model import Transcript, at, fault

MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")  # directions of writing, which nobody wrote
MARK = "\u200e"  # what a telephone says itself begins with it
BLANKS = re.compile("[\u00a0\u202f]")
WHEN = (
    r"(?P<a>\d{1,4})(?P<sign>[./-])(?P<b>\d{1,2})(?P=sign)(?P<c>\d{2,4}),?\s+"
    r"(?P<h>\d{1,2})[:.](?P<m>\d{2})(?:[:.](?P<s>\d{2}))?(?:\s?(?P<half>[AaPp])\.?\s?[Mm]\.?)?"
)
STAMPED = re.compile(rf"(?:\[{WHEN}\]|{WHEN.replace('(?P<', '(?P<_').replace('(?P=', '(?P=_')} -)\s(?P<rest>.*)$")
NAMED = re.compile(r"(?P<name>[^:\"“”]{1,80}?):(?:\s(?P<text>.*))?$")
OMITTED = re.compile(  # what a telephone writes in place of what was sent, in a few languages
    r"<(?:attached:[^<>]*|[\w ]{1,40} omitted|Medien ausgeschlossen|Multimedia omitido|Médias omis|Media omessi"
    r"|Mídia oculta|Media weggelaten)>|(?:image|video|audio|sticker|GIF|document|contact card|media) omitted"
    r"|.*\(file attached\)|(?:this message was|you) deleted(?: this message)?\.?",
    re.IGNORECASE,
)
ENCRYPTED = re.compile(r"Messages (?:and calls|to this (?:chat|group))\b.*\bend-to-end encrypt(?:ed|ion)\b")
EDITED = re.compile(r"\s*<This message was edited>$")
PARTS = ("a", "sign", "b", "c", "h", "m", "s", "half")
ORDERS = {"dmy": "the day", "mdy": "the month"}  # what stands first
HOUR = 3_600_000
FARTHEST_EAST = 14 * HOUR  # no clock is further ahead of UTC
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Message(NamedTuple):
    """One message: where it begins, its date and time as they are written, who wrote it, and what."""

    row: int
    when: tuple[str, ...]
    name: str
    content: str
    generated: bool  # the telephone wrote it


def is_message(row: str) -> bool:
    """Say whether a row of a text begins a message.

    >>> [is_message(row) for row in ("12/10/26, 6:03 PM - Ana: Hi.", "[12.10.2026, 18:03:11] Ana: Hi.", "Ana: Hi.")]
    [True, True, False]
    """
    return STAMPED.match(_plain(row)) is not None


def read_whatsapp(
    text: str,
    name: str,
    session: str,
    *,
    started_at_ms: int | None = None,
    order: str | None = None,
    now_ms: int | None = None,
) -> Transcript:
    """Read messages; notices of the group and media that were left out are system lines.

    The times bear no zone: they are taken as UTC, unless `started_at_ms` says when the first message was written. Where
    the last would then lie ahead of `now_ms`, as east of UTC, all are moved back by whole hours, and `notes` say so.
    `order` is dmy or mdy, None for what the dates say; they do not say a time that has not come.
    """
    messages = list(_messages(text, name))
    first, times = _times(messages, name, order, None if started_at_ms is not None else now_ms)
    notes = [f"its dates are read with {first} first"] if first else []
    ahead = 0 if now_ms is None or not times else max(times) - now_ms
    shift = 0 if started_at_ms is None or not times else started_at_ms - times[0]
    if started_at_ms is None and 0 < ahead <= FARTHEST_EAST:
        hours = -(-ahead // HOUR)
        shift = -hours * HOUR
        back = f"its times bear no zone and would end ahead of now: they are moved back by {hours} h ("
        notes.append(Hint(back, in_python("started_at", otherwise=Hint(option("started_at"))), " says otherwise)"))
    elif started_at_ms is None:
        notes.append("its times bear no zone and are taken as UTC")
    lines = [
        Line(place, each.name, EDITED.sub("", each.content.strip()), time + shift, _kind(each))
        for place, (each, time) in enumerate(zip(messages, times, strict=True))
    ]
    return Transcript(tuple(lines), "whatsapp", session, notes=tuple(notes))


def _plain(row: str) -> str:
    return BLANKS.sub(" ", MARKS.sub("", row)).rstrip()


def _messages(text: str, name: str) -> Iterator[Message]:
    """Give the messages, each with the rows that go on with it."""
    last: Message | None = None
    rows: list[str] = []
    for number, row in enumerate(text.split("\n"), start=1):
        said = _plain(row)
        found = STAMPED.match(said)
        if found is not None:
            if last is not None:
                yield last._replace(content="\n".join(rows))
            last = _message(number, row, found)
            rows = [last.content]
        elif last is not None:
            rows.append(said)
        elif said:
            raise fault(name, at(number), "this belongs to no message", "[12/10/2026, 18:03:11] Ana: text")
    if last is not None:
        yield last._replace(content="\n".join(rows))


def _message(number: int, row: str, found: re.Match[str]) -> Message:
    when = tuple(found[part] or found[f"_{part}"] or "" for part in PARTS)
    rest = found["rest"].strip()
    named = NAMED.match(rest)
    if named is None or ENCRYPTED.match(rest):
        return Message(number, when, "", rest, generated=True)
    who = named["name"].strip().removeprefix("~").strip()
    generated = row.partition(": ")[2].startswith(MARK)
    return Message(number, when, who, (named["text"] or "").strip(), generated=generated)


def _kind(message: Message) -> LineKind | None:
    said = message.content.strip()
    return "system" if message.generated or ENCRYPTED.match(said) or OMITTED.fullmatch(said) else kind_of(said)


def _times(messages: Sequence[Message], name: str, order: str | None, now_ms: int | None) -> tuple[str, list[int]]:
    """Give what stands first in the dates, "" if that is the year, and the time of each message in milliseconds."""
    found: dict[str, list[int]] = {}
    for each in ORDERS if order is None else (order,):
        told = [_milliseconds(message.when, each) for message in messages]
        known = [time for time in told if time is not None]
        if len(known) == len(told) and known not in found.values():
            found[each] = known
    if now_ms is not None:
        past = {each: times for each, times in found.items() if max(times, default=0) - now_ms <= FARTHEST_EAST}
        found = past or found
    rising = {each: times for each, times in found.items() if times == sorted(times)}
    chosen = rising if len(found) > 1 and rising else found
    if not chosen:
        wrong = _odd_one(messages, ORDERS if order is None else (order,))
        clock = _clock(wrong)
        if clock:
            raise fault(name, at(wrong.row), f"{clock} is no time of day", "times like 18:03 or 6:03 PM")
        problem = f"{_date(wrong)} is no date, read as those before it"
        raise fault(name, at(wrong.row), problem, "dates of one form, like 12/10/2026")
    if len(chosen) > 1:
        written = _date(messages[0])
        raise InputError(
            f"{name}: in {written} the day or the month may stand first, and no other date of the file says which",
            code="unsure_dates",
            item=written,
            hint=Hint(
                "say which it is: ",
                option("file_format", "whatsapp-dmy"),
                " or ",
                option("file_format", "whatsapp-mdy"),
            ),
        )
    ((first, times),) = chosen.items()
    by_year = not messages or all(len(each.when[0]) == 4 for each in messages)
    return "" if by_year else ORDERS[first], times


def _odd_one(messages: Sequence[Message], orders: Iterable[str]) -> Message:
    """Give the first message with whose date no order is left that fits all up to it."""
    left = {*orders}
    for each in messages:
        left = {order for order in left if _milliseconds(each.when, order) is not None}
        if not left:
            return each
    raise AssertionError  # some order fits them all


def _date(message: Message) -> str:
    a, sign, b, c = message.when[:4]
    return sign.join((a, b, c))


def _clock(message: Message) -> str:
    """Give the time of day as it is written, if there is none such; else ""."""
    hour, minute, second, half = message.when[4:]
    if _milliseconds(("2026", "-", "1", "1", hour, minute, second, half), "dmy") is not None:
        return ""
    return ":".join(filter(None, (hour, minute, second))) + (f" {half.upper()}M" if half else "")


def _milliseconds(when: Sequence[str], order: str) -> int | None:
    """Read a date and a time, with the day or the month first; None if it is none.

    >>> [_milliseconds(("2", "/", "1", "70", "12", "00", "01", ""), order) for order in ("dmy", "mdy")]
    [3155889601000, 3158481601000]
    """
    a, sign, b, c, hour, minute, second, half = when
    if len(a) == 4:
        year, month, day = a, b, c
    elif len(a) == 3 or len(c) == 3 or (sign == "." and order == "mdy"):  # behind dots the day stands first
        return None
    else:
        year, month, day = (c, b, a) if order == "dmy" else (c, a, b)
    clock = int(hour)
    if half:
        clock = clock % 12 + 12 * (half in "pP") if 1 <= clock <= 12 else 24
    try:
        years = int(year) + (2000 if len(year) == 2 else 0)
        moment = datetime(years, int(month), int(day), clock, int(minute), int(second or 0), tzinfo=UTC)
    except ValueError:
        return None
    since = moment - EPOCH
    return (since.days * 86_400 + since.seconds) * 1000
