"""`claimscope labels override RUN CASE CLAIM LABEL`: a person's word on a verdict."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from claimscope.core.errors import InputError
from claimscope.tui.process.output import write_json, write_lines
from claimscope.tui.services.workspace import read_run

if TYPE_CHECKING:
    from claimscope.core.analysis.agreement.overrides import StandingVerdicts
    from claimscope.core.models import HumanVerdict, Label, RunHeader
    from claimscope.core.models import SampleResult as Sample
    from claimscope.core.ports import RunReader
    from claimscope.tui.review.items import Judged

AGREE, NO_CLAIM = "agree", "no_claim"
FOUND, MISSING = "found", "missing"
OF_CLAIMS = ("supported", "contradicted", "not_enough_info", NO_CLAIM)
OF_REQUIRED = (FOUND, MISSING)
LABELS = (*OF_CLAIMS, *OF_REQUIRED, "unscored", AGREE)
EPILOG = """\
--list shows the claims of a sample with their numbers, verdicts and words.
LABEL: supported, contradicted, not_enough_info, unscored (nobody can tell),
  no_claim (it states no fact), agree (the machine is right)
CLAIM r1, r2 … are the claims that the case requires of an answer; LABEL is then found
  (the answer says it), missing, unscored or agree
The last word on a claim counts at once in show, Results and reports; all words are
kept. --undo takes back your own word: what another person said then counts again.
exit codes: 0 done, 2 wrong use or no such claim, 3 it could not be saved
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("run_id", metavar="RUN", help="a run id, or `last`")
    add("case", metavar="CASE", help="a case id")
    claim = add(
        "claim",
        type=claim_name,
        metavar="CLAIM",
        help="its number, from 1; r1, r2 … for claims the case requires",
    )
    label = add("label", choices=LABELS, metavar="LABEL")
    add("--provider", help="whose answer, when there are several")
    add("--iteration", type=int, help="which iteration, when there are several")
    add("--note", default="", help="why")
    add("--by", metavar="NAME", help="who says so (default: USER)")
    add(
        "--undo",
        action=Instead,
        instead_of=[label],
        help="take back your own word (no LABEL)",
    )
    add(
        "--list",
        action=Instead,
        instead_of=[claim, label],
        help="only list the claims (no CLAIM, no LABEL)",
    )


class ClaimName(NamedTuple):
    number: int
    """From 1."""
    required: bool

    def __str__(self) -> str:
        return f"r{self.number}" if self.required else str(self.number)


def claim_name(text: str) -> ClaimName:
    """`3` or `r3`. Raises ArgumentTypeError."""
    digits = text.lower().removeprefix("r")
    if not (digits.isascii() and digits.isdigit()):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number of a claim; write 3, or r3 for a required claim"
        )
    return ClaimName(int(digits), digits != text.lower())


class Instead(argparse.Action):
    """A switch in place of positionals, which are needed no more. `nargs="?"` would
    not do: argparse takes them as left out when a flag stands before them."""

    def __init__(
        self,
        option_strings: Sequence[str],
        dest: str,
        instead_of: Sequence[argparse.Action],
        help: str,
    ) -> None:
        super().__init__(option_strings, dest, nargs=0, default=False, help=help)
        self._instead_of = instead_of

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, True)
        for action in self._instead_of:
            action.required = False


def run(arguments: argparse.Namespace) -> int:
    if arguments.undo and (arguments.label is not None or arguments.list):
        other = "--list" if arguments.list else arguments.label
        raise InputError(f"{other} and --undo at once", "give one of them")
    reader = read_run(arguments)
    sample = sample_named(reader.samples(), arguments)
    if not arguments.list:
        reader.save_human(word_of(sample, reader, arguments))
    header, words = reader.status().header, standing_of(reader)
    if arguments.json:
        write_json(document(sample, words, header))
    else:
        write_lines(lines(sample, words, header, arguments.claim))
    return 0


def standing_of(reader: RunReader) -> StandingVerdicts:
    """The words that count."""
    from claimscope.core.analysis.agreement.overrides import words_that_count

    return words_that_count(reader.human_verdicts())


def sample_named(samples: Sequence[Sample], arguments: argparse.Namespace) -> Sample:
    """The one sample that is meant. Raises InputError that lists what there is."""
    of_case = [sample for sample in samples if sample.key.case_id == arguments.case]
    if not of_case:
        known = ", ".join(dict.fromkeys(sample.key.case_id for sample in samples))
        raise InputError(
            f"run {arguments.run_id} has no finished sample of case {arguments.case!r}",
            f"it has: {known or 'none yet'}",
        )
    found = [
        sample
        for sample in of_case
        if arguments.provider in (None, sample.key.provider)
        and arguments.iteration in (None, sample.key.iteration)
    ]
    if len(found) == 1:
        return found[0]
    listed = "; ".join(
        f"--provider {s.key.provider} --iteration {s.key.iteration}" for s in of_case
    )
    raise InputError(
        f"{len(found) or 'none'} of the samples of case {arguments.case!r} "
        f"{'are' if found else 'is'} meant",
        f"name one: {listed}",
    )


def word_of(
    sample: Sample, reader: RunReader, arguments: argparse.Namespace
) -> HumanVerdict:
    """The word to save. Raises InputError for a claim that is not there, a label that
    is none of its kind, and an undo where there is nothing of this person to take
    back."""
    from claimscope.core.models import HumanVerdict

    judged = claim_named(sample, arguments.claim)
    by = arguments.by or os.environ.get("USER")
    human: Label | None = None
    if arguments.undo:
        check_undo(sample, judged, arguments.claim, by, reader)
    else:
        human = label_of(arguments.label, judged, arguments.claim)
    return HumanVerdict(
        sample=sample.key,
        claim_index=judged.number,
        required=judged.required,
        machine=judged.label,
        human=human,
        is_claim=arguments.undo or arguments.label != NO_CLAIM,
        note=arguments.note,
        at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        by=by,
        claim=judged.text,
    )


def label_of(word: str, judged: Judged, claim: ClaimName) -> Label:
    """What a word of the command line means of a claim. Raises InputError."""
    from claimscope.core.models import Label

    if word == AGREE:
        return judged.label
    if word in (OF_CLAIMS if judged.required else OF_REQUIRED):
        fitting = OF_REQUIRED if judged.required else OF_CLAIMS
        kind = "a claim the case requires" if judged.required else "a claim"
        raise InputError(
            f"claim {claim} is {kind}: {word} cannot be said of it",
            f"say one of: {', '.join((*fitting, 'unscored', AGREE))}",
        )
    meant = {
        FOUND: Label.SUPPORTED,
        MISSING: Label.NOT_ENOUGH_INFO,
        NO_CLAIM: Label.UNSCORED,
    }
    return meant.get(word) or Label(word)


def claims_of(sample: Sample) -> Iterator[tuple[ClaimName, Judged]]:
    """All claims by their names: those of the answer, then those the case requires."""
    from claimscope.tui.review.items import Item, judged_of

    kinds = [("claim", len(sample.claims)), ("missing", len(sample.required_claims))]
    for kind, count in kinds:
        for index in range(count):
            judged = judged_of(sample, Item(kind, index))  # type: ignore[arg-type]
            assert judged is not None
            yield ClaimName(judged.number + 1, judged.required), judged


def claim_named(sample: Sample, name: ClaimName) -> Judged:
    """A claim by its name. Raises InputError."""
    known = dict(claims_of(sample))
    if name in known:
        return known[name]
    names = [str(one) for one in known]
    raise InputError(
        f"sample {sample.key} has no claim {name}",
        f"it has {', '.join(names)}" if names else "it has no claim at all",
    )


def check_undo(
    sample: Sample, judged: Judged, name: ClaimName, by: str | None, reader: RunReader
) -> None:
    """Raises InputError when this person has no word on the claim."""
    from claimscope.core.analysis.agreement.overrides import by_person

    subject = (sample.key, judged.number, judged.required)
    said = by_person(reader.human_verdicts()).get(subject, {})
    if by not in said:
        others = ", ".join(who or "somebody without a name" for who in said)
        raise InputError(
            f"{by or 'you'} said nothing of claim {name} of "
            f"{sample.key} that could be taken back",
            f"--by: {others} did" if others else "nobody did",
        )


# --- what is told ---------------------------------------------------------------


def document(
    sample: Sample, words: StandingVerdicts, header: RunHeader
) -> dict[str, object]:
    """For programs: the sample before and after, each claim with its word."""
    from claimscope.core.analysis.agreement.overrides import (
        sample_with_overrides,
        settings_of,
    )

    now = sample_with_overrides(sample, words, settings_of(header))
    return {
        "run": header.run_id,
        "sample": str(sample.key),
        "passed": now.passed,
        "machine_passed": sample.passed,
        "scores": {score.metric: score.value for score in now.scores},
        "machine_scores": {score.metric: score.value for score in sample.scores},
        "claims": [
            {
                "number": judged.number + 1,
                "required": judged.required,
                "claim": judged.text,
                "machine": machine_word(judged),
                "word": None if word is None else word.model_dump(mode="json"),
            }
            for _, judged in claims_of(sample)
            for word in [word_for(sample, judged, words)]
        ],
    }


def word_for(
    sample: Sample, judged: Judged, words: StandingVerdicts
) -> HumanVerdict | None:
    """The word that counts on a claim."""
    word = words.get((sample.key, judged.number, judged.required))
    return word if word is None or word.claim in (None, judged.text) else None


def machine_word(judged: Judged) -> str:
    """The machine's label as it is typed: `found` and `missing` of required claims."""
    if not judged.required:
        return judged.label.value
    words = {"supported": FOUND, "not_enough_info": MISSING}
    return words.get(judged.label.value, judged.label.value)


def lines(
    sample: Sample, words: StandingVerdicts, header: RunHeader, claim: ClaimName | None
) -> Iterator[str]:
    """For people: the sample now, and its claims or the one in hand."""
    from claimscope.core.analysis.agreement.overrides import (
        sample_with_overrides,
        settings_of,
    )
    from claimscope.core.report.renderers.plain import text
    from claimscope.core.report.terms import LIKELY, OUTCOMES
    from claimscope.core.report.text import one_line
    from claimscope.core.report.views.sample import sample_title

    now = sample_with_overrides(sample, words, settings_of(header))
    was = (
        f"  (machine: {OUTCOMES[sample.passed]})" if now.passed != sample.passed else ""
    )
    yield text(sample_title(now).spans) + was
    machine = {score.metric: score.value for score in sample.scores}
    for score in now.scores:
        if score.value != machine[score.metric]:
            yield (
                f"  {score.metric} {value_text(score.value)} "
                f"(machine {value_text(machine[score.metric])})"
            )
    for name, judged in claims_of(sample):
        if claim in (None, name):
            word = word_for(sample, judged, words)
            said = f"; {word_text(word)}" if word else ""
            label = LIKELY if judged.word == LIKELY else machine_word(judged)
            head = f"{name} [{label}{said}]"
            yield "  " + one_line(f"{head} {judged.text}")


def value_text(value: float | None) -> str:
    """Never a number for no value."""
    return "unscored" if value is None else f"{value:.2f}"


def word_text(word: HumanVerdict) -> str:
    """`ann: contradicted: see page 2`."""
    said = word.human.value if word.human and word.is_claim else "states no fact"
    if word.required:
        said = {"supported": FOUND, "not_enough_info": MISSING}.get(said, said)
    note = f": {word.note}" if word.note else ""
    return f"{word.by or 'a person'}: {said}{note}"
