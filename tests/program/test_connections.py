"""Every connection that is tried goes to the Ollama that was named, and to no other.

A process of its own, because an audit hook cannot be taken out again. It sees what
Python's sockets try; benchmarks/durability/offline.py sees libraries in C and Rust as
well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doubles.fake_ollama import FakeOllama, said

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
WATCHED = """
import asyncio, json, os, sys

tried = []


def watch(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        tried.append(list(arguments[1][:2]))
    elif event == "socket.getaddrinfo":
        tried.append([str(arguments[0]), arguments[1]])
    elif event in ("socket.gethostbyname", "socket.gethostbyaddr", "socket.sendto"):
        tried.append([event, str(arguments[-1])])


sys.addaudithook(watch)
from claimscope.core.backends.onnx import embedding
from tests.doubles.fakes import FakeEmbedder

embedding.embedder_for = lambda *a, **k: FakeEmbedder()
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from claimscope.tui.gateway.workspace import WorkspaceGateway
from tests.tui.pilot import app_on

root, suite, pages = sys.argv[1:]
where = ["--workspace", root]
model = ["--verifier", "ollama", "--model", "m:1b"]
for words in (
    ["pages", "index", pages],
    ["pages", "search", "fee", "--corpus", "pages"],
    ["run", suite, *model],
    ["report", "last", "--format", "html"],
    ["doctor", *model],
    ["models"],
):
    main([*where, *words])


async def look():
    app = app_on(WorkspaceGateway(Workspace.find(root)))
    async with app.run_test() as pilot:
        await pilot.pause()


asyncio.run(look())
print(json.dumps(tried), file=sys.stderr)
"""
SUITE = {
    "format": "claimscope.suite",
    "version": 1,
    "id": "small",
    "pages": "pages",
    "answers": "answers.jsonl",
    "cases": [{"id": "c-1", "question": "What is the fee?"}],
}


def test_only_the_configured_host_is_asked(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "fees.md").write_text("The fee is 150 marks.\n")
    (tmp_path / "suite.json").write_text(json.dumps(SUITE))
    answer = {"case_id": "c-1", "provider": "p", "text": "The fee is 150 marks."}
    (tmp_path / "answers.jsonl").write_text(json.dumps(answer) + "\n")
    reply = said(json.dumps({"claims": ["The fee is 150 marks."]}))
    with FakeOllama(answer=lambda body: reply) as server:
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                WATCHED,
                str(tmp_path / "w"),
                str(tmp_path / "suite.json"),
                str(tmp_path / "pages"),
            ],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(ROOT / ".src"), str(ROOT)]),
                "OLLAMA_HOST": server.host,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        tried = json.loads(done.stderr.splitlines()[-1])
        host, _, port = server.host.partition(":")
    assert server.chats, "the model was asked"
    assert tried and {tuple(place) for place in tried} == {(host, int(port))}
