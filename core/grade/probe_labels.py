"""On which side a run takes what a model said of a claim, and what it is not asked."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.core.grade.probe import ProbeCase, Reason, leaning_in
from claimscope.core.verify.witnesses.fusion import Leaning, log_odds, weights
from claimscope.core.verify.witnesses.model_question import QuestionForm

TOTAL = 30
"""Cases in a probe."""
OF_A_WRITER = 6
"""Of them: citations, grades and a schema, which a mere verifier is not asked."""


def is_accepted(probability: float, leaning: Leaning | None = None) -> bool:
    """Whether the model's word speaks for a claim, as a run reads it: beyond the middle
    between true and false claims, where this model has it (leaning.py). While that is
    not known yet, where the model of the weights has it."""
    center = leaning or weights().planted
    return log_odds(probability) > (center.center if center else 0.0)


def labelled_cases(cases: Sequence[ProbeCase]) -> list[ProbeCase]:
    """The cases with each claim on the side that a run would take, now that all are
    known. A model that cannot tell true from false is left as it was read: a run does
    not ask it."""
    leaning = leaning_in(cases)
    if leaning.trust == 0:
        return list(cases)
    return [
        _on_its_side(case, leaning)
        if case.probability is not None and not (case.kind == "long" and case.is_true)
        else case
        for case in cases
    ]


def _on_its_side(case: ProbeCase, leaning: Leaning) -> ProbeCase:
    assert case.probability is not None
    said = is_accepted(case.probability, leaning)
    _, sign, rest = case.got.partition(" ")
    got = f"{'Yes' if said else 'No'}{sign}{rest}"
    return case.model_copy(update={"got": got, "right": said == case.is_true})


def no_grades(form: QuestionForm) -> tuple[Reason, ...]:
    """Why a model that was trained to verify is none that grades."""
    if not form.only_verifies:
        return ()
    text = f"it is asked as {form.name} was trained: it verifies claims, and no more"
    return (Reason(severity="unfit", text=text, concerns=("grades",)),)


def total(form: QuestionForm) -> int:
    """Cases of a probe of such a model."""
    return TOTAL - OF_A_WRITER if form.only_verifies else TOTAL
