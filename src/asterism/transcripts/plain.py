"""Plain text: "Name: text", one turn a line; a line without a name goes on with the turn before it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from asterism.core.dialogue.lines import Line
from asterism.transcripts.fields import kind_of
from asterism.transcripts.model import Transcript, at, fault

STAMP = r"(?:\[?(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2}))?\]?\s+)?"
TURN = re.compile(STAMP + r"(?P<name>(?![a-z])[^\s:<>][^:<>\n]{0,59}?)\s*:(?:\s+(?P<text>.*))?$")
CHAT = re.compile(STAMP + r"<(?P<name>[^<>\n]{1,60})>\s*(?P<text>.*)$")
DEED = re.compile(STAMP + r"(?:\*|===)\s(?P<name>\S{1,60})\s(?P<text>.*)$")
BARE = re.compile(r"\[?(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2}))?\]?\s+\*\s(?P<name>\S{1,60})(?P<text>)$")
WORD = re.compile(STAMP + r"(?P<name>[^\W_][^\s:<>]{0,59})\s*:(?:\s+(?P<text>.*))?$")  # in either case
NOTICE = re.compile(STAMP + r"(?P<sign>===|\*\*\*|-!-|-->|<--|--)\s+(?P<text>\S.*)$")
HAPPENS = re.compile(
    r"\S+ \[|mode/|#|topic\b|signoff|\S+ (?:is now known as|was kicked|changed|sets)\b"
    r"|.*\b(?:has|have) (?:joined|left|quit|changed|set)\b|(?:day changed|log (?:opened|closed))",
    re.IGNORECASE,
)  # what a system tells of a channel; `=== ann waves` is ann's
OFTEN = 2  # lines that a word must begin to be a name without a capital
EXPECTED = '"Name: text"'


def read_plain(text: str, name: str, session: str, *, started_at_ms: int | None = None) -> Transcript:
    """Read turns; `<Name> text`, `* Name does something` and notices of a channel count too, behind a time of day.

    A name begins with a capital, or is one word that stands behind a time or begins at least two lines.
    Times count from `started_at_ms`, if that is given: the first line that has one stands there.
    """
    lines: list[Line] = []
    first: int | None = None
    rows = text.split("\n")
    names = names_in(rows)
    for number, row in enumerate(rows, start=1):
        said = row.rstrip()
        if not said:
            continue
        notice = _notice(row, said)
        if notice is not None:
            lines.append(Line(len(lines), "", notice, None, "system"))
            continue
        found = None if row[0] in " \t" else CHAT.match(said) or TURN.match(said) or _named(said, names)
        deed = None if found or row[0] in " \t" else DEED.match(said) or BARE.match(said)
        turn = found or deed
        if turn is None:
            if not lines:
                raise fault(name, at(number, len(row) - len(row.lstrip()) + 1), "nobody says this", EXPECTED)
            lines[-1] = lines[-1]._replace(content=f"{lines[-1].content}\n{said.strip()}")
            continue
        seconds = _seconds(turn)
        first = seconds if first is None else first
        timestamp_ms = None
        if started_at_ms is not None and seconds is not None and first is not None:
            timestamp_ms = started_at_ms + (seconds - first) % 86_400 * 1000
        content = (turn["text"] or "").strip()
        lines.append(Line(len(lines), turn["name"].strip(), content, timestamp_ms, "action" if deed else None))
    return Transcript(tuple(line._replace(kind=line.kind or kind_of(line.content)) for line in lines), "plain", session)


def begins_turn(row: str, names: set[str]) -> bool:
    """Say whether a row of a text begins a turn; `names` are those of `names_in` the text."""
    said = row.rstrip()
    if not said or row[0] in " \t":
        return False
    return any(each.match(said) for each in (CHAT, TURN, DEED, BARE, NOTICE)) or _named(said, names) is not None


def _notice(row: str, said: str) -> str | None:
    """Give what a system tells of a channel; None if the row is no such thing."""
    found = None if row[0] in " \t" else NOTICE.match(said)
    if found is None or (found["sign"] in ("===", "--") and not HAPPENS.match(found["text"])):
        return None
    return f"{found['sign']} {found['text']}"


def names_in(rows: Sequence[str]) -> set[str]:
    """Give the words that begin lines as names do, often enough to be names."""
    found = [WORD.match(row.rstrip()) for row in rows]
    counted = Counter([turn["name"].casefold() for turn in found if turn is not None])
    return {name for name, count in counted.items() if count >= OFTEN}


def _named(said: str, names: set[str]) -> re.Match[str] | None:
    turn = WORD.match(said)
    return turn if turn is not None and (turn["h"] or turn["name"].casefold() in names) else None


def _seconds(turn: re.Match[str]) -> int | None:
    if turn["h"] is None:
        return None
    return int(turn["h"]) * 3600 + int(turn["m"]) * 60 + int(turn["s"] or 0)
