"""What a check found in an answer: as lines, as annotations of GitHub, as JSON."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from claimscope.core.models import (
    CitationState,
    Evidence,
    FailureKind,
    Label,
    SampleResult,
    Verdict,
)
from claimscope.core.report.terms import LIKELY, WORDS
from claimscope.core.report.text import one_line
from claimscope.core.text.plurals import counted_noun, verb_of


class AnswerText(NamedTuple):
    """An answer, and its name in messages."""

    name: str
    text: str


class Finding(NamedTuple):
    """One line of the report."""

    start: int
    """Offset into the answer."""
    state: str
    text: str
    note: str
    grave: bool
    """Fails the check."""
    doubtful: bool
    """Fails a strict check."""
    end: int = 0
    """Where it ends; not behind `start` when that is not known."""
    evidence: tuple[Evidence, ...] = ()


def findings(sample: SampleResult) -> list[Finding]:
    """Claims and citations that do not hold, in reading order."""
    found = [
        Finding(
            claim.start,
            verdict.word,
            claim.text,
            evidence_note(verdict),
            verdict.label is Label.CONTRADICTED,
            verdict.label is Label.NOT_ENOUGH_INFO,
            claim.end,
            verdict.evidence,
        )
        for claim, verdict in ((one.claim, one.verdict) for one in sample.claims)
    ]
    found += [
        Finding(
            citation.start,
            f"{citation.state.value} citation",
            citation.reason,
            "",
            False,
            True,
            citation.end,
        )
        for citation in sample.citations
        if citation.state in (CitationState.BROKEN, CitationState.MISATTRIBUTED)
    ]
    found += [
        Finding(failure.start or 0, "planted grade", failure.message, "", True, True)
        for failure in sample.failures
        if failure.kind is FailureKind.PLANTED_GRADE
    ]
    return sorted(found, key=lambda finding: finding.start)


def evidence_note(verdict: Verdict) -> str:
    """`[page.md:S:4 "evidence"]`, with what it is about if that is another thing than
    the claim's; or why there is none."""
    if verdict.unscored_reason:
        return f"({verdict.unscored_reason})"
    if not verdict.evidence:
        return ""
    best = verdict.evidence[0]
    why = f" ({verdict.of_another.reason})" if verdict.of_another else ""
    return f'[{best.sentence_id} "{best.text}"]{why}'


def finding_lines(
    answer: AnswerText, found: Sequence[Finding], *, github: bool
) -> Iterator[str]:
    """Compiler-like lines, or GitHub annotations for what is not supported. Text from
    stdin has no file for an annotation to stand at: its place is in the message."""
    name, starts = one_line(answer.name), line_starts(answer.text)
    for finding in found:
        line, column = place(starts, finding.start)
        message = one_line(f"{finding.state}: {finding.text} {finding.note}")
        if not github:
            yield f"{name}:{line}:{column}: {message}"
        elif finding.grave or finding.doubtful:
            level = "error" if finding.grave else "warning"
            if answer.name == "-":
                yield annotation(level, f"line {line}, column {column}: {message}")
            else:
                yield annotation(level, message, file=name, line=line, col=column)


_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({**_DATA, ord(":"): "%3A", ord(","): "%2C"})


def annotation(level: str, message: str, **properties: object) -> str:
    """A workflow command of GitHub, on one line."""
    found = (f"{n}={str(v).translate(_PROPERTY)}" for n, v in properties.items())
    place = f" {','.join(found)}" if properties else ""
    return f"::{level}{place}::{message.translate(_DATA)}"


def line_starts(text: str) -> list[int]:
    """Offsets at which the lines of text begin."""
    return [0, *(i + 1 for i, char in enumerate(text) if char == "\n")]


def place(starts: list[int], offset: int) -> tuple[int, int]:
    """(line, column), both from 1, columns in code points."""
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


def summary_line(sample: SampleResult, found: Sequence[Finding], unread: str) -> str:
    """Counts; what was not judged is said, and of which pages nothing is known."""
    words = list(WORDS.values())
    words.insert(1, LIKELY)
    counts = Counter(result.verdict.word for result in sample.claims)
    parts = [f"{counts[word]} {word}" for word in words if counts[word]]
    line = counted_noun(len(sample.claims), "claim")
    if parts:
        line += ": " + ", ".join(parts)
    others = Counter(f.state for f in found if f.state not in words)
    line += "".join(f"; {count} {state}" for state, count in others.items())
    if sample.skipped:
        count = len(sample.skipped)
        verb = verb_of(count, "states", "state")
        line += f"; {counted_noun(count, 'part')} {verb} no claim"
    if sample.abstained:
        line += "; the answer says that it does not know"
    elif not sample.claims:
        line += ": nothing to check"
    return line + (f"; {one_line(unread)}" if unread else "")


def as_document(
    sample: SampleResult, found: Sequence[Finding], text: str, unread: str
) -> dict[str, object]:
    """Findings with places, and the whole result."""
    starts = line_starts(text)
    lines: list[dict[str, object]] = []
    for finding in found:
        line, column = place(starts, finding.start)
        fields = finding._asdict()
        del fields["evidence"]  # it stands in the result
        lines.append({"line": line, "column": column, **fields})
    return {"findings": lines, "unread": unread, "result": sample}
