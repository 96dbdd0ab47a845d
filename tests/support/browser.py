"""A real browser for tests of pages: Chromium without a window, driven over its debugging pipe."""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # WebGL2 without a graphics card; the pages are our own
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
# The browser wants its two pipes as files 3 and 4, whatever numbers they have here.
HANDED_ON = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3), os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
DRAWN = """new Promise(done => { const look = () => document.documentElement?.dataset.ready
    ? requestAnimationFrame(() => requestAnimationFrame(done)) : setTimeout(look, 20); look(); })"""


class Browser:
    """One tab."""

    def __init__(self, home: Path) -> None:
        assert CHROMIUM is not None
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        command = [sys.executable, "-c", HANDED_ON, str(theirs_in), str(theirs_out), CHROMIUM, *OPTIONS]
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={home}", "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._numbers, self._left, self._session = itertools.count(1), b"", ""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Ask the browser for something, and wait for its answer."""
        number = next(self._numbers)
        asked: dict[str, object] = {"id": number, "method": method, "params": parameters}
        if self._session:
            asked["sessionId"] = self._session
        left = json.dumps(asked).encode() + b"\0"
        while left:
            left = left[os.write(self._out, left) :]
        while True:
            told = self._message()
            if told.get("id") == number:
                assert "error" not in told, told
                result: dict[str, Any] = told["result"]
                return result
            self.events.append(told)

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            read = os.read(self._in, 1 << 20)
            assert read, "the browser went away"
            self._left += read
        one, _, self._left = self._left.partition(b"\0")
        told: dict[str, Any] = json.loads(one)
        return told

    @property
    def process(self) -> int:
        """The number of the browser's own process."""
        return self._process.pid

    def show(
        self,
        page: Path,
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        phone: bool = False,
        fragment: str = "",
    ) -> None:
        """Open a page of a file, and wait until it is drawn."""
        url = page.as_uri() + (f"#{fragment}" if fragment else "")
        self.go(url, width=width, height=height, dark=dark, phone=phone)

    def go(self, url: str, *, width: int = 1280, height: int = 800, dark: bool = False, phone: bool = False) -> None:
        """Go to an address, and wait until its page is drawn."""
        self.events.clear()
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(_arrived(event, url) for event in self.events):
            self.events.append(self._message())
        self.js(DRAWN)

    def js(self, expression: str) -> Any:  # whatever the page answers
        """Evaluate something in the page."""
        told = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def settle(self) -> None:
        """Wait for the next picture."""
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def click(self, x: float, y: float) -> None:
        """Click where a mouse would."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def tap(self, x: float, y: float) -> None:
        """Tap with one finger."""
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()

    def press(self, key: str, *, text: str = "") -> None:
        """Press a key."""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def write(self, text: str) -> None:
        """Type a text where the focus is."""
        self.call("Input.insertText", text=text)
        self.settle()

    def picture(self, path: Path) -> None:
        """Save what is seen."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def complaints(self) -> list[dict[str, Any]]:
        """Give the errors of the page, and whatever it logged."""
        kinds = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        said = [event for event in self.events if event.get("method") in kinds]
        return [event for event in said if "GPU stall due to ReadPixels" not in json.dumps(event)]  # our own looking

    def requests(self) -> list[str]:
        """Give the addresses it asked for."""
        asked = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in asked]


def _arrived(event: dict[str, Any], url: str) -> bool:
    if event.get("method") != "Page.frameNavigated":
        return False
    return bool(event["params"]["frame"]["url"] == url.partition("#")[0])
