"""A server of our own that speaks the embeddings protocol on the loopback, for tests of the remote embedder."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Answer:
    """What the server says instead of vectors; `silent` says nothing until the test is over."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    silent: bool = False
    cut_short: bool = False


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, object]


@dataclass
class Server:
    """Answers with vectors, after the answers that wait in `script`."""

    url: str = ""
    script: list[Answer] = field(default_factory=list)
    seen: list[Request] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(function: Callable[[list[str]], Sequence[Sequence[float]]]) -> Iterator[Server]:
    """Run a server on a free port of the loopback."""
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.seen.append(Request(self.path, dict(self.headers), sent))
            if state.script:
                self._say(state.script.pop(0))
                return
            rows = function(sent["input"])
            data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
            self._say(Answer(body=json.dumps({"object": "list", "data": data[::-1]}).encode()))  # in no order

        def do_GET(self) -> None:
            state.seen.append(Request(self.path, dict(self.headers), {}))
            self._say(Answer())

        def _say(self, answer: Answer) -> None:
            if answer.silent:
                state.over.wait()
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body) + 100 * answer.cut_short))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 # the name is the library's
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
