"""The files of the page, as they are served: no build step, no address but the service's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources

from asterism.formats.constellation import Sky, page

MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


@dataclass(frozen=True, slots=True)
class File:
    """A file of the page: what it is, its bytes, their hash for whoever holds a copy, and what it may do."""

    media: str
    body: bytes
    tag: str
    policy: str


EMPTY = Sky(title="Constellation", space="", made_at="", nodes=(), links=())
FRAMED = "frame-ancestors 'self'"  # the sky's own policy stands in it; this is what only a header can say


@cache
def files() -> dict[str, File]:
    """Give every file of the page by its name; `index.html` is what is shown first."""
    found = {}
    for entry in sorted(resources.files("asterism.entry.page").iterdir(), key=lambda entry: entry.name):
        ending = entry.name[entry.name.rfind(".") :]
        if ending in MEDIA:
            body = entry.read_bytes()
            found[entry.name] = _file(MEDIA[ending], body, POLICY)
    found["sky.html"] = _file(MEDIA[".html"], page(EMPTY).encode(), FRAMED)
    return found


def _file(media: str, body: bytes, policy: str) -> File:
    return File(media, body, sha256(body).hexdigest()[:32], policy)
