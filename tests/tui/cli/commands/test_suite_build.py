"""`suite build` as a user types it, and what runs make of what it built."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.ports import Embedder
from claimscope.core.settings import Settings
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.suites.editing import open_draft
from claimscope.stores.suites.loading import load_suite
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from claimscope.tui.services.run.planning import load, request_of_run
from claimscope.tui.services.suite import build as builder
from claimscope.tui.services.workspace import run_named
from tests.core.services.suite_building.test_builder import (
    ASKED,
    BRIM,
    DELL,
    OST,
    reply,
)
from tests.doubles import fakes
from tests.doubles.fake_ollama import FakeOllama, Reply, failed, said

MODEL = ["--model", "m:1b"]


@pytest.fixture(autouse=True)
def fake_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(settings: Settings) -> Embedder:
        return fakes.FakeEmbedder(dimensions=512)

    monkeypatch.setattr(judges, "make_embedder", make)


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    with FakeOllama() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.host)
        server.answer = asking
        yield server


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in (("ost", OST), ("dell", DELL), ("brim", BRIM)):
        (folder / f"{name}.txt").write_text(text)
    return folder


def asking(body: dict[str, Any]) -> Reply:
    """Copies a sentence and asks for it; of several it can make nothing."""
    text = str(body["messages"][-1]["content"]).partition("Example")[0]
    told = text.rpartition("\nSentence: ")[2].split("\n")[0]
    asked = next((q for key, q in ASKED.items() if key in told), None)
    return said(reply(asked, told) if asked else "I cannot.")


def build(pages: Path, out: Path, *more: str) -> int:
    return main(
        ["suite", "build", "--from-pages", str(pages), "-o", str(out), *MODEL, *more]
    )


def test_cases_from_pages_wait_for_a_person(
    ollama: FakeOllama,
    pages: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "built.json"
    assert build(pages, out, "--cases", "8", "--json") == 1, "fewer than asked for"
    talk = capsys.readouterr()
    told = json.loads(talk.out)
    offered = {kind: one["offered"] for kind, one in told["kinds"].items()}
    assert offered["single fact"] == told["cases"] == 3
    assert told["dropped"]["the model's reply could not be read"] > 0
    assert "fewer than asked for  comparison: 0 of" in talk.err
    suite = load_suite(out).suite
    assert suite.pages == "pages" and len(suite.cases) == 3
    assert all(case.metadata["model"] == "m:1b" for case in suite.cases)
    assert main(["suite", "lint", str(out)]) == 0
    assert "a run leaves out 3 cases that a model wrote" in capsys.readouterr().out
    assert build(pages, out, "--cases", "8") == 2, "it would replace a person's work"
    assert "exists already" in capsys.readouterr().err


def test_a_run_takes_only_what_a_person_accepted(
    ollama: FakeOllama,
    pages: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, answers = tmp_path / "built.json", tmp_path / "answers.jsonl"
    build(pages, out, "--cases", "8")
    ids = [case.id for case in load_suite(out).suite.cases]
    rows = [{"case_id": name, "text": "The library lends 9000 books."} for name in ids]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = ["run", str(out), "--answers", str(answers), "--json"]
    capsys.readouterr()

    assert main(run) == 2
    assert "nobody has accepted a case of it" in capsys.readouterr().err
    assert judged([*run, "--include-unreviewed"], capsys) == set(ids)

    draft = open_draft(out)
    draft.accept(0)
    refused = {**draft.cases[2], "metadata": {"generated": True, "accepted": False}}
    draft.change(2, refused)
    assert judged(run, capsys, "left out: 1 case that a model wrote") == set(ids[:1])
    words = [*run, "--include-unreviewed"]
    assert judged(words, capsys, "left out: 1 case that a person dropped") == set(
        ids[:2]
    )
    run_id = run_named(DiskRunStore(Workspace.find().runs), "last")
    header = DiskRunStore(Workspace.find().runs).read(run_id).status().header
    again = load(request_of_run(header)).suite.cases
    assert [case.id for case in again] == ids[:2], "as a resumed run takes them"


def judged(
    words: list[str], capsys: pytest.CaptureFixture[str], note: str = ""
) -> set[str]:
    """Ids of the cases that a run judged."""
    assert main(words) == 0
    talk = capsys.readouterr()
    assert note in talk.err
    run_id = json.loads(talk.out)["status"]["header"]["run_id"]
    assert main(["runs", "show", run_id, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["samples"]
    return {row["key"]["case_id"] for row in rows}


def test_a_sample_of_logs_keeps_their_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"What does the ferry cost?": "a", "what does the FERRY cost": "a"}
    asked["Who is Orla?"] = "b"
    logs = [
        {"queryLogId": f"q{n}", "question": text, "category": category}
        | {"answer": f"Answer {n}."}
        for n, (text, category) in enumerate(asked.items())
    ]
    file, out = tmp_path / "logs.json", tmp_path / "sample.json"
    file.write_text(json.dumps(logs))
    words = ["suite", "build", "--from-logs", str(file), "-o", str(out)]
    assert main([*words, "--cases", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["questions"], told["equal"], told["cases"]) == (3, 1, 2)
    loaded = load_suite(out, which="accepted")
    assert [case.id for case in loaded.suite.cases] == ["q0", "q2"]
    assert [case.metadata["asked"] for case in loaded.suite.cases] == [2, 1]
    assert [answer.text for answer in loaded.answers] == ["Answer 0.", "Answer 2."]
    assert main([*words, "--cases", "9", "--force"]) == 1
    assert main([*words, "--cases", "0", "--force"]) == 2


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--from-pages", "nowhere"], "nowhere: no such folder"),
        (["--from-logs", "nowhere.json"], "nowhere.json: cannot be read"),
        (["--from-pages", ".", "-o", "built.csv"], "suites are built as JSON"),
    ],
)
def test_wrong_use_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["suite", "build", "-o", "built.json", *MODEL, *words]) == 2
    assert why in capsys.readouterr().err


def test_a_build_that_broke_off_goes_on_and_pays_for_nothing_twice(
    ollama: FakeOllama,
    pages: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole, out = tmp_path / "whole.json", tmp_path / "out.json"
    build(pages, whole, "--cases", "8", "--workspace", str(tmp_path / "other"))
    needed, answered = len(ollama.chats), 0

    def breaking(body: dict[str, Any]) -> Reply:
        nonlocal answered
        if answered == 3:
            return failed(500, "out of memory")
        answered += 1
        return asking(body)

    ollama.answer = breaking
    capsys.readouterr()
    assert build(pages, out, "--cases", "8", "--set", "retries=0") == 3
    assert "the same command goes on from there" in capsys.readouterr().err
    assert not out.exists()
    ollama.answer = asking
    before = len(ollama.chats)
    assert build(pages, out, "--cases", "8") == 1
    assert len(ollama.chats) - before == needed - 3
    assert load_suite(out).suite.cases == load_suite(whole).suite.cases


def test_a_key_press_stops_it_and_says_how_to_go_on(
    ollama: FakeOllama,
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(builder, "build", stopped)
    assert build(pages, tmp_path / "out.json") == 130
    assert "the same command goes on from there" in capsys.readouterr().err


def test_a_server_that_is_gone_is_named_and_what_was_written_is_kept(
    ollama: FakeOllama,
    pages: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "built.json"
    with socket.socket() as taken:  # bound, but nobody listens there
        taken.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{taken.getsockname()[1]}"
        assert build(pages, out, "--ollama-host", host, "--set", "retries=0") == 3
    assert "does not answer" in capsys.readouterr().err
    assert not out.exists()
