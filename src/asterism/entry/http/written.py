"""JSON as every surface that answers with it writes it: the command line with --json, and the service."""

from __future__ import annotations

import json
from typing import Any


def as_json(value: Any) -> str:
    """Write a value.

    >>> as_json({"tea": 1})
    '{\\n  "tea": 1\\n}'
    """
    return json.dumps(value, ensure_ascii=False, indent=2)


def json_body(value: Any) -> bytes:
    """Write a value as the body of an answer: to the byte what a prompt shows."""
    return as_json(value).encode("utf-8", "replace") + b"\n"
