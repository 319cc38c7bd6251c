"""Figures of citations by category and difficulty, and what became of expected ones.

`citation_precision` and `citation_existence` are told apart by name: that a citation
supports its claim, and that it exists at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.analysis.summary.summary import Group, Mean, Summary
from claimscope.core.models import CitationProposal, SampleResult, ScoreSpan

COLUMNS = {
    "citation_existence": "exist (citation_existence)",
    "citation_precision": "exist and support (citation_precision)",
    "citation_recall": "recall (citation_recall)",
    "citation_f1": "F1 (citation_f1)",
}


@dataclass(frozen=True)
class CitationTable:
    """Groups by one property, with the mean of each figure; None = it applies to no
    sample of the group."""

    by: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Mean | None, ...]], ...]


def citation_tables(summary: Summary) -> Iterator[CitationTable]:
    """One for category and one for difficulty, where the run has any such figure."""
    for by, groups in (
        ("category", summary.by_category),
        ("difficulty", summary.by_difficulty),
    ):
        shown = [name for name in COLUMNS if any(_mean(g, name) for g in groups)]
        if shown:
            yield CitationTable(
                by=by,
                heads=tuple(COLUMNS[name] for name in shown),
                rows=tuple(
                    (group.name, tuple(_mean(group, name) for name in shown))
                    for group in groups
                ),
            )


def _mean(group: Group, metric: str) -> Mean | None:
    found = group.mean_of(metric)
    return found if found is not None and found.total else None


def cell(mean: Mean | None) -> str:
    """`0.75 (6 of 7)`: the mean and what it is over; a dash where it does not apply."""
    if mean is None:
        return "–"
    value = "–" if mean.mean is None else f"{mean.mean:.4g}"
    return f"{value} ({mean.n} of {mean.total})"


def missing_citations(sample: SampleResult) -> Sequence[ScoreSpan]:
    """Expected citations that the answer lacks, with what became of each."""
    for score in sample.scores:
        if score.metric == "citation_recall":
            return [span for span in score.evidence if span.kind != "cited"]
    return ()


def fate(span: ScoreSpan) -> str:
    """`PMID:7:S:2: retrieved, not cited (retrieved, place 3, …)`."""
    text = f"{span.source}: {span.kind} ({span.note})"
    return text if span.text == span.source else f"{text}: “{span.text}”"


def proposal_text(one: CitationProposal) -> str:
    """`[M:1, S:0] -> [M:1, S:1] (proved): M:1:S:1 "It grinds oats."`."""
    change = f"{one.text} -> {one.by}" if one.text else f"add {one.by.strip()}"
    entry = f", and {one.entry} to the list" if one.entry else ""
    said = "; ".join(
        f'{source} "{quote}"'
        for source, quote in zip(one.sources, one.quotes, strict=True)
    )
    return f"{change}{entry} ({one.word}): {said}"
