"""What a program of ours must not import, seen from a fresh interpreter.

import-linter reads the code; these tests run it, so that an import by way of a
library is seen too.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.tools.made_run import RUN, make
from claimscope.core.analysis.statistics.intervals import MANY_CASES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]

SLOW = (
    "textual",
    "chromadb",
    "torch",
    "sentence_transformers",
    "spacy",
    "onnxruntime",
    "trafilatura",
    "sklearn",
    "scipy",
)
"""Each takes 0.3 to 10 s to import; functions import them when they need them."""

IMPORT_EACH = """
import importlib, json, sys
names, forbidden = json.loads(sys.argv[1])
guilty = {}
for name in names:
    before = set(sys.modules)
    importlib.import_module(name)
    if new := [f for f in forbidden if f in sys.modules and f not in before]:
        guilty[name] = new
print(json.dumps(guilty))
"""

HELP = """
import json, sys
sys.argv = ["claimscope", *json.loads(sys.argv[1])]
from claimscope.tui.cli import main
try:
    code = main(sys.argv[1:])
except SystemExit as end:
    code = end.code
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
sys.exit(code)
"""

FIRST_FRAME = """
import json, logging, sys
[folder] = json.loads(sys.argv[1])
from claimscope.tui.cli.parser import parse_words
from claimscope.tui.process.logs import open_log
from claimscope.tui.cli.terminal import make_app
arguments = parse_words(["--workspace", folder])
with open_log(arguments.workspace, "info"):
    logging.getLogger("claimscope").info("opens the interface")
    make_app(lambda: None, arguments.workspace)
print(json.dumps(sorted(sys.modules)))
"""

FIRST_SCREENS = """
import asyncio, json, sys
from contextlib import suppress
from textual.worker import WorkerCancelled
from claimscope.tui.cli.terminal import make_app
[folder, run] = json.loads(sys.argv[1])
texts = []

def gateway():
    from claimscope.stores.workspace.paths import Workspace
    from claimscope.tui.gateway.workspace import WorkspaceGateway
    return WorkspaceGateway(Workspace.find(folder))

async def settle(pilot):
    await pilot.pause()
    while any(not worker.is_finished for worker in pilot.app.workers):
        with suppress(WorkerCancelled):
            await pilot.app.workers.wait_for_complete()
        await pilot.pause()
    strips = pilot.app.screen._compositor.render_strips()
    texts.append(" ".join(part.text for strip in strips for part in strip))

async def look():
    app = make_app(gateway, folder, run_id=run)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in ("end", "x", "s", "down", "enter", "slash", "7", "escape"):
            await pilot.press(key)
            await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)

asyncio.run(look())
print(json.dumps([texts, sorted(sys.modules)]))
"""


def modules_of(layer: str) -> list[str]:
    """Dotted names of all modules of a layer, found by their files."""
    names = []
    for path in sorted((ROOT / layer).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        names.append(".".join(("claimscope", *parts)).removesuffix(".__init__"))
    return names


def run_fresh(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs script in a new interpreter; arguments are handed over as JSON."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".src")}
    values = [json.dumps(argument) for argument in arguments]
    return subprocess.run(
        [sys.executable, "-c", script, *values],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("layer", ["core", "stores"])
def test_headless_modules_import_without_slow_libraries(layer: str) -> None:
    names = modules_of(layer)
    assert f"claimscope.{layer}" in names
    done = run_fresh(IMPORT_EACH, [names, SLOW])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {}


def test_core_imports_no_layer_above_it() -> None:
    above = ["claimscope.stores", "claimscope.tui", "tinydb"]
    done = run_fresh(IMPORT_EACH, [modules_of("core"), above])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {}


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["--version"]])
def test_help_loads_nothing_but_the_parser(arguments: list[str]) -> None:
    done = run_fresh(HELP, arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert not loaded & {"pydantic", "numpy", "tinydb", *SLOW}
    assert not [name for name in loaded if name.startswith("claimscope.stores")]


def test_nothing_but_textual_is_loaded_before_the_first_frame(tmp_path: Path) -> None:
    done = run_fresh(FIRST_FRAME, [str(tmp_path)])
    assert done.returncode == 0, done.stderr
    # The workspace is there: what is logged is written, and looked through for secrets.
    log = tmp_path / "logs" / "claimscope.log"
    assert "opens the interface" in log.read_text()
    loaded = set(json.loads(done.stdout))
    assert "textual" in loaded
    late = {"pydantic", "numpy", "tinydb", "sqlite3", "httpx", *SLOW} - {"textual"}
    assert not loaded & late


def test_home_and_results_load_no_library_for_figures_or_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, 2 * MANY_CASES)  # fewer are drawn anew, which numpy does
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound but not listening: refused
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{taken.getsockname()[1]}")
        done = run_fresh(FIRST_SCREENS, [str(tmp_path), RUN])
    assert done.returncode == 0, done.stderr
    texts, loaded = json.loads(done.stdout)
    assert any("of 1,000 samples" in text for text in texts)
    assert "none at http://127.0.0.1:" in texts[-1]
    late = {"numpy", "httpx", "ollama", *SLOW} - {"textual"}
    assert not late & set(loaded)


def test_the_import_check_sees_an_import_by_way_of_another_module() -> None:
    done = run_fresh(IMPORT_EACH, [["tomllib", "json.tool"], ["argparse"]])
    assert json.loads(done.stdout) == {"json.tool": ["argparse"]}
