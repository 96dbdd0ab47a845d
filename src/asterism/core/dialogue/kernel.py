"""From a transcript to its causal links: find the intents, pair them with responses, hand the responses out.

The call is pure and gives the same on every run and machine. It takes time in proportion to the lines: every line is
read once, and an intent is paired with `k_local` responses at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from asterism.core.dialogue.actors import INITIATOR, RESPONDER, UNKNOWN, Speaker, silent_of, speakers_of
from asterism.core.dialogue.allocation import NOTHING, Allocation, allocate
from asterism.core.dialogue.answering import RESPONDERS, Answering, Reply, answering_of
from asterism.core.dialogue.consequences import CONSEQUENCES, consequence_types
from asterism.core.dialogue.eligibility import Eligibility, ExcludedRange, build_eligibility
from asterism.core.dialogue.ids import link_id
from asterism.core.dialogue.intents import ENGLISH, TABLETOP, Intent, by_kind
from asterism.core.dialogue.lines import Line, check_lines, clean_lines
from asterism.core.dialogue.links import CausalLink, Chunk, by_event, check_chunks
from asterism.core.dialogue.metrics import Metrics, metrics_of
from asterism.core.dialogue.options import check_created, check_rules, parameters_of
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.rows import (
    ActorRow,
    ChunkRow,
    LineRow,
    MaskRow,
    actors_of,
    chunks_of,
    lines_of,
    masks_of,
)
from asterism.core.dialogue.scores import check_scorer, check_scores
from asterism.core.dialogue.scoring import Pairs, Scene, Scorer, SeedScorer
from asterism.core.dialogue.tables import Tables, no_tables
from asterism.core.dialogue.traces import Trace, traces_of
from asterism.core.dialogue.words import KERNEL_VERSION, STRENGTH
from asterism.core.ledger.columns import Longs
from asterism.core.ledger.items import check_text
from asterism.core.ledger.model import Plain, plain
from asterism.core.ledger.parameters import Preset

if TYPE_CHECKING:
    from asterism.core.dialogue.rules import Rules

BOOKS = {"english": ENGLISH, "tabletop": TABLETOP}


@dataclass(frozen=True)
class Reading:
    """What a transcript was found to say."""

    session: str
    lines: tuple[Line, ...]
    links: tuple[CausalLink, ...]
    metrics: Metrics
    traces: tuple[Trace, ...]  # empty unless asked for
    excluded: tuple[ExcludedRange, ...]
    skipped: dict[str, int]  # lines that were not looked at, by why
    cleaned: int  # lines that had control characters, which became spaces
    chunks: tuple[Chunk, ...]
    events: dict[str, list[CausalLink]]  # links by chunk; empty without chunks
    speakers: dict[str, Speaker]  # what each author was taken for
    eligibility: Eligibility
    parameters: DialogueParameters
    scorer: str
    answering: Answering  # how it was found who answers whom
    replies: tuple[Reply, ...]  # what each line answers, where a reply model said so
    silent: tuple[str, ...]  # responders and actors who were named, and say nothing

    def to_dict(self) -> dict[str, Plain]:
        """Give what was found as plain JSON-able parts; the lines themselves are not repeated."""
        return {
            "session": self.session,
            "lines": len(self.lines),
            "kernel_version": KERNEL_VERSION,
            "scorer": self.scorer,
            "parameters": plain(self.parameters.to_dict()),
            "links": [link.to_dict() for link in self.links],
            "metrics": plain(self.metrics),
            "traces": plain(self.traces),
            "excluded": [plain(run._asdict()) for run in self.excluded],
            "skipped": plain(self.skipped),
            "answering": plain(self.answering._asdict()),
            "replies": [plain(reply._asdict()) for reply in self.replies],
            "silent": list(self.silent),
            "cleaned": self.cleaned,
            "events": {name: [link.id for link in links] for name, links in self.events.items()},
        }


def causal_links(
    lines: Iterable[LineRow],
    *,
    session: str,
    responders: Iterable[str] | str | None = None,
    actors: Iterable[ActorRow] | None = None,
    masks: Iterable[MaskRow] = (),
    chunks: Iterable[ChunkRow] | None = None,
    k_local: int | None = None,
    strong_min_score: float | None = None,
    weak_min_score: float | None = None,
    distance: str | None = None,
    bridge: bool | None = None,
    allocation: str | None = None,
    preset: Preset = "seed",
    parameters: DialogueParameters | None = None,
    scorer: Scorer | str | None = None,
    intent_rules: Rules | None = None,
    consequence_rules: Rules = CONSEQUENCES,
    include_unclaimed_weak: bool = True,
    traces: bool = False,
    created_at_ms: int = 0,
    tables: Tables = no_tables,
    answering: str | None = None,
) -> Reading:
    """Link every intent of a session to what came of it.

    Lines, actors, masks and chunks may be given as themselves, as mappings, or as tuples of their fields.
    Numbers left out are those of the preset: `k_local` 8, `strong_min_score` .35, `weak_min_score` .10, `distance`
    "gap" (or "dm_turn"), `bridge` no, `allocation` "ordered" (or "greedy"), `scorer` "seed" (or "dialogue"). `tables`
    gives the scorer `dialogue` its weights; `asterism.causal_links` has those that ship. `answering` is how it is found
    who answers whom: "responders", or a reply model, "channel", "instruction" or "reply"; left out, by responders if
    some are named or have dm or gm in their name, else by the model that fits the lines.

    >>> lines = [Line(0, "Bo", "Where is the key?"), Line(1, "DM", "The key is here.")]
    >>> link = causal_links(lines, session="one", responders=["DM"]).links[0]
    >>> link.claimed, link.distance, link.score, link.consequence_type
    (True, 1, 1.095016521, 'information')
    """
    check_text(session, field="session")
    check_created(created_at_ms)
    rules = check_rules(intent_rules, "intent_rules") if intent_rules is not None else None
    parameters = parameters_of(
        preset if parameters is None else parameters,
        k_local=k_local,
        strong_min_score=strong_min_score,
        weak_min_score=weak_min_score,
        distance=distance,
        bridge=None if bridge is None else "yes" if bridge else "no",
        allocation=allocation,
        scorer=scorer if isinstance(scorer, str) else None,
    )
    read, cleaned = clean_lines(check_lines(lines_of(lines)))
    eligibility = build_eligibility(len(read), masks_of(masks))
    named_chunks = None if chunks is None else check_chunks(chunks_of(chunks))
    way, masters = answering_of(read, responders, answering, choose=_chosen, asked_scorer=scorer is not None)
    named = None if actors is None else actors_of(actors)
    speakers = speakers_of(read, responders=masters, actors=named)
    roles = [speakers[line.author_name].role for line in read]
    intents = find_intents(read, roles, speakers, eligibility, rules or BOOKS[parameters.intent_rules])
    scene = Scene(read, roles, eligibility.eligible, intents)
    replies: tuple[Reply, ...] = ()
    if way.by == RESPONDERS:
        pairs = find_pairs(scene, eligibility, parameters)
        scoring = scorer_of(parameters, tables) if scorer is None or isinstance(scorer, str) else check_scorer(scorer)
    else:
        from asterism.core.dialogue.replies import ReplyScorer, pairs_of, replies_of  # loaded when it is asked for

        said = replies_of(read, eligibility.eligible, way.by, tables, bridge=parameters.bridge == "yes")
        replies, pairs, scoring = said.found, pairs_of(scene, said.found), ReplyScorer(way.by, said)
    scores = check_scores(scoring.scores(scene, pairs), scoring.name, len(pairs.responses))
    shares = allocate(intents, pairs, scores, parameters)
    claimed = sorted({pairs.responses[pair] for pair in shares.got if pair != NOTHING})
    types = consequence_types(
        [read[response] for response in claimed], check_rules(consequence_rules, "consequence_rules")
    )
    links = tuple(_links(scene, pairs, scores, shares, types, session, created_at_ms))
    if not include_unclaimed_weak:
        links = tuple(link for link in links if link.claimed or link.intent_strength == "strong")
    return Reading(
        session=session,
        lines=read,
        links=links,
        metrics=metrics_of(len(read), intents, pairs, scores, shares, types),
        traces=traces_of(scene, pairs, scores, shares, scorer=scoring, parameters=parameters) if traces else (),
        excluded=eligibility.excluded,
        skipped=_skipped(read, roles, eligibility),
        cleaned=cleaned,
        chunks=tuple(named_chunks or ()),
        events=by_event(links, named_chunks) if named_chunks is not None else {},
        speakers=speakers,
        eligibility=eligibility,
        parameters=parameters,
        scorer=scoring.name,
        answering=way,
        replies=replies,
        silent=tuple(silent_of(speakers.values(), masters, named)),
    )


def _chosen(lines: Sequence[Line]) -> Answering:
    from asterism.core.dialogue.replies import chosen_for  # who names responders does not wait for it

    return chosen_for(lines)


def scorer_of(parameters: DialogueParameters, tables: Tables) -> Scorer:
    """Give the scorer that the parameters name."""
    if parameters.scorer == "seed":
        return SeedScorer(parameters)
    from asterism.core.dialogue.reply import ReplyModel  # it loads when it is asked for, and so does its table
    from asterism.core.dialogue.reply_scorer import DialogueScorer

    return DialogueScorer(ReplyModel(tables(parameters.reply_table)), blocking=parameters.blocking == "yes")


def find_intents(
    lines: Sequence[Line], roles: Sequence[int], speakers: dict[str, Speaker], eligibility: Eligibility, rules: Rules
) -> list[Intent]:
    """Give the intents of a session, in the order of their lines."""
    looked_at = np.flatnonzero((np.array(roles, dtype=np.int8) == INITIATOR) & eligibility.eligible).tolist()
    fired = rules.first_of_each([lines[place].content for place in looked_at])
    actors = {author: speaker.actor.id for author, speaker in speakers.items()}
    found = []
    for place, fitting in zip(looked_at, fired, strict=True):
        _, author, _, _, kind = lines[place]
        rule = fitting if kind is None else by_kind(fitting, kind)
        if rule is not None:
            found.append(Intent(place, actors[author], rule.type, STRENGTH[rule.type], rule.name))
    return found


def find_pairs(scene: Scene, eligibility: Eligibility, parameters: DialogueParameters) -> Pairs:
    """Pair each intent with the responses it may claim: eligible, behind it, near, none excluded between (D1, D2)."""
    anchors: Longs = np.array([intent.line_index for intent in scene.intents], dtype=np.int64)
    speaks = np.array(scene.roles, dtype=np.int8) == RESPONDER
    responses: Longs = np.flatnonzero(speaks & eligibility.eligible)
    if parameters.bridge == "yes":
        ends = np.full(len(anchors), len(scene.lines))
    else:
        ends = eligibility.next_excluded()[anchors]
    first = np.searchsorted(responses, anchors, side="right")
    by_gap = parameters.distance == "gap"
    last = np.searchsorted(responses, np.minimum(ends, anchors + parameters.k_local + 1) if by_gap else ends)
    if not by_gap:
        last = np.minimum(last, first + parameters.k_local)
    sizes = last - first
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)])
    rank = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
    found = responses[np.repeat(first, sizes) + rank]
    distances = found - np.repeat(anchors, sizes) if by_gap else rank + 1
    return Pairs(starts.tolist(), found.tolist(), distances.tolist())


def _links(
    scene: Scene,
    pairs: Pairs,
    scores: Sequence[float],
    shares: Allocation,
    types: dict[int, str],
    session: str,
    created_at_ms: int,
) -> Iterable[CausalLink]:
    lines = scene.lines
    for (anchor, actor, kind, strength, rule), pair in zip(scene.intents, shares.got, strict=True):
        name, text = link_id(session, actor, anchor), lines[anchor].content
        if pair == NOTHING:
            yield CausalLink(
                name, session, actor, text, kind, strength, anchor,
                None, "none", None, None, None, False, created_at_ms, rule,
            )  # fmt: skip
            continue
        response = pairs.responses[pair]
        yield CausalLink(
            name, session, actor, text, kind, strength, anchor,
            lines[response].content, types[response], response, pairs.distances[pair], scores[pair], True,
            created_at_ms, rule,
        )  # fmt: skip


def _skipped(lines: Sequence[Line], roles: Sequence[int], eligibility: Eligibility) -> dict[str, int]:
    counted = Counter(
        "excluded" if not counts else "unknown_speaker" if role == UNKNOWN else "system"
        for line, role, counts in zip(lines, roles, eligibility.eligible.tolist(), strict=True)
        if not counts or role == UNKNOWN or (line.kind == "system" and role == INITIATOR)
    )
    return {why: counted[why] for why in ("excluded", "unknown_speaker", "system")}
