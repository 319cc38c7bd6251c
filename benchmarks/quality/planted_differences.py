"""Does `compare` find exactly the differences that were planted, and none elsewhere?

    python -m benchmarks.quality.planted_differences [--suite NAME]… [--places 6]
        [--drops 2]
        [--metrics a,b] [--workspace DIR]

Each shipped suite is run on its own answers (A), on the same answers again (A2), and on
answers with known changes (B): at `places` answers a number of a supported claim is
made another one, from `drops` further answers the last sentence is taken away. Then
`claimscope compare` says of A and A2 and of A and B what differs. Right is: A and A2
within noise without a flip; of A and B the changed answers and no others, flipped
claims only inside what was changed, and dropped claims only where a sentence was
dropped. A planted number that the verifier does not object to is counted as missed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope.core.models import Label, SampleResult
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace

SUITES = ("medicine", "courses", "website")
TESTSETS = Path(__file__).resolve().parents[2] / "testsets"
NUMBER = re.compile(r"(?<![\w.,-])\d+(?:\.\d+)?(?![\w-])")
CITATION = re.compile(r"\[[^\]]*\]")
Place = tuple[str, str]
"""Case and provider."""


@dataclass
class Planted:
    """Answers of B and what was done to them."""

    answers: list[dict[str, Any]]
    numbers: dict[Place, tuple[int, int]]
    """Span of the changed sentence in the new answer."""
    dropped: set[Place]
    passed: set[Place]
    """Of `numbers`, those whose sample passed in A."""


def command(workspace: Path, *words: str) -> Any:
    line = [sys.executable, "-m", "claimscope", "--workspace", str(workspace), *words]
    done = subprocess.run(line, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode or not done.stdout.strip():
        sys.exit(f"{' '.join(words)} ended with code {done.returncode}")
    return json.loads(done.stdout)


def run(workspace: Path, suite: str, metrics: str, answers: Path | None) -> str:
    words = ["run", suite, "--metrics", metrics, "--json"]
    words += ["--answers", str(answers)] if answers else []
    return str(command(workspace, *words)["status"]["header"]["run_id"])


def plant(
    samples: list[SampleResult], lines: list[dict[str, Any]], places: int, drops: int
) -> Planted:
    """Changes drawn answers; the draw is seeded."""
    texts = {(line["case_id"], line["provider"]): line for line in lines}
    found = Planted([dict(line) for line in lines], {}, set(), set())
    new = {(line["case_id"], line["provider"]): line for line in found.answers}
    drawn = list(samples)
    random.Random(7).shuffle(drawn)
    drawn.sort(key=lambda sample: sample.passed is not True)
    for sample in drawn:
        place = (sample.key.case_id, sample.key.provider)
        if len(found.numbers) < places and (change := wrong_number(sample)):
            text, span = change
            new[place]["text"], found.numbers[place] = text, span
            found.passed |= {place} if sample.passed else set()
        elif len(found.dropped) < drops and (shorter := without_last(sample)):
            new[place]["text"] = shorter
            found.dropped.add(place)
        assert texts[place]["text"] == sample.answer.text
    return found


def wrong_number(sample: SampleResult) -> tuple[str, tuple[int, int]] | None:
    """(text, span of its sentence) with a number of a supported claim made another: one
    that its evidence has too, and no part of a citation or a list's numbering."""
    text = sample.answer.text
    for result in sample.claims:
        claim = result.claim
        cited = [m.span() for m in CITATION.finditer(text)]
        proof = {n for e in result.verdict.evidence[:1] for n in NUMBER.findall(e.text)}
        places = (
            match
            for match in NUMBER.finditer(text, claim.start, claim.end)
            if match.group() in proof & set(NUMBER.findall(claim.text))
            and not any(start < match.start() < end for start, end in cited)
        )
        found = next(places, None)
        if result.verdict.label is not Label.SUPPORTED or found is None:
            continue
        other = f"{float(found.group()) * 3 + 1:g}"
        longer = len(other) - len(found.group())
        changed = text[: found.start()] + other + text[found.end() :]
        return changed, (claim.sentence_start, claim.sentence_end + longer)
    return None


def without_last(sample: SampleResult) -> str | None:
    """The answer without its last sentence, when that makes claims and is plain."""
    text = sample.answer.text
    if len(sample.claims) < 3:
        return None
    last = sample.claims[-1].claim
    rest = text[: last.sentence_start].rstrip()
    is_plain = not text[last.sentence_end :].strip() and rest[-1:] in (".", "]")
    return rest if is_plain else None


def judge_equal(suite: str, found: dict[str, Any]) -> bool:
    """Prints what was said of A and A2."""
    flips = len(found["sample_flips"]) + len(found["claim_flips"])
    right = found["within_noise"] and not flips and not found["changes"]
    said = "within noise" if found["within_noise"] else "DIFFERENT"
    print(f"{suite}, the same twice: {said}, {flips} flips: {_word(right)}")
    return bool(right)


def judge_planted(suite: str, found: dict[str, Any], planted: Planted) -> bool:
    """Prints what was said of A and B beside what was planted."""
    changed = {_place(key) for key in found["answers_changed"]}
    expected = set(planted.numbers) | planted.dropped
    inside, outside = set(), 0
    for flip in found["claim_flips"]:
        place, claim = _place(flip["after_key"]), flip["after"]["claim"]
        start, end = planted.numbers.get(place, (0, 0))
        is_inside = start <= claim["start"] and claim["end"] <= end
        inside |= {place} if is_inside else set()
        outside += not is_inside
    flipped = {_place(flip["after_key"]) for flip in found["sample_flips"]}
    gone = {_place(lone["key"]) for lone in found["claims_gone"]}
    right = (
        changed == expected
        and not outside
        and inside == set(planted.numbers)
        and gone == planted.dropped
        and planted.passed <= flipped <= expected
    )
    print(
        f"{suite}, planted: answers changed {len(changed & expected)} of "
        f"{len(expected)}, others {len(changed - expected)}; numbers flipped "
        f"{len(inside)} of {len(planted.numbers)}, claims flipped elsewhere {outside}; "
        f"their samples {len(planted.passed & flipped)} of {len(planted.passed)}; "
        f"sentences dropped {len(gone & planted.dropped)} of {len(planted.dropped)}, "
        f"others {len(gone - planted.dropped)}; samples flipped that were not touched "
        f"{len(flipped - expected)}: {_word(right)}"
    )
    for place in sorted(set(planted.numbers) - inside):
        print(f"  missed: {place[0]} {place[1]}")
    return right


def _place(key: dict[str, Any]) -> Place:
    return key["case_id"], key["provider"]


def _word(right: bool) -> str:
    return "as planted" if right else "NOT as planted"


def one_suite(suite: str, workspace: Path, options: argparse.Namespace) -> bool:
    """Three runs and two comparisons."""
    lines = [
        json.loads(line)
        for line in (TESTSETS / suite / "answers.jsonl").read_text("utf-8").splitlines()
    ]
    first = run(workspace, suite, options.metrics, None)
    samples = list(DiskRunStore(Workspace(workspace).runs).read(first).samples())
    planted = plant(samples, lines, options.places, options.drops)
    changed = workspace / f"{suite}-planted.jsonl"
    changed.write_text(
        "".join(
            json.dumps(line, ensure_ascii=False) + "\n" for line in planted.answers
        ),
        "utf-8",
    )
    again = run(workspace, suite, options.metrics, None)
    other = run(workspace, suite, options.metrics, changed)
    (equal,) = command(workspace, "compare", first, again, "--json")
    (found,) = command(workspace, "compare", first, other, "--json")
    # Both, also when the first is wrong.
    return all([judge_equal(suite, equal), judge_planted(suite, found, planted)])


def main() -> None:
    """Runs the suites; exit code 1 when any comparison is not as planted."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--suite", action="append", choices=SUITES)
    parser.add_argument("--places", type=int, default=6)
    parser.add_argument("--drops", type=int, default=2)
    parser.add_argument("--metrics", default="claim_support,claim_completeness")
    parser.add_argument("--workspace", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        workspace = options.workspace or Path(folder)
        suites = options.suite or SUITES
        right = [one_suite(suite, workspace, options) for suite in suites]
    sys.exit(0 if all(right) else 1)


if __name__ == "__main__":
    main()
