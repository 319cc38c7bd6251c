"""The whole job in tmux, by keys alone, on an empty workspace.

    python -m benchmarks.tools.tmux_session [--columns 80] [--rows 24] [--keep]

Empty workspace, index, run, step to the third contradicted claim, overrule, compare,
export. Keys are sent as a person would press them and the screen is read back from
tmux; what each step did is then checked by commands. Prints a line a step with its keys
and seconds. Exit code 1 when a step failed; the screen at that moment is printed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "testsets" / "medicine" / "pages"
SUITE = "Medicine: short abstracts"
PROMPT = r"(?m)^[#$] *$"
"""Of the shell, for a user and for root."""
LONG = 240.0
"""Seconds a step may take on a slow machine."""


class Failed(Exception):
    """A step did not come to what it waited for."""


class Session:
    """A tmux server of its own with one window."""

    def __init__(self, workspace: Path, columns: int, rows: int) -> None:
        self.workspace = workspace
        self.name = f"claimscope-{os.getpid()}"
        self.keys = 0
        known = {k: v for k, v in os.environ.items() if k not in ("TMUX", "NO_COLOR")}
        self.environment = known | {"LC_ALL": "C.UTF-8", "PS1": "$ "}
        size = ["-x", str(columns), "-y", str(rows)]
        self._tmux("-f", os.devnull, "new-session", "-d", *size, "sh")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self.name, *words],
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        """Presses keys by tmux's names."""
        for key in keys:
            self.keys += 1
            self._tmux("send-keys", key)
            time.sleep(0.15)  # as fast as a quick person

    def type(self, text: str) -> None:
        self.keys += len(text)
        self._tmux("send-keys", "-l", text)
        time.sleep(0.3)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def wait(self, pattern: str, seconds: float = 60.0) -> re.Match[str]:
        """Waits until the screen shows it. Raises Failed with the screen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern, self.screen())
            if found:
                return found
            time.sleep(0.3)
        raise Failed(f"no {pattern!r} in {seconds:.0f} s on\n{self.screen()}")

    def key_for(self, word: str) -> str | None:
        """The key that the bar at the bottom gives for a word."""
        bar = " ".join(self.screen().rstrip().splitlines()[-2:])
        found = re.search(rf"(?:^|\s)(\S+) {word}(?:\s|$)", bar)
        return found.group(1) if found else None

    def command(self, *words: str) -> str:
        """A command beside the session, to check what a step did."""
        done = subprocess.run(
            [sys.executable, "-m", "claimscope", *words],
            env=self.environment | {"CLAIMSCOPE_WORKSPACE": str(self.workspace)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    def close(self) -> None:
        """Ends the server of this session."""
        self._tmux("kill-server")


def open_interface(session: Session) -> None:
    program = f"{sys.executable} -m claimscope --workspace {session.workspace}"
    session.type(program)
    session.press("Enter")
    session.wait(r"quit")


def empty(session: Session) -> str:
    """An empty workspace says what to do."""
    open_interface(session)
    session.wait("No runs yet")
    return "says how to begin"


def index(session: Session) -> str:
    """Pages are indexed: by a key of Home, else by the command it names."""
    key = session.key_for("index")
    if key is None:
        session.press("q")
        session.wait(PROMPT)
        program = f"{sys.executable} -m claimscope pages index {PAGES}"
        session.type(f"{program} --workspace {session.workspace}; echo ended-$?")
        session.press("Enter")
        session.wait("ended-0", LONG)
        session.type("clear")
        session.press("Enter")
        open_interface(session)
        session.wait(r"40 +\d+")
        return "by the command: Home has no key for it"
    session.press(key)
    session.wait("enter: go")  # the dialog is there: the bar names a folder before
    session.type(str(PAGES))
    session.press("Enter")
    end = time.monotonic() + LONG
    while "40 pages" not in session.command("show", "home"):
        if time.monotonic() > end:
            raise Failed(f"the index is not there\n{session.screen()}")
        time.sleep(2)
    session.wait("texts embedded", LONG)  # said when the index is whole
    session.press("Escape")
    session.wait("quit")
    return f"by {key} on Home"


def run(session: Session) -> str:
    """A run of the shipped suite, followed to its end."""
    session.press("C-o")
    session.wait(r"\[a\]")
    session.press("a")  # the list of suites, at the top left
    for _ in range(10):
        session.press("n")
        session.wait(r"start the run")
        session.wait(r"verifier")
        time.sleep(1)
        if SUITE in session.screen():
            break
        session.press("Escape")
        session.wait("quit")
        session.press("Down")
    session.press("C-s")
    session.wait(r"finished .*40 of 40|finished(.|\n)*40 of 40", LONG)
    session.press("Enter")
    session.wait(r"step through")
    return "40 of 40 samples"


def step(session: Session) -> str:
    """To the third contradicted claim."""
    session.press("Enter")
    session.wait("overrule")
    session.press("f")
    line = session.wait(r"(\w)  contradicted claim|(contradicted claim)")
    if line.group(1):
        session.press(line.group(1))
    else:
        session.press("Down", "Enter")
    seen: list[str] = []
    for number in range(3):
        session.wait(r"✘ contradicted")
        claim = re.search(r"Claim +(.+)", session.screen())
        seen.append(claim.group(1).strip() if claim else "?")
        if number < 2:
            session.press("n")
            time.sleep(0.8)
    if len(set(seen)) != 3:
        raise Failed(f"three claims, but seen were {seen}\n{session.screen()}")
    return f"“{seen[-1][:48]}”"


def overrule(session: Session) -> str:
    """It is supported after all, says a person."""
    session.press("o")
    session.wait("The machine says")
    session.press("s")
    time.sleep(1.5)
    rows = session.command("labels", "last").splitlines()
    if len(rows) != 1:
        raise Failed(f"one label, but there are {len(rows)}\n{session.screen()}")
    return "one label kept"


def compare(session: Session) -> str:
    """The providers of the run side by side."""
    session.press("Escape")
    session.wait("step through")
    key = session.key_for("compare") or "d"
    session.press(key)
    session.wait(r"Compare \S+ with", 30)  # with one run there are its providers
    session.press("Enter")
    session.wait(r"pass[ _]rate|McNemar|within noise", 60)
    return f"by {key} on Results"


def export(session: Session) -> str:
    """What Compare shows, as files."""
    session.press("e")
    session.wait("Written", 30)
    made = [p.name for p in session.workspace.rglob("*compar*") if p.is_file()]
    if not made:
        raise Failed(f"no file was written\n{session.screen()}")
    for _ in range(3):
        session.press("Escape")
        time.sleep(0.5)
    session.press("q")
    session.wait(PROMPT)
    return ", ".join(sorted(made))


STEPS: tuple[Callable[[Session], str], ...] = (
    empty,
    index,
    run,
    step,
    overrule,
    compare,
    export,
)


def main() -> int:
    """Every step in order; stops at the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("--rows", type=int, default=24)
    parser.add_argument("--keep", action="store_true", help="keep the workspace")
    arguments = parser.parse_args()
    if shutil.which("tmux") is None:
        parser.exit(2, "tmux is not installed\n")
    workspace = Path(tempfile.mkdtemp(prefix="claimscope-"))
    session = Session(workspace, arguments.columns, arguments.rows)
    try:
        for one in STEPS:
            began, keys = time.monotonic(), session.keys
            try:
                told = one(session)
            except Failed as error:
                print(f"{one.__name__:<9} FAILED: {error}")
                return 1
            seconds, pressed = time.monotonic() - began, session.keys - keys
            print(f"{one.__name__:<9} {pressed:>4} keys {seconds:6.1f} s  {told}")
            sys.stdout.flush()
        return 0
    finally:
        session.close()
        if not arguments.keep:
            shutil.rmtree(workspace, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
