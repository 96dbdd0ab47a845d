"""Every part of the campaign, in the order in which they take turns."""

from __future__ import annotations

from campaign import cancel, clock, disk, fuzz, kill, merges, pages, processes, simulation, syscalls, threads
from campaign.part import Part

PARTS: tuple[Part, ...] = (kill, syscalls, disk, simulation, processes, threads, cancel, clock, fuzz, merges, pages)
