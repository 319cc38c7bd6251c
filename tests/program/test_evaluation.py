"""Judging from a Python program: what goes in, what comes out, what is refused."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import claimscope.core
from claimscope import (
    Answer,
    Case,
    ClaimscopeError,
    Page,
    Settings,
    Suite,
    check,
    evaluate,
    evaluate_sync,
    score_row,
)
from claimscope.core.errors import InputError, SuiteError
from claimscope.core.events import Event
from claimscope.core.services.evaluation import Evaluation, Request
from claimscope.stores.index.memory_corpus import MemoryCorpus
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.workbench import MachineWorkbench
from tests.doubles.fakes import FakeEmbedder

PAGE = Page(
    page_id="harbour",
    text="The spring tide is 4.2 metres high. The ferry leaves at 8:15.",
)
SUITE = Suite(
    id="tides",
    cases=(
        Case(id="t-1", question="How high is the spring tide?"),
        Case(id="t-2", question="When does the ferry leave?"),
    ),
)
ANSWERS = {"t-1": "The spring tide is 4.2 metres high.", "t-2": "It leaves at 9:30."}


def suite_folder(folder: Path) -> Path:
    """The same suite as files."""
    (folder / "pages").mkdir(parents=True)
    (folder / "pages" / "harbour.md").write_text(PAGE.text, "utf-8")
    fields = SUITE.model_dump(mode="json")
    fields |= {"pages": "pages", "answers": "answers.jsonl"}
    (folder / "suite.json").write_text(json.dumps(fields), "utf-8")
    rows = [Answer(case_id=c, text=t).model_dump_json() for c, t in ANSWERS.items()]
    (folder / "answers.jsonl").write_text("\n".join(rows), "utf-8")
    return folder


async def test_events_come_one_by_one_and_the_result_after_them() -> None:
    evaluation = evaluate(SUITE, ANSWERS, pages=[PAGE], embedder=FakeEmbedder())
    events: list[Event] = [event async for event in evaluation]
    kinds = [event.kind for event in events]
    assert kinds[0] == "run_started" and kinds[-1] == "run_finished"
    assert kinds.count("sample_finished") == 2
    result = await evaluation
    assert [sample.key.case_id for sample in result.samples] == ["t-1", "t-2"]
    assert result.status.state == "finished"
    with pytest.raises(RuntimeError, match="runs once"):
        await anext(aiter(evaluation))


async def test_awaiting_alone_judges_and_awaiting_again_gives_the_same() -> None:
    evaluation = evaluate(SUITE, ANSWERS, pages=[PAGE], embedder=FakeEmbedder())
    result = await evaluation
    assert await evaluation is result
    assert result.sample("t-2").passed is False
    assert result.summary.overall.samples == 2
    with pytest.raises(KeyError, match="t-3/any/1"):
        result.sample("t-3")


def test_without_a_loop_the_result_is_the_same(tmp_path: Path) -> None:
    heard: list[str] = []
    fake = FakeEmbedder()
    result = evaluate_sync(
        SUITE,
        ANSWERS,
        pages=[PAGE],
        embedder=fake,
        on_event=lambda event: heard.append(event.kind),
    )
    from_files = evaluate_sync(suite_folder(tmp_path / "s"), embedder=fake)
    assert [s.passed for s in result.samples] == [s.passed for s in from_files.samples]
    assert heard[-1] == "run_finished"


async def test_in_a_loop_it_says_what_to_do() -> None:
    with pytest.raises(RuntimeError, match="await evaluate"):
        evaluate_sync(SUITE, ANSWERS, pages=[PAGE])


def test_gates_hold_figures_to_demands() -> None:
    result = evaluate_sync(SUITE, ANSWERS, pages=[PAGE], embedder=FakeEmbedder())
    rate = result.status.passed / 2
    assert result.gate(pass_rate=rate).state == "passed"
    assert result.gate(pass_rate=1.0).state == "failed"
    assert result.gate(at_most={"hallucination_rate": -1}).state == "failed"
    assert result.gate(no_such_metric=0.5).state == "not_judged"


def test_a_corpus_and_contexts_are_ground_truth_too() -> None:
    fake = FakeEmbedder()
    corpus = MemoryCorpus("tides", [PAGE], fake)
    by_corpus = evaluate_sync(SUITE, ANSWERS, pages=corpus, embedder=fake)
    own = [case.model_copy(update={"contexts": (PAGE.text,)}) for case in SUITE.cases]
    suite = SUITE.model_copy(update={"cases": tuple(own)})
    by_context = evaluate_sync(suite, ANSWERS, embedder=fake)
    assert by_corpus.status.header.corpus_version == corpus.version
    assert by_context.status.header.corpus is None
    assert by_context.sample("t-1").claims[0].verdict.evidence


def test_a_workspace_keeps_the_run_where_the_program_shows_it(tmp_path: Path) -> None:
    result = evaluate_sync(
        suite_folder(tmp_path / "s"),
        workspace=tmp_path / "w",
        embedder=FakeEmbedder(),
    )
    (status,) = DiskRunStore(Workspace(tmp_path / "w").runs).runs()
    assert status.header.run_id == result.status.header.run_id
    assert status.header.suite_path == str(tmp_path / "s" / "suite.json")
    assert (status.completed, status.state) == (2, "finished")


def test_skipped_pages_are_noted(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "s")
    (folder / "pages" / "empty.md").write_text("", "utf-8")
    result = evaluate_sync(folder, embedder=FakeEmbedder())
    assert any("empty.md" in note for note in result.notes)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"suite": "no-such"}, SuiteError, "no-such: there is no such suite"),
        ({"answers": {"t-9": "x"}}, InputError, "no case 't-9' .* nearest is 't-"),
        ({"answers": {}}, InputError, "no case has an answer"),
        ({"pages": None}, InputError, "there is no ground truth"),
        ({"metrics": ("claim_suport",)}, InputError, "is 'claim_support' meant"),
        ({"suite": SUITE.model_copy(update={"pages": "p"}), "pages": None},
         SuiteError, "it is in no file"),
        ({"settings": Settings(verifier="ollama")}, InputError, "no model is named"),
    ],
)  # fmt: skip
async def test_what_cannot_be_judged_is_refused_by_name(
    arguments: dict[str, object], error: type[ClaimscopeError], words: str
) -> None:
    given: dict[str, object] = {
        "suite": SUITE,
        "answers": ANSWERS,
        "pages": [PAGE],
        "embedder": FakeEmbedder(),
        **arguments,
    }
    with pytest.raises(error, match=words):
        await Evaluation(Request(**given), MachineWorkbench())  # type: ignore[arg-type]


async def test_leaving_the_loop_early_leaves_nothing_behind() -> None:
    evaluation = evaluate(SUITE, ANSWERS, pages=[PAGE], embedder=FakeEmbedder())
    async with contextlib.aclosing(evaluation.events()) as events:
        assert (await anext(events)).kind == "run_started"
    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert not others


def test_one_metric_alone_needs_neither_model_nor_suite() -> None:
    row = {"id": 1, "question": "Where?", "answer": "See example.org.",
           "domain": "example.org"}  # fmt: skip
    assert score_row(row, metrics=["attribution"])["attribution"].value == 75


def test_an_answer_is_checked_against_pages_without_a_suite() -> None:
    result = check("The crane was built in 1952.", [PAGE], embedder=FakeEmbedder())
    (sample,) = result.samples
    assert [claim.verdict.label for claim in sample.claims]


def test_the_names_are_had_from_core_for_one_more_release() -> None:
    assert claimscope.core.evaluate is evaluate
    with pytest.raises(AttributeError, match="nonsense"):
        claimscope.core.nonsense  # noqa: B018


def test_importing_the_names_loads_nothing_that_is_slow() -> None:
    script = (
        "import sys\n"
        "import claimscope\n"
        "print('pydantic' in sys.modules)\n"
        "from claimscope import evaluate\n"
        "slow = {'torch', 'chromadb', 'textual', 'onnxruntime', 'spacy', 'tinydb'}\n"
        "print(sorted(slow & set(sys.modules)), 'claimscope.stores' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["False", "[] False"]
