"""Pairs from claims on passages that stand in other repositories."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.quality.entailment import documentation
from tests.doubles import fakes

PAGE = """# Ferry

Timetables of the ferry.

## Crossing

The ferry waits for the train,
unless it is more than ten minutes late.
"""


def git(folder: Path, *words: str) -> str:
    person = ("-c", "user.name=A Tester", "-c", "user.email=tester@example.org")
    done = subprocess.run(
        ["git", "-C", str(folder), *person, *words],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    """A folder with one clone."""
    clone = tmp_path / "harbour+ferry"
    clone.mkdir()
    git(clone, "init", "-q")
    (clone / "guide.md").write_text(PAGE, "utf-8")
    git(clone, "add", "guide.md")
    git(clone, "commit", "-qm", "Guide")
    return tmp_path


def claims(commit: str, repo: str = "harbour/ferry") -> str:
    place = {
        "repo": repo,
        "commit": commit,
        "path": "guide.md",
        "first": 7,
        "last": 8,
        "true": ["A train that is 5 minutes late is waited for."],
        "false": ["A train that is an hour late is waited for."],
        "silent": ["The crossing takes an hour."],
    }
    return json.dumps(place) + "\n"


def test_the_lines_are_taken_out_of_the_commit(
    clones: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commit = git(clones / "harbour+ferry", "rev-parse", "HEAD")
    (clones / "harbour+ferry" / "guide.md").write_text("changed since", "utf-8")
    file, out = clones / "claims.jsonl", clones / "more.tsv"
    file.write_text(claims(commit) + claims(commit, "harbour/gone"), "utf-8")
    words = ["documentation", str(clones), str(out), "--claims", str(file)]
    monkeypatch.setattr(sys, "argv", words)
    documentation.main()
    said = "The ferry waits for the train, unless it is more than 10 minutes late."
    rows = [line.split("\t") for line in out.read_text("utf-8").splitlines()]
    assert rows == [
        [said, "A train that is 5 minutes late is waited for.", "entailment"],
        [said, "A train that is an hour late is waited for.", "contradiction"],
        [said, "The crossing takes an hour.", "neutral"],
    ]
    assert "1 not there" in capsys.readouterr().out


def test_a_commit_that_is_not_there_is_left_out(clones: Path) -> None:
    file = clones / "claims.jsonl"
    file.write_text(claims("0" * 40), "utf-8")
    assert list(documentation.pairs([file], clones)) == [None]
    assert list(documentation.pairs_as_read([file], clones, fakes.FakeEmbedder())) == [
        None
    ]


def test_as_read_the_premise_is_what_the_verifier_would_read(clones: Path) -> None:
    file = clones / "claims.jsonl"
    things = "bollards cranes ladders lamps ropes sheds stairs rails winches bells"
    here = {
        "text": "\n\n".join(
            f"The berth has {n} {thing} for the ships that lie there over the winter."
            for n, thing in enumerate(things.split(), 4)
        ),
        "true": ["The berth has 6 ladders."],
        "false": ["The berth has 9 ladders."],
        "silent": ["The ladders are new."],
    }
    commit = git(clones / "harbour+ferry", "rev-parse", "HEAD")
    file.write_text(claims(commit) + json.dumps(here) + "\n", "utf-8")
    rows = list(documentation.pairs_as_read([file], clones, fakes.FakeEmbedder()))
    found = [row for row in rows if row is not None]
    assert len(found) == len(rows)
    of_page = [row for row in found if "ladders" in row[1]]
    assert {row[2] for row in of_page} == {"entailment", "contradiction", "neutral"}
    # A few sentences, not all ten; one of them by itself too.
    assert {row[0].count("The berth has") for row in of_page} == {1, 3}
    true = [row[0] for row in of_page if row[2] == "entailment"]
    assert len(true) == 2 and all("has 6 ladders" in premise for premise in true)
    # What a passage is silent about, the page around it may state.
    of_passage = {row[2] for row in found if "ladders" not in row[1]}
    assert of_passage == {"entailment", "contradiction"}


def test_each_claim_that_ships_has_a_place_and_a_label() -> None:
    seen: set[object] = set()
    places = list(documentation.places(documentation.CLAIMS))
    for one in places:
        assert min(len(one["true"]), len(one["false"]), len(one["silent"])) > 0
        if "text" in one:
            assert len(one["text"].split()) > 8
            seen.add(one["text"])
            continue
        assert 0 < one["first"] <= one["last"] and len(one["commit"]) == 40
        seen.add((one["repo"], one["path"], one["first"]))
    assert len(seen) == len(places) > 1500


def test_what_is_read_around_a_passage_does_not_begin_in_code(clones: Path) -> None:
    code = "\n".join(f"step {n}" for n in range(documentation.WINDOW))
    page = f"Before.\n\n```sh\n{code}\n```\n\nThe bridge carries 40 tonnes.\n"
    (clones / "harbour+ferry" / "bridge.md").write_text(page, "utf-8")
    git(clones / "harbour+ferry", "add", "bridge.md")
    git(clones / "harbour+ferry", "commit", "-qm", "Bridge")
    last = page.count("\n")
    place = {
        "repo": "harbour/ferry",
        "commit": git(clones / "harbour+ferry", "rev-parse", "HEAD"),
        "path": "bridge.md",
        "first": last,
        "last": last,
    }
    text = documentation.passage(place, clones, documentation.WINDOW)
    assert text is not None and text.startswith("```sh\nstep 0")
