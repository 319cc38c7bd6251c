"""How much memory do an engine before its first result and the interface hold?

    python -m benchmarks.speed.memory [--samples 20000] [--rows 100000] [--part NAME]

--part: engine or interface, that part only (repeatable).

Engine: a suite of so many samples on 200 pages is judged (no language model) until the
first result is saved; printed is the resident memory then and its peak until then, for
--samples and for 20, so that the difference is what the samples cost. The limit is
500 MB.

Interface: the results of a made run of so many rows are opened in a terminal of 80 ×
24, the last row is gone to, a filter and an order are asked for; printed is the
resident memory and its peak, then the same after a search in all answers. The limits
are 150 MB and 185. Where a model server answers, its client is 8 MB more: none
should. Exit code 1 when a limit is passed. Linux only.

Both run from compiled modules, as an installed program does, and are started once
before that, so that these are there.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.tools.made_run import RUN, make
from benchmarks.tools.terminal_meter import Terminal
from claimscope.stores.runs.run_store import RUN_JOURNAL

ROOT = Path(__file__).resolve().parents[2]

PAGES = 200
FEW = 20
ENGINE_LIMIT, ROWS_LIMIT, SEARCH_LIMIT = 500, 150, 185
"""MB of peak resident memory."""
WAIT_SECONDS = 900
OPENED = """
import sys; sys.path[:0] = [{source!r}]
from claimscope.tui.cli.terminal import open_workspace
open_workspace({workspace!r}, run_id={run!r})
"""


def resident(pid: int) -> tuple[float, float]:
    """(MB now, MB at most until now)."""
    text = Path(f"/proc/{pid}/status").read_text()
    found = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB", text, re.MULTILINE))
    return int(found["VmRSS"]) / 1024, int(found["VmHWM"]) / 1024


def facts(number: int) -> str:
    """Some true sentences about a fictional mill."""
    return (
        f"Mill {number} stands {number % 90 + 10} km north of Arbel. It was built in "
        f"{1500 + number % 400} by the guild of weavers. Its wheel is "
        f"{number % 7 + 3}.5 metres wide and turns {number % 5 + 4} times a minute. "
        f"In spring it grinds {number % 60 + 20} sacks of oats a day."
    )


def write_suite(folder: Path, samples: int) -> Path:
    """A case for each two samples; questions, references and claims of usual length."""
    (folder / "pages").mkdir(parents=True)
    for number in range(PAGES):
        text = f"# Mill {number}\n\n{facts(number)}\n"
        (folder / "pages" / f"mill-{number}.md").write_text(text)
    cases = []
    with (folder / "answers.jsonl").open("w") as answers:
        for number in range(samples // 2):
            true = facts(number % PAGES)
            claims = [{"text": f"{one.rstrip('.')}."} for one in true.split(". ")]
            question = f"Where is mill {number % PAGES}, and how old is it? ({number})"
            case = {"id": f"c{number}", "question": question, "reference": true}
            cases.append({**case, "claims": claims})
            for provider in ("alder", "birch"):
                row = {"case_id": case["id"], "provider": provider, "text": true}
                answers.write(json.dumps(row) + "\n")
    suite = {"format": "claimscope.suite", "version": 1, "id": "mills"}
    suite |= {"pages": "pages", "answers": "answers.jsonl", "cases": cases}
    path = folder / "suite.json"
    path.write_text(json.dumps(suite))
    return path


def compiled(folder: Path) -> dict[str, str]:
    """An environment in which modules are compiled once, there."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(folder)}


def engine(samples: int, modules: Path) -> tuple[float, float, float]:
    """(MB at the first result, MB at most until then, seconds until then)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite, workspace = write_suite(folder / "suite", samples), folder / "workspace"
        words = ["-P", "-m", "claimscope", "--workspace", str(workspace)]
        begin = time.monotonic()
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, *words, "run", str(suite)],
                stdout=log,
                stderr=log,
                env=compiled(modules),
            )
        try:
            while time.monotonic() - begin < WAIT_SECONDS:
                if process.poll() is not None:
                    raise SystemExit((folder / "log").read_text()[-2000:])
                now = resident(process.pid)
                if any(
                    b'"samples"' in path.read_bytes()
                    for path in workspace.glob(f"runs/*/{RUN_JOURNAL}")
                ):
                    return *now, time.monotonic() - begin
                time.sleep(0.05)
            raise SystemExit(f"no result in {WAIT_SECONDS} s")
        finally:
            process.kill()
            process.wait()


def interface(
    rows: int, modules: Path
) -> tuple[tuple[float, float], tuple[float, float]]:
    """(MB, MB at most) after a walk through the results, and after a search."""
    with tempfile.TemporaryDirectory() as name:
        make(Path(name), rows)
        source = str(ROOT / ".src")
        code = OPENED.format(source=source, workspace=name, run=RUN)
        with Terminal(["-c", code], compiled=modules) as terminal:
            terminal.wait_for("case-000000")
            terminal.settle()
            for key in ("end", "home", "x", "x", "s", "down", "enter"):
                terminal.press(key)
            terminal.settle()
            walked = resident(terminal.pid)
            for key in ("/", *"town 3"):
                terminal.press(key)
            terminal.settle()
            return walked, resident(terminal.pid)


def measured(parts: Sequence[str], samples: int, rows: int, modules: Path) -> int:
    """Prints what the parts hold; how often a limit was passed."""
    over = 0
    if "engine" in parts:
        engine(FEW, modules)
        for number in (FEW, samples):
            now, most, seconds = engine(number, modules)
            over += most > ENGINE_LIMIT
            print(
                f"engine, {number:,} samples, at the first result: {now:.0f} MB, "
                f"peak {most:.0f} MB (limit {ENGINE_LIMIT}), {seconds:.0f} s",
                flush=True,
            )
    if "interface" in parts:
        interface(FEW, modules)
        walked, searched = interface(rows, modules)
        for what, (now, most), limit in (
            ("shown, filtered, sorted", walked, ROWS_LIMIT),
            ("then searched", searched, SEARCH_LIMIT),
        ):
            over += most > limit
            print(
                f"interface, {rows:,} rows, {what}: {now:.0f} MB, "
                f"peak {most:.0f} MB (limit {limit})"
            )
    return over


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=20_000)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--part", choices=("engine", "interface"), action="append")
    options = parser.parse_args()
    parts = options.part or ["engine", "interface"]
    with tempfile.TemporaryDirectory() as name:
        over = measured(parts, options.samples, options.rows, Path(name))
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main())
