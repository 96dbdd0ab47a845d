"""Messages of a chat with a model, and times of records: seconds or milliseconds by their size."""

from __future__ import annotations

import json

import pytest

from asterism.errors import InputError
from asterism.transcripts import transcript_of

MESSAGES: list[dict[str, object]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "name": "Ana", "content": "Where is the key?", "timestamp": "2026-10-12T18:03:00Z"},
    {"role": "assistant", "content": None, "tool_calls": []},
    {"role": "tool", "content": "hook", "created_at": 1_791_828_180},
    {
        "role": "assistant",
        "content": [{"type": "text", "text": "On the"}, {"type": "image_url"}],
        "create_time": 1_791_828_240.5,
    },
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(MESSAGES),
        json.dumps({"title": "talk", "messages": MESSAGES}),
        "\n".join(map(json.dumps, MESSAGES)),
    ],
)
def test_a_chat_with_roles(text: str) -> None:
    found = transcript_of(text, name="talk")
    assert found.session == "talk"
    assert [line[1:] for line in found.lines] == [
        ("system", "Be brief.", None, "system"),
        ("Ana", "Where is the key?", 1_791_828_180_000, None),
        ("assistant", "", None, None),
        ("tool", "hook", 1_791_828_180_000, "system"),
        ("assistant", "On the\n[image_url]", 1_791_828_240_500, None),
    ]


@pytest.mark.parametrize("told", [1_791_828_180, 1_791_828_180_000, 1_791_828_180.0, "1791828180", "1791828180000"])
@pytest.mark.parametrize("field", ["timestamp", "time", "created_at", "create_time"])
def test_a_number_of_a_chat_is_of_seconds_or_milliseconds_by_its_size(field: str, told: object) -> None:
    found = transcript_of(json.dumps([{"role": "user", "content": "Hi.", field: told}]))
    assert found.lines[0].timestamp_ms == 1_791_828_180_000


@pytest.mark.parametrize("told", [1_791_828_180, 1_791_828_180_000, "1791828180", "2026-10-12T18:03:00Z"])
@pytest.mark.parametrize("field", ["timestamp", "time", "date"])
def test_a_number_of_a_record_is_of_seconds_or_milliseconds_by_its_size(field: str, told: object) -> None:
    found = transcript_of(json.dumps([{"speaker": "Ann", "text": "Hi.", field: told}]))
    assert found.lines[0].timestamp_ms == 1_791_828_180_000
    table = f"speaker,text,{field}\nAnn,Hi.,{told}\n"
    assert transcript_of(table, name="talk.csv").lines[0].timestamp_ms == 1_791_828_180_000


@pytest.mark.parametrize("told", [0, 60.5, 1_791_828, 99_999_999_999, 17_918_281_800_000_000])
@pytest.mark.parametrize("who", ['"speaker": "Ann", "text"', '"role": "user", "content"'])
def test_a_number_of_a_year_in_which_nobody_wrote_is_no_time(who: str, told: float) -> None:
    with pytest.raises(InputError, match="is no time of a likely year; expected seconds or milliseconds since 1970"):
        transcript_of(f'[{{{who}: "Hi.", "timestamp": {told}}}]', name="talk.json")


def test_a_time_that_is_named_in_milliseconds_is_one() -> None:
    told = [{"role": "user", "content": "Hi.", "timestamp_ms": 60_000}]
    assert transcript_of(json.dumps(told)).lines[0].timestamp_ms == 60_000


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ('"role": ["user"], "content": "Hi."', "its role"),
        ('"role": 3, "content": "Hi."', "its role"),
        ('"role": "user", "content": "Hi.", "created_at": NaN', "nan is no time"),
        ('"role": "user", "content": "Hi.", "created_at": Infinity', "inf is no time"),
        ('"role": "user", "content": "Hi.", "created_at": 1e400', "inf is no time"),
        ('"role": "user", "content": "Hi.", "created_at": true', "True is no time"),
        ('"role": "user", "content": "Hi.", "timestamp_ms": NaN', "nan is no time"),
        ('"role": "user", "content": "Hi.", "timestamp": 1e300', "is no time"),
        ('"role": "user", "content": "Hi.", "timestamp": []', "is no time"),
        ('"role": "user", "content": "Hi.", "kind": ["action"]', "is no kind"),
        ('"role": "user", "content": ["Hi.", null, 3]', "part 1 of its content, None, says nothing"),
        ('"role": "user", "content": [3]', "part 0 of its content, 3, says nothing"),
    ],
)
def test_what_is_odd_about_a_message_of_a_chat_is_said_with_its_place(fields: str, problem: str) -> None:
    text = '[{"role": "user", "content": ["Hi.", {"type": "text", "text": "Ho."}]}, {' + fields + "}]"
    with pytest.raises(InputError, match="entry 1") as caught:
        transcript_of(text, name="chat.json")
    assert problem in str(caught.value)


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    text = '{"role": "user", "content": "Hi.", "created_at": 1' + "0" * 5000 + "}"
    with pytest.raises(InputError, match="too long"):
        transcript_of(text, name="chat.jsonl", file_format="jsonl")
