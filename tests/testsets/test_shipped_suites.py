"""The shipped suites are what they say: readable, consistent, with true references.

A planted fault that does not stand in its answer, or a key phrase that is not in its
page, would make the suites measure nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.models import Label, Page
from claimscope.core.text.sentences import sentences
from claimscope.stores.pages.folder import read_folder
from claimscope.stores.suites.loading import LoadedSuite, load_suite, shipped_suites

NAMES = ("medicine", "courses", "website")
LEAST = {"medicine": (40, 20), "courses": (30, 15), "website": (20, 15)}
KINDS = {
    "wrong_number": Label.CONTRADICTED,
    "swapped_name": Label.CONTRADICTED,
    "negation": Label.CONTRADICTED,
    "invented_fact": Label.NOT_ENOUGH_INFO,
    "missing_claim": "missing",
    "misattributed_citation": "misattributed",
    "broken_citation": "broken",
    "abstention": "abstained",
    "empty_answer": "empty",
    "planted_grade": "flagged",
}


@cache
def suite(name: str) -> LoadedSuite:
    return load_suite(name)


@cache
def pages(name: str) -> dict[str, Page]:
    loaded = suite(name)
    reading = read_folder(loaded.path.parent / str(loaded.suite.pages))
    assert reading.problems == ()
    return {page.page_id: page for page in reading.pages}


@cache
def faults(name: str) -> list[dict[str, Any]]:
    text = (suite(name).path.parent / "faults.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def plain(text: str) -> str:
    """Emphasis and kinds of blanks do not count."""
    return " ".join(text.replace("*", "").split())


def test_all_three_ship() -> None:
    assert set(shipped_suites()) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_size_and_both_providers_answer_every_case(name: str) -> None:
    loaded = suite(name)
    least_pages, cases = LEAST[name]
    assert len(pages(name)) >= least_pages
    assert len(loaded.suite.cases) == cases
    answered = Counter((a.case_id, a.provider) for a in loaded.answers)
    ids = [case.id for case in loaded.suite.cases]
    assert answered == Counter((i, p) for i in ids for p in ("alder", "birch"))
    assert loaded.notes == ()


@pytest.mark.parametrize("name", NAMES)
def test_expected_citations_stand_in_their_pages(name: str) -> None:
    for case in suite(name).suite.cases:
        for expected in case.citations:
            page = pages(name)[expected.page_id]
            split = sentences(page)
            if expected.key_phrase is not None:
                text = page.text
                if expected.sentence is not None:
                    text = split[expected.sentence].text
                assert plain(expected.key_phrase) in plain(text), (case.id, expected)


@pytest.mark.parametrize("name", NAMES)
def test_planted_faults_stand_in_their_answers_and_truths_in_their_pages(
    name: str,
) -> None:
    answers = {(a.case_id, a.provider): a.text for a in suite(name).answers}
    cases = {case.id: case for case in suite(name).suite.cases}
    for fault in faults(name):
        key = (fault["case_id"], fault["provider"])
        assert fault["verdict"] == KINDS[fault["kind"]]
        if fault["kind"] == "missing_claim":
            texts = {c.text for c in cases[key[0]].claims if c.importance == "required"}
            assert fault["sentence"] in texts
        elif fault["kind"] == "empty_answer":
            assert not answers[key].strip()
        else:
            assert answers[key].count(fault["sentence"]) == 1, fault
        if fault.get("truth"):
            assert plain(fault["truth"]) in plain(pages(name)[fault["page_id"]].text)


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_fault_is_planted_twice_or_more(name: str) -> None:
    counts = Counter(fault["kind"] for fault in faults(name))
    assert set(counts) == set(KINDS)
    assert min(counts.values()) >= 2


@pytest.mark.parametrize("name", NAMES)
def test_ids_and_domains_are_plainly_fictional(name: str) -> None:
    for page_id, page in pages(name).items():
        if page_id.startswith("PMID:"):
            assert int(page_id[5:]) >= 99_000_001
        domain = page.domain
        assert domain is None or domain.endswith(".example"), page_id


def test_the_web_site_is_read_from_html_without_its_boilerplate() -> None:
    folder = Path(suite("website").path.parent / "pages")
    assert all(file.suffix == ".html" for file in folder.rglob("*") if file.is_file())
    for page in pages("website").values():
        assert page.page_id.startswith("https://tarnhollow.example/")
        assert "cookie" not in page.text.lower()
