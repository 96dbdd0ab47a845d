"""JSON as the command line writes it."""

from __future__ import annotations

import json
from typing import Any


def json_body(value: Any) -> bytes:
    """Write a value to the byte as --json does."""
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n"
