"""Which generated cases a run may judge by."""

from __future__ import annotations

import pytest

from claimscope.core.models import Case, JsonValue, Suite
from claimscope.core.run.case_review import accepted_cases


def suite(**accepted: JsonValue) -> Suite:
    cases = [Case(id="own", question="What does a person ask?")]
    for name, value in accepted.items():
        marks: dict[str, JsonValue] = {"generated": True, "accepted": value}
        cases.append(Case(id=name, question=f"What of {name}?", metadata=marks))
    return Suite(id="mixed", cases=tuple(cases))


@pytest.mark.parametrize(
    ("which", "kept"),
    [
        ("accepted", ["own", "good"]),
        ("not_dropped", ["own", "good", "new"]),
        ("all", ["own", "good", "new", "bad"]),
    ],
)
def test_what_nobody_accepted_waits_and_what_was_dropped_never_runs(
    which: str, kept: list[str]
) -> None:
    found = accepted_cases(suite(good=True, new=None, bad=False), which)  # type: ignore[arg-type]
    assert [case.id for case in found.suite.cases] == kept
    assert found.left_out == {"own", "good", "new", "bad"} - set(kept)
    said = " ".join(found.notes)
    assert ("1 case that a model wrote" in said) == ("new" not in kept)
    assert ("1 case that a person dropped" in said) == ("bad" not in kept)


def test_a_suite_without_generated_cases_is_itself() -> None:
    plain = Suite(
        id="plain",
        cases=(Case(id="a", question="What?", metadata={"accepted": None}),),
    )
    assert accepted_cases(plain).suite is plain and not accepted_cases(plain).notes
