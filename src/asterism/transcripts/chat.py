"""Messages of a chat with a model: who speaks is a role, unless a name is told; what is said may come in parts."""

from __future__ import annotations

from collections.abc import Mapping

from asterism.transcripts.fields import NAMES

UNSPOKEN = frozenset({"system", "developer", "tool", "function"})  # roles of nobody who takes part in the talk
SECONDS = ("created_at", "create_time", "created")  # since 1970, where they are numbers
YEAR_5138 = 100_000_000_000  # in seconds; a larger number is one of milliseconds


def is_chat(record: Mapping[str, object]) -> bool:
    """Say whether a record is a message with a role, and not one of ours.

    >>> is_chat({"role": "user", "content": "Hi."}), is_chat({"speaker": "Ann", "role": "DM", "text": "Hi."})
    (True, False)
    """
    return "role" in record and not any(name in record for name in NAMES["author_name"] if name != "name")


def fields_of(message: Mapping[str, object]) -> dict[str, object]:
    """Give the fields of a line that a message says.

    >>> fields_of({"role": "user", "name": "Ana", "content": [{"type": "text", "text": "Hi."}], "created_at": 60.5})
    {'author_name': 'Ana', 'content': 'Hi.', 'timestamp_ms': 60500, 'kind': None}
    """
    role, content = message["role"], message.get("content")
    if isinstance(content, list):
        content = "\n".join(map(_part, content))
    return {
        "author_name": message.get("name") or role,
        "content": "" if content is None and "content" in message else content,  # a call of a tool says nothing
        "timestamp_ms": _time(message),
        "kind": message.get("kind") or ("system" if role in UNSPOKEN else None),
    }


def _part(part: object) -> str:
    """Give the text of a part; of another kind its name."""
    if isinstance(part, Mapping):
        said = part.get("text")
        return said if isinstance(said, str) else f"[{part.get('type', 'part')}]"
    return str(part)


def _time(message: Mapping[str, object]) -> object:
    """Give when a message was written, as fields of a line say it."""
    for name in (*NAMES["timestamp_ms"], *SECONDS):
        told = message.get(name)
        if told is None:
            continue
        in_seconds = isinstance(told, float) or (name in SECONDS and isinstance(told, int) and told < YEAR_5138)
        return round(told * 1000) if in_seconds and isinstance(told, int | float) else told
    return None
