"""`claimscope labels override` as a user types it, and what `show` says afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.core.models import HumanVerdict, Label
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from tests.doubles import fakes
from tests.tui import sample_run

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
    words = ["labels", "override", "last", "c2", "--provider", "alpha", "1"]
    assert command(space, *words, "supported", "--note", "page 2") == 0
    out = capsys.readouterr().out
    assert out.startswith("passed") and "(machine: failed)" in out
    assert "1 [contradicted; ann: supported: page 2] The reservoir" in out
    (word,) = saved(space)
    assert (word.machine, word.human, word.by) == (
        Label.CONTRADICTED,
        Label.SUPPORTED,
        "ann",
    )
    assert command(space, "runs", "show", "last") == 0
    shown = capsys.readouterr()
    assert "2 passed, 1 failed, 1 unscored" in shown.out
    assert "1 overruled by people" in shown.err
    assert command(space, "runs", "show", "last", "c2", "--provider", "alpha") == 0
    assert "overruled by a person: was contradicted" in capsys.readouterr().out
    assert command(space, "runs", "show", "last", "--machine") == 0
    assert "1 passed, 2 failed, 1 unscored" in capsys.readouterr().out
    assert command(space, *words, "--undo") == 0
    assert capsys.readouterr().out.startswith("failed")
    assert [word.human for word in saved(space)] == [Label.SUPPORTED, None]


def test_claims_are_listed_with_their_numbers_and_words(
    space: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["labels", "override", "last", "c2", "--provider", "alpha"]
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
            command(space, "labels", "override", "last", *words)
        assert end.value.code == 2
    assert "invalid choice: 'wrong'" in capsys.readouterr().err
    assert saved(space) == []


def test_agreeing_says_the_label_of_the_machine(space: Path) -> None:
    words = ("c1", "1", "agree", "--provider=beta")
    assert command(space, "labels", "override", RUN, *words) == 0
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
    assert command(space, "labels", "override", "last", *words) == 2
    assert said in capsys.readouterr().err
    assert saved(space) == []


@pytest.fixture
def missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with the run of the stepper's tests: a required claim is missing."""
    monkeypatch.setenv("USER", "ann")
    sample_run.finished_run(DiskRunStore(Workspace(tmp_path).runs))
    return tmp_path


def test_a_missing_claim_is_overruled_by_its_own_number(
    missing: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["labels", "override", "last", "var-001", "--provider", "alder"]
    assert command(missing, *words, "--list") == 0
    assert "r1 [missing] The reservoir was filled" in capsys.readouterr().out
    assert command(missing, *words, "r1", "found", "--note=it says 74") == 0
    shown = capsys.readouterr().out
    assert "r1 [missing; ann: found: it says 74] The reservoir was filled" in shown
    (word,) = saved(missing)
    assert (word.required, word.claim_index, word.human) == (True, 0, Label.SUPPORTED)
    assert command(missing, *words, "--list", "--json") == 0
    found = json.loads(capsys.readouterr().out)["claims"]
    assert [c["number"] for c in found if c["required"]] == [1, 2]
    assert [c["machine"] for c in found if c["required"]] == ["missing", "found"]
    assert command(missing, *words, "R1", "--undo") == 0
    assert saved(missing)[-1].human is None
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["r1", "contradicted"], "claim r1 is a claim the case requires"),
        (["1", "missing"], "claim 1 is a claim: missing cannot be said of it"),
        (["r3", "found"], "it has 1, 2, 3, r1, r2"),
        (["r1", "--undo"], "ann said nothing of claim r1"),
    ],
)
def test_what_cannot_be_said_of_a_claim_is_refused(
    missing: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    sample = ["labels", "override", "last", "var-001", "--provider", "alder"]
    assert command(missing, *sample, *words) == 2
    assert said in capsys.readouterr().err
    assert saved(missing) == []


def test_the_list_tells_what_is_only_likely(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = sample_run.passed_sample()
    result = sample.claims[0]
    verdict = result.verdict.model_copy(update={"band": "review"})
    likely = (result.model_copy(update={"verdict": verdict}),)
    store = DiskRunStore(Workspace(tmp_path).runs)
    writer = store.create(sample_run.run_header(total_samples=1))
    writer.save_sample(sample.model_copy(update={"claims": likely}))
    writer.save_state("finished")
    writer.close()
    assert command(tmp_path, "labels", "override", "last", "var-001", "--list") == 0
    assert "  1 [likely] It was filled in 1974" in capsys.readouterr().out
