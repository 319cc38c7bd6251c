"""Citations one or two sentences beside the right one: are they told from it?

    python -m benchmarks.quality.off_by_one

Three pages of 20 sentences: alike but for name and year; prose in which "It" and "They"
refer; and a table. Every claim is cited at its own sentence n and at n-2, n-1, n+1 and
n+2. Prints `citation_precision` for each; it must be 1 at n and 0 beside it. Exit 1
otherwise. No language model is asked.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence

from claimscope.core.cite.status import attribute
from claimscope.core.models import Answer, CitationResult, ClaimResult, Page, SampleKey
from claimscope.core.ports import Embedder, Verifier
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, take_apart, verify_claims
from claimscope.core.services.scoring import Row
from claimscope.core.settings import Settings
from claimscope.stores.index.memory_corpus import MemoryCorpus
from claimscope.tui.bootstrap.judges import services_of_rows

OFFSETS = (-2, -1, 0, 1, 2)
HOUSES = (
    "bakery ferry library museum harbour orchard mill tannery brewery foundry chapel "
    "market school bridge tower quarry garden theatre station lighthouse"
).split()
ALIKE = [f"The {name} opened in {1801 + 7 * n}." for n, name in enumerate(HOUSES)]
PROSE = (
    ("The Orm bridge crosses the river Tarn.",) * 2,
    ("It is 312 metres long.", "The Orm bridge is 312 metres long."),
    ("It was finished in 1931.", "The Orm bridge was finished in 1931."),
    ("Greta Lind drew the plans.",) * 2,
    ("She was 29 years old.", "Greta Lind was 29 years old."),
    ("The north pier stands on oak piles.",) * 2,
    ("They are 14 metres deep.", "The oak piles are 14 metres deep."),
    ("A toll of two marks was raised until 1958.",) * 2,
    ("The Karst mill grinds oats.",) * 2,
    ("It has two wheels.", "The Karst mill has two wheels."),
    ("Its owner is Jonas Brandt.", "The owner of the Karst mill is Jonas Brandt."),
    ("The flour is sold in Toland.",) * 2,
    ("Visitors pay four crowns.",) * 2,
    ("Children under six enter free.",) * 2,
    ("The mill is closed on Mondays.",) * 2,
    ("The ferry to Isk sails at 6:40.",) * 2,
    ("It carries 80 cars.", "The ferry to Isk carries 80 cars."),
    ("Bicycles travel without a ticket.",) * 2,
    ("The crossing takes 35 minutes.",) * 2,
    ("The harbour café serves soup.",) * 2,
)
ROWS = [(f"{name.capitalize()} room", 12 + 3 * n) for n, name in enumerate(HOUSES)]
TABLE = "\n".join(
    ("| Room | Seats |", "|---|---|", *(f"| {a} | {b} |" for a, b in ROWS))
)
Claims = Sequence[tuple[int, str]]
"""(sentence that says so, claim)."""
PAGES: Mapping[str, tuple[str, Claims]] = {
    "alike": (" ".join(ALIKE), list(enumerate(ALIKE))),
    "prose": (
        " ".join(said for said, _ in PROSE),
        [(n, claim) for n, (_, claim) in enumerate(PROSE)],
    ),
    "table": (
        TABLE,
        [
            (n + 1, f"The {room} has {seats} seats.")
            for n, (room, seats) in enumerate(ROWS)
        ],
    ),
}


def answer_of(claims: Claims, offset: int, last: int) -> str:
    """Each claim with a citation `offset` sentences beside its own."""
    return " ".join(
        f"{claim.rstrip('.')} [PMID:77, S:{n + offset}]."
        for n, claim in claims
        if 0 <= n + offset <= last
    )


def corpus_of(name: str, embedder: Embedder) -> MemoryCorpus:
    """A corpus of one of the pages, which is PMID:77 there."""
    page = Page(page_id="PMID:77", text=PAGES[name][0], markup="markdown")
    return MemoryCorpus("off-by-one", [page], embedder)


async def judged(
    answer: str, corpus: MemoryCorpus, embedder: Embedder, verifier: Verifier
) -> Sequence[ClaimResult]:
    services = Services(embedder, verifier, Settings(), corpus=corpus)
    row = Row(id="page", question="What is there?", answer=answer)
    key = SampleKey(case_id="page", provider="row")
    task = SampleTask(key, row.case(), Answer(case_id="page", text=answer))
    taken = await take_apart(answer, services)
    return await verify_claims(task, taken, services)


async def cited(
    name: str, offset: int, embedder: Embedder, verifier: Verifier
) -> list[CitationResult]:
    corpus = corpus_of(name, embedder)
    last = len(corpus.sentences("PMID:77")) - 1
    answer = answer_of(PAGES[name][1], offset, last)
    results = await judged(answer, corpus, embedder, verifier)
    found = await attribute(answer, results, corpus, verifier, embedder)
    checks = found.checks
    return [one.result for one in checks]


def precision(found: Sequence[CitationResult]) -> float:
    """Valid / all."""
    return sum(one.state == "valid" for one in found) / len(found)


async def measured(embedder: Embedder, verifier: Verifier) -> bool:
    """Prints a line a page; True when only n is right."""
    is_exact = True
    print(f"{'page':<8}" + "".join(f"{f'n{o:+d}' if o else 'n':>8}" for o in OFFSETS))
    for name in PAGES:
        line = f"{name:<8}"
        for offset in OFFSETS:
            found = await cited(name, offset, embedder, verifier)
            value = precision(found)
            is_exact = is_exact and value == (offset == 0)
            line += f"{value:8.2f}"
            for one in found:
                if (one.state == "valid") != (offset == 0):
                    print(f"  {name} n{offset:+d} {one.text}: {one.state} {one.reason}")
        print(line)
    return is_exact


Measured = Callable[[Embedder, Verifier], Coroutine[None, None, bool]]
"""Prints a table; whether all is as it must be."""


def run(description: str | None, measured: Measured) -> int:
    """The exit code of a benchmark of these pages: 1 when something is not right."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.parse_args()
    services = services_of_rows(Settings(), ("citation_precision",))
    return 0 if asyncio.run(measured(services.embedder, services.verifier)) else 1


if __name__ == "__main__":
    sys.exit(run(__doc__, measured))
