# Made from the calls of asterism/engine by `python -m asterism.entry.docs`: do not edit.
# ruff: noqa: A002, E501, I001  # one line for each signature and import, and the names of memory.py
# fmt: off

from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from asterism.core.blocks.model import BlockView, ConflictView, DreamResult, LearnReceipt, SlotValue
from asterism.core.blocks.words import CATEGORY, THERE
from asterism.core.connections.model import Changes, Merged, Outlook, Predictions, Receipt, Settings, Star, Stats, Verify
from asterism.core.dialogue.answering import Reply
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.rows import ActorRow, ChunkRow, MaskRow
from asterism.core.dialogue.scoring import Scorer
from asterism.core.ledger.calendar import When
from asterism.core.ledger.graph import Entry
from asterism.core.ledger.model import Link, Node, Why, WhyNotAnswer
from asterism.core.ledger.parameters import Preset, Setting
from asterism.core.levels.events import Batch, Events
from asterism.core.levels.history import Replay
from asterism.core.levels.model import Cluster, Density, FeedReport, Gap, Level, Nearest, SymbolInfo
from asterism.core.recall.model import Answer
from asterism.core.space.discovered import Discovered
from asterism.core.space.erasure import Manifest, WhatIf
from asterism.core.space.view import GraphView
from asterism.core.walkers.result import Exploration
from asterism.engine.blocks.acts import Ids
from asterism.engine.blocks.learn import FactRow
from asterism.engine.care.checkup import Checkup
from asterism.engine.care.rename import Renamed
from asterism.engine.connections.observe import EvidenceRow
from asterism.engine.diary.missing import Missing
from asterism.engine.diary.tell import DiaryTold
from asterism.engine.diary.values import Series
from asterism.engine.diary.week import Week
from asterism.engine.exchange.backup import Backup
from asterism.engine.exchange.export import Exported, Progress, Target
from asterism.engine.exchange.increments import Increments
from asterism.engine.exchange.take_in import Imported, Source
from asterism.engine.explain.why import Subject
from asterism.engine.graph.nodes import AnyNode
from asterism.engine.memory import Memory as AsyncMemory
from asterism.engine.memory import Snapshot as AsyncSnapshot
from asterism.engine.recall.unanswered import OpenQuestion
from asterism.engine.space.beside import SpaceView
from asterism.engine.transcripts.link_files import LinkFiles
from asterism.engine.transcripts.read import TranscriptReport
from asterism.engine.transcripts.scene import Lines
from asterism.formats.as_networkx import NetworkxGraph

Result = TypeVar("Result")

def drive(coroutine: Coroutine[object, object, Result]) -> Result: ...
def derive(face: type, source: type) -> None: ...

class _Reads:
    """What can be asked of a memory, now or as it was."""

    def diary(self, star: str | None=None, *, at: When | None=None) -> list[Series]:
        """Give the values that were told, day by day, in the units they were told in: of all stars, or of one."""
    def missing(self, *, days: int=14, at: When | None=None) -> Missing:
        """Say which stars that are told day by day lack a value, on which of the last days, and for how long."""
    def week(self, *, at: When | None=None) -> Week:
        """Look back on seven days: what changed, what goes with what, what is new or fades, what is missing."""
    def link(self, a: str, b: str, *, at: When | None=None) -> Link | None:
        """Give the connection between two nodes as seen from `a`, or None."""
    def links(self, a: str | None=None, b: str | None=None, *, at: When | None=None) -> list[Link]:
        """Give links of both families, strongest first: all of them, one node's, or those of a pair."""
    def star(self, id: str, *, at: When | None=None) -> Star | None:
        """Give one star, or None."""
    def stars(self, *, at: When | None=None) -> list[Star]:
        """Give every star, by id."""
    def nodes(self, *, kinds: Collection[str]=(), at: When | None=None) -> list[AnyNode]:
        """Give every node, or those of some kinds (star, block, level, actor, moment ...), by kind and id.

        A star is a Star, a block a BlockView, a level a Level; `node()` of each gives what all kinds share."""
    def predictions(self, *, at: When | None=None) -> Predictions:
        """Give what causal links expect or expected, with hit rate and calibration."""
    def curves(self, *, points: int=30) -> dict[str, tuple[float, ...]]:
        """Give every link's strength through time, as so many points."""
    def recall(self, query: str, *, k: int=10, intention: str | None=None, walk: bool=False, hops: int=1, budget_tokens: int | None=None, tags: Iterable[str]=(), category: str | None=None, source: str | None=None, since: When | None=None, until: When | None=None, kinds: Iterable[str]=(), floor: float | None=None, spaces: Iterable[str] | None=None, at: When | None=None) -> Answer:
        """Recall what answers a question, best first, each hit with its reason; it writes nothing.

        `intention` says what the answer is for; `hops` how often links are followed. With `walk`, walkers go out from
        the best hit, and up to k more hits that they found come behind the others, each with the path in its `via`.
        The others narrow it: a budget of tokens, all of some tags, a category, a source, a stretch of time (dates
        count whole), kinds of nodes.
        Hits that are far from probable are left out, and the answer is `unsure` where none is probable enough; with
        `floor`, every hit less probable than that is left out.
        With `spaces`, these spaces of the file are asked, each ranked by itself; their hits are joined by probability,
        each with its `space`.
        With `at`, it is asked at that time, as `as_of(at)` would answer; a date means the end of it."""
    def open_questions(self) -> list[OpenQuestion]:
        """List the questions that were left `unanswered` and still have no sure answer, the latest first.

        Each with what comes nearest, and the words of it that nothing here holds: what would have to be told."""
    def why(self, *ids: Subject) -> Why:
        """Explain a number as lines that add up to it.

        A link's strength by its two ends or its id, a star, a block, a level, a narrative, a moment, an actor, a hit
        of an answer, a prediction, a causal link (or "SESSION:LINE", or a trace of it), what an item added."""
    def why_not(self, id: str, query: str, *, k: int=10, intention: str | None=None, hops: int=1, budget_tokens: int | None=None, tags: Iterable[str]=(), category: str | None=None, source: str | None=None, since: When | None=None, until: When | None=None, kinds: Iterable[str]=(), floor: float | None=None) -> WhyNotAnswer:
        """Say which gate keeps something out of an answer, and the smallest change that would let it in.

        With the id of another block as `query`: why a dream has not linked the two. With the id of a link ("a~b")
        and a state or a kind as `query`: what keeps the connection from it."""
    def symbols(self) -> list[SymbolInfo]:
        """Give the symbols that were fed, with how much of each."""
    def levels(self, symbol: str, *, near: float | None=None, within_bps: float | None=None, min_strength: float=0.0, side: str | None=None, archived: bool=False, at: When | None=None) -> list[Level]:
        """Give the prices a market remembers, strongest first; without a time, as of the symbol's latest event."""
    def nearest(self, symbol: str, price: float, n: int=3, *, at: When | None=None) -> Nearest:
        """Give the n levels next below and the n next above a price."""
    def clusters(self, symbol: str, *, gap_bps: float | None=None, at: When | None=None) -> list[Cluster]:
        """Join levels whose neighbours are near, lowest first."""
    def gaps(self, symbol: str, *, gap_bps: float | None=None, at: When | None=None) -> list[Gap]:
        """Give the stretches between clusters that nothing remembers, lowest first."""
    def density(self, symbol: str, *, bins: int=20, at: When | None=None) -> list[Density]:
        """Count levels and add up their strength in equal steps of price."""
    def replay(self, symbol: str, *, start: When | None=None, end: When | None=None, steps: int=200, most: int=200) -> Replay:
        """Give the strength of a symbol's levels through time, in equal steps, with the path of its price."""
    def block(self, id: str, *, at: When | None=None) -> BlockView | None:
        """Give one block, whatever became of it, or None."""
    def blocks(self, *, statuses: Iterable[str]=THERE, at: When | None=None) -> list[BlockView]:
        """Give the blocks that are there (or of other statuses), in the order they were learned."""
    def conflicts(self, *, at: When | None=None) -> list[ConflictView]:
        """Give the pairs that probably cannot both hold, the surest first; a dream finds them, and settles none.

        One ends when either side is replaced (`learn(..., replaces=ID)`), edited, forgotten, or runs out."""
    def history(self, slot: str | None=None, *, at: When | None=None) -> list[SlotValue]:
        """Give what a slot held and from when to when, in the order of time; without a slot, of every slot."""
    def slots(self, *, at: When | None=None) -> list[SlotValue]:
        """Give what each slot holds, or what it held last, in the order of their names."""
    def sessions(self, *, at: When | None=None) -> list[str]:
        """Name the sessions whose transcripts were read."""
    def causal_links(self, session: str | None=None, *, actor: str | None=None, types: Iterable[str] | str=(), event: str | ChunkRow | None=None, after: str | None=None, limit: int | None=None, at: When | None=None) -> list[CausalLink]:
        """Give what was intended and what came of it: in a session, by an actor, of some types, in an event.

        An event is a chunk that was given when the session was read, by its id, or a stretch of lines (id, start, end).
        `limit` gives a page, `after` the one behind the link of that id."""
    def recall_story(self, parts: Iterable[str], *, session: str, k: int=10, at: When | None=None) -> list[Answer]:
        """Find the lines of a session that each part of its summary tells of, best first: an answer for each part.

        A summary is told in the order of what happened, so its parts help to place each other; `recall` asks for one
        thing by itself."""
    def replies(self, session: str, *, at: When | None=None) -> list[Reply]:
        """Give what each line of a session answers, where a reply model read it; none where responders were named."""
    def write_causal_links(self, target: str | Path, session: str | None=None, *, actor: str | None=None, types: Iterable[str] | str=(), event: str | ChunkRow | None=None, file_format: str | None=None, per_file: int | None=None, force: bool=False, at: When | None=None) -> LinkFiles:
        """Write causal links to a file of JSON Lines or CSV, each with the event it belongs to.

        `per_file` makes several of so many links: links-0001.jsonl, links-0002.jsonl, ..; all appear, or none."""
    def entries(self, *ids: str, at: When | None=None) -> dict[str, Entry]:
        """Say what some ids or names stand for: blocks, stars, actors, moments, narratives; what is none is left out.

        A block that is not there any more is given too; a name of several nodes is an error that says which."""
    def graph(self, *, kinds: Collection[str]=(), min_strength: float=0.0, limit: int | None=None, at: When | None=None) -> GraphView:
        """Give nodes and links as one graph: of some kinds, with links so strong, so many nodes (most linked first)."""
    def to_networkx(self, *, directed: bool=False, kinds: Collection[str]=(), min_strength: float=0.0, limit: int | None=None, at: When | None=None) -> NetworkxGraph:
        """Give the graph to networkx: a MultiGraph, or a MultiDiGraph in which links without a direction go both ways.

        Edges are keyed by their links' ids."""
    def export(self, path: Target=None, *, format: str | None=None, vectors: bool=False, kinds: Collection[str]=(), min_strength: float=0.0, limit: int | None=None, at: When | None=None, force: bool=False, progress: Progress | None=None) -> Exported:
        """Write the memory to a file: the ledger (jsonl), or the graph (graphml, dot, mermaid, csv, parquet, html).

        The ending of the name says which (.gz behind it: compressed); csv and parquet are two files in a folder. A
        file that is there is only replaced by `force`. Without a path, the text is in the answer. `vectors` puts the
        blocks' vectors into a ledger; kinds, min_strength and limit thin out a graph, as in `graph`."""

class Memory(_Reads):
    """The synchronous face of a memory; opened by `Memory.open_sync`."""

    def __init__(self, memory: AsyncMemory) -> None: ...
    def __enter__(self) -> Memory: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def session(self, name: str) -> AbstractContextManager[None]:
        """Count the time inside as active hours: blocks age in them alone."""
    def add_star(self, name: str, *, domain: str | None=None, at: When | None=None, source: str | None=None) -> Star:
        """Add a star; its id is its name in small letters. Adding it again changes nothing; its domain stays.

        A domain decides how fast it fades; without one it has a half-life of 21 days."""
    def acknowledge(self, id: str, *, at: When | None=None, source: str | None=None) -> Star:
        """Say that a star is real: NASCENT becomes FLICKERING at .3."""
    def engage(self, id: str, *, impact: float | None=None, at: When | None=None, source: str | None=None) -> Star:
        """Engage with a star: it brightens by `impact` (.03), more with a bright enabler, at most .06 a day."""
    def set_brightness(self, id: str, value: float, *, at: When | None=None, source: str | None=None) -> Star:
        """Observe how bright a star is: sets the day's value."""
    def contradict(self, id: str, *, at: When | None=None, source: str | None=None) -> Star:
        """Note that what was done contradicts what was said; three make a star DARK."""
    def mark_dark(self, id: str, *, at: When | None=None, source: str | None=None) -> Star:
        """Mark a star as DARK."""
    def dispute_dark(self, id: str, *, at: When | None=None, source: str | None=None) -> Star:
        """Dispute that a star is DARK: it is DIM, and contradictions are forgotten."""
    def observe(self, a: str, b: str, kind: str, *, at: When | None=None, source: str | None=None, note: str | None=None) -> Receipt:
        """Add evidence for a link; the receipt says what it really added, and what capped it."""
    def observe_many(self, rows: Iterable[EvidenceRow], *, skip_erased: bool=False) -> list[Receipt]:
        """Add much evidence at once: one transaction, all of it or none, in any order of time.

        A row that was erased is an error that names it; with `skip_erased`, its receipt says so, and the others count."""
    def deny(self, a: str, b: str, *, at: When | None=None, source: str | None=None) -> Link | None:
        """Deny a link that is there: .15 from WEAK and above, dissolution below."""
    def assign_type(self, a: str, b: str, kind: str, *, direction: str | None=None, at: When | None=None, source: str | None=None) -> Link | None:
        """Say what kind a link that is there is; detection leaves it alone from then on."""
    def advance(self, *, days: float | None=None, hours: float | None=None, to: When | None=None, discover: bool=False) -> Changes:
        """Let time pass: decay, states, types, influence; `discover` also looks for links nobody named.

        A date as `to` means its noon UTC, as with everything that is told."""
    def discover(self, *, detector: str='best') -> Discovered:
        """Look through all told values for who goes with whom and who drives whom, at once; no clock moves.

        Missing days are missing, weekdays and trend are taken out, and all pairs are paid for. What is found is
        written as evidence with its figures, once a pair in 7 days and after new values of both; the answer says of
        every other pair why nothing came of it. `detector="seed"` lets the seed's own detection look instead."""
    def read_diary(self, diary: str | Path | Iterable[Mapping[str, object]], *, scales: Mapping[str, str] | None=None, layout: str | None=None, date: str | None=None, star: str | None=None, value: str | None=None, columns: Iterable[str]=(), dates: str | None=None, decimal: str | None=None, delimiter: str | None=None, several: str | None=None, source: str | None=None, skip_erased: bool=False, max_bytes: int | None=None) -> DiaryTold:
        """Read values from a CSV file or from rows: wide (a column a star) or long (date, star, value).

        Everything not told is found by looking at the whole file, or asked for: the `layout`, the columns of the
        `date`, `star` and `value`, the order of `dates` (dmy, mdy), the sign before decimals (`decimal`: dot, comma).
        `scales` says for a star from what to what its values run ("1..7"); else it is guessed, and kept.
        `several` makes one of the values of a day: last, mean, sum. Read again, only what is new or changed is told.
        A file may have 128 MiB, or `max_bytes`."""
    def tell_values(self, values: Mapping[str, float], *, at: When | None=None, scales: Mapping[str, str] | None=None, source: str | None=None) -> DiaryTold:
        """Tell today's values, or another day's, on each star's own scale; a star that is not there is made."""
    def unanswered(self, query: str) -> str:
        """Write down that a question has no sure answer, and give the item's id; `open_questions` lists them.

        Recall itself writes nothing. `erase` finds the words of such questions."""
    def explore(self, query: str, *, intention: str | None=None, start: str | None=None, learn: bool=True, deadline: float | None=None, tolerate_failures: bool=False, concurrency: int=64) -> Exploration:
        """Send walkers over the memory with a query and an intention: what they find, how they got there, and why.

        They start at a node, or at what recall finds first. What they learn (colours on useful paths, a narrative
        where there was a gap) is written in one transaction at the end; `learn=False` writes nothing. After
        `deadline` seconds (30; getting ready and writing included) it ends with `ExplorationTimeout`, which holds what
        was found; then nothing is written."""
    def feed(self, symbol: str, events: Batch | Events, *, unit: str='s', source: str | None=None, offset: int | None=None, lateness: float | None=None, strict: bool=False) -> FeedReport:
        """Take in market events of a symbol: dicts, or columns by name; one transaction, all of them or none.

        Numbers in `at` are in `unit`. `source` names where they come from and `offset` how many came from there
        before: what was recorded already is not taken twice (None: they go on where the record ends). `lateness`
        is how many seconds events wait for those before them; 0 takes them in as they come."""
    def feed_file(self, symbol: str, *paths: str | Path, mapping: str | Mapping[str, str] | None=None, unit: str | None=None, sort: bool | None=None, strict: bool=False, only: str | None=None, max_bytes: int | None=None, progress: Callable[[float, int], None] | None=None) -> FeedReport:
        """Take in files of market events: CSV (.gz, .zip), Parquet, recordings; several are merged by time.

        `mapping` is a ready layout's name or columns by field, None if the columns alone tell; `unit` that of the
        times; `sort` puts a file in order of time, or (False) takes it as it is; `only` takes the rows of one symbol
        from a file of several. A file is known by its first event: a copy is not taken twice, and one that was
        interrupted, or grew, goes on where the record ends. `progress` is told the share read and the events so far.
        A file may have 16 GiB, packed no more than 100 times its size, or `max_bytes`."""
    def fed(self, symbol: str, source: str) -> int:
        """Say how many events of a source have been recorded: where a feed goes on."""
    def learn(self, content: str, *, tags: Iterable[str]=(), category: str=CATEGORY, name: str | None=None, source: str | None=None, at: When | None=None, conversation: str | None=None, speaker: str | None=None, slot: str | None=None, replaces: str | None=None, valid_from: When | None=None, valid_until: When | None=None, expires: When | None=None) -> LearnReceipt:
        """Learn a text at once; `recall` sees it from now on, and `dream` links it.

        A `name` makes it known by name in other texts. Texts of one `conversation` are neighbours in the order of
        time, and `speaker` said it. The same text of another time is another occurrence of it (`again`).

        It holds from `valid_from`, or when it was told, until `valid_until`, until a text that `replaces` it begins,
        or until other words become the value of its `slot` ("user/home"). From `expires` on it is not recalled."""
    def learn_many(self, facts: Iterable[FactRow], *, conversation: str | None=None, skip_erased: bool=False, imported: bool=False) -> list[LearnReceipt]:
        """Learn many texts: one transaction, all of them or none.

        In a `conversation` texts "Name: text" are what that name said, and a chat's role is who speaks.
        A text that was erased is an error that names its row; with `skip_erased`, its receipt says so, and the others
        are learned. A row without a time that is `imported` gets the time of its first import: the same rows imported
        again change nothing."""
    def dream(self, *, steps: int | None=None, progress: Callable[[float, int], None] | None=None) -> DreamResult:
        """Consolidate the inbox: near-duplicates, superseded blocks, links nobody named.

        Shared tags connect blocks at lower similarity: tag what belongs together. Each step is one transaction; a
        dream that was ended goes on where it stopped. `progress` is told the share done and the blocks so far."""
    def reembed(self, *, progress: Callable[[float, int], None] | None=None) -> int:
        """Make every vector anew with the embedder this memory was opened with; give how many blocks."""
    def edit(self, id: str, content: str, *, at: When | None=None, source: str | None=None) -> BlockView:
        """Correct a block; its links go to the new one, and only a later telling brings the old wording back."""
    def forget(self, id: str, *, at: When | None=None, source: str | None=None) -> BlockView | Node:
        """Put a block or a narrative away; `restore` brings it back, and so does telling it again later."""
    def restore(self, id: str, *, at: When | None=None, source: str | None=None) -> BlockView | Node:
        """Undo `forget`: the block is in the inbox again, the narrative has its links again."""
    def pin(self, id: str, *, on: bool=True, at: When | None=None, source: str | None=None) -> BlockView:
        """Keep a block from fading, and its links from being displaced; `on=False` undoes it."""
    def used(self, answer: Ids, *, session: str, at: When | None=None, source: str | None=None) -> list[str]:
        """Say what was used together: an answer, a hit, or ids. The third session of two blocks links them.

        It helps to find them together again; it makes nothing truer."""
    def outcome(self, ids: Ids, signal: float, *, at: When | None=None, source: str | None=None) -> list[BlockView]:
        """Say how it went with some blocks, from 0 (badly) to 1 (well)."""
    def begin_session(self, name: str, *, at: When | None=None) -> float:
        """Open a session: active hours pass from now on; gives those so far."""
    def end_session(self, name: str, *, at: When | None=None) -> float:
        """Close a session; gives the active hours so far."""
    def read_transcript(self, lines_or_path: Lines | str | Path, *, session: str | None=None, responders: Iterable[str] | str | None=None, actors: Iterable[ActorRow] | None=None, masks: Iterable[MaskRow]=(), chunks: Iterable[ChunkRow] | None=None, started_at: When | None=None, preset: Preset | None=None, scorer: Scorer | str | None=None, traces: bool=False, file_format: str | None=None, encoding: str | None=None, renumber: bool=False, answering: str | None=None, max_bytes: int | None=None) -> TranscriptReport:
        """Read a transcript: who intended what, what came of it, and what that says of what the memory knows.

        Every line can be recalled. Lines are a file, texts "Name: text", chats' role and content, or rows.
        `responders` answer or decide (else whoever has dm or gm in the name), the others intend. Without any, a reply
        model says who answers whom: `answering` is channel, instruction, reply or responders (None: what fits the
        lines). `started_at` is needed unless the lines bear times. A file names its own session; read twice, nothing
        changes. `preset` is seed, tuned or tabletop (else the memory's own parameters), `scorer` seed, dialogue or one
        of your own. A file may have 128 MiB unpacked, or `max_bytes`."""
    def backup(self, path: str | Path, *, force: bool=False, progress: Progress | None=None) -> Backup:
        """Write all spaces to a file, as they are at one moment, and read it back; whoever writes meanwhile goes on.

        The file is a memory, and can be opened as one; `asterism backup --restore` (`restore_backup`) puts it in the
        memory's place. One that is there is only replaced by `force`, and only if it is a memory that nobody has open."""
    def export_increments(self, folder: str | Path, *, remake: bool=False, progress: Progress | None=None) -> Increments:
        """Add a file to a folder, with what came to this space since the last one; none that is there is written again.

        `import_` takes in the whole folder. Files that hold something erased since are named; `remake` writes them
        anew without it, and those of this copy that are damaged."""
    def import_(self, path: Source, *, as_copy: bool=False, max_bytes: int | None=None, progress: Progress | None=None) -> Imported:
        """Take in a ledger that `export` wrote: the set union of both, each item checked, all of it or nothing.

        A folder is one of increments (`export_increments`). What was erased here stays erased. A new space takes over
        the ledger's parameters and embedder. The items of another space get in with `as_copy`, under new ids. The JSON
        lines of the reference memory server are recognised too: entities, observations and relations become blocks. A
        file may have 16 GiB, packed no more than 100 times its size, or `max_bytes`."""
    def doctor(self, *, replay: bool=True) -> Checkup:
        """Say what is wrong with the memory, each finding with the command that repairs it; it changes nothing.

        `replay=False` leaves out the slow part, which folds the ledger anew and compares. A file that cannot be
        opened is examined by `asterism doctor`."""
    def project(self, to: When | None=None, *, days: float | None=None, limit: int=100) -> Outlook:
        """Say what will fade, and when, if nothing happens; the strongest links first, `limit` at most.

        A date as `to` means the end of that day; without it, 30 days from now."""
    def verify(self) -> Verify:
        """Replay the ledger and compare with what is stored, bit for bit."""
    def stats(self) -> Stats:
        """Count what there is, what was dropped, and the calls of this memory that were cancelled."""
    def erase(self, subject: str, *, dry_run: bool=False) -> Manifest:
        """Erase a node, a session or a source for good: items, what was derived from them, and every byte.

        `subject` is an id or a name; where a name is that of several, say which: `node:NAME`, `session:NAME`,
        `source:NAME`, or `item:ID`. `name:WORDS` is all that is called so, with every learned text that names it.
        Hashes stay behind, so that no merge or import brings it back. `dry_run` gives the manifest and writes nothing."""
    def rename_star(self, star: str, name: str) -> Renamed:
        """Call a star otherwise: what was told of it is told again under the new name, and the old one is erased.

        What was found in its values is found again by the next look."""
    def what_if(self, *, without: str, limit: int=100) -> WhatIf:
        """Show what would be otherwise if a node, a session, a source or an item had never been told.

        It is named as for `erase`. The biggest change comes first, `limit` of them at most; the totals count all. It
        writes nothing."""
    def close(self) -> None:
        """Let go of the file, after the calls that are under way; what was acknowledged is there."""
    def as_of(self, at: When, *, known_at: When | None=None) -> Snapshot:
        """Show the memory as it was at a time; with `known_at`, by what was known then. A date means the end of it."""
    def merge(self, other: str | Path | Memory) -> Merged:
        """Take in another copy's ledger for this space: the set union of both, erasures honoured."""
    def spaces(self) -> list[SpaceView]:
        """List the spaces of the file that can be read from here: how much each holds, and when it was last told."""
    def parameters(self) -> Settings:
        """Give the parameters this space is folded with, and which presets and values made them."""
    def configure(self, *, preset: Preset='seed', parameters: Mapping[str, Setting] | None=None) -> Stats:
        """Change the parameters of this space for good: the ledger stays, its projection is folded anew."""

class Snapshot(_Reads):
    """The synchronous face of a memory as it was."""

    at: datetime
    def __init__(self, snapshot: AsyncSnapshot) -> None: ...
