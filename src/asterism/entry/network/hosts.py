"""Under which names a server answers: Host and Origin are parsed whole, and compared with a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from ipaddress import IPv6Address

from asterism.errors import InputError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
AUTHORITY = re.compile(r"(?:([a-z0-9](?:[a-z0-9._-]{0,252}))|\[([0-9a-f:.]{2,45})\])(?::([0-9]{1,5}))?", re.IGNORECASE)
HIGHEST_PORT = 65535
USUAL_PORTS = {"http": 80, "https": 443}
Headers = Sequence[tuple[bytes, bytes]]


def host_of(authority: str) -> str | None:
    """Give the name or address in what a Host header says; None if it is not one, with a port or without.

    >>> host_of("LOCALHOST:8787"), host_of("[::1]:80"), host_of("127.0.0.1:evil.example"), host_of("a@b")
    ('localhost', '::1', None, None)
    """
    found = AUTHORITY.fullmatch(authority)
    if found is None or not 0 < int(found[3] or 1) <= HIGHEST_PORT:
        return None
    if found[2] is None:
        return found[1].lower()
    try:
        return IPv6Address(found[2]).compressed
    except ValueError:
        return None


def bracketed(host: str) -> str:
    """Write a host as an address has it."""
    return f"[{host}]" if ":" in host else host


class Names:
    """The names under which a server may be asked; any other is turned away, as a page that was rebound would be."""

    def __init__(self, names: Iterable[str]) -> None:
        self._known: set[str] = set()
        for name in names:
            host = host_of(bracketed(name))
            if host is None:
                raise InputError(
                    f"{name!r} is no name of a server",
                    code="bad_host",
                    item=name,
                    hint="give a name or an address alone, as in memory.example.org",
                )
            self._known.add(host)

    def refusal(self, headers: Headers, way: str = "http") -> int | None:
        """Give the status with which a request is turned away: 421 by its Host, 403 by its Origin; None if neither.

        >>> names = Names(["localhost"])
        >>> names.refusal([(b"host", b"localhost:1")]), names.refusal([(b"host", b"evil.example")])
        (None, 421)
        >>> names.refusal([(b"host", b"localhost:1"), (b"origin", b"http://localhost:2")])
        403
        """
        hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
        if len(hosts) != 1 or host_of(hosts[0]) not in self._known:
            return 421
        origins = [value.decode("latin-1") for name, value in headers if name == b"origin"]
        if len(origins) > 1 or not all(self._is_own(each, hosts[0], way) for each in origins):
            return 403
        return None

    def _is_own(self, origin: str, host: str, way: str) -> bool:
        """Say whether a page is this server's own: by its way, its name and its port, since cookies know no ports.

        A proxy may speak HTTPS to the page and not to us, or ask us under another name than it is asked under.
        """
        told, _, rest = origin.partition("://")
        if told not in USUAL_PORTS or (way, told) == ("https", "http"):
            return False
        asked = _with_port(rest, told)
        if asked is None:
            return False
        by_proxy = asked[0] in self._known - {*LOOPBACK} and asked[1] == USUAL_PORTS["https"]
        return asked == _with_port(host, told) or (told == "https" and by_proxy)


def _with_port(authority: str, way: str) -> tuple[str, int] | None:
    """Give the name and the port that an authority means."""
    host, found = host_of(authority), AUTHORITY.fullmatch(authority)
    return None if host is None or found is None else (host, int(found[3] or USUAL_PORTS[way]))
