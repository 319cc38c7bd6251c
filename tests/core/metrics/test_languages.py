"""A German, a Spanish and a Japanese sample through everything: no wrong score.

Claims, verdicts, required claims, citations, every metric, outcome and the report.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import (
    Answer,
    Case,
    CaseClaim,
    CitationState,
    ExpectedCitation,
    FailureKind,
    Label,
    Page,
    SampleKey,
    SampleResult,
)
from claimscope.core.report.renderers import plain
from claimscope.core.report.views.sample import sample_view
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.settings import Settings
from claimscope.core.verify.decomposition import decompose
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles.fakes import FakeEmbedder

YES, NO, OPEN = Label.SUPPORTED, Label.CONTRADICTED, Label.UNSCORED
ENGLISH = "all-MiniLM-L6-v2@53aa5117/fp32"
MANY = "multilingual-e5-small@00000000/fp32"


@dataclass(frozen=True)
class Spoken:
    """A case of a language, its page, and what is right of each claim."""

    page: str
    question: str
    answer: str
    labels: tuple[Label, ...]
    verbatim: str
    """A required claim that the answer says word for word."""
    otherwise: str
    """One that it says with another figure."""
    reworded: str


SAMPLES = {
    "de": Spoken(
        "Die Seilbahn Krähenfels wurde 1962 gebaut. Die Fahrt dauert 7,5 Minuten. "
        "Eine Tageskarte kostet 24,50 Euro. Hunde sind in der Kabine nicht erlaubt.",
        "Was kostet eine Tageskarte der Seilbahn Krähenfels?",
        "Die Fahrt dauert 7,5 Minuten [seite, S:1]. Eine Tageskarte kostet 42,50 Euro "
        "[seite, S:2]. Hunde sind in der Kabine erlaubt. Das Restaurant auf dem Gipfel "
        "ist bis Mitternacht geöffnet.",
        (YES, NO, NO, OPEN),
        "Die Fahrt dauert 7,5 Minuten.",
        "Eine Tageskarte kostet 24,50 Euro.",
        "Mit der Bahn fährt man siebeneinhalb Minuten lang nach oben.",
    ),
    "es": Spoken(
        "El Museo de la Sal abrió sus puertas en 1987. La entrada general cuesta 6,50 "
        "euros. La mina tiene una profundidad de 1.240 metros. Los visitantes no "
        "pueden tocar las piezas.",
        "¿Cuánto cuesta la entrada general del Museo de la Sal?",
        "La mina tiene una profundidad de 1.240 metros [seite, S:2]. La entrada "
        "general cuesta 8,50 euros [seite, S:1]. Los visitantes pueden tocar las "
        "piezas. El museo organiza conciertos de jazz los sábados.",
        (YES, NO, NO, OPEN),
        "La mina tiene una profundidad de 1.240 metros.",
        "La entrada general cuesta 6,50 euros.",
        "Bajo tierra se llega hasta más de mil doscientos metros de hondo.",
    ),
    "ja": Spoken(
        "白波岬灯台は1923年に建てられた。塔の高さは31.5メートルである。入場料は大人300円です。"
        "灯台の中では飲食は禁止されています。",
        "白波岬灯台の入場料はいくらですか。",
        "塔の高さは31.5メートルである。入場料は大人500円です。"
        "灯台の中では飲食が許可されています。展望台には望遠鏡が三台あります。",
        (YES, NO, OPEN, OPEN),
        "塔の高さは31.5メートルである。",
        "入場料は大人300円です。",
        "灯台はおよそ三十メートルの高さを持つ建物だ。",
    ),
}


async def judged(language: str, model: str = ENGLISH) -> SampleResult:
    spoken = SAMPLES[language]
    embedder = FakeEmbedder(model)
    wanted = (spoken.verbatim, spoken.otherwise, spoken.reworded)
    case = Case(
        id="c",
        question=spoken.question,
        reference=spoken.page,
        claims=tuple(CaseClaim(text=text) for text in wanted),
        citations=(ExpectedCitation(page_id="seite", sentence=1),),
    )
    answer = Answer(case_id="c", provider="p", text=spoken.answer)
    services = Services(
        embedder=embedder,
        verifier=EvidenceVerifier(embedder, shipped_model()),
        settings=Settings(),
        corpus=MemoryCorpus("c", [Page(page_id="seite", text=spoken.page)], embedder),
        metrics=tuple(discover()),
    )
    key = SampleKey(case_id="c", provider="p")
    return await evaluate(SampleTask(key=key, case=case, answer=answer), services)


@pytest.mark.parametrize("language", SAMPLES)
async def test_every_part_is_right_or_says_that_it_cannot_tell(language: str) -> None:
    result = await judged(language)
    assert tuple(r.verdict.label for r in result.claims) == SAMPLES[language].labels
    verbatim, otherwise, reworded = result.required_claims
    assert verbatim.found and not verbatim.unscored_reason
    assert not otherwise.found and otherwise.conflicts_with
    assert not reworded.found and reworded.unscored_reason
    assert result.passed is False
    kinds = {failure.kind for failure in result.failures}
    assert {FailureKind.CONTRADICTED, FailureKind.UNSCORED} <= kinds
    missing = [f for f in result.failures if f.kind is FailureKind.MISSING_CLAIM]
    assert [otherwise.text in failure.message for failure in missing] == [True]
    assert not any(c.state is CitationState.BROKEN for c in result.citations)


@pytest.mark.parametrize("language", SAMPLES)
async def test_metrics_that_cannot_read_it_give_no_figure(language: str) -> None:
    result = await judged(language)
    scores = {score.metric: score for score in result.scores}
    for name in ("accuracy", "semantic_similarity", "answer_correctness", "highlights"):
        assert not scores[name].applicable and scores[name].value is None
        assert "embedding model does not read" in scores[name].reason
    for name in ("coherence", "prompt_completeness", "structure", "vocabulary"):
        assert not scores[name].applicable and "not English" in scores[name].reason
    completeness = scores["claim_completeness"]
    assert completeness.applicable and completeness.value is None
    text = "\n".join(plain.lines([sample_view(result)]))
    assert "not judged" in text and SAMPLES[language].answer[:8] in text


@pytest.mark.parametrize("language", SAMPLES)
async def test_a_multilingual_model_is_believed_within_bounds(language: str) -> None:
    result = await judged(language, MANY)
    labels = [r.verdict.label for r in result.claims]
    assert OPEN not in labels
    assert labels[:2] == [YES, NO]
    assert labels[2] is not YES
    scores = {score.metric: score for score in result.scores}
    assert scores["semantic_similarity"].value is not None
    assert not any(required.unscored_reason for required in result.required_claims)


@pytest.mark.parametrize(
    ("text", "abstains"),
    [
        ("Das weiß ich leider nicht.", True),
        ("Der Preis geht aus den Seiten nicht hervor.", True),
        ("No lo sé.", True),
        ("Los documentos no indican el precio.", True),
        ("Je ne sais pas.", True),
        ("料金についての情報はありません。", True),
        ("Hunde sind nicht erlaubt.", False),
        ("Los lunes no abre el museo.", False),
        ("塔の高さは31.5メートルである。", False),
    ],
)
def test_saying_that_one_does_not_know_is_no_claim(text: str, abstains: bool) -> None:
    found = decompose(text)
    assert found.abstained is abstains
    assert len(found.claims) == (0 if abstains else 1)
