"""What was found out about the item in hand, as paragraphs for the right-hand pane.

First the verdict and what speaks against the claim, then the sentence of the page
with its neighbours, then how the verdict was come by: on 24 lines the first third has
to be enough to agree or overrule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from claimscope.core.models import (
    CitationResult,
    CitationState,
    ClaimResult,
    Evidence,
    Grade,
    GradeVote,
    HumanVerdict,
    Label,
    RuleFinding,
    SampleResult,
    Testimony,
    Verdict,
    Vote,
)
from claimscope.core.report.terms import WORDS
from claimscope.core.report.views.citations import two_facts
from claimscope.tui.review.items import KIND_WORDS, Item, Words
from claimscope.tui.widgets.emphasis import conflicting, emphasised
from claimscope.tui.widgets.flow import Paragraph, Piece, clip, para, plain, said
from claimscope.tui.widgets.glyphs import REQUIRED_WORDS, Glyphs, verdict_role

_EVIDENCE_HEADS = {
    Label.SUPPORTED: "Evidence",
    Label.CONTRADICTED: "Against it",
    Label.NOT_ENOUGH_INFO: "Nearest sentence",
    Label.UNSCORED: "Nearest sentence",
}
VOTE_WIDTH = 70
"""Cells of a judge's line: one line at 80 columns. All of its reason is in its raw
reply."""
LEAST_REASON = 16


def finding(
    sample: SampleResult, item: Item, words: Words, glyphs: Glyphs
) -> list[Paragraph]:
    """Paragraphs on one item of a sample."""
    word = words.on(sample, item)
    if item.kind == "claim":
        return list(_claim(sample, sample.claims[item.index], word, glyphs))
    if item.kind == "missing":
        return list(_missing(sample, item, word, glyphs))
    builders: Mapping[str, Callable[..., Iterator[Paragraph]]] = {
        "finding": _finding,
        "citation": _citation,
        "grade": _grade,
        "skipped": _skipped,
    }
    return list(builders[item.kind](sample, item, glyphs))


# --- claims -----------------------------------------------------------------


def _claim(
    sample: SampleResult, result: ClaimResult, word: HumanVerdict | None, glyphs: Glyphs
) -> Iterator[Paragraph]:
    claim, verdict = result.claim, result.verdict
    label = verdict.label
    yield para(
        Piece(
            f"{glyphs.verdict(verdict)} {verdict.word}",
            f"{verdict_role(verdict)} strong",
        ),
        Piece(_support(verdict), "dim"),
        hanging=2,
    )
    if word is not None:
        yield _human(word, glyphs)
    for vote in verdict.votes:
        yield _vote(vote, glyphs)
    if verdict.unscored_reason:
        yield para(said(f"Unscored: {verdict.unscored_reason}"), hanging=2)
    yield para(Piece("Claim  ", "heading"), *conflicting(claim.text, verdict.rules))
    for rule in verdict.rules:
        if rule.outcome != "match":
            yield _rule(rule, glyphs)
    disagree = label is Label.UNSCORED and verdict.conflicting
    head = "Speaks for it" if disagree else _EVIDENCE_HEADS[label]
    yield from _sentences(head, verdict.evidence, claim.text, verdict.rules)
    yield from _sentences(
        "Speaks against it", verdict.conflicting, claim.text, verdict.rules
    )
    if not verdict.evidence and not verdict.conflicting:
        yield para()
        yield para(Piece("No sentence of the pages comes near this claim.", "dim"))
    yield para()
    if verdict.reason:
        yield para(Piece("Reason  ", "heading"), said(verdict.reason))
    for rule in verdict.rules:
        if rule.outcome == "match":
            yield _rule(rule, glyphs)
    for one in verdict.testimony:
        yield _testimony(one, glyphs)
    yield from _cited(sample, claim.index, glyphs)
    yield _made_by(verdict)


def _support(verdict: Verdict) -> str:
    if verdict.support is None:
        return ""
    return f"   support {verdict.support:.2f}"


def _testimony(one: Testimony, glyphs: Glyphs) -> Paragraph:
    """One witness in one line: what it says, how surely, of which sentence."""
    sign, role = {
        "entails": (glyphs.supported, "supported"),
        "contradicts": (glyphs.contradicted, "contradicted"),
        "doubts": (glyphs.not_enough_info, "not_enough_info"),
        "silent": (glyphs.unscored, "dim"),
    }[one.says]
    sure = f" {one.strength:.2f}" if one.strength is not None else ""
    place = f"  {one.place}" if one.place else ""
    return para(
        Piece("  "),
        Piece(f"{sign} {one.says}{sure}  ", role),
        said(one.witness, "strong" if one.decisive else ""),
        said(place, "dim"),
        hanging=4,
    )


def _vote(vote: Vote, glyphs: Glyphs) -> Paragraph:
    """One of several judges in one line: who, what, how sure, first words of why."""
    label = vote.label
    support = f" {vote.support:.2f}" if vote.support is not None else ""
    said_so = f"{glyphs.label(label)} {WORDS[label]}{support}  "
    why = vote.unscored_reason or vote.reason
    return _by_judge(Piece(said_so, label.value), vote.judge, why, glyphs)


def _by_judge(said_so: Piece, judge: str, why: str, glyphs: Glyphs) -> Paragraph:
    room = max(VOTE_WIDTH - len(said_so.text) - len(judge), LEAST_REASON)
    return para(
        Piece("  "),
        said_so,
        said(judge, "strong"),
        said("  " + clip(plain(why), room, glyphs.more), "dim"),
        hanging=4,
    )


def label_words(label: Label, glyphs: Glyphs, *, required: bool) -> str:
    """Sign and word of a label; of a required claim, what it says of the answer."""
    return f"{glyphs.label(label)} {(REQUIRED_WORDS if required else WORDS)[label]}"


def _human(word: HumanVerdict, glyphs: Glyphs) -> Paragraph:
    note = plain(f"   note: {word.note}") if word.note else ""
    if word.human is None:
        return para(Piece(f"You{note}", "human"), hanging=2)
    label = label_words(word.human, glyphs, required=word.required)
    if not word.is_claim:
        label = f"{glyphs.skipped} states no fact, not a claim"
    text = f"You {'agreed' if word.is_agreement else 'overruled'}: {label}"
    return para(Piece(text, "human strong"), Piece(note, "human"), hanging=2)


def _rule(rule: RuleFinding, glyphs: Glyphs) -> Paragraph:
    signs = {
        "match": (glyphs.supported, "supported"),
        "conflict": (glyphs.contradicted, "contradicted"),
        "missing": (glyphs.not_enough_info, "not_enough_info"),
    }
    sign, role = signs[rule.outcome]
    if rule.outcome == "conflict" and rule.evidence_text:
        return _against(rule, sign, glyphs)
    forbids = rule.veto and rule.outcome == "missing"
    veto = ' (forbids "supported")' if forbids else ""
    return para(
        Piece(f"{sign} {rule.rule}: ", role), said(rule.message + veto), hanging=2
    )


def _against(rule: RuleFinding, sign: str, glyphs: Glyphs) -> Paragraph:
    """What the answer says and what the page says, set against each other. The rule's
    own words follow only when they say more."""
    mine, theirs = rule.claim_text, rule.evidence_text or ""
    says_more = mine not in rule.message or theirs not in rule.message
    return para(
        Piece(f"{sign} {rule.rule}  ", "contradicted"),
        Piece("answer: ", "dim"),
        said(mine, "conflict"),
        Piece(f"  {glyphs.disputed}  "),
        Piece("page: ", "dim"),
        said(theirs, "conflict"),
        said(f"  {rule.message}" if says_more else ""),
        hanging=2,
    )


def _sentences(
    head: str, sentences: Sequence[Evidence], claim: str, rules: Sequence[RuleFinding]
) -> Iterator[Paragraph]:
    for number, evidence in enumerate(sentences, 1):
        yield para()
        yield para(
            Piece(f"{head if number == 1 else 'Also'}  ", "heading"),
            said(evidence.title or "", "strong"),
            Piece("  " if evidence.title else ""),
            said(evidence.sentence_id, "citation"),
            Piece(_similarity(evidence), "dim"),
            hanging=2,
        )
        yield para(*_in_context(evidence, claim, rules))


def _in_context(
    evidence: Evidence, claim: str, rules: Sequence[RuleFinding]
) -> Iterator[Piece]:
    if evidence.before:
        yield said(evidence.before.strip() + " ", "dim")
    yield from emphasised(evidence.text, claim, rules)
    if evidence.after:
        yield said(" " + evidence.after.strip(), "dim")


def _similarity(evidence: Evidence) -> str:
    if evidence.similarity is None:
        return ""
    return f"  similarity {evidence.similarity:.2f}"


def _cited(sample: SampleResult, index: int, glyphs: Glyphs) -> Iterator[Paragraph]:
    for citation in sample.citations:
        if index in citation.claim_indexes:
            good = citation.state in (CitationState.VALID, CitationState.UNNEEDED)
            sign = glyphs.supported if good else glyphs.contradicted
            yield para(
                Piece("Cites  ", "heading"),
                said(_points_to(citation), "citation"),
                Piece(f"  {sign} {citation.word}"),
                said("" if good else f": {citation.reason}", "dim"),
                hanging=2,
            )


def _points_to(citation: CitationResult) -> str:
    """Page and sentence; the marker as written when it names no page."""
    if citation.page_id is None:
        return citation.text
    if citation.sentence is None:
        return citation.page_id
    return f"{citation.page_id}:S:{citation.sentence}"


def _made_by(verdict: Verdict) -> Paragraph:
    model = f", model {verdict.model}" if verdict.model else ""
    calls = len(verdict.call_keys)
    asked = f", {calls} model call{'s' if calls > 1 else ''}: r" if calls else ""
    return para(said(f"Verdict by {verdict.verifier}{model}{asked}", "dim"), hanging=2)


# --- what is no claim -------------------------------------------------------


def _finding(sample: SampleResult, item: Item, glyphs: Glyphs) -> Iterator[Paragraph]:
    failure = sample.failures[item.index]
    yield para(
        Piece(f"{glyphs.contradicted} {KIND_WORDS[failure.kind]}", "contradicted")
    )
    yield para(said(failure.message))
    if sample.error and sample.error not in failure.message:
        yield para()
        yield para(Piece("Error  ", "heading"), said(sample.error))
    yield from _reference(sample)


def _missing(
    sample: SampleResult, item: Item, word: HumanVerdict | None, glyphs: Glyphs
) -> Iterator[Paragraph]:
    wanted = sample.required_claims[item.index]
    required = wanted.importance == "required"
    sign = glyphs.contradicted if required else glyphs.not_enough_info
    role = "contradicted" if required else "not_enough_info"
    if wanted.unscored_reason:
        yield para(Piece(f"{glyphs.unscored} {wanted.importance} claim", "unscored"))
        yield para(said(f"Not judged: {wanted.unscored_reason}"))
    else:
        yield para(Piece(f"{sign} {wanted.importance} claim is missing", role))
    if word is not None:
        yield _human(word, glyphs)
    yield para(Piece("A good answer says  ", "heading"), said(wanted.text))
    if wanted.conflicts_with:
        yield para(
            Piece(f"{glyphs.contradicted} conflicts with  ", "contradicted"),
            said(wanted.conflicts_with),
            hanging=2,
        )
    if wanted.matched_text:
        near = "" if wanted.similarity is None else f" ({wanted.similarity:.2f})"
        yield para(
            Piece(f"Nearest in the answer{near}  ", "heading"),
            said(wanted.matched_text),
        )
    yield from _reference(sample)


def _citation(sample: SampleResult, item: Item, glyphs: Glyphs) -> Iterator[Paragraph]:
    citation = sample.citations[item.index]
    good = citation.state in (CitationState.VALID, CitationState.UNNEEDED)
    sign = glyphs.supported if good else glyphs.contradicted
    role = "supported" if good else "contradicted"
    yield para(
        Piece(f"{sign} citation {citation.word}  ", role),
        said(citation.text, "citation"),
        hanging=2,
    )
    yield para(Piece(two_facts(citation), "dim"))
    if citation.reason:
        yield para(said(citation.reason))
    if citation.page_id:
        yield para(Piece("Points to  ", "heading"), said(_points_to(citation)))
    if citation.supported_by:
        yield para(
            Piece("The claim is supported by  ", "heading"),
            said(citation.supported_by, "citation"),
        )
    for result in sample.claims:
        if result.claim.index in citation.claim_indexes:
            verdict = result.verdict
            yield para(
                Piece("For the claim  ", "heading"),
                Piece(f"{glyphs.verdict(verdict)} ", verdict_role(verdict)),
                said(result.claim.text),
                hanging=2,
            )


def _grade(sample: SampleResult, item: Item, glyphs: Glyphs) -> Iterator[Paragraph]:
    grade: Grade = sample.grades[item.index]
    if grade.value is None:
        yield para(Piece(f"{glyphs.unscored} {grade.name}: unscored", "unscored"))
        yield para(said(grade.unscored_reason or "no reason was kept"))
    else:
        role = "contradicted" if item.is_failure else "supported"
        sign = glyphs.contradicted if item.is_failure else glyphs.supported
        yield para(Piece(f"{sign} {grade.name}: {grade.value:.3g} of 5", role))
    for vote in grade.votes:
        yield _grade_vote(vote, glyphs)
    if grade.reason:
        yield para(Piece("Reason  ", "heading"), said(grade.reason))
    if grade.raw_reply:
        yield para(Piece("Raw reply", "heading"))
        yield para(said(grade.raw_reply, "dim"))
    calls = len(grade_calls(grade))
    number = "one model call" if calls == 1 else f"{calls} model calls"
    asked = f", {number}: r" if calls else ""
    yield para(said(f"Grade by {grade.model or 'the judge'}{asked}", "dim"))
    yield from _reference(sample)


def _grade_vote(vote: GradeVote, glyphs: Glyphs) -> Paragraph:
    """The grade of one of several judges in one line."""
    said_so = Piece(f"{vote.value} of 5  ")
    if vote.value is None:
        said_so = Piece(f"{glyphs.unscored} unscored  ", "unscored")
    why = vote.unscored_reason or vote.reason
    return _by_judge(said_so, vote.judge, why, glyphs)


def grade_calls(grade: Grade) -> tuple[str, ...]:
    """Keys of the calls behind a grade, judge by judge."""
    keys = [grade.call_key, *(vote.call_key for vote in grade.votes)]
    return tuple(dict.fromkeys(key for key in keys if key))


def _skipped(sample: SampleResult, item: Item, glyphs: Glyphs) -> Iterator[Paragraph]:
    part = sample.skipped[item.index]
    yield para(Piece(f"{glyphs.skipped} not judged: {part.reason}", "strong"))
    yield para(said(part.text))
    yield para(Piece("It states no fact, so it counts neither way.", "dim"))


def _reference(sample: SampleResult) -> Iterator[Paragraph]:
    if sample.case.reference:
        yield para()
        yield para(Piece("Reference  ", "heading"), said(sample.case.reference))
    if sample.case.rationale:
        yield para(Piece("Why  ", "heading"), said(sample.case.rationale))
