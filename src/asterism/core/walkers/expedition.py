"""All walkers of one exploration, in rounds.

    while not expedition.done:
        for asked in expedition.ask():                        # every active walker begins a step
            expedition.answer(asked, graph.answer(asked.request))  # in any order
        expedition.settle()                                   # the steps end, in the order of the walkers

In a round every active walker makes one step. All of them look before any of them moves, so divergence uses the vectors
of the round before, and the order in which answers come in changes nothing (D6, D20).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from asterism.core.walkers.formulas import criticality
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.places import Answer, Place, Request
from asterism.core.walkers.scoring import Candidate
from asterism.core.walkers.states import State
from asterism.core.walkers.steps import STEPS, Did, Doing
from asterism.core.walkers.tour import Tour
from asterism.core.walkers.trace import CHOSEN, Seen, Step
from asterism.core.walkers.walker import Question, Walker


@dataclass(slots=True, eq=False)
class Asked:
    """A step that waits for an answer."""

    walker: Walker
    request: Request
    doing: Doing
    began: tuple[State, Place | None]
    answer: Answer = None
    error: BaseException | None = None


class Told(NamedTuple):
    """A step as it is kept until somebody wants to read it."""

    round: int
    walker: Walker
    state: State
    here: Place | None
    after: State
    depth: int
    satisfaction: float
    did: Did


class Expedition:
    """The walkers of one exploration; it neither waits nor reads anything, and says what it needs."""

    def __init__(
        self, question: Question, start: Place, parameters: ExplorationParameters, *, forgotten: Collection[str] = ()
    ) -> None:
        root = Walker(
            number=0,
            name="0",
            spawn=start,
            position=start.number,
            vector=question.query_vector,
            here=start,
            nodes=[start.name],
        )
        self.tour = Tour(question, parameters, [root], forgotten)
        self.root = root
        self.start = start
        self.round = 0
        self.steps = 0
        self._told: list[Told] = []
        self.untold = 0  # steps beyond what the trace keeps
        self._asked: list[Asked] = []

    @property
    def done(self) -> bool:
        """Say whether the root is back."""
        return self.root.done

    def ask(self) -> list[Asked]:
        """Begin the next round; give what has to be answered before it can end."""
        return [asked for asked in self.begin() if asked is not None]

    def begin(self) -> Iterator[Asked | None]:
        """Begin the next round walker by walker, so that somebody may look at a clock between two of them."""
        assert not self._asked, "a round is settled before the next begins"
        self.round += 1
        p = self.tour.p
        for walker in list(self.tour.walkers):
            if walker.done or (walker.state is State.BRANCHING and walker.waiting):
                continue
            if walker.steps >= p.max_steps and walker.state is not State.MERGING:
                walker.gather()  # its children may be back
                walker.to(State.MERGING, stop="max_steps")
            walker.steps += 1
            self.steps += 1
            began = walker.state, walker.here
            doing = STEPS[walker.state](walker, self.tour)
            if isinstance(doing, Did):
                self._tell(walker, began, doing)
                yield None
                continue
            try:
                asked = Asked(walker, next(doing), doing, began)
            except StopIteration as ended:
                self._tell(walker, began, ended.value)
                yield None
            else:
                self._asked.append(asked)
                yield asked

    def answer(self, asked: Asked, answer: Answer) -> None:
        """Give the answer to one request."""
        asked.answer = answer

    def fail(self, asked: Asked, error: BaseException) -> None:
        """Say that a request cannot be answered: its walker is lost."""
        asked.error = error

    def settle(self) -> list[BaseException]:
        """End the round in the order of the walkers; give the errors of those that were lost."""
        settled, self._asked = self._asked, []
        errors = []
        for asked in settled:
            walker = asked.walker
            if asked.error is not None:
                asked.doing.close()
                walker.failed, walker.done = asked.error, True
                walker.stop = "failed"
                errors.append(asked.error)
                self._tell(walker, asked.began, Did(f"failed: {asked.error}"))
                continue
            try:
                asked.doing.send(asked.answer)
            except StopIteration as ended:
                self._tell(walker, asked.began, ended.value)
        return errors

    def stop(self, reason: str) -> None:
        """End every walker where it is, by a named stop; the root takes over what the others found."""
        for asked in self._asked:
            asked.doing.close()
        self._asked = []
        for walker in reversed(self.tour.walkers):
            walker.gather()
            if not walker.done:
                if walker.state is not State.MERGING:
                    walker.to(State.MERGING, stop=reason)
                walker.stop, walker.done = reason, True

    def _tell(self, walker: Walker, began: tuple[State, Place | None], did: Did) -> None:
        if len(self._told) >= self.tour.p.trace_steps:
            self.untold += 1
            return
        state, here = began
        now = walker.state, walker.depth, walker.satisfaction
        self._told.append(Told(self.round, walker, state, here or walker.here, *now, did))

    @property
    def trace(self) -> list[Step]:
        """Give every step that was told, in the order of rounds and walkers."""
        return [
            Step(
                told.round,
                told.walker.name,
                told.state.name,
                told.walker.walked[-1].end if told.here is None else told.here.id,
                told.depth,
                told.did.what,
                told.after.name,
                round(told.satisfaction, 9),
                round(criticality(told.satisfaction, told.depth), 9),
                () if told.here is None else self._seen(told.here, told.did),
            )
            for told in sorted(self._told, key=lambda told: (told.round, told.walker.number))
        ]

    def _seen(self, here: Place, did: Did) -> tuple[Seen, ...]:
        shown = did.candidates[: max(self.tour.p.trace_candidates, did.chosen)]
        return tuple(
            Seen(
                here.links.ids[each.place],
                here.links.end_ids[each.place],
                *each[1:],
                CHOSEN if rank < did.chosen else self._why_not(each, did, here),
            )
            for rank, each in enumerate(shown)
        )

    def _why_not(self, candidate: Candidate, did: Did, here: Place) -> str:
        p, ends = self.tour.p, here.links.ends
        if candidate.score < p.min_link_score:
            return "below min_link_score"
        if not did.chosen:
            return "only looked at"
        if did.chosen > 1 and any(ends[candidate.place] == ends[each.place] for each in did.candidates[: did.chosen]):
            return "leads where a better one does"
        if did.chosen > 1 and candidate.score < p.branch_share * did.candidates[0].score:
            return "below branch_share of the best"
        return "lower score" if did.chosen < 2 else "beyond max_children"


def run(expedition: Expedition, answer: Callable[[Request], Answer]) -> Expedition:
    """Walk to the end with a source of answers that never waits."""
    while not expedition.done:
        for asked in expedition.ask():
            expedition.answer(asked, answer(asked.request))
        expedition.settle()
    return expedition
