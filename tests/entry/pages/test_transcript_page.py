"""The annotated transcript, as a page and as Markdown: everything is there, and user text is only ever text."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given, settings

from asterism.core.dialogue.beats import beats
from asterism.core.dialogue.kernel import Reading, causal_links
from asterism.core.dialogue.lines import Line, Mask
from asterism.core.dialogue.mentions import evidence_of
from asterism.entry.pages.transcript_page import page
from asterism.entry.pages.transcript_text import escaped, markdown
from asterism.entry.sample import session
from tests.support.dialogue import transcripts

EVIL = '</script><img src=x onerror="alert(1)">{lines}{title}<b>&amp;'


def read(**options: object) -> Reading:
    found = session.transcript()
    return causal_links(
        found.lines,
        session=found.session,
        responders=found.responders,
        actors=found.actors,
        masks=found.masks,
        **options,  # type: ignore[arg-type]
    )


class Seen(HTMLParser):
    """Collects what a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.inside: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        told = dict(attrs)
        if told.get("id"):
            self.ids.append(str(told["id"]))
        if tag == "a":
            self.targets.append(str(told["href"]))
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_shows_every_line_once_and_its_links_lead_somewhere() -> None:
    reading = read(traces=True)
    seen = Seen(page(reading))
    assert [name for name in seen.ids if name.startswith("l") and name[1:].isdigit()] == [f"l{n}" for n in range(101)]
    assert {target[1:] for target in seen.targets} <= set(seen.ids)
    for line in reading.lines:
        assert line.content in seen.text
    assert "5 lines left out: out of character" in seen.text
    assert "left hanging" in seen.text
    assert seen.text.count("nearness") == sum(len(trace.candidates) for trace in reading.traces)
    assert "http:" not in page(reading).replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in page(reading)


def test_the_page_lists_contested_responses_with_every_bidder_and_what_hangs() -> None:
    reading = read(traces=True)
    text = Seen(page(reading)).text
    contested = text[text.index("Responses that more than one") : text.index("Strong intents for which no line")]
    for each in reading.metrics.contested:
        assert reading.lines[each.line_index].content[:60] in contested
        for bidder in each.bidders:
            assert reading.lines[bidder].content[:60] in contested
    hanging = text[text.index("Strong intents for which no line") :]
    for line in reading.metrics.unclaimed_strong:
        assert reading.lines[line].content[:60] in hanging


def test_user_text_is_only_ever_text() -> None:
    lines = [Line(0, EVIL, f"I go {EVIL}?"), Line(1, "DM", f"Yes {EVIL}"), Line(2, EVIL, f"I go {EVIL}")]
    reading = causal_links(lines, session=EVIL, responders=["DM"], traces=True, masks=[Mask(2, 2, "noise")])
    seen = Seen(page(reading, dense=True))
    assert "img" not in seen.tags
    assert seen.tags.count("script") == 1
    assert seen.text.count(EVIL) >= 8
    told = markdown(reading, dense=True)
    assert "<img" not in told
    assert "</script>" not in told


@settings(max_examples=20)
@given(transcripts(most=20))
def test_any_reading_can_be_shown(lines: list[Line]) -> None:
    for traces in (False, True):
        reading = causal_links(lines, session="s", responders=["DM"], traces=traces, include_unclaimed_weak=traces)
        assert Seen(page(reading)).tags.count("main") == 1
        assert markdown(reading, dense=True).startswith("# s\n")


def test_dense_opens_the_candidates() -> None:
    reading = read(traces=True)
    assert "<details class=tag open>" in page(reading, dense=True)
    assert "<details class=tag open>" not in page(reading)
    assert "<details class=tag>" not in page(read())


def test_markdown_says_the_same() -> None:
    told = markdown(read(traces=True))
    assert (
        "- `16` **Tom \\(Brindle\\)** I light it.\n  - declares (strong, i_do) → line 18, takes effect, score 0.512"
        in told
    )
    assert "  - answers line 16" in told
    assert "<details><summary>5 lines left out: out of character</summary>" in told
    assert "nearness" not in told
    dense = markdown(read(traces=True), dense=True)
    assert "    - **line 18**, distance 2: 0.512 (nearness 0.500, lexical 0.050, answer 0.000)" in dense
    assert "    - line 18 went to the intent of line 16, and no other scores 0.35" in dense
    assert "- line 17, Ines, got nothing: I grab his arm\\!" in dense


def test_a_bidder_may_have_taken_another_line() -> None:
    said = (("Ann", "I go."), ("Bo", "I go."), ("DM", "Off."), ("DM", "Away."))
    lines = [Line(place, *each) for place, each in enumerate(said)]
    assert "line 1, Bo, took line 3 instead: I go." in markdown(causal_links(lines, session="s"))


def test_markdown_of_a_quiet_session_says_so() -> None:
    told = markdown(causal_links([Line(0, "DM", "Hm.")], session="s"))
    assert told.count("Nothing was.") == 2
    assert escaped("a\n\n# b | c") == "a \\# b \\| c"


def test_the_sample_has_something_of_everything() -> None:
    reading = read()
    assert 60 <= len(reading.lines) <= 120
    assert {link.intent_type for link in reading.links} == {"question", "declare", "propose", "request"}
    came = {link.consequence_type for link in reading.links}
    assert came >= {"roll", "information", "deterministic", "commitment", "none"}
    assert reading.metrics.contested
    assert reading.metrics.unclaimed_strong
    assert any(beat.level >= 2 for beat in beats(reading))
    names = [(name, name.lower()) for name in session.THINGS]
    rows = evidence_of(reading, names, started_at_ms=session.STARTED_AT_MS).rows
    assert {row.kind for row in rows} == {"causation_detected", "co_mention_response", "co_mention_session"}
    assert ("boat", "lantern") in {(row.a, row.b) for row in rows if row.kind == "causation_detected"}
