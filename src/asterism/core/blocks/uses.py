"""The items of use, folded: what was used together, and what came of it."""

from __future__ import annotations

from itertools import combinations

from asterism.core.blocks.held import Held
from asterism.core.blocks.links import CO_OCCURS, OUTCOME, Link, key_of
from asterism.core.ledger.items import Item


def used(blocks: Held, item: Item) -> None:
    """Link blocks that were used together in enough sessions; reinforce the links that are there."""
    session, rules = str(item.payload["session"]), blocks.parameters
    for pair in combinations(blocks.all_there(item)[: rules.used_blocks_max], 2):
        key = key_of(CO_OCCURS, *pair)
        link = blocks.links.links.get(key)
        sessions = blocks.joint.pop(pair, ())
        if link is not None:
            blocks.links.put(key, link._replace(hours=blocks.clock.hours, reinforced=link.reinforced + 1))
            continue
        sessions = sessions if session in sessions else (*sessions, session)
        if len(sessions) >= rules.co_occurs_sessions:
            blocks.links.put(key, Link(rules.co_occurs_strength, blocks.clock.hours))
        else:
            blocks.joint[pair] = sessions
    while len(blocks.joint) > rules.used_pairs_max:
        del blocks.joint[next(iter(blocks.joint))]
        blocks.dropped += 1


def outcome(blocks: Held, item: Item) -> None:
    """Count an outcome for the blocks it names; a good one links them, or raises their links."""
    signal, rules = float(str(item.payload["signal"])), blocks.parameters
    names = blocks.all_there(item)
    for name in names:
        block = blocks.blocks[name]
        block.outcomes += 1
        block.signals += signal
        block.failures += signal < rules.outcome_bad
    if signal <= rules.outcome_good:
        return
    for pair in combinations(names[: rules.used_blocks_max], 2):
        key = key_of(OUTCOME, *pair)
        link = blocks.links.links.get(key)
        if link is None:
            blocks.links.put(key, Link(rules.outcome_strength * signal, blocks.clock.hours))
        else:
            raised = min(1.0, blocks.strength(key, blocks.clock.hours) + rules.outcome_raise * signal)
            blocks.links.put(key, Link(raised, blocks.clock.hours, link.reinforced + 1))
    for name in names:
        blocks.blocks[name].hours = blocks.clock.hours
