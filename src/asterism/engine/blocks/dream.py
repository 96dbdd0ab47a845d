"""Dreaming: the inbox, consolidated in bounded steps, each one transaction; and making all vectors anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from asterism.core.blocks.conflicting import conflicts_to_mark
from asterism.core.blocks.dreaming import Dreamed, dream_step
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.model import DreamResult
from asterism.core.blocks.payloads import payload_of
from asterism.core.blocks.read import standing
from asterism.core.blocks.records import Block
from asterism.core.blocks.staging import active_of, ids_of, inbox_of
from asterism.core.blocks.state import Inbox, Protected
from asterism.core.blocks.words import ACTIVE, INBOX, THERE
from asterism.core.connections import read
from asterism.core.connections.words import LinkState
from asterism.core.ledger.arguments import whole
from asterism.core.ledger.items import Item
from asterism.core.space.projection import Projection
from asterism.engine.blocks.acts import next_item
from asterism.engine.blocks.naming import tell_later
from asterism.engine.connections.discover import discover
from asterism.engine.recall.keeping import keep_index
from asterism.engine.space.live import Live
from asterism.engine.space.said import Said
from asterism.engine.space.vectors import VectorTable, refuse_another, text_key
from asterism.store.port import Writing

Progress = Callable[[float, int], None]  # the share done, and blocks so far
EMBEDDED_AT_ONCE = 1_000  # texts between two words of progress
LINKS_A_BLOCK = 20  # links that are looked at in the time in which a block is folded
FINDINGS = 10  # that a dream says in sentences; all are counted
TRIES = 3  # steps computed without holding the write lock, while others keep writing
GOES_ON_HOURS = 1.0  # active hours after which an unfinished dream is begun anew


COUNTED = ("promoted", "duplicates", "superseded", "edges_created", "edges_displaced", "conflicts")


class Dream(NamedTuple):
    """A dream that several steps share."""

    name: str
    hours: float


class Seen(NamedTuple):
    """What a step was computed from: blocks that were folded anew since are others."""

    revision: object
    blocks: Mapping[str, Block]


class Overtaken(Exception):  # noqa: N818  # not an error: the step is computed again
    """Someone told something of blocks while a step was computed."""


def dream(live: Live, *, steps: int | None = None, progress: Progress | None = None) -> DreamResult:
    """Consolidate the inbox, one transaction for each step; what a killed dream did stays, and the next goes on."""
    if steps is not None:
        whole(steps, name="steps", least=1)
    blocks = live.refresh().blocks
    texts = live.texts()
    told = _told(progress, len(ids_of(blocks, INBOX)))
    begun, total = texts.embedded, Totals()
    now = _begin(live, blocks)
    if not ids_of(blocks, INBOX) and any(blocks.links.faded(now.hours, blocks.rate, blocks.parameters)):
        total.add(_step(live, texts, now))  # nothing is new, but something has faded
    while (left := len(ids_of(live.refresh().blocks, INBOX))) and (steps is None or total.steps < steps):
        told(left, 0)
        _embed(live, texts, partial(told, left))
        total.add(_step(live, texts, now))
    later = tell_later(live)
    leave_for_the_next(live, total.counts["promoted"])
    told(left, 0)
    done = total.result(left, embedded=texts.embedded - begun, hours=now.hours)
    values = discover(live)
    return replace(
        done,
        mentions=later.mentions,
        mentions_left=later.left,
        names_dropped=later.dropped,
        found=values.written,
        findings=tuple(values.news()[:FINDINGS]),
        nothing=values.nothing(),
    )


def _told(progress: Progress | None, waiting: int) -> Callable[[int, int], None]:
    """Turn blocks left, and blocks embedded since, into progress: to embed is half of the work."""

    def tell(left: int, embedded: int) -> None:
        if progress is not None and waiting:
            done = max(0, waiting - left)
            progress(min(1.0, (done + embedded / 2) / waiting), done)

    return tell


def _embed(live: Live, texts: VectorTable, told: Callable[[int], None]) -> None:
    """Make the vectors of the blocks that the next step takes in; a text that has none is named by its block."""
    blocks = live.held.blocks
    names = _first(inbox_of(blocks), live.parameters.blocks.dream_batch_blocks).ids
    for start in range(0, len(names), EMBEDDED_AT_ONCE):
        batch = names[start : start + EMBEDDED_AT_ONCE]
        texts.of_blocks({name: blocks.blocks[name].text() for name in batch})
        told(start + len(batch))


def _begin(live: Live, blocks: Blocks) -> Dream:
    """Go on with the dream that was left unfinished within the last active hour, at its hour, or begin one."""
    hours = blocks.clock.hours_at(live.now())
    if blocks.unfinished:
        before = float(blocks.dream.partition(" ")[2])
        if hours - before < GOES_ON_HOURS:
            return Dream(blocks.dream, before)
    return Dream(f"{live.now()} {hours!r}", hours)


def _step(live: Live, texts: VectorTable, now: Dream) -> Dreamed:
    """Compute a step beside other writers, and write it if nothing came in between; else hold them and compute."""
    for _ in range(TRIES):
        folded = live.refresh()
        seen = Seen(folded.blocks.revision, folded.blocks.blocks)
        done = _computed(live, folded, texts, now)
        with suppress(Overtaken):
            return _write(live, texts, now, lambda _, done=done: done, seen)  # type: ignore[misc]  # binds the loop's value
    return _write(live, texts, now, lambda folded: _computed(live, folded, texts, now), None)


def _computed(live: Live, folded: Projection, texts: VectorTable, now: Dream) -> Dreamed:
    blocks, rules = folded.blocks, live.parameters.blocks
    whole_inbox = inbox_of(blocks)
    if not whole_inbox.ids:
        return Dreamed(now.hours, (), (), (), (), (), exact=True, recall=1.0, remaining=0)
    inbox = _first(whole_inbox, rules.dream_batch_blocks)
    state = active_of(
        blocks,
        texts.of([blocks.blocks[name].text() for name in ids_of(blocks, ACTIVE)]),
        dream=now.name,
        now_hours=now.hours,
        protected=protected(folded),
    )
    vectors = texts.of([blocks.blocks[name].text() for name in inbox.ids])
    marks = conflicts_to_mark(blocks, inbox.ids, live.now())
    done = dream_step(state, inbox, vectors, now_hours=now.hours, parameters=rules, conflicts=marks)
    return replace(done, remaining=len(whole_inbox.ids) - len(inbox.ids))


def _first(inbox: Inbox, most: int) -> Inbox:
    """Take the first of the inbox in the order (at, id), so that no more is embedded than a step takes in."""
    if len(inbox.ids) <= most:
        return inbox
    order = np.lexsort((np.array(inbox.ids, dtype=str), inbox.at))[:most]
    return Inbox(
        ids=[inbox.ids[row] for row in order.tolist()],
        at=inbox.at[order],
        tags=inbox.tags.take(order),
        category=inbox.category[order],
        facts=inbox.facts[order],
    )


def protected(folded: Projection) -> list[Protected]:
    """Give the connections of two blocks: they fill a block's room before similarity does (with a star: no room)."""
    blocks, table = folded.blocks, folded.connections.graph.links.trim()
    ids = folded.connections.nodes.ids
    found = []
    for row in np.flatnonzero(table.visible() & (table.state != LinkState.DISSOLVED)).tolist():
        a, b = ids[table.a.item(row)], ids[table.b.item(row)]
        if a in blocks.blocks and b in blocks.blocks:
            first, second = sorted((standing(blocks, a), standing(blocks, b)))
            if first != second:
                found.append(Protected(first, second, "connection"))
    return found


def _write(
    live: Live, texts: VectorTable, now: Dream, step: Callable[[Projection], Dreamed], seen: Seen | None
) -> Dreamed:
    """Append a step and the vectors it was made with, in one transaction; give the step."""

    def build(folded: Projection) -> tuple[list[Item], tuple[Dreamed, dict[bytes, bytes]]]:
        blocks = folded.blocks
        if seen is not None and (blocks.revision is not seen.revision or blocks.blocks is not seen.blocks):
            raise Overtaken
        refuse_another(texts.embedder, live.store.embedder(live.space), live.space)  # someone may have reembedded
        done = step(folded)
        return [next_item(live, blocks, Said("dreamed", payload_of(done, dream=now.name)))], (done, texts.made())

    def beside(writing: Writing, result: tuple[Dreamed, dict[bytes, bytes]]) -> None:
        texts.keep(writing, result[1])

    _, (done, made) = live.transact(build, beside=beside)
    texts.kept(made)
    return done


def leave_for_the_next(live: Live, promoted: int) -> None:
    """Leave a checkpoint, and the index of a large memory as of it: the next process folds and reads nothing again.

    To fold a dream again is to look at every link, so a small one into a large memory leaves them too.
    """
    blocks = live.refresh().blocks
    left = promoted > 0 and live.leave_checkpoint(work=promoted + len(blocks.links.links) // LINKS_A_BLOCK)
    keep_index(live, anyway=left)


def reembed(live: Live, *, progress: Progress | None = None) -> int:
    """Make the vectors of every block anew with the embedder this memory was opened with; give how many."""
    folded, texts = live.refresh(), live.own_texts()
    wanted = [each.text() for each in folded.blocks.blocks.values() if each.status in THERE]
    texts.make_anew(star.name for star in read.stars(folded.connections))
    for start in range(0, len(wanted), EMBEDDED_AT_ONCE):
        texts.make_anew(wanted[start : start + EMBEDDED_AT_ONCE])
        if progress is not None:
            done = min(len(wanted), start + EMBEDDED_AT_ONCE)
            progress(done / len(wanted), done)

    def build(now: Projection) -> tuple[list[Item], dict[bytes, bytes]]:
        """Give no items, and the vectors to keep: not those of what was erased meanwhile."""
        said = {text_key(each.text()) for each in now.blocks.blocks.values()}
        said |= {text_key(star.name) for star in read.stars(now.connections)}
        made = {text: vector for text, vector in texts.made().items() if text in said}
        if len(made) < len(texts):
            texts.forget()
        return [], made

    def beside(writing: Writing, made: dict[bytes, bytes]) -> None:
        writing.drop_vectors(made)
        texts.keep(writing, made)
        writing.record_head("vectors")  # what was made anew may have been damaged before

    _, made = live.transact(build, beside=beside)
    texts.kept(made)
    live.use_texts(texts)
    return len(wanted)


class Totals:
    """What the steps of a dream did together."""

    def __init__(self) -> None:
        self.steps = 0
        self.counts = dict.fromkeys(COUNTED, 0)
        self.exact = True
        self.recall = 1.0

    def add(self, done: Dreamed) -> None:
        """Count a step."""
        self.steps += 1
        for name in self.counts:
            self.counts[name] += len(getattr(done, name))
        self.exact &= done.exact
        self.recall = min(self.recall, done.recall)

    def result(self, remaining: int, *, embedded: int, hours: float) -> DreamResult:
        """Say it as one."""
        return DreamResult(
            **self.counts,  # type: ignore[arg-type]  # counts alone
            exact=self.exact,
            recall=self.recall,
            remaining=remaining,
            steps=self.steps,
            embedded=embedded,
            active_hours=hours,
        )
