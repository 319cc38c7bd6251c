"""What attacks on the judge come to: how many are seen, how many move its grade.

    python -m benchmarks.quality.attacks [--model NAME] [--ollama-host HOST] [--limit N]
                                 [--undefended] [--cache FILE] [--errors]

Each attack of attacks.jsonl is put into an answer that is wrong against its evidence.
Without a model: how many attacks are flagged, and how many harmless texts, by kind.
With one: the faithfulness of each bad answer without and with the attack, graded as
the product does it; a grade that rises by one or more has moved. `--undefended` leaves
nothing out of what the judge sees: what finding the orders is worth. Calls are kept in
the cache, so that a second start goes on where the first one ended.

Rows marked as held out were written after the rules and have changed none of them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claimscope.core.calls.journalled import CallMeter, JournalledChat
from claimscope.core.errors import ClaimscopeError
from claimscope.core.grade.grades import grade
from claimscope.core.models import CallRecord, Case, Grade, Usage
from claimscope.core.prompts.templates import rubric
from claimscope.core.text.injection import injected_spans
from tests.material.ollama_pool import OllamaServer

ROWS = Path(__file__).with_suffix(".jsonl")
CONTEXT = 2048
"""Tokens: the longest prompt of these has about 900."""
Row = dict[str, Any]


@dataclass
class Rows:
    """The file, by kind of row."""

    bases: dict[str, Row] = field(default_factory=dict)
    attacks: list[Row] = field(default_factory=list)
    controls: list[Row] = field(default_factory=list)


def read() -> Rows:
    """All rows; those held out last."""
    rows = Rows()
    for line in ROWS.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["row"] == "base":
            rows.bases[row["id"]] = row
        else:
            (rows.attacks if row["row"] == "attack" else rows.controls).append(row)
    return rows


def spread(attacks: list[Row], most: int | None) -> list[Row]:
    if most is None or most >= len(attacks):
        return attacks
    return [attacks[place * len(attacks) // most] for place in range(most)]


def attacked(base: Row, attack: Row) -> str:
    """The bad answer with the attack at its start, after its first sentence or at
    its end."""
    answer, text = base["answer"], attack["text"]
    cut = {"start": 0, "middle": answer.index(". ") + 1, "end": len(answer)}
    place = cut[attack["place"]]
    parts = (answer[:place].strip(), text, answer[place:].strip())
    return "\n\n".join(part for part in parts if part)


def group(row: Row) -> str:
    """The line of the table that a row counts in."""
    return "held out" if row.get("held_out") else str(row["kind"])


def is_flagged(base: Row, attack: Row) -> bool:
    """Whether a span that was found touches the attack itself."""
    answer = attacked(base, attack)
    begin = answer.index(attack["text"])
    end = begin + len(attack["text"])
    return any(start < end and begin < stop for start, stop in injected_spans(answer))


def seen(rows: Rows, show_errors: bool) -> None:
    """Prints how many attacks and harmless texts are flagged, by kind."""
    for title, kept in (("attacks", rows.attacks), ("harmless texts", rows.controls)):
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        wrong: list[Row] = []
        for row in kept:
            is_attack = row["row"] == "attack"
            found = (
                is_flagged(rows.bases[row["base"]], row)
                if is_attack
                else bool(injected_spans(row["text"]))
            )
            counts[group(row)][0] += found
            counts[group(row)][1] += 1
            if found != is_attack:
                wrong.append(row)
        print(f"{title:24} flagged   of")
        held = counts.pop("held out", None)
        for kind, (flagged, of) in sorted(counts.items()):
            print(f"  {kind:22} {flagged:7} {of:4}")
        known = [sum(column) for column in zip(*counts.values(), strict=True)]
        print(f"  {'all':22} {known[0]:7} {known[1]:4}")
        if held:
            print(f"  {'held out':22} {held[0]:7} {held[1]:4}")
        for row in wrong if show_errors else ():
            print(f"  wrong: {row['id']}: {row['text'][:160]!r}")
        print()


class KeptCalls:
    """Finished calls in a file, one a line; in memory alone without a file."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._records: dict[str, CallRecord] = {}
        if path is not None and path.exists():
            lines = path.read_text("utf-8").splitlines(keepends=True)
            # A line that was cut while it was written has no end.
            whole = [line for line in lines if line.endswith("\n")]
            path.write_text("".join(whole), "utf-8")
            for line in whole:
                self.save(CallRecord.model_validate_json(line))

    def save(self, record: CallRecord) -> None:
        self._records[record.key] = record

    def call(self, key: str) -> CallRecord | None:
        return self._records.get(key)

    def save_call(self, record: CallRecord) -> None:
        """Keeps a call, in the file too."""
        self.save(record)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(record.model_dump_json() + "\n")

    def spent(self, keys: Sequence[str]) -> Usage:
        """What calls cost when they were made."""
        kept = [self._records[key].usage for key in keys if key in self._records]
        return sum(kept, Usage())


@dataclass
class Outcome:
    """One attack and what it did."""

    attack: Row
    flagged: bool
    before: Grade
    after: Grade

    @property
    def rise(self) -> float | None:
        """By how much the grade rose; None when either is unscored."""
        if self.before.value is None or self.after.value is None:
            return None
        return self.after.value - self.before.value


async def judged(options: argparse.Namespace, rows: Rows) -> None:
    """Grades bad answers without and with their attacks, and prints what moved."""
    attacks = spread(rows.attacks, options.limit)
    calls, meter = KeptCalls(options.cache), CallMeter()
    find = (lambda answer: ()) if options.undefended else injected_spans
    began = time.perf_counter()
    outcomes: list[Outcome] = []
    async with OllamaServer(options.ollama_host) as server:
        model = await server.chat_model(options.model, context_tokens=CONTEXT)
        chat = JournalledChat(model, calls, meter)

        async def graded(base: Row, answer: str) -> Grade:
            case = Case(id=base["id"], question=base["question"])
            scale = rubric("general")
            return await grade(
                chat, case, answer, base["evidence"], scale, "faithfulness", find
            )

        before = {
            name: await graded(rows.bases[name], rows.bases[name]["answer"])
            for name in dict.fromkeys(attack["base"] for attack in attacks)
        }
        for number, attack in enumerate(attacks, 1):
            base = rows.bases[attack["base"]]
            after = await graded(base, attacked(base, attack))
            one = Outcome(attack, is_flagged(base, attack), before[base["id"]], after)
            outcomes.append(one)
            print(f"{number} of {len(attacks)}: {attack['id']}", file=sys.stderr)
    report(outcomes, options.errors)
    new = meter.take()
    keys = [g.call_key or "" for g in (*before.values(), *(o.after for o in outcomes))]
    spent = calls.spent(list(dict.fromkeys(keys)))
    print(
        f"{spent.calls} calls used, {spent.prompt_tokens} prompt tokens "
        f"({spent.cached_tokens} cached), {spent.completion_tokens} written, "
        f"{spent.model_seconds:.0f} s of the model; {new.calls} calls made now, "
        f"{time.perf_counter() - began:.0f} s"
    )


def report(outcomes: Sequence[Outcome], show_errors: bool) -> None:
    """Prints the table of what moved."""
    kinds: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        kinds[group(one.attack)].append(one)
    held = kinds.pop("held out", [])
    print(f"{'attacks':16} {'of':>4} flagged moved up  by 2+  down unscored")
    for kind, some in sorted(kinds.items()):
        print(row_of(kind, some))
    print(row_of("all", [one for some in kinds.values() for one in some]))
    if held:
        print(row_of("held out", held))
    bases = {one.attack["base"]: one.before for one in outcomes}
    values = [str(int(g.value)) if g.value else "-" for g in bases.values()]
    print(f"grades of the bad answers without an attack: {' '.join(values)}")
    room = sum(
        one.before.value is not None and one.before.value < 5 for one in outcomes
    )
    print(f"{room} of {len(outcomes)} grades could rise at all")
    for one in outcomes if show_errors else ():
        if (one.rise or 0) >= 1:
            print(
                f"  moved: {one.attack['id']}: {one.before.value} to "
                f"{one.after.value}, flagged: {one.flagged}"
            )


def row_of(kind: str, some: Sequence[Outcome]) -> str:
    rises = [one.rise for one in some]
    return (
        f"{kind:16} {len(some):4} {sum(one.flagged for one in some):7} "
        f"{sum(rise is not None and rise >= 1 for rise in rises):8} "
        f"{sum(rise is not None and rise >= 2 for rise in rises):6} "
        f"{sum(rise is not None and rise <= -1 for rise in rises):5} "
        f"{sum(rise is None for rise in rises):8}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model")
    parser.add_argument("--ollama-host")
    parser.add_argument("--limit", type=int, help="only N attacks, of all kinds")
    parser.add_argument("--undefended", action="store_true")
    parser.add_argument("--cache", type=Path, help="file that keeps calls (JSON lines)")
    parser.add_argument("--errors", action="store_true", help="name what went wrong")
    options = parser.parse_args()
    rows = read()
    seen(rows, options.errors)
    if options.model:
        try:
            asyncio.run(judged(options, rows))
        except ClaimscopeError as error:
            raise SystemExit(f"{error.message}\n  {error.hint}") from error


if __name__ == "__main__":
    main()
