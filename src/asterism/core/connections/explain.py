"""Why a number is what it is: the fold is run again with someone watching, and every stage says what it added.

The lines telescope: each is the value after a stage less the value before it, so they add up to the stored number.
"""

from __future__ import annotations

from asterism.core.connections.daily_granger import granger_p
from asterism.core.connections.day import Graph, Rules
from asterism.core.connections.decay import days_to_half, star_half_life
from asterism.core.connections.evidence import timing_variance
from asterism.core.connections.fold import Connections
from asterism.core.connections.found_why import many
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.read import link_at, link_confidence, star_at
from asterism.core.connections.tables import NOT_FORMED
from asterism.core.connections.telling import TINY, LinkTelling, Telling, decay_text
from asterism.core.connections.today import StarAct, StarDay
from asterism.core.connections.words import Direction, LinkKind, LinkState, domain_word, word
from asterism.core.ledger.calendar import MICROS_PER_DAY, to_date
from asterism.core.ledger.model import Why, link_id


class LinkWatch:
    """Watches one pair."""

    def __init__(self, folded: Connections, a: str, b: str) -> None:
        self.folded = folded
        self.ends = (a, b)
        self.telling = LinkTelling()
        self._row: int | None = None
        row = self.row()
        if row is not None and folded.day is not None:
            today = folded.link_days.get(row)
            self.telling.value = today.start.strength if today else float(folded.graph.links.strength[row])
            self.telling.say(f"strength in the checkpoint of {to_date(folded.day)}", self.telling.value)

    def row(self) -> int | None:
        """Find the row of the pair, once there is one: it stays that."""
        if self._row is None:
            self._row = row_of(self.folded, *self.ends)
        return self._row

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Note what a stage did to the pair's strength."""
        row = self.row()
        if row is None:
            return
        rules, strength = self.folded.rules, float(graph.links.strength[row])
        if stage == "items":
            self.telling.items(day, strength, self.folded.link_days.get(row), rules)
        elif stage == "decay":
            self.telling.decay(day, strength, lambda: _decay_text(graph, row, day, rules))
        else:
            self.telling.stage(stage, day, strength)

    def slept(self, day: int, until: int, graph: Graph) -> None:  # noqa: ARG002  # how long does not matter
        """Days that leave the pair as it is are no part of its story."""
        row = self.row()
        if row is not None:
            self.telling.value = float(graph.links.strength[row])


def _decay_text(graph: Graph, row: int, day: int, rules: Rules) -> str:
    ends = (graph.links.a[row], graph.links.b[row])
    idle = day - max(int(graph.stars.last_engaged[end]) for end in ends)
    excavating = rules.excavating(day, graph.first_star_day)
    return decay_text(graph.links.kind.item(row), idle_days=idle, excavating=excavating, rules=rules)


def row_of(folded: Connections, a: str, b: str) -> int | None:
    """Find the row of a pair, if something was ever said of it."""
    rows = folded.nodes.rows
    first, second = rows.get(a), rows.get(b)
    return None if first is None or second is None else folded.pairs.get(first, second)


def why_link(watch: LinkWatch, *, day: int) -> Why | None:
    """Finish the story of a link that was watched; None when the pair never was one."""
    return why_told(watch.folded, watch.ends, watch.telling, day=day)


def why_told(folded: Connections, ends: tuple[str, str], telling: LinkTelling, *, day: int) -> Why | None:
    """Finish a link's story, told up to the open day; None when the pair never was one."""
    row = row_of(folded, *ends)
    if row is None or not folded.graph.links.raw[row]:
        return None
    stored = float(folded.graph.links.strength[row])
    telling.items(day, stored, folded.link_days.get(row), folded.rules)
    telling.rest()
    return Why(
        subject=link_id(*ends),
        number="strength",
        lines=tuple(telling.lines),
        total=stored,
        notes=tuple(_link_notes(folded, row, day)),
    )


def _link_notes(folded: Connections, row: int, day: int) -> list[str]:
    graph, p = folded.graph, folded.parameters
    table = graph.links
    seen = link_at(folded, row)
    notes = []
    if table.latent[row]:
        notes.append("not a link yet: one co-mention is kept until any second item comes")
    idle = day - table.last_day.item(row)
    notes.append(
        f"state {seen.state}: strength {seen.strength:.4f}, effective evidence {seen.evidence.effective:g} "
        f"of {many(seen.evidence.raw, 'item')}, {many(idle, 'day')} since the last"
    )
    variance = timing_variance(
        items=seen.evidence.raw,
        span_days=(table.last_at.item(row) - table.first_at.item(row)) / MICROS_PER_DAY,
        gap_squares=table.gap_squares.item(row),
    )
    base: float = getattr(p, "base_confidence_user_assigned" if seen.assigned else f"base_confidence_{seen.kind}")
    share = min(seen.evidence.effective / p.evidence_saturation, 1.0)
    notes.append(
        f"confidence {link_confidence(folded, row):.4f} = base {base:g} x evidence {share:g} "
        f"x (1 - timing variance {variance:.4f})"
    )
    notes.append(_type_note(folded, row, day, seen.kind, assigned=seen.assigned))
    if seen.holds and table.state.item(row) > LinkState.DORMANT:
        notes.append("days on which both ends are told a value renew it: it does not fade then")
    if seen.state == LinkState.NASCENT.name and seen.evidence.raw == 1:
        notes.append(f"without a second item it dissolves after {p.dormancy_nascent} idle days")
    elif seen.state == LinkState.DORMANT.name:
        notes.append("asleep, it does not fade; evidence wakes it")
    elif seen.strength > p.floor and seen.state != LinkState.DISSOLVED.name:
        basis = table.held_state if p.dormancy_basis == "held" else table.state
        left = folded.rules.rungs.dormancy_days.item(basis.item(row)) - (day - table.fed_day.item(row))
        notes.append(_idle_note(seen.strength, seen.kind, left, p))
    return notes


def _idle_note(strength: float, kind: str, left: int, parameters: ConnectionParameters) -> str:
    """Say what becomes of a link that nobody touches: it is half as strong one day, or asleep before that."""
    half = days_to_half(strength, kind=LinkKind[kind.upper()], parameters=parameters)
    if half is not None and half <= left:
        nominal: float = getattr(parameters, f"half_life_{kind}")
        return f"idle, it would be half as strong in {many(half, 'day')} (nominal half-life {nominal:g})"
    return f"idle, it would be asleep in {many(left, 'day')} at the latest, more than half as strong, and not fade then"


def _type_note(folded: Connections, row: int, day: int, kind: str, *, assigned: bool) -> str:
    graph = folded.graph
    a, b = graph.links.a.item(row), graph.links.b.item(row)
    both_stars = all(graph.stars.born_day[end] != NOT_FORMED for end in (a, b))
    found = bool(graph.links.found[row])
    by = "found in told values" if found else "detected"
    by = "an end is DARK" if kind == word(LinkKind.SHADOW_MIRROR) else by
    text = f"type {kind}: {'assigned by the user' if assigned else by}"
    if not both_stars:
        return text
    granger = _granger_note(folded, a, b, day)
    if found:  # it takes nothing from detection
        return f"{text}; {granger}, not used"
    seen = folded.look_yesterday(a, b, day)
    correlation, causation = float(seen.correlation[0]), float(seen.causation.confidence[0])
    parts = [
        "no correlation (too few days with both values)"
        if correlation != correlation
        else f"correlation {correlation:.3f}"
    ]
    lags = int(seen.causation.lags[0])
    lag = float(seen.causation.lag_hours[0])
    causes = f"causation confidence {causation:.3f} from {lags} lags"
    if lags >= folded.parameters.min_causation_observations:
        arrow = word(Direction(int(seen.causation.direction[0]))).replace("_", " ")
        causes += f" of mean {lag:.1f} h ({arrow})"
        if not causation:
            causes += ", because their spread is as large as their mean"
    parts.append(causes)
    return f"{text}; {'; '.join([*parts, granger])}"


def _granger_note(folded: Connections, a: int, b: int, day: int) -> str:
    ring, stars = folded.graph.ring, folded.yesterday().stars
    forward, backward = (
        granger_p(ring, stars, *pair, day=day - 1, parameters=folded.parameters) for pair in ((a, b), (b, a))
    )
    return f"Granger p {_p(forward)} a to b, {_p(backward)} b to a"


def _p(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


class StarWatch:
    """Watches one star."""

    def __init__(self, folded: Connections, node_id: str) -> None:
        self.folded = folded
        self.node_id = node_id
        self.telling = Telling()
        row = self.row()
        if row is not None and folded.day is not None:
            today = folded.star_days.get(row)
            self.telling.value = today.start.brightness if today else float(folded.graph.stars.brightness[row])
            self.telling.say(f"brightness in the checkpoint of {to_date(folded.day)}", self.telling.value)

    def row(self) -> int | None:
        """Find the row of the star, once it is one."""
        row = self.folded.nodes.rows.get(self.node_id)
        if row is None or row >= self.folded.graph.stars.size:
            return None
        return None if self.folded.graph.stars.born_day[row] == NOT_FORMED else row

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Note what a stage did to the star's brightness."""
        row = self.row()
        if row is None:
            return
        telling, now = self.telling, float(graph.stars.brightness[row])
        change, telling.value = now - telling.value, now
        if stage == "items":
            self.tell_items(day, change)
        elif abs(change) <= TINY:
            telling.value -= change
        elif stage == "star decay":
            domain = graph.stars.domain.item(row)
            half_life = star_half_life(domain, self.folded.parameters)
            telling.repeat(f"decay, {domain_word(domain) or 'no domain:'} half-life {half_life:g} d", day, change)
        else:
            telling.repeat("influence of its links, clamped, and rounding", day, change)

    def slept(self, day: int, until: int, graph: Graph) -> None:
        """Days that leave the star as it is are no part of its story."""

    def tell_items(self, day: int, change: float) -> None:
        """Tell the open day's acts as one line."""
        row = self.row()
        today = self.folded.star_days.get(row) if row is not None else None
        if today is not None and (abs(change) > TINY or today.added):
            self.telling.say(f"{to_date(day)}: {_acts_text(today)}", change)


def _acts_text(today: StarDay) -> str:
    words = ["added"] if today.added else []
    for _, _, act, value in today.acts:
        name = StarAct(act).name.lower().replace("_", " ")
        words.append(f"{name} {value:g}" if act in (StarAct.OBSERVED, StarAct.ENGAGED) else name)
    shown = words if len(words) <= 4 else [*words[:3], f"and {len(words) - 3} more"]
    return ", ".join(shown)


def why_star(watch: StarWatch, *, day: int) -> Why | None:
    """Finish the story of a star; None when there is none."""
    row, folded = watch.row(), watch.folded
    if row is None:
        return None
    seen = star_at(folded, row, connections=0)
    watch.tell_items(day, seen.brightness - watch.telling.value)
    watch.telling.rest()
    notes = [f"state {seen.state}: variance {seen.variance:.4f}, {seen.days_stable} stable days"]
    if seen.boost:
        notes.append(f"each engagement counts {1 + seen.boost:g} times: a bright enabler")
    if seen.cap < 1:
        notes.append(f"blocked: brightness is held at {seen.cap:.4f}")
    return Why(seen.id, "brightness", tuple(watch.telling.lines), seen.brightness, tuple(notes))
