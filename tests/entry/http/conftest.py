"""Without the SDK there is no server to test."""

from __future__ import annotations

import pytest

pytest.importorskip("mcp")
