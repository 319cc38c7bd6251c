"""Planted faults in long answers on pages written like real documentation.

    python -m benchmarks.quality.long_answers [--folder FOLDER]
        [--verifier ollama --model NAME]
        [--errors]

benchmarks/quality/everyday/long (and benchmarks/quality/everyday/fresh/long) holds
folders: pages, an answer as a chatbot writes it, its question where it has one, and
faults.jsonl with each planted fault. All other statements are true by the pages.
Printed: faults that pass unnoticed (every claim on them is called supported, or none
was made), those called only likely, contradicted ones found; of the other claims, how
many are supported, likely, not supported, and wrongly contradicted.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from claimscope.core.models import ClaimResult, Label

FOLDER = Path(__file__).parent / "everyday" / "long"
Fault = dict[str, str]


def claims_on(
    fault: Fault, answer: str, claims: Sequence[ClaimResult]
) -> list[ClaimResult]:
    start = answer.index(fault["text"])
    end = start + len(fault["text"])
    return [c for c in claims if c.claim.start < end and start < c.claim.end]


def judged(folder: Path, words: Sequence[str]) -> tuple[str, tuple[ClaimResult, ...]]:
    """The answer of a folder and its claims, judged as `claimscope check` does."""
    from claimscope.tui.cli.parser import build_parser
    from claimscope.tui.services.check.answers import AnswerText, check_answers

    path = folder / "answer.md"
    line = ["check", str(path), "--against", str(folder / "pages"), *words]
    asked = folder / "question.txt"
    if asked.exists():
        line += ["--question", asked.read_text("utf-8").strip()]
    arguments = build_parser(line).parse_args(line)
    answer = path.read_text("utf-8")
    checked = check_answers(
        [AnswerText(str(path), answer)], [folder / "pages"], arguments
    )
    return answer, checked.samples[0].claims


def main() -> None:
    """Prints a line a folder and the totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--verifier", default="none")
    parser.add_argument("--model")
    parser.add_argument("--errors", action="store_true", help="list each error")
    parser.add_argument("--out", type=Path, help="write every claim as a JSON line")
    options = parser.parse_args()
    words = ["--verifier", options.verifier]
    words += ["--model", options.model] if options.model else []
    faults_total: Counter[str] = Counter()
    others_total: Counter[str] = Counter()
    kept: list[dict[str, object]] = []
    for folder in sorted(path for path in options.folder.iterdir() if path.is_dir()):
        answer, claims = judged(folder, words)
        lines = (folder / "faults.jsonl").read_text("utf-8").splitlines()
        faults = [json.loads(line) for line in lines if line.strip()]
        on_fault: dict[int, str] = {}
        counts: Counter[str] = Counter()
        for fault in faults:
            found = claims_on(fault, answer, claims)
            on_fault |= {one.claim.index: fault["gold"] for one in found}
            said = [one.verdict.word for one in found]
            counts["faults"] += 1
            bad = [word for word in said if word not in ("supported", "likely")]
            counts["unnoticed"] += not bad
            counts["of them likely"] += not bad and "likely" in said
            counts["no claim made"] += not said
            if fault["gold"] == "contradicted":
                counts["contradictions"] += 1
                counts["found"] += "contradicted" in said
            if options.errors and not bad:
                print(f"UNNOTICED {said} {fault['kind']}: {fault['text']!r}")
        faults_total += counts
        others = Counter(
            one.verdict.word for one in claims if one.claim.index not in on_fault
        )
        others_total += others
        for one in claims:
            gold = on_fault.get(one.claim.index, Label.SUPPORTED.value)
            kept.append({"gold": gold, **one.model_dump(mode="json")})
            if options.errors and gold == "supported" != one.verdict.label.value:
                print(f"{one.verdict.word}: {one.claim.text!r}")
                print(f"    {one.verdict.reason}")
        print(f"{folder.name:20} {dict(counts)}   others: {dict(others)}")
    print(f"faults  {dict(faults_total)}")
    print(f"others  {others_total.total()} claims: {dict(others_total)}")
    if options.out:
        options.out.write_text("\n".join(map(json.dumps, kept)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
