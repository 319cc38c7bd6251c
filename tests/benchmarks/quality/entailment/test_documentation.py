"""Pairs from claims on passages that stand in other repositories."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.quality.entailment import documentation

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
    assert list(documentation.pairs(file, clones)) == [None]


def test_each_claim_that_ships_has_a_place_and_a_label() -> None:
    seen = set()
    for line in documentation.CLAIMS.read_text("utf-8").splitlines():
        one = json.loads(line)
        assert 0 < one["first"] <= one["last"] and len(one["commit"]) == 40
        assert min(len(one["true"]), len(one["false"]), len(one["silent"])) > 0
        seen.add((one["repo"], one["path"], one["first"]))
    assert len(seen) > 500
