"""What a question says of time counts in recall, by every time at which something was told."""

from __future__ import annotations

from datetime import UTC, datetime

NOW = datetime(2026, 11, 18, 10, tzinfo=UTC)
