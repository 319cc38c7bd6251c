"""What probes found out of models as judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from claimscope.core.grade.probe import KINDS, Probe, ProbeCase
from claimscope.core.report.text import minute_of, one_line
from claimscope.core.report.view import (
    EMPTY,
    Column,
    Prose,
    Row,
    Sign,
    Span,
    Table,
    line,
    row,
    sign_span,
)
from claimscope.core.text.plurals import counted_noun

UNPROBED = "unprobed"
MEANINGS: Mapping[str, Sign] = {
    "fit": "supported",
    "fit with care": "not_enough_info",
    "unfit": "contradicted",
}
COLUMNS = (
    Column("model"),
    Column("context", "right", 7),
    Column("verdict", width=15),
    Column("separation", "right", 10),
    Column("claims", "right", 6),
    Column("probed (UTC)", width=16),
    Column("time", "right", 7, least=120),
)
LONGEST_REPLY = 300
BARE = 3
"""Characters of a bare Yes or No, which is in the figures already."""


def probes_table(found: Sequence[Probe]) -> Table:
    """A row a probe."""
    return Table(COLUMNS, tuple(probe_row(one.model, one) for one in found))


def probe_row(model: str, probe: Probe | None, *, is_outdated: bool = False) -> Row:
    """Model, context, verdict, separation, claims, when and how long it was probed;
    None = it never was."""
    if probe is None:
        return row(model, "", sign_span(UNPROBED, "unscored"), *[EMPTY] * 4)
    right, total = probe.claims
    return row(
        model,
        f"{probe.context_tokens:,}",
        probe_verdict(probe, is_outdated=is_outdated),
        "" if probe.separation is None else f"{probe.separation:.2f}",
        f"{right}/{total}",
        minute_of(probe.started),
        f"{probe.seconds:,.0f} s",
    )


def probe_verdict(probe: Probe, *, is_outdated: bool = False) -> Span:
    """Sign and word."""
    if is_outdated:
        return sign_span("outdated", "unscored")
    return fitness(probe.verdict)


def fitness(said: str | None) -> Span:
    """The word of a probe with its sign; None = there is none."""
    return sign_span(said or UNPROBED, MEANINGS.get(said or "", "unscored"))


def probe_view(probe: Probe, *, is_outdated: bool = False) -> Iterator[Prose]:
    """The verdict with its reasons, figures by kind, cases that came out wrong."""
    name = Span(f"  {probe.model} at {probe.context_tokens:,} tokens", "strong")
    yield line(probe_verdict(probe, is_outdated=is_outdated), name)
    for reason in probe.reasons:
        yield line(str(reason), level=1)
    yield line(Span(_figures_text(probe), "faint"))
    yield line(Span(_rates_text(probe), "faint"))
    yield line()
    for count in probe.counts:
        all_right: Sign = "supported" if count.right == count.total else "contradicted"
        share = sign_span(f"{f'{count.right}/{count.total}':<6}", all_right)
        yield line(share, f"{count.kind:<13}", Span(KINDS[count.kind], "faint"))
    wrong = [case for case in probe.cases if not case.right]
    if wrong:
        yield line()
        yield line(Span("what came out wrong", "heading"))
    for case in wrong:
        yield from _case(case)


def _figures_text(probe: Probe) -> str:
    """Separation, claims, cost."""
    right, total = probe.claims
    share = "–" if probe.separation is None else f"{probe.separation:.2f}"
    usage = probe.usage
    known = f" ({usage.cached_tokens:,} from the cache)" if usage.cached_tokens else ""
    return (
        f"separation {share}, claims {right} of {total} right; "
        f"{counted_noun(usage.calls, 'call')}, "
        f"{usage.prompt_tokens:,} tokens read{known}, {usage.completion_tokens:,} "
        f"written, {probe.seconds:.0f} s"
    )


def _rates_text(probe: Probe) -> str:
    """Whether a run will hear it as a reader of its own."""
    if probe.rates is None:
        return "hard claims: not asked; its word only backs or doubts what others say"
    return f"hard claims: {probe.rates.counts}"


def _case(case: ProbeCase) -> Iterator[Prose]:
    where = f" ({case.document})" if case.document else ""
    yield line(
        sign_span("", "contradicted"),
        f"{case.kind}{where}: {case.text}",
        Span(f"  expected {case.expected}, got {case.got}", "faint"),
    )
    for reply in case.replies[:1]:
        text = " ".join(reply.split())
        if len(text) > BARE:
            yield line(Span(f"“{text[:LONGEST_REPLY]}”", "faint"), level=2)


def case_line(case: ProbeCase) -> str:
    """As it comes: `WRONG  number  The crossing takes 45 minutes.  Yes (0.81), expected
    No`."""
    told = "ok" if case.right else "WRONG"
    shown = f"{told:<6} {case.kind:<13} {one_line(case.text):<44.44} "
    shown += one_line(case.got)
    return shown if case.right else f"{shown}, expected {one_line(case.expected)}"


def fitness_notes(
    found: Mapping[str, str], contexts: Mapping[str, int] | None = None
) -> Iterator[str]:
    """What to say of judges that are not known to be fit. `contexts`: the num_ctx of
    each model, for the command that probes it."""
    for model, said in sorted(found.items()):
        name = one_line(model)
        command = f"claimscope models probe {name}"
        if contexts and model in contexts:
            command += f" --context-tokens {contexts[model]}"
        if said == UNPROBED:
            yield f"{name} was never probed as a judge at this context: {command}"
        elif said == "unfit":
            yield (
                f"{name} is unfit as a judge: do not rely on its verdicts "
                f"({command} shows why)"
            )
        elif said != "fit":
            yield f"{name} as a judge: {one_line(said)}, says its probe"
