"""The entailment model that ships: what it reads, and that it reads at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from claimscope.core.backends.onnx import export
from claimscope.core.backends.onnx.entailment import (
    MODEL_FILE,
    EntailmentModel,
    shipped_model,
    token_types,
)
from claimscope.core.models import Evidence, Label, Verdict
from claimscope.core.ports import CONTRADICTS, ENTAILS, SILENT, Question
from claimscope.core.verify.evidence import (
    candidates_from_text,
    questions_of_rows,
)
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.passages import passage_of
from claimscope.core.verify.statements import join_statements, statements
from claimscope.core.verify.verifier import EvidenceVerifier, witnesses_digest
from tests.doubles import fakes

MOORING = "The Aske mooring costs 40 marks a night. The Brill mooring costs 55 marks."


@pytest.fixture(scope="module")
def model() -> EntailmentModel:
    found = shipped_model()
    assert found is not None
    return found


def test_it_ships_and_is_small_enough() -> None:
    assert MODEL_FILE.stat().st_size < 25_000_000
    assert (MODEL_FILE.parent / "README.md").is_file()


def test_its_weights_are_mapped_and_say_the_same_to_the_last_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [(MOORING, "The Aske mooring costs 40 marks."), ("", "x"), (MOORING, "y")]
    monkeypatch.setenv("CLAIMSCOPE_CACHE", str(tmp_path / "cache"))
    apart = EntailmentModel().judge(pairs)
    names = sorted(path.suffix for path in (tmp_path / "cache").iterdir())
    assert names == [".onnx", ".weights"]
    graph = next((tmp_path / "cache").glob("*.onnx"))
    assert export.memory_mapped(MODEL_FILE, tmp_path / "cache") == graph
    assert graph.stat().st_size < MODEL_FILE.stat().st_size / 20
    # Where there can be no cache it is read as it ships.
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CLAIMSCOPE_CACHE", str(tmp_path / "file"))
    assert export.memory_mapped(MODEL_FILE, tmp_path / "file") == MODEL_FILE
    assert np.array_equal(EntailmentModel().judge(pairs), apart)


def test_each_row_is_a_distribution_and_order_is_kept(model: EntailmentModel) -> None:
    pairs = [
        (MOORING, "The Aske mooring costs 40 marks a night."),
        ("", "x"),
        ("a", ""),
    ]
    said = model.judge([*pairs, pairs[0]])
    assert said.shape == (4, 3)
    assert np.allclose(said.sum(axis=1), 1, atol=1e-4)
    assert np.array_equal(said[0], said[3])


def test_what_is_asked_beside_changes_nothing(model: EntailmentModel) -> None:
    pairs = [
        (MOORING, f"The {name} mooring costs {fee} marks.{' It is long.' * fee}")
        for name in ("Aske", "Brill", "Corrie")
        for fee in (40, 3, 55)
    ]
    alone = np.array([model.judge([pair])[0] for pair in pairs])
    assert np.array_equal(model.judge(pairs), alone)
    assert np.array_equal(model.judge(pairs[::-1]), alone[::-1])


@pytest.mark.parametrize(
    ("claim", "column"),
    [
        ("The Aske mooring costs 40 marks a night.", ENTAILS),
        ("The Aske mooring does not cost 40 marks a night.", CONTRADICTS),
        ("The Aske mooring costs 49 marks a night.", CONTRADICTS),
        ("Seals are born on the sandbanks in June.", SILENT),
    ],
)
def test_plain_pairs_are_told_apart(
    model: EntailmentModel, claim: str, column: int
) -> None:
    read = [one.text for one in statements(MOORING) if not one.is_head]
    said = model.judge([(join_statements(read), canonical(claim))])[0]
    assert int(np.argmax(said)) == column


@pytest.mark.parametrize("text", ["\ud800", "word " * 5000, "🙂" * 3000, "\x00"])
def test_any_text_is_read(model: EntailmentModel, text: str) -> None:
    assert model.judge([(text, text)]).shape == (1, 3)


def test_tokens_know_whether_they_stand_on_the_other_side() -> None:
    ids = np.array([[101, 7, 8, 102, 7, 9, 102, 0]])
    mask = np.array([[1, 1, 1, 1, 1, 1, 1, 0]])
    sides = np.array([[0, 0, 0, 0, 1, 1, 1, 0]])
    assert token_types(ids, mask, sides).tolist() == [[0, 2, 0, 0, 3, 1, 1, 0]]


def question(claim: str, page: str) -> Question:
    """A claim with the candidates of a page."""
    (found,) = questions_of_rows([(claim, page, None)], fakes.FakeEmbedder())
    return found


def test_a_short_page_is_read_whole_and_in_its_order() -> None:
    passage = passage_of(question("The Brill mooring costs 40 marks.", MOORING))
    assert passage.together == MOORING
    assert {one.alone for one in passage.singles} == {
        "The Aske mooring costs 40 marks a night.",
        "The Brill mooring costs 55 marks.",
    }


def test_a_reference_is_read_with_what_it_refers_to_and_no_other_neighbour() -> None:
    page = "The Aske mooring is new. It has twelve berths. Gulls nest near it."
    passage = passage_of(question("The Aske mooring has twelve berths.", page))
    read = {one.evidence.text: one.alone for one in passage.singles}
    assert read["It has twelve berths."] == (
        "The Aske mooring is new. It has 12 berths."
    )
    assert read["Gulls nest near it."] == "Gulls nest near it."


def test_of_a_long_page_the_nearest_statements_are_read() -> None:
    filler = [f"Buoy {n} was painted green in spring." for n in range(100)]
    page = " ".join([*filler[:50], MOORING, *filler[50:]])
    passage = passage_of(question("The Brill mooring costs 55 marks.", page))
    assert "The Brill mooring costs 55 marks." in passage.together
    assert len(passage.together) < 1000


def without_pages(one: Question) -> Question:
    """The same with nothing but the candidates known."""
    return Question(one.claim, one.evidence, one.question)


def test_candidates_without_their_page_are_read_as_they_are() -> None:
    one = without_pages(question("The Aske mooring costs 40 marks.", MOORING))
    assert "The Aske mooring costs 40 marks a night." in passage_of(one).together


def test_a_title_that_the_text_does_not_name_is_read_along() -> None:
    evidence = Evidence(
        page_id="p", index=0, text="The fee is 40 marks.", start=0, end=20, title="Aske"
    )
    passage = passage_of(Question("The fee at Aske is 40 marks.", (evidence,)))
    assert passage.together == "Aske: The fee is 40 marks."


class Says:
    """An entailment model that always says the same."""

    digest = "says"

    def __init__(self, *probabilities: float) -> None:
        self.probabilities = probabilities

    def judge(self, pairs: Sequence[tuple[str, str]]) -> object:
        return np.array([self.probabilities] * len(pairs), dtype=np.float32)


def verdict_of(claim: str, page: str, *probabilities: float) -> Verdict:
    """With a model that says so."""
    embedder = fakes.FakeEmbedder()
    model: object = Says(*probabilities)
    assert isinstance(model, Says)
    one = Question(claim, candidates_from_text(claim, [page], embedder))
    verifier = EvidenceVerifier(embedder, model)  # type: ignore[arg-type]
    (verdict,) = verifier.verify_now([one])
    assert any(t.witness == "entailment" for t in verdict.testimony)
    return verdict


def label_of(claim: str, page: str, *probabilities: float) -> tuple[Label, bool]:
    """(label, is it only likely) with a model that says so."""
    verdict = verdict_of(claim, page, *probabilities)
    return verdict.label, verdict.is_likely


CLAIM = "Boats may moor at Brill for the night."
PAGE = "Brill has a mooring for boats at night."


def test_what_the_model_surely_states_is_supported() -> None:
    assert label_of(CLAIM, PAGE, 0.98, 0.01, 0.01) == (Label.SUPPORTED, False)


def test_support_rises_with_what_the_model_says() -> None:
    said = ((0.02, 0.95, 0.03), (0.05, 0.05, 0.9), (0.6, 0.2, 0.2), (0.97, 0.01, 0.02))
    found = [verdict_of(CLAIM, PAGE, *one).support or 0.0 for one in said]
    assert found == sorted(found) and found[-1] - found[0] > 0.2


def test_what_it_leaves_open_is_not_supported_however_near_the_words() -> None:
    assert label_of(CLAIM, PAGE, 0.05, 0.05, 0.9)[0] is Label.NOT_ENOUGH_INFO


def test_what_it_surely_denies_is_a_doubt_and_no_contradiction() -> None:
    assert label_of(CLAIM, PAGE, 0.0, 1.0, 0.0)[0] is Label.NOT_ENOUGH_INFO


def test_the_fingerprint_of_a_run_knows_the_weights() -> None:
    found = shipped_model()
    assert found is not None and len(found.digest) == 64
    assert witnesses_digest(found) == witnesses_digest(found)


@pytest.mark.parametrize("name", ["CLAIMS_ID", "WITNESSES_ID"])
def test_the_fingerprint_of_a_run_knows_what_takes_claims_and_judges_them(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = witnesses_digest(None)
    monkeypatch.setattr(f"claimscope.core.verify.verifier.{name}", "another")
    assert witnesses_digest(None) != before


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Boats may moor at Brill for the night.", Label.CONTRADICTED),
        ("Three boats in all may moor at Brill.", Label.NOT_ENOUGH_INFO),
    ],
)
def test_what_adds_up_is_denied_by_no_model_alone(claim: str, label: Label) -> None:
    embedder = fakes.FakeEmbedder()
    (one,) = questions_of_rows([(claim, PAGE, None)], embedder)
    model: object = Says(0.02, 0.96, 0.02)
    verifier = EvidenceVerifier(embedder, model)  # type: ignore[arg-type]
    assert verifier.verify_now([one])[0].label is label
