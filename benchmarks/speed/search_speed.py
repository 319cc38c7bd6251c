"""How soon does a search answer while somebody types, and what does it hold?

    python -m benchmarks.speed.search_speed [--pages 200] [--starts 3] [--json]

Made pages are indexed; then the search of the Pages screen is begun and asked, each
time by a process of its own and by the resident engine (Linux). Prints the seconds
from its beginning to the first hits by words and to those by meaning, those of
processor time, and the memory that is the search's alone (what a copy of the engine
shares with it is the engine's).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from queue import Queue

from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.gateway.search_process import SearchProcess
from claimscope.tui.ports.library import Hits
from claimscope.tui.process.child import Dialogue
from claimscope.tui.resident.client import ask_engine
from claimscope.tui.resident.dialogue import by_resident

CORPUS = "towns"
QUERY = "How long is the bridge of town 12?"
WAIT_SECONDS = 120.0


def children(parent: int) -> list[int]:
    """Process ids."""
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(word) for word in listed.split()]


def seconds_of(pid: int) -> float:
    """Of processor time so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def own_mb(pid: int) -> float:
    """Memory that no other process shares."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    private = [line.split()[1] for line in lines if line.startswith("Private_")]
    return sum(map(int, private)) / 1024


def indexed(folder: Path, pages: int) -> Workspace:
    """A workspace with a corpus of so many pages of two sentences."""
    (folder / CORPUS).mkdir()
    for number in range(pages):
        text = (
            f"# Town {number}\n\nThe bridge of town {number} is {number % 90 + 10} "
            f"metres long. Its market was founded in {1200 + number % 800}.\n"
        )
        (folder / CORPUS / f"town-{number}.md").write_text(text)
    where = ["--workspace", str(folder / "workspace")]
    words = [*where, "pages", "index", str(folder / CORPUS)]
    line = [sys.executable, "-m", "claimscope", *words]
    subprocess.run(line, check=True, capture_output=True)
    return Workspace(folder / "workspace")


def by_nobody(workspace: Workspace, words: object) -> Dialogue | None:
    """A process of its own does it."""
    return None


def once(workspace: Workspace, *, engine: int | None) -> dict[str, float]:
    """One search from its beginning to the hits by meaning."""
    answers: Queue[Hits] = Queue()
    begin = time.perf_counter()
    elsewhere = by_nobody if engine is None else by_resident
    search = SearchProcess(workspace, CORPUS, answers.put, elsewhere)
    try:
        search.ask(1, QUERY, 20)
        found = {}
        for order in ("words", "meaning"):
            answer = answers.get(timeout=WAIT_SECONDS)
            assert (answer.order, answer.problem) == (order, None), answer
            found[order] = time.perf_counter() - begin
        (pid,) = children(os.getpid() if engine is None else engine)
        return found | {"processor": seconds_of(pid), "mb": own_mb(pid)}
    finally:
        search.close()


def main() -> None:
    """Makes pages, measures, prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found: dict[str, dict[str, list[float]]] = {
        who: defaultdict(list) for who in ("own process", "resident engine")
    }
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        workspace = indexed(Path(folder), arguments.pages)
        line = [sys.executable, "-m", "claimscope", "serve", "daemon", "run"]
        with subprocess.Popen(line, stderr=subprocess.DEVNULL) as engine:
            while ask_engine({"do": "status"}) is None:
                time.sleep(0.1)
            for _ in range(arguments.starts):
                os.environ["CLAIMSCOPE_DAEMON"] = "use"
                for who, pid in zip(found, (None, engine.pid), strict=True):
                    for what, value in once(workspace, engine=pid).items():
                        found[who][what].append(value)
            engine.terminate()
    middle = {
        who: {what: statistics.median(values) for what, values in figures.items()}
        for who, figures in found.items()
    }
    if arguments.json:
        print(json.dumps(middle, indent=2))
        return
    for who, figures in middle.items():
        print(
            f"{who:16} words {figures['words']:.2f} s, meaning "
            f"{figures['meaning']:.2f} s, processor {figures['processor']:.2f} s, "
            f"{figures['mb']:.0f} MB of its own"
        )


if __name__ == "__main__":
    main()
