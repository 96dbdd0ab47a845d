"""Why a causal link has its score, what links two moments, and what an actor or a moment is known for."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from asterism.core.dialogue.answering import RESPONDERS
from asterism.core.dialogue.fold import ANSWERED, CAUSED, ORDER, Transcripts
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.payloads import Moment, Said, SaidActor, session_key
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.explain import Added, Asked, Explains, changed
from asterism.core.ledger.items import Item, cut
from asterism.core.ledger.model import Line, Why, link_id
from asterism.hints import Hint, in_python, step

if TYPE_CHECKING:  # whoever folds readings need not know how they are made
    from asterism.core.dialogue.traces import Trace

TINY = 1e-9
OWN = 1.0  # what every node weighs that was not made by a walk
SHOWN = 5  # links of a moment, sessions of an actor
PARTS = {"p": "how likely it answers the line itself", "carried": "and the lines that carry the intent on"}


# Causal links and traces


def why_other(asked: Asked[Transcripts], subject: object) -> Why | None:
    """Explain a causal link, given or named, or the trace of one."""
    from asterism.core.dialogue.traces import Trace

    if isinstance(subject, Trace):
        return why_trace(subject)
    name = subject.id if isinstance(subject, CausalLink) else subject
    link = causal_link(asked.fold, name) if isinstance(name, str) else None
    return None if link is None else why_causal(asked.fold, link)


def causal_link(transcripts: Transcripts, name: str) -> CausalLink | None:
    """Find a causal link by its id, or by "SESSION:LINE": the line of its intent, or else of its consequence."""
    session, _, line = name.rpartition(":")
    if not session:
        if name.count("-") != 4:  # no UUID
            return None
        return next((link for link in transcripts.causal_links() if link.id == name), None)
    if not line.isdecimal() or transcripts.said(session) is None:
        return None
    links, number = list(transcripts.causal_links(session)), int(line)
    begins = [link for link in links if link.intent_anchor_index == number]
    ends = [link for link in links if link.consequence_anchor_index == number]
    return next(iter([*begins, *ends]), None)


def why_causal(transcripts: Transcripts, link: CausalLink) -> Why:
    """Explain a causal link's score; one that nobody answered has none."""
    notes = [
        f"session {link.session_id}: line {link.intent_anchor_index} ({link.intent_type}, rule {link.rule}) "
        + (
            "that nobody answered"
            if link.consequence_anchor_index is None
            else f"to line {link.consequence_anchor_index} ({link.consequence_type}), distance {link.distance}"
        )
    ]
    said = transcripts.said(link.session_id)
    if link.score is None or said is None:
        return Why(link.id, "score", (), 0.0, tuple(notes))
    notes.append(f"scored by {said.scorer}")
    notes += answered_by(said)
    if said.scorer == "seed":
        lines = _seed_lines(link, DialogueParameters.build("seed", _known(json.loads(said.parameters))))
    else:
        lines = [Line(f"how likely it is, by the scorer {said.scorer}", link.score)]
        traced = in_python(" with traces=True, and why(trace)", otherwise=", and trace it")
        notes.append(Hint("what made it: read the transcript again", traced))
    rest = link.score - sum(line.value for line in lines)
    if rest != 0.0:
        lines.append(Line("rounding" if abs(rest) <= TINY else "as the reading saw it", rest))
    return Why(link.id, "score", tuple(lines), link.score, tuple(notes))


def answered_by(said: Said) -> list[str]:
    """Say which reply model says who answers whom in a session, and why it was taken; nothing by responders."""
    by, because = said.answering
    chosen = f", taken because of what the lines look like: {because}" if because else ""
    return [] if by == RESPONDERS else [f"who answers whom is said by the reply model {by}{chosen}"]


def _known(values: dict[str, float | int | str]) -> dict[str, float | int | str]:
    """Take the parameters this version knows; a reading of another one may have had more."""
    known = DialogueParameters().to_dict()
    return {name: value for name, value in values.items() if name in known}


def _seed_lines(link: CausalLink, p: DialogueParameters) -> list[Line]:
    """Give the seed's score as a sum: hill x (1 + weight x lexical) + boost (05)."""
    from asterism.core.dialogue.scoring import hill, is_yes_no_answer, lexical, tokens_of

    assert link.distance is not None
    answer = link.consequence_text or ""
    near = hill(link.distance, tau=p.hill_tau, power=p.hill_power)
    shared = lexical(tokens_of(link.intent_text), tokens_of(answer))
    lines = [Line(f"nearness at distance {link.distance}", near)]
    if shared:
        told = f"words in common: nearness {near:.4f} x {p.lexical_weight:g} x {shared:.4f}"
        lines.append(Line(told, near * p.lexical_weight * shared))
    if link.intent_type == "question" and is_yes_no_answer(answer):
        lines.append(Line("a question, answered with yes or no", p.answer_boost))
    return lines


def why_trace(trace: Trace) -> Why:
    """Explain the score of what an intent claimed by the parts that its scorer told of."""
    name = f"line {trace.intent_anchor_index}"
    won = next((each for each in trace.candidates if each.line_index == trace.winner), None)
    others = tuple(
        f"line {each.line_index}, distance {each.distance}: {each.score:.4f}"
        + (f", went to the intent of line {each.taken_by}" if each.taken_by is not None else "")
        for each in trace.candidates
        if each is not won
    )
    if won is None:
        return Why(name, "score", (), 0.0, (trace.why, *others))
    parts = won.parts
    if "nearness" in parts:
        lines = [Line(f"nearness at distance {won.distance}", parts["nearness"])]
        lines.append(Line(f"words in common {parts['lexical']:.4f}", won.score - parts["nearness"] - parts["answer"]))
        lines.append(Line("a question, answered with yes or no", parts["answer"]))
    else:
        lines = [Line(told, parts[part]) for part, told in PARTS.items() if part in parts]
        lines = lines or [Line("score", won.score)]
    rest = won.score - sum(line.value for line in lines)
    if rest != 0.0:
        lines.append(Line("rounding, or a share that was closed to it", rest))
    features = tuple(f"{part} {value:+.4f}" for part, value in parts.items() if part.startswith("logit."))
    return Why(name, "score", tuple(line for line in lines if line.value), won.score, (trace.why, *features, *others))


# Links of moments


def why_link(asked: Asked[Transcripts], a: str, b: str, kind: str) -> Why | None:
    """Explain what links two moments: that one caused the other, or else that it came next."""
    found = why_caused(asked.fold, a, b) if kind in ("", CAUSED) else None
    found = found or (why_answered(asked.fold, a, b) if kind in ("", ANSWERED) else None)
    return found or (why_order(asked.fold, a, b) if kind in ("", ORDER) else None)


def why_answered(transcripts: Transcripts, a: str, b: str) -> Why | None:
    """Explain an `answered` link: how likely the later line answers the earlier."""
    for said in transcripts.each():
        ids = {moment.line_index: moment.id for moment in said.moments} if said.replies else {}
        for line, head, p in said.replies:
            if {ids[line], ids[head]} == {a, b}:
                told = Line(f"how likely line {line} answers line {head}", p)
                return Why(link_id(a, b, ANSWERED), "strength", (told,), p, tuple(answered_by(said)))
    return None


def why_caused(transcripts: Transcripts, a: str, b: str) -> Why | None:
    """Explain a `caused` link, the strongest of these ends: its score, and 1 at most."""
    called, best = transcripts.prefixes(), None
    for link in transcripts.causal_links():
        line, name = link.consequence_anchor_index, called[session_key(link.session_id)]
        if link.score is None or {f"{name}/{link.intent_anchor_index}", f"{name}/{line}"} != {a, b}:
            continue
        told, strength = why_causal(transcripts, link), min(1.0, link.score)
        capped = (Line("a strength is 1 at most", 1.0 - link.score),) if link.score > 1 else ()
        notes = (*told.notes, Hint("its score: ", step("why", link.id)))
        found = Why(link_id(a, b, CAUSED), "strength", (*told.lines, *capped), strength, notes)
        best = found if best is None or found.total > best.total else best
    return best


def why_order(transcripts: Transcripts, a: str, b: str) -> Why | None:
    """Explain an `order` link."""
    for made in transcripts.structural():
        if made.kind == ORDER and {made.a, made.b} == {a, b}:
            line = Line("one moment follows the other for certain", made.strength)
            return Why(link_id(a, b, ORDER), "strength", (line,), made.strength)
    return None


# Nodes


def why_node(asked: Asked[Transcripts], node: str) -> Why | None:
    """Explain what an actor or a moment weighs by itself; walks may have given it more."""
    transcripts = asked.fold
    if (actor := next((each for each in transcripts.actors() if each.id == node), None)) is not None:
        notes = _of_actor(transcripts, actor)
    elif (moment := next((each for each in transcripts.moments() if each.id == node), None)) is not None:
        notes = _of_moment(transcripts, moment)
    else:
        return None
    return Why(node, "weight", (Line("what every node weighs by itself", OWN),), OWN, tuple(notes))


def _of_actor(transcripts: Transcripts, actor: SaidActor) -> list[str]:
    """Say how often an actor speaks, and where."""
    said = Counter(moment.session for moment in transcripts.moments() if moment.actor == actor.id)
    notes = [f"{actor.name} speaks in {sum(said.values())} lines"]
    notes += [f"{count} of them in {session}" for session, count in list(said.items())[:SHOWN]]
    return [*notes, *([f"and in {len(said) - SHOWN} more sessions"] if len(said) > SHOWN else [])]


def _of_moment(transcripts: Transcripts, moment: Moment) -> list[str]:
    """Say who said what, and what it led to."""
    links = [
        link
        for link in transcripts.causal_links(moment.session)
        if moment.line_index in (link.intent_anchor_index, link.consequence_anchor_index)
    ]
    return [
        f"{moment.actor or 'nobody'} in {moment.session}, line {moment.line_index}, "
        f"{to_datetime(moment.at_ms * 1000):%Y-%m-%d %H:%M}: {json.dumps(cut(moment.content), ensure_ascii=False)}",
        *_replies_of(transcripts, moment),
        *(f"in the causal link {link.id}" for link in links[:SHOWN]),
        *([f"and in {len(links) - SHOWN} more"] if len(links) > SHOWN else []),
    ]


def _replies_of(transcripts: Transcripts, moment: Moment) -> list[str]:
    """Say what a line answers, and which lines answer it, where a reply model said so."""
    said = transcripts.said(moment.session)
    if said is None or not said.replies:
        return []
    own = [f"it answers line {each.head} (p {each.p:.2f})" for each in said.replies if each.line == moment.line_index]
    by = [f"line {each.line} (p {each.p:.2f})" for each in said.replies if each.head == moment.line_index]
    more = f" and {len(by) - SHOWN} more" if len(by) > SHOWN else ""
    notes = own + ([f"it is answered by {', '.join(by[:SHOWN])}{more}"] if by else [])
    return [*notes, *answered_by(said)] if notes else []


# Items


def added(asked: Asked[Transcripts], item: Item) -> Added:
    """Tell the links that a reading made, or took away."""
    transcripts = asked.before(item).fold
    old = _strengths(transcripts)
    transcripts.apply(item)
    said = transcripts.said(str(item.payload["session"]))
    notes = [] if said is None else [f"{said.lines} lines, {len(said.moments)} moments, scorer {said.scorer}"]
    return Added("strength", changed(old, _strengths(transcripts)), notes)


def _strengths(transcripts: Transcripts) -> dict[str, float]:
    return {link_id(each.a, each.b, each.kind): each.strength for each in transcripts.structural()}


EXPLAINS: Explains[Transcripts] = Explains(node=why_node, link=why_link, item=added, other=why_other)
