"""`claimscope models probe` as a user types it, and what a run says of its judge."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.errors import ModelError
from claimscope.core.grade.probing import probe_digest
from claimscope.core.ports import Embedder, Progress
from claimscope.core.settings import Settings
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.stores.workspace.probes import ProbeStore
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from claimscope.tui.gateway.probe_process import run_probe
from tests.doubles import fakes
from tests.doubles.fake_ollama import DIGEST, OTHER_DIGEST, FakeOllama, Reply
from tests.doubles.planted_model import judging
from tests.material import probes

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    with FakeOllama(answer=judging()) as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.host)
        monkeypatch.setenv("PYTHONPATH", str(ROOT / ".src"))
        yield fake


def kept() -> ProbeStore:
    return ProbeStore(Workspace.find().probes)


def test_a_good_model_is_fit_and_the_probe_is_kept(
    ollama: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "probe", "m:1b", "--context-tokens", "2048"]) == 0
    out = capsys.readouterr().out
    assert "✓ fit  m:1b at 2,048 tokens\n" in out
    assert "separation 1.00, claims 16 of 16 right" in out
    assert "✓ 4/4   number       right and wrong numbers" in out
    hard = "hard claims: it takes 30 of 30 true ones for stated, and 0 of 42 others"
    assert f"{hard}; its word counts by these rates, it may contradict" in out
    found = kept().latest(DIGEST, 2048)
    assert found is not None and found.verdict == "fit"
    assert main(["models", "probe"]) == 0
    assert "m:1b     2,048  fit " in capsys.readouterr().out


def test_an_unfit_model_says_why_and_exits_1(
    ollama: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    ollama.answer = judging(lambda text, claim: 0.9)
    assert main(["models", "probe", "m:1b", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "unfit" and len(found["cases"]) == 30
    assert found["context_tokens"] == 4096, "the default"
    assert "separation 0.50" in found["reasons"][0]["text"]
    assert found["rates"] is None, "it is not asked hard claims"


def test_hosts_with_other_weights_are_not_probed_as_one(
    ollama: FakeOllama,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with FakeOllama(answer=judging()) as other:
        other.digests["m:1b"] = OTHER_DIGEST
        monkeypatch.setenv("CLAIMSCOPE_OLLAMA_HOST", f"{ollama.host},{other.host}")
        assert main(["models", "probe", "m:1b"]) == 3
    said = capsys.readouterr().err
    for part in (DIGEST[:12], OTHER_DIGEST[:12], ollama.host, other.host):
        assert part in said
    assert not ollama.chats and not other.chats


def test_of_like_hosts_the_first_that_answers_is_probed(
    ollama: FakeOllama,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with FakeOllama(answer=judging()) as away:
        monkeypatch.setenv("CLAIMSCOPE_OLLAMA_HOST", f"{away.host},{ollama.host}")
        away.stop()
        try:
            assert main(["models", "probe", "m:1b", "--context-tokens", "2048"]) == 0
        finally:
            away.start()
    assert away.host in capsys.readouterr().err
    assert ollama.chats and not away.chats


def test_a_model_trained_for_less_says_so(
    ollama: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "probe", "m:1b", "--context-tokens", "100000"]) == 0
    assert "has 8192 tokens of context at most" in capsys.readouterr().err


def test_what_cannot_be_done_exits_3_and_keeps_nothing(
    ollama: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "probe", "other:1b"]) == 3
    assert "Installed: m:1b" in capsys.readouterr().err
    assert main(["models", "probe", "m:1b", "--ollama-host", "127.0.0.1:1"]) == 3
    assert "No Ollama answers" in capsys.readouterr().err
    assert kept().probes() == ()


def test_wrong_use_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "probe", "--full-context"]) == 2
    assert "which model" in capsys.readouterr().err
    assert main(["models", "probe", "m:1b", "--context-tokens", "3"]) == 2
    assert "context_tokens" in capsys.readouterr().err


def test_nothing_kept_yet_says_how(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "probe"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "" and "claimscope models probe MODEL" in shown.err
    assert main(["models", "probe", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_damaged_probe_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    path = kept().save(probes.probe())
    path.write_text("{")
    assert main(["models", "probe"]) == 0
    assert str(path) in capsys.readouterr().err


HEARING_CTRL_C = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("claimscope", run_name="__main__", alter_sys=True)
"""
"""The command, also where tests run in the background: there a child is born deaf."""


def test_ctrl_c_keeps_nothing(ollama: FakeOllama) -> None:
    hold, asked = threading.Event(), threading.Event()

    def answer(body: dict[str, Any]) -> Reply:
        if len(ollama.chats) <= 3:
            return judging()(body)
        asked.set()
        return replace(judging()(body), hold=hold)

    ollama.answer = answer
    process = subprocess.Popen(
        [sys.executable, "-c", HEARING_CTRL_C, "models", "probe", "m:1b", "--lines"],
        stderr=subprocess.PIPE,
        env=os.environ,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith(
        'progress {"action": "probing", "done": 1, "total": 30'
    )
    assert asked.wait(120)
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "interrupted" in rest and "Traceback" not in rest
    assert ollama.gone.wait(120), "the server is told by the closed connection"
    assert kept().probes() == ()


# --- from the interface ----------------------------------------------------------


def test_the_interface_follows_a_probe_of_another_process(ollama: FakeOllama) -> None:
    steps: list[Progress] = []
    workspace = Workspace.find()
    assert run_probe(workspace, "m:1b", 2048, steps.append, lambda: False)
    assert [(step.done, step.total) for step in steps] == [
        (n, 30) for n in range(1, 31)
    ]
    assert steps[0].note.startswith("ok     supported")
    assert kept().latest(DIGEST, 2048) is not None


def test_the_interface_hears_why_a_probe_failed(ollama: FakeOllama) -> None:
    with pytest.raises(ModelError, match="no model 'other:1b'") as caught:
        run_probe(Workspace.find(), "other:1b", None, lambda s: None, lambda: False)
    assert (
        "ollama pull" in caught.value.hint
        or "claimscope models pull" in caught.value.hint
    )


def test_the_interface_stops_a_probe(ollama: FakeOllama) -> None:
    ollama.answer = lambda body: replace(judging()(body), hold=threading.Event())
    seen = threading.Event()

    def is_stopped() -> bool:
        if ollama.chats:
            seen.set()
        return seen.is_set()

    assert not run_probe(Workspace.find(), "m:1b", 2048, lambda s: None, is_stopped)
    assert ollama.gone.wait(120)
    assert kept().probes() == ()


# --- runs ------------------------------------------------------------------------


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A case with an empty answer: nothing is asked of a model."""

    def make(settings: Settings) -> Embedder:
        return fakes.FakeEmbedder()

    monkeypatch.setattr(judges, "make_embedder", make)
    case = {"id": "c1", "question": "How deep?", "contexts": ["It is deep."]}
    suite = {"format": "claimscope.suite", "version": 1, "id": "s", "cases": [case]}
    path = tmp_path / "suite.json"
    path.write_text(json.dumps({**suite, "answers": "answers.jsonl"}))
    answer = {"case_id": "c1", "provider": "alder", "text": " "}
    (tmp_path / "answers.jsonl").write_text(json.dumps(answer))
    return path


RUN = ("--verifier", "ollama", "--model", "m:1b", "--context-tokens", "4096")


def test_a_run_says_that_its_judge_was_never_probed(
    ollama: FakeOllama, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["run", str(suite), *RUN])
    shown = capsys.readouterr()
    command = "claimscope models probe m:1b --context-tokens 4096"
    assert f"m:1b was never probed as a judge at this context: {command}" in shown.err
    assert "m:1b was never probed" in shown.out, "in the summary"
    runs = DiskRunStore(Workspace.find().runs)
    (status,) = runs.runs()
    assert status.header.fitness == {"m:1b": "unprobed"}
    notes = [text for _, text in runs.read(status.header.run_id).notes()]
    assert any(command in note for note in notes), "in the run's log"
    main(["runs", "show", "last"])
    assert "m:1b was never probed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("good", "expected", "said"),
    [(True, "fit", False), (False, "unfit", True)],
)
def test_a_run_knows_what_the_probe_said(
    ollama: FakeOllama,
    suite: Path,
    capsys: pytest.CaptureFixture[str],
    good: bool,
    expected: str,
    said: bool,
) -> None:
    cases = probes.cases() if good else probes.cases(true=0.9, false=0.9)
    kept().save(probes.probe(cases, digest=DIGEST, planted=probe_digest()))
    main(["run", str(suite), *RUN])
    err = capsys.readouterr().err
    assert ("do not rely on its verdicts" in err) == said
    assert "never probed" not in err
    (status,) = DiskRunStore(Workspace.find().runs).runs()
    assert status.header.fitness == {"m:1b": expected}


def test_a_probe_with_other_prompts_does_not_count(
    ollama: FakeOllama, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept().save(probes.probe(digest=DIGEST, planted="older"))
    main(["run", str(suite), *RUN])
    assert "never probed" in capsys.readouterr().err


def test_a_run_without_a_model_says_nothing(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["run", str(suite)])
    assert "probe" not in capsys.readouterr().err
    (status,) = DiskRunStore(Workspace.find().runs).runs()
    assert status.header.fitness == {}
