"""The plain fold: connections and stars by dicts and loops, to be read beside docs/connections.md.

It shares no arithmetic with the package, only the names of constants and words. A day's items are kept until the
day ends and then walked as a set; `now` shows what the open day already shows. It is slow on purpose: each formula
stands where the page has it.
"""

from __future__ import annotations

import copy

from asterism.core.connections.words import CO_MENTIONS, CONFIRMING, EvidenceKind, LinkKind, LinkState, StarState
from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of
from asterism.core.ledger.items import Item
from tests.support.plain_predictions import PlainPredictions
from tests.support.plain_state import STAR_ACTS, Causation, Detected, Pair, PlainLink, PlainStar, above, at_least, below


class PlainFold(PlainPredictions):
    """A space folded day by day."""

    def apply(self, item: Item) -> None:
        """Take one item, in the order (at, id); days that ended before it are ended."""
        if self.day is None:
            self.day = day_of(item.at)
        self.close_days(day_of(item.at))
        self.items.append(item)

    def read(self, item: Item) -> None:
        """Take the reading of a transcript, before any of its evidence; the latest of a session counts."""
        session = " ".join(str(item.payload["session"]).lower().split())
        known = self.readings.get(session)
        if known is None or item.position > known.position:
            self.readings[session] = item

    def counts(self, item: Item) -> bool:
        """Say whether evidence counts: that of a reading only while it is the latest of its session."""
        reading = item.payload.get("reading")
        return reading is None or reading in [each.id.hex() for each in self.readings.values()]

    def close_days(self, until: int) -> None:
        """End every day before the given one."""
        while self.day is not None and self.day < until:
            self.end_day()

    def now(self) -> PlainFold:
        """What the open day shows before it ends."""
        shown = copy.deepcopy(self)
        shown.walk_items()
        return shown

    # --- inside a day ----------------------------------------------------------------------------------------

    def walk_items(self) -> None:
        """Do what the day's items say: stars in order, then each pair as a set."""
        items = sorted((item for item in self.items if self.counts(item)), key=lambda item: item.position)
        added = [day_of(item.at) for item in items if item.what == "star_added"]
        if self.first_star is None and added:
            self.first_star = min(added)
        for item in items:  # a star is there for the whole of its first day
            if item.what == "star_added":
                self.act(item)
        discovered = self.discovered() if any(item.what == "discovery" for item in items) else {}
        evidence: dict[Pair, list[tuple[int, EvidenceKind]]] = {}
        findings: dict[Pair, list[Item]] = {}
        for pair, seen in discovered.items():  # by the days before today, so as the day begins, and once
            evidence[pair] = [(self.today * MICROS_PER_DAY, kind) for kind in seen.evidence]
            link = self.links.setdefault(pair, PlainLink(*pair))
            if not link.assigned:
                link.kind, link.direction = seen.kind, seen.direction
            link.causation, link.lag_direction = seen.causation, seen.lag_direction
            link.evaluated, link.raw_evaluated = self.today, link.raw + len(seen.evidence)
        denials: dict[Pair, int] = {}
        types: dict[Pair, tuple[LinkKind, str]] = {}
        for item in items:
            told = item.payload
            if item.what in ("evidence", "denied", "type_assigned"):
                pair = (str(told["a"]), str(told["b"]))
                if "finding" in told:
                    findings.setdefault(pair, []).append(item)
                elif item.what == "evidence":
                    kind = EvidenceKind[str(told["kind"]).upper()]
                    evidence.setdefault(pair, []).append((item.at, kind))
                    for end in pair:
                        self.engaged.setdefault(end, set()).add(self.today)
                        if end in self.stars:
                            self.see(self.stars[end], wake=True)
                elif item.what == "denied":
                    denials[pair] = denials.get(pair, 0) + 1
                else:
                    types[pair] = (LinkKind[str(told["kind"]).upper()], str(told["direction"]))
            elif item.what in STAR_ACTS:
                self.act(item)
        self.todays = {}
        for pair in sorted(evidence.keys() | denials.keys() | types.keys() | findings.keys()):
            found = sorted(findings.get(pair, []), key=lambda item: (str(item.payload["until"]), item.position))
            self.fold_pair(pair, evidence.get(pair, []), denials.get(pair, 0), types.get(pair), found)

    def see(self, star: PlainStar, *, wake: bool) -> None:
        """Note an item about a star."""
        star.seen, star.archived = self.today, False
        if wake and star.state is StarState.DORMANT:
            star.state = StarState.FLICKERING

    def act(self, item: Item) -> None:
        """Do what one item says of one star."""
        p, told = self.p, item.payload
        name = str(told["star"])
        if item.what == "star_added":
            if name not in self.stars:
                new = p.new_star_brightness
                domain = str(told.get("domain", "no_domain"))
                self.stars[name] = PlainStar(name, domain, self.today, new, new, p.initial_variance, seen=self.today)
            return
        if name not in self.stars:
            return
        star = self.stars[name]
        first = star.state is StarState.NASCENT
        self.see(star, wake=item.what in ("engaged", "brightness_observed"))
        if item.what in ("engaged", "acknowledged") and first:
            star.brightness, star.state = p.acknowledged_brightness, StarState.FLICKERING
        elif item.what == "engaged":
            gain = float(str(told["impact"])) * (1 + star.boost)
            gain = min(gain, p.max_daily_brightness_gain - star.gained, 1 - star.brightness)
            star.gained += gain
            star.brightness += gain
        elif item.what == "brightness_observed":
            value = float(str(told["value"]))
            if star.observed is not None and at_least(abs(value - star.observed), p.event_threshold):
                star.events.append((item.at, value - star.observed))
            star.brightness = star.observed = value
            star.observed_days.add(self.today)
            if first:
                star.state = StarState.FLICKERING
        elif item.what == "contradicted":
            star.contradictions += 1
            if star.contradictions >= p.dark_contradictions:
                star.state = StarState.DARK
        elif item.what == "dark_marked":
            star.marked, star.state = True, StarState.DARK
        elif item.what == "dark_disputed":
            star.marked, star.contradictions = False, 0
            if star.state is StarState.DARK:
                star.state = StarState.DIM
        if item.what == "engaged":
            self.engaged.setdefault(name, set()).add(self.today)
        if item.what in ("engaged", "brightness_observed"):
            star.valued.add(self.today)

    def fold_pair(
        self,
        pair: Pair,
        evidence: list[tuple[int, EvidenceKind]],
        denials: int,
        assigned: tuple[LinkKind, str] | None,
        findings: list[Item],
    ) -> None:
        """Fold a day's items of one pair: gains, then the assigned type, what was found, then denials."""
        p = self.p
        link = self.links.setdefault(pair, PlainLink(*pair))
        counting = self.counting(link, findings)
        if counting:
            evidence = [*evidence, (counting.at, EvidenceKind[str(counting.payload["kind"]).upper()])]
        if evidence:
            if link.state is LinkState.DISSOLVED:
                link = self.links[pair] = self.new_life(link)
            kinds = [kind for _, kind in evidence]
            link.strength = min(p.max_strength, link.strength + self.day_total(kinds, self.factor(link)))
            link.times = sorted([*link.times, *(at for at, _ in evidence)])
            link.latent = link.raw == 1 and kinds[0] in CO_MENTIONS and not self.excavating
            link.effective += len(evidence)
            link.fed = self.today
            link.state = link.held = self.rung(link)
            self.todays[pair] = kinds
        if assigned and link.state is not LinkState.DISSOLVED:
            link.kind, link.direction = assigned
            link.assigned = True
        if link.state is not LinkState.DISSOLVED:
            self.speak(link, findings)
            link.found_day = self.today if counting else link.found_day
        else:  # of an ended link, only that it no longer holds
            self.speak(link, [item for item in findings if item.payload["finding"] == "gone"])
        link.denied = denials > 0 or (link.denied and not {kind for _, kind in evidence} & CONFIRMING)
        for _ in range(denials if link.raw else 0):
            if link.state >= LinkState.WEAK and link.strength > p.denial_cost:
                link.strength -= p.denial_cost
                link.state = self.rung(link)
            else:
                self.dissolve(link)

    def counting(self, link: PlainLink, findings: list[Item]) -> Item | None:
        """Give the finding of the day that counts as evidence: one in a week, and it must have seen newer values."""
        if link.found_day is not None and self.today - link.found_day < self.p.finding_interval:
            return None
        new = [item for item in findings if item.payload["finding"] == "holds"]
        new = [item for item in new if str(item.payload["until"]) > link.found_until]
        return new[-1] if new else None

    def speak(self, link: PlainLink, findings: list[Item]) -> None:
        """Let findings say what a link is; who saw older values than the last one says nothing."""
        for item in findings:
            told = item.payload
            if str(told["until"]) < link.found_until:
                continue
            link.found_until = str(told["until"])
            if told["finding"] == "gone":
                link.found = "gone" if link.found else ""
                continue
            r, direction = float(str(told["r"])), str(told["direction"])
            link.found, link.evaluated, link.lag_direction = "holds", None, direction
            link.causation = Causation(0.0, None, r > 0)
            if direction != "none":
                link.causation = Causation(abs(r), 24.0 * int(str(told["lag_days"])), r > 0)
            if not link.assigned:
                link.kind, link.direction = self.found_kind(link), direction

    def found_kind(self, link: PlainLink) -> LinkKind:
        """The kind that findings give a link."""
        if link.lag_direction != "none":
            return LinkKind.CAUSATION
        return LinkKind.RESONANCE if link.causation.same_sign else LinkKind.TENSION

    def new_life(self, link: PlainLink) -> PlainLink:
        """Begin again from nothing; what was counted of findings is not forgotten."""
        return PlainLink(link.a, link.b, found_day=link.found_day, found_until=link.found_until, denied=link.denied)

    def dissolve(self, link: PlainLink) -> None:
        """End a life; its evidence is shown but counts no more."""
        link.state, link.strength, link.effective = LinkState.DISSOLVED, 0.0, 0.0

    @property
    def excavating(self) -> bool:
        """Whether today is one of the space's first dates."""
        first = self.first_star
        return first is not None and first <= self.today < first + self.p.excavation_days

    def factor(self, link: PlainLink) -> float:
        """What multiplies each gain of the day."""
        p = self.p
        ages = [self.today - day_of(at) for at in link.times]
        stale = any(1 <= age <= p.freshness_days for age in ages)
        factor = p.freshness_stale if stale else p.freshness_fresh
        if self.excavating:
            factor *= p.excavation_evidence_impact
        busy = max(self.connections.get(link.a, 0), self.connections.get(link.b, 0))
        if busy > p.soft_cap and link.state_began < LinkState.WEAK:
            factor *= p.soft_cap / busy
        return factor

    def day_total(self, kinds: list[EvidenceKind], factor: float) -> float:
        """Diminishing returns and the daily cap over a day's items."""
        p = self.p
        gains = []
        for kind in kinds:
            name = kind.name.lower()
            impact: float = getattr(p, f"impact_{name}")
            multiplier: float = getattr(p, f"multiplier_{name}")
            confidence: float = getattr(p, f"confidence_{name}")
            gains.append(impact * multiplier * confidence * factor)
        total = 0.0
        weights = (1.0, p.diminishing_second, p.diminishing_third)
        for place, gain in enumerate(sorted(gains, reverse=True)):
            total += gain * (weights[place] if place < len(weights) else p.diminishing_rest)
        return min(total, p.max_daily_strength_gain)

    def rung(self, link: PlainLink) -> LinkState:
        """Seed 2.1 without dormancy."""
        p, s, e = self.p, link.strength, link.effective
        if at_least(s, p.strength_moderate_max) and e >= p.evidence_for_strong:
            return LinkState.STRONG
        if at_least(s, p.strength_weak_max) and e >= p.evidence_for_moderate:
            return LinkState.MODERATE
        if at_least(s, p.strength_forming_max) and e >= p.evidence_for_weak:
            return LinkState.WEAK
        if at_least(s, p.strength_nascent_max) and e >= p.evidence_for_forming:
            return LinkState.FORMING
        return LinkState.NASCENT

    def discovered(self) -> dict[Pair, Detected]:
        """Test the unlinked pairs of recently engaged stars, by the days before today."""
        yesterday = self.today - 1
        window = range(self.today - self.p.engagement_days, self.today)
        told = [name for name in sorted(self.stars) if self.stars[name].observed_days & set(window)]
        recent = [name for name in told if self.engaged.get(name, set()) & set(window)]
        recent = recent[: self.p.discover_max_stars]
        found = {}
        for place, a in enumerate(recent):
            for b in recent[place + 1 :]:
                link = self.links.get((a, b), PlainLink(a, b))
                if not link.exists and link.state is not LinkState.DISSOLVED:
                    seen = self.detect(a, b, yesterday)
                    if seen.evidence:
                        found[a, b] = seen
        return found

    # --- the day's end ---------------------------------------------------------------------------------------

    def end_day(self) -> None:
        """End the open day, in the page's order."""
        self.walk_items()
        self.items = []
        own = {name: self.fade_star(star) for name, star in sorted(self.stars.items())}
        self.predict()
        for _, link in sorted(self.links.items()):
            self.fade_link(link)
        for _, link in sorted(self.links.items()):
            if link.alive and self.due(link):
                self.evaluate(link)
        for _, link in sorted(self.links.items()):
            self.settle_link(link)
        self.influence(own)
        for star in self.stars.values():
            self.settle_star(star)
        self.prepare_tomorrow()
        self.day = self.today + 1

    def fade_star(self, star: PlainStar) -> float:
        """Step 1: own decay, the day's value, stuck or not; gives the own change."""
        p, today = self.p, self.today
        engaged = today in self.engaged.get(star.id, set())
        asleep = star.state is StarState.DORMANT or star.archived
        if not engaged and today not in star.observed_days and not asleep:
            half_life: float = getattr(p, f"star_half_life_{star.domain}")
            star.brightness -= self.decay(star.brightness, half_life, p.brightness_floor)
        star.values[today] = star.brightness
        if engaged and today - star.born >= p.stuck_days:
            change = star.brightness - star.values[today - p.stuck_days]
            if below(change, p.low_progress):
                star.stuck.add(today)
        return star.brightness - star.began

    def fade_link(self, link: PlainLink) -> None:
        """Step 3."""
        p = self.p
        ends = [self.stars[end] for end in (link.a, link.b) if end in self.stars]
        told = len(ends) == 2 and all(self.today in end.observed_days for end in ends)
        awake = link.alive and link.state is not LinkState.DORMANT
        if told and link.found == "holds" and awake and not link.denied:
            link.fed = self.today  # renewed: it does not fade
        elif link.state not in (LinkState.DORMANT, LinkState.DISSOLVED):
            days = self.engaged.get(link.a, set()) | self.engaged.get(link.b, set())
            ages = [self.today - day for day in days]
            activity = 1.0
            if any(age <= p.activity_days for age in ages):
                activity = p.activity_week
            if 0 in ages:
                activity = 0.0
            if self.excavating:
                activity *= p.excavation_decay_rate
            half_life: float = getattr(p, f"half_life_{link.kind.name.lower()}")
            link.strength -= self.decay(link.strength, half_life, p.floor, activity)
        link.strength = round(link.strength, 12)

    def due(self, link: PlainLink) -> bool:
        """Whether a link's type is looked at today."""
        if link.evaluated is None or self.today - link.evaluated >= self.p.type_reevaluation_interval:
            return True
        return link.raw - link.raw_evaluated >= self.p.type_reevaluation_evidence

    def evaluate(self, link: PlainLink) -> None:
        """Step 4: derived evidence, the lag found, and the kind; what was found has its kind from there."""
        if link.found:
            ends = [self.stars[end] for end in (link.a, link.b) if end in self.stars]
            if not link.assigned and any(end.state is StarState.DARK for end in ends):
                link.kind, link.direction = LinkKind.SHADOW_MIRROR, "none"
            elif not link.assigned:
                link.kind, link.direction = self.found_kind(link), link.lag_direction
            link.evaluated, link.raw_evaluated = self.today, link.raw
            return
        seen = self.detect(link.a, link.b, self.today)
        factor = self.factor(link)
        before = self.todays.get((link.a, link.b), [])
        gain = self.day_total(before + seen.evidence, factor) - self.day_total(before, factor)
        link.strength = round(min(self.p.max_strength, link.strength + gain), 12)
        link.times += [self.day_end] * len(seen.evidence)
        link.fed = self.today if seen.evidence else link.fed
        link.effective += len(seen.evidence)
        link.causation, link.lag_direction = seen.causation, seen.lag_direction
        link.evaluated, link.raw_evaluated = self.today, link.raw
        if not link.assigned:
            link.kind, link.direction = seen.kind, seen.direction

    def settle_link(self, link: PlainLink) -> None:
        """Step 5: the rung, dormancy."""
        p = self.p
        if not link.raw or link.state is LinkState.DISSOLVED:
            return
        link.state = self.rung(link)
        idle = self.today - link.fed
        if link.times[-1] == self.day_end:
            link.held = link.state  # detected evidence
        basis = link.held if p.dormancy_basis == "held" else link.state
        threshold: int = getattr(p, f"dormancy_{basis.name.lower()}")
        if idle >= threshold:
            if link.state is LinkState.NASCENT and link.raw == 1 and not link.latent:
                self.dissolve(link)
            else:
                link.state = LinkState.DORMANT

    def influence(self, own: dict[str, float]) -> None:
        """Step 6: one synchronous step."""
        p = self.p
        spill = dict.fromkeys(self.stars, 0.0)
        drain = dict.fromkeys(self.stars, 0.0)
        for (a, b), link in sorted(self.links.items()):
            if not link.alive or link.state < LinkState[p.influence_min_state]:
                continue
            if a not in self.stars or b not in self.stars:
                continue
            for source, target in ((a, b), (b, a)):
                change, star = own[source], self.stars[source]
                if link.kind is LinkKind.RESONANCE:
                    falling = 1.0 if change > 0 else p.resonance_falling
                    spill[target] += change * p.resonance_spillover * link.strength * falling
                elif link.kind is LinkKind.TENSION and above(change, p.tension_activation_threshold):
                    drain[target] += change * p.tension_drain * link.strength
                elif link.kind is LinkKind.SHADOW_MIRROR and star.state_began is StarState.DARK:
                    intensity = min(1 - star.began, p.dark_intensity_cap)
                    drain[target] += p.shadow_drain_rate * link.strength * intensity
        for name, star in self.stars.items():
            gain = min(p.max_spillover_per_day, max(-p.max_spillover_per_day, spill[name]))
            if gain > 0:
                gain = min(gain, max(0.0, p.max_daily_brightness_gain - star.gained))
            star.brightness += gain
            lost = min(drain[name], p.max_drain_per_day)
            star.brightness -= min(lost, max(0.0, star.brightness - p.hope_floor))
            if star.brightness > star.cap:
                star.brightness = max(star.cap, star.brightness - p.cap_step)
            star.brightness = round(min(1.0, max(p.brightness_floor, star.brightness)), 12)

    def settle_star(self, star: PlainStar) -> None:
        """Step 7: variance, stable days, the priority list."""
        p = self.p
        change = abs(star.brightness - star.began)
        star.variance = round(p.variance_weight * change + (1 - p.variance_weight) * star.variance, 12)
        star.days_stable = star.days_stable + 1 if star.variance < p.stable_variance else 0
        idle = self.today - star.seen
        if star.state is StarState.NASCENT:
            star.archived = idle >= p.nascent_archive_days
            return
        if star.state is StarState.DORMANT:
            return
        threshold: int = getattr(p, f"star_dormancy_{star.state.name.lower()}")
        stable = star.days_stable >= p.stable_days
        if idle >= threshold:
            star.state = StarState.DORMANT
        elif star.marked or star.contradictions >= p.dark_contradictions:
            star.state = StarState.DARK
        elif star.variance > p.flickering_variance:
            star.state = StarState.FLICKERING
        elif star.brightness >= p.bright_threshold and stable:
            star.state = StarState.BRIGHT
        elif star.brightness < p.dim_threshold and stable:
            star.state = StarState.DIM
        else:
            star.state = StarState.FLICKERING

    def prepare_tomorrow(self) -> None:
        """Step 8: block switches, boosts, caps and counts; and the values as tomorrow begins."""
        p = self.p
        for star in self.stars.values():
            star.began, star.state_began, star.gained = star.brightness, star.state, 0.0
            star.boost, star.cap = 0.0, 1.0
        self.connections = {end: self.degree(end) for pair in self.links for end in pair}
        for link in self.links.values():
            link.state_began = link.state
            self.age_evidence(link)
            cause, effect = link.cause_and_effect
            if not link.alive or cause not in self.stars or effect not in self.stars:
                link.blocking = False
                continue
            source, target = self.stars[cause], self.stars[effect]
            on = link.kind is LinkKind.BLOCKS and (link.blocking or link.state >= LinkState.WEAK)
            off = link.strength < p.block_release_threshold or source.state is StarState.DORMANT
            link.blocking = on and not off and link.state > LinkState.DORMANT
            if link.blocking:
                target.cap = min(target.cap, 1 - p.block_factor * link.strength)
            helps = link.kind is LinkKind.GROWTH_EDGE and link.state >= LinkState[p.influence_min_state]
            if helps and source.state is StarState.BRIGHT:
                target.boost = max(target.boost, p.growth_edge_boost * link.strength)

    def age_evidence(self, link: PlainLink) -> None:
        """Take effective evidence at tomorrow's date."""
        if link.state is not LinkState.DISSOLVED:
            link.effective = 0.0
            for at in link.times:
                age, half_life = self.today + 1 - day_of(at), self.p.evidence_half_life
                link.effective += 1.0 if age <= half_life else 0.5 if age <= 2 * half_life else 0.0

    # --- what a reader sees ----------------------------------------------------------------------------------
