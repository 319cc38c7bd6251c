"""Models of a suite share what pydantic keeps of each, and are as they were."""

from __future__ import annotations

import json
from pathlib import Path

from claimscope.core.models import Case, CaseClaim
from claimscope.stores.suites.loading import load_suite, share_fields


def test_models_that_were_given_the_same_share_one_set() -> None:
    cases = [
        Case(id=name, question="?", claims=(CaseClaim(text=name),)) for name in "ab"
    ]
    before = [case.model_dump_json(exclude_unset=True) for case in cases]
    for case in cases:
        share_fields(case)
    one, other = cases
    assert one.model_fields_set is other.model_fields_set
    assert one.claims[0].model_fields_set is other.claims[0].model_fields_set
    assert [case.model_dump_json(exclude_unset=True) for case in cases] == before


def test_a_copy_with_more_fields_adds_to_no_other() -> None:
    one, other = (Case(id=name, question="?") for name in "ab")
    share_fields(one)
    share_fields(other)
    copy = one.model_copy(update={"category": "tides"})
    assert copy.model_fields_set == {"id", "question", "category"}
    assert other.model_fields_set == {"id", "question"}


def test_a_suite_is_read_so(tmp_path: Path) -> None:
    cases = [{"id": name, "question": "?"} for name in "abc"]
    suite = {"format": "claimscope.suite", "version": 1, "id": "s", "cases": cases}
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    loaded = load_suite(tmp_path / "suite.json").suite
    assert len({id(case.model_fields_set) for case in loaded.cases}) == 1
