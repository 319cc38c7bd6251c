"""Looks at `claimscope serve` in a real browser, and takes the pictures of the docs.

    python -m benchmarks.tools.pictures [--chromium FILE] [--out docs/pictures]

A headless Chromium opens the served interface, types before any click, steps through
claims, is made larger and smaller, and leaves. What it shows is read by a terminal
(pyte) fed with the bytes that the page got, and each step waits for its words; the
first that does not come ends the script with what is there instead. The pictures are of
the shipped suite `medicine`, judged in the workspace of benchmarks/tools/screens.py.
Needs Chromium and the package playwright; `make pictures` installs the latter.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyte

from benchmarks.tools import screens
from claimscope.stores.workspace.paths import Workspace

PROGRAM = (sys.executable, "-m", "claimscope")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
OUT = screens.ROOT / "docs" / "pictures"
SIZE = {"width": 1090, "height": 640}
LARGE = {"width": 1500, "height": 900}
SMALL = {"width": 740, "height": 480}
PATIENCE_S = 60.0


class PictureError(Exception):
    """The page does not show what it should; the message says what it shows."""


class Seen:
    """The terminal of a page, as its user reads it."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self.received, self.elsewhere, self.faults = 0, [], []
        page.on("websocket", self._connected)
        page.on("request", self._requested)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _connected(self, line: Any) -> None:
        line.on("framesent", self._sent)
        line.on("framereceived", self._got)

    def _sent(self, frame: str | bytes) -> None:
        kind, *rest = json.loads(frame)
        if kind == "resize":
            self._screen.resize(rest[0]["height"], rest[0]["width"])

    def _got(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes):
            self.received += len(frame)
            self._stream.feed(frame)

    def _requested(self, request: Any) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "data:")):
            self.elsewhere.append(request.url)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def size(self) -> tuple[int, int]:
        return self._screen.columns, self._screen.lines

    def until(self, *words: str) -> float:
        """Seconds until all of them are on the screen and it is still. Raises
        PictureError."""
        begun = time.monotonic()
        while time.monotonic() - begun < PATIENCE_S:
            before = self.received
            self._page.wait_for_timeout(50)
            if before == self.received and all(word in self.text for word in words):
                return time.monotonic() - begun
        raise PictureError(f"{words} did not come; the screen is\n{self.text}")

    def press(self, key: str, *words: str) -> None:
        """A key, and what it must lead to; said with the time it took."""
        self._page.keyboard.press(key)
        took = self.until(*words)
        print(f"{key:<12} {took:5.2f} s   {', '.join(words)}")


@contextmanager
def served(workspace: Path) -> Iterator[str]:
    words = [*PROGRAM, "serve", "--port", "0", "--json", "--workspace", str(workspace)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline())["url"]
        finally:
            server.terminate()


def look(browser: Any, url: str, out: Path) -> None:
    """Steps through the interface; raises PictureError."""
    page = browser.new_page(viewport=SIZE)
    seen = Seen(page)
    page.goto(url)
    print(f"{'open':<12} {seen.until('Medicine: short abstracts'):5.2f} s   Home")
    seen.press("Enter", "20261127-090000-demo", "pass_rate")
    page.screenshot(path=out / "results.png")
    seen.press("Escape", "begun (UTC)")
    seen.press("ArrowDown", "begun (UTC)")
    seen.press("Enter", "20261126-090000-demo", "sample")
    seen.press("Enter", "all of this sample", "1/")
    seen.press("n", "2/9", "Against it")
    page.screenshot(path=out / "stepper.png")
    for size in (LARGE, SMALL, SIZE):
        before = seen.size
        page.set_viewport_size(size)
        page.wait_for_timeout(300)
        seen.until("claim", "esc back")
        if seen.size == before:
            raise PictureError(f"{size} did not change {before}")
        print(f"{'resize':<12}           {seen.size[0]}×{seen.size[1]}")
    seen.press("Escape", "sample")
    seen.press("Escape", "begun (UTC)")
    seen.press("w", "ompare")
    seen.press("Enter", "beyond noise")
    page.screenshot(path=out / "compare.png")
    seen.press("Escape", "begun (UTC)")
    page.keyboard.press("q")
    page.get_by_text("The session has ended").wait_for(timeout=PATIENCE_S * 1000)
    print(f"{'q':<12}           {page.inner_text('#ended')}")
    if seen.elsewhere or seen.faults:
        raise PictureError(f"asked elsewhere {seen.elsewhere}, errors {seen.faults}")
    print(f"{seen.received} bytes came; nothing was asked elsewhere, no script failed")


def report(browser: Any, workspace: Path, out: Path) -> None:
    """The HTML report of a run as a browser shows it."""
    file = workspace / "report.html"
    words = ["report", screens.MADE[0], "-o", str(file), "--workspace", str(workspace)]
    subprocess.run([*PROGRAM, *words], check=True, capture_output=True)
    page = browser.new_page(viewport=SIZE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.screenshot(path=out / "report.png")
    if len(asked) != 1:
        raise PictureError(f"the report asks for more than itself: {asked}")
    print(f"{'report':<12}           {page.title()}")


def main() -> int:
    """Takes the pictures; 1 when the interface is not as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    parser.add_argument("--chromium", default=found, help="the browser's program")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    if arguments.chromium is None:
        parser.exit(2, "no Chromium on the PATH: install one, or name it: --chromium\n")
    from playwright.sync_api import sync_playwright

    workspace = screens.WORKSPACE.absolute()
    screens.judged(Workspace(workspace))
    arguments.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as tool, served(workspace) as url:
        browser = tool.chromium.launch(
            executable_path=arguments.chromium, args=["--no-sandbox"]
        )
        try:
            look(browser, url, arguments.out)
            report(browser, workspace, arguments.out)
        except PictureError as error:
            print(f"pictures: {error}", file=sys.stderr)
            return 1
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
