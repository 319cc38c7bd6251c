"""A model that has proved itself a reader: how it is counted, what its word does."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import ReplyUnreadable, ServerDown
from claimscope.core.models import Evidence, Label, Says, Testimony, Usage, Verdict
from claimscope.core.models.verdicts import PEERS
from claimscope.core.ports import DESCRIBED, ChatReply, ChatRequest, Question
from claimscope.core.verify import hard_cases
from claimscope.core.verify.compound import join_verdicts
from claimscope.core.verify.hard_cases import hard_digest, hard_documents
from claimscope.core.verify.planted_cases import CLAIMS
from claimscope.core.verify.quotation import Quote, find_quote
from claimscope.core.verify.resolve import DENIAL, TOGETHER, policy, resolve
from claimscope.core.verify.witnesses.fusion import Leaning
from claimscope.core.verify.witnesses.language_model import ModelVerifier
from claimscope.core.verify.witnesses.model_question import USUAL, QuestionForm
from claimscope.core.verify.witnesses.model_reading import ModelReading
from claimscope.core.verify.witnesses.model_windows import ModelWindow, place
from claimscope.core.verify.witnesses.proven_word import (
    is_open_to_denial,
    joined_probability,
    may_contradict,
    with_proven_word,
)
from claimscope.core.verify.witnesses.reading_rates import ReadingRates, rates_of
from claimscope.core.verify.witnesses.response_bias import Leanings, leaning_of
from claimscope.core.verify.witnesses.without_model import ENTAILMENT, WORD
from tests.doubles.planted_model import RULED_OUT
from tests.doubles.scripted import Answer, Fixed, ScriptedChat

GOOD = ReadingRates(30, 28, 42, 2, contradicted=24, denied=20, wrongly_denied=1)
"""Of a model that reads well."""
PAGE = (
    "The upper lock is closed from 3 to 17 May. Boats of more than 12 metres need a "
    "pilot there. The keeper opens the gates on request."
)
LOCK, PILOT, KEEPER = (
    Evidence(
        page_id="lock", index=n, text=text, start=(at := PAGE.index(text)),
        end=at + len(text),
    )
    for n, text in enumerate(re.findall(r"[^.]+\.", PAGE.replace(". ", ".")))
)  # fmt: skip
TRUE = "A vessel 13 metres long must have somebody aboard who knows the lock."
FALSE = "Boats of any length may pass the upper lock without a pilot."
ABSENT = "A pilot costs 40 crowns."


def entailment(says: Says, strength: float, **more: float) -> Testimony:
    """What the entailment model says; strength: of its probabilities the one that it
    says so by."""
    is_against = says in ("doubts", "contradicts")
    given = {
        "entails": min(0.05, 1 - strength) if is_against else strength,
        "contradicts": strength if is_against else 0.0,
    }
    return Testimony(
        witness=ENTAILMENT,
        says=says,
        strength=strength,
        place=PILOT.sentence_id,
        **{**given, **more},
    )


def heard(says: Says, strength: float, *more: Testimony) -> Verdict:
    """What the witnesses without a language model say."""
    own = entailment(says, strength)
    outcome = resolve([own, *more])
    return Verdict(
        label=outcome.label,
        band=outcome.band,
        support=0.4,
        testimony=outcome.testimony,
        verifier="evidence-2",
        evidence=(PILOT,),
    )


def word(text: str) -> ChatReply:
    """Yes or No, nearly for sure."""
    other = "No" if text == "Yes" else "Yes"
    return ChatReply(text, None, "stop", ((text, -0.01), (other, -4.6)), Usage(), "k")


GOLDS = {
    **{
        one.claim: Label.SUPPORTED if one.is_true else Label.CONTRADICTED
        for one in CLAIMS
    },
    **{one.claim: one.gold for text in hard_documents() for one in text.claims},
    TRUE: Label.SUPPORTED,
    FALSE: Label.CONTRADICTED,
    ABSENT: Label.NOT_ENOUGH_INFO,
}


def answering(
    quote: str = PILOT.text,
    wrong: Callable[[str], bool] = lambda claim: False,
    denies: Callable[[str], bool] | None = None,
) -> Callable[[ChatRequest], Answer]:
    """Answers of a model that knows what is true of all claims, but for some that it
    gets wrong; `denies`: what it says is ruled out, by default what is."""

    def answer(request: ChatRequest) -> Answer:
        text = request.messages[-1][1]
        claim = next(one for one in GOLDS if f": {one}\n\n" in text)
        gold = GOLDS[claim]
        if request.max_tokens > 1:
            return quote
        if RULED_OUT in text:
            said = gold is Label.CONTRADICTED if denies is None else denies(claim)
            return word("Yes" if said else "No")
        return word("Yes" if (gold is Label.SUPPORTED) != wrong(claim) else "No")

    return answer


def reading(
    quote: str = PILOT.text,
    wrong: Callable[[str], bool] = lambda claim: False,
    denies: Callable[[str], bool] | None = None,
) -> ScriptedChat:
    """Such a model."""
    return ScriptedChat(answering(quote, wrong, denies))


async def judged(
    chat: ScriptedChat,
    base: Verdict,
    claim: str,
    notes: list[str] | None = None,
    form: QuestionForm = USUAL,
    evidence: Sequence[Evidence] = (PILOT, LOCK, KEEPER),
) -> Verdict:
    """The verdict of a model that is measured first."""
    verifier = ModelVerifier(
        chat,
        Fixed(base),
        wordings=("verify",),
        leanings=Leanings(),
        on_note=(notes if notes is not None else []).append,
        form=form,
    )
    asked = Question(claim, tuple(evidence), None, (("lock", PAGE),))
    (verdict,) = await verifier.verify([asked])
    return verdict


def asked_of(chat: ScriptedChat, claim: str) -> list[str]:
    """Last lines of the questions on a claim."""
    texts = [request.messages[-1][1] for request in chat.asked]
    return [text.rsplit("\n\n", 1)[1] for text in texts if claim in text]


# --- the cases ---


def test_each_hard_document_has_true_ruled_out_and_open_claims() -> None:
    documents = hard_documents()
    claims = [one.claim for document in documents for one in document.claims]
    assert len(documents) == 6 and len(set(claims)) == len(claims) == 72
    assert not set(claims) & {one.claim for one in CLAIMS}
    for document in documents:
        golds = Counter(one.gold for one in document.claims)
        assert golds == {
            Label.SUPPORTED: 5,
            Label.CONTRADICTED: 4,
            Label.NOT_ENOUGH_INFO: 3,
        }
        assert all(one.kind for one in document.claims)


def test_other_cases_have_another_digest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shipped = hard_digest()
    other = tmp_path / "hard.json"
    other.write_text(
        hard_cases.FILE.read_text("utf-8").replace("bell", "gong"), "utf-8"
    )
    monkeypatch.setattr(hard_cases, "FILE", other)
    hard_digest.cache_clear()
    try:
        assert hard_digest() != shipped
    finally:
        hard_digest.cache_clear()


# --- rates ---


def test_rates_are_counted_from_the_middle_of_the_models_own_answers() -> None:
    # It leans to Yes, and still tells them apart.
    rates = rates_of([0.99, 0.98, 0.97], [0.8, 0.7, 0.985])
    assert (rates.accepted, rates.wrongly) == (3, 1)
    assert not rates.is_proven, "six answers prove nothing"
    assert rates.youden == pytest.approx(2 / 3)
    assert rates.is_yes(0.97) and not rates.is_yes(0.8)


def test_the_word_moves_the_odds_by_its_likelihood_ratio() -> None:
    ratio = (29 / 32) / (3 / 44)
    assert GOOD.joined(0.9, 0.5) == pytest.approx(ratio / (1 + ratio))
    ratio = (3 / 32) / (41 / 44)
    assert GOOD.joined(0.1, 0.5) == pytest.approx(ratio / (1 + ratio))


@given(st.floats(0, 1), st.integers(0, 30), st.integers(0, 42))
def test_yes_never_lowers_and_no_never_raises_it_for_who_accepts_more_true_ones(
    entails: float, accepted: int, wrongly: int
) -> None:
    rates = ReadingRates(30, accepted, 42, wrongly)
    if (accepted + 1) / 32 <= (wrongly + 1) / 44:
        return
    low, high = rates.joined(0.1, entails), rates.joined(0.9, entails)
    assert 0 < low <= high < 1
    even = rates.joined(0.9, 0.5)
    assert even > 0.5 > rates.joined(0.1, 0.5)


def test_no_count_makes_a_word_certain() -> None:
    perfect = ReadingRates(30, 30, 42, 0)
    assert perfect.joined(0.99, 0.02) < 0.66
    assert perfect.joined(0.01, 0.999) > 0.5


@pytest.mark.parametrize(
    ("denied", "wrongly", "may"), [(20, 1, True), (20, 2, False), (11, 0, False)]
)
def test_denials_count_of_who_finds_half_and_errs_once(
    denied: int, wrongly: int, may: bool
) -> None:
    rates = replace(GOOD, denied=denied, wrongly_denied=wrongly)
    assert rates.may_deny is may
    assert ("may contradict" in rates.counts) is may


def test_who_was_never_asked_for_denials_denies_nothing() -> None:
    assert not ReadingRates(30, 30, 42, 0).may_deny


def test_claims_on_the_wrong_side_are_counted() -> None:
    assert leaning_of([0.9, 0.8, 0.3], [0.1, 0.2, 0.9]).errors == 2
    assert Leaning(0.0, 1.0).errors == 0


# --- counting ---


async def test_a_model_that_reads_is_asked_all_hard_claims_once() -> None:
    chat = reading()
    notes: list[str] = []
    await judged(chat, heard("silent", 0.3), TRUE, notes)
    hard = [one for text in hard_documents() for one in text.claims]
    usual = [
        claim
        for claim in GOLDS
        for line in asked_of(chat, claim)
        if "every part" in line
    ]
    assert sorted(usual) == sorted([*GOLDS.keys() - {FALSE, ABSENT}])
    denials = sum(RULED_OUT in r.messages[-1][1] for r in chat.asked)
    assert denials == sum(not one.is_true for one in hard)
    (note,) = notes
    assert "30 of 30 true" in note and "0 of 42 others" in note
    assert "its word counts by these rates, it may contradict" in note
    planted = [r for r in chat.asked if TRUE not in r.messages[-1][1]]
    assert all(request.is_everyones for request in planted)


async def test_one_that_goes_by_words_is_asked_few_of_them() -> None:
    hard = {one.claim for text in hard_documents() for one in text.claims}
    false = {claim for claim in hard if GOLDS[claim] is not Label.SUPPORTED}
    chat = reading(wrong=lambda claim: claim in false)
    notes: list[str] = []
    verdict = await judged(chat, heard("silent", 0.3), TRUE, notes)
    asked = {claim for claim in hard if asked_of(chat, claim)}
    assert asked == {one.claim for one in hard_documents()[0].claims}
    assert "only backs or doubts" in notes[0]
    assert verdict.label is Label.NOT_ENOUGH_INFO
    assert not any(one.witness == TOGETHER for one in verdict.testimony)


async def test_one_that_errs_on_easy_claims_is_asked_none() -> None:
    wrong = {one.claim for one in CLAIMS[:2]}
    chat = reading(wrong=lambda claim: claim in wrong)
    notes: list[str] = []
    await judged(chat, heard("silent", 0.3), TRUE, notes)
    hard = [one.claim for text in hard_documents() for one in text.claims]
    assert not any(asked_of(chat, claim) for claim in hard) and not notes


async def test_two_that_ask_at_once_count_once() -> None:
    chat, leanings = reading(), Leanings()
    base = Fixed(heard("silent", 0.3))
    verifier = ModelVerifier(chat, base, wordings=("verify",), leanings=leanings)
    asked = [Question(TRUE, (PILOT,), None, (("lock", PAGE),))]
    await asyncio.gather(verifier.verify(asked), verifier.verify(asked))
    first = hard_documents()[0].claims[0].claim
    assert len(asked_of(chat, first)) == 1


async def test_a_hard_claim_without_an_answer_is_left_out() -> None:
    lost = hard_documents()[0].claims[0].claim
    plain = answering()

    def answer(request: ChatRequest) -> Answer:
        if lost in request.messages[-1][1]:
            return ReplyUnreadable("no word", "", raw="?")
        return plain(request)

    notes: list[str] = []
    await judged(ScriptedChat(answer), heard("silent", 0.3), TRUE, notes)
    assert "29 of 29 true" in notes[0]


# --- verdicts ---


async def test_its_yes_makes_supported_what_the_entailment_model_half_sees() -> None:
    chat = reading()
    verdict = await judged(chat, heard("silent", 0.3), TRUE)
    assert verdict.word == "supported"
    assert verdict.evidence[0] == PILOT, "the sentence that it names"
    assert "Yes of scripted:1b" in (verdict.reason or "")
    assert verdict.support is not None and verdict.support > 0.9
    by = {one.witness: one for one in verdict.testimony}
    assert by[TOGETHER].decisive and by[TOGETHER].place == PILOT.sentence_id
    assert by[WORD].says == "silent" and by[ENTAILMENT].strength == 0.3


async def test_what_the_entailment_model_sees_nothing_of_stays_open() -> None:
    verdict = await judged(reading(), heard("silent", 0.004), TRUE)
    assert verdict.label is Label.NOT_ENOUGH_INFO


async def test_its_no_is_stronger_than_a_reader_that_is_fairly_sure() -> None:
    base = heard("entails", 0.85)
    assert base.word == "supported"
    verdict = await judged(reading(), base, ABSENT)
    assert verdict.word == "not enough info"
    assert "No of scripted:1b" in (verdict.reason or "")


async def test_a_figure_rules_doubt_makes_its_yes_likely() -> None:
    doubt = Testimony(witness="rule:figure", says="doubts", reason="13 is missing.")
    verdict = await judged(reading(), heard("silent", 0.4, doubt), TRUE)
    assert verdict.word == "likely"


async def test_its_yes_turns_what_readers_contradict_into_a_doubt() -> None:
    base = heard("contradicts", 0.95)
    assert base.label is Label.CONTRADICTED
    assert (await judged(reading(), base, TRUE)).label is Label.NOT_ENOUGH_INFO
    worded = Testimony(
        witness="rule:role", says="contradicts", place="lock:1", reason="Turned round."
    )
    base = heard("silent", 0.3, worded)
    assert (await judged(reading(), base, TRUE)).label is Label.CONTRADICTED


async def test_what_it_says_is_ruled_out_is_contradicted_by_the_sentence() -> None:
    chat = reading()
    verdict = await judged(chat, heard("silent", 0.3), FALSE)
    assert verdict.label is Label.CONTRADICTED
    assert verdict.evidence[0] == PILOT
    assert f"{PILOT.sentence_id} rules it out" in (verdict.reason or "")
    assert verdict.support is not None and verdict.support < 0.2
    assert len(asked_of(chat, FALSE)) == 3, "stated, ruled out, by which sentence"


async def test_a_sentence_that_stands_nowhere_contradicts_nothing() -> None:
    chat = reading(quote="No boat may pass at all, pilots or not.")
    verdict = await judged(chat, heard("silent", 0.3), FALSE)
    assert verdict.label is Label.NOT_ENOUGH_INFO


async def test_what_is_only_not_stated_is_not_contradicted() -> None:
    chat = reading()
    verdict = await judged(chat, heard("silent", 0.3), ABSENT)
    assert verdict.label is Label.NOT_ENOUGH_INFO
    assert len(asked_of(chat, ABSENT)) == 2, "no sentence is asked for"


async def test_one_that_denies_too_much_contradicts_nothing() -> None:
    chat = reading(denies=lambda claim: True)
    verdict = await judged(chat, heard("silent", 0.3), FALSE)
    assert verdict.label is Label.NOT_ENOUGH_INFO
    assert len(asked_of(chat, FALSE)) == 1


async def test_one_made_to_verify_is_asked_for_its_word_alone() -> None:
    chat = reading()
    form = replace(USUAL, only_verifies=True)
    verdict = await judged(chat, heard("silent", 0.3), FALSE, form=form)
    assert verdict.label is Label.NOT_ENOUGH_INFO
    assert {request.max_tokens for request in chat.asked} == {1}
    assert not any(RULED_OUT in r.messages[-1][1] for r in chat.asked)


async def test_what_the_pages_own_words_prove_is_not_asked_to_be_ruled_out() -> None:
    proof = Testimony(witness="alignment", says="entails", place="lock:1")
    chat = reading()
    verdict = await judged(chat, heard("silent", 0.1, proof), FALSE)
    assert (verdict.word, verdict.band) == ("not enough info", "review")
    assert len(asked_of(chat, FALSE)) == 1


# --- the testimony ---


def read(word: float, settling: Evidence | None = None, **more: object) -> ModelReading:
    """A reading with that word on the whole page."""
    window = ModelWindow(PAGE, frozenset(map(place, (LOCK, PILOT, KEEPER))), True)
    asked = Question(TRUE, (PILOT, LOCK, KEEPER), None, (("lock", PAGE),))
    found = ModelReading(asked, (window,), support=word, window=window)
    if settling is not None:
        found.settling, found.is_quoted = find_quote(PAGE, settling.text), True
    for name, value in more.items():
        setattr(found, name, value)
    return found


def together(said: Sequence[Testimony], reading: ModelReading) -> Testimony:
    found = with_proven_word(said, reading, GOOD, "m", policy())
    return next(one for one in found if one.witness == TOGETHER)


def test_without_the_entailment_model_nothing_is_added() -> None:
    said = [Testimony(witness="likeness", says="silent", strength=0.9)]
    assert joined_probability(said, read(0.9), GOOD) is None
    assert with_proven_word(said, read(0.9), GOOD, "m", policy()) == said


def test_a_yes_never_doubts_and_a_no_never_supports() -> None:
    assert together([entailment("silent", 0.004)], read(0.9)).says == "silent"
    sure = together([entailment("entails", 0.99, contradicts=0.0)], read(0.1))
    assert sure.says != "entails"
    assert together([entailment("silent", 0.3)], read(0.1)).says == "doubts"


def test_more_doubt_is_never_more_support() -> None:
    odds = [
        together([entailment("silent", 0.25)], read(0.9)).strength,
        together([entailment("doubts", 0.43, entails=0.25)], read(0.9)).strength,
        together([entailment("doubts", 0.9)], read(0.9)).strength,
    ]
    assert odds[0] == odds[1] and (odds[2] or 0) < (odds[1] or 0)


def test_a_sentence_that_is_no_candidate_supports_nothing() -> None:
    said = [entailment("silent", 0.4)]
    assert together(said, read(0.9, PILOT)).says == "entails"
    other = read(0.9, PILOT)
    other.question = replace(other.question, evidence=(KEEPER,))
    assert together(said, other).says == "silent"


def test_one_that_shows_no_sentence_makes_it_likely_at_most() -> None:
    said = [entailment("silent", 0.5)]
    shown = together(said, read(0.9, PILOT))
    lost = together(said, read(0.9, is_quoted=True))
    assert (shown.strength or 0) >= policy().surely > (lost.strength or 0)
    assert (shown.place, lost.place) == (PILOT.sentence_id, None)


def test_what_holds_of_another_thing_is_not_supported_by_a_yes() -> None:
    said = [entailment("silent", 0.5), Testimony(witness=PEERS, says="doubts")]
    assert together(said, read(0.9, PILOT)).says == "silent"


def test_proofs_stay_first() -> None:
    proof = Testimony(witness="wording", says="entails", place=KEEPER.sentence_id)
    said = [entailment("silent", 0.5), proof]
    found = with_proven_word(said, read(0.9, PILOT), GOOD, "m", policy())
    assert [one.witness for one in found][:2] == ["wording", TOGETHER]


def test_a_word_that_is_the_best_of_several_windows_tells_less() -> None:
    said = [entailment("silent", 0.4)]
    once = joined_probability(said, read(0.9, times=1), GOOD)
    thrice = joined_probability(said, read(0.9, times=3), GOOD)
    assert once is not None and thrice is not None and thrice < once
    no = [joined_probability(said, read(0.1, times=n), GOOD) for n in (1, 3)]
    assert no[0] == pytest.approx(no[1])


def test_a_denial_beside_its_own_yes_is_not_heard() -> None:
    said = [entailment("silent", 0.5)]
    reading_ = read(0.9, PILOT, denial=0.9)
    found = with_proven_word(said, reading_, GOOD, "m", policy())
    assert not any(one.witness == DENIAL for one in found)


@pytest.mark.parametrize("quote", ["need a pilot", TRUE])
def test_a_few_words_or_the_claim_itself_name_no_sentence(quote: str) -> None:
    found = read(0.9)
    found.settling = Quote(quote, 0, len(quote))
    assert found.settled_by is None


def test_the_sentence_is_one_of_the_page_that_was_read() -> None:
    twin = PILOT.model_copy(update={"page_id": "other"})
    found = read(0.9, PILOT)
    found.question = replace(found.question, evidence=(twin, PILOT))
    assert found.settled_by == PILOT


def test_only_what_is_open_may_be_denied() -> None:
    silent = entailment("silent", 0.1)
    against = Testimony(witness="rule:role", says="contradicts")
    assert is_open_to_denial([silent], 0.1)
    assert not is_open_to_denial([silent], 0.5)
    assert not is_open_to_denial([silent, against], 0.1)


def test_a_model_that_denies_more_needs_a_doubt_besides() -> None:
    rates = replace(GOOD, wrongly_denied=2)
    silent, doubts = entailment("silent", 0.1), entailment("doubts", 0.6)

    def may(
        said: Sequence[Testimony], counted: ReadingRates, asked: ModelReading
    ) -> bool:
        return may_contradict(said, asked, counted, policy())

    whole = read(0.1)
    assert may([silent], GOOD, whole)
    assert not may([silent], rates, whole)
    assert may([doubts], rates, whole)
    assert not may([entailment("doubts", 0.3)], rates, whole)
    assert not may([doubts], replace(rates, denied=11), whole)
    assert not may([], rates, whole)
    assert "contradicts what is doubted besides" in rates.counts
    # Of a selection of sentences a better one may be missing; what was not read, too.
    part = read(0.1)
    part.window = ModelWindow(PAGE, frozenset())
    assert not may([silent], GOOD, part) and may([doubts], GOOD, part)
    assert not may([doubts], GOOD, read(0.1, unread=1))


async def test_its_denial_beside_a_doubt_contradicts() -> None:
    first = [one for text in hard_documents()[:2] for one in text.claims]
    open_ = [one.claim for one in first if one.gold is Label.NOT_ENOUGH_INFO]

    def denies(claim: str) -> bool:
        return claim in open_[:2] or GOLDS[claim] is Label.CONTRADICTED

    # Two wrong denials: by itself it contradicts nothing.
    chat = reading(denies=denies)
    found = await judged(chat, heard("silent", 0.3), FALSE)
    assert found.label is Label.NOT_ENOUGH_INFO
    assert len(asked_of(chat, FALSE)) == 1
    found = await judged(chat, heard("doubts", 0.6), FALSE)
    assert found.label is Label.CONTRADICTED


async def test_several_claims_in_a_call_are_no_reading() -> None:
    chat, leanings = ScriptedChat(lambda request: word("Yes")), Leanings()
    leanings.known[chat.name] = Leaning(0.0, 6.0, 1.0, 1.0, 0)
    base = Fixed(heard("silent", 0.3))
    verifier = ModelVerifier(chat, base, claims_per_call=5, leanings=leanings)
    await verifier.verify([Question(TRUE, (PILOT,), None, (("lock", PAGE),))])
    assert not leanings.rates


async def test_one_that_gives_no_probabilities_is_asked_no_hard_claims() -> None:
    plain = answering()

    def bare(request: ChatRequest) -> Answer:
        reply = plain(request)
        return replace(reply, logprobs=()) if isinstance(reply, ChatReply) else reply

    chat = ScriptedChat(bare)
    await judged(chat, heard("silent", 0.3), TRUE)
    hard = [one.claim for text in hard_documents() for one in text.claims]
    assert not any(asked_of(chat, claim) for claim in hard)


async def test_a_server_that_goes_away_while_it_is_counted_leaves_no_call() -> None:
    class Failing(ScriptedChat):
        """Fails on the first question of its kind, and never answers the others."""

        async def chat(self, request: ChatRequest) -> ChatReply:
            is_first = not any(RULED_OUT in r.messages[-1][1] for r in self.asked)
            reply = await super().chat(request)
            if RULED_OUT not in request.messages[-1][1]:
                return reply
            if is_first:
                raise ServerDown("http://localhost:1", "gone")
            await asyncio.Event().wait()
            raise AssertionError

    with pytest.raises(ServerDown):
        await judged(Failing(answering()), heard("silent", 0.3), TRUE)
    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_a_part_that_is_doubted_is_heard_with_the_whole() -> None:
    doubt = Testimony(witness="rule:figure", says="doubts", reason="75 is missing.")
    open_, doubted = heard("silent", 0.3), heard("silent", 0.3, doubt)
    parts = ["The lock has a keeper.", "The lock holds 75 boats."]
    joined = join_verdicts(open_, parts, [open_, doubted])
    assert any(one.witness == "rule:figure" for one in joined.testimony)


# --- what earlier runs found ---


class Kept:
    """Rates of earlier runs, in memory."""

    def __init__(self) -> None:
        self.rates: dict[str, ReadingRates] = {}

    def known(self, key: str) -> ReadingRates | None:
        return self.rates.get(key)

    def keep(self, key: str, rates: ReadingRates) -> None:
        self.rates[key] = rates


async def hard_questions(kept: Kept, weights: str | None, votes: int = 1) -> int:
    """How many hard claims a new run asks a model of these weights."""
    chat = reading()
    chat.digest = weights
    verifier = ModelVerifier(
        chat,
        Fixed(heard("silent", 0.3)),
        wordings=("verify",),
        leanings=Leanings(kept=kept),
        votes=votes,
    )
    await verifier.verify([Question(TRUE, (PILOT,), None, (("lock", PAGE),))])
    hard = {one.claim for text in hard_documents() for one in text.claims}
    texts = [request.messages[-1][1] for request in chat.asked]
    return sum(any(claim in text for claim in hard) for text in texts)


async def test_a_model_is_asked_the_hard_claims_once_for_all_runs() -> None:
    kept = Kept()
    assert await hard_questions(kept, "a") == 72 + 42
    assert await hard_questions(kept, "a") == 0
    assert await hard_questions(kept, "b") == 72 + 42
    assert await hard_questions(kept, "a", votes=3) == 72 + 42
    assert len(kept.rates) == 3


@pytest.mark.parametrize("weights", [None, f"{DESCRIBED}a"])
async def test_weights_without_a_digest_of_their_own_are_asked_each_time(
    weights: str | None,
) -> None:
    kept = Kept()
    asked = await hard_questions(kept, weights)
    assert asked == await hard_questions(kept, weights) > 0
    assert not kept.rates


@pytest.mark.parametrize("question", ["every part", RULED_OUT])
async def test_what_a_server_failed_on_is_not_kept(question: str) -> None:
    lost = next(one for one in hard_documents()[0].claims if not one.is_true).claim
    plain = answering()

    def answer(request: ChatRequest) -> Answer:
        text = request.messages[-1][1]
        if lost in text and question in text:
            return ReplyUnreadable("no word", "", raw="?")
        return plain(request)

    kept, chat = Kept(), ScriptedChat(answer)
    chat.digest = "a"
    verifier = ModelVerifier(
        chat,
        Fixed(heard("silent", 0.3)),
        wordings=("verify",),
        leanings=Leanings(kept=kept),
    )
    (verdict,) = await verifier.verify([Question(TRUE, (PILOT,), None, ())])
    assert verdict.word == "supported" and not kept.rates


async def test_rates_without_probabilities_are_none_for_a_probe_either() -> None:
    plain = answering()

    def bare(request: ChatRequest) -> Answer:
        reply = plain(request)
        return replace(reply, logprobs=()) if isinstance(reply, ChatReply) else reply

    sure = Leaning(0.0, 6.0)
    assert await ModelVerifier(ScriptedChat(bare)).count_rates(sure) is None
    found = await ModelVerifier(ScriptedChat(plain)).count_rates(sure)
    assert found is not None and found.is_proven
