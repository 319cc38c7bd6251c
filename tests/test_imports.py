"""What a program of ours must not import, seen from a fresh interpreter.

import-linter reads the code; these tests run it, so that an import by way of a
library is seen too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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
from claimscope.tui.cli import parsed
from claimscope.tui.logs import logged
from claimscope.tui.terminal import make_app
arguments = parsed(["--workspace", folder])
with logged(arguments.workspace, "info"):
    logging.getLogger("claimscope").info("opens the interface")
    make_app(lambda: None, arguments.workspace)
print(json.dumps(sorted(sys.modules)))
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


def test_the_import_check_sees_an_import_by_way_of_another_module() -> None:
    done = run_fresh(IMPORT_EACH, [["tomllib", "json.tool"], ["argparse"]])
    assert json.loads(done.stdout) == {"json.tool": ["argparse"]}
