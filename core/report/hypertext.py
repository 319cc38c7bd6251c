"""A run as one HTML file that needs no script, no network and no other file.

Every text is made inert and escaped by the template engine; a strict policy in the
page itself forbids whatever would get through.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimscope.core.report import charts, words
from claimscope.core.report.coverage import coverage
from claimscope.core.report.document import Report
from claimscope.core.report.passages import answer_passages
from claimscope.core.report.renderers import html
from claimscope.core.report.terms import FAILURES
from claimscope.core.report.view import Part, label_span, outcome_span, verdict_span
from claimscope.core.report.views import run_report
from claimscope.core.report.views.citations import citations
from claimscope.core.report.views.claim import (
    claim_grounds,
    claim_text,
    evidence_blocks,
    how_judged,
    support_text,
)
from claimscope.core.report.views.coverage import coverage_words, missing_claims
from claimscope.core.report.views.grade import grade_lines
from claimscope.core.report.views.summary import groups_of
from claimscope.core.text.sanitising import sanitise

if TYPE_CHECKING:
    from jinja2 import Environment

LIMIT = 1000
"""Samples shown unless told otherwise; those that failed come first."""
FOLDER = Path(__file__).parent / "templates"


def hypertext(report: Report, limit: int = LIMIT) -> Iterator[str]:
    """The whole file, in pieces. `limit` is the most samples that are shown."""
    engine = template_engine()
    style = (FOLDER / "report.css").read_text("utf-8")
    yield from engine.get_template("report.html").generate(
        report=report,
        run=report.run,
        title=run_report.title(report),
        head=list(run_report.head(report)),
        verdict=list(run_report.verdict(report)),
        details=list(run_report.details(report)),
        samples=report.samples[:limit],
        left_out=max(0, len(report.samples) - limit),
        distributions=list(charts.distributions(report.summary, report.samples)),
        by_group=_outcomes(report),
        style=_safe(style),
        policy=policy(style),
    )


def policy(style: str) -> str:
    """Content-Security-Policy: nothing is loaded or run; one style, by its digest."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'"
    )


@cache
def template_engine() -> Environment:
    """The engine of all our HTML: every text is made inert and escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    engine = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        finalize=_sanitise_value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    engine.filters["figure"] = words.figure
    engine.filters["web"] = html.web_address
    engine.globals.update(
        outcome=outcome_span,
        verdict_span=verdict_span,
        label=label_span,
        badge=lambda span: _safe(html.badge(span)),
        class_of=html.class_of,
        mark=html.mark,
        failures=FAILURES,
        passages=answer_passages,
        coverage=coverage,
        coverage_words=coverage_words,
        claim_grounds=claim_grounds,
        claim_text=claim_text,
        how_judged=how_judged,
        evidence_blocks=evidence_blocks,
        grade_lines=grade_lines,
        support=support_text,
        why_unscored=words.why_unscored,
        citations=lambda sample: list(citations(sample)),
        lacking=lambda sample: list(missing_claims(sample)),
        view=_view,
        width=charts.WIDTH,
        height=charts.HEIGHT,
    )
    return engine


def _sanitise_value(value: Any) -> Any:
    """Applied to whatever the template prints, before it is escaped. A key is no text
    yet and may hold one; markup is ours."""
    if hasattr(value, "__html__") or isinstance(value, int | float):
        return value
    return sanitise(str(value))


def _safe(markup: str) -> Any:
    from markupsafe import Markup

    return Markup(markup)


def _outcomes(report: Report) -> dict[str, list[charts.Outcomes]]:
    found = groups_of(report.summary).items()
    return {by: list(charts.outcomes(groups)) for by, groups in found if groups}


def _view(parts: Iterable[Part], head: int = 2) -> Any:
    return _safe("".join(html.view_html(parts, head=head)))
