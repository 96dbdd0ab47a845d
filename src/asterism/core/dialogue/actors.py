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
    lines: Sequence[Line], *, responders: Iterable[str] | str | None = None, actors: Iterable[Actor] | None = None
) -> dict[str, Speaker]:
    """Say of every author whether they initiate, respond or are unknown.

    Without `responders` it is whoever has the word dm or gm in their name; without `actors` everybody else initiates.
    Names match as whole words, the longest first.

    >>> found = speakers_of([Line(0, "DM Ann", ""), Line(1, "Bo", "")])
    >>> [(name, speaker.role, speaker.actor.id) for name, speaker in found.items()]
    [('DM Ann', 2, 'dm-ann'), ('Bo', 1, 'bo')]
    """
    authors = list(dict.fromkeys([line.author_name for line in lines]))
    names = [author for author in authors if author.strip()]
    known = None if actors is None else check_actors(actors)
    masters = _masters(names, responders)
    owners = [(name, Speaker(RESPONDER, Actor(slug(name), " ".join(name.split())))) for name in masters]
    owners += [(name, Speaker(INITIATOR, actor)) for actor in known or () for name in (actor.name, *actor.aliases)]
    owners.sort(key=lambda owner: (-len(owner[0]), -owner[1].role, owner[0]))
    patterns = [(whole_word(name), speaker) for name, speaker in owners]
    found = dict.fromkeys(authors, NOBODY)
    for author in names:
        speaker = next((speaker for pattern, speaker in patterns if pattern.search(author)), None)
        if speaker is None and known is None:
            speaker = Speaker(INITIATOR, Actor(slug(author), " ".join(author.split())))
        found[author] = speaker or NOBODY
    if known is not None and not any(speaker.role == INITIATOR for speaker in found.values()):
        raise InputError(
            "none of the actors speaks in this session",
            code="unknown_speaker",
            item=known[0].name if known else None,
            hint=f"the speakers are {_listed(names)}; give an actor one of these as its name or alias",
        )
    return found


def _masters(names: Sequence[str], responders: Iterable[str] | str | None) -> list[str]:
    if responders is None:
        found = [name for name in names if MASTER.search(name)]
        if not found:
            raise InputError(
                "nobody here is a responder",
                code="no_responder",
                hint=f"name the responders, some of {_listed(names)}: no speaker has the word dm or gm in the name",
            )
        return found
    given = list(names_of(responders))
    for name in given:
        check_text(name, field="responder")
        if not any(whole_word(name).search(author) for author in names):
            raise InputError(
                f"the responder {cut(name)!r} says nothing in this session",
                code="unknown_speaker",
                item=cut(name),
                hint=f"the speakers are {_listed(names)}",
            )
    if not given:
        raise InputError("no responder was named", code="no_responder", hint=f"name some of {_listed(names)}")
    return given


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
