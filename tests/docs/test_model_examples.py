"""Examples of docs/ that need a model are run against one: the double of Ollama, and
the real server where OLLAMA_HOST names one. A folder `courses` with one case stands in
for the shipped suite, and hosts and model are those that are here.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.backends import embedders
from tests.docs.test_documents import PAGES, blocks, commands, run
from tests.doubles.fake_ollama import FakeOllama, Reply, model, said, speaking
from tests.doubles.fake_openai import META, FakeOpenAI
from tests.doubles.fakes import FakeEmbedder
from tests.doubles.planted_model import judging

HOST = os.environ.get("OLLAMA_HOST")
"""Read before the fixture that hides the user's settings from every test."""
MODEL = "qwen2.5-coder:1.5b"
"""As docs/ name it."""
SUITE = """\
{"format": "claimscope.suite", "version": 1, "id": "small", "pages": "pages",
 "answers": "answers.jsonl",
 "cases": [{"id": "c-1", "question": "What is the fee of Spanish A1?"}]}
"""
GIVEN = '{"case_id": "c-1", "provider": "mine", "text": "The fee is 150 marks."}\n'
PAGE = "# Spanish A1\n\nThe course is for beginners. The fee is 150 marks.\n"
TRIED_ELSEWHERE = {"build-a-suite.md"}
"""Needs a model that writes questions: tests/tui/cli/commands/test_suite_build.py."""
NEEDING = [
    name
    for name in PAGES
    if name not in TRIED_ELSEWHERE
    and any(block.word("needs") == "ollama" for block in blocks(name))
]


def answering() -> Any:
    """Right on the planted claims of a probe; takes the answer of the suite apart;
    else words of the asked form."""
    right, other = judging(), speaking()

    def answer(body: dict[str, Any]) -> Reply:
        if "claims" in (body.get("format") or {}).get("properties", {}):
            return said(json.dumps({"claims": ["The fee is 150 marks."]}))
        try:
            return right(body)
        except (AssertionError, KeyError, StopIteration):
            return other(body)

    return answer


@pytest.fixture(params=["double", pytest.param("real", marks=pytest.mark.ollama)])
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """(host, model)."""
    if request.param == "real":
        if not HOST:
            pytest.skip("OLLAMA_HOST names no server (`make ollama` starts one)")
        yield HOST, "smollm2:135m"
        return
    with FakeOllama({MODEL: model()}, answer=answering()) as double:
        yield double.host, MODEL


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with what the examples find there."""
    for name, text in (
        ("courses/suite.json", SUITE),
        ("courses/answers.jsonl", GIVEN),
        ("courses/pages/a1.md", PAGE),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(embedders, "embedder_for", lambda *a, **k: FakeEmbedder())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("name", NEEDING)
def test_every_example_that_needs_a_model_runs(
    name: str,
    server: tuple[str, str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    host, here = server
    monkeypatch.setenv("OLLAMA_HOST", host)
    for block in blocks(name):
        if block.file is not None:
            file = folder / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")
    ran = 0
    for block in blocks(name):
        if block.language != "console" or block.word("needs") != "ollama":
            continue
        for command, _ in commands(block):
            filled = command.replace(MODEL, here)
            filled = re.sub(r"(?<=--ollama-host )\S+", host, filled)
            code, told = run(filled, capsys)
            # The small real model is unfit: a probe says so, and it gives no grades.
            allowed = {0}
            allowed |= {1} if " probe " in filled else set()
            allowed |= {3} if " --judge" in filled and here != MODEL else set()
            place = f"docs/{name}, line {block.line}"
            assert code in allowed, f"{place}: `{filled}` ended with {code}\n{told}"
            ran += 1
    assert ran


@pytest.mark.slow
def test_examples_of_other_servers_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the double of llama.cpp, in place of the address and model that they name."""
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    ran = 0
    entry = {"id": "qwen2.5-7b", "object": "model", "meta": META}
    with FakeOpenAI(models=[entry], answer=answering()) as double:
        for block in blocks("servers.md"):
            if block.language != "console" or block.word("needs") != "openai":
                continue
            for command, _ in commands(block):
                filled = command.replace("http://127.0.0.1:8080/v1", double.url)
                assert filled != command
                code, told = run(filled, capsys)
                assert code == 0, f"`{filled}` ended with {code}\n{told}"
                ran += 1
    assert ran == 3 and double.chats


def test_some_pages_have_such_examples() -> None:
    assert {"choose-a-model.md", "cluster.md"} <= set(NEEDING)
