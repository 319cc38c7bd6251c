"""The command line as a user types it: output, messages and exit codes.

Embeddings are faked, everything else is real: files, index, journal, verifier.
"""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import chromadb
import pytest

from claimscope.core.errors import EmbeddingError
from claimscope.core.models import Label
from claimscope.core.run.meters import meters
from claimscope.core.settings import Settings
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main, parser
from claimscope.tui.cli.parser import parse_words
from claimscope.tui.services.pages.index import index_folder

ROOT = Path(__file__).resolve().parents[3]


pytestmark = pytest.mark.usefixtures("fake_embeddings")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "crane.md").write_text(
        "# The Orla crane\n\nThe Orla harbour crane was built in 1952. "
        "It lifts 40 tonnes. It was painted green in 1987.\n"
    )
    (folder / "ferry.txt").write_text(
        "The ferry to Nessay leaves at 8:15. It carries 120 passengers."
    )
    return folder


def suite_file(folder: Path, pages: Path, **answer: str) -> Path:
    """A suite of one case with one answer; answer replaces fields of the row."""
    path = folder / "suite.json"
    suite = {
        "format": "claimscope.suite",
        "version": 1,
        "id": "harbour",
        "pages": str(pages),
        "answers": "answers.jsonl",
        "cases": [{"id": "crane-1", "question": "How much does the crane lift?"}],
    }
    row = {"case_id": "crane-1", "text": "The Orla harbour crane was built in 1952."}
    path.write_text(json.dumps(suite))
    (folder / "answers.jsonl").write_text(json.dumps({**row, **answer}) + "\n")
    return path


def rows(text: str) -> list[dict[str, Any]]:
    """JSON lines as values."""
    return [json.loads(line) for line in text.splitlines()]


# --- split, index, search -----------------------------------------------------


def test_split_gives_sentences_at_their_offsets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Dr. Ode measured 3.5 m. It was enough.\n"
    file = tmp_path / "page.txt"
    file.write_text(text)
    assert main(["answers", "split", str(file)]) == 0
    found = rows(capsys.readouterr().out)
    assert [row["text"] for row in found] == [
        "Dr. Ode measured 3.5 m.",
        "It was enough.",
    ]
    assert all(text[row["start"] : row["end"]] == row["text"] for row in found)
    assert [row["index"] for row in found] == [0, 1]


def test_split_of_a_missing_file_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["answers", "split", "nowhere.txt"]) == 2
    assert "nowhere.txt" in capsys.readouterr().err


def test_second_index_embeds_only_what_changed(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pages", "index", str(pages), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    (pages / "ferry.txt").write_text(
        "The ferry to Nessay leaves at 8:15. It carries 150 passengers."
    )
    assert main(["pages", "index", str(pages), "--json"]) == 0
    second = json.loads(capsys.readouterr().out)
    assert (first["pages"], first["added"], first["embedded"]) == (2, 2, 6)
    assert (second["changed"], second["unchanged"], second["embedded"]) == (1, 1, 1)


def test_index_skips_a_broken_file_by_name_and_reads_the_rest(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pages / "broken.txt").write_bytes(b"\x00\x01\x02\x00" * 50)
    (pages / "blank.md").write_text(" \n")
    assert main(["pages", "index", str(pages)]) == 0
    captured = capsys.readouterr()
    assert "broken.txt" in captured.err
    assert "blank.md" in captured.err
    assert "2 pages" in captured.out


@pytest.mark.parametrize("make", [False, True])
def test_index_of_no_pages_is_refused(
    tmp_path: Path, make: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "nothing"
    if make:
        folder.mkdir()
    assert main(["pages", "index", str(folder)]) == 2
    assert "nothing" in capsys.readouterr().err


def test_search_shows_the_sentence_between_its_neighbours(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["pages", "index", str(pages), "--name", "port"])
    capsys.readouterr()
    assert main(["pages", "search", "crane lifts 40 tonnes", "-k", "1", "--json"]) == 0
    (hit,) = rows(capsys.readouterr().out)
    assert hit["page_id"] == "crane.md"
    assert hit["text"] == "It lifts 40 tonnes."
    assert hit["before"].endswith("built in 1952.")
    assert hit["after"].startswith("It was painted")


def test_search_says_of_each_sentence_where_it_is_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pages").mkdir()
    page = {
        "page_id": "PMID:7",
        "text": "The mill opened in 1843. It grinds oats. It has two wheels.",
        "title": "The mill",
        "authors": ["Smith J", "Jones M"],
        "journal": "J Mills",
        "published": "2020-03-01",
        "source": "PubMed",
    }
    (tmp_path / "pages" / "a.jsonl").write_text(json.dumps(page))
    main(["pages", "index", str(tmp_path / "pages"), "--name", "mills"])
    capsys.readouterr()
    assert main(["pages", "search", "It grinds oats.", "-k", "2", "--json"]) == 0
    first, second = rows(capsys.readouterr().out)
    assert (first["rank"], second["rank"]) == (1, 2)
    assert first["corpus"] == "mills" and first["index"] == 1
    for name, value in (
        ("source", "PubMed"),
        ("date", "2020-03-01"),
        ("journal", "J Mills"),
        ("authors", ["Smith J", "Jones M"]),
    ):
        assert first[name] == value
    assert datetime.fromisoformat(first["indexedAt"]).utcoffset() == timedelta(0)
    assert [one["index"] for one in first["context"]] == [0, 2]
    assert (
        main(
            [
                "pages",
                "search",
                "It grinds oats.",
                "-k",
                "1",
                "--json",
                "--context",
                "0",
            ]
        )
        == 0
    )
    (alone,) = rows(capsys.readouterr().out)
    assert alone["context"] == [] and alone["before"] is alone["after"] is None
    assert main(["pages", "search", "It grinds oats.", "-k", "1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1] == "   The mill. Smith J, Jones M. J Mills, PubMed, 2020-03-01"
    assert told[3] == "   > It grinds oats."
    assert main(["pages", "search", "oats", "--context", "-1"]) == 2
    client = chromadb.PersistentClient(
        str(next(Path(os.environ["CLAIMSCOPE_WORKSPACE"]).glob("index/mills/chroma-*")))
    )
    metadata = client.get_collection("sentences").get(ids=["PMID:7:S:1"])["metadatas"]
    assert metadata is not None
    assert metadata[0]["authors"] == "Smith J; Jones M"
    assert metadata[0]["date"] == "2020-03-01"
    assert metadata[0]["journal"] == "J Mills"
    assert metadata[0]["indexedAt"] == first["indexedAt"]


def test_search_goes_by_words_where_the_embedding_model_is_lost(
    pages: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["pages", "index", str(pages), "--name", "port"])

    class Lost:
        @property
        def model_id(self) -> str:
            raise EmbeddingError("the model file is gone", "Install it again.")

    monkeypatch.setattr(judges, "make_embedder", lambda settings: Lost())
    capsys.readouterr()
    assert main(["pages", "search", "crane lifts 40 tonnes", "-k", "1", "--json"]) == 0
    found = capsys.readouterr()
    (hit,) = rows(found.out)
    assert hit["text"] == "It lifts 40 tonnes." and hit["similarity"] is None
    assert "note: port: the embedding model failed, words alone" in found.err


def test_pages_prints_the_sentences_of_one(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["pages", "index", str(pages), "--name", "port"])
    capsys.readouterr()
    assert main(["pages", "ferry.txt"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("ferry.txt")
    assert "indexed 20" in told[1]
    assert told[2:] == [
        "S:0  The ferry to Nessay leaves at 8:15.",
        "S:1  It carries 120 passengers.",
    ]
    assert main(["pages", "ferry.txt", "--json"]) == 0
    _, second = rows(capsys.readouterr().out)
    assert (second["index"], second["text"]) == (1, "It carries 120 passengers.")
    assert main(["pages", "fery.txt"]) == 2
    assert "is 'ferry.txt' meant?" in capsys.readouterr().err
    assert main(["pages", "ferry.txt", "--delete", "crane.md"]) == 2


def test_search_names_the_corpora_there_are(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["pages", "index", str(pages), "--name", "port"])
    assert main(["pages", "search", "crane", "--corpus", "harbor"]) == 2
    assert "port" in capsys.readouterr().err


def test_search_without_a_name_looks_into_every_corpus(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "tower.md").write_text("The Orla tower was built in 1700.")
    main(["pages", "index", str(pages), "--name", "port"])
    main(["pages", "index", str(tmp_path / "more"), "--name", "town"])
    capsys.readouterr()
    assert main(["pages", "search", "The Orla tower was built in 1700."]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1. town: tower.md:S:0")
    assert "port: crane.md:S:" in out
    assert main(["pages", "search", "tower", "--corpus", "town"]) == 0
    assert "port: " not in capsys.readouterr().out


def test_corpus_of_another_model_is_refused_by_name_and_can_be_rebuilt(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["pages", "index", str(pages), "--name", "port"])
    other = ["--embedding-model", "other"]
    assert main(["pages", "index", str(pages), "--name", "port", *other]) == 3
    message = capsys.readouterr().err
    assert "fake-default" in message and "fake-other" in message
    assert "--rebuild" in message
    assert main(["pages", "index", "--name", "port", "--rebuild", *other]) == 0
    assert main(["pages", "search", "crane", *other]) == 0


def test_corpus_of_an_older_splitter_is_made_anew_where_its_pages_are_at_hand(
    pages: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["pages", "index", str(pages), "--name", "port"])
    monkeypatch.setattr("claimscope.stores.index.manifest.SPLITTER_ID", "newer-9")
    assert main(["pages", "search", "crane"]) == 3
    told = capsys.readouterr().err
    assert "newer-9" in told and "--rebuild" in told
    assert main(["pages", "index", str(pages), "--name", "port"]) == 0
    assert "port is made anew" in capsys.readouterr().err
    assert main(["pages", "search", "crane"]) == 0


# --- run, resume, runs, show --------------------------------------------------


def test_run_is_saved_listed_and_shown(
    tmp_path: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = suite_file(tmp_path, pages)
    assert main(["run", str(suite), "--json"]) == 0
    status = json.loads(capsys.readouterr().out)["status"]
    assert (status["state"], status["completed"]) == ("finished", 1)
    run_id = status["header"]["run_id"]
    assert main(["runs"]) == 0
    assert run_id in capsys.readouterr().out
    assert main(["runs", "show", "last", "crane-1"]) == 0
    assert "The Orla harbour crane was built in 1952." in capsys.readouterr().out
    assert main(["runs", "show", run_id, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["samples"][0]["claims"][0]["verdict"]["label"] == Label.SUPPORTED


def test_searches_from_before_a_run_are_not_counted_in_it(
    tmp_path: Path, pages: Path
) -> None:
    suite = str(suite_file(tmp_path, pages))
    runs = DiskRunStore(Workspace.find().runs)
    counted = []
    for earlier in (0, 7):  # as a lab searches while it answers
        for _ in range(earlier):
            meters().searched.add(0.25)
        assert main(["run", suite]) == 0
        last = next(iter(runs.runs())).header.run_id
        counted.append(sum((runs.read(last).searched() or {}).values()))
    assert counted[0] == counted[1] > 0


def test_resume_of_a_finished_run_only_reports(
    tmp_path: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["run", str(suite_file(tmp_path, pages))])
    (before,) = DiskRunStore(Workspace.find().runs).runs()
    capsys.readouterr()
    assert main(["runs", "resume", "last"]) == 0
    assert "judged before" in capsys.readouterr().err
    reader = DiskRunStore(Workspace.find().runs).read(before.header.run_id)
    assert [s.finished for s in reader.samples()] != []
    assert reader.status().completed == before.completed


def test_resume_after_the_suite_changed_is_refused_and_says_what_changed(
    tmp_path: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = suite_file(tmp_path, pages)
    main(["run", str(suite)])
    runs = DiskRunStore(Workspace.find().runs)
    (status,) = runs.runs()
    header = status.header.model_copy(
        update={"run_id": "20260101-000000-0000", "total_samples": 2}
    )
    runs.create(header).close()  # a run that was killed before its first sample
    suite_file(tmp_path, pages, text="The crane lifts 41 tonnes.")
    capsys.readouterr()
    assert main(["runs", "resume", "20260101-000000-0000"]) == 3
    told = capsys.readouterr().err
    assert "the answers" in told and "--as-new" in told


def test_unknown_run_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "show", "20260101-000000-ffff"]) == 3
    assert "20260101-000000-ffff" in capsys.readouterr().err


def test_unknown_case_of_a_run_lists_those_it_has(
    tmp_path: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["run", str(suite_file(tmp_path, pages))])
    assert main(["runs", "show", "last", "crane-9"]) == 2
    assert "crane-1" in capsys.readouterr().err


def test_answer_to_an_unknown_case_is_refused_with_the_nearest_id(
    tmp_path: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = suite_file(tmp_path, pages, case_id="crane-l")
    assert main(["run", str(suite)]) == 2
    message = capsys.readouterr().err
    assert "answers.jsonl" in message and "line 1" in message
    assert "crane-l" in message and "crane-1" in message


def test_broken_json_in_line_7_is_named(
    tmp_path: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = json.dumps({"id": "c", "question": "q?"})
    lines = [case.replace('"c"', f'"c{n}"') for n in range(8)]
    lines[6] = '{"id": "c6", "question": '
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(lines))
    assert main(["run", str(file), "--pages", str(pages)]) == 2
    message = capsys.readouterr().err
    assert "cases.jsonl" in message and "line 7" in message


def test_run_with_an_ollama_that_is_down_says_so_before_it_starts(
    tmp_path: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = suite_file(tmp_path, pages)
    flags = ["--judge", "--model", "m", "--ollama-host", "127.0.0.1:9"]
    assert main(["run", str(suite), *flags]) == 3
    assert "ollama serve" in capsys.readouterr().err
    assert list(DiskRunStore(Workspace.find().runs).runs()) == []


# --- verify ---------------------------------------------------------------------


def test_verify_writes_a_row_for_each_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evidence = "The ferry carries 120 passengers. It leaves at 8:15."
    file = tmp_path / "rows.jsonl"
    claims = ["The ferry carries 120 passengers.", "The ferry carries 90 passengers."]
    file.write_text(
        "".join(
            json.dumps({"id": n, "claim": claim, "evidence": evidence}) + "\n"
            for n, claim in enumerate(claims)
        )
    )
    assert main(["answers", "verify", str(file)]) == 0
    first, second = rows(capsys.readouterr().out)
    assert (first["id"], first["verdict"]) == (0, "supported")
    assert (second["id"], second["verdict"]) == (1, "contradicted")
    assert 0 <= second["support"] < first["support"] <= 1
    for row in (first, second):
        for span in row["evidence"]:
            assert evidence[span["start"] : span["end"]] == span["text"]


def test_verify_reports_bad_lines_and_judges_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.jsonl"
    good = {"id": "a", "claim": "It leaves at 8:15.", "evidence": "It leaves at 8:15."}
    bad = {"id": "b", "claim": "No evidence."}
    file.write_text(f"{json.dumps(good)}\nnot json\n{json.dumps(bad)}\n")
    assert main(["answers", "verify", str(file)]) == 2
    captured = capsys.readouterr()
    assert [row["id"] for row in rows(captured.out)] == ["a"]
    assert "line 2" in captured.err
    assert 'line 3: field "evidence"' in captured.err


# --- settings, doctor, help -----------------------------------------------------


@pytest.mark.slow
def test_doctor_tells_where_each_value_comes_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_CONCURRENCY", "3")
    main(["doctor", "--json", "--model", "small", "--ollama-host", "127.0.0.1:9"])
    found = json.loads(capsys.readouterr().out)
    settings = found["settings"]
    assert settings["concurrency"] == {"value": 3, "source": "CLAIMSCOPE_CONCURRENCY"}
    assert settings["model"] == {"value": "small", "source": "flag"}
    assert settings["seed"]["source"] == "default"
    states = {
        check[0]: check[1] for check in map(tuple, map(dict.values, found["checks"]))
    }
    assert states["ollama"] == "warning"


def test_settings_mistake_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_CONCURRENCY", "many")
    assert main(["doctor"]) == 2
    assert "CLAIMSCOPE_CONCURRENCY" in capsys.readouterr().err


def test_interface_without_a_terminal_is_refused_with_a_way_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 2
    assert "`claimscope show` lists" in capsys.readouterr().err


def test_unexpected_error_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(workspace: object) -> None:
        raise RuntimeError("lost")

    monkeypatch.setattr("claimscope.tui.cli.commands.runs.list.open_runs", broken)
    assert main(["runs"]) == 3
    message = capsys.readouterr().err
    assert "internal error: RuntimeError: lost" in message
    assert "Traceback" not in message


def test_a_corpus_in_use_is_read_as_it_is_while_its_pages_are_the_same(
    tmp_path: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = suite_file(tmp_path, pages)
    assert main(["run", str(suite)]) == 0
    embedder = judges.make_embedder(Settings())
    root = Workspace.find().index
    with index_folder(root, "harbour", pages, embedder):
        assert main(["run", str(suite)]) == 0
        (pages / "new.txt").write_text("A new page.")
        capsys.readouterr()
        assert main(["run", str(suite)]) == 3
    assert "harbour" in capsys.readouterr().err


def test_detach_hands_the_same_command_to_a_process_of_its_own(
    tmp_path: Path,
    pages: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    started: list[list[str]] = []

    def start(workspace: Workspace, run_id: str, command: list[str]) -> int:
        started.append([run_id, *command])
        return 4711

    monkeypatch.setattr("claimscope.tui.services.run.detached.start_engine", start)
    suite = str(suite_file(tmp_path, pages))
    assert main(["run", suite, "--iterations", "2", "--detach", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    run_id = told["run_id"]
    assert told["pid"] == 4711
    assert started == [[run_id, "run", suite, "--iterations", "2", "--run-id", run_id]]


def test_the_interface_is_opened_without_the_names_of_all_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(parser, "build_parser", None)
    found = parse_words(["--workspace", "there", "--log-level", "debug"])
    assert (found.workspace, found.log_level, found.version) == (
        "there",
        "debug",
        False,
    )
    monkeypatch.undo()
    for words in (["--log-level", "loud"], ["--workspace"], ["chekc"], ["-x"]):
        with pytest.raises(SystemExit) as ended:
            parse_words(words)
        assert ended.value.code == 2
        said = capsys.readouterr().err
        assert said.startswith("usage: claimscope [-h] [--version]")
        assert "COMMAND" in said
