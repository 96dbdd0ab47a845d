"""Transcripts from files and back: JSON, JSON Lines, CSV, plain text, captions, WhatsApp, Discord and CRD3.

`read_transcript` tells the format by the whole of a file, and by its name; what is wrong with a file is said with its
line and column and with what was expected there. `write_transcript` gives the text of a file.
"""

from __future__ import annotations

from asterism.transcripts.model import Transcript, mask_of
from asterism.transcripts.reading import FORMATS, read_transcript, transcript_of
from asterism.transcripts.writing import write_transcript

__all__ = ["FORMATS", "Transcript", "mask_of", "read_transcript", "transcript_of", "write_transcript"]
