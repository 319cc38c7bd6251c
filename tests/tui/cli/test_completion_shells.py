"""Completion in real shells, where they are installed: fish asks, zsh has its tab."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from select import select

import pytest

from claimscope.tui.cli import main

pytestmark = pytest.mark.slow

LINES = [
    ("claimscope r", ("report", "run", "runs")),
    ("claimscope runs re", ("reanalyse", "repair", "resume")),
    ("claimscope check --gi", ("--github",)),
    ("claimscope run med", ("medicine",)),
]
PROGRAM = f"""\
#!/bin/sh
exec {sys.executable} -m claimscope "$@"
"""
PATIENCE_S = 60


@pytest.fixture
def shell_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the program on the PATH, this checkout's."""
    program = tmp_path / "bin" / "claimscope"
    program.parent.mkdir()
    program.write_text(PROGRAM, "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3] / ".src"))
    return tmp_path


def code_for(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["help", "completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish on the PATH")
@pytest.mark.parametrize(("line", "words"), LINES)
def test_fish_offers_words_with_what_they_mean(
    shell_place: Path,
    capsys: pytest.CaptureFixture[str],
    line: str,
    words: tuple[str, ...],
) -> None:
    code = shell_place / "claimscope.fish"
    code.write_text(code_for("fish", capsys), "utf-8")
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {code}; complete -C '{line}'"],
        cwd=shell_place,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.stderr == ""
    offered = dict(line.partition("\t")[::2] for line in done.stdout.splitlines())
    assert tuple(offered) == words
    assert line.endswith("med") or all(offered.values())


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh on the PATH")
@pytest.mark.parametrize(("line", "words"), LINES)
def test_zsh_offers_words_behind_the_tab_key(
    shell_place: Path,
    capsys: pytest.CaptureFixture[str],
    line: str,
    words: tuple[str, ...],
) -> None:
    (shell_place / "_claimscope").write_text(code_for("zsh", capsys), "utf-8")
    terminal, its_side = pty.openpty()
    process = subprocess.Popen(
        ["zsh", "-f", "-i"],
        stdin=its_side,
        stdout=its_side,
        stderr=its_side,
        cwd=shell_place,
        env={**os.environ, "TERM": "dumb"},
        start_new_session=True,
    )
    try:
        setup = f"PS1='% '; fpath=({shell_place} $fpath); autoload -Uz compinit; "
        os.write(terminal, f"{setup}compinit -D -u; echo READ''Y\n".encode())
        read_until(terminal, "READY")
        os.write(terminal, f"{line}\t\t".encode())
        read_until(terminal, *words)
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
        os.close(its_side)


def read_until(terminal: int, *words: str) -> None:
    """Reads until all words came; fails with what came instead."""
    came = ""
    while not all(word in came for word in words):
        ready, _, _ = select([terminal], [], [], PATIENCE_S)
        assert ready, f"{words} did not come, but\n{came}"
        came += os.read(terminal, 4096).decode("utf-8", "replace")
