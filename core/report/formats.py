"""Report formats by name: each turns a document into pieces of text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePath

from claimscope.core.report.document import Report

FORMATS = ("json", "jsonl", "csv", "md", "html", "junit")
SUFFIXES = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".md": "md",
    ".html": "html",
    ".htm": "html",
    ".xml": "junit",
}


def format_of(path: PurePath | None) -> str | None:
    """The format a file name asks for; None when it says nothing."""
    return None if path is None else SUFFIXES.get(path.suffix.lower())


def render_report(
    report: Report, name: str, *, claims: bool = False, limit: int | None = None
) -> Iterator[str]:
    """A report in the format of that name.

    claims: CSV of claims, not samples. limit: samples in full in Markdown and HTML;
    None = the format's own.
    """
    # Each on its own: HTML needs a template engine, JUnit a writer.
    if name == "json":
        yield json.dumps(report.model_dump(mode="json"), ensure_ascii=False, indent=2)
        yield "\n"
    elif name == "jsonl":
        from claimscope.core.report.rows import jsonl

        yield from jsonl(report)
    elif name == "csv":
        from claimscope.core.report.rows import claims_csv, samples_csv

        yield from (claims_csv if claims else samples_csv)(report)
    elif name == "md":
        from claimscope.core.report import markdown

        most = markdown.LIMIT if limit is None else limit
        yield from markdown.markdown(report, most)
    elif name == "html":
        from claimscope.core.report import hypertext

        most = hypertext.LIMIT if limit is None else limit
        yield from hypertext.hypertext(report, most)
    else:
        from claimscope.core.report.junit import junit

        yield from junit(report)
