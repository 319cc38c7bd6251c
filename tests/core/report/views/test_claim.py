"""A claim in a few lines and whole: the same facts in the same words."""

from __future__ import annotations

from claimscope.core.models import (
    ClaimResult,
    Label,
    SampleResult,
    Testimony,
    Vote,
)
from claimscope.core.models.verdicts import PEERS
from claimscope.core.report.renderers import html, plain
from claimscope.core.report.view import SIGNS
from claimscope.core.report.views.claim import (
    claim_grounds,
    claim_view,
    evidence_blocks,
    how_judged,
)
from tests.tui.sample_run import failed_sample


def judged_by_two() -> tuple[SampleResult, ClaimResult]:
    sample = failed_sample()
    result = sample.claims[1]
    votes = (
        Vote(judge="small:1b", label=Label.SUPPORTED, support=0.6, reason="It\nmay."),
        Vote(judge="large:9b", label=Label.UNSCORED, unscored_reason="cut off"),
    )
    testimony = (Testimony(witness="rules", says="contradicts", decisive=True),)
    changed = {"votes": votes, "testimony": testimony, "call_keys": ("k1",)}
    verdict = result.verdict.model_copy(update=changed)
    return sample, result.model_copy(update={"verdict": verdict})


def test_a_claim_whole_says_first_what_speaks_against_it() -> None:
    sample, result = judged_by_two()
    lines = list(plain.lines(claim_view(sample, result, calls_key="r"), signs=SIGNS))
    assert lines[0] == "✗ contradicted   support 0.08"
    assert lines[1:3] == [
        "  small:1b: ✓ supported 0.60: It may.",
        "  large:9b: ? unscored: cut off",
    ]
    assert lines[3].startswith("Claim  The reservoir holds 9 million cubic metres")
    assert "answer: 9 million  ≠  page: 4.2 million" in lines[4]
    assert "  ✗ contradicts  rules" in lines
    assert lines[-1].endswith("1 model call: r")


def test_what_stands_beside_the_claim_is_the_same_but_for_the_key() -> None:
    sample, result = judged_by_two()
    whole = list(plain.lines(claim_view(sample, result)))
    beside = list(plain.lines(how_judged(result)))
    assert [line for line in beside if line not in whole] == []
    for block in evidence_blocks(result):
        assert set(plain.lines(block)) <= set(whole)
    short = list(plain.lines(claim_grounds(result)))
    assert "small:1b: supported 0.60" in short  # the reason is told in the whole


def test_evidence_leads_to_its_page_where_a_browser_may_follow() -> None:
    _, result = judged_by_two()
    (evidence, *_) = result.verdict.evidence
    for url, is_link in (("https://varn.example/a", True), ("javascript:x()", False)):
        found = evidence.model_copy(update={"url": url})
        verdict = result.verdict.model_copy(update={"evidence": (found,)})
        (block,) = evidence_blocks(result.model_copy(update={"verdict": verdict}))
        page = "".join(html.view_html(block))
        assert (f'<a href="{url}"' in page) is is_link
        assert "<b>Against it" in page


def test_of_another_thing_is_said_before_the_sentence_is_shown() -> None:
    sample, result = judged_by_two()
    why = "fees:S:3 says so, but of “Grey”."
    other = Testimony(witness=PEERS, says="doubts", reason=why, decisive=True)
    verdict = result.verdict.model_copy(update={"testimony": (other,), "reason": why})
    result = result.model_copy(update={"verdict": verdict})
    lines = list(plain.lines(claim_view(sample, result)))
    said = [n for n, one in enumerate(lines) if why in one]
    shown = [n for n, one in enumerate(lines) if "S:" in one and why not in one]
    assert len(said) == 1 and said[0] < shown[0]
    assert any(why in one for one in plain.lines(how_judged(result)))
