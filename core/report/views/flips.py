"""What flipped between two runs, as one list: in what order, in which words, each with
both sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from claimscope.core.analysis.compare.comparison import Comparison
from claimscope.core.analysis.compare.flips import (
    ClaimFlip,
    LoneClaim,
    RequiredFlip,
    SampleFlip,
)
from claimscope.core.analysis.compare.tier_movements import TierMove
from claimscope.core.models import ClaimResult, Label, SampleKey
from claimscope.core.report.view import (
    EMPTY,
    Column,
    Part,
    Prose,
    Role,
    Row,
    Section,
    Sign,
    Span,
    line,
    outcome_span,
    row,
    sign_span,
    verdict_span,
)
from claimscope.core.report.views.claim import claim_grounds, claim_line
from claimscope.core.text.plurals import counted_noun

FlipKind = Literal[
    "lost",
    "gained",
    "outcome",
    "lower",
    "higher",
    "worse",
    "better",
    "verdict",
    "unfound",
    "found",
    "only_a",
    "only_b",
]
FLIP_WORDS: Mapping[FlipKind, str] = {
    "lost": "samples that passed in A only",
    "gained": "samples that passed in B only",
    "outcome": "samples scored in one only",
    "lower": "scores in a lower tier",
    "higher": "scores in a higher tier",
    "worse": "claims supported in A only",
    "better": "claims supported in B only",
    "verdict": "claims with another verdict",
    "unfound": "required claims found in A only",
    "found": "required claims found in B only",
    "only_a": "claims only A makes",
    "only_b": "claims only B makes",
}
"""Each kind, in the order of the list."""
LONE = ("only_a", "only_b")
"""Claims that nothing on the other side is held against: no flips."""
TIERS = ("lower", "higher")


@dataclass(frozen=True)
class Flip:
    """One thing that is another in B, on a line of the list."""

    kind: FlipKind
    before_key: SampleKey | None
    """None = B alone has it."""
    after_key: SampleKey | None
    text: str
    """What tells it from others: the claim, or why the sample failed."""
    found: SampleFlip | ClaimFlip | RequiredFlip | LoneClaim | TierMove

    @property
    def key(self) -> SampleKey:
        """Of B where it has the sample."""
        key = self.after_key or self.before_key
        assert key is not None
        return key

    def key_of(self, *, old: bool) -> SampleKey | None:
        """Of that side; None when it does not have it."""
        return self.before_key if old else self.after_key

    def claim(self, *, old: bool) -> ClaimResult | None:
        """The claim of that side; None when it is no flip of a claim."""
        match self.found:
            case ClaimFlip(before=before, after=after):
                return before if old else after
            case LoneClaim(result=result):
                return result
        return None


def flips(found: Comparison) -> list[Flip]:
    """All flips: samples, then tiers, claims, required claims, claims of one side;
    within each the worse ones first."""
    order = list(FLIP_WORDS)
    return sorted(_flips(found), key=lambda flip: order.index(flip.kind))


def _flips(found: Comparison) -> Iterator[Flip]:
    for sample in found.sample_flips:
        keys = sample.before_key, sample.after_key
        outcome: FlipKind = "lost" if sample.before else "gained"
        if None in (sample.before, sample.after):
            outcome = "outcome"
        text = next(iter((*sample.new, *sample.gone)), sample.question)
        yield Flip(outcome, *keys, text, sample)
    for move in found.tier_moves:
        keys = move.before_key, move.after_key
        claims = "".join(f"; {claim}" for claim in move.claims)
        text = f"{move.metric} {moved_values(move)}{claims}"
        yield Flip("higher" if move.rose else "lower", *keys, text, move)
    for claim in found.claim_flips:
        keys = claim.before_key, claim.after_key
        yield Flip(_turn(claim), *keys, claim.after.claim.text, claim)
    for required in found.required_flips:
        keys = required.before_key, required.after_key
        kind: FlipKind = "unfound" if required.before else "found"
        yield Flip(kind, *keys, required.text, required)
    for gone in found.claims_gone:
        yield Flip("only_a", gone.key, None, gone.result.claim.text, gone)
    for new in found.claims_new:
        yield Flip("only_b", None, new.key, new.result.claim.text, new)


def _turn(flip: ClaimFlip) -> FlipKind:
    if flip.before.verdict.label is Label.SUPPORTED:
        return "worse"
    return "better" if flip.after.verdict.label is Label.SUPPORTED else "verdict"


def moved_values(move: TierMove) -> str:
    """`72.0 -> 64.0`; of a score from 0 to 1 `0.72 -> 0.64`."""
    digits = 2 if max(move.before_value, move.after_value) <= 1 else 1
    return f"{move.before_value:.{digits}f} -> {move.after_value:.{digits}f}"


# --- counting and choosing ------------------------------------------------------


def count_flips(all_flips: Iterable[Flip]) -> dict[FlipKind, int]:
    """How many there are of each kind that occurs."""
    counts = dict.fromkeys(FLIP_WORDS, 0)
    for flip in all_flips:
        counts[flip.kind] += 1
    return {kind: count for kind, count in counts.items() if count}


def flip_counts(shown: Sequence[Flip]) -> str:
    """How many of these lines are flips, how many are scores in another tier, and how
    many are claims of one side alone."""
    lone = sum(flip.kind in LONE for flip in shown)
    moved = sum(flip.kind in TIERS for flip in shown)
    text = counted_noun(len(shown) - lone - moved, "flip")
    text += f", {counted_noun(moved, 'tier')} moved" if moved else ""
    return text + (f", {counted_noun(lone, 'claim')} of one side only" if lone else "")


def wanted_flips(
    all_flips: Sequence[Flip], kind: FlipKind | None, text: str
) -> list[Flip]:
    """Those of a kind whose case, provider or text has `text`; None = every kind."""
    needle = text.casefold()
    return [
        flip
        for flip in all_flips
        if (kind is None or flip.kind == kind)
        and (not needle or needle in _haystack(flip))
    ]


def _haystack(flip: Flip) -> str:
    return f"{flip.key.case_id}\n{flip.key.provider}\n{flip.text}".casefold()


# --- a row of the list ----------------------------------------------------------


def flip_columns(*, wide: bool) -> tuple[Column, ...]:
    """Of a line a flip; wide: both verdicts in words."""
    return (
        Column("what", width=8),
        Column("A -> B", width=36 if wide else 21),
        Column("case", width=16 if wide else 12),
        Column("provider", width=12 if wide else 8),
        Column("claim or reason"),
    )


def flip_row(flip: Flip, *, wide: bool) -> Row:
    """What flipped, from what to what, where, and its text."""
    before, after = sides(flip)
    if not (before and after):
        turned = line("B only " if after else "A only ", before or after)
    elif before.sign and not wide:
        turned = line(Span("", sign=before.sign), "-> ", after)
    else:
        turned = line(before, " -> ", after)
    key = flip.key
    case = key.case_id if key.iteration == 1 else f"{key.case_id} #{key.iteration}"
    return row(_subject(flip), turned, case, key.provider, flip.text)


def _subject(flip: Flip) -> Prose:
    match flip.found:
        case SampleFlip():
            return line("sample")
        case RequiredFlip():
            return line("required")
        case TierMove(rose=rose):
            return line("tier ", Span("", sign="risen" if rose else "fallen"))
    return line("claim")


def sides(flip: Flip) -> tuple[Span, Span]:
    """What it was and what it is; empty for the side that does not have it."""
    match flip.found:
        case SampleFlip(before=before, after=after):
            return outcome_span(before), outcome_span(after)
        case RequiredFlip(before=had, after=has):
            return _is_found(had), _is_found(has)
        case TierMove() as move:
            role: Role = "supported" if move.rose else "contradicted"
            return Span(move.before, role), Span(move.after, role)
        case ClaimFlip(before=old, after=new):
            return verdict_span(old.verdict), verdict_span(new.verdict)
        case LoneClaim(result=result):
            one = verdict_span(result.verdict)
            return (one, EMPTY) if flip.kind == "only_a" else (EMPTY, one)


def _is_found(found: bool) -> Span:
    meaning: Sign = "supported" if found else "contradicted"
    return sign_span("found" if found else "missing", meaning)


# --- a flip in full -------------------------------------------------------------


def flip_title(flip: Flip) -> Prose:
    """From what to what, and which sample: `supported -> contradicted  c07/alder/1`."""
    before, after = sides(flip)
    turned = (before, " -> " if before and after else "", after)
    where = f"  {_keys(flip)}"
    match flip.found:
        case SampleFlip(answer_changed=changed):
            answer = "another answer" if changed else "the same answer"
            return line(*turned, where, Span(f"  ({answer})", "faint"))
        case ClaimFlip(paired_by=by, likeness=likeness):
            how = {
                "place": "same place",
                "text": "same text",
                "likeness": f"likest text, {likeness:.0%} alike",
            }[by]
            return line(*turned, where, Span(f"  ({how})", "faint"))
        case TierMove() as move:
            sign = Span("", sign="risen" if move.rose else "fallen")
            name = Span(f"{move.metric} ", "strong")
            return line(name, sign, *turned, f" ({moved_values(move)})", where)
    return line(*turned, f"{where}: ", flip.text)


def _keys(flip: Flip) -> str:
    old, new = flip.before_key, flip.after_key
    if old is None or new is None or old == new:
        return str(flip.key)
    return f"{old.case_id}/{old.iteration}, {old.provider} -> {new.provider}"


def flip_entry(flip: Flip) -> Section:
    """Both sides with their reasons and evidence."""
    return Section(flip_title(flip), tuple(_details(flip)))


def _details(flip: Flip) -> Iterator[Part]:
    match flip.found:
        case SampleFlip() as sample:
            yield line(Span(sample.question, "strong"))
            for letter, messages in (("A", sample.gone), ("B", sample.new)):
                for message in messages:
                    yield line(Span(f"failure only in {letter}: ", "faint"), message)
        case ClaimFlip(before=before, after=after):
            yield from _claim("A", before)
            yield from _claim("B", after)
        case TierMove(claims=claims):
            yield from (line(claim, level=1) for claim in claims)
            if not claims:
                yield line(Span("no claim changed with it", "faint"))
        case LoneClaim(result=result):
            yield from _claim("A" if flip.kind == "only_a" else "B", result)
            yield line(Span("the other answer makes no such claim", "faint"))


def _claim(letter: str, result: ClaimResult) -> Iterator[Prose]:
    yield line(Span(f"{letter} ", "heading"), *claim_line(result).spans)
    yield from claim_grounds(result, level=1)
