"""All walkers of one exploration, in rounds.

    while not expedition.done:
        for asked in expedition.ask():                    # every active walker looks
            asked.answer = graph.answer(asked.request)    # in any order
        expedition.settle()                               # they act, in the order of the walkers

In a round every active walker makes one step. All of them look before any of them acts, so divergence uses the vectors
of the round before, the order in which answers come in changes nothing (D6, D20), and what is left behind counts in the
order of the trace.
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
from asterism.core.walkers.steps import STEPS, Did, Doing, Via
from asterism.core.walkers.tour import Tour
from asterism.core.walkers.trace import CHOSEN, Seen, Step
from asterism.core.walkers.walker import Question, Walker


@dataclass(slots=True, eq=False)
class Asked:
    """What a walker asks for, and what it is answered: an error if it cannot be, and the walker is lost."""

    walker: Walker
    request: Request
    answer: Answer = None
    error: BaseException | None = None


class Begun(NamedTuple):
    """A step that has looked, and acts when the round is settled."""

    walker: Walker
    state: State
    here: Place | None
    doing: Doing
    asked: Asked | None
    stopped: Via | None  # by which it came into the state that its step is of


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
        self._begun: list[Begun] = []

    @property
    def done(self) -> bool:
        """Say whether the root is back."""
        return self.root.done

    def ask(self) -> list[Asked]:
        """Begin the next round; give what has to be answered before it can end."""
        return [asked for asked in self.begin() if asked is not None]

    def begin(self) -> Iterator[Asked | None]:
        """Begin the next round walker by walker, so that somebody may look at a clock between two of them."""
        assert not self._begun, "a round is settled before the next begins"
        self.round += 1
        for walker in self.tour.walkers:
            if walker.done or (walker.state is State.BRANCHING and walker.waiting):
                continue
            state, stopped = walker.state, None
            if walker.steps >= self.tour.p.max_steps and state is not State.MERGING:
                walker.gather()  # its children may be back
                walker.to(State.MERGING, stop="max_steps")
                stopped = Via(State.MERGING, "stopped: max_steps", walker.depth)
            doing = STEPS[walker.state](walker, self.tour)
            request = next(doing)
            asked = None if request is None else Asked(walker, request)
            self._begun.append(Begun(walker, state, walker.here, doing, asked, stopped))
            yield asked

    def settle(self) -> list[BaseException]:
        """End the round in the order of the walkers; give the errors of those that were lost."""
        settled, self._begun = self._begun, []
        errors = []
        for begun in settled:
            walker, asked = begun.walker, begun.asked
            walker.steps += 1
            self.steps += 1
            if asked is not None and asked.error is not None:
                begun.doing.close()
                walker.failed, walker.done, walker.stop = asked.error, True, "failed"
                errors.append(asked.error)
                self._tell(begun, Did(f"failed: {asked.error}"))
                continue
            try:
                begun.doing.send(None if asked is None else asked.answer)
            except StopIteration as ended:
                self._tell(begun, ended.value)
        return errors

    def portions(self, answer: Callable[[Request], Answer], *, steps: int) -> Iterator[list[BaseException]]:
        """Walk to the end with answers that never wait; pause after so many steps and wherever walkers are lost.

        What is given in a pause are the errors of these walkers.
        """
        begun = 0
        while not self.done:
            for asked in self.begin():
                if asked is not None:
                    try:
                        asked.answer = answer(asked.request)
                    except Exception as error:
                        asked.error = error
                begun += 1
                if begun % steps == 0:
                    yield []
            errors = self.settle()
            if errors:
                yield errors

    def stop(self, reason: str) -> None:
        """End every walker where it is, by a named stop; the root takes over what the others found."""
        for begun in self._begun:
            begun.doing.close()
        self._begun = []
        for walker in reversed(self.tour.walkers):
            walker.gather()
            if not walker.done:
                if walker.state is not State.MERGING:
                    walker.to(State.MERGING, stop=reason)
                walker.stop, walker.done = reason, True

    def _tell(self, begun: Begun, did: Did) -> None:
        if len(self._told) >= self.tour.p.trace_steps:
            self.untold += 1
            return
        walker, state, here, *_ = begun
        now = walker.state, walker.depth, walker.satisfaction
        via = begun.stopped or did.via
        self._told.append(Told(self.round, walker, state, here or walker.here, *now, did._replace(via=via)))

    @property
    def trace(self) -> list[Step]:
        """Give every step that was told, in the order of rounds and walkers; one that makes two moves is two."""
        return [step for told in self._told for step in self._steps(told)]

    def _steps(self, told: Told) -> list[Step]:
        via = told.did.via
        last = Step(
            told.round,
            told.walker.name,
            (told.state if via is None else via.state).name,
            told.walker.walked[-1].end if told.here is None else told.here.id,
            told.depth,
            told.did.what,
            told.after.name,
            round(told.satisfaction, 9),
            round(criticality(told.satisfaction, told.depth), 9),
            () if told.here is None else self._seen(told.here, told.did),
        )
        if via is None:
            return [last]
        critical = round(criticality(told.satisfaction, via.depth), 9)
        first = last._replace(state=told.state.name, after=last.state, depth=via.depth, did=via.why, seen=())
        return [first._replace(criticality=critical), last]

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
            asked.answer = answer(asked.request)
        expedition.settle()
    return expedition
