"""German, Spanish and Japanese claims: no wrong verdict where nothing reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.models import Evidence, Label, Verdict
from claimscope.core.ports import Embedder, Question
from claimscope.core.text.languages import (
    language_of,
    name_of,
    reads_english_only,
)
from claimscope.core.verify.other_languages import (
    as_left_open,
    find_near_duplicate,
    is_unread,
    readings_of,
    same_figures,
    shape_of,
)
from claimscope.core.verify.verifier import EvidenceVerifier
from tests.doubles.fakes import FakeEmbedder

PAGES = {
    "de": (
        "Die Seilbahn Krähenfels wurde 1962 gebaut.",
        "Eine Tageskarte kostet 24,50 Euro.",
        "Die Bergstation liegt auf 1.850 Metern Höhe.",
        "Hunde sind in der Kabine nicht erlaubt.",
    ),
    "es": (
        "El Museo de la Sal abrió sus puertas en 1987.",
        "La entrada general cuesta 6,50 euros.",
        "La mina tiene una profundidad de 1.240 metros.",
        "Los visitantes no pueden tocar las piezas.",
    ),
    "ja": (
        "白波岬灯台は1923年に建てられた。",
        "塔の高さは31.5メートルである。",
        "入場料は大人300円です。",
        "灯台の中では飲食は禁止されています。",
    ),
}
YES, NO, OPEN = Label.SUPPORTED, Label.CONTRADICTED, Label.UNSCORED
CLAIMS = (
    ("de", "Die Seilbahn Krähenfels wurde 1962 gebaut.", YES),
    ("de", "Die Bergstation liegt auf 1850 Metern Höhe.", OPEN),
    ("de", "Eine Tageskarte kostet 42,50 Euro.", NO),
    ("de", "Hunde sind in der Kabine erlaubt.", NO),
    ("de", "Das Restaurant auf dem Gipfel ist bis Mitternacht geöffnet.", OPEN),
    ("de", "Für eine Tageskarte zahlt man 24,50 Euro.", OPEN),
    ("es", "La mina tiene una profundidad de 1.240 metros.", YES),
    ("es", "La entrada general cuesta 8,50 euros.", NO),
    ("es", "Los visitantes pueden tocar las piezas.", NO),
    ("es", "El museo organiza conciertos de jazz los sábados.", OPEN),
    ("ja", "塔の高さは31.5メートルである。", YES),
    ("ja", "入場料は大人500円です。", NO),
    ("ja", "灯台の中では飲食が許可されています。", OPEN),
    ("ja", "展望台には望遠鏡が三台あります。", OPEN),
)


class Renamed(FakeEmbedder):
    """The fake under the name of another model."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    @property
    def model_id(self) -> str:
        return self._name


ENGLISH: Embedder = Renamed("all-MiniLM-L6-v2@53aa5117/fp32")
MANY: Embedder = Renamed("multilingual-e5-small@00000000/fp32")


def evidence_of(texts: tuple[str, ...], similarity: float = 0.9) -> list[Evidence]:
    found, start = [], 0
    for index, text in enumerate(texts):
        end = start + len(text)
        found.append(
            Evidence(
                page_id="p",
                index=index,
                text=text,
                start=start,
                end=end,
                similarity=similarity,
            )
        )
        start = end + 1
    return found


def judged(claim: str, language: str, embedder: Embedder = ENGLISH) -> Verdict:
    question = Question(claim, tuple(evidence_of(PAGES[language])))
    (verdict,) = EvidenceVerifier(embedder, shipped_model()).verify_now([question])
    return verdict


@pytest.mark.parametrize(("language", "claim", "label"), CLAIMS)
def test_only_what_needs_no_language_is_judged(
    language: str, claim: str, label: Label
) -> None:
    verdict = judged(claim, language)
    assert verdict.label is label, verdict
    assert is_unread(verdict) is (label is OPEN)
    if label is NO:
        assert verdict.rules and verdict.evidence[0].text in PAGES[language]
        assert (verdict.support or 0) < 0.2


@pytest.mark.parametrize(("language", "claim", "label"), CLAIMS)
def test_a_multilingual_model_supports_nothing_against_figure_or_negation(
    language: str, claim: str, label: Label
) -> None:
    verdict = judged(claim, language, MANY)
    assert verdict.label is not OPEN
    if label is not OPEN:
        assert verdict.label is label


def test_an_unread_claim_is_left_to_a_model_that_reads_it() -> None:
    unread = judged(CLAIMS[4][1], "de")
    assert unread.unscored_reason and "German" in unread.unscored_reason
    given_on = as_left_open(unread)
    assert given_on.label is Label.NOT_ENOUGH_INFO
    assert given_on.support is None and not given_on.rules and given_on.evidence
    other = unread.model_copy(update={"unscored_reason": "sources conflict"})
    assert as_left_open(other) == other


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (("The fee is 150 marks, and the course is for beginners.",), "en"),
        (("Vishwanath Prasad Tiwari",), "en"),
        (("Dr. Bora", "Dhrubajyoti Bora / Elfriede Scholz / Erich Remarque"), "en"),
        (("42,50 Euro",), "en"),
        (("Die Fahrt dauert 7,5 Minuten.", *PAGES["de"]), "de"),
        (("Das Buch heißt “The Art of the Loom”.", *PAGES["de"]), "de"),
        (PAGES["es"], "es"),
        (PAGES["ja"], "ja"),
    ],
)
def test_languages_are_told_by_texts_together(
    texts: tuple[str, ...], language: str
) -> None:
    assert language_of(*texts) == language


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("1.850", "1850", True),
        ("1.850", "1,85", None),
        ("7,5", "75", False),
        ("24,50", "24.5", True),
        ("24,50", "42,50", False),
        ("1 240", "1.240", True),
    ],
)
def test_separators_are_read_both_ways(
    left: str, right: str, same: bool | None
) -> None:
    assert bool(readings_of(left) & readings_of(right)) is (same is not False)
    assert same_figures((left,), (right,)) in (
        (None,) if same is None else (same, None)
    )


@given(st.text(max_size=60), st.sampled_from(["de", "es", "ja", "fr", "xx"]))
def test_a_text_is_never_against_itself(text: str, language: str) -> None:
    twin = find_near_duplicate(text, evidence_of((text,)), language)
    assert twin is None or twin.label is YES
    assert (twin is None) is (not shape_of(text, language).plain)


@pytest.mark.parametrize(
    ("claim", "page", "label"),
    [
        ("Das Tor war nie verschlossen.", "Das Tor war niemals verschlossen.", None),
        ("Nicht alle Tore sind offen.", "Alle Tore sind nicht offen.", None),
        ("Das Tor war nie verschlossen.", "Das Tor war verschlossen.", NO),
        ("Die Karte kostet 5 €.", "Die Karte kostet 5 $.", None),
        ("Die Karte kostet 5 €.", "Die Karte kostet 5€.", YES),
        ("Es waren -5 Grad.", "Es waren 5 Grad.", None),
        ("Es waren −5 Grad.", "Es waren -5 Grad.", YES),
    ],
)
def test_two_denials_and_other_signs_are_no_twins(
    claim: str, page: str, label: Label | None
) -> None:
    twin = find_near_duplicate(claim, evidence_of((page,)), "de")
    assert (twin.label if twin else None) is label


def test_which_embedding_models_read_english_only() -> None:
    assert reads_english_only("all-MiniLM-L6-v2@53aa5117/fp32")
    assert reads_english_only("sentence-transformers/all-mpnet-base-v2@1/fp32")
    assert not reads_english_only("paraphrase-multilingual-MiniLM-L12-v2@1/fp32")
    assert not reads_english_only("ollama:bge-m3@1")


@pytest.mark.parametrize(
    ("code", "name"), [("de", "German"), ("sk", "Slovak"), ("zz", "zz")]
)
def test_a_language_is_named_where_its_name_is_known(code: str, name: str) -> None:
    assert name_of(code) == name
