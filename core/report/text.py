"""Results as plain lines for a person at a terminal; no colour, no control bytes."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.analysis.statistics.alpha import Agreement, Alpha
from claimscope.core.analysis.statistics.intervals import LEAST_CASES, Interval
from claimscope.core.analysis.summary.claim_feedback import claim_feedback
from claimscope.core.analysis.summary.missing_claims import (
    completion_words,
    completions,
)
from claimscope.core.analysis.summary.summary import Group, Mean, Summary
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import (
    CitationResult,
    CitationState,
    ClaimResult,
    FailureKind,
    Label,
    RunStatus,
    SampleResult,
    Score,
)
from claimscope.core.report.citation_tables import (
    fate,
    missing_citations,
    proposal_text,
)
from claimscope.core.report.coverage import coverage_lines
from claimscope.core.report.terms import FAILURES, LIKELY, OUTCOMES, WORDS, aside_words
from claimscope.core.run.outcome import pass_words
from claimscope.core.text.sanitising import inert


def without_traceback(note: str) -> str:
    """A note of a run as it is shown; where a fault of ours happened is for reports."""
    return note.partition("\nTraceback ")[0]


def one_line(text: str) -> str:
    """Inert text without line breaks."""
    return " ".join(inert(text).split())


def status_line(status: RunStatus) -> str:
    """`RUN  finished  40/40  12 passed 20 failed 8 unscored  medicine  passed by
    claims`: how far it is, and what decides a pass."""
    header = status.header
    return (
        f"{header.run_id}  {status.state:<9}  {status.completed}/"
        f"{header.total_samples}  {status.passed} passed, {status.failed} failed, "
        f"{status.unscored} unscored  {one_line(header.suite_id)}  "
        f"{pass_words(header.settings, judge=header.judge)}"
    )


def summary_lines(summary: Summary) -> Iterator[str]:
    """Overall figures, then one block a provider when there are several."""
    yield from group_lines(summary.overall)
    told = frozenset(mean.metric for mean in summary.overall.means if not mean.total)
    if len(summary.by_provider) > 1:
        for provider in summary.by_provider:
            yield ""
            yield from group_lines(provider, "provider ", told)
    if summary.agreement is not None:
        yield ""
        yield from agreement_lines(summary.agreement)


def agreement_lines(found: Agreement) -> Iterator[str]:
    """How far several judges agree: alpha with its interval, then pair by pair."""
    yield f"judges: {', '.join(map(one_line, found.judges))}"
    if found.claims:
        yield (
            f"  claims judges disagree on: {found.disputed} of {found.claims}; "
            f"{alpha_text(found.labels)}"
        )
    for name, alpha in found.grades.items():
        yield (
            f"  samples whose {name} grades lie two or more apart: "
            f"{found.disputed_grades[name]}; {alpha_text(alpha)}"
        )
    for pair in found.pairs:
        share = "no claim" if pair.share is None else f"{pair.share:.0%} of claims"
        yield (
            f"  same label by {one_line(pair.first)} and {one_line(pair.second)}: "
            f"{share} ({pair.same} of {pair.claims})"
        )


def alpha_text(alpha: Alpha) -> str:
    """`Krippendorff's alpha 0.62 (0.41 to 0.80, 95 %) over 38`."""
    name = "Krippendorff's alpha"
    if alpha.value is None:
        return f"{name} is not defined: {alpha.reason}"
    interval = ""
    if alpha.low is not None and alpha.high is not None:
        interval = f" ({alpha.low:.2f} to {alpha.high:.2f}, 95 %)"
    return f"{name} {alpha.value:.2f}{interval} over {alpha.units}"


def claim_counts(group: Group) -> list[str]:
    """`12 supported`, `3 likely` …; each label, and "likely" apart from "supported"."""
    counts = {WORDS[label]: group.claims[label] for label in Label}
    counts[WORDS[Label.SUPPORTED]] -= group.likely
    first, *others = counts.items()
    parts = (first, (LIKELY, group.likely), *others)
    return [f"{count} {word}" for word, count in parts]


def group_lines(
    group: Group, prefix: str = "", told: frozenset[str] = frozenset()
) -> Iterator[str]:
    """A group as a small table. told: metrics of which it was said before that they do
    not apply."""
    yield (
        f"{prefix}{one_line(group.name)}: {group.samples} samples: {group.passed} "
        f"passed, {group.failed} failed, {group.unscored} unscored"
        + (f" ({group.abstained} abstained)" if group.abstained else "")
    )
    yield f"  {rate_line(group)}"
    if group.passed_on_likely:
        yield f"  {leaning_line(group)}"
    yield f"  claims: {sum(group.claims.values())}: {', '.join(claim_counts(group))}"
    for figures in group.means:
        if figures.total:
            yield f"  {mean_line(figures)}"
    aside = [mean.metric for mean in group.means if not mean.total]
    if words := aside_words(metric for metric in aside if metric not in told):
        yield f"  {words}"
    if group.failures:
        kinds = [
            f"{FAILURES[FailureKind(kind)]} {count}"
            for kind, count in group.failures.items()
        ]
        yield f"  samples by kind of failure: {', '.join(kinds)}"


def breakdown_lines(summary: Summary) -> Iterator[str]:
    """Pass rate and means of each category, difficulty and domain, where there are
    several; providers are told by `summary_lines`."""
    for by, groups in (
        ("category", summary.by_category),
        ("difficulty", summary.by_difficulty),
        ("domain", summary.by_domain),
    ):
        if len(groups) < 2:
            continue
        yield ""
        yield f"by {by}"
        for group in groups:
            abstained = f", {group.abstained} abstained" if group.abstained else ""
            yield (
                f"  {one_line(group.name)}: {group.samples} samples, "
                f"{group.unscored} unscored{abstained}"
            )
            yield f"    {rate_line(group)}"
            for figures in group.means:
                if figures.total:
                    yield f"    {mean_line(figures)}"
    shown = (summary.overall, *summary.by_category, *summary.by_difficulty)
    means = [mean for group in (*shown, *summary.by_domain) for mean in group.means]
    if any(mean.n and mean.interval is None for mean in means):
        yield ""
        yield (
            f"no interval: fewer than {LEAST_CASES} cases are scored, or all values "
            "are alike"
        )


def leaning_line(group: Group) -> str:
    """How many of the passes rest on what is only likely."""
    return (
        f"{group.passed_on_likely} of {group.passed} passed have a claim that is only "
        "likely"
    )


def rate_line(group: Group) -> str:
    """`pass_rate  0.60 95 % [0.38, 0.78] over 20 of 22`."""
    value = "  –  " if group.pass_rate is None else f"{group.pass_rate:5.2f}"
    line = f"{'pass_rate':<26} {value}{interval_text(group.pass_interval)}"
    share = "" if group.coverage is None else f" ({group.coverage:.0%} coverage)"
    return f"{line} over {group.judged} of {group.samples}{share}"


def interval_text(interval: Interval | None) -> str:
    """` 95 % [0.38, 0.78]`; nothing without an interval."""
    if interval is None:
        return ""
    return f" 95 % [{interval.low:.2f}, {interval.high:.2f}]"


def mean_line(figures: Mean) -> str:
    """`claim_support  0.83 95 % [0.75, 0.91] sd 0.21 over 36 of 38, 2 unscored  (claims
    supported, of 1)`."""
    title = discover()[figures.metric].title if figures.metric in discover() else ""
    value = "  –  " if figures.mean is None else f"{figures.mean:5.2f}"
    spread = interval_text(figures.interval)
    if spread and figures.sd is not None:
        spread += f" sd {figures.sd:.2f}"
    line = f"{figures.metric:<26} {value}{spread} over {figures.n} of {figures.total}"
    if figures.unscored:
        line += f", {figures.unscored} unscored"
    top = f"of {figures.scale[1]:g}"
    if figures.tier:
        top += f", {figures.tier}"
    return f"{line}  ({title}, {top})"


def sample_line(sample: SampleResult) -> str:
    """One line of a list of samples."""
    kinds = list(dict.fromkeys(FAILURES[f.kind] for f in sample.failures))
    return (
        f"{OUTCOMES[sample.passed]:<8}  {one_line(str(sample.key)):<26}  "
        f"{', '.join(kinds)}".rstrip()
    )


def sample_lines(sample: SampleResult) -> Iterator[str]:
    """A sample in full, claim by claim."""
    yield sample_line(sample)
    yield f"question: {one_line(sample.case.question)}"
    yield f"answer:   {one_line(sample.answer.text)}"
    if sample.error:
        yield f"not judged: {one_line(sample.error)}"
    for result in sample.claims:
        yield from claim_lines(result)
    wanting = {one.claim: one for one in completions(sample)}
    for required in sample.required_claims:
        state = "found" if required.found else "missing"
        if required.stated:
            state = "stated in other words"
        elif required.unscored_reason:
            state = "not judged"
        line = f"  {required.importance} claim {state}: {one_line(required.text)}"
        if required.by_words:
            line += " (by words alone: the embedding model failed)"
        if required.conflicts_with:
            line += f" (conflicts with “{one_line(required.conflicts_with)}”)"
        yield line
        if (proposed := wanting.get(required.text)) is not None:
            yield f"      {one_line(completion_words(proposed))}"
        if required.found and required.matched_text:
            share = f"{required.similarity:.2f} " if required.similarity else ""
            yield f"      {share}answer: “{one_line(required.matched_text)}”"
    feedback = claim_feedback(sample)
    for added in feedback.not_in_ground_truth:
        place = f"{added.start}-{added.end}"
        yield f"  not in the ground truth ({place}): {one_line(added.statement)}"
    yield from coverage_lines(sample)
    for issue in feedback.issues:
        yield f"  malformed answer: {one_line(issue)}"
    for citation in sample.citations:
        yield f"  citation {citation_line(citation)}"
    for proposal in sample.proposals:
        yield f"  proposal {one_line(proposal_text(proposal))}"
    for marker in sample.unread_markers:
        yield f"  read as no citation: {one_line(marker.text)}: {marker.reason}"
    for span in missing_citations(sample):
        yield f"  expected citation {one_line(fate(span))}"
    for grade in sample.grades:
        value = "unscored" if grade.value is None else f"{grade.value:.3g}"
        reason = grade.reason or grade.unscored_reason or ""
        yield f"  judge, {grade.name}: {value}: {one_line(reason)}"
        for vote in grade.votes:
            given = vote.value if vote.value is not None else "unscored"
            own = vote.reason or vote.unscored_reason or ""
            yield f"      {one_line(vote.judge)}: {given}: {one_line(own)}"
    for skipped in sample.skipped:
        yield f"  skipped ({skipped.reason}): {one_line(skipped.text)}"
    for score in sample.scores:
        if score.applicable:
            yield f"  score {score_text(score)}"
    for failure in sample.failures:
        yield f"  failure, {FAILURES[failure.kind]}: {one_line(failure.message)}"


def score_text(score: Score) -> str:
    """`accuracy: 65.03 of 100, fair`; a tier or level where its metric has one."""
    if score.value is None:
        return f"{score.metric}: unscored: {one_line(score.reason)}"
    placed = score.tier or score.level
    text = f"{score.metric}: {score.value:.2f} of {score.scale[1]:g}"
    return f"{text}, {placed}" if placed else text


def citation_line(citation: CitationResult) -> str:
    """`[PMID:7, S:2]: unsupported (exists, does not support): [PMID:7, S:2] does …`."""
    line = f"{one_line(citation.text)}: {citation.word} ({two_facts(citation)})"
    if citation.state is not CitationState.VALID:
        line += f": {one_line(citation.reason)}"
    return line


def two_facts(citation: CitationResult) -> str:
    """Whether it exists, and whether it supports."""
    exists = {True: "exists", False: "does not exist", None: "not looked up"}
    if citation.exists is not True:
        return exists[citation.exists]
    supports = {True: "supports", False: "does not support", None: "not judged"}
    return f"exists, {supports[citation.supports]}"


def claim_lines(result: ClaimResult) -> Iterator[str]:
    """A claim, its verdict, the best evidence, and why it is not supported."""
    verdict = result.verdict
    share = f" {verdict.support:.2f}" if verdict.support is not None else ""
    yield f"  [{verdict.word}{share}] {one_line(result.claim.text)}"
    if result.machine is not None:
        yield f"      overruled by a person: was {WORDS[result.machine.label]}"
    for evidence in verdict.evidence[:1]:
        yield f"      {one_line(evidence.sentence_id)}: “{one_line(evidence.text)}”"
    if verdict.reason and verdict.label is not Label.SUPPORTED:
        yield f"      {one_line(verdict.reason)}"
    if verdict.unscored_reason:
        yield f"      {one_line(verdict.unscored_reason)}"
    for vote in verdict.votes:
        support = f" {vote.support:.2f}" if vote.support is not None else ""
        why = f": {one_line(vote.unscored_reason)}" if vote.unscored_reason else ""
        yield f"      {one_line(vote.judge)}: {WORDS[vote.label]}{support}{why}"
