"""A model for the double of Ollama that knows the planted cases of a probe.

It judges as it is told to: well, or with one weakness.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

from claimscope.core.models import Label
from claimscope.core.verify import planted_cases as planted
from claimscope.core.verify.hard_cases import hard_documents
from tests.doubles.fake_ollama import Reply, chose, said, tokens, too_long

HARD = {one.claim: one.gold for text in hard_documents() for one in text.claims}
TRUTH = {
    **{claim: gold is Label.SUPPORTED for claim, gold in HARD.items()},
    **{one.claim: one.is_true for one in planted.CLAIMS},
    **{claim: True for _, _, claim in planted.FACTS},
    planted.ABSENT: False,
}
"""Of every claim that is asked for one word."""
ASKED = re.compile(r"\n(?:Claim|Statement): (.*)\n")
RULED_OUT = "cannot be true"
"""Of the question whether a document rules a claim out."""
SURE = 0.97
Support = Callable[[str, str], float]
"""From prompt and claim to the probability of Yes."""
GradeOf = Callable[[str], str]
"""From a prompt to the reply to it."""


def well(text: str, claim: str) -> float:
    """Right on every claim, whatever the document orders."""
    is_yes = TRUTH[claim]
    if RULED_OUT in text:
        is_yes = HARD[claim] is Label.CONTRADICTED
    return SURE if is_yes else 1 - SURE


def graded_well(text: str) -> str:
    """A good grade for the good answer only."""
    grade = 5 if planted.GOOD in text else 1
    return json.dumps({"explanation": "It follows the evidence.", "grade": grade})


def judging(
    support: Support = well,
    grade: GradeOf = graded_well,
    *,
    cites: bool = True,
    refuses: bool = True,
    thinking: str = "",
) -> Callable[[dict[str, Any]], Reply]:
    """Answers to the calls of a probe. refuses: a prompt that is too long is an error,
    as it is on a true server; else it is cut in silence."""

    def answer(body: dict[str, Any]) -> Reply:
        text = str(body["messages"][-1]["content"])
        whole = " ".join(str(message["content"]) for message in body["messages"])
        size, room = len(tokens(whole)) + 9, int(body["options"]["num_ctx"])
        if size >= room and refuses:
            return too_long(size, room)
        read = room // 2 + 2 if size >= room else size
        wanted = (body.get("format") or {}).get("properties", {})
        if "sentence" in wanted:
            return said(
                json.dumps({"sentence": _cited(text, cites)}), prompt_eval_count=read
            )
        if "grade" in wanted:
            return said(grade(text), thinking, prompt_eval_count=read)
        asked = ASKED.search(text)
        assert asked is not None, text
        probability = support(text, asked[1])
        both = {"Yes": math.log(probability), "No": math.log(1 - probability)}
        best = sorted(both.items(), key=lambda item: -item[1])
        return chose(dict(best), prompt_eval_count=read)

    return answer


def _cited(text: str, right: bool) -> int:
    number = next(number for claim, number in planted.CITED if claim in text)
    return number if right else 1 + number % 4
