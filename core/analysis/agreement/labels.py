"""The labels that people gave to the claims of a run, beside the machine's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from claimscope.core.analysis.agreement.overrides import (
    by_person,
    settings_of,
    with_overrides,
    word_on,
    words_that_count,
)
from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import (
    Evidence,
    HumanVerdict,
    Label,
    Model,
    RunHeader,
    SampleResult,
)
from claimscope.core.ports import RunReader, RunStore

NO_CLAIM = "no_claim"
"""What people call a text that states no fact."""


class LabelledClaim(Model):
    """A claim that a person looked at."""

    run: str
    suite: str
    sample: str
    claim_index: int
    claim: str
    machine: Label
    human: Label
    is_claim: bool
    verifier: str
    model: str | None = None
    by: str | None = None
    note: str = ""
    support: float | None = None
    """What the machine gave it, [0, 1]; None without a probability."""

    @property
    def judge(self) -> str:
        """Verifier and model."""
        return f"{self.verifier} {self.model}" if self.model else self.verifier

    @property
    def is_judged(self) -> bool:
        """Whether machine and person both gave a verdict."""
        return self.is_claim and Label.UNSCORED not in (self.machine, self.human)


class RunLabels(Model):
    """What one run brings to the figures."""

    run: str
    claims: tuple[LabelledClaim, ...]
    verdicts: dict[str, dict[str, int]]
    """All verdicts: by judge, then by label."""
    suite: str
    people: tuple[dict[str, str], ...]
    """By claim, what each person said, for claims with several people."""
    samples: tuple[tuple[bool, bool | None], ...]
    """(the machine passed it, people pass it or None = not all of it looked at)."""
    unscored_samples: int


def read_labels(reader: RunReader) -> RunLabels:
    return labels_of(reader.status().header, reader.samples(), reader.human_verdicts())


def labels_of(
    header: RunHeader, samples: Sequence[SampleResult], words: Sequence[HumanVerdict]
) -> RunLabels:
    """Of the words that count: the last on each claim, on the text it has now."""
    counting = words_that_count(words)
    verdicts: dict[str, Counter[str]] = {}
    claims: list[LabelledClaim] = []
    for sample in samples:
        for result in sample.claims:
            word = word_on(result, sample, counting)
            row = LabelledClaim(
                run=header.run_id,
                suite=header.suite_id,
                sample=str(sample.key),
                claim_index=result.claim.index,
                claim=result.claim.text,
                machine=result.verdict.label,
                human=(word.human if word else None) or Label.UNSCORED,
                is_claim=word.is_claim if word else True,
                verifier=result.verdict.verifier,
                model=result.verdict.model,
                by=word.by if word else None,
                note=word.note if word else "",
                support=result.verdict.support,
            )
            verdicts.setdefault(row.judge, Counter())[row.machine.value] += 1
            if word is not None:
                claims.append(row)
    of_claims = [word for word in words if not word.required]
    several = [people for people in by_person(of_claims).values() if len(people) > 1]
    passes = [*_sample_outcomes(header, samples, words)]
    return RunLabels(
        run=header.run_id,
        suite=header.suite_id,
        claims=tuple(claims),
        verdicts={judge: dict(counts) for judge, counts in verdicts.items()},
        people=tuple(
            {by or "somebody": _label_word(word) for by, word in people.items()}
            for people in several
        ),
        samples=tuple(one for one in passes if one is not None),
        unscored_samples=passes.count(None),
    )


def _label_word(word: HumanVerdict) -> str:
    label = word.human or Label.UNSCORED
    return label.value if word.is_claim else NO_CLAIM


def _sample_outcomes(
    header: RunHeader, samples: Sequence[SampleResult], words: Sequence[HumanVerdict]
) -> Iterable[tuple[bool, bool | None] | None]:
    """By sample; None where the machine, or the people who saw all of it, could not
    say. What people say of a sample is known when every claim has a word; failures
    that are not of claims stand as the machine found them."""
    counting = words_that_count(words)
    after = with_overrides(samples, words, settings_of(header))
    for sample, now in zip(samples, after, strict=True):
        seen = bool(sample.claims) and all(
            word_on(result, sample, counting) for result in sample.claims
        )
        if sample.passed is None or (seen and now.passed is None):
            yield None
        else:
            yield sample.passed, now.passed if seen else None


def labels_of_all(runs: RunStore) -> tuple[list[RunLabels], list[str]]:
    """Those of all runs of a workspace that people left a word in (with none such:
    those of the newest run), and a line for each run that cannot be read."""
    found: list[RunLabels] = []
    problems: list[str] = []
    newest: RunReader | None = None
    for status in runs.runs():
        try:
            reader = runs.read(status.header.run_id)
            newest = newest or reader
            if reader.human_verdicts():
                found.append(read_labels(reader))
        except ClaimscopeError as error:
            problems.append(f"run {status.header.run_id} left out: {error}")
    if not found and newest is not None:
        found.append(read_labels(newest))
    return found, problems


# --- as rows for a verifier ---------------------------------------------------


def label_rows(reader: RunReader) -> Iterator[dict[str, object]]:
    """A row for each claim with a word: what `verify` reads (id, claim, evidence,
    question) with people's label, the machine's verdict, and where it comes from."""
    header, counting = reader.status().header, words_that_count(reader.human_verdicts())
    for sample in reader.samples() if counting else ():
        for result in sample.claims:
            word = word_on(result, sample, counting)
            if word is None:
                continue
            verdict = result.verdict
            shown = [*verdict.evidence, *verdict.conflicting]
            yield {
                "id": f"{header.run_id}/{sample.key}/{result.claim.index}",
                "claim": result.claim.text,
                "evidence": evidence_text(shown),
                "question": sample.case.question,
                "label": _label_word(word),
                "machine": verdict.label.value,
                "support": verdict.support,
                "verifier": verdict.verifier,
                "model": verdict.model,
                "run": header.run_id,
                "suite": header.suite_id,
                "case_id": sample.key.case_id,
                "provider": sample.key.provider,
                "iteration": sample.key.iteration,
                "claim_index": result.claim.index,
                "pages": list(dict.fromkeys(one.page_id for one in shown)),
                "by": word.by,
                "at": word.at,
                "note": word.note,
            }


def evidence_text(evidence: Sequence[Evidence]) -> str:
    """The sentences with their neighbours, each once, in the order of their pages."""
    pages: dict[str, dict[int, str]] = {}
    for one in evidence:
        if one.index < 0:
            pages.setdefault(one.page_id, {})[-1] = one.text
            continue
        sentences = pages.setdefault(one.page_id, {})
        for index, text in enumerate((one.before, one.text, one.after), one.index - 1):
            if text:
                sentences[index] = text.strip()
    return "\n\n".join(
        " ".join(text for _, text in sorted(sentences.items()))
        for sentences in pages.values()
    )
