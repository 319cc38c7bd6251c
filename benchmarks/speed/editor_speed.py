"""How long until an editor shows what is wrong, and what does its server hold?

    python -m benchmarks.speed.editor_speed [--times 5]

An answer is opened in a language server that has just been started, against the pages
of testsets/medicine, which are indexed; each time the answer is one that nobody judged
before. --times times each, in turn:

    own       the server judges by itself
    none yet  the server starts the resident engine, which it needs (Linux)
    resident  the resident engine runs (Linux)
    again     a second file is opened in that server

Printed are the median seconds from the start of the server (`again`: from the opening)
to the first diagnostics, processor seconds of the server and of the engine until then,
and the resident memory of the server afterwards, MB. Needs pip install
'claimscope[lsp]'. The aim is one second by the clock for `resident`; where the machine
has other work to do, processor seconds are what can be compared.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple, cast

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from benchmarks.speed.check_speed import MEDICINE_ANSWER, engine_seconds, environment_in

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "testsets" / "medicine" / "pages"
WAYS = ("own", "none yet", "resident", "again")


class Cost(NamedTuple):
    """Of one opening: seconds by the clock, of the processor; MB of the server."""

    clock: float
    cpu: float
    memory: float


class Client(LanguageClient):
    """An editor that waits for diagnostics."""

    def __init__(self, environment: dict[str, str]) -> None:
        super().__init__("measuring", "1")
        self._environment = environment
        self._published: asyncio.Queue[int] = asyncio.Queue()
        self.began = time.monotonic()

        def publish(params: types.PublishDiagnosticsParams) -> None:
            self._published.put_nowait(len(params.diagnostics))

        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(publish)

    @property
    def pid(self) -> int:
        """Of the server."""
        return int(cast(Any, self)._server.pid)

    async def begin(self) -> None:
        """Starts the server, as an editor does."""
        words = ["-m", "claimscope", "serve", "lsp"]
        await self.start_io(sys.executable, *words, env=self._environment)
        await self.initialize_async(
            types.InitializeParams(types.ClientCapabilities(), process_id=None)
        )
        self.initialized(types.InitializedParams())

    async def open(self, path: Path, text: str) -> None:
        """Opens a file and waits for what is found; SystemExit when nothing is."""
        item = types.TextDocumentItem(path.as_uri(), "markdown", 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        if not await asyncio.wait_for(self._published.get(), 120):
            raise SystemExit("no diagnostics: nothing was judged")

    async def end(self) -> None:
        """As an editor does."""
        await self.shutdown_async(None)
        self.exit(None)
        await cast(Any, self).stop()


def memory_mb(pid: int) -> float:
    """Resident memory of a process that it shares with no other."""
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    private = (row.split() for row in rows if row.startswith("Private"))
    return sum(int(row[1]) for row in private) / 1024


def daemon(word: str, environment: dict[str, str]) -> dict[str, Any]:
    """What `claimscope serve daemon WORD` says."""
    words = [sys.executable, "-m", "claimscope", "serve", "daemon", word, "--json"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    return dict(json.loads(done.stdout)) if done.stdout.startswith("{") else {}


def engine_spent(environment: dict[str, str]) -> float:
    """Processor seconds of the engine that runs, 0 where none does."""
    pid = daemon("status", environment).get("pid")
    return engine_seconds(pid) if pid else 0.0


async def measured(
    folder: Path, number: int, environment: dict[str, str]
) -> dict[str, Cost]:
    found = {}

    async def opening(way: str, client: Client, begins: bool = True) -> None:
        text = MEDICINE_ANSWER.format(year=1600 + number, rooms=WAYS.index(way) + 11)
        path = folder / f"{way}.md"
        spent = engine_spent(environment) if way != "own" else 0.0
        before = 0.0 if begins else engine_seconds(client.pid)
        client.began = time.monotonic()
        if begins:
            await client.begin()
        await client.open(path, text)
        clock = time.monotonic() - client.began
        cpu = engine_seconds(client.pid) - before
        if way != "own":
            await asyncio.sleep(1.5)  # the engine counts a copy when it next looks
            cpu += max(engine_spent(environment) - spent, 0.0)
        found[way] = Cost(clock, cpu, memory_mb(client.pid))

    client = Client({**environment, "CLAIMSCOPE_DAEMON": "off"})
    await opening("own", client)
    await client.end()
    if sys.platform == "linux":
        daemon("stop", environment)
        client = Client(environment)
        await opening("none yet", client)
        await client.end()
        client = Client(environment)
        await opening("resident", client)
        await opening("again", client, begins=False)
        await client.end()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    costs: dict[str, list[Cost]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "claimscope.toml").write_text(f"against = {json.dumps(str(PAGES))}\n")
        environment = environment_in(folder)
        try:
            for number in range(options.times + 1):
                found = asyncio.run(measured(folder, number, environment))
                for way, cost in found.items():
                    if number:  # the first indexes the pages and compiles
                        costs[way].append(cost)
        finally:
            daemon("stop", environment)
    print(f"{'':10}{'clock s':>10}{'cpu s':>10}{'server MB':>12}")
    for way, several in costs.items():
        clock, cpu, memory = map(statistics.median, zip(*several, strict=True))
        print(f"{way:10}{clock:10.2f}{cpu:10.2f}{memory:12.0f}")


if __name__ == "__main__":
    os.environ.pop("CLAIMSCOPE_DAEMON", None)
    main()
