"""What a run will do, what it refuses to do, and what its fingerprint covers."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from claimscope.core.errors import InputError, RunMismatch
from claimscope.core.models import Answer, Case, RunHeader, Suite
from claimscope.core.models.runs import judge_id
from claimscope.core.run.header_changes import (
    amend,
    changes,
    check_resumable,
    join_answers,
)
from claimscope.core.run.plan import (
    SHOWN,
    Models,
    RunPlan,
    fingerprint,
    further_judges,
    make_plan,
    make_tasks,
)
from claimscope.core.settings import JUDGING, Settings

KEEPER = Case(id="keeper", question="Who keeps the light?")
LENS = Case(id="lens", question="Who ground the lens?")
FOG = Case(id="fog", question="How often does the horn sound?")
SUITE = Suite(id="lights", title="Lights", rubric="general", cases=(KEEPER, LENS, FOG))
MODELS = Models(
    embedding="mini@1/fp32",
    verifier="evidence-1",
    model="small:1b",
    model_digest="aa",
    prompts_digest="pp",
)


def answer(case_id: str, provider: str = "alpha") -> Answer:
    return Answer(case_id=case_id, provider=provider, text="Ada Quill does.")


ANSWERS = (answer("lens"), answer("keeper"), answer("keeper", "beta"))


def plan(**changes: Any) -> RunPlan:
    given: dict[str, Any] = {
        "suite": SUITE,
        "answers": ANSWERS,
        "settings": Settings(),
        "models": MODELS,
        "run_id": "run-1",
        "created": "2026-03-01T10:00:00.000+00:00",
        "version": "0.1.0",
        "corpus": ("lights", "v1"),
        "digests": ("suite-digest", "answers-digest"),
        "metrics": ("claim_support",),
    }
    return make_plan(**{**given, **changes})


def settings(**changes: Any) -> Settings:
    return Settings.model_validate(changes)


# --- samples ----------------------------------------------------------------


def test_samples_come_by_iteration_then_case_then_answer() -> None:
    tasks = make_tasks(SUITE, ANSWERS, iterations=2)
    assert [str(task.key) for task in tasks] == [
        "keeper/alpha/1",
        "keeper/beta/1",
        "lens/alpha/1",
        "keeper/alpha/2",
        "keeper/beta/2",
        "lens/alpha/2",
    ]
    assert tasks[2].case is LENS
    assert tasks[2].answer is ANSWERS[0]


def test_a_plan_counts_its_samples_and_names_its_providers() -> None:
    header = plan(settings=settings(iterations=3, concurrency=2)).header
    assert header.total_samples == 9
    assert header.providers == ("alpha", "beta")
    assert (header.iterations, header.concurrency) == (3, 2)
    assert (header.corpus, header.corpus_version) == ("lights", "v1")
    assert header.settings["prompts"] == "pp"


def test_a_plan_without_an_answer_is_refused_with_a_remedy() -> None:
    with pytest.raises(InputError) as caught:
        plan(answers=[answer("nobody")])
    assert "suite lights" in caught.value.message
    assert "--answers FILE" in caught.value.hint


def test_a_plan_without_ground_truth_is_refused_before_the_run() -> None:
    with pytest.raises(InputError) as caught:
        plan(corpus=None)
    assert "no ground truth" in caught.value.message
    assert "--pages FOLDER" in caught.value.hint


def test_cases_with_their_own_contexts_need_no_pages() -> None:
    told = KEEPER.model_copy(update={"contexts": ("Ada Quill keeps it.",)})
    both = SUITE.model_copy(update={"cases": (told, LENS)})
    header = plan(suite=both, answers=[answer("keeper")], corpus=None).header
    assert (header.corpus, header.corpus_version) == (None, None)
    # lens has none: it will be unscored, and keeper is judged.
    assert len(plan(suite=both, corpus=None).tasks) == 3
    blank = LENS.model_copy(update={"contexts": (" ",)})
    none = SUITE.model_copy(update={"cases": (blank,)})
    with pytest.raises(InputError, match="no case has contexts"):
        plan(suite=none, answers=[answer("lens")], corpus=None)


def test_two_answers_for_one_sample_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        plan(answers=[answer("keeper"), answer("lens"), answer("keeper")])
    assert "keeper/alpha/1" in caught.value.message
    assert "provider" in caught.value.hint


# --- fingerprint ------------------------------------------------------------

OTHER_MODELS = {
    "embedding": "other@2/fp32",
    "verifier": "evidence-2",
    "model": "large:9b",
    "model_digest": "bb",
    "judges": ("small:1b@aa", "other:2b@cc"),
    "prompts_digest": "qq",
    "evidence_digest": "ee",
}
OTHER_SETTINGS: dict[str, object] = {
    "server": "openai",
    "verifier": "ollama",
    "judge": True,
    "classifier": "/models/nli",
    "classifier_labels": "supported=1",
    "panel": "mean",
    "claims_per_call": 5,
    "votes": 5,
    "context_tokens": 8192,
    "embedding_model": "elsewhere",
    "evidence_sentences": 3,
    "rules_off": "hedge",
    "claim_similarity": 0.8,
    "accuracy_chunking": "sentences",
    "accuracy_aggregation": "max",
    "embedding_window": 512,
    "highlight_similarity": 0.8,
    "attribution_url": 90,
    "attribution_domain": 60,
    "attribution_brand": 40,
    "attribution_bonus": 5,
    "attribution_cap": 95,
    "correctness_mode": "recall",
    "correctness_beta": 2.0,
    "correctness_preset": "equal",
    "factual_weight": 0.6,
    "semantic_weight": 0.4,
    "length_ratio": 3.0,
    "quality_profile": "chat",
    "quality_weights": "coherence=0.5,length=0.5",
    "metric_weights": "length=1",
    "tier_excellent": 90,
    "tier_good": 75,
    "tier_fair": 55,
    "level_excellent": 0.95,
    "level_good": 0.75,
    "level_moderate": 0.55,
    "pass_grade": 3,
    "pass_faithfulness": 5,
    "pass_completeness": 3,
    "pass_rule": "claims",
    "require_all_required": False,
    "unsupported_fails": False,
    "source_conflicts": "supported",
    "seed": 8,
    "iterations": 2,
}


def test_the_same_plan_has_the_same_fingerprint() -> None:
    assert plan().header.fingerprint == plan().header.fingerprint
    assert plan().header.fingerprint == fingerprint(plan().header)


@pytest.mark.parametrize("name", OTHER_MODELS)
def test_the_fingerprint_changes_with_each_model(name: str) -> None:
    changed: dict[str, Any] = {name: OTHER_MODELS[name]}
    other = dataclasses.replace(MODELS, **changed)
    assert plan(models=other).header.fingerprint != plan().header.fingerprint


@pytest.mark.parametrize("name", OTHER_SETTINGS)
def test_the_fingerprint_changes_with_each_setting_that_judges(name: str) -> None:
    other = settings(**{name: OTHER_SETTINGS[name]})
    assert plan(settings=other).header.fingerprint != plan().header.fingerprint


def test_every_judging_setting_is_tried_above() -> None:
    assert set(JUDGING) <= set(OTHER_SETTINGS)


@pytest.mark.parametrize(
    "changes",
    [
        {"digests": ("other", "answers-digest")},
        {"digests": ("suite-digest", "other")},
        {"corpus": ("lights", "v2")},
        {"metrics": ("claim_support", "citation_f1")},
        {"suite": SUITE.model_copy(update={"rubric": "course_recommendation"})},
    ],
)
def test_the_fingerprint_changes_with_what_is_judged(changes: dict[str, Any]) -> None:
    assert plan(**changes).header.fingerprint != plan().header.fingerprint


@pytest.mark.parametrize(
    "changes",
    [
        {"run_id": "run-2"},
        {"created": "2027-01-01T00:00:00.000+00:00"},
        {"version": "0.2.0"},
        {"corpus": ("renamed", "v1")},
        {"settings": settings(concurrency=1)},
        {"settings": settings(retries=0)},
        {"settings": settings(ollama_host="127.0.0.1:9")},
        {"suite": SUITE.model_copy(update={"title": "Other"})},
    ],
)
def test_the_fingerprint_changes_with_nothing_else(changes: dict[str, Any]) -> None:
    assert plan(**changes).header.fingerprint == plan().header.fingerprint


# --- resuming ---------------------------------------------------------------

OTHER_HEADER: dict[str, object] = {
    "suite_digest": "other",
    "answers_digest": "other",
    "corpus_version": "v2",
    "embedding_model": "other@2/fp32",
    "verifier": "ollama",
    "judge": True,
    "model": "large:9b",
    "model_digest": "bb",
    "judges": ("small:1b@aa", "other:2b@cc"),
    "metrics": ("citation_f1",),
    "rubric": "course_recommendation",
    "iterations": 9,
    "settings": {"seed": 8},
}


def changed(name: str) -> RunHeader:
    return plan().header.model_copy(update={name: OTHER_HEADER[name]})


def test_every_part_of_the_fingerprint_is_tried_below() -> None:
    assert set(SHOWN) == set(OTHER_HEADER)


def test_an_unchanged_run_may_go_on_under_another_id_and_version() -> None:
    check_resumable(plan().header, plan(run_id="run-2", version="9").header)


@pytest.mark.parametrize("name", OTHER_HEADER)
def test_each_changed_part_forbids_going_on_and_is_named(name: str) -> None:
    old, new = plan().header, changed(name)
    assert fingerprint(old) != fingerprint(new)
    with pytest.raises(RunMismatch) as caught:
        check_resumable(old, new)
    _, _, listed = caught.value.message.partition("Changed since it started:\n  ")
    if name == "settings":
        assert "the setting seed: 7 → 8" in listed
    else:
        assert listed.splitlines()[0].startswith(SHOWN[name])
        assert len(listed.splitlines()) == 1  # and no other part
    assert "claimscope runs resume run-1 --as-new" in caught.value.hint


def test_all_changed_parts_are_named_together() -> None:
    new = plan(digests=("other", "answers-digest"), corpus=("lights", "v2")).header
    with pytest.raises(RunMismatch) as caught:
        check_resumable(plan().header, new)
    assert SHOWN["suite_digest"] in caught.value.message
    assert SHOWN["corpus_version"] in caught.value.message


def test_a_changed_setting_or_prompt_is_named_itself() -> None:
    old = plan().header
    new = plan(settings=settings(pass_grade=3, judge=True)).header
    assert [str(one) for one in changes(old, new)] == [
        "whether the judge is asked: no → yes",
        "the setting judge: no → yes",
        "the setting pass_grade: 4 → 3",
    ]
    prompts = dataclasses.replace(MODELS, prompts_digest="qq", model_digest="b" * 64)
    assert [str(one) for one in changes(old, plan(models=prompts).header)] == [
        f"the model's weights: aa → {'b' * 12}",
        "the prompts",
    ]


# --- adding -----------------------------------------------------------------

AT = "2026-03-02T10:00:00.000+00:00"


def test_iterations_and_answers_are_added_with_a_word_and_a_new_fingerprint() -> None:
    old = plan(answers=ANSWERS[:1], digests=("suite-digest", "one")).header
    new = plan(settings=settings(iterations=3), digests=("suite-digest", "three"))
    header = amend(old, new.header, AT)
    assert (header.run_id, header.created) == (old.run_id, old.created)
    assert (header.iterations, header.total_samples) == (3, 9)
    assert header.providers == ("alpha", "beta")
    assert header.fingerprint == fingerprint(header) == new.header.fingerprint
    assert header.amended == (
        f"{AT} iterations 1 → 3",
        f"{AT} samples 1 → 9, by answers",
    )
    check_resumable(header, new.header)


def test_fewer_iterations_or_anything_else_is_no_addition() -> None:
    old = plan(settings=settings(iterations=2)).header
    with pytest.raises(InputError, match="has 2 iterations"):
        amend(old, plan().header, AT)
    with pytest.raises(RunMismatch, match="pass_grade"):
        amend(old, plan(settings=settings(iterations=3, pass_grade=3)).header, AT)


def test_added_answers_may_repeat_what_is_known_and_never_change_it() -> None:
    assert join_answers(ANSWERS[:2], ANSWERS[1:], "more.jsonl") == ANSWERS
    other = ANSWERS[0].model_copy(update={"text": "Nobody does."})
    with pytest.raises(InputError) as caught:
        join_answers(ANSWERS, [other], "more.jsonl")
    assert "more.jsonl: the answer of 'alpha' to case 'lens'" in caught.value.message
    assert "provider of its own" in caught.value.hint


def test_the_further_judges_of_a_run_are_known_by_their_names() -> None:
    judges = (judge_id("small:1b", "a" * 64), judge_id("other:2b", None))
    models = dataclasses.replace(MODELS, judges=judges)
    header = plan(models=models).header
    assert header.judges == ("small:1b@aaaaaaaaaaaa", "other:2b")
    assert further_judges(header) == ("other:2b",)
    assert further_judges(plan().header) == ()
