"""A run as one HTML file that needs no script, no network and no other file.

Every text is made inert and escaped by the template engine; a strict policy in the
page itself forbids whatever would get through.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from claimscope.core.models import SampleResult
from claimscope.core.report import charts, gate_text, quadrant_text, words
from claimscope.core.report.citation_tables import (
    cell,
    citation_tables,
    fate,
    missing_citations,
    proposal_text,
)
from claimscope.core.report.coverage import coverage, coverage_words
from claimscope.core.report.document import Report
from claimscope.core.report.passages import passages
from claimscope.core.report.spread_text import HEADS, spread_rows
from claimscope.core.report.terms import FAILURES, aside_words, overruled_words
from claimscope.core.report.text import citation_line
from claimscope.core.run.outcome import pass_words
from claimscope.core.text.sanitising import inert

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
        samples=report.samples[:limit],
        left_out=max(0, len(report.samples) - limit),
        distributions=list(charts.distributions(report.summary, report.samples)),
        by_group=_outcomes(report),
        spread_heads=HEADS,
        spread_rows=spread_rows(report.summary.spreads),
        quadrant_heads=quadrant_text.HEADS,
        quadrant_rows=list(quadrant_text.quadrant_rows(report.quadrant)),
        citation_tables=list(citation_tables(report.summary)),
        aside=aside_words(
            mean.metric for mean in report.summary.overall.means if not mean.total
        ),
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
        finalize=_inert,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    engine.filters["figure"] = words.figure
    engine.filters["span"] = words.span
    engine.filters["web"] = web_address
    engine.globals.update(
        labels=words.LABELS,
        sign_of=words.sign_of,
        outcomes=words.OUTCOMES,
        failures=FAILURES,
        overruled_words=overruled_words,
        pass_words=pass_words,
        passages=passages,
        coverage=coverage,
        coverage_words=coverage_words,
        page_name=words.page_name,
        why_unscored=words.why_unscored,
        cell=cell,
        citation_line=citation_line,
        quadrant_title=quadrant_text.quadrant_title,
        unplaced_words=quadrant_text.unplaced_words,
        fate=fate,
        missing_citations=missing_citations,
        proposal_text=proposal_text,
        missing=_missing,
        gate_glyphs=gate_text.GLYPHS,
        gate_words=gate_text.WORDS,
        gate_ends=gate_text.ENDS,
        reached=gate_text.reached,
        width=charts.WIDTH,
        height=charts.HEIGHT,
    )
    return engine


def _inert(value: Any) -> Any:
    """Applied to whatever the template prints, before it is escaped. A key is no text
    yet and may hold one; markup is ours."""
    if hasattr(value, "__html__") or isinstance(value, int | float):
        return value
    return inert(str(value))


def _safe(style: str) -> Any:
    from markupsafe import Markup

    return Markup(style)


def web_address(url: str | None) -> str | None:
    """The address of a page if a browser may follow it; never a script's."""
    if url is None:
        return None
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return None
    return url.strip() if parts.scheme in ("http", "https") and parts.netloc else None


def _outcomes(report: Report) -> dict[str, list[charts.Outcomes]]:
    summary = report.summary
    named = {
        "provider": summary.by_provider,
        "category": summary.by_category,
        "difficulty": summary.by_difficulty,
        "domain": summary.by_domain,
    }
    return {by: list(charts.outcomes(groups)) for by, groups in named.items() if groups}


def _missing(sample: SampleResult) -> list[Any]:
    return [r for r in sample.required_claims if not r.found]
