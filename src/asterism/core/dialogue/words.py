"""The words of a reading: what somebody can intend, what can come of it; and which way of reading wrote them."""

from __future__ import annotations

from typing import Literal, get_args

KERNEL_VERSION = 1  # raise it when the same lines and parameters would give other links

IntentType = Literal["question", "declare", "propose", "request"]
Strength = Literal["strong", "weak"]
INTENT_TYPES: tuple[IntentType, ...] = get_args(IntentType)
STRENGTH: dict[str, Strength] = {"question": "weak", "declare": "strong", "propose": "strong", "request": "strong"}

ConsequenceType = Literal["roll", "information", "deterministic", "commitment", "dm_statement", "none"]
CONSEQUENCE_TYPES: tuple[ConsequenceType, ...] = get_args(ConsequenceType)
