"""Why a causal link has its score: nearness, words in common and the form of an answer, or the reply table's parts."""

from __future__ import annotations

import json

from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.scoring import hill, is_yes_no_answer, lexical, tokens_of
from asterism.core.dialogue.traces import Trace
from asterism.core.ledger.model import Line, Why
from asterism.core.space.projection import Projection
from asterism.hints import Hint, in_python

TINY = 1e-9


def causal_link(folded: Projection, name: str) -> CausalLink | None:
    """Find a causal link by its id, or by "SESSION:LINE": the line of its intent, or else of its consequence."""
    session, _, line = name.rpartition(":")
    if not session:
        if name.count("-") != 4:  # no UUID
            return None
        return next((link for link in folded.transcripts.causal_links() if link.id == name), None)
    if not line.isdecimal() or folded.transcripts.said(session) is None:
        return None
    links, number = list(folded.transcripts.causal_links(session)), int(line)
    begins = [link for link in links if link.intent_anchor_index == number]
    ends = [link for link in links if link.consequence_anchor_index == number]
    return next(iter([*begins, *ends]), None)


def why_causal(folded: Projection, link: CausalLink) -> Why:
    """Explain a causal link's score; one that nobody answered has none."""
    notes = [
        f"session {link.session_id}: line {link.intent_anchor_index} ({link.intent_type}, rule {link.rule}) "
        + (
            "that nobody answered"
            if link.consequence_anchor_index is None
            else f"to line {link.consequence_anchor_index} ({link.consequence_type}), distance {link.distance}"
        )
    ]
    said = folded.transcripts.said(link.session_id)
    if link.score is None or said is None:
        return Why(link.id, "score", (), 0.0, tuple(notes))
    notes.append(f"scored by {said.scorer}")
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


def _known(values: dict[str, float | int | str]) -> dict[str, float | int | str]:
    """Take the parameters this version knows; a reading of another one may have had more."""
    known = DialogueParameters().to_dict()
    return {name: value for name, value in values.items() if name in known}


def _seed_lines(link: CausalLink, p: DialogueParameters) -> list[Line]:
    """Give the seed's score as a sum: hill x (1 + weight x lexical) + boost (05)."""
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


PARTS = {"p": "how likely it answers the line itself", "carried": "and the lines that carry the intent on"}
