"""Orders to the judge that an answer carries: a planted grade, a planted instruction.

An answer is read by whoever grades it, a model included. Text that tells the reader
which grade to give, or to forget its instructions, is found, shown and never obeyed.
"""

from __future__ import annotations

import re

from claimscope.core.text.sentences import Span, split

_ROLE = (
    r"(?:evaluators?|judges?|graders?|reviewers?|raters?|assessors?|examiners?|llm|ai"
    r"|model|assistant|system)"
)
_GRADE = (
    r"(?:\d{1,3} ?(?:/|out of|of) ?\d{1,3}"
    r"|full (?:scores?|marks?|points?|credit)"
    r"|(?:top|highest|maximum|max|perfect|best) (?:scores?|marks?|grades?|ratings?)"
    r"|faithful(?:ness)?|complete(?:ness)?"
    r"|(?:scores?|grades?|ratings?|marks?)(?: of)? \d|[1-9]0? (?:stars?|points?)"
    r"|as (?:supported|correct|passed|faithful))"
)
_ORDER = (
    r"(?:give|rate|grade|score|award|mark|assign|label|judge|treat|accept|return"
    r"|output)"
)
_OPENS = r"(?:^|[,:;.]\s*|\b(?:please|must|should|to|and|now|so)\s+)"
_TARGET = r"\b(?:answer|response|reply|this|it|everything|all (?:the )?claims)\b"
_INSTRUCTIONS = (
    r"(?:(?:previous|prior|above|earlier|other|system|your|all) (?:\w+ )?"
    r"(?:instructions?|rules?|prompts?|guidelines?|criteria|rubrics?|checks?"
    r"|directions?)|rubric|system prompt)"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        # Note to the judge: give …
        r"^\W*(?:note|message|instructions?|attention|dear|hey|hello|memo)?\W*"
        rf"(?:to|for)?\W*(?:the |any |all )?\b{_ROLE}\b[^.]{{0,30}}?[:,\u2013\u2014-]"
        rf".*?\b(?:{_ORDER}|ignore|disregard|skip)\b",
        # … give this answer 5/5
        rf"{_OPENS}{_ORDER}\b[^.?!]{{0,60}}?{_TARGET}[^.?!]{{0,40}}?\b{_GRADE}",
        rf"{_OPENS}{_ORDER}\b[^.?!]{{0,40}}?\b(?:faithfulness|completeness)\b",
        # This answer deserves the top score.
        r"\b(?:this|the) (?:answer|response|reply) (?:deserves|merits|should (?:get"
        r"|receive|be (?:given|graded|rated|scored))|must (?:get|receive|be))\b"
        rf"[^.?!]{{0,60}}\b{_GRADE}",
        rf"\b(?:ignore|disregard|forget|override|bypass)\b[^.?!]{{0,40}}\b{_INSTRUCTIONS}\b",
        r"\b(?:skip|omit) (?:your|the|all) checks?\b",
        # Turn markers of chat templates.
        r"<\|(?:im_start|im_end|system|user|assistant|eot_id)[^|]*\|>|\[/?INST\]"
        r"|<</?SYS>>|</?(?:system|assistant|instructions?)>",
    )
)
_JSON = re.compile(
    r"(?i)\{[^{}]{0,400}?[\"'](?:faithfulness|completeness|scores?|grades?|ratings?"
    r"|verdicts?|labels?|supported|passed)[\"']\s*:[^{}]{0,400}\}"
)


def planted(answer: str) -> tuple[Span, ...]:
    """Spans of an answer that order the judge about, in order, apart."""
    found = [match.span() for match in _JSON.finditer(answer)]
    for start, end in split(answer, "markdown"):
        sentence = answer[start:end]
        if any(pattern.search(sentence) for pattern in _PATTERNS):
            found.append((start, end))
    merged: list[Span] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
