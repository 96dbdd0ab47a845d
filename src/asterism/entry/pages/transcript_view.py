"""What both annotated transcripts show: lines in their order, excluded runs folded, and the words for it all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from asterism.core.dialogue.actors import NOBODY, RESPONDER
from asterism.core.dialogue.answering import RESPONDERS, Reply
from asterism.core.dialogue.beats import Beat, beats
from asterism.core.dialogue.chapters import Chapter, chapters
from asterism.core.dialogue.consequences import consequence_of
from asterism.core.dialogue.eligibility import ExcludedRange
from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.metrics import Contested
from asterism.core.dialogue.rolls import Roll, rolls, says_something
from asterism.core.dialogue.traces import Candidate, Trace
from asterism.core.dialogue.words import KERNEL_VERSION

CAME = {
    "roll": "a roll",
    "information": "information",
    "deterministic": "takes effect",
    "commitment": "a commitment",
    "dm_statement": "a statement",
}
REASON = {
    "ooc_hard": "out of character",
    "ooc_soft": "half out of character",
    "combat": "combat",
    "transition": "transition",
    "noise": "noise",
}
STORY_BEATS = 12  # the largest that the summary shows
GOES_ON = 8  # lines in which an outcome may go on
NAME = re.compile(r"(?<=[a-z,;] )(?!I['’])(?:[A-Z][\w'’]{2,})")  # a capital inside a sentence
WORD = re.compile(r"\b[a-z][\w'’]*")
OFTEN, MOST_NAMES = 3, 24
PARTS = 4  # of a chapter, of each of which one link is shown
SAYS, WORDY = 5, 12  # words from which an answer says something, and from which more say no more


class Named(NamedTuple):
    """A name, and where it stands."""

    name: str
    times: int
    first: int
    last: int


@dataclass(frozen=True)
class View:
    """A reading, looked up by line."""

    reading: Reading

    @cached_property
    def link_of(self) -> dict[int, CausalLink]:
        """The link of each intent's line."""
        return {link.intent_anchor_index: link for link in self.reading.links}

    @cached_property
    def causes_of(self) -> dict[int, list[CausalLink]]:
        """The links that end in each response's line."""
        found: dict[int, list[CausalLink]] = {}
        for link in self.reading.links:
            if link.consequence_anchor_index is not None:
                found.setdefault(link.consequence_anchor_index, []).append(link)
        return found

    @cached_property
    def trace_of(self) -> dict[int, Trace]:
        """The trace of each intent's line, if traces were asked for."""
        return {trace.intent_anchor_index: trace for trace in self.reading.traces}

    @cached_property
    def hanging(self) -> list[CausalLink]:
        """Strong intents that nobody answered."""
        return [link for link in self.reading.links if not link.claimed and link.intent_strength == "strong"]

    @cached_property
    def by_model(self) -> bool:
        """Whether a reply model said who answers whom."""
        return self.reading.answering.by != RESPONDERS

    @cached_property
    def reply_of(self) -> dict[int, Reply]:
        """What each line answers by the reply model, but for what is a consequence already."""
        return {reply.line: reply for reply in self.reading.replies if reply.line not in self.causes_of}

    def outcome_lines(self, link: CausalLink) -> list[Line]:
        """Give what came of an intent: its consequence, and if that says little, where the responder goes on."""
        if link.consequence_anchor_index is None:
            return []
        if self.by_model:
            return [self.reading.lines[link.consequence_anchor_index]]
        lines = self.reading.lines[link.consequence_anchor_index : link.consequence_anchor_index + GOES_ON]
        told = [line for line in lines if self._responds(line)]
        full = [line for line in told if says_something(line) and not line.content.rstrip().endswith("--")]
        return [told[0], *full[:1]] if full and full[0] is not told[0] else told[:1]

    def _responds(self, line: Line) -> bool:
        return self.reading.speakers.get(line.author_name, NOBODY).role == RESPONDER

    @cached_property
    def names(self) -> list[Named]:
        """Who and what is spoken of by name most often, with the first and the last line that does."""
        met: dict[str, list[int]] = {}
        small: set[str] = set()
        for line in self.reading.lines:
            for found in NAME.finditer(line.content):
                met.setdefault(found[0], []).append(line.line_index)
            small.update(WORD.findall(line.content))
        told = [
            Named(name, len(at), at[0], at[-1])
            for name, at in met.items()
            if name.lower() not in small and len(at) >= OFTEN
        ]
        return sorted(told, key=lambda named: (-named.times, named.name))[:MOST_NAMES]

    @cached_property
    def passed_over(self) -> set[str]:
        """Those of the hanging intents behind which a responder did speak: of something else."""
        reach = self.reading.parameters.k_local
        found = set()
        for link in self.hanging:
            first = link.intent_anchor_index + 1
            behind = [line for line in self.reading.lines[first : first + reach] if self._responds(line)]
            if behind and _whole(link.intent_text) and not _taken_up(behind[0], first):
                found.add(link.id)
        return found

    @cached_property
    def chapters(self) -> list[Chapter]:
        """The stretches of the session."""
        return chapters(self.reading)

    @cached_property
    def rolls(self) -> list[Roll]:
        """The calls for dice that were answered."""
        return rolls(self.reading)

    def tried(self, chapter: Chapter) -> list[CausalLink]:
        """Give what was tried in a chapter and came to something: the best of each of its parts, in order."""
        links = [
            link
            for link in self.reading.links
            if link.claimed and chapter.start <= link.intent_anchor_index <= chapter.end
        ]
        size = (chapter.end - chapter.start) // PARTS + 1
        best: dict[int, CausalLink] = {}
        for link in links:
            part = (link.intent_anchor_index - chapter.start) // size
            if part not in best or _telling(link) > _telling(best[part]):
                best[part] = link
        return [best[part] for part in sorted(best)]

    @cached_property
    def story(self) -> list[Beat]:
        """The largest beats, in the order of the story."""
        joined = [beat for beat in beats(self.reading) if beat.level]
        joined.sort(key=lambda beat: (-beat.strength_internal, beat.centre))
        return sorted(joined[:STORY_BEATS], key=lambda beat: (beat.centre, beat.id))

    def links_of(self, beat: Beat) -> list[CausalLink]:
        """Give the links of a beat in the order of their lines."""
        held = set(beat.links)
        return [link for link in self.reading.links if link.id in held]

    def name(self, actor: str) -> str:
        """Give the name of an actor."""
        return self._names.get(actor, actor)

    @cached_property
    def _names(self) -> dict[str, str]:
        return {speaker.actor.id: speaker.actor.name for speaker in self.reading.speakers.values()}

    @cached_property
    def actors(self) -> list[str]:
        """Who intends something, in the order of appearance."""
        return list(dict.fromkeys(link.actor for link in self.reading.links))

    def rows(self) -> Iterator[Line | tuple[ExcludedRange, Sequence[Line]]]:
        """Give the lines that count one by one, and each excluded run as a whole."""
        lines, place = self.reading.lines, 0
        for run in self.reading.excluded:
            yield from lines[place : run.start]
            yield run, lines[run.start : run.end + 1]
            place = run.end + 1
        yield from lines[place:]


def _whole(text: str) -> bool:
    """Say whether a text is a whole saying: no fragment, and no number alone."""
    return len(WORD.findall(text.lower())) >= SAYS and not text.rstrip().endswith("--")


def _taken_up(line: Line, first: int) -> bool:
    """Say whether a responder's next line nods to what stands right before it, or calls for a roll."""
    near = line.line_index - first <= 1
    return near and (not says_something(line) or consequence_of(line.content).type == "roll")


def _telling(link: CausalLink) -> tuple[bool, bool, bool, int, float, int]:
    """Rank links by how much they tell a reader: answers that say something, to what was meant strongly."""
    sizes = [len((text or "").split()) for text in (link.intent_text, link.consequence_text)]
    said = sum(min(size, WORDY) for size in sizes)
    strong, done = link.intent_strength == "strong", link.consequence_type in ("roll", "deterministic", "commitment")
    return sizes[1] >= SAYS, strong, done, said, link.score or 0.0, -link.intent_anchor_index


def reasons(run: ExcludedRange) -> str:
    """Say why a run is left out.

    >>> reasons(ExcludedRange(3, 5, ("ooc_hard", "noise")))
    '3 lines left out: out of character, noise'
    """
    size = run.end - run.start + 1
    return f"{size} line{'s' * (size > 1)} left out: {', '.join(REASON[reason] for reason in run.reasons)}"


def summary(view: View) -> str:
    """Say in a sentence or two what a reading found."""
    figures = view.reading.metrics
    by = figures.by_strength
    claimed = sum(rate.claimed for rate in by.values())
    skipped = ", ".join(f"{number} {why.replace('_', ' ')}" for why, number in view.reading.skipped.items() if number)
    return (
        f"{figures.intents} intents in {figures.lines} lines; {claimed} were answered ({figures.coverage:.0%}): "
        f"{by['strong'].claimed} of {by['strong'].intents} strong, {by['weak'].claimed} of {by['weak'].intents} weak. "
        f"{len(figures.contested)} responses were contested, {len(view.hanging)} strong intents were left hanging."
        + (f" Lines not looked at: {skipped}." if skipped else "")
    )


def cast(view: View) -> str:
    """Say who answers and who intends, and how far to trust the links."""
    speakers = view.reading.speakers.values()
    if view.by_model:
        by, because = view.reading.answering
        chosen = f", taken for what the lines look like ({because})" if because else ""
        return (
            f"Nobody is named as a responder. Who answers whom is said by the reply model {by}{chosen}: "
            f"{len(view.reading.replies)} replies, each with how likely it is. Intents are found by rules."
        )
    responders = sorted({speaker.actor.name for speaker in speakers if speaker.role == RESPONDER})
    named = [
        f"{speaker.actor.name} ({', '.join(speaker.actor.aliases)})"
        for speaker in dict.fromkeys(speakers)
        if speaker.role != RESPONDER and speaker.actor.aliases
    ]
    return (
        f"{', '.join(responders)} answers and decides"
        + (f"; the others are {', '.join(named)}" if named else "")
        + ". Intents are found by rules, a consequence by how near and how like it is: a link is a guess, its score "
        + "says how good a one, and under each intent are the others that could have been."
    )


def outcome(link: CausalLink) -> str:
    """Say what came of an intent."""
    if link.score is None:
        return "left hanging" if link.intent_strength == "strong" else "not answered"
    return f"line {link.consequence_anchor_index}, {CAME[link.consequence_type]}, score {link.score:.3f}"


def bidders(view: View, contested: Contested) -> Iterator[tuple[CausalLink, str]]:
    """Give every intent that wanted a response most, and what it got."""
    for line in contested.bidders:
        link = view.link_of[line]  # whoever bids has a link: a strong intent always, a weak one that claims
        if link.consequence_anchor_index == contested.line_index:
            yield link, "has it" if link.intent_strength == "strong" else "shares it"
        elif link.claimed:
            yield link, f"took line {link.consequence_anchor_index} instead"
        else:
            yield link, "got nothing"


def arithmetic(candidate: Candidate) -> str:
    """Say what made a score, and who has the line if somebody does."""
    parts = ", ".join(f"{name} {value:.3f}" for name, value in candidate.parts.items())
    taken = f"; went to line {candidate.taken_by}" if candidate.taken_by is not None else ""
    return f"{parts}{taken}"


def colophon(view: View) -> str:
    """Say how the reading was made."""
    rules = view.reading.parameters
    return (
        f"scorer {view.reading.scorer}, kernel {KERNEL_VERSION}, distance {rules.distance}, k_local {rules.k_local}, "
        f"thresholds {rules.strong_min_score:g} strong and {rules.weak_min_score:g} weak, "
        f"allocation {rules.allocation}, bridge {rules.bridge}"
    )
