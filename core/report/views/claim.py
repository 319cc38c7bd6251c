"""A claim, its verdict and what that rests on: in a few lines, for a list or a file of
many, or whole; a failure with the claim it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claimscope.core.models import (
    CitationResult,
    ClaimResult,
    Evidence,
    Failure,
    HumanVerdict,
    Label,
    RuleFinding,
    SampleResult,
    Says,
    Testimony,
    Verdict,
    Vote,
)
from claimscope.core.report.emphasis import conflicting, emphasised
from claimscope.core.report.terms import FAILURES, REQUIRED_WORDS, WORDS
from claimscope.core.report.view import (
    LABELS,
    Part,
    Prose,
    Role,
    Section,
    Sign,
    Span,
    label_span,
    line,
    sign_span,
    verdict_sign,
    verdict_span,
)
from claimscope.core.report.views.citations import cited_place, is_good
from claimscope.core.report.words import page_name
from claimscope.core.text.plurals import counted_noun

EVIDENCE: Mapping[Label, str] = {
    Label.SUPPORTED: "Evidence",
    Label.CONTRADICTED: "Against it",
    Label.NOT_ENOUGH_INFO: "Nearest sentence",
    Label.UNSCORED: "Nearest sentence",
}
RULES: Mapping[str, Sign] = {
    "match": "supported",
    "conflict": "contradicted",
    "missing": "not_enough_info",
}
TESTIMONY: Mapping[Says, tuple[Sign, Role]] = {
    "entails": ("supported", "supported"),
    "contradicts": ("contradicted", "contradicted"),
    "doubts": ("not_enough_info", "not_enough_info"),
    "silent": ("unscored", "faint"),
}
VOTE_WIDTH = 72
"""One line at 80 columns. All of a judge's reason is in its raw reply."""
NO_EVIDENCE = "No sentence of the pages comes near this claim."


def claim_line(result: ClaimResult, level: int = 0) -> Prose:
    """`[supported 0.93] The dam is 38 metres high.`"""
    verdict = verdict_span(result.verdict)
    share = support_text(result.verdict)
    return line("[", verdict, f"{share}] ", result.claim.text, level=level)


def support_text(judged: Verdict | Vote) -> str:
    """` 0.93`, or nothing."""
    return "" if judged.support is None else f" {judged.support:.2f}"


# --- in a few lines -------------------------------------------------------------


def claim_grounds(result: ClaimResult, level: int = 0) -> Iterator[Prose]:
    """The best evidence, what conflicts, why it is not supported, what each judge
    said."""
    verdict = result.verdict
    for evidence in verdict.evidence[:1]:
        name = Span(page_name(evidence), "citation")
        yield line(name, f": “{evidence.text}”", level=level)
    for rule in verdict.rules:
        if rule.outcome == "conflict" and rule.message not in verdict.reason:
            yield line(rule.message, level=level)
    if verdict.reason and verdict.label is not Label.SUPPORTED:
        yield line(verdict.reason, level=level)
    if verdict.unscored_reason:
        yield line(verdict.unscored_reason, level=level)
    for vote in verdict.votes:
        yield vote_line(vote, vote.unscored_reason or "", level)


def failures(sample: SampleResult) -> Iterator[Section]:
    """Each failure with the claim it is about and what speaks against it."""
    for failure in sample.failures:
        title = line(f"{FAILURES[failure.kind]}: ", failure.message)
        yield Section(title, tuple(_about(failure, title, sample)))


def _about(failure: Failure, title: Prose, sample: SampleResult) -> Iterator[Part]:
    for result in sample.claims:
        if result.claim.index == failure.claim_index:
            yield claim_line(result)
            below = claim_grounds(result, level=1)
            yield from (one for one in below if one.spans != title.spans[-1:])


# --- whole ----------------------------------------------------------------------


def claim_view(
    sample: SampleResult,
    result: ClaimResult,
    word: HumanVerdict | None = None,
    calls_key: str = "",
) -> Iterator[Prose]:
    """First the verdict and what speaks against the claim, then the sentence of the
    page with its neighbours, then how the verdict was come by: on 24 lines the first
    third has to be enough to agree or overrule."""
    claim, verdict = result.claim, result.verdict
    sign, role = verdict_sign(verdict), verdict_span(verdict).role
    share = f"   support{support_text(verdict)}" if support_text(verdict) else ""
    yield line(Span(verdict.word, role, sign, is_strong=True), Span(share, "faint"))
    if word is not None:
        yield human_line(word)
    yield from _votes(verdict)
    yield line(Span("Claim  ", "heading"), *claim_text(result).spans, hangs=False)
    yield from _of_another(verdict)
    yield from _rules(verdict, are_matches=False)
    for block in evidence_blocks(result):
        yield line()
        yield from block
    yield line()
    yield from _reason(verdict)
    for citation in sample.citations:
        if claim.index in citation.claim_indexes:
            yield _cites(citation)
    yield _made_by(verdict, calls_key)


def claim_text(result: ClaimResult) -> Prose:
    """The claim, with what a rule found in conflict."""
    return line(*conflicting(result.claim.text, result.verdict.rules), hangs=False)


def how_judged(result: ClaimResult) -> Iterator[Prose]:
    """The same without the claim, its verdict and the evidence, which stand beside."""
    verdict = result.verdict
    yield from _votes(verdict)
    yield from _of_another(verdict)
    yield from _rules(verdict, are_matches=False)
    yield from _reason(verdict)
    yield _made_by(verdict)
    if result.machine is not None:
        yield overruled_line(result.machine)


def _votes(verdict: Verdict) -> Iterator[Prose]:
    for vote in verdict.votes:
        yield vote_line(vote, vote.unscored_reason or vote.reason, 1)
    if verdict.unscored_reason:
        yield line(f"Not judged: {verdict.unscored_reason}")


def vote_line(vote: Vote, why: str, level: int) -> Prose:
    """`llama3: ✗ contradicted 0.12: The page gives 40 metres.`"""
    spans = (label_span(vote.label), support_text(vote))
    return judge_line(vote.judge, spans, why, level)


def judge_line(
    judge: str, spans: tuple[Span | str, ...], why: str, level: int
) -> Prose:
    """What one of several judges said, and why."""
    reason = Span(f": {' '.join(why.split())}" if why.strip() else "", "faint")
    name = Span(f"{judge}: ", "strong")
    return line(name, *spans, reason, level=level, width=VOTE_WIDTH)


def _of_another(verdict: Verdict) -> Iterator[Prose]:
    """Why the sentence shown first does not prove the claim, before it is read."""
    if verdict.of_another:
        sign, _ = TESTIMONY[verdict.of_another.says]
        yield line(sign_span("another thing  ", sign), verdict.of_another.reason)


def _rules(verdict: Verdict, *, are_matches: bool) -> Iterator[Prose]:
    for rule in verdict.rules:
        if (rule.outcome == "match") == are_matches:
            yield _rule(rule)


def _rule(rule: RuleFinding) -> Prose:
    sign = RULES[rule.outcome]
    if rule.outcome == "conflict" and rule.evidence_text:
        return _against(rule, rule.evidence_text)
    forbids = rule.veto and rule.outcome == "missing"
    veto = ' (forbids "supported")' if forbids else ""
    return line(sign_span(f"{rule.rule}: ", sign), rule.message + veto)


def _against(rule: RuleFinding, theirs: str) -> Prose:
    """What the answer says and what the page says, set against each other. The rule's
    own words follow only when they say more."""
    mine = rule.claim_text
    says_more = mine not in rule.message or theirs not in rule.message
    return line(
        sign_span(f"{rule.rule}  ", "contradicted"),
        Span("answer: ", "faint"),
        Span(mine, "conflict"),
        "  ",
        Span(" ", sign="disputed"),
        Span("page: ", "faint"),
        Span(theirs, "conflict"),
        f"  {rule.message}" if says_more else "",
    )


def evidence_blocks(
    result: ClaimResult, most: int | None = None
) -> Iterator[tuple[Prose, ...]]:
    """Each sentence: page and number, then its text between its neighbours. most: of
    those for a claim, and of those against it."""
    verdict = result.verdict
    head = EVIDENCE[verdict.label]
    if verdict.label is Label.UNSCORED and verdict.conflicting:
        head = "Speaks for it"
    for title, found in (
        (head, verdict.evidence[:most]),
        ("Speaks against it", verdict.conflicting[:most]),
    ):
        for number, evidence in enumerate(found):
            name = "Also" if number else title
            yield _evidence_head(name, evidence), _in_context(evidence, result)
    if not verdict.evidence and not verdict.conflicting:
        yield (line(Span(NO_EVIDENCE, "faint"), hangs=False),)


def _evidence_head(name: str, evidence: Evidence) -> Prose:
    like = evidence.similarity
    title = evidence.title or ""
    address = evidence.url
    return line(
        Span(f"{name}  ", "heading"),
        Span(title, "strong", address=address),
        "  " if title else "",
        Span(evidence.sentence_id, "citation", address=None if title else address),
        Span("" if like is None else f"  similarity {like:.2f}", "faint"),
    )


def _in_context(evidence: Evidence, result: ClaimResult) -> Prose:
    before, after = (evidence.before or "").strip(), (evidence.after or "").strip()
    return line(
        Span(f"{before} " if before else "", "faint"),
        *emphasised(evidence.text, result.claim.text, result.verdict.rules),
        Span(f" {after}" if after else "", "faint"),
        hangs=False,
    )


def _reason(verdict: Verdict) -> Iterator[Prose]:
    """Why it is what it is, what agrees, and what each witness says."""
    is_said = verdict.of_another and verdict.of_another.reason == verdict.reason
    if verdict.reason and not is_said:
        yield line(Span("Reason  ", "heading"), verdict.reason, hangs=False)
    yield from _rules(verdict, are_matches=True)
    yield from map(_testimony, verdict.testimony)


def _testimony(one: Testimony) -> Prose:
    """One witness in one line: what it says, how surely, of which sentence."""
    sign, role = TESTIMONY[one.says]
    sure = f" {one.strength:.2f}" if one.strength is not None else ""
    return line(
        Span(f"{one.says}{sure}  ", role, sign),
        Span(one.witness, "strong" if one.decisive else ""),
        Span(f"  {one.place}" if one.place else "", "faint"),
        level=1,
    )


def _cites(citation: CitationResult) -> Prose:
    good = is_good(citation)
    return line(
        Span("Cites  ", "heading"),
        Span(cited_place(citation), "citation"),
        "  ",
        Span(citation.word, sign="supported" if good else "contradicted"),
        Span("" if good else f": {citation.reason}", "faint"),
    )


def _made_by(verdict: Verdict, calls_key: str = "") -> Prose:
    model = f", model {verdict.model}" if verdict.model else ""
    calls = calls_words(len(verdict.call_keys), calls_key)
    return line(Span(f"Verdict by {verdict.verifier}{model}{calls}", "faint"))


def calls_words(count: int, key: str = "") -> str:
    """`, 2 model calls: r`, or nothing. key: what shows them."""
    if not count:
        return ""
    return f", {counted_noun(count, 'model call')}" + (f": {key}" if key else "")


# --- a person's word ------------------------------------------------------------


def overruled_line(machine: Verdict, level: int = 0) -> Prose:
    """What the machine said where a person says otherwise."""
    words = Span("overruled by a person: was ", "human")
    return line(words, label_span(machine.label), level=level)


def human_line(word: HumanVerdict) -> Prose:
    """What a person said of it, with the note."""
    note = Span(f"   note: {word.note}" if word.note else "", "human")
    if word.human is None:
        return line(Span("You", "human"), note)
    words = REQUIRED_WORDS if word.required else WORDS
    text, sign = words[word.human], LABELS[word.human]
    if not word.is_claim:
        text, sign = "states no fact, not a claim", "skipped"
    head = f"You {'agreed' if word.is_agreement else 'overruled'}: "
    return line(
        Span(head, "human", is_strong=True),
        Span(text, "human", sign, is_strong=True),
        note,
    )
