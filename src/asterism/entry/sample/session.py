"""An evening at a table, written for this package: a master, three players, a bell under a lake.

Something is tried in nearly every line, two want the same thing more than once, the pizza is out of the story, and who
tied up the ferryman is left hanging.
"""

from __future__ import annotations

from importlib import resources

from asterism.core.dialogue.lines import Actor, Mask
from asterism.transcripts import Transcript, transcript_of

SESSION = "The bell of Low Water"
STARTED_AT_MS = 1_790_964_000_000  # 2026-10-02 18:00 UTC
RESPONDERS = ("Mara",)
ACTORS = (
    Actor("brindle", "Tom", ("Brindle",)),
    Actor("oda", "Ines", ("Oda", "Sister Oda")),
    Actor("kestrel", "Jun", ("Kestrel",)),
)
MASKS = (Mask(40, 44, "ooc_hard"),)
THINGS = ("Lantern", "Bell", "Ferryman", "Chapel", "Weed", "Boat", "Lock")  # names to know before it is read


def transcript() -> Transcript:
    """Read the session that comes with the package."""
    text = resources.files("asterism.entry.sample").joinpath("session.txt").read_text(encoding="utf-8")
    found = transcript_of(text, name="session.txt")
    return Transcript(found.lines, found.format, SESSION, RESPONDERS, ACTORS, MASKS)
