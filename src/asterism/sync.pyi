# Made from asterism/engine/memory.py by `python -m asterism.entry.docs`: do not edit.
# ruff: noqa: E501, I001  # one line for each signature and import
# fmt: off

from collections.abc import Coroutine, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from asterism.core.calendar import Moment
from asterism.core.connections.model import Changes, Link, Merged, Outlook, Predictions, Receipt, Settings, Star, Stats, Verify, Why
from asterism.core.parameters import Preset, Setting
from asterism.engine.memory import Memory as AsyncMemory
from asterism.engine.memory import Snapshot as AsyncSnapshot
from asterism.engine.telling import Evidence

EvidenceRow = Evidence | Mapping[str, str] | tuple[str, str, str]

Result = TypeVar("Result")

def drive(coroutine: Coroutine[object, object, Result]) -> Result: ...
def derive(face: type, source: type) -> None: ...

class _Reads:
    """What can be asked of a memory, now or as it was."""

    def link(self, a: str, b: str, *, at: Moment | None=None) -> Link | None:
        """Give the connection between two nodes as seen from `a`, or None."""
    def links(self, a: str | None=None, b: str | None=None, *, at: Moment | None=None) -> list[Link]:
        """Give connections, strongest first: all of them, one node's, or the one of a pair."""
    def star(self, star: str, *, at: Moment | None=None) -> Star | None:
        """Give one star, or None."""
    def nodes(self, *, at: Moment | None=None) -> list[Star]:
        """Give every node (so far: stars), by id."""
    def predictions(self, *, at: Moment | None=None) -> Predictions:
        """Give what causal links expect or expected, with hit rate and calibration."""
    def why(self, *ids: str) -> Why:
        """Explain a number: two ends for a link's strength, one star for its brightness, one item for its gain."""
    def curves(self, *, points: int=30) -> dict[str, tuple[float, ...]]:
        """Give every link's strength through time, as so many points."""

class Memory(_Reads):
    """The synchronous face of a memory; opened by `Memory.open_sync`."""

    def __init__(self, memory: AsyncMemory) -> None: ...
    def __enter__(self) -> Memory: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def close(self) -> None:
        """Let go of the file; what was acknowledged is there."""
    def add_star(self, name: str, *, domain: str, at: Moment | None=None, source: str | None=None) -> Star:
        """Add a star; its id is its name in small letters. Adding it again changes nothing."""
    def acknowledge(self, star: str, *, at: Moment | None=None, source: str | None=None) -> Star:
        """Say that a star is real: NASCENT becomes FLICKERING at .3."""
    def engage(self, star: str, *, impact: float | None=None, at: Moment | None=None, source: str | None=None) -> Star:
        """Engage with a star: it brightens by `impact` (.03), more with a bright enabler, at most .06 a day."""
    def set_brightness(self, star: str, value: float, *, at: Moment | None=None, source: str | None=None) -> Star:
        """Observe how bright a star is: sets the day's value."""
    def contradict(self, star: str, *, at: Moment | None=None, source: str | None=None) -> Star:
        """Note that what was done contradicts what was said; three make a star DARK."""
    def mark_dark(self, star: str, *, at: Moment | None=None, source: str | None=None) -> Star:
        """Mark a star as DARK."""
    def dispute_dark(self, star: str, *, at: Moment | None=None, source: str | None=None) -> Star:
        """Dispute that a star is DARK: it is DIM, and contradictions are forgotten."""
    def observe(self, a: str, b: str, kind: str, *, at: Moment | None=None, source: str | None=None, note: str | None=None) -> Receipt:
        """Add evidence for a link; the receipt says what it really added, and what capped it."""
    def observe_many(self, rows: Iterable[EvidenceRow]) -> list[Receipt]:
        """Add much evidence at once: one transaction, all of it or none, in any order of time."""
    def deny(self, a: str, b: str, *, at: Moment | None=None, source: str | None=None) -> Link | None:
        """Deny a link: .15 from WEAK and above, dissolution below."""
    def assign_type(self, a: str, b: str, kind: str, *, direction: str | None=None, at: Moment | None=None, source: str | None=None) -> Link | None:
        """Say what kind a link is; detection leaves it alone from then on."""
    def advance(self, *, days: float | None=None, hours: float | None=None, to: Moment | None=None, discover: bool=False) -> Changes:
        """Let time pass: decay, states, types, influence; `discover` also looks for links nobody named."""
    def as_of(self, at: Moment, *, known_at: Moment | None=None) -> Snapshot:
        """Show the memory as it was at a time; with `known_at`, by what was known then."""
    def project(self, to: Moment | None=None, *, days: float | None=None, limit: int=100) -> Outlook:
        """Say what will fade, and when, if nothing happens; the strongest links first, `limit` at most."""
    def merge(self, other: str | Path | Memory) -> Merged:
        """Take in another copy's ledger for this space: the set union of both, erasures honoured."""
    def verify(self) -> Verify:
        """Replay the ledger and compare with what is stored, bit for bit."""
    def stats(self) -> Stats:
        """Count what there is, and what was dropped."""
    def parameters(self) -> Settings:
        """Give the parameters this space is folded with, and which presets and values made them."""
    def configure(self, *, preset: Preset='seed', parameters: Mapping[str, Setting] | None=None) -> Stats:
        """Change the parameters of this space for good: the ledger stays, its projection is folded anew."""

class Snapshot(_Reads):
    """The synchronous face of a memory as it was."""

    at: datetime
    def __init__(self, snapshot: AsyncSnapshot) -> None: ...
