"""Expected citations whose sentence has moved: found, listed, pointed anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.models import ExpectedCitation, Page
from claimscope.core.text.sentences import sentences
from claimscope.stores.suites.citation_drift import CitationFault, CitedPages
from claimscope.stores.suites.editing import moves_of, open_draft
from claimscope.stores.suites.lint import lint
from claimscope.stores.suites.loading import read_raw
from claimscope.tui.cli import main

TEXT = (
    "The kiln was built in 1931. It burns oak. A firing takes nine hours. It burns oak"
    " and ash today."
)
PAGES = {
    "kiln.txt": Page(page_id="kiln.txt", text=TEXT),
    "club.txt": Page(page_id="club.txt", text="The club meets on Mondays."),
}


def wrong(**fields: Any) -> list[CitationFault]:
    return list(CitedPages(PAGES).wrong(ExpectedCitation(**fields)))


@pytest.mark.parametrize(
    ("sentence", "phrase"),
    [
        (0, "built in 1931"),
        (2, "A  FIRING takes nine\nhours"),
        (2, "a firing takes nine hour"),  # nearly
        (1, None),
        (None, "burns oak"),
        (3, "oak and ash"),
        (1, "burns oak"),
        (3, "burns oak"),
    ],
)
def test_what_still_holds_is_not_listed(
    sentence: int | None, phrase: str | None
) -> None:
    assert wrong(page_id="kiln.txt", sentence=sentence, key_phrase=phrase) == []


def test_a_sentence_that_moved_is_listed_with_its_new_place() -> None:
    (one,) = wrong(page_id="kiln.txt", sentence=1, key_phrase="takes nine hours")
    assert one.part == "sentence"
    assert one.words == (
        'S:1 of kiln.txt does not hold the key phrase "takes nine hours"; S:2 does'
    )
    assert one.moved == {"page_id": "kiln.txt", "sentence": 2}
    (one,) = wrong(page_id="kiln.txt", sentence=9, key_phrase="takes nine hours")
    assert one.words == "kiln.txt has 4 sentences, counted from 0; S:2 does"
    assert one.moved == {"page_id": "kiln.txt", "sentence": 2}


def test_a_page_that_is_gone_is_found_by_the_phrase() -> None:
    (one,) = wrong(page_id="old.txt", sentence=1, key_phrase="meets on Mondays")
    assert one.words.endswith("its key phrase stands in club.txt, S:0")
    assert one.moved == {"page_id": "club.txt", "sentence": 0}
    (one,) = wrong(page_id="kilm.txt", key_phrase="burns oak")  # in two sentences
    assert (one.remedy, one.moved) == ("is 'kiln.txt' meant?", None)


@pytest.mark.parametrize(
    ("phrase", "part", "said"),
    [
        ("burns oak", "sentence", "S:1, S:3 do"),
        ("in 1931. It burns", "sentence", "goes over several sentences"),
        ("meets on Mondays", "key_phrase", "but in club.txt, S:0"),
        ("fires in 1931 at dawn", "key_phrase", "does not stand in kiln.txt"),
    ],
)
def test_what_only_a_person_can_choose_is_not_moved(
    phrase: str, part: str, said: str
) -> None:
    (one,) = wrong(page_id="kiln.txt", sentence=2, key_phrase=phrase)
    assert (one.part, one.moved) == (part, None)
    assert said in one.words


@given(st.permutations(range(5)), st.integers(0, 4), st.integers(0, 4))
def test_the_new_place_holds_the_phrase_and_is_the_only_one(
    order: list[int], said: int, cited: int
) -> None:
    facts = [f"The kiln number {'abcde'[n] * 3} is red." for n in order]
    page = Page(page_id="p", text=" ".join(facts))
    phrase = f"number {'abcde'[said] * 3} is"
    citation = ExpectedCitation(page_id="p", sentence=cited, key_phrase=phrase)
    found = list(CitedPages({"p": page}).wrong(citation))
    if order[cited] == said:
        assert found == []
        return
    (one,) = found
    assert one.moved == {"page_id": "p", "sentence": order.index(said)}
    assert phrase in sentences(page)[order.index(said)].text


# --- in a suite ---------------------------------------------------------------


def suite(folder: Path) -> Path:
    (folder / "pages").mkdir()
    (folder / "pages" / "kiln.txt").write_text(TEXT)
    case = {
        "id": "a",
        "question": "How long?",
        "citations": [
            {"page_id": "kiln.txt", "sentence": 1, "key_phrase": "nine hours"},
            {"page_id": "kiln.txt", "sentence": 0, "key_phrase": "burns oak"},
        ],
    }
    other = {"id": "b", "question": "When?", "reference": "In 1931."}
    path = folder / "suite.json"
    suite = {"id": "s", "pages": "pages", "cases": [other, case]}
    path.write_text(json.dumps(suite, indent=1) + "\n")
    return path


def test_moves_are_one_change_that_can_be_taken_back(tmp_path: Path) -> None:
    path = suite(tmp_path)
    before = path.read_text()
    draft = open_draft(path)
    moves = moves_of(draft, lint(read_raw(path), path))
    assert moves == [(1, 0, {"page_id": "kiln.txt", "sentence": 2})]
    draft.move(moves)
    assert path.read_text() == before.replace('"sentence": 1', '"sentence": 2')
    draft.undo()
    assert path.read_text() == before


def test_lint_lists_them_and_fix_points_them_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = suite(tmp_path)
    assert main(["suite", "lint", str(path)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == (
        "suite.json: a, field citations[1].sentence: error: S:1 of kiln.txt does not"
        ' hold the key phrase "nine hours"; S:2 does; take it with --fix, or m on the'
        " Suite screen"
    )
    assert main(["suite", "lint", str(path), "--fix", "--json"]) == 1
    found = capsys.readouterr()
    (left,) = json.loads(found.out)
    assert left["field"] == "citations[2].sentence" and left["moved"] is None
    assert "suite.json: a, citations[1].sentence: now kiln.txt, S:2" in found.err
    places = [
        c["sentence"] for c in json.loads(path.read_text())["cases"][1]["citations"]
    ]
    assert places == [2, 0]


def test_what_cannot_be_edited_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite(tmp_path)
    path = tmp_path / "suite.yaml"
    path.write_text(
        "id: s\npages: pages\ncases:\n- id: a\n  question: How long?\n  citations:\n"
        "  - {page_id: kiln.txt, sentence: 1, key_phrase: nine hours}\n"
    )
    before = path.read_text()
    assert main(["suite", "lint", str(path), "--fix"]) == 1
    assert "suite.yaml: not fixed: it is read, not edited" in capsys.readouterr().err
    assert path.read_text() == before
    assert main(["suite", "lint", str(path), "--fix", "--no-pages"]) == 2
