"""The vocabulary: every thing that is stored, shown or passed between layers.

Frozen pydantic models, because each of them crosses a border (a file, the
journal, the command line). Short-lived values inside an algorithm are frozen
dataclasses beside that algorithm. Offsets count Unicode code points in the text
as stored; `None` means "no value", never 0, NaN or "".
"""

from claimscope.core.models.base import (
    Difficulty,
    Importance,
    JsonValue,
    Markup,
    Model,
    digest,
)
from claimscope.core.models.pages import Evidence, Page, Sentence
from claimscope.core.models.runs import (
    CallRecord,
    Failure,
    FailureKind,
    HumanVerdict,
    RowScore,
    RunHeader,
    RunState,
    RunStatus,
    SampleKey,
    SampleResult,
    SampleRow,
    Usage,
)
from claimscope.core.models.suites import (
    Answer,
    Case,
    CaseClaim,
    ExpectedCitation,
    Suite,
)
from claimscope.core.models.verdicts import (
    Band,
    CitationResult,
    CitationState,
    Claim,
    ClaimResult,
    Grade,
    GradeVote,
    Label,
    RequiredClaimResult,
    RuleFinding,
    Says,
    Score,
    ScoreSpan,
    Skipped,
    Testimony,
    Verdict,
    Vote,
)

__all__ = [
    "Answer",
    "Band",
    "CallRecord",
    "Case",
    "CaseClaim",
    "CitationResult",
    "CitationState",
    "Claim",
    "ClaimResult",
    "Difficulty",
    "Evidence",
    "ExpectedCitation",
    "Failure",
    "FailureKind",
    "Grade",
    "GradeVote",
    "HumanVerdict",
    "Importance",
    "JsonValue",
    "Label",
    "Markup",
    "Model",
    "Page",
    "RequiredClaimResult",
    "RowScore",
    "RuleFinding",
    "RunHeader",
    "RunState",
    "RunStatus",
    "SampleKey",
    "SampleResult",
    "SampleRow",
    "Says",
    "Score",
    "ScoreSpan",
    "Sentence",
    "Skipped",
    "Suite",
    "Testimony",
    "Usage",
    "Verdict",
    "Vote",
    "digest",
]
