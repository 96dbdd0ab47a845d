"""The words of blocks: what can become of one, and what one is if nobody says."""

from __future__ import annotations

INBOX, ACTIVE, DUPLICATE, SUPERSEDED, EDITED, FORGOTTEN = STATUSES = (
    "inbox",
    "active",
    "duplicate",
    "superseded",
    "edited",
    "forgotten",
)
THERE = (INBOX, ACTIVE)  # what recall sees
CORRECTED = (EDITED, FORGOTTEN)  # what only a later telling brings back
CATEGORY = "knowledge"  # of what is learned without one
