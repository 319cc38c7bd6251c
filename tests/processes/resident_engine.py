"""Resident engines with faked embeddings, as processes of their own, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from claimscope.tui.resident import place

ROOT = Path(__file__).resolve().parents[2]
FAKE = """
import os, sys
from claimscope.tui.services.check import answers
from claimscope.tui.bootstrap import judges
from tests.doubles import fakes
judges.make_embedder = lambda settings: fakes.FakeEmbedder()
"""
CHECK = (
    FAKE
    + """
from claimscope.tui.cli import main
sys.exit(main(sys.argv[1:]))
"""
)
ENGINE = (
    FAKE
    + """
from pathlib import Path
from claimscope.core.backends.onnx import export
from claimscope.tui.cli import main
from claimscope.tui.resident import place, server
export.exported_elsewhere = lambda cache: None
from claimscope.tui.resident.loading import load
real = answers.check_answers
def check_answers(answers, folders, arguments):
    if os.environ.get("TEST_CRASH"):
        os.kill(os.getpid(), 9)
    if os.environ.get("TEST_SLOW"):
        Path(os.environ["TEST_SLOW"]).write_text(str(os.getpid()))
        import time; time.sleep(60)
    return real(answers, folders, arguments)
answers.check_answers = check_answers
engine = server.Engine(place.socket_path(), float(sys.argv[1]), main)
if len(sys.argv) > 2:
    engine._code = ("older",)
engine.serve(load)
"""
)
TRUE = "The Orla harbour crane was built in 1952.\n"
FALSE = "The Orla harbour crane was built in 1925. Penguins nest in the cabin.\n"
WAIT_SECONDS = 120
Done = tuple[int, str, str]


def at_home(monkeypatch: pytest.MonkeyPatch, runtime: Path) -> Path:
    """What checks and engines of these tests find around them."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / '.src'}{os.pathsep}{ROOT}")
    monkeypatch.delenv("CLAIMSCOPE_DAEMON", raising=False)
    return runtime


def until(condition: Any) -> None:
    """Waits for what another process does."""
    end = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def started(*words: str) -> subprocess.Popen[bytes]:
    """An engine that listens."""
    engine = subprocess.Popen([sys.executable, "-c", ENGINE, *(words or ("600",))])
    until(lambda: place.socket_path().exists() or engine.poll() is not None)
    assert engine.poll() in (None, 0)
    return engine


def check(*words: str, given: str = "", **more: str) -> Done:
    """(exit code, what is printed, what is said) of a check."""
    done = subprocess.run(
        [sys.executable, "-c", CHECK, "check", *words],
        input=given,
        capture_output=True,
        text=True,
        env={**os.environ, **more},
        timeout=WAIT_SECONDS,
    )
    return done.returncode, done.stdout, done.stderr


def status() -> dict[str, Any]:
    """What the engine says of itself."""
    done = subprocess.run(
        [sys.executable, "-m", "claimscope", "serve", "daemon", "status", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (0 if found["running"] else 3)
    return found
