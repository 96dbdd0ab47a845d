"""The state machine of a walker: a literal table; the diagram of the docs is drawn from it.

    multiplier  .5 SEEKING  .5 BRANCHING  1 ABSORBING  2 RESONATING  .5 REFLECTING  1.5 CRYSTALLIZING  0 MERGING
    injection   = criticality x multiplier

MERGING is the end. Any other state leads there at once by a named stop, and only by one where the table has no arrow.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from asterism.errors import AsterismError


class State(IntEnum):
    """What a walker is doing; the value is its place in the page's list of multipliers."""

    SEEKING = 0
    BRANCHING = 1
    ABSORBING = 2
    RESONATING = 3
    REFLECTING = 4
    CRYSTALLIZING = 5
    MERGING = 6


MOVES: Mapping[State, tuple[State, ...]] = {
    State.SEEKING: (State.BRANCHING, State.ABSORBING, State.RESONATING, State.REFLECTING, State.SEEKING),
    State.BRANCHING: (State.REFLECTING, State.SEEKING),
    State.ABSORBING: (State.CRYSTALLIZING, State.SEEKING, State.REFLECTING),
    State.RESONATING: (State.SEEKING, State.MERGING, State.REFLECTING),
    State.REFLECTING: (State.MERGING, State.CRYSTALLIZING),
    State.CRYSTALLIZING: (State.MERGING,),
    State.MERGING: (),
}

STATE_MULTIPLIER: Mapping[State, float] = {
    State.SEEKING: 0.5,
    State.BRANCHING: 0.5,
    State.ABSORBING: 1.0,
    State.RESONATING: 2.0,
    State.REFLECTING: 0.5,
    State.CRYSTALLIZING: 1.5,
    State.MERGING: 0.0,
}

STOPS = ("max_steps", "deadline", "cancelled")  # what ends a walker in the middle of anything

REASONS: Mapping[tuple[State, State], str] = {
    (State.SEEKING, State.BRANCHING): "at a moment with two good links or more",
    (State.SEEKING, State.ABSORBING): "arrived at new content",
    (State.SEEKING, State.RESONATING): "arrived at a narrative",
    (State.SEEKING, State.REFLECTING): "no link, too deep, or tired",
    (State.SEEKING, State.SEEKING): "walked on",
    (State.BRANCHING, State.REFLECTING): "all children are back",
    (State.BRANCHING, State.SEEKING): "declined, walked the best link",
    (State.ABSORBING, State.CRYSTALLIZING): "aligned and novel",
    (State.ABSORBING, State.SEEKING): "taken in",
    (State.ABSORBING, State.REFLECTING): "too deep",
    (State.RESONATING, State.SEEKING): "not yet satisfied",
    (State.RESONATING, State.MERGING): "satisfied",
    (State.RESONATING, State.REFLECTING): "nothing further",
    (State.REFLECTING, State.MERGING): "the path was useful",
    (State.REFLECTING, State.CRYSTALLIZING): "it was not",
    (State.CRYSTALLIZING, State.MERGING): "made, or not needed",
}


def move(before: State, after: State, *, stop: str | None = None) -> State:
    """Give the state after a move; a move that is not in the table raises.

    >>> move(State.SEEKING, State.RESONATING).name, move(State.SEEKING, State.MERGING, stop="deadline").name
    ('RESONATING', 'MERGING')
    """
    stopped = stop in STOPS and after is State.MERGING and before is not State.MERGING
    if not stopped and (stop is not None or after not in MOVES[before]):
        how = f" by {stop}" if stop is not None else ""
        raise AsterismError(
            f"a walker cannot go from {before.name} to {after.name}{how}",
            code="illegal_move",
            item=before.name,
            hint=f"from there it goes to {', '.join(each.name for each in MOVES[before]) or 'nothing more'}",
        )
    return after


def mermaid() -> str:
    """Draw the table as a Mermaid diagram.

    >>> mermaid().splitlines()[1]
    '    [*] --> SEEKING: sent out'
    """
    arrows = [
        f"    {before.name} --> {after.name}: {REASONS[before, after]}" for before in MOVES for after in MOVES[before]
    ]
    stops = [f"    {each.name} --> MERGING: {', '.join(STOPS)}" for each in State if each is not State.MERGING]
    return "\n".join(
        [
            "stateDiagram-v2",
            "    [*] --> SEEKING: sent out",
            *arrows,
            *stops,
            "    MERGING --> [*]: once, after the loop",
        ]
    )
