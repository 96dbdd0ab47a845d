"""Exports of WhatsApp: dates that are read by all of them, what a telephone writes, and zones."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from asterism.errors import InputError
from asterism.transcripts import transcript_of

ANDROID = """12/10/26, 18:02 - Messages and calls are end-to-end encrypted.
12/10/26, 18:03 - Ana: shall we meet at 8?
bring: bread
  and wine
12/10/26, 18:04 - Bo: <Media omitted>
13/10/26, 09:00 - Ana changed the subject from "a: b" to "c"
13/10/26, 09:01 - +34 600 00 00 00: 😀 sí
"""


IPHONE = """\u200e[10/13/26, 6:03:11\u202fPM] Friends: \u200eMessages and calls are end-to-end encrypted.
[10/13/26, 6:03:12\u202fPM] ~\u202fAna: hello \u200e<This message was edited>
\u200e[10/13/26, 6:03:13\u202fPM] Bo: \u200eimage omitted
[10/14/26, 12:00:00\u202fAM] Bo: IMG-1.jpg (file attached)
look at this
"""


OCTOBER_12 = 1_791_828_420_000  # 18:07 of 12 October 2026 in UTC


HOUR_MS = 3_600_000


def test_whatsapp_exports() -> None:
    found = transcript_of(ANDROID, name="WhatsApp Chat with Ana.txt")
    assert (found.format, found.session) == ("whatsapp", "WhatsApp Chat with Ana")
    assert [line[1:] for line in found.lines] == [
        ("", "Messages and calls are end-to-end encrypted.", OCTOBER_12 - 300_000, "system"),
        ("Ana", "shall we meet at 8?\nbring: bread\n  and wine", OCTOBER_12 - 240_000, None),
        ("Bo", "<Media omitted>", OCTOBER_12 - 180_000, "system"),
        ("", 'Ana changed the subject from "a: b" to "c"', OCTOBER_12 + 53_580_000, "system"),
        ("+34 600 00 00 00", "😀 sí", OCTOBER_12 + 53_640_000, None),
    ]
    assert found.notes == ("its dates are read with the day first", "its times bear no zone and are taken as UTC")
    phone = transcript_of(IPHONE, name="_chat.txt")
    assert [line[1:3] + line[4:] for line in phone.lines] == [
        ("Friends", "Messages and calls are end-to-end encrypted.", "system"),
        ("Ana", "hello", None),
        ("Bo", "image omitted", "system"),
        ("Bo", "IMG-1.jpg (file attached)\nlook at this", None),
    ]
    assert phone.lines[3].timestamp_ms == 1_791_936_000_000, "midnight is 12 AM"
    assert phone.notes[0] == "its dates are read with the month first"


def test_the_first_message_of_a_whatsapp_export_stands_where_the_session_started() -> None:
    found = transcript_of(ANDROID, started_at_ms=1_000_000)
    assert [line.timestamp_ms for line in found.lines[:3]] == [1_000_000, 1_060_000, 1_120_000]
    assert found.notes == ("its dates are read with the day first",)


@pytest.mark.parametrize(
    ("dates", "months"),
    [
        (("03/04/26", "13/04/26"), (4, 4)),  # there is no month 13
        (("03/04/26", "03/13/26"), (3, 3)),
        (("30/03/26", "03/04/26"), (3, 4)),
        (("05/03/26", "06/02/26"), (5, 6)),  # only so the messages follow each other
        (("03.04.26", "04.04.26"), (4, 4)),  # nobody writes dots behind the month
        (("2026-04-03", "2026-04-04"), (4, 4)),
        (("04/04/26", "05/05/26"), (4, 5)),  # the same either way
    ],
)
def test_what_stands_first_in_a_date_is_told_by_all_dates(dates: tuple[str, str], months: tuple[int, int]) -> None:
    found = transcript_of("".join(f"{date}, 18:03 - Ana: hi\n" for date in dates))
    told = [datetime.fromtimestamp((line.timestamp_ms or 0) / 1000, tz=UTC).month for line in found.lines]
    assert tuple(told) == months


def test_dates_that_may_be_read_either_way_are_said_with_how_to_choose() -> None:
    text = "[03/04/2026, 18:03:11] Ana: hi\n[05/04/2026, 18:03:11] Bo: ho\n"
    with pytest.raises(InputError) as caught:
        transcript_of(text, name="chat.txt")
    assert caught.value.code == "unsure_dates"
    assert "chat.txt: in 03/04/2026 the day or the month may stand first" in str(caught.value)
    assert "whatsapp-dmy" in str(caught.value.hint)
    chosen = [transcript_of(text, file_format=f"whatsapp-{order}").lines[0].timestamp_ms for order in ("dmy", "mdy")]
    assert chosen == [1_775_239_391_000, 1_772_647_391_000]


def test_a_text_that_begins_like_a_whatsapp_export_and_goes_on_as_turns_is_not_guessed() -> None:
    mixed = "13/10/26, 18:03 - Ana: hi\nAnn: Ho.\nBo: Ha.\nAnn: Hm.\n"
    with pytest.raises(InputError, match="may be plain or whatsapp"):
        transcript_of(mixed, name="mixed.txt")
    assert len(transcript_of(mixed, file_format="whatsapp").lines) == 1
    talk = "Ann: what did they write?\nBo: this:\n12/10/26, 18:03 - Ana: hi\nAnn: Hm.\n"
    assert transcript_of(talk, name="talk.txt").format == "plain"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("<Media omitted>", "system"),
        ("<attached: 0001-PHOTO.jpg>", "system"),
        ("<Medien ausgeschlossen>", "system"),
        ("image omitted", "system"),
        ("IMG-1.jpg (file attached)", "system"),
        ("Messages and calls are end-to-end encrypted. Tap to learn more.", "system"),
        ("<3 you>", None),
        ("<no idea>", None),
        ("end-to-end encrypted messages are fine", None),
    ],
)
def test_only_what_a_telephone_writes_is_no_word_of_a_person(said: str, kind: str | None) -> None:
    (line,) = transcript_of(f"13/10/26, 18:03 - Ana: {said}\n").lines
    assert (line.author_name, line.content, line.kind) == ("Ana", said, kind)


def test_the_notice_of_encryption_names_nobody() -> None:
    notice = "Messages to this chat and calls are now secured with end-to-end encryption. More: here"
    (line,) = transcript_of(f"13/10/26, 18:03 - {notice}\n").lines
    assert (line.author_name, line.content, line.kind) == ("", notice, "system")


@pytest.mark.parametrize("clock", ["18:61", "25:00", "13:00 PM", "18:03:75"])
def test_a_wrong_time_of_a_whatsapp_export_is_no_wrong_date(clock: str) -> None:
    with pytest.raises(InputError) as caught:
        transcript_of(f"13/10/26, 18:03 - Ana: hi\n13/10/26, {clock} - Bo: ho\n", name="chat.txt")
    assert f"chat.txt, line 2, column 1: {clock} is no time of day" in str(caught.value)


def test_a_message_of_many_rows_is_one() -> None:
    text = "13/10/26, 18:03 - Ana: 0\n" + "".join(f"{row}\n" for row in range(1, 500)) + "13/10/26, 18:04 - Bo: ho\n"
    first, last = transcript_of(text).lines
    assert first.content == "\n".join(map(str, range(500)))
    assert last.content == "ho"


@pytest.mark.parametrize(("ahead", "hours"), [(1, 1), (HOUR_MS, 1), (HOUR_MS + 1, 2), (14 * HOUR_MS, 14)])
def test_an_export_from_east_of_utc_ends_by_now(ahead: int, hours: int) -> None:
    last = OCTOBER_12 + 53_640_000
    found = transcript_of(ANDROID, now_ms=last - ahead)
    assert [line.timestamp_ms for line in found.lines][-1] == last - hours * HOUR_MS
    assert f"moved back by {hours} h (started_at" in found.notes[-1]


@pytest.mark.parametrize("ahead", [-HOUR_MS, 0, 14 * HOUR_MS + 1])
def test_an_export_of_the_past_or_of_no_zone_stays_as_it_is(ahead: int) -> None:
    last = OCTOBER_12 + 53_640_000
    found = transcript_of(ANDROID, now_ms=last - ahead)
    assert found.lines[-1].timestamp_ms == last
    assert found.notes[-1] == "its times bear no zone and are taken as UTC"
    moved = transcript_of(ANDROID, now_ms=1_060_000, started_at_ms=1_000_000)
    assert moved.lines[0].timestamp_ms == 1_000_000


def test_dates_are_not_read_as_times_that_have_not_come() -> None:
    text = "03/04/26, 18:03 - Ana: hi\n05/04/26, 18:03 - Bo: ho\n"
    april = 1_775_239_380_000  # 18:03 of the 3rd
    assert transcript_of(text, now_ms=april + 72 * HOUR_MS).lines[0].timestamp_ms == april
    with pytest.raises(InputError, match="may stand first"):
        transcript_of(text, now_ms=april + 32 * 24 * HOUR_MS)
