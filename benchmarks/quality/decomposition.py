"""Claims of answer sentences against those that people wrote (factcheck_decomp).

    python -m benchmarks.quality.decomposition DATA/factcheck_decomp.jsonl [--rows N]
        [--model NAME [--host URL]] [--misses]

Each row is a sentence of an answer with the stand-alone claims that people made of it.
The answer is taken apart as a whole, and the claims of the row's sentence are laid
beside theirs. Printed:

- coverage: the share of their claims that one of ours is like, and of ours that one of
  theirs is like (cosine of the shipped embedder above 0.75). A sentence left whole may
  cover several claims, so this says little of how far sentences are taken apart;
- one to one: pairs of claims with token F1 of 0.6 or more, the likest first, each used
  once; precision, recall and F1 of these;
- how many claims we make of sentences of which people made none.

Rows whose sentence is not in the answer word by word (people mended some) are left out
and counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from claimscope.core.backends.embedders import default_embedder
from claimscope.core.backends.ollama.address import server_hosts
from claimscope.core.models import Claim
from claimscope.core.verify.decomposition import decompose
from claimscope.core.verify.decomposition_by_model import ModelDecomposer
from tests.material.ollama_pool import OllamaPool

LIKE = 0.75
"""Cosine from which a claim covers another, as for required claims."""
LEAST = 0.6
"""Token F1 from which two claims are the same."""


@dataclass(frozen=True)
class Laid:
    """The claims of a sentence beside those of people."""

    sentence: str
    ours: list[str]
    theirs: list[str]


def f1(left: str, right: str) -> float:
    """Token F1 of two texts.

    >>> round(f1("The fee is 5.", "The fee is 5 pounds."), 2)
    0.89
    """
    one, other = (Counter(re.findall(r"\w+", t.casefold())) for t in (left, right))
    shared = (one & other).total()
    return 2 * shared / (one.total() + other.total()) if shared else 0.0


def matches(
    ours: Sequence[str], theirs: Sequence[str], *, least: float = LEAST
) -> list[tuple[int, int]]:
    """Pairs of claims that are the same, the likest first, each used once."""
    found = sorted(
        ((f1(a, b), i, j) for i, a in enumerate(ours) for j, b in enumerate(theirs)),
        reverse=True,
    )
    pairs: list[tuple[int, int]] = []
    for value, i, j in found:
        if value >= least and not any(i == one or j == other for one, other in pairs):
            pairs.append((i, j))
    return pairs


async def claims_of(answer: str, decomposer: ModelDecomposer | None) -> Sequence[Claim]:
    taken = await decomposer(answer) if decomposer else decompose(answer)
    return taken.claims


async def laid(
    rows: Sequence[dict[str, object]], decomposer: ModelDecomposer | None
) -> tuple[list[Laid], int]:
    """Each sentence with both lists, and how many rows were left out."""
    found: list[Laid] = []
    absent = 0
    for _, group in groupby(rows, key=lambda row: row["group"]):
        own = list(group)
        answer = str(own[0]["evidence"])
        claims = await claims_of(answer, decomposer)
        for row in own:
            sentence = str(row["claim"])
            at = answer.find(sentence)
            if at < 0:
                absent += 1
                continue
            end = at + len(sentence)
            ours = [
                c.text for c in claims if c.sentence_start < end and c.sentence_end > at
            ]
            native = row["native"]
            assert isinstance(native, dict)
            found.append(Laid(sentence, ours, list(native["claims"] or [])))
    return found, absent


def one_to_one(rows: Sequence[Laid]) -> tuple[float, float, float]:
    """(precision, recall, F1)."""
    same = sum(len(matches(row.ours, row.theirs)) for row in rows)
    ours, theirs = sum(len(r.ours) for r in rows), sum(len(r.theirs) for r in rows)
    return same / ours, same / theirs, 2 * same / (ours + theirs)


def coverage(rows: Sequence[Laid]) -> tuple[float, float]:
    """(recall, precision)."""
    embedder = default_embedder()
    covered = covering = 0
    for row in rows:
        if row.ours and row.theirs:
            like = (
                np.array(embedder.embed(row.ours))
                @ np.array(embedder.embed(row.theirs)).T
            )
            covered += int((like.max(axis=0) > LIKE).sum())
            covering += int((like.max(axis=1) > LIKE).sum())
    ours, theirs = sum(len(r.ours) for r in rows), sum(len(r.theirs) for r in rows)
    return covered / theirs, covering / ours


def misses(rows: Sequence[Laid]) -> Iterator[str]:
    """What did not match, a sentence a block."""
    for row in rows:
        pairs = matches(row.ours, row.theirs)
        if len(pairs) < max(len(row.ours), len(row.theirs)):
            yield row.sentence
            same = {i for i, _ in pairs}
            yield from (
                f"  {'=' if i in same else '+'} {c}" for i, c in enumerate(row.ours)
            )
            known = {j for _, j in pairs}
            yield from (f"  - {c}" for j, c in enumerate(row.theirs) if j not in known)


async def measured(options: argparse.Namespace) -> tuple[list[Laid], int]:
    lines = options.file.read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()][: options.rows]
    if options.model is None:
        return await laid(rows, None)
    notes: list[str] = []
    async with OllamaPool(server_hosts(options.host)) as pool:
        chat = await pool.chat_model(options.model, context_tokens=4096, seed=7)
        found = await laid(rows, ModelDecomposer(chat, on_note=notes.append))
    print(f"{len(notes)} sentences were left as they are without the model")
    if options.misses:
        print(*notes, sep="\n")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--rows", type=int, help="the first N")
    parser.add_argument("--model")
    parser.add_argument("--host")
    parser.add_argument("--misses", action="store_true", help="list what differs")
    options = parser.parse_args()
    found, absent = asyncio.run(measured(options))
    stated = [row for row in found if row.theirs]
    if options.misses:
        print(*misses(stated), sep="\n")
    ours, theirs = sum(len(r.ours) for r in stated), sum(len(r.theirs) for r in stated)
    recall, precision = coverage(stated)
    print(f"{len(stated)} sentences with {theirs} claims of people; {ours} of ours")
    print(f"coverage    recall {recall:.2f}, precision {precision:.2f}")
    precision, recall, both = one_to_one(stated)
    print(f"one to one  recall {recall:.2f}, precision {precision:.2f}, F1 {both:.2f}")
    silent = [row for row in found if not row.theirs]
    made = sum(len(row.ours) for row in silent)
    print(f"{made} claims of {len(silent)} sentences of which people made none")
    print(f"{absent} rows left out: the sentence is not in the answer word by word")


if __name__ == "__main__":
    main()
