"""The constellation in a real browser: it draws, searches, plays, tells why, and no text of it ever runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asterism import Memory
from asterism.engine.exchange.constellation import sky_of
from asterism.engine.memory import Memory as HeldMemory
from asterism.entry.sample.play import StoryClock, play
from asterism.formats.constellation import page
from tests.support.browser import CHROMIUM, Browser
from tests.support.skies import EVIL, planted, small

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
SPOT = "(node => ({ x: toX(node.x), y: toY(node.y) }))(nodes.find(node => node.id === '{}'))"
LAID = """(() => { const paper = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    [paper.canvas.width, paper.canvas.height] = [canvas.width, canvas.height]; painter.paint();
    paper.drawImage(painter.surface, 0, 0); return paper; })()"""  # what the painter has laid, to be looked at
PIXELS = f"""(() => {{ const all = {LAID}.getImageData(0, 0, canvas.width, canvas.height).data; let drawn = 0;
    for (let at = 3; at < all.length; at += 4) drawn += all[at] > 0; return drawn; }})()"""
INSIDES = f"""(() => {{ const laid = {LAID}; laid.globalCompositeOperation = 'destination-over'; laid.fillStyle = halo;
    laid.fillRect(0, 0, canvas.width, canvas.height);
    return nodes.map(node => [node.id, ...laid.getImageData(toX(node.x), toY(node.y), 1, 1).data]); }})()"""
OVERLAPS = """labels.filter((one, i) => labels.some((other, j) => j > i
    && one.x < other.x + other.w && other.x < one.x + one.w
    && one.y < other.y + other.h && other.y < one.y + one.h)).length"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="module")
def small_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "small.html"
    path.write_text(page(small()), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def large_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "large.html"
    path.write_text(page(planted(3000, 60, 10_000)), encoding="utf-8")
    return path


def spot(browser: Browser, node: str) -> tuple[float, float]:
    told = browser.js(SPOT.replace("{}", node))
    return told["x"], told["y"]


def text(browser: Browser, name: str) -> str:
    return str(browser.js(f"document.getElementById('{name}').innerText"))


def between(browser: Browser, one: str, other: str) -> tuple[float, float]:
    (ax, ay), (bx, by) = spot(browser, one), spot(browser, other)
    return (ax + bx) / 2, (ay + by) / 2


@pytest.mark.parametrize("dark", [False, True])
def test_it_draws_without_a_complaint_and_asks_for_nothing_but_itself(
    browser: Browser, small_page: Path, dark: bool
) -> None:
    browser.show(small_page, dark=dark)
    assert browser.js(PIXELS) > 500
    assert browser.complaints() == []
    assert {url for url in browser.requests() if not url.startswith("data:")} <= {small_page.as_uri(), "about:blank"}
    assert "6 nodes · 4 links · 7 left out" in text(browser, "counted")
    assert browser.js("document.documentElement.scrollWidth <= innerWidth")


def test_both_painters_lay_every_mark_in_its_place_and_colour(browser: Browser, small_page: Path) -> None:
    laid = {}
    for fragment, name in (("", "webgl2"), ("canvas", "canvas")):
        browser.show(small_page, fragment=fragment)
        assert browser.js("painter.name") == name
        laid[name] = browser.js(INSIDES)
    for drawn, plain in zip(laid["webgl2"], laid["canvas"], strict=True):
        assert drawn[0] == plain[0]
        assert sum(drawn[1:4]) < 600, drawn  # not the paper
        assert all(abs(one - other) <= 30 for one, other in zip(drawn[1:], plain[1:], strict=True)), (drawn, plain)


def test_a_graphics_card_that_goes_away_leaves_the_picture(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)
    browser.js("painter.surface.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
    browser.js(
        "new Promise(done => { const look = () => painter.name === 'canvas' ? done() : setTimeout(look, 10); look(); })"
    )
    browser.settle()
    assert browser.js(PIXELS) > 500
    assert browser.js("document.querySelectorAll('canvas#deep').length") == 1


def test_pointing_at_something_lays_nothing_anew(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)
    browser.js(
        "(paint => { painter.laid = 0; painter.paint = () => { painter.laid++; return paint(); }; })(painter.paint)"
    )
    browser.js("over = nodes[0]; picture(); over = links[0]; picture(); over = null; picture()")
    assert browser.js("painter.laid") == 0
    browser.js("zoom(1.5); picture()")
    assert browser.js("painter.laid") == 1


def test_no_text_runs_or_becomes_markup_wherever_it_is_shown(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)
    shown = " ".join(EVIL.split())
    browser.js("choose(nodes.find(node => node.id === 'evil'))")
    assert shown in " ".join(browser.js("$('about').textContent").split())
    browser.js("choose(links.find(link => link.why))")
    assert shown in " ".join(browser.js("$('sum').textContent").split())
    browser.js("$('search').value = 'onerror'; look(); openLists()")
    assert browser.js("$('found').children.length") == 1
    assert browser.js("$('nodelist').querySelectorAll('tbody tr').length") == 6
    assert browser.js("$('linklist').querySelectorAll('tbody tr').length") == 4
    assert browser.js("document.querySelectorAll('img, script:not([type]) ~ script, body b b').length") == 0
    assert browser.js("window.bad === undefined")
    assert shown in " ".join(browser.js("document.title").split())


def test_what_is_not_of_the_page_is_refused_by_its_policy(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)
    browser.js("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.bad = 1'}))")
    assert browser.js("window.bad === undefined")
    assert browser.js("fetch('data:text/plain,hello').then(() => 'went', () => 'refused')") == "refused"


def test_a_click_on_a_node_tells_its_links_and_a_link_tells_its_sum(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)
    browser.click(*spot(browser, "sleep"))
    told = text(browser, "panel")
    assert "Sleep" in told
    assert "bright\n" in told
    assert "brightness\n0.80" in told
    rows = browser.js("[...$('ties').querySelectorAll('li')].map(row => row.innerText)")
    assert [row.splitlines()[-1] for row in rows] == ["0.90", "0.38", "0.30"]  # strongest first
    browser.js("$('ties').querySelectorAll('li button')[1].click()")
    values = browser.js("[...$('sum').querySelectorAll('td.number')].map(cell => cell.textContent.replace('−', '-'))")
    *lines, total = (float(value) for value in values)
    assert sum(lines) == pytest.approx(total) == pytest.approx(0.375)
    assert browser.js("$('past').getAttribute('d').split('L').length") == 6
    assert browser.js("$('ahead').getAttribute('d').split('L').length") == 3
    browser.js("choose(null)")
    browser.settle()
    browser.click(*between(browser, "sleep", "mood"))
    assert "causation" in text(browser, "panel")


def test_a_structural_link_without_a_sum_says_how_to_ask_for_it(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)
    browser.js("choose(links.find(link => link.kind === 'caused'))")
    assert "asterism why evil~s:1#caused" in text(browser, "sum")
    browser.js("sky.space = 'my life'; choose(null); choose(links.find(link => link.kind === 'caused'))")
    assert 'asterism why evil~s:1#caused --space "my life"' in text(browser, "sum")


def test_keys_do_what_a_mouse_does(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)
    browser.js("canvas.focus()")
    browser.press("ArrowRight")
    first = browser.js("chosen.id")
    for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"):
        browser.press(key)
    assert first in [node.id for node in small().nodes]
    browser.press("Enter")
    assert browser.js("document.activeElement.id") == "panel"
    browser.press("Escape")
    assert browser.js("$('panel').hidden && document.activeElement.id") == "sky"
    before = browser.js("view.k")
    browser.press("+", text="+")
    assert browser.js("view.k") > before
    browser.press("-", text="-")
    assert browser.js("view.k") == pytest.approx(before)
    browser.press("/", text="/")
    assert browser.js("document.activeElement.id") == "search"
    browser.write("lantern")
    assert text(browser, "found").startswith("I light the lantern.")
    browser.press("Enter")
    assert browser.js("chosen.id") == "s:1"
    x, y = spot(browser, "s:1")
    assert 0 < x < 900  # not under the panel
    assert 0 < y < 700
    browser.press("Escape")
    browser.js("canvas.focus()")
    browser.press("l", text="l")
    assert not browser.js("$('lists').hidden")
    browser.press("Escape")
    assert browser.js("$('lists').hidden")


def test_the_focus_is_seen_on_whatever_has_it(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)
    seen = []
    for _ in range(12):
        browser.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        browser.call("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        seen.append(
            browser.js(
                "(style => [document.activeElement.id || document.activeElement.tagName, style.outlineStyle !== 'none' "
                "|| style.boxShadow !== 'none'])(getComputedStyle(document.activeElement))"
            )
        )
    assert {"sky", "search", "SUMMARY"} <= {name for name, _ in seen}
    assert [name for name, visible in seen if not visible and name != "BODY"] == []


def test_time_goes_from_nothing_to_what_will_be(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)

    def at(point: int) -> tuple[str, str]:
        browser.js(f"$('when').value = {point}; $('when').dispatchEvent(new Event('input'))")
        browser.settle()
        return text(browser, "counted").split(" · as of")[0], text(browser, "date")

    assert at(0)[0].startswith("1 node · 0 links")  # the one that has no time is always there
    assert at(2) == ("4 nodes · 3 links · 7 left out", "2026-09-03\nas it was")
    assert browser.js("strengthAt(links.find(link => link.why))") == pytest.approx(0.1)
    assert at(5) == ("6 nodes · 4 links · 7 left out", "2026-09-06\nthe present")
    assert browser.js("strengthAt(links.find(link => link.why))") == 0.375
    assert at(7)[1] == "2026-09-08\nif nothing happens"
    assert browser.js("asleep(links.find(link => link.why))")
    browser.js("setClock(0); play()")
    browser.js("new Promise(done => setTimeout(done, 400))")
    assert browser.js("clock") > 0
    browser.js("play()")
    stopped = browser.js("clock")
    browser.settle()
    assert browser.js("clock") == stopped


def test_the_legend_filters_nodes_and_links(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)
    pressed = (
        "[...document.querySelectorAll('#legend button')].find(button => button.innerText.startsWith('{}')).click()"
    )
    browser.js(pressed.replace("{}", "similar"))
    assert text(browser, "counted").startswith("6 nodes · 3 links")
    browser.js(pressed.replace("{}", "block"))
    assert text(browser, "counted").startswith("5 nodes · 1 link ·")
    browser.js(pressed.replace("{}", "block"))
    assert text(browser, "counted").startswith("6 nodes · 3 links")
    browser.js(pressed.replace("{}", "state"))
    assert "weak" in text(browser, "states")
    assert "7 weaker links" in text(browser, "left")


def test_three_thousand_nodes_are_drawn_fast_and_no_name_covers_another(browser: Browser, large_page: Path) -> None:
    browser.show(large_page)
    assert text(browser, "counted").startswith("3,000 nodes · ")
    for by in (1.0, 3.0, 3.0):
        browser.js(f"zoom({by})")
        browser.settle()
        assert browser.js("labels.length") > 5
        assert browser.js(OVERLAPS) == 0
    browser.js("fit(nodes)")
    took = browser.js(
        "(() => { const start = performance.now(); picture(); picture(); return (performance.now() - start) / 2; })()"
    )
    assert took < 1500  # without a graphics card, on a busy machine; tens of milliseconds as a rule
    browser.js("$('search').value = 'Node 2999'; look(); pick(0)")
    assert browser.js("chosen.name") == "Node 2999"
    browser.js("openLists()")
    assert browser.js("$('nodelist').querySelectorAll('tbody tr').length") == 200
    assert "2800 left" in text(browser, "nodelist")
    assert browser.complaints() == []


def test_groups_fold_into_one_mark_each_and_unfold(browser: Browser, large_page: Path) -> None:
    browser.show(large_page)
    browser.press("g", text="g")
    assert browser.js("there.nodes.length") == 50
    apart = browser.js(
        "new Set(links.filter(one => shown(one) && one.a.group !== one.b.group)"
        ".map(({ a, b }) => [a.group, b.group].sort() + '')).size"
    )
    assert browser.js("there.links.length") == apart > 50  # one line for all links of two groups, none inside one
    assert browser.js("there.links.reduce((sum, line) => sum + line.all.length, 0)") == browser.js(
        "links.filter(link => shown(link) && link.a.group !== link.b.group).length"
    )
    assert browser.js(OVERLAPS) == 0
    browser.js("choose(there.nodes[0])")
    assert "Unfold 60" in text(browser, "panel")
    browser.js("$('about').querySelector('button').click()")
    browser.settle()
    assert browser.js("$('panel').hidden")
    assert browser.js("there.nodes.length") == 49 + 60
    browser.js("$('search').value = 'Node 2999'; look(); pick(0)")
    browser.settle()
    assert browser.js("there.nodes.includes(chosen) && chosen.name") == "Node 2999"  # what is sought is unfolded
    browser.press("Escape")
    browser.js("canvas.focus()")
    browser.press("g", text="g")
    browser.press("g", text="g")
    assert browser.js("there.nodes.length") == 3000
    assert browser.complaints() == []


def test_what_the_memory_holds_now_takes_the_place_of_what_it_held(browser: Browser, small_page: Path) -> None:
    browser.show(small_page)
    browser.js("zoom(1.4); choose(nodes.find(node => node.id === 'sleep'))")
    before = browser.js("[view.x, view.y, view.k]")
    browser.js(
        "(told => { for (const column of Object.values(told.nodes)) column.push(column[0]);"
        " told.nodes.id[6] = 'new one'; renew(told); })(JSON.parse($('data').textContent))"
    )
    browser.settle()
    assert text(browser, "counted").startswith("7 nodes · 4 links")
    assert browser.js("[view.x, view.y, view.k]") == before
    assert "Sleep" in text(browser, "panel")
    assert browser.js("nodes.includes(chosen)")  # the one of now
    browser.js("renew((told => { told.nodes.id[told.nodes.id.indexOf('sleep')] = 'gone'; return told; })(sky))")
    browser.settle()
    assert browser.js("chosen === null && $('panel').hidden")
    assert browser.complaints() == []


def test_on_a_phone_the_panel_is_a_sheet_at_the_bottom_and_fingers_work(browser: Browser, small_page: Path) -> None:
    browser.show(small_page, width=390, height=844, phone=True)
    assert browser.js("document.documentElement.scrollWidth <= 390")
    browser.tap(*spot(browser, "sleep"))
    assert "Sleep" in text(browser, "panel")
    sheet = browser.js(
        "(({ left, right, bottom, height }) => [left, right, bottom, height])($('panel').getBoundingClientRect())"
    )
    assert sheet[:3] == [0, 390, 844]
    assert sheet[3] <= 0.57 * 844
    _, y = spot(browser, "sleep")
    assert y < 844 - sheet[3]
    browser.js("choose(null)")
    before = browser.js("view.k")
    two = [{"x": 150, "y": 400, "id": 1}, {"x": 240, "y": 400, "id": 2}]
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=two)
    for apart in (20, 40, 60):
        wider = [{"x": 150 - apart, "y": 400, "id": 1}, {"x": 240 + apart, "y": 400, "id": 2}]
        browser.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=wider)
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    browser.settle()
    assert browser.js("view.k") > 1.5 * before
    assert browser.complaints() == []


def test_the_sky_of_the_demo_plays_from_its_first_day_to_what_will_be(browser: Browser, tmp_path: Path) -> None:
    clock = StoryClock()
    with Memory.open_sync(":memory:", space="default", clock=clock) as memory:
        play(memory, clock)
        held: HeldMemory = memory.__dict__["_async"]
        assert held._live is not None
        sky = sky_of(held._live)
    drawn = tmp_path / "sky.html"
    drawn.write_text(page(sky), encoding="utf-8")
    browser.show(drawn, dark=True)
    assert text(browser, "counted").startswith(f"{len(sky.nodes)} nodes · {len(sky.links) - sky.dissolved} links")
    for point in range(len(sky.times)):
        browser.js(f"setClock({point})")
        shown = browser.js("links.filter(shown).length")
        assert (shown == 0) == (point == 0)
    browser.js("setClock(sky.now); choose(links.find(link => link.id === 'mood~sleep'))")
    values = browser.js("[...$('sum').querySelectorAll('td.number')].map(cell => cell.textContent.replace('−', '-'))")
    *lines, total = (float(value) for value in values)
    assert sum(lines) == pytest.approx(total, abs=1e-6 * len(lines))
    assert browser.complaints() == []


def test_an_open_page_of_nothing_says_so(browser: Browser, tmp_path: Path) -> None:
    empty = tmp_path / "empty.html"
    sky = planted(0, 1, 0)
    empty.write_text(page(sky), encoding="utf-8")
    browser.show(empty)
    assert text(browser, "counted").startswith("0 nodes · 0 links")
    assert browser.complaints() == []
