"""What works on this machine: a line a check, or in short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from claimscope.core.report.view import Fields, Prose, Sign, Span, line, sign_span
from claimscope.tui.ports.gateway import HealthCheck

HEALTH: Mapping[str, Sign] = {
    "ok": "supported",
    "warning": "not_enough_info",
    "error": "contradicted",
}


def health_view(checks: Iterable[HealthCheck]) -> Fields:
    """A line a check, its remedy below."""
    rows = []
    for check in checks:
        rows.append((f"{check.state:<8} {check.name}", line(check.text)))
        if check.remedy:
            rows.append(("", line(f"→ {check.remedy}")))
    return Fields(tuple(rows))


def health_lines(checks: Iterable[HealthCheck]) -> Iterator[Prose]:
    """What does not work, a line each, then all that does on one."""
    good: list[Span] = []
    for check in checks:
        if check.state == "ok":
            good += [Span("   ")] if good else []
            good += _health(check)
        else:
            yield line(*_health(check))
    if good:
        yield line(*good)


def _health(check: HealthCheck) -> Iterator[Span]:
    yield sign_span("", HEALTH[check.state])
    yield Span(f"{check.name}: {check.text}")
    yield Span(f"  {check.remedy}" if check.remedy else "", "faint")
