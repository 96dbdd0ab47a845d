"""The remote embedder against a server of our own on the loopback."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import numpy as np
import pytest

from asterism.embed import open_embedder
from asterism.embed.remote import LARGEST_ANSWER, RemoteEmbedder
from asterism.errors import AsterismError, InputError
from tests.support.embedding_server import Answer, Server, serving


def pairs(texts: list[str]) -> list[list[float]]:
    return [[float(len(text)), 1.0] for text in texts]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(pairs) as running:
        yield running


def listed(*rows: object) -> bytes:
    return json.dumps({"data": [{"index": at, "embedding": row} for at, row in enumerate(rows)]}).encode()


def test_texts_go_in_batches_and_come_back_in_their_order(server: Server) -> None:
    embedder = RemoteEmbedder(server.url + "/", model="m", api_key="secret", batch=3)
    vectors = embedder.embed(["a" * n for n in range(1, 8)])
    assert vectors[:, 0].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert [len(request.body["input"]) for request in server.seen] == [3, 3, 1]  # type: ignore[arg-type]
    assert {request.path for request in server.seen} == {"/v1/embeddings"}
    assert {request.headers["Authorization"] for request in server.seen} == {"Bearer secret"}
    assert server.seen[0].body["model"] == "m"


def test_nothing_is_sent_before_the_first_use_and_the_dimension_is_asked_once(server: Server) -> None:
    embedder = open_embedder(f"remote:{server.url}#m")
    assert server.seen == []
    assert (embedder.identity, embedder.dimension) == ("remote-m-2", 2)
    assert embedder.embed([" ", ""]).tolist() == [[0, 0], [0, 0]]
    assert len(server.seen) == 1
    assert "Authorization" not in server.seen[0].headers
    told = RemoteEmbedder(server.url, model="m", dimension=2)
    assert told.identity == "remote-m-2"
    assert told.embed([]).shape == (0, 2)
    assert len(server.seen) == 1


def test_what_may_pass_is_tried_again_after_the_given_waits(server: Server) -> None:
    waited: list[float] = []
    embedder = RemoteEmbedder(server.url, model="m", waits_seconds=(0.5, 1, 2, 4), wait=waited.append)
    server.script = [
        Answer(503),
        Answer(429, headers={"Retry-After": "7"}),
        Answer(429, headers={"Retry-After": "100000"}),
        Answer(200, b'{"data', cut_short=True),
    ]
    assert embedder.embed(["abc"]).tolist() == [[3, 1]]
    assert waited == [0.5, 7, 60, 4]


def test_a_server_that_stays_busy_is_an_error_after_the_last_wait(server: Server) -> None:
    waited: list[float] = []
    embedder = RemoteEmbedder(server.url, model="m", waits_seconds=(1, 2), wait=waited.append)
    server.script = [Answer(503, b"busy")] * 3
    with pytest.raises(AsterismError, match="answered 503 for model 'm': busy") as caught:
        embedder.embed(["abc"])
    assert caught.value.code == "remote_refused"
    assert waited == [1, 2]
    assert len(server.seen) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 413])
def test_a_refusal_is_an_error_at_once_and_does_not_show_the_key(server: Server, status: int) -> None:
    server.script = [Answer(status, b"bad key: secret" + b"!" * 1000)]
    with pytest.raises(AsterismError) as caught:
        RemoteEmbedder(server.url, model="m", api_key="secret", waits_seconds=()).embed(["abc"])
    assert caught.value.code == "remote_refused"
    assert "secret" not in str(caught.value)
    assert len(str(caught.value)) < 500
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(server: Server, status: int) -> None:
    server.script = [Answer(status, headers={"Location": server.url + "/elsewhere"})]
    with pytest.raises(AsterismError, match=f"answered {status}"):
        RemoteEmbedder(server.url, model="m", api_key="secret").embed(["abc"])
    assert len(server.seen) == 1


def test_a_server_that_is_not_there_or_silent_is_named(server: Server) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(AsterismError, match="does not answer") as caught:
            RemoteEmbedder(address, model="m", waits_seconds=()).embed(["abc"])
        assert caught.value.code == "remote_unreachable"
        assert caught.value.item == address + "/embeddings"
    server.script = [Answer(silent=True)]
    with pytest.raises(AsterismError, match="does not answer: timed out"):
        RemoteEmbedder(server.url, model="m", waits_seconds=(), timeout_seconds=0.05).embed(["abc"])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[]",
        b"null",
        b'{"data": null}',
        b'{"data": [1]}',
        b'{"data": [{"index": 5, "embedding": [1, 2]}]}',
        b'{"data": [{"index": 0}]}',
        b"[" * 100_000,
        listed(),
        listed([1, 2], [3, 4]),
        listed([1, 2]).replace(b"}]", b'}, {"index": 0, "embedding": [3, 4]}]'),
    ],
)
def test_an_answer_that_is_no_list_of_vectors_is_named(server: Server, body: bytes) -> None:
    server.script = [Answer(body=body)]
    with pytest.raises(AsterismError) as caught:
        RemoteEmbedder(server.url, model="m").embed(["abc"])
    assert caught.value.code == "remote_bad_answer"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1, float("nan")]], "NaN or infinity for text 0 \\('abc'\\)"),
        ([[1, 1e300]], "NaN or infinity"),
        ([[1, 2, 3]], "gave 3 numbers, not 2"),
        ([["x", "y"]], "no table of numbers"),
        ([None], "no table of numbers"),
    ],
)
def test_a_bad_vector_is_named(server: Server, rows: list[object], message: str) -> None:
    embedder = open_embedder(RemoteEmbedder(server.url, model="m", dimension=2))
    server.script = [Answer(body=listed(*rows))]
    with pytest.raises(AsterismError, match=message) as caught:
        embedder.embed(["abc"])
    assert caught.value.code == "bad_vector"


def test_vectors_of_several_lengths_are_refused(server: Server) -> None:
    server.script = [Answer(body=listed([1, 2])), Answer(body=listed([1, 2, 3]))]
    with pytest.raises(AsterismError, match="several lengths"):
        RemoteEmbedder(server.url, model="m", batch=1).embed(["abc", "def"])


def test_an_answer_is_bounded(server: Server) -> None:
    server.script = [Answer(body=b" " * (LARGEST_ANSWER + 1))]
    with pytest.raises(AsterismError, match="more than"):
        RemoteEmbedder(server.url, model="m").embed(["abc"])


@pytest.mark.parametrize("url", ["", "localhost:80", "file:///etc/passwd", "ftp://host/x", "http://", "http:///v1"])
def test_an_address_is_http_with_a_host(url: str) -> None:
    with pytest.raises(InputError, match="names no embedding server"):
        open_embedder(f"remote:{url}#m")


def test_bad_settings_are_refused() -> None:
    with pytest.raises(InputError, match="names no embedding server"):
        open_embedder("remote:http://localhost/v1")
    for wrong in ({"batch": 0}, {"timeout_seconds": 0.0}, {"waits_seconds": (1.0, -1.0)}):
        with pytest.raises(InputError) as caught:
            RemoteEmbedder("http://localhost", model="m", **wrong)
        assert caught.value.code == "bad_remote"
    with pytest.raises(InputError, match="cannot have 0 numbers"):
        RemoteEmbedder("http://localhost", model="m", dimension=0)


def test_the_key_is_for_a_remote_embedder(server: Server) -> None:
    vectors = open_embedder(f"remote:{server.url}/embeddings#m", api_key="k").embed(["abcd"])
    assert np.allclose(vectors, np.array([4, 1]) / np.sqrt(17))
    assert server.seen[0].headers["Authorization"] == "Bearer k"
    assert server.seen[0].path == "/v1/embeddings"
