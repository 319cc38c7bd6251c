"""No library is imported before its telemetry is off, and none phones home."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.core.telemetry import OFFLINE, SWITCHES, switch_off

ROOT = Path(__file__).resolve().parents[2]
TALKERS = {
    "chromadb",
    "huggingface_hub",
    "onnxruntime",
    "sentence_transformers",
    "transformers",
}
"""Each sends something to somebody, or looks for files on a hub, unless told not to."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def imports_of(function: Function) -> Iterator[tuple[int, str]]:
    for node in ast.walk(function):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module


def is_switch(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "switch_off"
    )


def unguarded(source: str) -> list[int]:
    """Lines that import a talker in a function which has not called switch_off."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, Function):
            guards = [n.lineno for n in ast.walk(function) if is_switch(n)]  # type: ignore[attr-defined]
            first = min(guards, default=10**9)
            for line, name in imports_of(function):
                if name.partition(".")[0] in TALKERS and line < first:
                    found.append(line)
    return found


def test_every_import_of_such_a_library_comes_after_the_switch() -> None:
    guilty = {
        str(path.relative_to(ROOT)): lines
        for layer in ("core", "stores", "tui")
        for path in (ROOT / layer).rglob("*.py")
        if (lines := unguarded(path.read_text("utf-8")))
    }
    assert guilty == {}


def test_an_import_without_the_switch_would_be_seen() -> None:
    careless = "def f():\n    import onnxruntime\n    switch_off()\n"
    assert unguarded(careless) == [2]
    assert unguarded("def f():\n    switch_off()\n    import onnxruntime\n") == []


def test_the_switches_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*SWITCHES, *OFFLINE):
        monkeypatch.setenv(name, "0")
    switch_off()
    assert {name: os.environ[name] for name in SWITCHES} == SWITCHES
    assert {os.environ[name] for name in OFFLINE} == {"0"}


USE = """
import json, os, sys
tried = []

def watch(event, arguments):
    if event == "socket.connect" and not isinstance(arguments[1], (str, bytes)):
        tried.append(list(map(str, arguments[1])))
    elif event.startswith("socket.getaddrinfo") or event == "socket.gethostbyname":
        tried.append(str(arguments[0]))

sys.addaudithook(watch)
from pathlib import Path
from claimscope.stores.index.chroma import ChromaIndex
ChromaIndex(Path(sys.argv[1])).counts()
from claimscope.core.backends.onnx import embedding
try:
    embedding.load_onnx(Path(sys.argv[1]) / "none.onnx", "the model", "", 1)
except Exception as error:
    print(error, file=sys.stderr)
assert {"chromadb", "onnxruntime"} <= set(sys.modules)
print(json.dumps(tried))
"""


def test_the_libraries_try_no_address_and_leave_no_id(tmp_path: Path) -> None:
    kept = ("PATH", "LANG", "LC_ALL", "VIRTUAL_ENV", "SYSTEMROOT")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT / ".src")}
    done = subprocess.run(
        [sys.executable, "-c", USE, str(tmp_path / "index")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "cannot be loaded" in done.stderr
    assert json.loads(done.stdout) == []
    assert {path.name for path in tmp_path.iterdir()} == {"index"}
