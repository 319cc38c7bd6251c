"""What the C library is told is told where it can hear."""

from __future__ import annotations

import subprocess
import sys

import pytest

from claimscope.tui.process import memory

CODE = """
from claimscope.tui.process.memory import give_back, trim
print(give_back(), trim())
"""


def test_another_platform_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert memory.give_back() is False
    assert memory.trim() is False


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's")
def test_glibc_obeys() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.returncode == 0 and set(done.stdout.split()) <= {"True", "False"}
