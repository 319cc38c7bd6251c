"""`agreement`, `labels` and `verify --score` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.core.models import HumanVerdict, Label, Verdict
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from claimscope.tui.cli.commands.answers.verify import row_of, write_score
from tests.doubles import fakes

RUN, SECOND = "20261127-120000-ab12", "20261128-120000-cd34"
YES, NO = Label.SUPPORTED, Label.CONTRADICTED


def make_run(space: Path, run_id: str, *, words: bool) -> None:
    """Forty passing and twenty failing samples; people judged half, one in ten of
    the machine's verdicts was wrong."""
    writer = DiskRunStore(Workspace(space).runs).create(
        fakes.header(run_id, total_samples=60)
    )
    reader = DiskRunStore(Workspace(space).runs).read(run_id)
    for n in range(60):
        machine = YES if n < 40 else NO
        sample = fakes.sample(f"c{n}", label=machine)
        writer.save_sample(sample)
        if words and n % 2 == 0:
            wrong = n % 10 == 0
            human = (NO if machine is YES else YES) if wrong else machine
            reader.save_human(
                HumanVerdict(
                    sample=sample.key,
                    claim_index=0,
                    machine=machine,
                    human=human,
                    at="2026-11-27T13:00:00Z",
                    by="ann",
                )
            )
    writer.save_state("finished")
    writer.close()


def command(space: Path, *words: str) -> int:
    return main(["--workspace", str(space), *words])


def test_agreement_tells_table_kappa_and_corrected_rates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_run(tmp_path, RUN, words=True)
    assert command(tmp_path, "labels", "agreement", "last") == 0
    out = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "judge, people: supported contradicted" in lines
    assert "supported 16 4" in lines and "contradicted 2 8" in lines
    assert "same label 0.800 (95% 0.627 to 0.905, over 30)" in lines
    (rate,) = [line for line in lines if line.startswith("samples passed")]
    assert "0.667" in rate
    # 2/3 of 0.8 and 1/3 of 0.2.
    assert any(line.startswith("corrected 0.600 (95%") for line in lines)
    assert "Labels come from what people chose to look at (20 of 40 supported" in out
    assert command(tmp_path, "labels", "agreement", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["runs"] == [RUN]
    assert found["overall"]["table"]["supported"] == {
        "supported": 16,
        "contradicted": 4,
    }
    assert found["rates"][0]["stratified"]["value"] == pytest.approx(0.6)


def test_runs_are_taken_together_and_a_damaged_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_run(tmp_path, RUN, words=True)
    make_run(tmp_path, SECOND, words=True)
    assert command(tmp_path, "labels", "agreement") == 0
    shown = capsys.readouterr().out
    assert "judge against people, 2 runs" in shown
    assert "over 60)" in shown
    assert command(tmp_path, "labels", "agreement", "no-such-run") != 0


def test_nobody_looked_yet_and_no_run_yet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(tmp_path, "labels", "agreement") == 2
    assert "there is no run" in capsys.readouterr().err
    make_run(tmp_path, RUN, words=False)
    assert command(tmp_path, "labels", "agreement") == 0
    assert "Nobody has agreed with a verdict" in capsys.readouterr().out
    assert command(tmp_path, "labels") == 3
    assert capsys.readouterr().out == ""


def test_labels_are_rows_that_verify_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_run(tmp_path, RUN, words=True)
    path = tmp_path / "labels.jsonl"
    assert command(tmp_path, "labels", "last", "-o", str(path)) == 0
    rows = [row_of(line) for line in path.read_bytes().splitlines()]
    assert len(rows) == 30
    assert rows[0]["id"] == f"{RUN}/c0/alpha/1/0"
    assert (rows[0]["machine"], rows[0]["label"]) == ("supported", "contradicted")
    assert rows[0]["evidence"] == (
        "The Varn reservoir holds 4.2 million cubic metres. It was filled in 1974."
    )
    assert path.stat().st_mode & 0o077 == 0
    assert command(tmp_path, "labels", "-o", str(path)) == 2
    assert "is there already" in capsys.readouterr().err
    assert command(tmp_path, "labels") == 0
    assert len(capsys.readouterr().out.splitlines()) == 30


def test_a_verifier_is_scored_on_labelled_rows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pairs: list[tuple[dict[str, object], Verdict]] = []
    for n, (label, machine) in enumerate(
        [("supported", YES)] * 3 + [("supported", NO)]
    ):
        row = {"id": n, "claim": "It is so.", "evidence": "", "label": label}
        pairs.append((row, Verdict(label=machine, verifier="evidence-1")))
    no_claim = {"id": 9, "claim": "Hello.", "evidence": "", "label": "no_claim"}
    pairs.append((no_claim, Verdict(label=YES, verifier="evidence-1")))
    write_score(pairs, as_json=False)
    shown = capsys.readouterr()
    assert "accuracy  0.750 (95% 0.301 to 0.954, over 4)" in shown.out
    assert "1 row without one of the labels, not counted" in shown.err
    write_score(pairs, as_json=True)
    assert json.loads(capsys.readouterr().out)["same"]["value"] == 0.75
    assert command_score_without_labels() == 2


def command_score_without_labels() -> int:
    from claimscope.core.errors import InputError

    with pytest.raises(InputError, match="no row has a label") as error:
        write_score([], as_json=False)
    return error.value.exit_code
