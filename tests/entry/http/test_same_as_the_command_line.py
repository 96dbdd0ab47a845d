"""Every command over HTTP answers what the command line prints with --json, to the byte."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from asterism import Memory
from asterism.entry.cli.app import app
from asterism.entry.http.arguments import ENDINGS
from asterism.entry.http.command import Command
from tests.support.http_service import COMMANDS, Asker, serving

COLD, WARM, PARIS = "Deploys fail when the cache is cold", "Warm the cache before each deploy", "I live in Paris"
FIRST, LATER, LAST = "2026-03-01T12:00Z", "2026-03-05T12:00Z", "2026-03-20T12:00Z"
DAYS = "date,sleep,mood\n" + "".join(f"2026-02-{day:02},{5 + day % 3},{3 + day % 3}\n" for day in range(1, 29))
TRADES = "at,price,usd,kind,side\n" + "".join(
    f"2026-03-01T10:{minute:02}:00Z,{100 + minute % 5},{10_000 + minute},trade,{'bid' if minute % 2 else 'ask'}\n"
    for minute in range(60)
)
TALK = "Mara: You see a door.\nBo: I open the door.\nMara: The door opens, and you see a hall.\n"
AS = "at=at,price=price,usd=usd,kind=kind,side=side"

BOTH, HALL = {"a": "Sleep", "b": "Mood"}, {"session": "hall"}
HOW_LONG = re.compile(rb'"(?:took_ms|seconds|clock|size_bytes)": [^,]+')  # what no two calls have in common
NOW = re.compile(rb"[0-9a-f]{32}|[0-9-]{10}T[0-9:.]+[+0-9:]*")  # times, and ids that are made of them


@dataclass(frozen=True)
class Step:
    """One command, as it is typed and as it is sent; IN and OUT among the words stand for files."""

    words: tuple[str, ...]
    path: str
    told: dict[str, Any] = field(default_factory=dict)
    sent: str = ""  # what the file IN holds
    media: str = "text/plain"


def step(words: str, path: str, sent: str = "", media: str = "text/plain", **told: Any) -> Step:
    return Step(tuple(shlex.split(words)), path, told, sent, media)


def learned(text: str, at: str, *more: str, **told: Any) -> Step:
    return Step(("learn", text, "--at", at, *more), "learn", {"content": text, "at": at, **told})


def steps(ids: dict[str, str]) -> list[Step]:
    cold, warm = ids[COLD], ids[WARM]
    new = "Warm the cache an hour before a deploy"
    return [
        learned(COLD, FIRST, "--tag", "ops/cache", tags=["ops/cache"]),
        learned(WARM, FIRST, "--tag", "ops/cache", tags=["ops/cache"]),
        learned(PARIS, FIRST, "--slot", "user/home", slot="user/home"),
        learned("I live in Berlin", LATER, "--slot", "user/home", slot="user/home"),
        step("learn --file IN --source notes", "learn", sent="Ann likes rain\nBo likes sun", source="notes"),
        step(f"recall 'cold cache' --at {LAST} -k 2", "recall", query="cold cache", at=LAST, k=2),
        step(f"recall 'cold cache' --at {LAST} --prompt", "recall", query="cold cache", at=LAST, prompt=True),
        step(f"why-not {cold} 'where is Paris' --at {LAST}", "why-not", id=cold, query="where is Paris", at=LAST),
        step("unanswered", "unanswered"),
        step("dream", "dream"),
        step("explore 'cold cache' --no-learn", "explore", query="cold cache", no_learn=True),
        step(f"blocks --tag ops/cache --at {LAST}", "blocks", tags=["ops/cache"], at=LAST),
        step(f"used {cold} {warm} --session friday --at {LATER}", "used", ids=[cold, warm], session="friday", at=LATER),
        step(f"outcome {cold} {warm} --signal 0.9 --at {LATER}", "outcome", ids=[cold, warm], signal=0.9, at=LATER),
        Step(("edit", warm, new, "--at", LATER), "edit", {"id": warm, "content": new, "at": LATER}),
        step(f"forget {cold} --at {LATER}", "forget", id=cold, at=LATER),
        step(f"restore {cold} --at 2026-03-06", "restore", id=cold, at="2026-03-06"),
        step(f"pin {cold} --at 2026-03-07", "pin", id=cold, at="2026-03-07"),
        step(f"pin {cold} --off --at 2026-03-08", "pin", id=cold, off=True, at="2026-03-08"),
        step(f"history user/home --at {LAST}", "history", slot="user/home", at=LAST),
        step(f"slots --at {LAST}", "slots", at=LAST),
        step("reembed", "reembed"),
        step(f"session start night --at {LATER}", "session/start", name="night", at=LATER),
        step("session end night --at 2026-03-06", "session/end", name="night", at="2026-03-06"),
        step(f"conflicts --at {LAST}", "conflicts", at=LAST),
        step(f"star add Sleep --domain health --at {FIRST}", "star/add", name="Sleep", domain="health", at=FIRST),
        step(f"star add Mood --at {FIRST}", "star/add", name="Mood", at=FIRST),
        step(f"star acknowledge Sleep --at {FIRST}", "star/acknowledge", name="Sleep", at=FIRST),
        step(f"star engage Sleep --impact 0.05 --at {FIRST}", "star/engage", name="Sleep", impact=0.05, at=FIRST),
        step(f"star observe Sleep 0.7 --at {FIRST}", "star/observe", name="Sleep", value=0.7, at=FIRST),
        step(f"star contradict Mood --at {FIRST}", "star/contradict", name="Mood", at=FIRST),
        step(f"star dark Mood --dispute --at {FIRST}", "star/dark", name="Mood", dispute=True, at=FIRST),
        step("diary read IN --scale mood=1..7", "diary/read", DAYS, "text/csv", scales=["mood=1..7"]),
        step(f"diary add mood=4 --at {LATER}", "diary/add", values=["mood=4"], at=LATER),
        step(f"diary missing --days 3 --at {LATER}", "diary/missing", days=3, at=LATER),
        step(f"diary show --at {LATER}", "diary/show", at=LATER),
        step("diary write OUT", "diary/write"),
        step(f"diary add Tea=2 --at {LATER}", "diary/add", values=["Tea=2"], at=LATER),
        step("diary rename Tea Green", "diary/rename", star="Tea", name="Green"),
        step("diary remove Green --dry-run", "diary/remove", star="Green", dry_run=True),
        step("diary remove Green --yes", "diary/remove", star="Green", yes=True),
        step(f"diary sample OUT --at {LATER}", "diary/sample", at=LATER),
        step(f"week --at {LATER}", "week", at=LATER),
        step("discover", "discover"),
        step(
            f"observe Sleep Mood user_confirms --at {LATER}",
            "observe",
            a="Sleep",
            b="Mood",
            kind="user_confirms",
            at=LATER,
        ),
        step("observe --file IN", "observe", "a,b,kind,at\nSleep,Mood,user_creates,2026-03-05T13:00Z\n", "text/csv"),
        Step(
            ("assign-type", "Sleep", "Mood", "growth_edge", "--at", LATER),
            "assign-type",
            {"a": "Sleep", "b": "Mood", "kind": "growth_edge", "at": LATER},
        ),
        step(f"deny Sleep Mood --at {LATER}", "deny", **BOTH, at=LATER),
        step(f"link Sleep Mood --at {LAST}", "link", **BOTH, at=LAST),
        step(f"links Sleep --curve --at {LAST}", "links", a="Sleep", curve=True, at=LAST),
        step(f"nodes --kind star --at {LAST}", "nodes", kinds=["star"], at=LAST),
        step(f"show Sleep --at {LAST}", "show", id="Sleep", at=LAST),
        step(
            f"transcript read IN --session hall --responder Mara --started {FIRST}",
            "transcript/read",
            TALK,
            session="hall",
            responders=["Mara"],
            started=FIRST,
        ),
        step("transcript annotate IN --session hall", "transcript/annotate", TALK, **HALL),
        step("transcript annotate IN --session hall --html OUT", "transcript/annotate", TALK, **HALL, html="html"),
        step("transcript metrics IN --session hall", "transcript/metrics", TALK, **HALL),
        step(
            "transcript trace IN --session hall --responder Mara",
            "transcript/trace",
            TALK,
            session="hall",
            responders=["Mara"],
        ),
        step("transcript links --session hall", "transcript/links", **HALL),
        step("transcript links --session hall --out OUT", "transcript/links", **HALL, out="jsonl"),
        step("transcript story IN --session hall", "transcript/story", "The door was opened.", session="hall"),
        step(f"market feed IN --symbol X --map {AS}", "market/feed", TRADES, "text/csv", symbol="X", mapping=AS),
        step("market symbols", "market/symbols"),
        step("market levels X", "market/levels", symbol="X"),
        step("market levels X --clusters", "market/levels", symbol="X", shape="clusters"),
        step("market nearest X 101", "market/nearest", symbol="X", price=101),
        step("market replay X --steps 5", "market/replay", symbol="X", steps=5),
        step("market replay X --steps 5 --plot OUT", "market/replay", symbol="X", steps=5, plot="html"),
        step("advance --days 1", "advance", days=1),
        step(f"as-of {LATER} Sleep", "as-of", time=LATER, a="Sleep"),
        step("predictions", "predictions"),
        step("why Sleep Mood --at 2026-03-20", "why", ids=["Sleep", "Mood"], at="2026-03-20"),
        step("verify", "verify"),
        step("stats", "stats"),
        step("what-if --without source:notes", "what-if", without="source:notes"),
        step("export OUT", "export"),
        step("export OUT --format graphml", "export", format="graphml"),
        step("erase source:notes --dry-run", "erase", subject="source:notes", dry_run=True),
        step("erase source:notes --yes", "erase", subject="source:notes", yes=True),
    ]


class Both:
    """Every command typed and sent: to look, on one file; to write, each on a file of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.typed, self.sent = folder / "typed.db", folder / "sent.db"

    def type(self, step: Step) -> bytes:
        """Type it: to look, where it was sent."""
        db = self.sent if looks(step) else self.typed
        command = command_of(step)
        source = self._folder / f"{command.file}{ENDINGS[step.media]}"
        wanted = next((str(step.told[each]) for each in ("html", "out", "plot", "format") if each in step.told), "")
        target = self._folder / f"out.{wanted or ('jsonl' if step.path == 'export' else 'csv')}"
        target.unlink(missing_ok=True)
        source.write_text(step.sent)
        files = {"IN": str(source), "OUT": str(target)}
        words = [files.get(word, word) for word in step.words]
        result = CliRunner().invoke(app, [*words, "--json", "--db", str(db)], env=ENVIRONMENT)
        assert result.exit_code == 0, (words, result.stderr)
        return target.read_bytes() if "OUT" in step.words else result.stdout.encode()

    async def send(self, ask: Asker, step: Step) -> bytes:
        """Send it, a file as the body."""
        path = f"/v1/spaces/default/{step.path}"
        if command_of(step).method == "GET":
            told = {name: str(value).lower() if value is True else value for name, value in step.told.items()}
            answer = await ask.ask("GET", path, b"", told, {})
        elif "IN" in step.words:
            body, kind = step.sent.encode(), {"content-type": step.media}
            answer = await ask.post(path, body=body, headers=kind, query=step.told)
        else:
            answer = await ask.post(path, step.told)
        assert answer.status == 200, (step.path, answer.body)
        return answer.body


def command_of(step: Step) -> Command:
    return next(each for each in COMMANDS if each.path == step.path)


def looks(step: Step) -> bool:
    """Say whether a step writes nothing."""
    return step.path in LOOKING or bool(step.told.get("dry_run") or step.told.get("no_learn"))


def compared(told: bytes, step: Step) -> bytes:
    """Leave out how long it took, and of what was written by the clock, when."""
    told = HOW_LONG.sub(b"", told)
    return told if looks(step) or "at" in step.told else NOW.sub(b"", told)


LOOKING = (
    *("recall", "why-not", "unanswered", "blocks", "history", "slots", "conflicts", "diary/missing", "diary/show"),
    *("diary/write", "diary/sample", "week", "link", "links", "nodes", "show", "transcript/annotate"),
    *("transcript/metrics", "transcript/trace", "transcript/links", "transcript/story", "market/symbols"),
    *("market/levels", "market/nearest", "market/replay", "as-of", "predictions", "why", "verify", "what-if", "export"),
    *("stats",),
)
ENVIRONMENT = {"ASTERISM_EMBEDDER": "hashed", "ASTERISM_SPACE": "default"}


@pytest.fixture(scope="module")
def ids() -> dict[str, str]:
    with Memory.open_sync(":memory:", space="default", embedder="hashed") as memory:
        return {text: memory.learn(text).id for text in (COLD, WARM, PARIS)}


def test_every_command_answers_what_it_prints(tmp_path: Path, ids: dict[str, str]) -> None:
    both = Both(tmp_path)

    async def work(ask: Asker) -> None:
        for each in steps(ids):
            sent, typed = await both.send(ask, each), both.type(each)
            assert compared(sent, each) == compared(typed, each), each

    serving(both.sent, work)


def test_every_command_is_compared(ids: dict[str, str]) -> None:
    sent = {each.path for each in steps(ids)}
    assert {each.path for each in COMMANDS} - sent == {"doctor", "import", "merge", "project"}
