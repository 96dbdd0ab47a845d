"""The page of a sky, read as a browser would: it holds everything, runs nothing of it, and asks nobody."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from asterism.core.ledger.model import Line, Why
from asterism.formats.constellation import WHY_LINES, SaidAndCame, Sky, page
from tests.support.skies import EVIL, planted, small


class Seen(HTMLParser):
    """Collects what a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.said: dict[str, str] = {}
        self.attributes: list[tuple[str, str]] = []
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        told = {name: value or "" for name, value in attrs}
        self.attributes += told.items()
        self._inside = f"{tag} {told.get('id', '')}".strip()

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002  # the base class says so
        self._inside = ""

    def handle_data(self, data: str) -> None:
        self.said[self._inside] = self.said.get(self._inside, "") + data


def data_of(sky: Sky) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(Seen(page(sky)).said["script data"])
    return told


def test_everything_is_in_the_page_and_texts_are_as_they_were() -> None:
    sky = small()
    told = data_of(sky)
    assert told["nodes"]["id"] == sorted(node.id for node in sky.nodes)
    by_id = dict(zip(told["nodes"]["id"], zip(told["nodes"]["name"], told["nodes"]["text"], strict=True), strict=True))
    assert by_id["evil"] == (EVIL, f"text {EVIL}")
    assert by_id["sleep"] == ("Sleep", "")  # a text that is the name is said once
    assert told["links"]["id"] == [link.id for link in sorted(sky.links, key=lambda link: -link.strength)]
    assert told["title"] == f"Sky {EVIL}"
    assert told["left"] == [["weaker links", 7]]


def test_the_record_of_predictions_is_in_the_page() -> None:
    assert data_of(small())["record"] == []
    told = data_of(replace(small(), record=(SaidAndCame(0.25, 0.5, 4), SaidAndCame(0.75, 1.0, 2))))
    assert told["record"] == [[0.25, 0.5, 4], [0.75, 1.0, 2]]


def test_hostile_texts_stay_texts() -> None:
    seen = Seen(page(small()))
    assert "img" not in seen.tags
    assert "b" not in seen.tags
    assert seen.tags.count("script") == 2
    assert seen.said["title"] == f"Sky {EVIL}"
    assert not [name for name, _ in seen.attributes if name.startswith("on")]


def test_the_page_forbids_itself_every_request_and_every_other_script() -> None:
    text = page(small())
    told = Seen(text)
    (policy,) = [value for name, value in told.attributes if name == "content" and "default-src" in value]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag, source in (("style", "style-src"), ("script", "script-src")):
        digest = base64.b64encode(hashlib.sha256(told.said[tag].encode()).digest()).decode()
        assert f"{source} 'sha256-{digest}'" in policy
    assert not re.search(r"https?:", text)
    assert not re.search(r"[\"'`]//", text)
    assert not re.search(r"\burl\(|@import", told.said["style"])
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|\bfetch\b|XMLHttp", text)


def test_the_same_sky_gives_the_same_page_whatever_the_order() -> None:
    sky = planted(300, 30, 900)
    turned = replace(sky, nodes=sky.nodes[::-1], links=sky.links[::-1])
    assert page(sky) == page(sky) == page(turned)


def test_a_long_sum_keeps_its_largest_lines_and_its_total() -> None:
    sky = small()
    lines = tuple(Line(f"line {place}", (-1) ** place * 0.5 / (place + 1)) for place in range(100))
    total = sum(line.value for line in lines)
    told = Why("mood~sleep", "strength", lines, total)
    links = tuple(replace(link, why=told) if link.why else link for link in sky.links)
    found = data_of(replace(sky, links=links))["links"]["why"]
    (why,) = [each for each in found if each]
    assert len(why["lines"]) == WHY_LINES + 1
    assert why["lines"][-1][0] == "and 60 smaller lines"
    assert sum(value for _, value in why["lines"]) == pytest.approx(total, abs=1e-9)
    assert why["total"] == total
    assert [text for text, _ in why["lines"][:3]] == ["line 0", "line 1", "line 2"]  # in their order


def test_links_to_nodes_that_are_missing_are_counted() -> None:
    sky = small()
    told = data_of(replace(sky, nodes=tuple(node for node in sky.nodes if node.id != "evil")))
    assert told["left"] == [["links to nodes that are not shown", 3], ["weaker links", 7]]
    assert told["links"]["id"] == ["mood~sleep"]


def test_strengths_through_time_are_thousandths_and_states_are_numbered() -> None:
    told = data_of(small())
    place = told["links"]["id"].index("mood~sleep")
    assert told["links"]["strengths"][place] == [0, 0, 100, 300, 400, 375, 200, 100]
    states = told["states"]
    numbers = told["links"]["states"][place]
    assert [states[number] for number in numbers] == ["", "", "NASCENT", "WEAK", "WEAK", "WEAK", "DORMANT", "DORMANT"]
    assert told["links"]["direction"][place] == -1
    assert told["links"]["strength"][place] == 0.375


def test_an_empty_sky_is_a_page_too() -> None:
    told = data_of(Sky("Empty", "me", "2026-09-06 00:00 UTC", (), ()))
    assert told["nodes"]["id"] == []
    assert told["times"] == []
