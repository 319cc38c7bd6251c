"""`claimscope suite` as a user types it, and patterns of `index`."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.suites.loading import load_suite
from claimscope.stores.workspace.paths import Workspace, write_atomically
from claimscope.tui.cli import main
from claimscope.tui.services.run.assembly import suite_corpus
from tests.doubles import fakes

FILES = Path(__file__).parents[3] / "stores" / "suites" / "files"


def test_import_writes_a_suite_that_loads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "trains.json"
    words = ["suite", "import", str(FILES / "good" / "ragas.jsonl"), "-o", str(out)]
    assert main(words) == 0
    said = capsys.readouterr()
    assert said.out == f"{out}\n"
    assert "ragas: 2 rows, 2 cases, 2 answers" in said.err
    assert "taken     response -> answer.text (2)" in said.err
    assert "no place  rubric: no field of a suite (1)" in said.err
    loaded = load_suite(out)
    assert len(loaded.answers) == 2 and loaded.suite.format == "claimscope.suite"
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert main(words) == 2
    assert "exists already" in capsys.readouterr().err
    assert main([*words, "--force", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["tool"], found["cases"], found["problems"]) == ("ragas", 2, [])


def test_an_import_that_is_broken_off_leaves_the_suite_with_its_own_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, rows = tmp_path / "wells.json", tmp_path / "rows.jsonl"
    words = ["suite", "import", str(rows), "-o", str(out), "--force"]

    def write(count: int) -> None:
        lines = (
            {"user_input": f"How deep is well {n}?", "response": f"{n} m.",
             "reference": f"{n} metres.", "retrieved_contexts": ["Wells are deep."]}
            for n in range(count)
        )  # fmt: skip
        rows.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def sizes() -> tuple[int, int]:
        loaded = load_suite(out)
        return len(loaded.suite.cases), len(loaded.answers)

    for count in (3, 2, 4):
        write(count)
        assert main(words) == 0
        assert sizes() == (count, count)
        assert len(list(tmp_path.glob("wells*"))) == 2  # no answers are left behind
    written = "claimscope.stores.suites.writing.write_atomically"

    def killed_before_the_suite(path: Path, data: bytes) -> None:
        if path == out:
            raise KeyboardInterrupt
        write_atomically(path, data)

    write(6)
    monkeypatch.setattr(written, killed_before_the_suite)
    assert main(words) == 130
    assert sizes() == (4, 4)
    monkeypatch.setattr(written, write_atomically)
    assert main(words) == 0
    assert sizes() == (6, 6)
    assert len(list(tmp_path.glob("wells*"))) == 2


def test_import_says_what_was_not_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "a.json")
    broken = FILES / "broken"
    assert main(["suite", "import", str(broken / "ragchecker.json"), "-o", out]) == 1
    assert "not taken ragchecker.json: result 3" in capsys.readouterr().err
    assert main(["suite", "import", str(broken / "unknown.json"), "-o", out]) == 2
    assert "no file of a tool" in capsys.readouterr().err
    assert main(["suite", "import", str(tmp_path / "none.json")]) == 2


def test_lint_prints_a_line_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "lint", "courses"]) == 0
    capsys.readouterr()
    bad = str(FILES / "broken" / "suite.yaml")
    assert main(["suite", "lint", bad, "courses"]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == (
        "suite.yaml: case 1 (a), field difficulty: error: 'hrad' is not one of easy,"
        ' medium, hard; write "hard"'
    )
    assert "3 errors" in said.err
    assert main(["suite", "lint", bad, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found[1]["field"] == "question" and found[1]["remedy"] == 'add "question"'
    assert main(["suite", "lint", str(FILES / "good" / "ragas.jsonl")]) == 1
    assert "claimscope suite import" in capsys.readouterr().out


def test_export_of_a_run_and_of_a_suite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fakes.finished_run(DiskRunStore(Workspace(tmp_path).runs))
    space = ["--workspace", str(tmp_path)]
    assert main([*space, "suite", "export", "last"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == 4
    assert all(row["user_input"] and row["response"] for row in rows)
    assert any(row.get("retrieved_contexts") for row in rows)
    out = tmp_path / "rows.jsonl"
    assert main([*space, "suite", "export", "medicine", "-o", str(out)]) == 0
    assert len(out.read_text("utf-8").splitlines()) == len(
        load_suite("medicine").answers
    )
    assert main([*space, "suite", "export", "nothing"]) == 2


def test_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Claimscope suite, version 1"


def test_a_suite_chooses_files_of_its_own_folder(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    (pages / "drafts").mkdir(parents=True)
    (pages / "tide.txt").write_text("The tide is 4 m high.")
    (pages / "notes.md").write_text("Not for the suite.")
    (pages / "drafts" / "old.txt").write_text("The tide is 9 m high.")
    suite = {
        "id": "tides",
        "pages": "pages",
        "pages_include": ["*.txt"],
        "pages_exclude": ["drafts/"],
        "cases": [{"id": "a", "question": "How high?"}],
    }
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    loaded = load_suite(tmp_path)
    space, embedder = Workspace(tmp_path / "space"), fakes.FakeEmbedder()
    with suite_corpus(space, pages, loaded, embedder) as corpus:
        assert list(corpus.page_ids()) == ["tide.txt"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.md").write_text("Named by a flag: all of it is read.")
    with suite_corpus(space, other, loaded, embedder) as corpus:
        assert list(corpus.page_ids()) == ["b.md"]
