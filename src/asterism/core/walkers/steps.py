"""What a walker does in each state: a step looks, asks for one thing at most, and only then acts.

A step is a generator that yields once: a request, or None where it needs nothing. What it is sent is the answer, and
what it returns says what it did. Before it yields it changes nothing that another walker sees, so that all walkers of a
round look at what the round before left, and act one after the other. Nothing here knows who answers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from asterism.core.walkers.crystals import crystallise
from asterism.core.walkers.formulas import injection, needs_crystal, novelty, satisfied
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import MOMENT, NARRATIVE, THING, Answer, Look, Near, Nearest, Place, Request
from asterism.core.walkers.scoring import Candidate
from asterism.core.walkers.states import State
from asterism.core.walkers.tour import Tour, one_per_end
from asterism.core.walkers.vectors import cosine
from asterism.core.walkers.walker import Declined, Walker, child_vector, hop_along


class Via(NamedTuple):
    """The first of two moves that one step makes: the state it led to, why, and at which depth."""

    state: State
    why: str
    depth: int


class Did(NamedTuple):
    """What a step did, the links it looked at, and how many of the first of them it took."""

    what: str
    candidates: Sequence[Candidate] = ()
    chosen: int = 0
    via: Via | None = None


Doing = Generator[Request | None, Answer, Did]


def seeking(walker: Walker, tour: Tour) -> Doing:
    """Score the links and walk the best; a child that has yet to arrive does so."""
    p, here = tour.p, walker.here
    if here is None:
        arrived = yield Look(walker.position)
        assert isinstance(arrived, Place)
        walker.arrive(arrived, tour.question, p)
        tour.inject(walker, State.BRANCHING)
        return Did(f"came by {walker.walked[-1].id}{_arrive(walker)}")
    if walker.depth >= p.max_depth:
        return (yield from _reflect(walker, "max_depth", f"stopped at depth {walker.depth}"))
    candidates = tour.ranked(walker, here)
    several = here.kind == MOMENT and _scoring(candidates, here, p) >= p.min_branch_links
    if here.kind == MOMENT and not several and walker.walked and _is_new(walker, here):
        return (yield from _turn(walker, State.ABSORBING, Did("a moment, but no branch point", candidates)))
    if walker.tired(p):
        return (yield from _reflect(walker, "fatigue", f"tired: {p.fatigue_window} hops without progress"))
    if several:
        return (yield from _turn(walker, State.BRANCHING, Did("a branch point: a moment with several good links")))
    if not candidates or candidates[0].score < p.min_link_score:
        return (yield from _dead_end(walker, candidates))
    return (yield from _walk(walker, tour, candidates))


def branching(walker: Walker, tour: Tour) -> Doing:
    """Send out children, one for each good link; when all are back, pull what they found."""
    p, here = tour.p, walker.here
    assert here is not None
    if walker.children:
        said = yield from _reflect(walker, "branched", f"{len(walker.children)} children are back")
        walker.gather()
        return said
    candidates = tour.ranked(walker, here)  # siblings may have moved since it was found to be a branch point
    if not candidates or candidates[0].score < p.min_link_score:
        return (yield from _dead_end(walker, candidates))
    least = max(p.min_link_score, p.branch_share * candidates[0].score)
    ways = one_per_end(candidates, here)
    chosen = [each for each in ways[: p.max_children] if each.score >= least]
    several = len(chosen) > 1 and _scoring(candidates, here, p) >= p.min_branch_links
    if several and tour.reserve(len(chosen)):
        yield None
        for candidate in chosen:
            _send(walker, tour, here, candidate)
        for child in walker.children:
            child.siblings = [each for each in walker.children if each is not child]
        others = [each for each in candidates if each not in chosen]
        return Did(f"sent out {len(chosen)}", [*chosen, *others], len(chosen))
    why = "too many walkers are out" if several else "one way only is good enough"
    return (yield from _walk(walker, tour, candidates, via=Via(State.SEEKING, f"no branch: {why}", walker.depth)))


def absorbing(walker: Walker, tour: Tour) -> Doing:
    """Take in content; if it is aligned and novel, crystallise."""
    p, here = tour.p, walker.here
    assert here is not None
    if walker.depth >= p.max_depth:
        return (yield from _reflect(walker, "max_depth", f"stopped at depth {walker.depth}"))
    yield None
    aligned = cosine(tour.question.why, here.vector)
    *before, last = walker.walked
    compared = [*(hop.vector for hop in before), last.vector if last.own else last.origin]  # a mean is near its end
    rows = np.concatenate(compared).reshape(len(compared), -1)
    novel = novelty(np.round(rows @ here.vector, 9).tolist())
    walker.absorbed.add(here.number)
    walker.find(here, THING, aligned)
    tour.inject(walker, State.ABSORBING)
    said = f"absorbed: alignment {aligned:.2f}, novelty {novel:.2f}"
    if aligned > p.absorb_alignment and novel > p.absorb_novelty:
        walker.to(State.CRYSTALLIZING, because="new_content")
    else:
        walker.to(State.SEEKING)
    return Did(said)


def resonating(walker: Walker, tour: Tour) -> Doing:
    """Take in a narrative, and be more satisfied by it, once (D9)."""
    p, here = tour.p, walker.here
    assert here is not None
    yield None
    aligned = cosine(tour.question.why, here.vector)
    if aligned > 0 and here.number not in walker.resonated:
        walker.resonated.add(here.number)
        walker.find(here, NARRATIVE, aligned)
        walker.satisfaction = round(satisfied(walker.satisfaction, alignment=aligned, found=walker.narratives()), 12)
    gained = injection(walker.criticality, State.RESONATING)
    tour.weight[here.id] = tour.weight.get(here.id, 0.0) + gained
    if walker.satisfaction >= p.satisfaction_threshold:
        walker.to(State.MERGING, because="satisfied")
    else:
        walker.to(State.SEEKING)
    return Did(f"resonated: alignment {aligned:.2f}, satisfaction {walker.satisfaction:.2f}")


def reflecting(walker: Walker, tour: Tour) -> Doing:
    """Colour the path backwards if it was useful."""
    p = tour.p
    if walker.satisfaction <= p.useful_satisfaction:
        return (yield from _turn(walker, State.CRYSTALLIZING, Did("found too little")))
    yield None
    count = tour.colour(walker, tour.question.why, round(p.boost_useful * walker.satisfaction, 12))
    walker.to(State.MERGING)
    return Did(f"useful: coloured {count} links")


def crystallizing(walker: Walker, tour: Tour) -> Doing:
    """Make a narrative where there is none; whatever comes of it, the walk is over (D3)."""
    said = yield from _crystallise(walker, tour)
    walker.to(State.MERGING)
    return Did(said)


def merging(walker: Walker, tour: Tour) -> Doing:
    """End, once (D5); a child that found no exact match and has not tried leaves a narrative (D18)."""
    tried = walker.crystal is not None or walker.declined is not None
    if walker.parent is not None and not tried:
        said = yield from _crystallise(walker, tour)
    else:
        yield None
        said = f"done: {walker.stop}"
    walker.done = True
    return Did(said)


STEPS: Mapping[State, Callable[[Walker, Tour], Doing]] = {
    State.SEEKING: seeking,
    State.BRANCHING: branching,
    State.ABSORBING: absorbing,
    State.RESONATING: resonating,
    State.REFLECTING: reflecting,
    State.CRYSTALLIZING: crystallizing,
    State.MERGING: merging,
}


def _walk(walker: Walker, tour: Tour, candidates: list[Candidate], *, via: Via | None = None) -> Doing:
    """Walk the best link; a walker that declined to branch does so at once, as if it sought (D7)."""
    here, best = walker.here, candidates[0]
    assert here is not None
    arrived = yield Look(int(here.links.ends[best.place]))
    assert isinstance(arrived, Place)
    if via is not None:
        walker.to(via.state)
    tour.took(best)
    tour.backtracks += arrived.id == here.id or any(hop.start == arrived.id for hop in walker.walked)
    walker.walk(hop_along(here, best, tour.p))
    walker.arrive(arrived, tour.question, tour.p)
    tour.inject(walker, State.SEEKING)
    return Did(f"walked to {arrived.id}{_arrive(walker)}", candidates, 1, via)


def _arrive(walker: Walker) -> str:
    """Choose the state by what the walker stands on; say what it is. What a moment is, its links' scores will say."""
    here = walker.here
    assert here is not None
    if here.kind == NARRATIVE:
        walker.to(State.RESONATING)
        return ", a narrative"
    walker.to(State.ABSORBING if here.kind != MOMENT and _is_new(walker, here) else State.SEEKING)
    return ", a moment" if here.kind == MOMENT else ""


def _is_new(walker: Walker, here: Place) -> bool:
    return bool(here.content) and here.number not in walker.absorbed


def _scoring(candidates: list[Candidate], here: Place, p: ExplorationParameters) -> int:
    """Count the nodes that good links lead to: two links to one node are one way."""
    return sum(each.score >= p.min_link_score for each in one_per_end(candidates, here))


def _send(walker: Walker, tour: Tour, here: Place, candidate: Candidate) -> None:
    hop = hop_along(here, candidate, tour.p)
    tour.took(candidate)
    child = Walker(
        number=len(tour.walkers),
        name=f"{walker.name}.{len(walker.children)}",
        spawn=here,
        position=int(here.links.ends[candidate.place]),
        vector=child_vector(walker.vector, hop.vector),
        parent=walker,
        walked=list(walker.walked),
        first=len(walker.walked),
        nodes=[here.name],
    )
    child.walk(hop)
    walker.children.append(child)
    tour.walkers.append(child)


def _turn(walker: Walker, state: State, did: Did, *, because: str = "") -> Doing:
    """Go over to another state, and do nothing else."""
    yield None
    walker.to(state, because=because)
    return did


def _reflect(walker: Walker, because: str, said: str, candidates: Sequence[Candidate] = ()) -> Doing:
    return (yield from _turn(walker, State.REFLECTING, Did(said, candidates), because=because))


def _dead_end(walker: Walker, candidates: list[Candidate]) -> Doing:
    if not candidates:
        return (yield from _reflect(walker, "dead_end", "no link left"))
    return (yield from _reflect(walker, "weak_links", f"best link only {candidates[0].score:.4f}", candidates))


def _crystallise(walker: Walker, tour: Tour) -> Generator[Request | None, Answer, str]:
    """Make a narrative, unless something that was there before makes it unnecessary (D11)."""
    p, question = tour.p, tour.question
    exact = not needs_crystal(walker.narratives(), p)
    asks = walker.path and not exact
    near = yield Near(walker.vector, p.nearest_narrative, question.query_vector, question.why) if asks else None
    if exact:
        best = max((each for each in walker.found.values() if each.kind == NARRATIVE), key=lambda each: each.alignment)
        tour.colour(walker, question.why, round(p.boost_useful * walker.satisfaction, 12))  # still useful (D18)
        return _decline(walker, Declined("an exact match was found", best.id, best.alignment))
    if not walker.path:
        return _decline(walker, Declined("the path is empty"))
    if isinstance(near, Nearest) and near.likeness >= p.nearest_narrative:
        return _decline(walker, Declined("a narrative is near", near.id, near.likeness))
    narrative = crystallise(walker, question, p)
    if narrative.id in tour.forgotten:
        return _decline(walker, Declined("the same narrative was forgotten", narrative.id))
    again = narrative.id in tour.made
    narrative = tour.made.setdefault(narrative.id, narrative)
    tour.colour(walker, narrative.vector, p.boost_crystallized)
    walker.crystal = narrative.id
    return f"crystallised {narrative.id}{' again' if again else ''} from {len(narrative.sources)} nodes"


def _decline(walker: Walker, declined: Declined) -> str:
    walker.declined = declined
    return f"nothing to crystallise: {declined}"
