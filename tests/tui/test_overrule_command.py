"""`claimscope overrule` as a user types it, and what `show` says afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.core.models import HumanVerdict, Label
from claimscope.stores.paths import Workspace
from claimscope.stores.runs import DiskRunStore
from claimscope.tui.cli import main
from tests import fakes

RUN = "20261127-120000-ab12"


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a finished run of four samples of one claim each."""
    monkeypatch.setenv("USER", "ann")
    fakes.finished_run(DiskRunStore(Workspace(tmp_path).runs))
    return tmp_path


def command(space: Path, *words: str) -> int:
    return main(["--workspace", str(space), *words])


def saved(space: Path) -> list[HumanVerdict]:
    store = DiskRunStore(Workspace(space).runs)
    return list(store.read(RUN).human_verdicts())


def test_a_word_is_saved_and_counts_at_once_and_can_be_taken_back(
    space: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["overrule", "last", "c2", "--provider", "alpha", "1"]
    assert command(space, *words, "supported", "--note", "page 2") == 0
    out = capsys.readouterr().out
    assert out.startswith("pass") and "(machine: FAIL)" in out
    assert "1 [contradicted; ann: supported: page 2] The reservoir" in out
    (word,) = saved(space)
    assert (word.machine, word.human, word.by) == (
        Label.CONTRADICTED,
        Label.SUPPORTED,
        "ann",
    )
    assert command(space, "show", "last") == 0
    shown = capsys.readouterr()
    assert "2 passed, 1 failed, 1 unscored" in shown.out
    assert "1 overruled by people" in shown.err
    assert command(space, "show", "last", "c2", "--provider", "alpha") == 0
    assert "overruled by a person: was contradicted" in capsys.readouterr().out
    assert command(space, "show", "last", "--machine") == 0
    assert "1 passed, 2 failed, 1 unscored" in capsys.readouterr().out
    assert command(space, *words, "--undo") == 0
    assert capsys.readouterr().out.startswith("FAIL")
    assert [word.human for word in saved(space)] == [Label.SUPPORTED, None]


def test_claims_are_listed_with_their_numbers_and_words(
    space: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["overrule", "last", "c2", "--provider", "alpha"]
    assert command(space, *words, "1", "no_claim") == 0
    capsys.readouterr()
    assert command(space, *words, "--list", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["passed"], found["machine_passed"]) == (None, False)
    (claim,) = found["claims"]
    assert (claim["number"], claim["machine"]) == (1, "contradicted")
    assert claim["word"]["is_claim"] is False
    assert command(space, *words, "--list") == 0
    assert "1 [contradicted; ann: states no fact]" in capsys.readouterr().out


def test_a_label_is_needed_and_must_be_known(
    space: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["c1", "1"], ["c1", "one", "agree"], ["c1", "1", "wrong"]):
        with pytest.raises(SystemExit) as end:
            command(space, "overrule", "last", *words)
        assert end.value.code == 2
    assert "invalid choice: 'wrong'" in capsys.readouterr().err
    assert saved(space) == []


def test_agreeing_says_the_label_of_the_machine(space: Path) -> None:
    assert command(space, "overrule", RUN, "c1", "1", "agree", "--provider=beta") == 0
    (word,) = saved(space)
    assert word.is_agreement and word.human is Label.NOT_ENOUGH_INFO


@pytest.mark.parametrize(
    "words, said",
    [
        (["c9", "1", "agree"], "no finished sample of case 'c9'"),
        (["c1", "1", "agree"], "2 of the samples of case 'c1' are meant"),
        (["c1", "1", "agree", "--provider=nobody"], "none of the samples"),
        (["c1", "2", "agree", "--provider=beta"], "has no claim 2"),
        (["c1", "--undo", "--list", "--provider=beta"], "at once"),
        (["c1", "1", "agree", "--undo", "--provider=beta"], "at once"),
        (["c1", "1", "--undo", "--provider=beta"], "ann said nothing of claim 1"),
    ],
)
def test_wrong_use_is_named_and_saves_nothing(
    space: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert command(space, "overrule", "last", *words) == 2
    assert said in capsys.readouterr().err
    assert saved(space) == []
