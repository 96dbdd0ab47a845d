"""Which token a request bears."""

from __future__ import annotations

from starlette.requests import Request

from asterism.entry.http.rights import no_token

COOKIE = "asterism"


def secret_of(request: Request) -> str:
    """Give the token that a request bears: by its header, or by the cookie of the page.

    A cookie comes with whatever a browser sends; SameSite keeps other places' requests out, and what changes something
    must say where it comes from, too (the door has compared that with this server's names).
    """
    sent = request.headers.getlist("authorization")
    if sent:
        way, _, secret = sent[0].partition(" ") if len(sent) == 1 else ("", "", "")
        if way.lower() != "bearer":
            raise no_token()
        return secret.strip()
    kept = request.cookies.get(COOKIE, "")
    if not kept or (request.method != "GET" and "origin" not in request.headers):
        raise no_token()
    return kept
