"""The page's files are open to all, say what they may do, and a cookie stands for a token that was shown once."""

from __future__ import annotations

from pathlib import Path

from asterism.entry.page.files import files
from tests.support.http_service import Asker, serving, token


def test_every_file_is_given_without_a_token_and_with_its_policy(tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        for path, name in [("/", "index.html"), *((f"/{name}", name) for name in files())]:
            answer = await ask.get(path)
            assert (answer.status, answer.body) == (200, files()[name].body)
            assert "frame-ancestors" in answer.headers["content-security-policy"]
            assert "unsafe" not in answer.headers["content-security-policy"]
            again = await ask.get(path, headers={"if-none-match": answer.headers["etag"]})
            assert (again.status, again.body) == (304, b"")

    serving(tmp_path / "memory.db", work, open_to_all=False)


def test_no_file_names_an_address_of_elsewhere() -> None:
    for name, file in files().items():
        text = file.body.decode()
        found = [word for word in text.split('"') if "://" in word and "www.w3.org/2000/svg" not in word]
        assert found == [], name


def test_a_token_shown_once_stays_as_a_cookie_that_scripts_cannot_read(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    secret = token(db, "me", may="write")

    async def work(ask: Asker) -> None:
        assert (await ask.post("/v1/session")).status == 401
        shown = await ask.with_token(secret).post("/v1/session")
        cookie = shown.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
        kept = {"cookie": cookie.partition(";")[0]}
        assert (await ask.get("/v1/spaces", headers=kept)).status == 200
        assert (await ask.get("/v1/spaces/other/stats", headers=kept)).status == 404
        said = {"content": "I moved to Lisbon."}
        assert (await ask.post("/v1/spaces/me/learn", said, headers=kept)).status == 401  # from where?
        here = kept | {"origin": "http://localhost"}
        assert (await ask.post("/v1/spaces/me/learn", said, headers=here)).status == 200
        gone = await ask.ask("DELETE", "/v1/session", b"", {}, here)
        assert 'asterism=""' in gone.headers["set-cookie"]

    serving(db, work, open_to_all=False)


def test_a_cookie_never_goes_in_the_clear_beyond_this_machine(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    secret = token(db, "me", may="read")

    async def work(ask: Asker) -> None:
        for host, secure in (("localhost:1", False), ("[::1]:1", False), ("memory.example.org", True)):
            shown = await ask.with_token(secret).post("/v1/session", headers={"host": host})
            assert ("; secure" in shown.headers["set-cookie"].lower()) == secure, host

    serving(db, work, open_to_all=False)


def test_a_wrong_header_is_not_made_good_by_a_cookie(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    secret = token(db, "me", may="read")

    async def work(ask: Asker) -> None:
        sent = {"cookie": f"asterism={secret}", "authorization": "Basic abc"}
        assert (await ask.get("/v1/spaces", headers=sent)).status == 401

    serving(db, work, open_to_all=False)
