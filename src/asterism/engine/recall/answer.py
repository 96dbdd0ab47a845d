"""Recall: questions answered with reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from asterism.core.blocks.validity import expired, stays
from asterism.core.ledger.arguments import check_kinds, lines, number, whole
from asterism.core.ledger.calendar import DAY_END, When, to_micros
from asterism.core.ledger.columns import Bools
from asterism.core.ledger.items import check_text
from asterism.core.ledger.model import NODE_KINDS, link_ids
from asterism.core.recall.chance import faint, is_unsure, worth_telling
from asterism.core.recall.cues import is_passage, question_of
from asterism.core.recall.links import Origin, Reached
from asterism.core.recall.model import Answer, AnswerHit, HitVia, Often
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Hit, Via
from asterism.core.recall.scored import WALK
from asterism.core.recall.signals import Query
from asterism.core.recall.tally import happened, tally
from asterism.core.recall.time_spans import Span
from asterism.core.space.projection import Projection
from asterism.core.text.words import INDEXED_WITHIN
from asterism.core.walkers.result import Exploration
from asterism.embed import has_word_vectors
from asterism.engine.recall.filters import Filter
from asterism.engine.recall.recaller import Recaller, recaller_of, recaller_then
from asterism.engine.recall.spoken_times import speaking_of
from asterism.engine.recall.told import with_context
from asterism.engine.space.live import Live
from asterism.errors import InputError
from asterism.hints import Hint, mention

MOST = 1_000  # hits
LONGEST_QUESTION = 12  # words that are no stop words: of a longer text, or one that tells, nothing is left out
Sized = TypeVar("Sized", Hit, AnswerHit)
Walk = Callable[[str], Exploration]  # sends walkers out from a node


@dataclass(frozen=True)
class Question:
    """What is asked, and what an answer may hold."""

    query: str
    k: int
    intention: str | None
    hops: int
    budget_tokens: int | None
    only: Filter
    floor: float | None = None  # the least probability of a hit; None: those far below the default are left out


def question(
    query: str,
    *,
    k: int,
    intention: str | None = None,
    hops: int = 1,
    budget_tokens: int | None = None,
    tags: Iterable[str] = (),
    category: str | None = None,
    source: str | None = None,
    since: When | None = None,
    until: When | None = None,
    kinds: Iterable[str] = (),
    floor: float | None = None,
    node_kinds: Sequence[str] = NODE_KINDS,
) -> Question:
    """Read a question, with the kinds of nodes that there are; what cannot be asked is named."""
    query = check_text(lines(query), field="query", many_lines=True)
    if intention is not None:
        intention = check_text(lines(intention), field="intention", many_lines=True)
    if whole(k, name="k", least=1) > MOST:
        raise InputError(f"k {k} is above {MOST}", code="bad_k", item=str(k), hint=f"ask for {MOST} at most")
    if whole(hops, name="hops", least=0) > 2:
        raise InputError(f"hops {hops} is above 2", code="bad_hops", item=str(hops), hint="links are followed twice")
    if budget_tokens is not None:
        whole(budget_tokens, name="budget_tokens", least=1)
    only = Filter(
        tags=_names(tags, "tags"),
        category=_perhaps(category, "category"),
        source=_perhaps(source, "source"),
        since=None if since is None else to_micros(since, of_date=0),
        until=None if until is None else to_micros(until, of_date=DAY_END),
        kinds=check_kinds(kinds, node_kinds),
    )
    if floor is not None:
        floor = number(floor, name="floor", low=0.0, high=1.0)
    elif len(question_of(query).terms) > LONGEST_QUESTION or is_passage(query):
        floor = 0.0
    return Question(query, k, intention, hops, budget_tokens, only, floor)


def _names(told: Iterable[str], field: str) -> tuple[str, ...]:
    if isinstance(told, str) or not isinstance(told, Iterable):
        raise InputError(f"the {field} are not a list", code="bad_text", item=field, hint=f'give a list: {field}=["a"]')
    return tuple(check_text(each, field=field).strip() for each in told)


def _perhaps(told: str | None, field: str) -> str | None:
    """Let nothing through, an empty text, or a text."""
    return told if told is None or told == "" else check_text(told, field=field)


@dataclass(frozen=True)
class Sight:
    """A projection to be asked, with the read model that follows it."""

    folded: Projection
    recaller: Recaller
    waiting: int  # entries without a vector
    asked_at: int  # the time at which it is asked: now, or that of a look back

    def query(self, text: str, intention: str | None) -> Query:
        """Make a query of a text: what an embedder makes of it, and what it says of time."""
        moment = self.recaller.holding(self.folded.blocks).moment(text, self.asked_at)
        if moment.asked.spans:
            index, entries = self.recaller.index, self.recaller.entries
            named, named_else = speaking_of(index, entries, moment.asked.spans, self.asked_at)
            moment = replace(moment, named=named, named_else=named_else)
        return replace(self.recaller.query(text, intention), moment=moment)

    def ended_by(self, name: str) -> set[str]:
        """Give what took the place of a block: the next value of its slot, or what replaces it."""
        blocks = self.folded.blocks
        known = name in self.recaller.holding(blocks).names
        return {stay.ended_by for stay in stays(blocks, name)} - {""} if known else set()

    def expired(self, name: str) -> int | None:
        """Say since when a block is out of recall; None if it is not."""
        blocks = self.folded.blocks
        if name not in self.recaller.holding(blocks).names or not expired(blocks, name, self.asked_at):
            return None
        told = [each.expires for each in blocks.occurrences(name) if each.at <= self.asked_at]
        return told[-1]


def sight(live: Live, *, at: int | None = None, known_at: int | None = None) -> Sight:
    """Look at the memory as it is, or as it was."""
    if at is None and known_at is None:
        recaller = recaller_of(live)
        folded = live.view()
        waiting = recaller.embed()
        recaller.linked(folded)
        return Sight(folded, recaller, waiting, live.now())
    folded = live.view(at, known_at=known_at)
    recaller = recaller_then(live, folded)
    waiting = recaller.embed()
    recaller.linked(folded)
    return Sight(folded, recaller, waiting, live.moment(at))


def recall(seen: Sight, asked: Question, walk: Walk | None = None) -> Answer:
    """Answer a question; with a walk, send walkers out from the best hit, and add what they find.

    How long it took is said by whoever was asked.
    """
    recaller, blocks = seen.recaller, seen.folded.blocks
    query = seen.query(asked.query, asked.intention)
    allowed = recaller.allowed(asked.only, blocks, query)
    best = [] if walk is None else recaller.recall.ask(query, k=1, allowed=allowed, hops=asked.hops)
    walked = None if walk is None or not best else walk(best[0].id)
    hits = recaller.recall.ask(
        query,
        k=asked.k,
        allowed=allowed,
        hops=asked.hops,
        walked=None if walked is None else _reached(recaller, best[0].id, walked),
    )
    hits, unsure = told_of(hits, recaller.parameters, asked.floor, seen.ended_by)
    hits = hits if asked.budget_tokens is None else list(within(hits, asked.budget_tokens))
    paths = {} if walked is None else {each.id: each.path for each in walked.found}
    spans = () if query.moment is None else query.moment.asked.spans
    shown = tuple(_shown(hit, seen, paths.get(hit.id, ()), spans) for hit in hits)
    embedder = recaller.texts.embedder.identity
    notes = list(notes_on(seen.waiting, embedder, word_vectors=has_word_vectors()))
    if recaller.meaning.many:
        notes.append(f"of {len(recaller.index)} entries those near by a rough look were looked at exactly")
    if recaller.index.cut:
        long = f"{recaller.index.cut} very long texts" if recaller.index.cut > 1 else "a very long text"
        notes.append(f"of {long} the first {INDEXED_WITHIN:,} characters were searched")
    either = () if query.moment is None else query.moment.asked.either
    notes += [f"{date} may be two days, by which figure is the month: both were asked about" for date in either]
    if walked is not None and walked.stop == "deadline":
        notes.append("the walkers ran out of time: what they had found by then was added")
    moment = query.moment
    searched = len(recaller.index) - (0 if moment is None else len(moment.gone))
    return Answer(
        asked.query,
        shown,
        took_ms=0.0,
        searched=searched,
        notes=tuple(notes),
        unsure=unsure,
        faint=faint(recaller.parameters, asked.floor),
        often=None if unsure else _often(recaller, query, allowed),
    )


def _often(recaller: Recaller, query: Query, allowed: Bools | None) -> Often | None:
    """Count how often something was, if that is asked."""
    if query.moment is None or not query.moment.asked.often:
        return None
    told = [recaller.entries[name] for name in recaller.recall.telling(query, allowed=allowed)]
    times = [(each.id, each.times or (each.at,)) for each in told if each.at is not None and happened(each.text)]
    return tally(times, query.moment.asked.spans)


def told_of(
    hits: list[Hit], p: RecallParameters, floor: float | None, ended_by: Callable[[str], set[str]]
) -> tuple[list[Hit], bool]:
    """Leave out the hits that are not worth telling, and say whether the rest is unsure.

    Unless a floor is asked for, what walkers found stays, and so does what a probable answer took the place of.
    """
    chances = [hit.probability for hit in hits]
    worth = worth_telling(p, chances, floor)
    told = {hit.id for hit, is_worth in zip(hits, worth, strict=True) if is_worth}
    if floor is None:
        sure = {hit.id for hit in hits if hit.probability >= p.chance_floor}
        told |= {hit.id for hit in hits if WALK in hit.signals or ended_by(hit.id) & sure}
    left = [hit for hit in hits if hit.id in told]
    return left, is_unsure(p, [hit.probability for hit in left])


def within(hits: Iterable[Sized], budget: int) -> Iterator[Sized]:
    """Give the hits that fit into a budget of tokens, in their order: one that does not leaves room for the next."""
    for hit in hits:
        if hit.tokens <= budget:
            budget -= hit.tokens
            yield hit


def _reached(recaller: Recaller, start: str, walked: Exploration) -> Reached:
    """Give what walkers found as a signal of rows; a narrative that they just made is not in the memory."""
    rows = recaller.index.rows
    found = sorted((rows[each.id], each.alignment) for each in walked.found if each.id in rows and each.id != start)
    return Reached(
        rows=np.array([row for row, _ in found], dtype=np.int64),
        values=np.array([alignment for _, alignment in found]),
        origins=(Origin(WALK, rows[start]),) * len(found),
    )


def notes_on(waiting: int, embedder: str, *, word_vectors: bool) -> Iterator[str]:
    """Say what an answer had to do without.

    >>> list(notes_on(0, "hashed-words-256-1", word_vectors=False))
    ['no word vectors are installed: found by words alone (pip install --no-deps wordllama)']
    """
    if waiting:
        found = f"{waiting} blocks have no vector yet and were found by words alone: "
        yield Hint(found, mention("dream"), " gives them one")
    if embedder.startswith("hashed") and not word_vectors:
        yield "no word vectors are installed: found by words alone (pip install --no-deps wordllama)"


def _shown(hit: Hit, seen: Sight, path: tuple[str, ...], spans: Sequence[Span]) -> AnswerHit:
    entry = seen.recaller.entries[hit.id]
    ids = link_ids([(_kind(each), each.source, hit.id) for each in hit.via])
    told = [  # a walk came by many links
        (each, path if each.kind == WALK else (link,)) for each, link in zip(hit.via, ids, strict=True)
    ]
    via = tuple(HitVia(links[-1], each.kind, each.source, each.name, each.value) for each, links in told)
    shown = AnswerHit(
        id=hit.id,
        kind=hit.kind,
        text=entry.text,
        name=entry.name,
        score=hit.score,
        signals=dict(hit.signals),
        via=tuple(dict.fromkeys(link for _, links in told for link in links)),
        links=via,
        tokens=hit.tokens,
        probability=hit.probability,
    )
    blocks = seen.folded.blocks
    ends = hit.id in seen.recaller.holding(blocks).names
    return with_context(shown, entry, blocks, at=seen.asked_at, ends=ends, spans=spans)


def _kind(via: Via) -> str:
    """Give the kind of the link that a hit came by; that of a connection is none."""
    kind = via.kind.removesuffix("_rest")
    return {"mentioned_by": "mention", "evidence": ""}.get(kind, kind)
