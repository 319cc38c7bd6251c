"""Results as a notebook shows them: a piece of HTML that loads and runs nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from claimscope.core.analysis.summary.summary import Group, Summary
from claimscope.core.models import RunStatus, SampleResult
from claimscope.core.report.document import run_info, urgency
from claimscope.core.report.hypertext import FOLDER, template_engine
from claimscope.core.report.view import Part
from claimscope.core.report.views.summary import (
    IN_REPORTS,
    IN_TERMINALS,
    figures,
    likely_passes,
    metrics_aside,
    pass_rate_line,
)

SHOWN = 20
"""Samples in the table; those that failed come first."""


def run_html(
    status: RunStatus, samples: Sequence[SampleResult], summary: Summary
) -> str:
    """Counts, means, and the samples that a person looks at first."""
    first = sorted(samples, key=urgency)
    return _piece(
        "run",
        run=run_info(status, 0),
        figures=_figures(summary.overall),
        samples=first[:SHOWN],
        left_out=max(0, len(first) - SHOWN),
    )


def _figures(whole: Group) -> list[Part]:
    table = figures(whole).without(*IN_REPORTS, *IN_TERMINALS)
    tables = (table,) if table.rows else ()
    return [
        pass_rate_line(whole),
        *likely_passes(whole),
        *tables,
        *metrics_aside(whole),
    ]


def sample_html(sample: SampleResult) -> str:
    """Question, answer with its claims marked, and what each verdict rests on."""
    return _piece("sample", sample=sample)


def show_samples_in_notebook() -> None:
    """Tells IPython, where one runs, to show a sample by `sample_html`: the samples are
    of the vocabulary, which knows of no report."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None:
        pages = shell.display_formatter.formatters["text/html"]
        pages.for_type(SampleResult, sample_html)


def _piece(kind: str, **values: object) -> str:
    template = template_engine().get_template("notebook.html")
    style = (FOLDER / "notebook.css").read_text("utf-8")
    return template.render(kind=kind, style=style, **values)
