"""The interface as terminals get it: without colour, dumb, without UTF-8, resized."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from claimscope.tui.process.output import terminal_encoding
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, lines_of, press, settle, text_of
from tests.tui.sample_run import RUN_ID, finished_run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
ENDS = 60.0
COLOUR = re.compile(
    rb"\x1b\[(?:[\d:]*;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;:]*)?m"
)


def talk(workspace: Path, keys: bytes, until: bytes, **environment: str) -> bytes:
    """Runs the program in a terminal of 80×24; presses keys when `until` was shown.

    Gives all bytes it wrote until it ended.
    """
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    known = {"PATH": os.environ["PATH"], "HOME": str(workspace), **environment}
    program = subprocess.Popen(
        [sys.executable, "-m", "claimscope", "--workspace", str(workspace)],
        stdin=side,
        stdout=side,
        stderr=side,
        env=known | {"PYTHONPATH": str(ROOT / ".src")},
        start_new_session=True,
    )
    os.close(side)
    written, pressed, ends = b"", False, time.monotonic() + ENDS
    try:
        while time.monotonic() < ends:
            if select.select([main], [], [], 0.1)[0]:
                try:
                    part = os.read(main, 65536)
                except OSError:  # the other side was closed
                    break
                if not part:
                    break
                written += part
            if not pressed and until in written:
                pressed = True
                os.write(main, keys)
    finally:
        program.kill()
        program.wait()
        os.close(main)
    assert pressed, written[-3000:]
    return written


def test_without_colour_no_colour_is_sent(tmp_path: Path) -> None:
    written = talk(
        tmp_path,
        b"\x11",
        b"health",
        TERM="xterm-256color",
        COLORTERM="truecolor",
        NO_COLOR="1",
        LC_ALL="C.UTF-8",
    )
    assert COLOUR.findall(written) == []
    assert b"\x1b[1m" in written or b";1m" in written or b"[1;" in written


def test_on_a_dumb_terminal_lines_are_printed(tmp_path: Path) -> None:
    written = talk(tmp_path, b"1\nq\n", b"claimscope> ", TERM="dumb", LC_ALL="C.UTF-8")
    assert b"\x1b" not in written
    assert b"draws no screens" in written
    assert b"none yet: claimscope demo" in written


def test_without_utf8_only_ascii_is_sent(tmp_path: Path) -> None:
    written = talk(
        tmp_path,
        b"\x11",
        b"health",
        TERM="xterm",
        LC_ALL="C",
        PYTHONUTF8="0",
        PYTHONCOERCECLOCALE="0",
        PYTHONIOENCODING="ascii",
    )
    assert b"Traceback" not in written
    assert {byte for byte in written if byte > 0x7F} == set()


@pytest.mark.parametrize(
    ("environment", "is_utf8_mode", "expected"),
    [
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True, "ascii"),
        ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, True, "ascii"),
        ({"LC_CTYPE": "C.UTF-8"}, True, "utf-8"),  # no locale is named
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False, "utf-8"),  # the user's own
        ({"LANG": "en_US.UTF-8"}, True, "utf-8"),  # not installed
        ({"LC_ALL": "C", "PYTHONUTF8": "1"}, True, "utf-8"),
    ],
)
def test_the_locale_c_is_ascii_where_somebody_named_it(
    environment: dict[str, str], is_utf8_mode: bool, expected: str
) -> None:
    found = terminal_encoding("utf-8", environment, is_utf8_mode=is_utf8_mode)
    assert found == expected


@pytest.mark.parametrize("sizes", [[(80, 24), (240, 70)], [(240, 70), (80, 24)]])
async def test_a_resize_keeps_the_claim_in_sight(sizes: list[tuple[int, int]]) -> None:
    gateway = FakeGateway()
    finished_run(gateway.runs)
    app = app_on(gateway, open_run=RUN_ID, step=True)
    first, second = sizes
    async with app.run_test(size=first) as pilot:
        await settle(pilot)
        for size in (first, second, (60, 15), second):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            shown = lines_of(pilot)
            assert len(shown) == size[1]
            assert max(map(len, shown)) <= size[0]
            assert "contradicted" in text_of(pilot)
        await press(pilot, "escape")
        assert "step through" in text_of(pilot)
