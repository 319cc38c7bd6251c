"""Resident engines for the tests of a module."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes.resident_engine import WAIT_SECONDS, at_home, started


@pytest.fixture(scope="module")
def short() -> Iterator[str]:
    """A folder with a name short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="cs-") as name:
        yield name


@pytest.fixture
def runtime(
    own_folders: None, short: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The user's runtime folder, without an engine or anything else in it."""
    with tempfile.TemporaryDirectory(dir=short) as name:
        yield at_home(monkeypatch, Path(name))


@pytest.fixture(scope="module")
def living(short: str) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    """The engine that most tests share, and its runtime folder."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        runtime = at_home(monkeypatch, Path(short))
        monkeypatch.setenv("CLAIMSCOPE_CACHE", f"{short}/cache")
        process = started()
    yield runtime, process
    process.terminate()
    process.wait(WAIT_SECONDS)


@pytest.fixture
def engine(
    own_folders: None,
    living: tuple[Path, subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> subprocess.Popen[bytes]:
    at_home(monkeypatch, living[0])
    return living[1]
