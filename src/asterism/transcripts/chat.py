"""Messages of a chat with a model: who speaks is a role, unless a name is told; what is said may come in parts."""

from __future__ import annotations

from collections.abc import Mapping

from asterism.core.ledger.items import cut
from asterism.transcripts.fields import NAMES, FieldError, told_time

UNSPOKEN = frozenset({"system", "developer", "tool", "function"})  # roles of nobody who takes part in the talk
TIMES = (*NAMES["timestamp_ms"], "created_at", "create_time", "created")


def is_chat(record: Mapping[str, object]) -> bool:
    """Say whether a record is a message with a role, and not one of ours.

    >>> is_chat({"role": "user", "content": "Hi."}), is_chat({"speaker": "Ann", "role": "DM", "text": "Hi."})
    (True, False)
    """
    return "role" in record and not any(name in record for name in NAMES["author_name"] if name != "name")


def fields_of(message: Mapping[str, object]) -> dict[str, object]:
    """Give the fields of a line that a message says.

    >>> fields_of({"role": "user", "name": "Ana", "content": [{"type": "text", "text": "Hi."}], "created_at": 1.7e9})
    {'author_name': 'Ana', 'content': 'Hi.', 'timestamp_ms': 1700000000000, 'kind': None}
    """
    role, content = message["role"], message.get("content")
    if role is not None and not isinstance(role, str):
        raise FieldError("role", f"its role {cut(str(role))} is not text", 'a role like "user"')
    if isinstance(content, list):
        content = "\n".join(_part(part, place) for place, part in enumerate(content))
    return {
        "author_name": message.get("name") or role,
        "content": "" if content is None and "content" in message else content,  # a call of a tool says nothing
        "timestamp_ms": told_time(message, TIMES),
        "kind": message.get("kind") or ("system" if role in UNSPOKEN else None),
    }


def _part(part: object, place: int) -> str:
    """Give the text of a part; of another kind its name."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        problem = f"part {place} of its content, {cut(str(part))}, says nothing"
        raise FieldError("content", problem, 'texts, or parts like {"type": "text", "text": "Hi."}')
    said = part.get("text")
    return said if isinstance(said, str) else f"[{part.get('type', 'part')}]"
