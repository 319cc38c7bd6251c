"""Verifier models are asked as they were trained, and their words read as they mean."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.errors import ReplyUnreadable
from claimscope.core.grade.probing import OF_A_WRITER, TOTAL, ProbedModel, probe
from claimscope.core.models import Evidence, Label, Usage
from claimscope.core.ports import ChatReply, Embedder, Question
from claimscope.core.settings import Settings
from claimscope.core.verify import planted_cases as planted
from claimscope.core.verify.witnesses.language_model import ModelVerifier
from claimscope.core.verify.witnesses.model_question import (
    GUARDIAN,
    GUARDIAN_SCORED,
    MINICHECK,
    USUAL,
    QuestionForm,
    form_of,
)
from claimscope.core.verify.witnesses.response_bias import Leanings
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from tests.doubles import fakes
from tests.doubles.fake_ollama import (
    FakeOllama,
    Reply,
    chose,
    model,
    said,
    tokens,
    too_long,
)
from tests.doubles.planted_model import TRUTH
from tests.material.ollama_pool import OllamaServer

MODELS = {
    "bespoke-minicheck:7b": MINICHECK,
    "granite3.2-guardian:5b": GUARDIAN,
    "granite3.3-guardian:8b": GUARDIAN_SCORED,
}


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("bespoke-minicheck", MINICHECK),
        ("bespoke-minicheck:7b-q4_K_M", MINICHECK),
        ("jmorgan/bespoke-minicheck:latest", MINICHECK),
        ("hf.co/bespokelabs/Bespoke-MiniCheck-7B-GGUF:Q4_K_M", MINICHECK),
        ("granite3-guardian:2b", GUARDIAN),
        ("granite3.1-guardian:8b", GUARDIAN),
        ("ibm/granite3.2-guardian:5b", GUARDIAN),
        ("ibm/granite3.3-guardian:8b", GUARDIAN_SCORED),
        ("granite4.1-guardian", GUARDIAN_SCORED),
        ("elishabjm/granite-guardian-4.1:8b-q5_k_m", GUARDIAN_SCORED),
        ("granite-guardian-3.1", GUARDIAN),
        ("granite3.3:8b", USUAL),
        ("qwen2.5:7b", USUAL),
        ("guardian:1b", USUAL),
        ("minicheck/qwen2.5:7b", USUAL),
    ],
)
def test_a_verifier_is_known_by_its_name(name: str, form: QuestionForm) -> None:
    assert form_of(name) is form
    assert form_of(name, "openai") is USUAL, "its template is not known elsewhere"


def test_the_forms_are_those_that_are_documented() -> None:
    request = MINICHECK.ask("A deep basin.", "It costs $5.", "")
    assert request.messages == (
        ("user", "Document: A deep basin.\nClaim: It costs $5."),
    )
    assert (request.max_tokens, request.top_logprobs) == (1, 10)
    request = GUARDIAN.ask("A deep basin.", "It is deep.", "")
    assert request.messages == (
        ("system", "groundedness"),
        ("context", "A deep basin."),
        ("assistant", "It is deep."),
    )
    assert request.max_tokens == 1
    request = GUARDIAN_SCORED.ask("A deep basin.", "It is deep.", "")
    assert [role for role, _ in request.messages] == ["system", "document", "assistant"]
    assert request.max_tokens == 16
    digests = {form.ask("d", "c", "").prompt_digest for form in MODELS.values()}
    assert len(digests) == 3


def reply(content: str, **logprobs: float) -> ChatReply:
    return ChatReply(content, None, "stop", tuple(logprobs.items()), Usage(calls=1))


def test_yes_of_a_guardian_is_a_risk() -> None:
    nine, one = math.log(0.9), math.log(0.1)
    assert MINICHECK.support(reply("Yes", Yes=nine, No=one)) == pytest.approx(0.9)
    assert GUARDIAN.support(reply("Yes", Yes=nine, No=one)) == pytest.approx(0.1)
    assert GUARDIAN.support(reply("No", No=nine, Yes=one)) == pytest.approx(0.9)
    assert GUARDIAN.support(reply("No")) == pytest.approx(0.85)
    for text, support in (
        ("<score> no </score>", 0.85),
        ("<score>Yes</score>", 0.15),
        ("\n<score> no", 0.85),
    ):
        assert GUARDIAN_SCORED.support(reply(text)) == pytest.approx(support)
    for text in ("no", "<score> maybe </score>", ""):
        with pytest.raises(ReplyUnreadable):
            GUARDIAN_SCORED.support(reply(text))


# --- on the double --------------------------------------------------------------


def trained(
    probability: Callable[[str, str], float],
) -> Callable[[dict[str, Any]], Reply]:
    """Plays each of the three: asked in another form it cannot be read."""

    def answer(body: dict[str, Any]) -> Reply:
        messages = [(one["role"], one["content"]) for one in body["messages"]]
        size = len(tokens(" ".join(text for _, text in messages))) + 9
        if size >= int(body["options"]["num_ctx"]):
            return too_long(size, int(body["options"]["num_ctx"]))
        form = MODELS[body["model"]]
        if form is MINICHECK:
            ((role, text),) = messages
            assert role == "user" and text.startswith("Document: ")
            document, _, claim = text.removeprefix("Document: ").rpartition("\nClaim: ")
        else:
            wanted = "document" if form is GUARDIAN_SCORED else "context"
            assert [role for role, _ in messages] == ["system", wanted, "assistant"]
            assert messages[0][1] == "groundedness"
            document, claim = messages[1][1], messages[2][1]
        stated = probability(document, claim)
        if form is GUARDIAN_SCORED:
            word = "no" if stated > 0.5 else "yes"
            return said(f"<score> {word} </score>", prompt_eval_count=size)
        yes = stated if form is MINICHECK else 1 - stated
        both = {"Yes": math.log(yes), "No": math.log(1 - yes)}
        best = dict(sorted(both.items(), key=lambda item: -item[1]))
        return chose(best, prompt_eval_count=size)

    return answer


def knows(document: str, claim: str) -> float:
    """The planted claims, and of others whether the document has their words."""
    is_true = TRUTH[claim] if claim in TRUTH else claim in document
    return 0.95 if is_true else 0.05


@pytest.fixture(params=MODELS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama({one: model() for one in MODELS}, answer=trained(knows)) as started:
        yield started


async def test_verdicts_are_made_of_what_it_means(fake: FakeOllama, name: str) -> None:
    text = "The basin is eleven metres deep. It was dug by hand."
    evidence = Evidence(page_id="b", index=0, text=text, start=0, end=len(text))
    claims = ("It was dug by hand.", "It was dug by machines.")
    async with OllamaServer(fake.host, limits=CallLimits(backoff=0)) as server:
        verifier = ModelVerifier(
            await server.chat_model(name),
            find_rules=lambda claim, found: (),
            claims_per_call=3,
            votes=3,
            leanings=Leanings(),
            form=form_of(name),
        )
        asked = [Question(claim, (evidence,)) for claim in claims]
        stated, absent = await verifier.verify(asked)
    assert (stated.support or 0) > 0.5 > (absent.support or 0)
    assert (stated.label, absent.label) == (Label.SUPPORTED, Label.NOT_ENOUGH_INFO)
    assert len(fake.chats) == len(planted.CLAIMS) + 2, "one call a claim"


async def test_without_log_probabilities_votes_mean_the_same(fake: FakeOllama) -> None:
    def bare(body: dict[str, Any]) -> Reply:
        document, claim = (one["content"] for one in body["messages"][1:])
        return said("No" if knows(document, claim) > 0.5 else "Yes")

    fake.answer = bare
    text = "It was dug by hand."
    evidence = Evidence(page_id="b", index=0, text=text, start=0, end=len(text))
    name = "granite3.2-guardian:5b"
    async with OllamaServer(fake.host, limits=CallLimits(backoff=0)) as server:
        verifier = ModelVerifier(
            await server.chat_model(name),
            find_rules=lambda claim, found: (),
            votes=3,
            form=form_of(name),
        )
        stated, absent = await verifier.verify(
            [Question(text, (evidence,)), Question("It is dry.", (evidence,))]
        )
    assert (stated.support or 0) > (absent.support or 0)


async def test_a_probe_asks_what_it_can_and_gives_no_grades(
    fake: FakeOllama, name: str
) -> None:
    async with OllamaServer(fake.host, limits=CallLimits(backoff=0)) as server:
        chat = await server.chat_model(name, context_tokens=2048)

        async def loaded() -> int | None:
            return (await server.loaded()).get(chat.name)

        form = form_of(name)
        found = await probe(ProbedModel(chat, "0.33.3", 2048, loaded, form))
    assert len(found.cases) == TOTAL - OF_A_WRITER
    kinds = {case.kind for case in found.cases}
    assert not kinds & {"schema", "grading", "citation", "abstention"}
    assert found.separation == 1.0
    assert found.verdict_for("verdicts") == found.verdict != "unfit"
    assert found.verdict_for("grades") == "unfit"
    (why,) = [one.text for one in found.reasons if one.concerns == ("grades",)]
    assert form.name in why


@pytest.mark.slow
def test_a_run_takes_its_verdicts_and_no_grades(
    fake: FakeOllama,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def make(settings: Settings) -> Embedder:
        return fakes.FakeEmbedder()

    monkeypatch.setattr(judges, "make_embedder", make)
    monkeypatch.setenv("OLLAMA_HOST", fake.host)
    (tmp_path / "pages").mkdir()
    text = "The Orla crane was built in 1952, and it lifts 40 tonnes."
    (tmp_path / "pages" / "crane.md").write_text(text)
    (tmp_path / "answers.jsonl").write_text(json.dumps({"case_id": "c", "text": text}))
    suite = {
        "format": "claimscope.suite",
        "version": 1,
        "id": "crane",
        "pages": "pages",
        "answers": "answers.jsonl",
        "cases": [{"id": "c", "question": "What of the crane?"}],
    }
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    words = ["--verifier", "model", "--model", name, "--judge", "--json"]
    words += ["--pass-rule", "claims"]
    assert main(["run", str(tmp_path / "suite.json"), *words]) == 0
    store = DiskRunStore(Workspace.find(None).runs)
    (status,) = store.runs()
    (sample,) = store.read(status.header.run_id).samples()
    assert sample.claims and all(c.verdict.call_keys for c in sample.claims)
    assert {grade.value for grade in sample.grades} == {None}
    why = sample.grades[0].unscored_reason or ""
    assert "verifies claims and gives no grades" in why
    assert why in " ".join(capsys.readouterr().err.split())
