"""Probes as plain lines for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from claimscope.core.grade.probe import KINDS, Probe, ProbeCase
from claimscope.core.report.text import one_line

UNPROBED = "unprobed"
SIGNS = {True: "ok", False: "WRONG"}


def case_line(case: ProbeCase) -> str:
    """`WRONG  number  The crossing takes 45 minutes.  Yes (0.81), expected No`."""
    line = f"{SIGNS[case.right]:<6} {case.kind:<13} {one_line(case.text):<44.44} "
    line += one_line(case.got)
    return line if case.right else f"{line}, expected {one_line(case.expected)}"


def probe_lines(probe: Probe) -> Iterator[str]:
    """Cases that came out wrong, figures by kind, the verdict with its reasons."""
    wrong = [case for case in probe.cases if not case.right]
    yield from (case_line(case) for case in wrong)
    if wrong:
        yield ""
    for count in probe.counts:
        share = f"{count.right:>2} of {count.total:<2}"
        yield f"{count.kind:<13} {share}  {KINDS[count.kind]}"
    yield ""
    yield one_line(figures(probe))
    yield f"{probe.model} at {probe.context_tokens} tokens: {probe.verdict}"
    yield from (f"  {one_line(str(reason))}" for reason in probe.reasons)


def figures(probe: Probe) -> str:
    """Separation, claims, cost."""
    right, total = probe.claims
    share = "–" if probe.separation is None else f"{probe.separation:.2f}"
    usage = probe.usage
    known = f" ({usage.cached_tokens:,} from the cache)" if usage.cached_tokens else ""
    return (
        f"separation {share}, claims {right} of {total} right; {usage.calls} calls, "
        f"{usage.prompt_tokens:,} tokens read{known}, {usage.completion_tokens:,} "
        f"written, {probe.seconds:.0f} s"
    )


def kept_lines(probes: Sequence[Probe]) -> Iterator[str]:
    """One line a probe under a heading."""
    yield (
        f"{'model':<28} {'context':>7}  {'verdict':<13} {'separation':>10} "
        f"{'claims':>7} {'time':>6}  probed (UTC)"
    )
    for probe in probes:
        right, total = probe.claims
        share = "–" if probe.separation is None else f"{probe.separation:.2f}"
        claims = f"{right}/{total}"
        yield (
            f"{one_line(probe.model):<28} {probe.context_tokens:>7}  "
            f"{probe.verdict:<13} {share:>10} {claims:>7} {probe.seconds:>4.0f} s  "
            f"{probe.started[:16].replace('T', ' ')}"
        )


def fitness_notes(
    fitness: Mapping[str, str], contexts: Mapping[str, int] | None = None
) -> Iterator[str]:
    """What to say of judges that are not known to be fit. `contexts`: the num_ctx of
    each model, for the command that probes it."""
    for model, verdict in sorted(fitness.items()):
        name = one_line(model)
        command = f"claimscope probe {name}"
        if contexts and model in contexts:
            command += f" --context-tokens {contexts[model]}"
        if verdict == UNPROBED:
            yield f"{name} was never probed as a judge at this context: {command}"
        elif verdict == "unfit":
            yield (
                f"{name} is unfit as a judge: do not rely on its verdicts "
                f"({command} shows why)"
            )
        elif verdict != "fit":
            yield f"{name} as a judge: {one_line(verdict)}, says its probe"
