"""Who may what: a token names spaces and a right; it is shown once, kept as a hash, and looked up by its own id."""

from __future__ import annotations

import hmac
import json
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import IntEnum
from hashlib import sha256
from typing import Any

from asterism.errors import AsterismError, InputError, UnknownError
from asterism.store.port import Store

SHEET = "token"
EVERY = "*"
PREFIX = "ast"
HOUR = timedelta(hours=1)
NOBODYS = sha256(b"").hexdigest()  # compared with where there is no token of that id: as long as where there is one


class Right(IntEnum):
    """What a token lets do: each includes those before it."""

    READ = 1
    WRITE = 2
    ADMIN = 3

    @property
    def word(self) -> str:
        """How it is told."""
        return self.name.lower()


class NoTokenError(AsterismError):
    """Nobody is known by what was sent."""

    exit_code = 3
    http_status = 401


class NotAllowedError(AsterismError):
    """The token is known, and may not do this."""

    exit_code = 3
    http_status = 403


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token; its secret is not."""

    id: str
    spaces: tuple[str, ...]
    may: Right
    made: datetime
    expires: datetime | None = None
    used: datetime | None = None  # to the hour
    secret: str = NOBODYS  # its hash

    def sees(self, space: str) -> bool:
        """Say whether a space is there for it."""
        return EVERY in self.spaces or space in self.spaces

    def check(self, space: str, right: Right) -> None:
        """Refuse what it may not do: another's space is not there at all."""
        if not self.sees(space):
            raise unknown_space(space)
        self.check_right(right)

    def check_right(self, right: Right) -> None:
        """Refuse what it may not do."""
        if self.may < right:
            raise NotAllowedError(
                f"this needs a token that may {right.word}; this one may {self.may.word}",
                code="not_allowed",
                item=right.word,
                hint=f"ask whoever runs the server for one: asterism token add --space SPACE --may {right.word}",
            )

    def check_whole(self) -> None:
        """Refuse all but those who may everything everywhere."""
        if EVERY not in self.spaces:
            raise NotAllowedError(
                "this is about the whole memory",
                code="not_allowed",
                item=EVERY,
                hint="it needs a token for all spaces: asterism token add --space '*' --may admin",
            )
        self.check_right(Right.ADMIN)

    def to_dict(self) -> dict[str, Any]:
        """Give what may be shown."""
        times = {"made": self.made, "expires": self.expires, "used": self.used}
        told = {name: None if each is None else each.isoformat() for name, each in times.items()}
        return {"id": self.id, "spaces": list(self.spaces), "may": self.may.word, **told}


def unknown_space(space: str) -> UnknownError:
    """Say that a space is not there, whether it is or not."""
    return UnknownError(
        f"there is no space {space!r} here", code="unknown_space", item=space, hint="GET /v1/spaces lists yours"
    )


def add(
    store: Store, *, spaces: tuple[str, ...], may: Right, now: datetime, expires: datetime | None
) -> tuple[str, Token]:
    """Make a token; give what its owner sends, which is nowhere else, and what is known of it."""
    if not spaces or not all(spaces):
        raise InputError("no space is named", code="bad_text", item="space", hint="name one with --space, or '*'")
    if expires is not None and expires <= now:
        raise InputError(
            "it would have run out already", code="bad_time", item=expires.isoformat(), hint="give a time to come"
        )
    secret = secrets.token_urlsafe(32)
    token = Token(secrets.token_hex(6), tuple(dict.fromkeys(spaces)), may, now, expires, secret=_hashed(secret))
    _keep(store, token)
    return f"{PREFIX}_{token.id}_{secret}", token


def every(store: Store) -> list[Token]:
    """Give all tokens, the oldest first."""
    return sorted((_read(key, text) for key, text in store.records(SHEET).items()), key=lambda token: token.made)


def revoke(store: Store, name: str) -> Token:
    """Take a token away: from now on it opens nothing."""
    text = store.record(SHEET, name)
    if text is None:
        raise UnknownError(
            f"there is no token {name!r}", code="unknown_token", item=name, hint="asterism token list shows them"
        )
    store.put_records(SHEET, {name: None})
    return _read(name, text)


def known(store: Store, sent: str, *, now: datetime) -> Token:
    """Give the token that was sent; one that is wrong, revoked or has run out is like none."""
    prefix, _, rest = sent.partition("_")
    name, _, secret = rest.partition("_")
    text = store.record(SHEET, name) if prefix == PREFIX else None
    token = None if text is None else _read(name, text)
    fits = hmac.compare_digest(_hashed(secret), NOBODYS if token is None else token.secret)
    if token is None or not fits or (token.expires is not None and token.expires <= now):
        raise no_token()
    return token


def used(store: Store, token: Token, *, now: datetime) -> None:
    """Remember when a token was last used, to the hour."""
    hour = now.replace(minute=0, second=0, microsecond=0)
    if token.used is not None and token.used >= hour:
        return
    with store.without_waiting(), store.together():  # who revokes it meanwhile waits: it does not come back
        if store.record(SHEET, token.id) is not None:
            _keep(store, replace(token, used=hour))


def no_token() -> NoTokenError:
    """Say that a token is needed."""
    return NoTokenError(
        "a token is needed, and none that is known was sent",
        code="no_token",
        item="Authorization",
        hint="send the header Authorization: Bearer TOKEN",
    )


def _hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _keep(store: Store, token: Token) -> None:
    store.put_records(SHEET, {token.id: json.dumps(token.to_dict() | {"secret": token.secret})})


def _read(name: str, text: str) -> Token:
    told = json.loads(text)
    times = {each: None if told[each] is None else datetime.fromisoformat(told[each]) for each in ("expires", "used")}
    made = datetime.fromisoformat(told["made"])
    return Token(name, tuple(told["spaces"]), Right[told["may"].upper()], made, **times, secret=told["secret"])
