"""`claimscope overrule RUN CASE CLAIM LABEL`: a person's word on a verdict."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.analysis.overrules import Standing
    from claimscope.core.models import ClaimResult, HumanVerdict, RunHeader
    from claimscope.core.models import SampleResult as Sample
    from claimscope.core.ports import RunReader

AGREE, NO_CLAIM = "agree", "no_claim"
LABELS = ("supported", "contradicted", "not_enough_info", "unscored", NO_CLAIM, AGREE)
EPILOG = """\
--list shows the claims of a sample with their numbers, verdicts and words.
LABEL: supported, contradicted, not_enough_info, unscored (nobody can tell),
  no_claim (it states no fact), agree (the machine is right)
The last word on a claim counts at once in show, Results and reports; all words are
kept. --undo takes back your own word: what another person said then counts again.
exit codes: 0 done, 2 wrong use or no such claim, 3 it could not be saved
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which claim of which sample, and what is said of it."""
    parser.add_argument("run_id", metavar="RUN", help="a run id, or `last`")
    parser.add_argument("case", metavar="CASE", help="a case id")
    claim = parser.add_argument(
        "claim", type=int, metavar="CLAIM", help="its number, from 1"
    )
    label = parser.add_argument("label", choices=LABELS, metavar="LABEL")
    parser.add_argument("--provider", help="whose answer, when there are several")
    parser.add_argument(
        "--iteration", type=int, help="which iteration, when there are several"
    )
    parser.add_argument("--note", default="", help="why")
    parser.add_argument("--by", metavar="NAME", help="who says so (default: USER)")
    parser.add_argument(
        "--undo",
        action=Instead,
        instead_of=[label],
        help="take back your own word (no LABEL)",
    )
    parser.add_argument(
        "--list",
        action=Instead,
        instead_of=[claim, label],
        help="only list the claims (no CLAIM, no LABEL)",
    )


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
    """Saves a word and prints what becomes of the sample, or lists its claims."""
    from claimscope.core.errors import InputError
    from claimscope.tui.output import write_json, write_lines
    from claimscope.tui.workspace import open_runs, open_workspace, run_named

    if arguments.undo and (arguments.label is not None or arguments.list):
        other = "--list" if arguments.list else arguments.label
        raise InputError(f"{other} and --undo at once", "give one of them")
    runs = open_runs(open_workspace(arguments))
    reader = runs.read(run_named(runs, arguments.run_id))
    sample = sample_named(reader.samples(), arguments)
    if not arguments.list:
        reader.save_human(word_of(sample, reader, arguments))
    header, words = reader.status().header, standing_of(reader)
    if arguments.json:
        write_json(document(sample, words, header))
    else:
        write_lines(lines(sample, words, header, arguments.claim))
    return 0


def standing_of(reader: RunReader) -> Standing:
    """The words that count."""
    from claimscope.core.analysis.overrules import standing

    return standing(reader.human_verdicts())


def sample_named(samples: Sequence[Sample], arguments: argparse.Namespace) -> Sample:
    """The one sample that is meant. Raises InputError that lists what there is."""
    from claimscope.core.errors import InputError

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
    """The word to save. Raises InputError for a claim that is not there, and for an
    undo where there is nothing of this person to take back."""
    from claimscope.core.models import HumanVerdict, Label

    result = claim_numbered(sample, arguments.claim)
    by = arguments.by or os.environ.get("USER")
    human: Label | None = None
    if arguments.undo:
        check_undo(sample, result, by, reader)
    elif arguments.label == AGREE:
        human = result.verdict.label
    else:
        is_claim = arguments.label != NO_CLAIM
        human = Label(arguments.label) if is_claim else Label.UNSCORED
    return HumanVerdict(
        sample=sample.key,
        claim_index=result.claim.index,
        machine=result.verdict.label,
        human=human,
        is_claim=arguments.undo or arguments.label != NO_CLAIM,
        note=arguments.note,
        at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        by=by,
        claim=result.claim.text,
    )


def claim_numbered(sample: Sample, number: int) -> ClaimResult:
    """A claim by its number. Raises InputError."""
    from claimscope.core.errors import InputError

    for result in sample.claims:
        if result.claim.index + 1 == number:
            return result
    known = [result.claim.index + 1 for result in sample.claims]
    raise InputError(
        f"sample {sample.key} has no claim {number}",
        f"it has {known[0]} to {known[-1]}" if known else "it has no claim at all",
    )


def check_undo(
    sample: Sample, result: ClaimResult, by: str | None, reader: RunReader
) -> None:
    """Raises InputError when this person has no word on the claim."""
    from claimscope.core.analysis.overrules import by_person
    from claimscope.core.errors import InputError

    place = (sample.key, result.claim.index)
    said = by_person(reader.human_verdicts()).get(place, {})
    if by not in said:
        others = ", ".join(who or "somebody without a name" for who in said)
        raise InputError(
            f"{by or 'you'} said nothing of claim {result.claim.index + 1} of "
            f"{sample.key} that could be taken back",
            f"--by: {others} did" if others else "nobody did",
        )


# --- what is told ---------------------------------------------------------------


def document(sample: Sample, words: Standing, header: RunHeader) -> dict[str, object]:
    """For programs: the sample before and after, each claim with its word."""
    from claimscope.core.analysis.overrules import (
        as_people_say,
        settings_of,
        word_on,
    )

    now = as_people_say(sample, words, settings_of(header))
    return {
        "run": header.run_id,
        "sample": str(sample.key),
        "passed": now.passed,
        "machine_passed": sample.passed,
        "scores": {score.metric: score.value for score in now.scores},
        "machine_scores": {score.metric: score.value for score in sample.scores},
        "claims": [
            {
                "number": result.claim.index + 1,
                "claim": result.claim.text,
                "machine": result.verdict.label.value,
                "word": None if word is None else word.model_dump(mode="json"),
            }
            for result in sample.claims
            for word in [word_on(result, sample, words)]
        ],
    }


def lines(
    sample: Sample, words: Standing, header: RunHeader, number: int | None
) -> Iterator[str]:
    """For people: the sample now, and its claims or the one in hand."""
    from claimscope.core.analysis.overrules import (
        as_people_say,
        settings_of,
        word_on,
    )
    from claimscope.core.report.text import GLYPHS, one_line, sample_line

    now = as_people_say(sample, words, settings_of(header))
    was = f"  (machine: {GLYPHS[sample.passed]})" if now.passed != sample.passed else ""
    yield sample_line(now) + was
    machine = {score.metric: score.value for score in sample.scores}
    for score in now.scores:
        if score.value != machine[score.metric]:
            yield (
                f"  {score.metric} {value_text(score.value)} "
                f"(machine {value_text(machine[score.metric])})"
            )
    for result in sample.claims:
        if number in (None, result.claim.index + 1):
            word = word_on(result, sample, words)
            said = f"; {word_text(word)}" if word else ""
            head = f"{result.claim.index + 1} [{result.verdict.label.value}{said}]"
            yield "  " + one_line(f"{head} {result.claim.text}")


def value_text(value: float | None) -> str:
    """Never a number for no value."""
    return "unscored" if value is None else f"{value:.2f}"


def word_text(word: HumanVerdict) -> str:
    """`ann: contradicted: see page 2`."""
    said = word.human.value if word.human and word.is_claim else "states no fact"
    note = f": {word.note}" if word.note else ""
    return f"{word.by or 'a person'}: {said}{note}"
