"""Who speaks: responders decide or answer, initiators intend; everybody else is passed over and counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from asterism.core.dialogue.lines import Actor, Line, check_actors
from asterism.core.dialogue.rows import names_of
from asterism.core.ledger.items import check_text, cut
from asterism.core.ledger.nodes import slug
from asterism.errors import InputError

UNKNOWN, INITIATOR, RESPONDER = range(3)
MASTER = re.compile(r"(?<![^\W_])(?:dm|gm)(?![^\W_])", re.IGNORECASE)


class Speaker(NamedTuple):
    """What an author is in this session, and the actor it stands for."""

    role: int
    actor: Actor


NOBODY = Speaker(UNKNOWN, Actor("", "", ()))


def speakers_of(
    lines: Sequence[Line], *, responders: Iterable[str] = (), actors: Iterable[Actor] | None = None
) -> dict[str, Speaker]:
    """Say of every author whether they initiate, respond or are unknown.

    Without `actors` everybody but the responders initiates. Names match as whole words, the longest first.

    >>> found = speakers_of([Line(0, "DM Ann", ""), Line(1, "Bo", "")], responders=["DM"])
    >>> [(name, speaker.role, speaker.actor.id) for name, speaker in found.items()]
    [('DM Ann', 2, 'dm'), ('Bo', 1, 'bo')]
    """
    known = None if actors is None else check_actors(actors)
    owners = [(name, Speaker(RESPONDER, Actor(slug(name), " ".join(name.split())))) for name in responders]
    owners += [(name, Speaker(INITIATOR, actor)) for actor in known or () for name in (actor.name, *actor.aliases)]
    owners.sort(key=lambda owner: (-len(owner[0]), -owner[1].role, owner[0]))
    patterns = [(whole_word(name), speaker) for name, speaker in owners]
    found = dict.fromkeys([line.author_name for line in lines], NOBODY)
    for author in authors_of(lines):
        speaker = next((speaker for pattern, speaker in patterns if pattern.search(author)), None)
        if speaker is None and known is None:
            speaker = Speaker(INITIATOR, Actor(slug(author), " ".join(author.split())))
        found[author] = speaker or NOBODY
    return found


def authors_of(lines: Sequence[Line]) -> list[str]:
    """Give the names of who speaks, in the order in which they first do."""
    return [name for name in dict.fromkeys([line.author_name for line in lines]) if name.strip()]


def masters_of(lines: Sequence[Line]) -> list[str]:
    """Give those who have the word dm or gm in their name: they respond, if nobody is named."""
    return [name for name in authors_of(lines) if MASTER.search(name)]


def check_responders(lines: Sequence[Line], responders: Iterable[str] | str) -> list[str]:
    """Let through the names of responders, at least one."""
    given = list(names_of(responders))
    for name in given:
        check_text(name, field="responder")
    if not given:
        raise no_responder(lines)
    return given


def no_responder(lines: Sequence[Line]) -> InputError:
    """Say that nobody responds."""
    return InputError(
        "nobody here is a responder",
        code="no_responder",
        hint=f"name some of {_listed(authors_of(lines))}, or let a reply model say who answers whom: channel, "
        "instruction or reply",
    )


def silent_of(speakers: Iterable[Speaker], responders: Iterable[str], actors: Iterable[Actor] | None) -> list[str]:
    """Give those who were named, as responders or actors, and say nothing.

    >>> silent_of([Speaker(RESPONDER, Actor("dm", "DM"))], ["DM", "GM"], [Actor("z", "Zed")])
    ['GM', 'Zed']
    """
    speaking = {(speaker.role, speaker.actor.id) for speaker in speakers}
    named = [(RESPONDER, slug(name), name) for name in responders]
    named += [(INITIATOR, actor.id, actor.name) for actor in actors or ()]
    return [name for role, known, name in named if (role, known) not in speaking]


def whole_word(name: str) -> re.Pattern[str]:
    """Give the pattern that finds a name as whole words, in either case, whatever is between them.

    >>> bool(whole_word("Ann").search("ann b.")), bool(whole_word("Ann").search("Anna"))
    (True, False)
    """
    words = r"\s+".join(re.escape(word) for word in name.split())
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def _listed(names: Sequence[str], most: int = 12) -> str:
    shown = [cut(name, most=40) for name in names[:most]]
    return ", ".join(shown or ["nobody"]) + (f" and {len(names) - most} more" if len(names) > most else "")
