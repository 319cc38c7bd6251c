"""Results in a notebook: frames, HTML, kept runs, and a real notebook that runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lxml import html

from claimscope import (
    Case,
    ClaimscopeError,
    Page,
    Settings,
    Suite,
    evaluate,
    evaluate_sync,
    read_run,
)
from claimscope.core.errors import InputError
from claimscope.core.report.document import run_info
from claimscope.core.report.frames import claim_frame, sample_frame
from claimscope.core.report.notebook import sample_html
from claimscope.core.report.rows import CLAIM_COLUMNS, sample_columns
from claimscope.core.services.evaluation import Evaluated
from tests.doubles.fakes import FakeEmbedder

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = Page(
    page_id="harbour",
    text="The spring tide is 4.2 metres high. The ferry leaves at 8:15.",
)
HOSTILE = "<script>alert(1)</script>\x1b[2J"
SUITE = Suite(
    id="tides",
    cases=(
        Case(id="t-1", question="How high is the spring tide?"),
        Case(id="t-2", question=f"When does the ferry leave? {HOSTILE}"),
        Case(id="t-3", question="Who keeps the light?"),
    ),
)
ANSWERS = {
    "t-1": "The spring tide is 4.2 metres high.",
    "t-2": "The ferry leaves at 9:30. The ferry leaves at 8:15.",
    "t-3": "",
}
CELLS = (
    "from claimscope import Page, Suite, evaluate\n"
    "from tests.doubles.fakes import FakeEmbedder\n"
    "from tests.program.test_notebook import ANSWERS, PAGE, SUITE",
    "result = await evaluate(SUITE, ANSWERS, pages=[PAGE], embedder=FakeEmbedder())\n"
    "result",
    'result.sample("t-2")',
    'result.frame()[["case_id", "outcome"]]',
    'result.frame("claims")["label"].value_counts().to_dict()',
)
RUN = """
import sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[1])
"""


@pytest.fixture(scope="module")
def result() -> Evaluated:
    return evaluate_sync(SUITE, ANSWERS, pages=[PAGE], embedder=FakeEmbedder())


def test_a_row_is_a_sample_and_a_column_a_metric(result: Evaluated) -> None:
    frame = result.frame()
    assert list(frame["case_id"]) == ["t-1", "t-2", "t-3"]
    assert list(frame["outcome"]) == ["passed", "failed", "failed"]
    assert list(frame["claims"]) == [1, 2, 0]
    assert list(frame["contradicted"]) == [0, 1, 0]
    assert list(frame["claim_support"])[:2] == [1.0, 0.5]
    assert frame["claim_support"].isna().tolist() == [False, False, True]
    assert frame["claim_support"].mean() == 0.75
    assert frame["question"][1] == SUITE.cases[1].question
    for name in ("accuracy", "faithfulness", "failures", "claims"):
        wanted = {"failures": "string", "claims": "Int64"}.get(name, "Float64")
        if name in frame:
            assert str(frame[name].dtype) == wanted, name


def test_a_row_is_a_claim(result: Evaluated) -> None:
    frame = result.frame("claims")
    assert tuple(frame.columns) == CLAIM_COLUMNS
    assert frame[["case_id", "claim_number", "label"]].to_numpy().tolist() == [
        ["t-1", 1, "supported"],
        ["t-2", 1, "contradicted"],
        ["t-2", 2, "supported"],
    ]
    wrong = frame[frame["label"] == "contradicted"].iloc[0]
    assert wrong["evidence"] == "The ferry leaves at 8:15."
    assert ANSWERS["t-2"][wrong["start"] : wrong["end"]] == wrong["claim"]
    assert frame["unscored_because"].isna().all()


def test_nothing_judged_is_an_empty_frame_with_its_types(result: Evaluated) -> None:
    claims = claim_frame("none", [])
    assert (len(claims), tuple(claims.columns)) == (0, CLAIM_COLUMNS)
    samples = sample_frame(run_info(result.status, 0), [], ["claims", "accuracy"])
    assert list(samples.columns) == sample_columns(["claims", "accuracy"])
    types = {name: str(samples[name].dtype) for name in samples}
    assert (types["claims"], types["claims_score"]) == ("Int64", "Float64")
    assert types["answer"] == "string"


def test_rows_of_no_known_kind_are_refused(result: Evaluated) -> None:
    with pytest.raises(InputError, match="no rows 'sentences'"):
        result.frame("sentences")  # type: ignore[arg-type]


def test_without_pandas_the_remedy_is_named(
    result: Evaluated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError) as refused:
        result.frame()
    assert "claimscope[notebook]" in str(refused.value.hint)


def test_a_result_shows_itself_and_runs_nothing(result: Evaluated) -> None:
    tree = html.fragment_fromstring(result._repr_html_())
    text = " ".join(tree.text_content().split())
    assert "✓ passed 1 ✗ failed 2 ? unscored 0" in text
    rows = tree.xpath("(.//table)[last()]//tr[td]")
    assert [row[0].text_content() for row in rows] == ["✗ failed"] * 2 + ["✓ passed"]
    assert "<script>alert(1)</script>" in rows[0].text_content()
    assert tree.xpath(".//script | .//*[@src] | .//*[@href]") == []
    assert "\x1b" not in result._repr_html_()


def test_a_sample_shows_its_claims_and_what_they_rest_on(result: Evaluated) -> None:
    tree = html.fragment_fromstring(sample_html(result.sample("t-2")))
    marks = {mark.text: mark.get("class") for mark in tree.xpath(".//mark")}
    assert marks == {
        "The ferry leaves at 9:30.": "bad",
        "The ferry leaves at 8:15.": "good",
    }
    rows = [row.text_content() for row in tree.xpath(".//tr[td]")]
    assert len(rows) == 2 and "✗ contradicted" in rows[0]
    assert "harbour:S:1: “The ferry leaves at 8:15.”" in rows[0]
    assert "(empty answer)" in sample_html(result.sample("t-3"))


def test_a_notebook_is_told_how_to_show_a_sample(
    result: Evaluated, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: dict[type, Callable[[Any], str]] = {}
    pages = SimpleNamespace(for_type=shown.__setitem__)
    display = SimpleNamespace(formatters={"text/html": pages})
    shell = SimpleNamespace(display_formatter=display)
    ipython = SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    evaluate(SUITE, ANSWERS, pages=[PAGE], embedder=FakeEmbedder())
    sample = result.sample("t-2")
    assert shown[type(sample)](sample) == sample_html(sample)


def test_no_more_samples_are_shown_than_one_reads() -> None:
    cases = tuple(Case(id=f"t-{n}", question="How high?") for n in range(23))
    many = evaluate_sync(
        Suite(id="many", cases=cases),
        {case.id: "" for case in cases},
        pages=[PAGE],
        embedder=FakeEmbedder(),
    )
    tree = html.fragment_fromstring(many._repr_html_())
    assert len(tree.xpath("(.//table)[last()]//tr[td]")) == 20
    assert "3 more; frame() has all." in tree.text_content()
    assert len(many.frame()) == 23


def test_a_run_that_was_kept_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run in this workspace"):
        read_run(workspace=tmp_path)
    made = evaluate_sync(
        SUITE,
        ANSWERS,
        pages=[PAGE],
        settings=Settings(),
        workspace=tmp_path,
        embedder=FakeEmbedder(),
    )
    found = read_run(workspace=tmp_path)
    assert found.status.header.run_id == made.status.header.run_id
    assert found.frame().equals(made.frame())
    assert found._repr_html_() == made._repr_html_()
    with pytest.raises(ClaimscopeError, match="nowhere"):
        read_run("nowhere", workspace=tmp_path)


def test_a_notebook_runs_and_shows_results(tmp_path: Path) -> None:
    empty: dict[str, Any] = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    cells = [{**empty, "id": f"c{n}", "source": text} for n, text in enumerate(CELLS)]
    written = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    place = tmp_path / "results.ipynb"
    place.write_text(json.dumps(written), "utf-8")
    done = run_notebook(place)
    assert done.returncode == 0, done.stderr
    ran = json.loads(place.read_text("utf-8"))["cells"]
    shown = [{k: "".join(v) for k, v in last_data(cell).items()} for cell in ran]
    assert shown[0] == {}
    assert "passed" in shown[1]["text/html"] and "tides" in shown[1]["text/html"]
    assert 'mark class="bad"' in shown[2]["text/html"]
    assert "<table" in shown[3]["text/html"] and "failed" in shown[3]["text/html"]
    assert shown[4]["text/plain"] == "{'supported': 2, 'contradicted': 1}"


def last_data(cell: dict[str, Any]) -> dict[str, str]:
    """What a cell shows, by MIME type; nothing where it shows nothing."""
    return cell["outputs"][-1]["data"] if cell["outputs"] else {}


def run_notebook(place: Path) -> subprocess.CompletedProcess[str]:
    """Executed by a kernel of its own, and written back with what it showed."""
    return subprocess.run(
        [sys.executable, "-c", RUN, str(place)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / '.src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
