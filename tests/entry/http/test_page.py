"""The page in a real browser, over a real server: every part shows what the memory holds, and does what it offers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.support.browser import CHROMIUM, Browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
SEEN = "document.getElementById('main').innerText"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of a server of the sample month."""
    db = tmp_path_factory.mktemp("served") / "memory.db"
    run = [sys.executable, "-m", "asterism"]
    subprocess.run([*run, "demo", "--db", str(db)], check=True, capture_output=True)
    command = [*run, "serve", "--no-token", "--port", "0", "--quiet", "--db", str(db)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split()[1]
        server.terminate()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


def until(browser: Browser, what: str) -> None:
    """Wait until something is so."""
    browser.js(f"new Promise(done => {{ const look = () => {what} ? done() : setTimeout(look, 20); look(); }})")


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("ask", ("Tell it something",)),
        ("days", ("How was it?", "What goes with what", "Sleep", "Through time")),
        ("talk/the-bell-of-low-water", ("Read a transcript", "I pick up the lantern.")),
        ("market", ("HARBOR", "Levels, strongest first", "98.5")),
        ("walk", ("leave what was learnt",)),
        ("care", ("Spaces", "Is all well?", "Erase for good")),
    ],
)
def test_every_part_shows_what_it_is_for(browser: Browser, address: str, part: str, words: tuple[str, ...]) -> None:
    for phone in (False, True):
        browser.go(f"{address}/#{part}", width=390 if phone else 1280, height=844, phone=phone, dark=phone)
        text = browser.js(SEEN)
        assert [word for word in words if word not in text] == [], text
        assert "null" not in text.split()
        assert "undefined" not in text.split()
        assert browser.js("document.documentElement.scrollWidth <= innerWidth"), "it is wider than the screen"
        assert browser.complaints() == []
        assert {url.split("/")[2] for url in browser.requests() if "://" in url} <= {address.split("/")[2]}


def test_a_fact_that_is_told_can_be_asked_for_corrected_and_forgotten(browser: Browser, address: str) -> None:
    browser.go(f"{address}/#ask")
    browser.js("document.getElementById('fact').value = 'The spare key hangs behind the blue door.'")
    browser.js("document.querySelector('.telling').requestSubmit()")
    until(browser, "document.getElementById('said').textContent.startsWith('Remembered')")
    browser.js("document.getElementById('question').value = 'Where is the spare key?'")
    browser.js("document.querySelector('.asking').requestSubmit()")
    first = "document.querySelector('#answers article')"
    until(browser, f"{first}?.innerText.includes('blue door')")

    def press(name: str) -> None:
        browser.js(f"[...{first}.querySelectorAll('button')].find(each => each.textContent === '{name}').click()")

    press("Why")
    until(browser, "document.getElementById('told').innerText.includes('= score')")
    browser.press("Escape")
    press("Edit")
    browser.js(f"{first}.querySelector('textarea').value = 'The spare key hangs behind the green door.'")
    press("Correct it")
    until(browser, f"{first}?.innerText.includes('green door')")
    press("Forget")
    until(browser, f"{first}.innerText.startsWith('Forgotten')")
    press("Undo")
    until(browser, f"{first}.innerText.includes('green door') && {first}.innerText.includes('Forget')")
    assert browser.complaints() == []


def test_the_sky_is_the_exported_page_and_follows_what_is_told(browser: Browser, address: str) -> None:
    browser.go(f"{address}/#sky")
    sky = "document.querySelector('iframe').contentWindow"
    until(browser, f"{sky}.document.getElementById('counted')?.textContent.includes(' nodes')")
    counted = f"parseInt({sky}.document.getElementById('counted').textContent)"
    before = browser.js(counted)
    browser.js(
        "fetch('/v1/spaces/default/learn', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify({content: 'A heron stood on the jetty all morning.'})}).then(() => true)"
    )
    until(browser, f"{counted} === {before + 1}")
    assert browser.complaints() == []


def test_a_link_tells_its_life_and_can_be_denied(browser: Browser, address: str) -> None:
    browser.go(f"{address}/#link/mood~sleep")
    told = "document.getElementById('told')"
    until(browser, f"{told}.innerText.includes('= strength')")
    assert browser.js(f"{told}.querySelectorAll('circle').length") > 5
    before = browser.js(f"{told}.querySelector('.quiet').textContent")
    browser.js(f"[...{told}.querySelectorAll('button')].find(each => each.textContent === 'It does not').click()")
    until(browser, f"{told}.querySelector('.quiet').textContent !== '{before}'")
    assert browser.complaints() == []


def test_a_day_is_told_by_touching_its_values(browser: Browser, address: str) -> None:
    browser.go(f"{address}/#days", width=390, height=844, phone=True)
    browser.js(
        "(slider => { slider.value = .9; slider.dispatchEvent(new Event('input')); })"
        "(document.querySelector('[aria-label=Mood]'))"
    )
    browser.js("document.querySelector('.main').click()")
    until(browser, "document.getElementById('said').textContent.startsWith('Told 1 for')")
    until(browser, f"{SEEN}.includes('9 of 10 not told today')")
    assert browser.complaints() == []


def test_a_walk_can_be_replayed_step_by_step(browser: Browser, address: str) -> None:
    browser.go(f"{address}/#walk")
    browser.js("document.querySelector('.asking input').value = 'lantern'")
    browser.js("document.querySelector('.asking').requestSubmit()")
    until(browser, f"{SEEN}.includes('Step 1 of')")
    browser.js("document.querySelector('[aria-label=\"Next step\"]').click()")
    assert "Step 2 of" in browser.js(SEEN)
    assert browser.complaints() == []


def test_erasing_shows_what_would_go_before_it_goes(browser: Browser, address: str) -> None:
    browser.go(f"{address}/#care")
    browser.js("document.querySelector('[aria-label=\"What to erase\"]').value = 'savings'")
    press = "[...document.querySelectorAll('button')].find(each => each.textContent.startsWith('{}')).click()"
    browser.js(press.replace("{}", "Look first"))
    until(browser, f"{SEEN}.includes('would go')")
    browser.js(press.replace("{}", "Erase "))
    until(browser, f"{SEEN}.includes('no merge brings it back')")
    browser.go(f"{address}/#days")
    assert "Savings" not in browser.js(SEEN)
    assert browser.complaints() == []
