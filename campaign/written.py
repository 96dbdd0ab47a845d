"""Grammars of the files that are read: mostly as they should be, with odd values in places, sometimes spoiled."""

from __future__ import annotations

from campaign.odd import NUMBERS, TIMES, Json, Odd

AUTHORS = ("Ann", "DM", "Bo", "Cy the Great", "user", "assistant", "Ann", "DM")
SAID = ("I open the door.", "It creaks open.", "*draws a sword*", "1d20+5 = 17", "Yes, do it.", "No.", "What's that?")


def _time(odd: Odd) -> str:
    if odd.sometimes(0.2):
        return odd.of(TIMES)
    return f"2026-{odd.chance.randint(1, 12):02}-{odd.chance.randint(1, 28):02}T{odd.chance.randint(0, 23):02}:05:00Z"


def _said(odd: Odd) -> str:
    return odd.line() if odd.sometimes(0.15) else odd.of(SAID)


def _author(odd: Odd) -> str:
    return odd.word() if odd.sometimes(0.1) else odd.of(AUTHORS)


def _row(odd: Odd, place: int) -> dict[str, Json]:
    who = odd.of(("author_name", "author", "speaker", "name", "role"))
    what = odd.of(("content", "text", "message", "utterance"))
    row: dict[str, Json] = {who: _author(odd), what: _said(odd)}
    if odd.sometimes(0.5):
        row["line_index"] = place
    if odd.sometimes(0.4):
        row["timestamp"] = _time(odd)
    if odd.sometimes(0.1):
        row["kind"] = odd.of(("speech", "action", "roll", odd.word()))
    return row


def _rows(odd: Odd) -> list[Json]:
    return [_row(odd, place) for place in range(1 + len(odd.times(8)))]


# Transcripts


def json_transcript(odd: Odd) -> str:
    rows = _rows(odd)
    shapes: tuple[Json, ...] = (
        rows,
        {"lines": rows, "session": odd.word(), "responders": ["DM"], "actors": [{"id": "ann", "name": "Ann"}]},
        {"messages": [{"author": {"name": _author(odd)}, "content": _said(odd), "timestamp": _time(odd)}]},
        [{"CHUNK": odd.word(), "TURNS": [{"NAMES": [_author(odd)], "UTTERANCES": [_said(odd)]}]}],
        {"masks": [{"start": 0, "end": 1, "reason": "combat"}], "lines": rows, "chunks": [{"id": "c", "start": 0}]},
    )
    return odd.written(odd.spoiled_json(odd.of(shapes), odd.of((0.0, 0.05, 0.2))))


def json_lines_transcript(odd: Odd) -> str:
    return "\n".join(odd.written(odd.spoiled_json(row, odd.of((0.0, 0.1)))) for row in _rows(odd))


def csv_transcript(odd: Odd) -> str:
    header = ["line_index", "author_name", "content", "timestamp_ms", "kind"][: odd.chance.randint(2, 5)]
    cells = [
        [str(place), _author(odd), _said(odd), _time(odd), odd.of(("", "action", odd.word()))] for place in range(4)
    ]
    return odd.table(header, [row[: len(header)] for row in cells], odd.of(",;\t|"))


def plain_transcript(odd: Odd) -> str:
    lines = []
    for _ in range(1 + len(odd.times(10))):
        stamp = odd.of(("", "", f"[{odd.of(TIMES)}] ", "[12:04] ", "(00:01:02) "))
        lines.append(f"{stamp}{_author(odd)}{odd.of((':', ':', ' -', ''))} {_said(odd)}")
    return odd.of(("\n", "\r\n", "\r")).join(lines)


def captions(odd: Odd) -> str:
    cues = [odd.of(("WEBVTT\n", "WEBVTT - x\n", "", "\ufeffWEBVTT\n"))]
    for number in range(1 + len(odd.times(6))):
        begins, ends = (odd.of((f"00:00:{number:02}.000", f"00:00:{number:02},500", odd.of(TIMES))) for _ in range(2))
        voice = odd.of((f"<v {_author(odd)}>", f"{_author(odd)}: ", ""))
        head, arrow = odd.of((str(number), "", odd.word())), odd.of(("-->", "-->", "->"))
        cues.append(f"{head}\n{begins} {arrow} {ends}\n{voice}{_said(odd)}\n")
    return "\n".join(cues)


def whatsapp(odd: Odd) -> str:
    lines = []
    for _ in range(1 + len(odd.times(8))):
        day = odd.of(("1/3/26", "13/3/2026", "3/13/26", "01.03.26", "2026-03-01", odd.of(TIMES)))
        clock = odd.of(("12:04", "12:04:05", "1:04 PM", "1:04\u202fpm", odd.word()))
        lines.append(
            odd.of(
                (
                    f"{day}, {clock} - {_author(odd)}: {_said(odd)}",
                    f"[{day}, {clock}] {_author(odd)}: {_said(odd)}",
                    _said(odd),
                )
            )
        )
    return "\n".join(lines)


# Diaries, market files, facts and evidence


def diary(odd: Odd) -> str:
    """Wide or long, in one of several orders of dates."""
    days = [_day(odd, day) for day in range(1, 3 + len(odd.times(12)))]
    if odd.sometimes(0.5):
        names = [odd.word() if odd.sometimes(0.2) else name for name in ("Sleep", "Mood", "Steps")]
        header, rows = ["date", *names], [[day, *(_value(odd) for _ in names)] for day in days]
    else:
        header = ["date", "star", "value"]
        rows = [[day, odd.of(("Sleep", "Mood", odd.word())), _value(odd)] for day in days]
    return odd.of(("", "", "sep=;\n")) + odd.table(header, rows, odd.of((",", ";", "\t", "|")))


def _day(odd: Odd, day: int) -> str:
    if odd.sometimes(0.1):
        return odd.of((f"{day}.1.2026", f"1/{day}/2026", odd.of(TIMES)))
    return f"2026-01-{day:02}"


def _value(odd: Odd) -> str:
    return odd.of(NUMBERS) if odd.sometimes(0.15) else str(odd.chance.randint(0, 10))


def market_csv(odd: Odd) -> str:
    header = list(odd.of((
        ("at_ms", "price", "usd", "side"),
        ("at", "kind", "price", "usd", "side", "seconds", "episode", "n"),
        ("timestamp", "open", "high", "low", "close", "volume"),
        ("t_ms", "last"),
        ("t_update_ms", "symbol", "side", "size", "price"),
        ("id", "price", "qty", "quote_qty", "time", "is_buyer_maker"),
    )))  # fmt: skip
    rows = []
    for place in range(1 + len(odd.times(12))):
        cells = {
            "kind": odd.of(("trade", "liquidation", "price", "book", "persistence", odd.word())),
            "side": odd.of(("buy", "sell", "bid", "ask", "Buy", odd.word())),
            "is_buyer_maker": odd.of(("true", "false")),
            "symbol": odd.of(("BTCUSDT", "X")),
            "timestamp": f"2026-03-01T00:{place % 60:02}:00Z",
        }
        at = str(1_700_000_000_000 + place * 1_000)
        rows.append([
            odd.word() if odd.sometimes(0.06)
            else cells.get(name, at if name in ("at", "at_ms", "t_ms", "t_update_ms", "time") else str(100 + place))
            for name in header
        ])  # fmt: skip
    return odd.table(header, rows, ",")


def recording(odd: Odd) -> str:
    lines = []
    for place in range(1 + len(odd.times(8))):
        numbers: dict[str, Json] = {"U": place, "u": place + 1, "pu": place - 1}
        sides: dict[str, Json] = {"b": [["100.0", "1"]], "a": [["101", "0"]]}
        shapes: tuple[Json, ...] = (
            {"stream": "btcusdt@depth", "data": {"e": "depthUpdate", "s": "BTCUSDT", **numbers, **sides}},
            {"lastUpdateId": place, "bids": [["100", "2"]], "asks": [["101", "1"]]},
            {"stream": "btcusdt@trade", "data": {"e": "trade", "s": "BTCUSDT", "p": "100.5", "q": "0.2", "m": True}},
            {"stream": "btcusdt@bookTicker", "data": {"s": "BTCUSDT", "b": "100", "a": "101"}},
        )
        stamp = odd.word() if odd.sometimes(0.05) else str(1_700_000_000_000_000_000 + place)
        lines.append(f"{stamp} {odd.written(odd.spoiled_json(odd.of(shapes), odd.of((0.0, 0.1))))}")
    return "\n".join(lines)


def market_rows(odd: Odd) -> Json:
    kinds = ("trade", "price", "liquidation", "persistence", "book")
    rows: list[Json] = []
    for place in range(1 + len(odd.times(6))):
        row: dict[str, Json] = {
            "kind": odd.of(kinds),
            "at": 1_700_000_000 + place,
            "price": 100.0 + place,
            "usd": 900.0,
        }
        rows.append(row | {"side": odd.of(("bid", "ask")), "seconds": 4, "episode": 1, "n": 1})
    if odd.sometimes(0.3):  # columns
        names = ("kind", "at", "price", "usd")
        return odd.spoiled_json({name: [row[name] for row in rows if isinstance(row, dict)] for name in names})
    return odd.spoiled_json(rows, odd.of((0.03, 0.1)))


def facts(odd: Odd) -> str:
    lines = []
    for _ in range(1 + len(odd.times(5))):
        row: Json = {"content": odd.line(), "tags": ["home"], "at": _time(odd), "speaker": "Ann", "expires": _time(odd)}
        lines.append(odd.written(odd.spoiled_json(row)) if odd.sometimes(0.7) else odd.line())
    return "\n".join(lines)


def evidence(odd: Odd) -> str:
    kinds = ("user_confirms", "user_creates", "co_mention_session")
    rows = [
        {"a": "sleep", "b": odd.of(("mood", odd.word())), "kind": odd.of(kinds), "at": _time(odd)} for _ in range(3)
    ]
    if odd.sometimes(0.4):
        return odd.table(["a", "b", "kind", "at"], [list(row.values()) for row in rows], ",")
    return "\n".join(odd.written(odd.spoiled_json(dict(row), 0.08)) for row in rows)


def reference(odd: Odd) -> str:
    rows: list[Json] = [
        {"type": "entity", "name": odd.of(("Ann", odd.word())), "entityType": "person", "observations": [_said(odd)]},
        {"type": "relation", "from": "Ann", "to": odd.of(("Bo", "Ann", odd.word())), "relationType": "knows"},
    ]
    return "\n".join(odd.written(odd.spoiled_json(odd.of(rows), 0.08)) for _ in range(1 + len(odd.times(4))))
