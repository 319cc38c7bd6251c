"""What indexing a folder came to, and by what a sentence was found."""

from __future__ import annotations

from claimscope.core.models import Evidence
from claimscope.core.report.view import Column
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.ports.library import IndexOutcome

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


def score_words(hit: Evidence) -> str:
    """`similarity 0.83, words 4.2`: cosine, and words in common."""
    parts = []
    if hit.similarity is not None:
        parts.append(f"similarity {hit.similarity:.2f}")
    if hit.lexical is not None:
        parts.append(f"words {hit.lexical:.1f}")
    return ", ".join(parts)
