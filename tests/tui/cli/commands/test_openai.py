"""Commands against a server with the OpenAI API: the double in place of Ollama."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.ports import Embedder
from claimscope.core.settings import Settings
from claimscope.core.verify.planted_cases import CLAIMS
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.stores.workspace.probes import ProbeStore
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from claimscope.tui.services.health import servers
from tests.doubles import fakes
from tests.doubles.fake_ollama import FakeOllama, Reply, chose, said
from tests.doubles.fake_openai import META, FakeOpenAI
from tests.doubles.planted_model import judging
from tests.material.suite_folder import write_suite

KEY = "sesame-4711"
YES = {"Yes": -0.01, "No": -5.0}
NO = {"No": -0.01, "Yes": -5.0}


def speak(body: dict[str, Any]) -> Reply:
    """Knows the planted claims, says Yes to all others, grades high."""
    prompt = body["messages"][-1]["content"]
    if body["options"]["num_predict"] == 1:
        for planted in CLAIMS:
            if planted.claim in prompt:
                return chose(YES if planted.is_true else NO)
        return chose(YES)
    return said(json.dumps({"explanation": "As I see it.", "grade": 5}))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    def make(settings: Settings) -> Embedder:
        return fakes.FakeEmbedder()

    monkeypatch.setattr(judges, "make_embedder", make)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")  # nobody must ask it
    monkeypatch.setenv("CLAIMSCOPE_API_KEY", KEY)
    with FakeOpenAI(answer=speak, key=KEY) as fake:
        yield fake


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return write_suite(
        tmp_path / "suite",
        "crane",
        {"crane": "# The crane\n\nThe Orla harbour crane was built in 1952.\n"},
        [{"id": "built", "question": "When was the crane built?"}],
        [{"case_id": "built", "text": "The Orla harbour crane was built in 1952."}],
    )


def flags(server: FakeOpenAI) -> list[str]:
    return ["--server", "openai", "--base-url", server.url]


JUDGED = ["--verifier", "model", "--model", "m:1b", "--judge", "--json"]


def test_a_run_is_judged_and_says_by_what(
    server: FakeOpenAI, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(suite), *JUDGED, *flags(server)]) == 0
    store = DiskRunStore(Workspace.find(None).runs)
    (status,) = store.runs()
    header = status.header
    assert header.verifier == header.settings["server"] == "openai"
    assert header.model_digest and header.model_digest.startswith("desc:")
    (sample,) = store.read(header.run_id).samples()
    assert sample.error is None and sample.claims and sample.grades
    assert {claim.verdict.verifier for claim in sample.claims} == {"openai"}
    call = store.read(header.run_id).call(sample.claims[0].verdict.call_keys[0])
    assert call is not None and call.server == "llama.cpp b1-7e4c0a9"
    capsys.readouterr()
    count = len(server.chats)
    assert main(["runs", "resume", "last", "--as-new", "--json"]) == 2
    assert "--base-url" in capsys.readouterr().err, "the address was a flag"
    assert main(["runs", "resume", "last", "--json", *flags(server)]) == 0
    assert len(server.chats) == count, "nothing is asked again"


def test_the_same_model_of_another_kind_of_server_is_another_run(
    server: FakeOpenAI,
    suite: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert main(["run", str(suite), *JUDGED, *flags(server)]) == 0
    with FakeOllama(answer=speak) as ollama:
        monkeypatch.setenv("OLLAMA_HOST", ollama.host)
        capsys.readouterr()
        assert main(["runs", "resume", "last", "--server", "ollama"]) == 3
    told = capsys.readouterr().err
    assert "openai → ollama" in told and "the model's weights" in told


def test_a_panel_of_two_models(server: FakeOpenAI, suite: Path) -> None:
    server.models = [{"id": n, "meta": {**META, "n_vocab": v}} for n, v in
                     (("m:1b", 1), ("n:1b", 2))]  # fmt: skip
    words = ["run", str(suite), *JUDGED, "--judges", "n:1b", *flags(server)]
    assert main(words) == 0
    store = DiskRunStore(Workspace.find(None).runs)
    (status,) = store.runs()
    (sample,) = store.read(status.header.run_id).samples()
    votes = [vote.judge for vote in sample.claims[0].verdict.votes]
    assert votes == ["m:1b", "n:1b"]


def test_check_asks_it(
    server: FakeOpenAI, suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text("The Orla harbour crane was built in 1952.")
    words = ["check", str(answer), "--against", str(suite.parent / "pages")]
    code = main([*words, "--verifier", "model", "--model", "m:1b", *flags(server)])
    assert code == 0 and server.chats
    assert "1952" in capsys.readouterr().out


def test_a_probe_is_kept_with_what_the_server_says(
    server: FakeOpenAI, capsys: pytest.CaptureFixture[str]
) -> None:
    server.answer = judging()
    assert main(["models", "probe", "m:1b", *flags(server)]) == 0
    assert "✓ fit  m:1b at 4,096 tokens\n" in capsys.readouterr().out
    (probe,) = ProbeStore(Workspace.find().probes).probes()
    assert probe.server_version == "llama.cpp b1-7e4c0a9"
    server.window = 32768  # longer than the probe asks for: read whole, not refused
    server.models = [{"id": "m:1b", "meta": {**META, "n_ctx": 32768}}]
    assert (
        main(["models", "probe", "m:1b", "--context-tokens", "2048", *flags(server)])
        == 0
    )
    found = ProbeStore(Workspace.find().probes).probes()[0]
    context = [case for case in found.cases if case.kind == "context"]
    assert [case.right for case in context] == [True, True]
    assert context[0].got == "32768 tokens" and "read whole" in context[1].got


def test_models_and_doctor_list_it(
    server: FakeOpenAI, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", *flags(server)]) == 0
    out = capsys.readouterr().out
    assert f"{server.url}  OpenAI API, llama.cpp b1-7e4c0a9, 2 models" in out
    row = next(line for line in out.splitlines() if " m:1b " in line)
    for cell in ("97 MB", "135M", "Q4_1", "4096", "desc:", "unprobed"):
        assert cell in row
    assert main(["models", "--json", *flags(server)]) == 0
    (host,) = json.loads(capsys.readouterr().out)
    assert host["models"][0]["context_tokens"] == 4096
    base = {"server": "openai", "base_url": server.url}
    (check,) = servers(Settings.model_validate({**base, "model": "m:1b"}))
    assert (check.name, check.state) == ("openai", "ok")
    assert "m:1b: context of 4096" in check.text
    (check,) = servers(Settings.model_validate({**base, "model": "x", "judge": True}))
    assert check.state == "error" and "pull" not in check.remedy
    (check,) = servers(Settings(server="openai"))
    assert check.state == "error" and "--base-url" in check.remedy


def test_a_missing_library_is_named_with_its_remedy(
    server: FakeOpenAI,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    suite: Path,
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    assert main(["run", str(suite), *JUDGED, *flags(server)]) == 2
    assert "pip install 'claimscope[openai]'" in capsys.readouterr().err
    assert main(["models", *flags(server)]) == 3
    assert "pip install 'claimscope[openai]'" in capsys.readouterr().err
    assert server.paths == []


def test_nothing_is_pulled_there(
    server: FakeOpenAI,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_SERVER", "openai")
    monkeypatch.setenv("CLAIMSCOPE_BASE_URL", server.url)
    assert main(["models", "pull", "m:2b"]) == 2
    assert "fetches no model" in capsys.readouterr().err
    assert server.paths == []


@pytest.mark.parametrize("name", ["base_url", "api_key_file"])
def test_a_project_names_no_server(
    tmp_path: Path,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "claimscope.toml").write_text(f'against = "pages"\n{name} = "x"\n')
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 2
    assert f"{name} is no matter of a project" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("ready_cache")
def test_the_key_is_nowhere(
    server: FakeOpenAI,
    suite: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workspace = tmp_path / "w"
    where = ["--workspace", str(workspace)]
    bundle = str(tmp_path / "bundle.zip")
    for words in (
        ["run", str(suite), *JUDGED, *flags(server)],
        ["doctor", *flags(server), "--bundle", bundle],
        ["doctor", "--json", *flags(server)],
        ["show", "settings"],
        ["report", "last"],
    ):
        main([*where, *words])
    server.key = "another"  # now the server repeats ours in its error
    main([*where, "run", str(suite), *JUDGED, *flags(server)])
    monkeypatch.setenv("CLAIMSCOPE_LOG", "debug")
    said = capsys.readouterr()
    assert KEY not in said.out + said.err and "HTTP 401" in said.err
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert any(headers.get("authorization") for headers in server.headers)
