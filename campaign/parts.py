"""Every part of the campaign, in the order in which they take turns."""

from __future__ import annotations

from campaign import fuzz, kill, pages, syscalls
from campaign.part import Part

PARTS: tuple[Part, ...] = (kill, syscalls, fuzz, pages)
