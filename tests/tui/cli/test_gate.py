"""The gate and the report formats as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.core.models import Label
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from tests.doubles import fakes
from tests.tui import sample_run

RUN = sample_run.RUN_ID


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One run: one passed, two failed, one not judged."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    root = tmp_path / "space"
    sample_run.finished_run(DiskRunStore(Workspace(root).runs))
    return root


def report(workspace: Path, *words: str) -> int:
    return main(["--workspace", str(workspace), "report", *words])


def add_run(workspace: Path, run_id: str, label: Label) -> None:
    """A finished run of twelve cases with one label."""
    store = DiskRunStore(Workspace(workspace).runs)
    created = f"2026-11-28T{run_id[9:11]}:00:00.000+00:00"
    writer = store.create(
        fakes.header(run_id, created=created, suite_id="s", total_samples=12)
    )
    for n in range(12):
        writer.save_sample(fakes.sample(f"c{n}", label=label))
    writer.save_state("finished")
    writer.close()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--min-coverage", "0.75"], 0),
        (["--min-coverage", "75%"], 0),
        (["--fail-under", "pass_rate=0.3"], 3),
        (["--fail-under", "pass_rate=0.3", "--min-coverage", "0.7"], 0),
        (["--fail-under", "pass_rate=0.5", "--min-coverage", "0.7"], 1),
        (["--fail-under", "faithfulness=3", "--min-coverage", "0.2"], 1),
        (["--fail-on-regression"], 3),
        (["--fail-under", "nonsense=1"], 2),
        (["--fail-under", "hallucination_rate=0.1"], 2),
        (["--fail-over", "pass_rate=0.1"], 2),
        (["--fail-under", "pass_rate=80"], 2),
        (["--fail-on-regression", "20200101-000000-aaaa"], 3),
    ],
)
def test_exit_codes_of_the_gate(
    words: list[str], code: int, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(workspace, RUN, *words) == code
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("value", ["pass_rate", "=1", "pass_rate=nan", "pass_rate=x"])
def test_a_bound_that_cannot_be_read_is_refused(
    value: str, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        report(workspace, RUN, "--fail-under", value)
    assert end.value.code == 2
    assert "FIGURE=VALUE" in capsys.readouterr().err


def test_a_worse_run_fails_against_the_previous_and_against_a_named_one(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_run(workspace, "20261128-010000-aaaa", Label.SUPPORTED)
    add_run(workspace, "20261128-020000-bbbb", Label.CONTRADICTED)
    add_run(workspace, "20261128-030000-cccc", Label.CONTRADICTED)
    flag = "--fail-on-regression"
    assert report(workspace, "20261128-020000-bbbb", flag) == 1
    assert "no worse than 20261128-010000-aaaa" in capsys.readouterr().out
    assert report(workspace, "last", flag) == 0
    assert report(workspace, "last", flag, "20261128-010000-aaaa") == 1


def test_github_gets_a_summary_file_and_annotations(
    workspace: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    words = ["--fail-under", "pass_rate=0.9", "--min-coverage", "0.7", "--github"]
    assert report(workspace, RUN, *words) == 1
    text = path.read_text("utf-8")
    assert text.startswith("before\n## Reservoirs of Varn")
    assert "| ✗ FAILED | pass\\_rate |" in text
    out = capsys.readouterr().out
    assert "::error title=gate%3A pass_rate::demanded >= 0.9" in out
    assert "::warning title=unscored%3A var-002/birch/1::Ollama does not" in out
    assert report(workspace, RUN, "--github", "--json") == 0
    found = capsys.readouterr()
    assert json.loads(found.out)["gate"] is None
    assert "::error title=failed%3A var-001/alder/1" in found.err


def test_the_format_comes_from_the_name_of_the_file(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.xml"
    assert report(workspace, "-o", str(path)) == 0
    assert path.read_bytes().startswith(b"<?xml version='1.0' encoding='utf-8'?>")
    assert path.stat().st_mode & 0o777 == 0o600
    assert report(workspace, "-o", str(tmp_path / "report.txt")) == 2
    assert "which format?" in capsys.readouterr().err
    assert report(workspace, "-o", str(tmp_path / "no" / "report.md")) == 2
    assert report(workspace, "--format", "md", "--claims") == 2
    assert report(workspace, "--format", "md", "--json") == 2


def test_a_gate_waits_for_the_run_it_judges(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "website", "--detach", "--fail-under", "pass_rate=0.1"]
    assert main(["--workspace", str(workspace), *words]) == 2
    assert "--detach does not wait" in capsys.readouterr().err
    assert len(list(DiskRunStore(Workspace(workspace).runs).runs())) == 1


def test_a_token_of_the_host_never_reaches_a_report(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    token = "tok-4711-of-the-host"
    secrets = (token, "key-0815", "orla9")
    monkeypatch.setenv(
        "CLAIMSCOPE_OLLAMA_HOST", f"http://orla9:{token}@127.0.0.1:11434"
    )
    monkeypatch.setenv("OLLAMA_API_KEY", "key-0815-of-the-cloud")
    root = tmp_path / "space"
    writer = DiskRunStore(Workspace(root).runs).create(sample_run.run_header())
    error = f"no answer from http://orla9:{token}@127.0.0.1 (key-0815-of-the-cloud)"
    broken = sample_run.error_sample().model_copy(update={"error": error})
    writer.save_sample(broken)
    writer.save_sample(sample_run.failed_sample())
    writer.save_state("failed", f"http://orla9:{token}@127.0.0.1 went away")
    writer.close()
    for name in ("json", "jsonl", "csv", "md", "html", "junit"):
        assert report(root, "--format", name, "--github") == 0
        found = capfd.readouterr()
        assert "var-001" in found.out
        assert not [secret for secret in secrets if secret in found.out + found.err]
    folder = tmp_path / "files"
    assert report(root, "--to", str(folder)) == 0
    texts = [path.read_text("utf-8") for path in folder.rglob("*.json")]
    assert len(texts) == 7
    for text in (*texts, capfd.readouterr().out):
        assert not [secret for secret in secrets if secret in text]


def test_what_people_overruled_counts_as_they_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "space"
    add_run(root, "20261128-010000-aaaa", Label.SUPPORTED)
    run = DiskRunStore(Workspace(root).runs).read("20261128-010000-aaaa")
    run.save_human(fakes.human("c1", Label.CONTRADICTED))
    words = ["--format", "json", "--fail-under", "pass_rate=1"]
    assert report(root, *words) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["run"]["passed"], found["run"]["overruled"]) == (11, 1)
    assert found["gate"]["checks"][1]["reached"] == pytest.approx(11 / 12)
    (claim,) = found["samples"][0]["claims"]
    assert claim["verdict"]["label"] == "contradicted"
    assert claim["machine"]["label"] == "supported"
