"""Every part of the campaign, in the order in which they take turns."""

from __future__ import annotations

from campaign import cancel, clock, disk, fuzz, kill, merges, pages, processes, syscalls, threads
from campaign.part import Part

PARTS: tuple[Part, ...] = (kill, syscalls, disk, processes, threads, cancel, clock, fuzz, merges, pages)
