"""Verdicts with a classifier, whatever the classifier: labels, folders, windows.

The classifier here is a function of the two texts;
tests/core/backends/transformers/test_classifier.py asks real ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.backends.transformers import classifier_folder as folders
from claimscope.core.backends.transformers.classifier_folder import classifier_folder
from claimscope.core.backends.transformers.classifier_labels import (
    LabelPlaces,
    labels_of,
)
from claimscope.core.caches import cache_folder
from claimscope.core.errors import SettingsError
from claimscope.core.models import Evidence, Label, Verdict
from claimscope.core.ports import PairProbabilities, Question
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.core.verify.witnesses.classifier import ClassifierVerifier
from claimscope.core.verify.witnesses.classifier_windows import pieces, windows_for
from claimscope.core.verify.witnesses.model_windows import place
from tests.doubles import fakes

# --- labels -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["entailment", "neutral", "contradiction"], LabelPlaces(3, 0, 2)),
        (["contradiction", "entailment", "neutral"], LabelPlaces(3, 1, 0)),
        (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], LabelPlaces(3, 2, 0)),
        (["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], LabelPlaces(3, 0, 1)),
        (["entailment", "not_entailment"], LabelPlaces(2, 0)),
        (["hallucinated", "consistent"], LabelPlaces(2, 1)),
        (["entailment"], LabelPlaces(1, 0)),
        (["hallucination"], LabelPlaces(1, None)),
    ],
)
def test_labels_are_known_by_name_in_any_order(
    names: list[str], expected: LabelPlaces
) -> None:
    config = {"id2label": {str(place): name for place, name in enumerate(names)}}
    assert labels_of(config) == expected


@pytest.mark.parametrize(
    "names",
    [
        ["LABEL_0", "LABEL_1"],
        ["LABEL_0"],
        ["LABEL_0", "LABEL_1", "LABEL_2"],
        ["good", "bad"],
        ["entailment", "supported"],
        ["entailment", "neutral", "sarcasm"],
        ["neutral", "contradiction"],
    ],
)
def test_labels_that_do_not_say_are_asked_for(names: list[str]) -> None:
    config = {"id2label": dict(enumerate(names))}
    with pytest.raises(SettingsError) as caught:
        labels_of(config)
    assert all(name in caught.value.message for name in names)
    assert "--classifier-labels" in caught.value.hint


def test_outputs_of_a_known_family_need_no_names() -> None:
    assert labels_of({}, is_known=True) == LabelPlaces(2, 1)
    assert labels_of({"id2label": {"0": "LABEL_0"}}, is_known=True) == LabelPlaces(1, 0)
    with pytest.raises(SettingsError):
        labels_of(
            {"id2label": {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}}, is_known=True
        )


def test_the_users_word_goes_first() -> None:
    config = {"id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"}}
    assert labels_of(config, "supported=2, contradicted=0") == LabelPlaces(3, 2, 0)
    assert labels_of(config, "supported=neutral") == LabelPlaces(3, 1)


@pytest.mark.parametrize(
    "wanted",
    [
        "supported=3",
        "supported=-1",
        "supported",
        "entailed=1",
        "supported=1,supported=2",
        "supported=1,contradicted=1",
        "contradicted=1",
        "supported=²",
    ],
)
def test_a_word_that_cannot_be_followed_is_quoted(wanted: str) -> None:
    config = {"id2label": {"0": "a", "1": "b", "2": "c"}}
    with pytest.raises(SettingsError) as caught:
        labels_of(config, wanted)
    assert repr(wanted) in caught.value.message
    assert caught.value.hint


@given(
    st.permutations(["entailment", "neutral", "contradiction"]),
    st.lists(st.floats(-30, 30), min_size=3, max_size=3),
)
def test_the_order_of_labels_changes_no_probability(
    order: list[str], logits: list[float]
) -> None:
    names = ["entailment", "neutral", "contradiction"]
    plain = labels_of({"id2label": dict(enumerate(names))})
    other = labels_of({"id2label": dict(enumerate(order))})
    moved = [logits[names.index(name)] for name in order]
    for one, two in zip(
        plain.probabilities(np.array([logits])),
        other.probabilities(np.array([moved])),
        strict=True,
    ):
        assert one is not None and two is not None
        assert one == pytest.approx(two)
        assert 0 <= one[0] <= 1


def test_one_output_is_a_sigmoid_and_may_say_the_reverse() -> None:
    logits = np.array([[-800.0], [0.0], [2.0], [800.0]])
    direct, against = LabelPlaces(1, 0).probabilities(logits)
    assert direct == pytest.approx([0, 0.5, 0.880797, 1])
    assert against is None
    assert LabelPlaces(1, None).probabilities(logits)[0] == pytest.approx(1 - direct)


# --- folders ------------------------------------------------------------------


NLI = {
    "architectures": ["BertForSequenceClassification"],
    "model_type": "bert",
    "id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"},
}


def folder_of(path: Path, config: dict[str, Any] | None = None, **files: str) -> Path:
    """A folder with a configuration, weights and a tokenizer, none of them real."""
    path.mkdir(parents=True)
    (path / "config.json").write_text(json.dumps(NLI if config is None else config))
    (path / "model.safetensors").write_bytes(b"weights")
    (path / "tokenizer.json").write_text("{}")
    for name, text in files.items():
        (path / name.replace("__", ".")).write_text(text)
    return path


def refusal(path: Path | str | None, labels: str | None = None) -> str:
    """Message and hint of a folder that is refused."""
    with pytest.raises(SettingsError) as caught:
        classifier_folder(None if path is None else str(path), labels)
    assert caught.value.hint
    return str(caught.value)


def test_a_good_folder_is_read_without_its_weights(tmp_path: Path) -> None:
    found = classifier_folder(str(folder_of(tmp_path / "nli-tiny")))
    assert (found.name, found.labels) == ("nli-tiny", LabelPlaces(3, 0, 2))
    assert not found.is_joined
    assert (found.slope, found.intercept) == (1.0, 0.0)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    assert "--classifier FOLDER" in refusal(None)
    assert "nowhere: no such folder" in refusal("nowhere")
    file = tmp_path / "model.bin"
    file.write_text("")
    assert "is not a folder" in refusal(file)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no config.json" in refusal(empty)
    for name, word in (("model.safetensors", "weights"), ("tokenizer.json", "tokeniz")):
        path = folder_of(tmp_path / f"without-{name}")
        (path / name).unlink()
        assert word in refusal(path)


@pytest.mark.parametrize("text", ["{", "[1]", '"x"'])
def test_a_broken_configuration_is_named(tmp_path: Path, text: str) -> None:
    path = folder_of(tmp_path / "m", config__json=text)
    assert "config.json" in refusal(path)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"auto_map": {"AutoModel": "own.Model"}}, "Python code of its own"),
        ({"architectures": ["T5ForConditionalGeneration"]}, "T5ForConditional"),
        ({"architectures": None}, "not a sequence classifier"),
        ({"architectures": ["BertForMaskedLM"]}, "BertForMaskedLM"),
        ({"id2label": None}, "LABEL_0, LABEL_1"),
        ({"id2label": {"0": "entailment", "2": "neutral"}}, "not 0, 1, 2"),
        ({"id2label": {"zero": "entailment"}}, "not 0, 1, 2"),
    ],
)
def test_a_model_that_cannot_be_used_is_refused_with_its_reason(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    path = folder_of(tmp_path / "other", {**NLI, **changes})
    text = refusal(path)
    assert said in text
    assert str(path) in text


def test_families_are_known_by_folder_by_own_name_and_by_the_cards_title(
    tmp_path: Path,
) -> None:
    bare = {"architectures": ["RobertaForSequenceClassification"]}
    by_folder = folder_of(tmp_path / "MiniCheck-RoBERTa-Large", bare)
    own = {**bare, "_name_or_path": "someone/minicheck-small"}
    by_name = folder_of(tmp_path / "a", own)
    by_card = folder_of(tmp_path / "b", bare, README__md="---\nx: y\n---\n# HHEM one\n")
    found = [classifier_folder(str(path)) for path in (by_folder, by_name, by_card)]
    assert [one.labels for one in found] == [LabelPlaces(2, 1)] * 3
    assert [one.is_joined for one in found] == [True, True, False]
    text = "# A reranker\nIt is no MiniCheck.\n"
    assert "no names" in refusal(folder_of(tmp_path / "c", bare, README__md=text))


def test_a_snapshot_in_a_cache_has_the_models_name(tmp_path: Path) -> None:
    path = tmp_path / "models--some--nli-base" / "snapshots" / ("0" * 40)
    assert classifier_folder(str(folder_of(path))).name == "some/nli-base"


def test_the_digest_changes_with_all_that_changes_verdicts(tmp_path: Path) -> None:
    path = folder_of(tmp_path / "m")

    def now(labels: str | None = None) -> str:
        return classifier_folder(str(path), labels).digest()

    seen = [now(), now("supported=1")]
    assert now() == seen[0]
    for name, text in (
        ("model.safetensors", "other weights"),
        ("tokenizer.json", '{"a": 1}'),
        ("claimscope.json", '{"slope": 2, "intercept": 0.5}'),
        ("config.json", json.dumps({**NLI, "dropout": 0})),
    ):
        (path / name).write_text(text)
        seen.append(now())
    assert len(set(seen)) == len(seen)
    (path / "README.md").write_text("A word more.")
    assert now() == seen[-1]


def test_the_digest_of_a_big_file_is_computed_once_and_again_when_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "BIG", 4)
    read: list[Path] = []
    plain = folders.sha256_of

    def spied(path: Path) -> str:
        read.append(path)
        return plain(path)

    monkeypatch.setattr(folders, "sha256_of", spied)
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"weights")
    first = folders.file_digest(file)
    assert folders.file_digest(file) == first
    assert read == [file]
    file.write_bytes(b"other weights")
    assert folders.file_digest(file) != first
    (cache_folder() / folders.KEPT_DIGESTS).write_text("not json")
    folders.file_digest(file)
    assert len(read) == 3


@pytest.mark.parametrize(
    "text", ["", "[]", '{"slope": 1}', '{"slope": 0, "intercept": 0}', '{"slope": NaN']
)
def test_a_bad_calibration_is_refused(tmp_path: Path, text: str) -> None:
    path = folder_of(tmp_path / "m", claimscope__json=text)
    assert "claimscope.json" in refusal(path)


# --- windows ------------------------------------------------------------------


def count(text: str) -> int:
    """Words as tokens."""
    return len(text.split())


def sentence(index: int, text: str, page: str = "page", **fields: Any) -> Evidence:
    return Evidence(
        page_id=page, index=index, text=text, start=0, end=len(text), **fields
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.sampled_from("pq"), st.integers(1, 50)),
        min_size=1,
        max_size=12,
        unique_by=lambda one: one[:2],
    ),
    st.integers(8, 60),
)
def test_windows_fit_hold_every_candidate_and_lose_no_word(
    rows: list[tuple[int, str, int]], room: int
) -> None:
    evidence = [
        sentence(i, " ".join(f"{page}{i}w{n}" for n in range(size)), page, title="A b")
        for i, page, size in rows
    ]
    found = windows_for(evidence, count, room)
    assert all(count(window.text) <= room for window in found)
    for one in evidence:
        holding = [window for window in found if place(one) in window.places]
        assert holding
        told = " ".join(window.text for window in holding)
        assert set(one.text.split()) <= set(told.split())
    assert place(evidence[0]) in found[0].places


def test_neighbours_stand_around_a_sentence_and_gaps_are_shown() -> None:
    evidence = [
        sentence(
            4, "It is red.", before="There is a lamp.", after="It hums.", title="L"
        ),
        sentence(9, "It was made."),
    ]
    (window,) = windows_for(evidence, count, 100)
    assert window.text == "L\nThere is a lamp. It is red. It hums. […] It was made."


def test_the_last_of_several_windows_has_the_best_sentences_of_all() -> None:
    evidence = [sentence(9, "best one " * 4), sentence(1, "next one " * 4)]
    *packed, last = windows_for(evidence, count, 9)
    assert len(packed) == 2
    assert place(evidence[0]) in packed[0].places
    assert last.text.startswith("best one")
    both = windows_for(
        [sentence(9, "best " * 4, "q"), sentence(1, "next " * 4)], count, 9
    )
    assert both[-1].places == both[0].places | both[1].places


@given(st.text(min_size=1, max_size=200), st.integers(1, 30))
def test_pieces_fit_and_keep_every_character_but_blanks(text: str, room: int) -> None:
    found = pieces(text, len, room)
    assert all(len(piece) <= room for piece in found)
    assert "".join("".join(found).split()) == "".join(text.split())


# --- verdicts -----------------------------------------------------------------


Said = Callable[[str, str], PairProbabilities | None]


class FakeClassifier:
    """A function in place of a model; remembers what it was asked."""

    def __init__(self, said: Said, longest: int = 60, contradicts: bool = True) -> None:
        self._said = said
        self._longest = longest
        self._contradicts = contradicts
        self.batches: list[list[tuple[str, str]]] = []

    @property
    def name(self) -> str:
        return "nli-tiny"

    @property
    def can_contradict(self) -> bool:
        return self._contradicts

    def tokens(self, text: str) -> int:
        return count(text)

    def room(self, claim: str) -> int:
        return self._longest - count(claim)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[PairProbabilities | None]:
        self.batches.append(list(pairs))
        return [self._said(premise, claim) for premise, claim in pairs]


def contains(premise: str, claim: str) -> PairProbabilities:
    """Supports what it holds word for word; "broken" contradicts."""
    if claim in premise:
        return PairProbabilities(0.97, 0.01)
    return PairProbabilities(0.04, 0.95 if "broken" in premise else 0.02)


LAMP = "The lamp hums at night."
NOISE = [f"Gate {n} was painted by the crew on a dry day in spring." for n in range(20)]


async def verdict_of(
    classifier: FakeClassifier, claim: str, *passages: str, k: int = 8
) -> Verdict:
    embedder = fakes.FakeEmbedder()
    question = Question(claim, candidates_from_text(claim, passages, embedder, k=k))
    verifier = ClassifierVerifier(
        classifier, EvidenceVerifier(embedder, shipped_model())
    )
    (found,) = await verifier.verify([question])
    assert (found.verifier, found.model) == ("classifier", "nli-tiny")
    assert found.call_keys == ()
    return found


async def test_supported_by_the_classifiers_own_probability() -> None:
    found = await verdict_of(FakeClassifier(contains), LAMP, *NOISE[:3], LAMP)
    assert (found.label, found.band) == (Label.SUPPORTED, "supported")
    assert found.support == 0.97
    assert found.evidence[0].text == LAMP
    assert "97%" in found.reason


async def test_too_little_is_not_enough_info() -> None:
    found = await verdict_of(FakeClassifier(contains), LAMP, *NOISE[:3])
    assert (found.label, found.band) == (Label.NOT_ENOUGH_INFO, "not_supported")
    assert found.support == 0.04


@pytest.mark.parametrize(
    ("support", "band"),
    [
        (0.1, "not_supported"),
        (0.3, "not_supported"),
        (0.6, "review"),
        (0.95, "supported"),
    ],
)
async def test_supported_likely_or_open(support: float, band: str) -> None:
    classifier = FakeClassifier(lambda *_: PairProbabilities(support, 0.0))
    found = await verdict_of(classifier, LAMP, "The lamp is quiet.")
    assert found.band == band
    assert found.label is (Label.SUPPORTED if support > 0.5 else Label.NOT_ENOUGH_INFO)


async def test_contradicted_only_with_a_sentence_that_stands_in_the_text() -> None:
    page = "The lamp is broken at night. It is red."
    found = await verdict_of(FakeClassifier(contains), LAMP, page)
    assert found.label is Label.CONTRADICTED
    shown = found.evidence[0]
    assert page[shown.start : shown.end] == "The lamp is broken at night."


async def test_a_window_alone_contradicts_nothing() -> None:
    def said(premise: str, claim: str) -> PairProbabilities:
        return PairProbabilities(
            0.05, 0.99 if "Gate 1" in premise and "Gate 2" in premise else 0.3
        )

    found = await verdict_of(FakeClassifier(said, 200), LAMP, " ".join(NOISE[:4]))
    assert found.label is Label.NOT_ENOUGH_INFO


async def test_a_sentence_on_another_subject_contradicts_nothing() -> None:
    claim = "The Orla lamp hums at night."
    page = "The red lamp is broken at night."
    found = await verdict_of(FakeClassifier(contains), claim, page)
    assert found.label is Label.NOT_ENOUGH_INFO


async def test_a_sentence_alone_may_support_what_no_window_did() -> None:
    def said(premise: str, claim: str) -> PairProbabilities:
        if premise == "The lamp is loud after dusk.":
            return PairProbabilities(0.88, 0.0)
        return PairProbabilities(0.2, 0.95 if premise.startswith("Some") else 0.0)

    page = "The lamp is loud after dusk. Some lamp is broken at night."
    found = await verdict_of(FakeClassifier(said), LAMP, page)
    assert (found.label, found.support) == (Label.SUPPORTED, 0.88)
    assert found.evidence[0].text == "The lamp is loud after dusk."
    assert [one.text for one in found.conflicting] == ["Some lamp is broken at night."]


async def test_the_doubt_of_a_figure_holds_however_sure_the_classifier_is() -> None:
    sure = FakeClassifier(lambda *_: PairProbabilities(0.99, 0.0))
    found = await verdict_of(
        sure, "The lamp weighs 7 kg and hums.", "The lamp weighs much and hums."
    )
    assert found.label is Label.NOT_ENOUGH_INFO
    assert any(rule.veto for rule in found.rules)
    assert "7" in found.reason
    assert [one.witness for one in found.testimony][0] == "rule:figure"


async def test_a_rules_conflict_is_contradicted_and_shown() -> None:
    unsure = FakeClassifier(lambda *_: PairProbabilities(0.4, 0.0))
    page = "The Varn reservoir holds 4.2 million cubic metres."
    found = await verdict_of(unsure, page.replace("4.2", "2.4"), page)
    assert found.label is Label.CONTRADICTED
    assert found.evidence[0].text == page


async def test_words_that_say_otherwise_outweigh_a_sure_classifier() -> None:
    sure = FakeClassifier(lambda *_: PairProbabilities(0.99, 0.0))
    page = "The Varn reservoir holds 4.2 million cubic metres."
    found = await verdict_of(sure, page.replace("4.2", "2.4"), page)
    assert found.label is Label.CONTRADICTED
    assert "alignment" in [one.witness for one in found.testimony if one.decisive]
    assert "classifier" in [one.witness for one in found.testimony]


async def test_pages_that_disagree_stay_unscored_and_are_not_asked() -> None:
    page = "The Varn reservoir holds 4.2 million cubic metres."
    classifier = FakeClassifier(contains)
    found = await verdict_of(classifier, page, page, page.replace("4.2", "3.7"))
    assert (found.label, found.unscored_reason) == (Label.UNSCORED, "sources conflict")
    assert found.conflicting
    assert not any(classifier.batches)


async def test_without_candidates_nothing_is_asked() -> None:
    classifier = FakeClassifier(contains)
    found = await verdict_of(classifier, LAMP)
    assert (found.label, found.support) == (Label.NOT_ENOUGH_INFO, 0.0)
    assert not any(classifier.batches)


async def test_a_claim_found_only_in_the_last_window_is_supported() -> None:
    classifier = FakeClassifier(contains, longest=30)
    far = [sentence(i, one) for i, one in enumerate([*NOISE, LAMP])]
    verifier = ClassifierVerifier(
        classifier, EvidenceVerifier(fakes.FakeEmbedder(), shipped_model())
    )
    (found,) = await verifier.verify([Question(LAMP, tuple(far))])
    assert (found.label, found.evidence[0].text) == (Label.SUPPORTED, LAMP)
    assert len(classifier.batches) > 5
    for batch in classifier.batches:
        assert all(count(premise) + count(claim) <= 30 for premise, claim in batch)


async def test_strong_support_ends_the_search() -> None:
    classifier = FakeClassifier(contains, longest=30)
    evidence = tuple(sentence(i, one) for i, one in enumerate([LAMP, *NOISE]))
    verifier = ClassifierVerifier(
        classifier, EvidenceVerifier(fakes.FakeEmbedder(), shipped_model())
    )
    await verifier.verify([Question(LAMP, evidence)])
    assert [len(batch) for batch in classifier.batches if batch] == [1]


async def test_without_an_output_for_it_no_sentence_is_asked_alone() -> None:
    classifier = FakeClassifier(contains, contradicts=False)
    found = await verdict_of(
        classifier, LAMP, "The lamp is broken at night. It is red."
    )
    assert found.label is Label.NOT_ENOUGH_INFO
    assert sum(len(batch) for batch in classifier.batches) == 1


async def test_a_claim_without_room_is_unscored_with_the_reason() -> None:
    claim = " ".join(["lamp"] * 50)
    found = await verdict_of(FakeClassifier(contains), claim, "The lamp hums.")
    assert found.label is Label.UNSCORED
    assert found.support is None and found.band is None
    assert "10 tokens" in (found.unscored_reason or "")


async def test_no_number_is_unscored() -> None:
    found = await verdict_of(FakeClassifier(lambda *_: None), LAMP, "The lamp hums.")
    assert found.label is Label.UNSCORED
    assert "no number" in (found.unscored_reason or "")


async def test_verdicts_come_in_the_order_of_the_questions() -> None:
    embedder = fakes.FakeEmbedder()
    claims = [LAMP, "The gate is shut.", "The lamp is old.", "Bread is baked."]
    page = "The gate is shut. The lamp hums at night."
    questions = [
        Question(one, candidates_from_text(one, [page], embedder)) for one in claims[:3]
    ]
    questions.append(Question(claims[3], ()))
    verifier = ClassifierVerifier(
        FakeClassifier(contains), EvidenceVerifier(embedder, shipped_model())
    )
    found = await verifier.verify(questions)
    supported = [one.label is Label.SUPPORTED for one in found]
    assert supported == [True, True, False, False]
