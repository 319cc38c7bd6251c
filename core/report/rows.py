"""Samples and claims as rows: JSON lines, and CSV that a spreadsheet opens safely."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence

from claimscope.core.analysis.summary.iterations import GRADES, grade
from claimscope.core.models import ClaimResult, Label, SampleResult
from claimscope.core.report.document import Report, RunInfo
from claimscope.core.report.terms import OUTCOMES
from claimscope.core.report.words import page_name
from claimscope.core.text.sanitising import sanitise

Cell = str | int | float | None
FORMULA = "=+-@＝＋－＠"
"""What makes a spreadsheet compute a cell; the wide forms do so in some locales."""
BLANKS = " \t\r\n"


def jsonl(report: Report) -> Iterator[str]:
    """One sample a line: the run's id, then the sample as in the JSON report."""
    yield from sample_lines(report.run, report.samples)


def sample_lines(run: RunInfo, samples: Iterable[SampleResult]) -> Iterator[str]:
    """The lines of samples that may be read one by one."""
    for sample in samples:
        head = {"run_id": run.run_id}
        plain = sample.model_dump(mode="json")
        yield json.dumps({**head, **plain}, ensure_ascii=False) + "\n"


def samples_csv(report: Report) -> Iterator[str]:
    """One row a sample; a column a metric, empty where there is no value."""
    names = [mean.metric for mean in report.summary.overall.means]
    yield from sample_rows(report.run, report.samples, names)


def sample_rows(
    run: RunInfo, samples: Iterable[SampleResult], names: Sequence[str]
) -> Iterator[str]:
    """The CSV of samples that may be read one by one; names: its metrics."""
    yield _line(sample_columns(names))
    for sample in samples:
        yield _line(sample_cells(run, sample, names))


def claims_csv(report: Report) -> Iterator[str]:
    """One row a claim, with its verdict and best evidence."""
    yield _line(CLAIM_COLUMNS)
    for sample in report.samples:
        for result in sample.claims:
            yield _line(claim_cells(report.run.run_id, sample, result))


def sample_columns(names: Sequence[str]) -> list[str]:
    """The names of what `sample_cells` gives."""
    # A metric may be called as one of our own columns.
    return [*_SAMPLE, *(f"{n}_score" if n in _SAMPLE else n for n in names)]


def sample_cells(
    run: RunInfo, sample: SampleResult, names: Sequence[str]
) -> list[Cell]:
    """A sample and its values of the metrics of these names."""
    return [*_sample_cells(run, sample), *_values(sample, names)]


_SAMPLE = (
    *"run_id suite case_id provider iteration category difficulty domain".split(),
    *"outcome failures unscored_because question answer claims".split(),
    *(label.value for label in Label),
    *GRADES,
    *"calls prompt_tokens completion_tokens wall_seconds finished".split(),
    *"metrics_unscored metrics_not_applicable".split(),
)


def _sample_cells(run: RunInfo, sample: SampleResult) -> list[Cell]:
    labels = [result.verdict.label for result in sample.claims]
    usage, case = sample.usage, sample.case
    kinds = dict.fromkeys(failure.kind.value for failure in sample.failures)
    empty = [score for score in sample.scores if score.value is None]
    return [
        run.run_id,
        run.suite,
        sample.key.case_id,
        sample.key.provider,
        sample.key.iteration,
        case.category,
        case.difficulty,
        case.domain,
        OUTCOMES[sample.passed],
        " ".join(kinds),
        sample.error,
        case.question,
        sample.answer.text,
        len(labels),
        *(labels.count(label) for label in Label),
        *(grade(sample, name) for name in GRADES),
        usage.calls,
        usage.prompt_tokens,
        usage.completion_tokens,
        round(usage.wall_seconds, 3),
        sample.finished,
        " ".join(score.metric for score in empty if score.applicable),
        " ".join(score.metric for score in empty if not score.applicable),
    ]


def _values(sample: SampleResult, metrics: Sequence[str]) -> list[Cell]:
    known = {score.metric: score.value for score in sample.scores}
    return [known.get(name) for name in metrics]


CLAIM_COLUMNS = tuple(
    """run_id case_id provider iteration claim_number claim start end label support
    machine_label verifier model reason unscored_because evidence_id evidence_page
    evidence rules""".split()
)


def claim_cells(run_id: str, sample: SampleResult, result: ClaimResult) -> list[Cell]:
    """A claim of a sample, with its verdict and best evidence."""
    verdict, claim = result.verdict, result.claim
    best = verdict.evidence[0] if verdict.evidence else None
    return [
        run_id,
        sample.key.case_id,
        sample.key.provider,
        sample.key.iteration,
        claim.index + 1,
        claim.text,
        claim.start,
        claim.end,
        verdict.label.value,
        verdict.support,
        (result.machine or verdict).label.value,
        verdict.verifier,
        verdict.model,
        verdict.reason,
        verdict.unscored_reason,
        best.sentence_id if best else None,
        page_name(best) if best else None,
        best.text if best else None,
        "; ".join(rule.message for rule in verdict.rules),
    ]


def _line(cells: Iterable[Cell]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(
        [defuse_formula(cell) for cell in cells]
    )
    return buffer.getvalue()


def defuse_formula(cell: Cell) -> Cell:
    """A text that a spreadsheet would compute gets a leading apostrophe; control bytes
    become signs. Numbers stay numbers, None an empty cell."""
    if not isinstance(cell, str):
        return cell
    begins = cell.lstrip(BLANKS)[:1]
    is_risky = cell[:1] in ("\t", "\r", "\n") or (begins and begins in FORMULA)
    return ("'" if is_risky else "") + sanitise(cell)
