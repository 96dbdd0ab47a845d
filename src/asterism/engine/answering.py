"""Recall: questions answered with reasons, and why something was not among the answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from asterism.core.blocks.links import PROTECTED, SIMILAR, key_of
from asterism.core.blocks.records import ACTIVE, THERE
from asterism.core.blocks.scoring import category_match, composite, cosine, jaccard, temporal_proximity
from asterism.core.calendar import DAY_END, Moment, to_micros
from asterism.core.items import check_text
from asterism.core.model import link_id
from asterism.core.nodes import KINDS
from asterism.core.projection import Projection
from asterism.core.recall.links import Origin, Reached
from asterism.core.recall.model import Answer, AnswerHit, HitVia, NeededChange, WhyNotAnswer
from asterism.core.recall.rank import WALK, Hit, Via
from asterism.core.walkers.result import Exploration
from asterism.embed import has_word_vectors
from asterism.engine.dreaming import protected
from asterism.engine.learning import known_block, lines
from asterism.engine.live import Live
from asterism.engine.recalling import Filter, Recaller
from asterism.engine.telling import known_node, whole
from asterism.engine.vectors import VectorTable
from asterism.errors import InputError, UnknownError

MOST = 1_000  # hits
SHOWN_CHANGES = 3
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


def question(
    query: str,
    *,
    k: int,
    intention: str | None,
    hops: int,
    budget_tokens: int | None,
    tags: Iterable[str],
    category: str | None,
    source: str | None,
    since: Moment | None,
    until: Moment | None,
    kinds: Iterable[str],
) -> Question:
    """Read a question; what cannot be asked is named."""
    query = check_text(lines(query), field="query", many_lines=True)
    if intention is not None:
        intention = check_text(lines(intention), field="intention", many_lines=True)
    if whole(k, name="k", least=1) > MOST:
        raise InputError(f"k {k} is above {MOST}", code="bad_k", item=str(k), hint=f"ask for {MOST} at most")
    if whole(hops, name="hops", least=0) > 2:
        raise InputError(f"hops {hops} is above 2", code="bad_hops", item=str(hops), hint="links are followed twice")
    if budget_tokens is not None:
        whole(budget_tokens, name="budget_tokens", least=1)
    wanted_kinds = _names(kinds, "kinds")
    for kind in wanted_kinds:
        if kind not in KINDS[1:]:
            raise InputError(
                f"{kind!r} is no kind of node", code="bad_kind", item=kind, hint=f"one of {', '.join(KINDS[1:])}"
            )
    only = Filter(
        tags=_names(tags, "tags"),
        category=_perhaps(category, "category"),
        source=_perhaps(source, "source"),
        since=None if since is None else to_micros(since, of_date=0),
        until=None if until is None else to_micros(until, of_date=DAY_END),
        kinds=wanted_kinds,
    )
    return Question(query, k, intention, hops, budget_tokens, only)


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
    begun: float  # by the clock of `time.perf_counter`


def sight(live: Live, *, at: int | None = None, known_at: int | None = None) -> Sight:
    """Look at the memory as it is, or as it was."""
    begun = time.perf_counter()
    if at is None and known_at is None:
        recaller = live.recaller()
        folded = live.view()
        waiting = recaller.embed()
        recaller.linked(live.held.blocks, folded, (folded.dated, folded.day))
        return Sight(folded, recaller, waiting, begun)
    folded = live.view(at, known_at=known_at)
    recaller = Recaller(live.parameters.recall, live.texts())
    recaller.show(folded)
    waiting = recaller.embed()
    recaller.linked(folded.blocks, folded, None)
    return Sight(folded, recaller, waiting, begun)


def recall(seen: Sight, asked: Question, walk: Walk | None = None) -> Answer:
    """Answer a question; with a walk, send walkers out from the best hit, and add what they find."""
    recaller, blocks = seen.recaller, seen.folded.blocks
    query, allowed = recaller.query(asked.query, asked.intention), recaller.allowed(asked.only, blocks)
    best = [] if walk is None else recaller.recall.ask(query, k=1, allowed=allowed, hops=asked.hops)
    walked = None if walk is None or not best else walk(best[0].id)
    hits = recaller.recall.ask(
        query,
        k=asked.k,
        allowed=allowed,
        hops=asked.hops,
        budget_tokens=asked.budget_tokens,
        walked=None if walked is None else _reached(recaller, best[0].id, walked),
    )
    paths = {} if walked is None else {each.id: each.path for each in walked.found}
    shown = tuple(_shown(hit, seen, paths.get(hit.id, ())) for hit in hits)
    embedder = recaller.texts.embedder.identity
    notes = list(notes_on(seen.waiting, embedder, word_vectors=has_word_vectors()))
    if recaller.meaning.many:
        notes.append(f"of {len(recaller.index)} entries those near by a rough look were looked at exactly")
    if walked is not None and walked.stop == "deadline":
        notes.append("the walkers ran out of time: what they had found by then was added")
    return Answer(asked.query, shown, (time.perf_counter() - seen.begun) * 1e3, len(recaller.index), tuple(notes))


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
        yield f"{waiting} blocks have no vector yet and were found by words alone: dream gives them one"
    if embedder.startswith("hashed") and not word_vectors:
        yield "no word vectors are installed: found by words alone (pip install --no-deps wordllama)"


def _shown(hit: Hit, seen: Sight, path: tuple[str, ...]) -> AnswerHit:
    entry = seen.recaller.entries[hit.id]
    told = [
        (each, path if each.kind == WALK else (_link(each, hit.id),)) for each in hit.via
    ]  # a walk came by many links
    via = tuple(HitVia(links[-1], each.kind, each.source, each.name, each.value) for each, links in told)
    return AnswerHit(
        id=hit.id,
        kind=hit.kind,
        text=entry.text,
        name=entry.name,
        score=hit.score,
        signals=dict(hit.signals),
        via=tuple(dict.fromkeys(link for _, links in told for link in links)),
        links=via,
        tokens=hit.tokens,
    )


def _link(via: Via, node: str) -> str:
    kind = via.kind.removesuffix("_rest")
    kind = "mention" if kind == "mentioned_by" else kind
    return link_id(via.source, node, "" if kind == "evidence" else kind)


# --- why not ------------------------------------------------------------------------------------------------------


def why_not(seen: Sight, texts: VectorTable, node: str, asked: Question) -> WhyNotAnswer:
    """Say which gate kept a node out of an answer, or two blocks from being linked, and what would let it in."""
    blocks = seen.folded.blocks
    other = blocks.blocks.get(asked.query)
    if other is not None:
        return _why_no_link(seen.folded, texts, known_block(blocks, node, gone=True), asked.query)
    name = _known(seen, node)
    block = blocks.blocks.get(name)
    if block is not None and block.status not in THERE:
        stands = blocks.there(name)
        change = f"ask for {stands}, which stands for it" if stands else "restore(id) brings it back"
        return WhyNotAnswer(name, "gone", 0.0, 1.0, f"It was {block.status}: {change}.")
    recaller = seen.recaller
    query = recaller.query(asked.query, asked.intention)
    allowed = recaller.allowed(asked.only, blocks)
    told = recaller.recall.why_not(name, query, k=asked.k, allowed=allowed, hops=asked.hops)
    changes = tuple(
        NeededChange(each.signal, each.value, each.needed, each.possible) for each in told.changes[:SHOWN_CHANGES]
    )
    common = {"rank": told.rank, "signals": dict(told.signals), "changes": changes}
    if not told.allowed:
        failed = asked.only.failed(recaller.entries[name], blocks.blocks.get(name))
        return WhyNotAnswer(name, "filter", 0.0, 1.0, f"{failed}: drop that filter.", **common)  # type: ignore[arg-type]
    if told.rank > asked.k:
        change = f"Ask for k={told.rank}"
        if changes and changes[0].possible:
            change += f", or bring {changes[0].signal} from {changes[0].value:.2f} to {changes[0].needed:.2f}"
        return WhyNotAnswer(name, "rank", told.score, told.needed, change + ".", **common)  # type: ignore[arg-type]
    return _why_not_paid(seen, name, asked, told.score, common)


def _why_not_paid(seen: Sight, name: str, asked: Question, score: float, common: dict[str, object]) -> WhyNotAnswer:
    """Look whether something in the first k fits into the budget of tokens."""
    if asked.budget_tokens is None or name in {hit.id for hit in recall(seen, asked).hits}:
        return WhyNotAnswer(name, "in", score, score, "It is among the answers.", **common)  # type: ignore[arg-type]
    ahead = list[int]()
    for hit in recall(seen, replace(asked, budget_tokens=None)).hits:
        ahead.append(hit.tokens)
        if hit.id == name:
            break
    needed = _budget(ahead, asked.budget_tokens)
    change = f"It has {ahead[-1]} tokens: raise the budget to {needed}."
    return WhyNotAnswer(name, "budget", float(asked.budget_tokens), float(needed), change, **common)  # type: ignore[arg-type]


def _budget(tokens: list[int], least: int) -> int:
    """Give the smallest budget, from a least one on, into which the last hit fits after those before it that do.

    >>> _budget([100, 10, 5], 1), _budget([5, 5], 6)
    (5, 10)
    """
    while True:
        left, steps = least, []
        for each in tokens[:-1]:
            if each <= left:
                left -= each
            else:
                steps.append(each - left)
        if tokens[-1] <= left:
            return least
        least += min([tokens[-1] - left, *steps])


def _known(seen: Sight, node: str) -> str:
    blocks = seen.folded.blocks
    if node in seen.recaller.index:
        return node
    try:
        return known_block(blocks, node, gone=True)
    except UnknownError:
        name = known_node(seen.folded, node)
    if name not in seen.recaller.index:
        raise UnknownError(
            f"{name} cannot be recalled",
            code="unknown_entry",
            item=name,
            hint="recall finds blocks and stars; levels are asked with levels(symbol)",
        )
    return name


def _why_no_link(folded: Projection, texts: VectorTable, a: str, b: str) -> WhyNotAnswer:
    """Say which gate two blocks do not pass: the guard, the threshold, the cap."""
    blocks, rules = folded.blocks, folded.parameters.blocks
    name = link_id(a, b, SIMILAR)
    key = key_of(SIMILAR, a, b)
    if a == b:
        raise InputError(f"{a} cannot be linked to itself", code="self_link", item=a, hint="name two different blocks")
    if key in blocks.links.links:
        strength = blocks.strength(key, blocks.hours_now)
        return WhyNotAnswer(name, "linked", strength, strength, "They are linked.")
    for end in (a, b):
        status = blocks.blocks[end].status
        if status != ACTIVE:
            change = "dream() consolidates the inbox." if status in THERE else f"It was {status}."
            return WhyNotAnswer(
                name, "inbox" if status in THERE else "gone", 0.0, 1.0, f"{end} is not active: {change}"
            )
    one, other = blocks.blocks[a], blocks.blocks[b]
    near, far = texts.of([one.text(), other.text()]).astype(float).tolist()
    parts = {
        "cosine": cosine(near, far),
        "tags": jaccard(one.tags, other.tags),
        "category": category_match(one.category, other.category, cross_category_score=rules.cross_category_score),
        "time": temporal_proximity(one.hours, other.hours, sigma=rules.temporal_sigma_hours),
    }
    if parts["cosine"] < rules.minimum_cosine_for_edge:
        change = "Below the guard nothing else counts: say them in nearer words, or lower minimum_cosine_for_edge."
        return WhyNotAnswer(name, "guard", parts["cosine"], rules.minimum_cosine_for_edge, change, signals=parts)
    score = composite(
        cosine=parts["cosine"], tags=parts["tags"], category=parts["category"], time=parts["time"], parameters=rules
    )
    threshold = rules.edge_score_threshold
    if score < threshold:
        gap = (threshold - score) / rules.weight_tags
        change = (
            f"Share tags: {gap:+.2f} of overlap is missing." if parts["tags"] + gap <= 1 else "Evidence can link them."
        )
        return WhyNotAnswer(name, "threshold", score, threshold, change, signals=parts)
    cap = rules.edge_degree_cap
    needed = max(_weakest(folded, end, cap) for end in (a, b))
    if needed > score or cap == 0:
        change = f"An end has {cap} better links: evidence (observe) links them without that cap."
        return WhyNotAnswer(name, "cap", score, needed, change, signals=parts)
    change = "Nothing keeps them apart now; a dream looks at a pair when one of the two is new. Evidence can link them."
    return WhyNotAnswer(name, "none", score, threshold, change, signals=parts)


def _weakest(folded: Projection, end: str, cap: int) -> float:
    """Give the score that an edge must beat at a block whose room is full; 0 if there is room."""
    links = folded.blocks.links
    there = [key for key in links.of(end) if all(folded.blocks.blocks[each].status in THERE for each in key[1:])]
    similar = [links.links[key].anchor for key in there if key[0] == SIMILAR]
    taken = sum(key[0] in PROTECTED for key in there)
    taken += sum(end in (link.a, link.b) for link in protected(folded))
    return 0.0 if taken + len(similar) < cap else min(similar, default=1.0)
