"""What indexing a folder came to."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.ports import Progress
from claimscope.core.report.view import Column, Prose, Span, line, sign_span
from claimscope.core.text.plurals import counted_noun, verb_of
from claimscope.tui.ports.library import IndexOutcome
from claimscope.tui.process.output import duration

CORPORA = (
    Column("corpus"),
    Column("pages", "right", 9),
    Column("sentences", "right", 10),
    Column("embedding model", width=32),
)
"""Of `corpus_row` (home.py), where there is room for all of it."""


def outcome_words(found: IndexOutcome) -> str:
    """`tides: 2 pages, 6 sentences (1 added, 1 unchanged; 3 texts embedded)`."""
    pages, sentences = (
        counted_noun(found.pages, "page"),
        counted_noun(found.sentences, "sentence"),
    )
    counts = {
        "added": found.added,
        "changed": found.changed,
        "deleted": found.deleted,
        "unchanged": found.unchanged,
    }
    changes = ", ".join(f"{count:,} {word}" for word, count in counts.items() if count)
    if changes:
        changes = f" ({changes}; {counted_noun(found.embedded, 'text')} embedded)"
    return f"{found.corpus}: {pages}, {sentences}{changes}"


def outcome_lines(found: IndexOutcome) -> Iterator[Prose]:
    """What an index changed, and where to see what it skipped."""
    yield line(sign_span("", "supported"), outcome_words(found))
    if found.problems:
        files = counted_noun(found.problems, "file")
        were = verb_of(found.problems, "was", "were")
        words = f"{files} {were} not read; s says why"
        yield line(sign_span("", "not_enough_info"), words)
    if found.unread:
        yield line(sign_span("", "contradicted"), f"{found.unread}; s lists them")


def progress_line(folder: str, step: Progress) -> Prose:
    """How far an index is: rate and time left, or what is waited for."""
    words = f" {step.action} {step.done:,}/{step.total:,} texts"
    if step.rate > 0:
        words += f", {step.rate:.0f}/s, {duration(step.eta_seconds)} left"
    if step.note:
        words += f", {step.note}"
    bar = Span("", "supported", share=(step.done, step.total))
    stop = Span("   esc: stop", "faint")
    return line(bar, words, Span(f"   {folder}", "faint"), stop)
