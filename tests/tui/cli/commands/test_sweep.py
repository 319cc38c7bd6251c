"""`lab` as a user types it: cells answered and judged, stopped and gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.backends.ollama.server import OllamaChat
from claimscope.core.errors import ServerDown
from claimscope.stores.runs.labs import LabFolder
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from claimscope.tui.services.sweep import engine
from claimscope.tui.services.sweep.planning import labs_of
from tests.doubles.fake_ollama import DIGEST, FakeOllama, Reply, failed, model, said

PASSAGES = ["The Orla crane was built in 1952.", "It lifts 40 tonnes."]
BOTH = ["--models", "m:1b,n:2b", "--temperatures", "0,0.7", "--json"]


pytestmark = pytest.mark.usefixtures("fake_embeddings")


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    with FakeOllama() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.host)
        yield server


@pytest.fixture
def suite(tmp_path: Path, ollama: FakeOllama) -> str:
    """Two cases with passages, and an Ollama with two models that answer."""
    ollama.models["n:2b"] = model()
    ollama.digests["n:2b"] = "d" * 64
    ollama.answer = answering
    questions = {"built": "When was the Orla crane built?", "lifts": "What lifts it?"}
    cases = [
        {"id": name, "question": text, "contexts": PASSAGES}
        for name, text in questions.items()
    ]
    return suite_file(tmp_path, cases)


def suite_file(folder: Path, cases: list[dict[str, Any]], **more: str) -> str:
    path = folder / "suite.json"
    head = {"format": "claimscope.suite", "version": 1, "id": "crane", **more}
    path.write_text(json.dumps({**head, "cases": cases}))
    return str(path)


def question(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"]).rpartition("Question: ")[2]


def answering(body: dict[str, Any]) -> Reply:
    """n:2b lies, m:1b does not."""
    if body["options"]["num_predict"] == 1:  # how much fits is measured
        return said("Yes", prompt_eval_count=50)
    if "lifts" in question(body):
        return said("It lifts 40 tonnes [2].")
    year = "1952" if body["model"] == "m:1b" else "1977"
    return said(f"The Orla crane was built in {year} [1].")


def asked(ollama: FakeOllama, begin: int = 0) -> list[dict[str, Any]]:
    """Calls for answers, the measuring ones aside."""
    return [b for b in ollama.chats[begin:] if b["options"]["num_predict"] > 1]


def test_each_cell_is_a_run_and_the_matrix_has_their_figures(
    ollama: FakeOllama, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["answers", "sweep", suite, *BOTH]) == 0
    told = json.loads(capsys.readouterr().out)
    cells = told["lab"]["cells"]
    assert [cell["name"] for cell in cells] == [
        "m:1b t0",
        "m:1b t0.7",
        "n:2b t0",
        "n:2b t0.7",
    ]
    assert {cell["state"] for cell in cells} == {"finished"}
    assert {b["options"]["temperature"] for b in asked(ollama)} == {0, 0.7}
    rows = {row["cell"]: row for row in told["matrix"]["rows"]}
    assert all(row["samples"] == 2 for row in rows.values())
    rates = {name: row["entries"][0]["value"] for name, row in rows.items()}
    assert rates["m:1b t0"] > rates["n:2b t0"]
    marks = {e["mark"] for row in rows.values() for e in row["entries"]}
    assert marks == {"level"}, "two cases show nothing beyond noise"
    assert main(["runs", "show", cells[2]["run_id"], "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["status"]["header"]["providers"] == ["n:2b t0"]


def test_system_prompt_and_top_p_reach_the_model_and_are_kept(
    ollama: FakeOllama,
    suite: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("v1", "v2"):
        (tmp_path / f"{name}.md").write_text(f"You are {name}.")
    files = f"{tmp_path}/v1.md,{tmp_path}/v2.md"
    words = ["--models", "m:1b", "--temperatures", "0.5", "--top-p", "0.9,1"]
    more = ["--prompts", files, "--cases", "1", "--iterations", "2", "--json"]
    assert main(["answers", "sweep", suite, *words, *more]) == 0
    lab = json.loads(capsys.readouterr().out)["lab"]
    assert [cell["name"] for cell in lab["cells"]] == [
        "m:1b t0.5 p0.9 v1",
        "m:1b t0.5 p1 v1",
        "m:1b t0.5 p0.9 v2",
        "m:1b t0.5 p1 v2",
    ]
    calls = asked(ollama)
    assert len(calls) == 8, "one case, four cells, two draws"
    assert {c["messages"][0]["content"] for c in calls} == {
        "You are v1.",
        "You are v2.",
    }
    assert {c["options"]["top_p"] for c in calls} == {0.9, 1}
    assert {c["options"]["seed"] for c in calls} == {7, 8}
    assert all(cell["answered"] == 2 for cell in lab["cells"])


def test_a_lab_that_was_killed_asks_nothing_twice(
    ollama: FakeOllama,
    suite: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    take = engine.CellWork.take
    taken: list[str] = []

    def dying(self: engine.CellWork, *rest: Any) -> None:
        taken.append(self.cell.name)
        if len(taken) == 4:  # the call is journalled, the answer is not
            raise RuntimeError("the process is gone")
        take(self, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(engine.CellWork, "take", dying)
        assert main(["answers", "sweep", suite, *BOTH, "--concurrency", "1"]) == 3
    capsys.readouterr()
    assert main(["answers", "sweep", "--list", "--json"]) == 0
    (before,) = json.loads(capsys.readouterr().out)
    assert before["state"] == "stopped"
    first = len(asked(ollama))
    assert first == 4
    assert main(["answers", "sweep", "--resume", "last", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {cell["state"] for cell in told["lab"]["cells"]} == {"finished"}
    assert len(asked(ollama)) == 8, "two cases, four cells, each asked once"
    assert main(["answers", "sweep", "--resume", told["lab"]["lab_id"], "--json"]) == 0
    assert len(asked(ollama)) == 8


def test_answers_that_do_not_come_are_counted_beside_the_figures(
    ollama: FakeOllama, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def ill(body: dict[str, Any]) -> Reply:
        if body["model"] == "n:2b" and body["options"]["num_predict"] > 1:
            if "lifts" in question(body):
                return failed(400, "no")
        return answering(body)

    ollama.answer = ill
    assert main(["answers", "sweep", suite, "--models", "m:1b,n:2b"]) == 3
    out = capsys.readouterr().out
    assert "n:2b t0   finished   1 of 2 answers   run" in out
    assert "m:1b t0   finished   2 of 2 answers   run" in out


def test_a_model_that_answers_nothing_fails_its_cells_only(
    ollama: FakeOllama, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def dead(body: dict[str, Any]) -> Reply:
        if body["model"] == "m:1b" and body["options"]["num_predict"] > 1:
            return failed(400, "it cannot")
        return answering(body)

    ollama.answer = dead
    assert main(["answers", "sweep", suite, "--models", "m:1b,n:2b", "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    first, second = told["lab"]["cells"]
    assert (first["state"], second["state"]) == ("failed", "finished")
    assert "no answer came" in first["error"]
    assert told["matrix"]["rows"][0]["entries"][0]["value"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--models", "m:1b,m:1b"], "--models: m:1b is named twice"),
        (["--models", "m:1b", "--temperatures", "3"], "3 is not from 0 to 2"),
        (["--models", "m:1b", "--temperatures", "warm"], "'warm' is no number"),
        (["--models", "m:1b", "--temperatures", "nan"], "'nan' is no number"),
        (["--models", "m:1b", "--top-p", "0.9"], "at temperature 0 it decides"),
        (["--models", "m:1b", "--iterations", "3"], "at temperature 0 each answer"),
        (["--models", "m:1b", "--cases", "0"], "--cases: 0 is too few"),
        (["--models", "m:1b", "--prompts", "no.md"], "--prompts no.md: No such file"),
        (["--models", "m:1b", "--metrics", "acuracy"], "acuracy"),
        (["--temperatures", "0,1"], "a lab needs a suite and --models"),
        (["--models", "m:1b", "--show", "last"], "goes on with what it began with"),
    ],
)
def test_nonsense_is_refused_before_anything_is_asked(
    words: list[str],
    message: str,
    ollama: FakeOllama,
    suite: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["answers", "sweep", suite, *words]) == 2
    assert message in capsys.readouterr().err
    assert not asked(ollama)
    assert main(["answers", "sweep", "--list"]) == 0
    assert capsys.readouterr().out == ""


def test_the_same_weights_under_two_names_are_refused(
    ollama: FakeOllama, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ollama.digests["n:2b"] = DIGEST
    assert main(["answers", "sweep", suite, "--models", "m:1b,n:2b"]) == 2
    assert "m:1b and n:2b are the same weights" in capsys.readouterr().err


def test_a_missing_model_is_named_and_no_lab_begins(
    ollama: FakeOllama, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["answers", "sweep", suite, "--models", "m:1b,none:7b"]) == 3
    assert "none:7b" in capsys.readouterr().err
    assert not labs_of(Workspace.find(None)).labs()


def test_answers_come_from_pages_and_pages_that_changed_are_not_mixed(
    ollama: FakeOllama,
    suite: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "pages").mkdir()
    page = tmp_path / "pages" / "crane.md"
    page.write_text(" ".join(PASSAGES))
    cases = [{"id": "built", "question": "When was the Orla crane built?"}]
    cases.append({"id": "lifts", "question": "What lifts it?"})
    suite_file(tmp_path, cases, pages="pages")

    def ill(body: dict[str, Any]) -> Reply:
        is_answer = body["options"]["num_predict"] > 1
        if is_answer and "lifts" in question(body):
            return failed(400, "gone")
        return answering(body)

    ollama.answer = ill

    def gone(self: engine.CellWork, task: str, reason: str) -> None:
        raise RuntimeError("the process is gone")

    with monkeypatch.context() as patch:
        patch.setattr(engine.CellWork, "put_down", gone)
        words = ["--models", "m:1b", "--concurrency", "1", "--set", "retries=0"]
        assert main(["answers", "sweep", suite, *words]) == 3
    prompts = [body["messages"][-1]["content"] for body in asked(ollama)]
    assert any("[crane.md, S:0] The Orla crane was built" in text for text in prompts)
    page.write_text("The Orla crane was built in 1953.")
    ollama.answer = answering
    capsys.readouterr()
    assert main(["answers", "sweep", "--resume", "last", "--json"]) == 3
    (cell,) = json.loads(capsys.readouterr().out)["lab"]["cells"]
    assert cell["state"] == "failed"
    assert "the answer to case built was made otherwise" in cell["error"]


def test_a_server_that_goes_away_stops_the_lab_and_a_resume_goes_on(
    ollama: FakeOllama, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asking = OllamaChat.chat

    async def down(self: OllamaChat, request: Any) -> Any:
        if request.options.get("temperature") == 0.7:
            raise ServerDown("No Ollama answers.", "Start it.")
        return await asking(self, request)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OllamaChat, "chat", down)
        words = ["--models", "m:1b", "--temperatures", "0,0.7"]
        assert main(["answers", "sweep", suite, *words]) == 3
    assert "No Ollama answers." in capsys.readouterr().err
    assert main(["answers", "sweep", "--show", "last", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["lab"]["state"] == "failed" and told["lab"]["error"]
    before = len(asked(ollama))
    assert main(["answers", "sweep", "--resume", "last"]) == 0
    assert len(asked(ollama)) == before + 2
    assert "m:1b t0.7   finished   2 of 2 answers" in capsys.readouterr().out


def test_steering_needs_an_engine_at_work(
    ollama: FakeOllama, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["answers", "sweep", suite, "--models", "m:1b"]) == 0
    capsys.readouterr()
    for flag in ("--pause", "--cancel"):
        assert main(["answers", "sweep", flag, "last"]) == 3
        assert "no engine is at work on lab" in capsys.readouterr().err


def test_a_pause_holds_the_next_question_and_a_cancel_ends_the_lab(
    ollama: FakeOllama,
    suite: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    labs = labs_of(Workspace.find(None))
    steps: list[str] = []
    monkeypatch.setattr(engine, "POLL_SECONDS", 0.01)

    def asking(body: dict[str, Any]) -> Reply:
        if body["options"]["num_predict"] > 1:
            folder = labs.folder("last")
            folder.ask("pause" if not steps else "cancel")
            steps.append("asked")
        return answering(body)

    read = LabFolder.requested_control
    waits = 0

    def asked_of(folder: LabFolder) -> Any:
        nonlocal waits
        found = read(folder)
        if found == "pause":
            waits += 1
            if waits == 3:
                assert len(steps) == 1, "nothing is asked in a pause"
                folder.ask("run")
        return found

    monkeypatch.setattr(LabFolder, "requested_control", asked_of)
    ollama.answer = asking
    words = ["--models", "m:1b,n:2b", "--concurrency", "1", "--json"]
    code = main(["answers", "sweep", suite, *words])
    assert code == 3 and waits >= 3
    told = json.loads(capsys.readouterr().out)
    assert told["lab"]["state"] == "cancelled"
    assert len(steps) == 2
    assert told["lab"]["cells"][1]["state"] == "waiting"
