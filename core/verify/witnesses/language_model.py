"""Verdicts with a language model: one word on a document, weighed with the evidence.

A small model is asked what small models can answer: is every part of the claim
stated, yes or no, one token, with its probability; in more than one wording, because
each leans its own way and a further question on the same document costs little.
(Reversed questions, such as "does the document contradict it?", they answer as if
they were not reversed, so they are asked none.) Their word is weighed with the support
found without a model (fusion.py); rules on numbers, names and negation may forbid
"supported", and a claim is called contradicted only with a sentence that stands in
the text. A model that has proved that it reads (proven_reader.py) is heard as one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from claimscope.core.calls.at_once import at_once
from claimscope.core.models import Evidence, Label, RuleFinding, Verdict, digest
from claimscope.core.ports import DESCRIBED, ChatModel, Question, Verifier
from claimscope.core.prompts.templates import prompts_digest
from claimscope.core.verify.hard_cases import hard_digest
from claimscope.core.verify.other_languages import as_left_open
from claimscope.core.verify.planted_cases import CLAIMS, DOCUMENTS
from claimscope.core.verify.resolve import (
    SHOWN,
    Resolution,
    policy,
    resolve,
    settling_first,
)
from claimscope.core.verify.witnesses.fusion import (
    Leaning,
    Weights,
    weights,
)
from claimscope.core.verify.witnesses.model_batch import ask_batch
from claimscope.core.verify.witnesses.model_question import (
    USUAL,
    WORDINGS,
    QuestionForm,
    ask,
    yes,
)
from claimscope.core.verify.witnesses.model_reading import HURTS_ONE, ModelReading
from claimscope.core.verify.witnesses.model_windows import (
    WORDS,
    ModelWindow,
    reading_lists,
)
from claimscope.core.verify.witnesses.proven_reader import count_rates, settle
from claimscope.core.verify.witnesses.proven_word import (
    joined_probability,
    with_proven_word,
)
from claimscope.core.verify.witnesses.reading_rates import ReadingRates
from claimscope.core.verify.witnesses.response_bias import (
    KeptRates,
    Leanings,
    leaning_of,
    note,
)
from claimscope.core.verify.witnesses.self_consistency import vote_share
from claimscope.core.verify.witnesses.without_model import ENTAILMENT, with_word

__all__ = ["WORDINGS", "ModelVerifier", "ask", "yes"]
FindRules = Callable[[str, Sequence[Evidence]], Sequence[RuleFinding]]
UNLIKELY = 0.2
"""A first word that is so clearly No is not asked for in other wordings."""
VOTE = 2 / 3
"""Probability of a word without one: a single vote, by Laplace's rule of succession."""
EASY_ERRORS = 1
"""Easy planted claims that a model may get wrong to be asked the hard ones."""
TOKENS_A_WORD = 1.6
"""Of text with many names and numbers; a prompt that is too long is refused."""
PROMPT_TOKENS = 160
"""Of a context: the question, a claim of usual length, the chat template."""


class ModelVerifier:
    """A Verifier that asks a language model, beside the one without a model."""

    def __init__(
        self,
        chat: ChatModel,
        without_model: Verifier | None = None,
        find_rules: FindRules | None = None,
        wordings: Sequence[str] | None = None,
        weighing: Weights | None = None,
        claims_per_call: int = 1,
        votes: int = 1,
        leanings: Leanings | None = None,
        on_note: Callable[[str], None] | None = None,
        name: str = "ollama",
        form: QuestionForm = USUAL,
    ) -> None:
        """`without_model` finds evidence, rules and a support of its own; without it
        the model's word and `find_rules` (default: rules.py) are all there is. With
        more than one claim a call the model gives words instead of probabilities, and
        a quotation that stands in the text may contradict. `votes`: how often a
        server that sends no log-probabilities is asked. `name`: what its verdicts say
        made them, the kind of server. `form`: how this model is asked; `wordings`:
        of its questions, None = all."""
        self._chat = chat
        self._name = name
        self._without_model = without_model
        self._find_rules = find_rules
        self._form = form
        self._wordings = form.wordings if wordings is None else tuple(wordings)
        self._weighing = weighing
        self._per_call = 1 if form.only_verifies else claims_per_call
        self._votes = votes if form.takes_votes else 1
        self._leanings = leanings
        self._on_note = on_note
        self._measuring = asyncio.Lock()
        self._gives_probabilities = True
        """No reply so far came without them."""

    @property
    def name(self) -> str:
        return self._name

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        """One verdict a question, in order.

        A question whose calls all failed is unscored with its reason. Raises
        ServerDown, ModelMissing, ServerBusy when the model cannot be asked at all.
        """
        bases: Sequence[Verdict | None] = [None] * len(questions)
        if self._without_model is not None:
            bases = await self._without_model.verify(questions)
        leaning = await self._leaning()
        if leaning is not None and leaning.trust == 0 and self._without_model:
            return [base for base in bases if base is not None]
        bases = [base and as_left_open(base) for base in bases]
        rates = await self._rates(leaning) if questions else None
        readings = await self._read(questions)
        if rates is not None:
            await at_once(
                [
                    settle(self._chat, self._form, reading, base, rates)
                    for reading, base in zip(readings, bases, strict=True)
                    if base is not None
                ]
            )
        return [
            self._verdict(reading, base, leaning, rates)
            for reading, base in zip(readings, bases, strict=True)
        ]

    async def _leaning(self) -> Leaning | None:
        """How the model leans; measured by the first who asks."""
        if self._leanings is None:
            return None
        async with self._measuring:
            name = self._chat.name
            if name not in self._leanings.known:
                found = await self._measure()
                self._leanings.known[name] = found
                told = note(name, found)
                if told and self._on_note is not None:
                    self._on_note(told)
            return self._leanings.known[name]

    async def _measure(self) -> Leaning:
        """Asks the planted claims as any others, each document as one window; all at
        once, so that the workers of a cluster can share them out."""
        asked: list[list[tuple[bool, ModelReading]]] = []
        for name, document in DOCUMENTS.items():
            window = (ModelWindow(document, frozenset()),)
            asked.append(
                [
                    (
                        claim.is_true,
                        ModelReading(
                            Question(claim.claim, ()), window, is_everyones=True
                        ),
                    )
                    for claim in CLAIMS
                    if claim.document == name
                ]
            )
        await at_once([self._ask_all([r for _, r in part], 0) for part in asked])
        sides: dict[bool, list[float]] = {True: [], False: []}
        for part in asked:
            for is_true, reading in part:
                if reading.support is not None:
                    sides[is_true].append(reading.support)
        return leaning_of(sides[True], sides[False])

    async def _rates(self, leaning: Leaning | None) -> ReadingRates | None:
        """The rates of a proven reader, counted by the first who asks; None of any
        other model, and without witnesses that it could be heard beside."""
        if self._leanings is None or leaning is None or self._without_model is None:
            return None
        if self._per_call > 1:
            return None  # several claims a call: words without a probability
        async with self._measuring:
            name = self._chat.name
            if name not in self._leanings.rates:
                found = await self._known_or_counted(leaning, self._leanings.kept)
                self._leanings.rates[name] = found
                if found is not None and self._on_note is not None:
                    self._on_note(found.note(name))
            rates = self._leanings.rates[name]
            return rates if rates is not None and rates.is_proven else None

    async def _known_or_counted(
        self, leaning: Leaning, kept: KeptRates | None
    ) -> ReadingRates | None:
        """The rates, asked for only once of weights that have a digest: without one,
        others may stand under the same name tomorrow."""
        weights = self._chat.digest
        if kept is None or weights is None or weights.startswith(DESCRIBED):
            return await self.count_rates(leaning)
        if not self._may_read(leaning):
            return None
        key = digest(
            weights,
            hard_digest(),
            prompts_digest(),
            self._form.name,
            repr((self._wordings, self._votes)),
        )
        found = kept.known(key)
        if found is None:
            found = await self.count_rates(leaning)
            # One that a server failed on is asked again another time.
            if found is not None and not found.missed:
                kept.keep(key, found)
        return found

    async def count_rates(self, leaning: Leaning) -> ReadingRates | None:
        """How well the model reads, counted on the hard planted claims; None of one
        that does not know the easy ones, and is not asked. Raises ModelError."""
        if not self._may_read(leaning):
            return None  # small models on slow machines: it would take minutes
        found = await count_rates(self._ask_all, self._chat, self._form)
        return found if self._gives_probabilities else None

    def _may_read(self, leaning: Leaning) -> bool:
        """Whether a model knows the easy planted claims, and says with which
        probability: votes on all hard claims would be a thousand calls."""
        is_right = leaning.trust == 1 and leaning.errors <= EASY_ERRORS
        return is_right and self._gives_probabilities

    async def _read(self, questions: Sequence[Question]) -> list[ModelReading]:
        """Asks in rounds: each open question its next window. All questions on one
        window are asked at once, so that they stand side by side in the queue of the
        server, which then reads the window once."""
        room = (self._chat.context_tokens - PROMPT_TOKENS) / TOKENS_A_WORD
        words = max(50, min(WORDS, int(room)))
        lists = reading_lists(questions, words)
        readings = [ModelReading(q, w) for q, w in zip(questions, lists, strict=True)]
        for turn in range(max((len(r.windows) for r in readings), default=0)):
            asked = [r for r in readings if turn < len(r.windows) and not r.is_decided]
            asked.sort(key=lambda r: r.windows[turn].text)
            for _, group in groupby(asked, key=lambda r: r.windows[turn].text):
                await self._ask_all(list(group), turn)
        return readings

    async def _ask_all(self, readings: Sequence[ModelReading], turn: int) -> None:
        """Questions that share their window of this turn."""
        if self._per_call == 1:
            await at_once([self._ask(r, r.windows[turn]) for r in readings])
            return
        for first in range(0, len(readings), self._per_call):
            await self._ask_batch(readings[first : first + self._per_call], turn)

    async def _ask_batch(self, readings: Sequence[ModelReading], turn: int) -> None:
        """One call for several claims; each word counts as one vote."""
        text = readings[0].windows[turn].text
        claims = [reading.question.claim for reading in readings]
        for reading, found in zip(
            readings, await ask_batch(self._chat, text, claims), strict=True
        ):
            reading.keys += found.call_keys
            if found.label is Label.UNSCORED:
                reading.problem = found.problem
                reading.unread += 1
                continue
            if found.label is Label.CONTRADICTED:
                reading.quote = reading.quote or found.quote
            said_yes = found.label is Label.SUPPORTED
            reading.take([VOTE if said_yes else 1 - VOTE], reading.windows[turn])

    async def _ask(self, reading: ModelReading, window: ModelWindow) -> None:
        """All wordings on one window."""
        found: list[float] = []
        first, *others = self._wordings
        await self._word(reading, window, first, found)
        if not found or found[0] >= UNLIKELY:
            await at_once([self._word(reading, window, name, found) for name in others])
        reading.take(found, window)

    async def _word(
        self,
        reading: ModelReading,
        window: ModelWindow,
        wording: str,
        found: list[float],
    ) -> None:
        try:
            request = self._form.ask(window.text, reading.question.claim, wording)
            request = replace(request, is_everyones=reading.is_everyones)
            reply = await self._chat.chat(request)
            reading.note_key(reply.call_key)
            self._gives_probabilities &= bool(reply.logprobs)
            if reply.logprobs or self._votes == 1:
                found.append(self._form.support(reply))
                return
            share, keys = await vote_share(self._chat, request, self._votes)
            reading.keys += keys
            found.append(1 - share if self._form.is_reversed else share)
        except HURTS_ONE as error:
            reading.problem = error.message

    def _verdict(
        self,
        reading: ModelReading,
        base: Verdict | None,
        leaning: Leaning | None,
        rates: ReadingRates | None,
    ) -> Verdict:
        weighing = self._weighing or weights()
        rules = base.rules if base is not None else self._rules(reading.question)
        evidence = base.evidence if base is not None else ()
        if not evidence:
            evidence = _read_evidence(reading)
        common = {
            "rules": tuple(rules),
            "verifier": self.name,
            "model": self._chat.name,
            "call_keys": tuple(sorted(reading.keys)),
        }
        if reading.question.evidence and reading.support is None:
            why = reading.problem or "the model was not asked"
            return Verdict(
                label=Label.UNSCORED, evidence=evidence, unscored_reason=why, **common
            )
        if base is not None and base.label is Label.UNSCORED:
            return base.model_copy(update=common)
        support = weighing.support(
            reading.support, base.support if base else None, leaning
        )
        label = weighing.label(support, rules, base)
        outcome = self._resolved(reading, base, weighing, leaning, rates)
        reason = ""
        if outcome is not None:
            label = outcome.label
        if outcome is not None and base is not None and rates is not None:
            reason = outcome.reason
            evidence = settling_first(
                outcome.testimony, reading.question.evidence, evidence
            )
            joined = joined_probability(base.testimony, reading, rates)
            support = support if joined is None else joined
            if label is Label.CONTRADICTED:
                support = min(support, weighing.low / 2)
        if reading.unread and label is Label.NOT_ENOUGH_INFO:
            # What was not read may be what supports it.
            why = reading.problem or "a part of the evidence was not read"
            return Verdict(
                label=Label.UNSCORED, evidence=evidence, unscored_reason=why, **common
            )
        against = None
        if label is Label.NOT_ENOUGH_INFO:
            against = reading.holding(reading.quote)
        if against is not None:
            label = Label.CONTRADICTED
            support = min(support, weighing.low / 2)
            evidence = (against, *(one for one in evidence if one != against))
        return Verdict(
            label=label,
            support=support,
            band=outcome.band if outcome else weighing.band(label, support),
            evidence=evidence[:SHOWN],
            conflicting=base.conflicting if base else (),
            reason=reason or _reason(label, reading, rules, base),
            testimony=outcome.testimony if outcome else (),
            **common,
        )

    def _resolved(
        self,
        reading: ModelReading,
        base: Verdict | None,
        weighing: Weights,
        leaning: Leaning | None,
        rates: ReadingRates | None,
    ) -> Resolution | None:
        """What the table makes of the model's word beside the other witnesses; None
        where there are no others."""
        if base is None or reading.support is None:
            return None
        if not any(one.witness == ENTAILMENT for one in base.testimony):
            return None
        if rates is not None:
            name = self._chat.name
            said = with_proven_word(base.testimony, reading, rates, name, policy())
            return resolve(said)
        word = weighing.support(reading.support, None, leaning)
        said = with_word(base.testimony, word, self._chat.name, policy())
        return resolve(said)

    def _rules(self, question: Question) -> tuple[RuleFinding, ...]:
        if self._find_rules is not None:
            return tuple(self._find_rules(question.claim, question.evidence))
        from claimscope.core.verify.rules.findings import findings

        return tuple(findings(question.claim, question.evidence))


def _read_evidence(reading: ModelReading) -> tuple[Evidence, ...]:
    """The question's candidates, those of the window that spoke loudest first."""
    if reading.window is None:
        return reading.question.evidence
    places = reading.window.places
    held = {(page, number) for page, number, _ in places}

    def outside(one: Evidence) -> bool:
        number = one.index if one.index >= 0 else one.start
        return (one.page_id, number) not in held

    return tuple(sorted(reading.question.evidence, key=outside))


def _reason(
    label: Label,
    reading: ModelReading,
    rules: Sequence[RuleFinding],
    base: Verdict | None,
) -> str:
    if not reading.question.evidence:
        return "No sentence of the pages is near this claim."
    found = [r.message for r in rules if r.veto or r.outcome == "conflict"]
    if label is Label.CONTRADICTED and reading.quote is not None:
        return f"The page says otherwise: “{reading.quote.text}”"
    if label is Label.CONTRADICTED:
        return (base.reason if base is not None else "") or next(iter(found), "")
    share = f"{reading.support:.0%}" if reading.support is not None else "no"
    said = f"The model gives {share} that the pages state every part of it"
    if label is Label.SUPPORTED:
        return f"{said}."
    return f"{said}. {found[0]}" if found else f"{said}; that is too little."
