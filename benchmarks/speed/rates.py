"""How many of each a second: abstracts split, answers with citations validated, cases.

    python -m benchmarks.speed.rates abstracts [--count N]  # seed 002: 1,000 a second
    python -m benchmarks.speed.rates lookups [--count N]    # seed 002: 50 a second
    python -m benchmarks.speed.rates citations [--count N]  # verdicts on claims too
    python -m benchmarks.speed.rates cases [--count 50]     # seed 002: 30-60 s for 50

Texts are made up, each different. Prints one figure. `lookups` is the seed's
validation: each marker found, given to its sentence, page and sentence looked up.
`citations` finds the state of each citation, so that its claim is verified as well.
`cases` scores every metric. Both with the
embedding model that ships, and no language model.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time

from benchmarks.speed.index_speed import sentence
from claimscope.core.cite.marker_resolution import SourceLookup, resolve
from claimscope.core.services.scoring import Row, score_rows
from claimscope.core.settings import Settings
from claimscope.core.text.sentences import split_sentences
from claimscope.tui.bootstrap.judges import services_of_rows

WHAT = ("abstracts", "lookups", "citations", "cases")
SENTENCES = 10
"""Of an abstract."""


def abstract(draw: random.Random) -> list[str]:
    return [sentence(draw) for _ in range(SENTENCES)]


def cited_rows(count: int) -> list[Row]:
    """Answers of four sentences from their own abstract, one of them wrong, cited."""
    draw, rows = random.Random(7), []
    for at in range(count):
        truth = abstract(draw)
        said = [*truth[:3], sentence(draw)]
        rows.append(
            Row(
                id=at,
                question="What was found?",
                answer=" ".join(f"{one[:-1]} [{n}]." for n, one in enumerate(said, 1)),
                reference=truth[0],
                contexts=tuple(truth),
            )
        )
    return rows


def split_abstracts(count: int) -> None:
    draw = random.Random(7)
    texts = [" ".join(abstract(draw)) for _ in range(count)]
    began = time.perf_counter()
    found = sum(len(split_sentences(text)) for text in texts)
    seconds = time.perf_counter() - began
    print(f"{count / seconds:.0f} abstracts/s ({found} sentences)")


def looked_up(count: int) -> None:
    rows = cited_rows(count)
    began = time.perf_counter()
    found = [resolve(row.answer, (), SourceLookup(None, row.contexts)) for row in rows]
    seconds = time.perf_counter() - began
    citations = [one for answer in found for one in answer]
    known = sum(one.problem is None for one in citations)
    print(
        f"{len(citations) / seconds:.0f} citations/s "
        f"({known} of {len(citations)} name a passage)"
    )


def scored_rows(count: int, metrics: tuple[str, ...], what: str) -> None:
    rows, services = cited_rows(count), services_of_rows(Settings(), metrics)
    services.embedder.embed(["Loaded before anything is timed."])

    async def every() -> int:
        return sum([1 async for _ in score_rows(rows, services)])

    began = time.perf_counter()
    done = asyncio.run(every())
    seconds = time.perf_counter() - began
    print(f"{done / seconds:.1f} {what}/s ({done} in {seconds:.1f} s)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--count", type=int)
    options = parser.parse_args()
    if options.what == "abstracts":
        split_abstracts(options.count or 2000)
    elif options.what == "lookups":
        looked_up(options.count or 1000)
    elif options.what == "citations":
        names = ("citation_precision",)
        scored_rows(options.count or 50, names, "answers validated")
    else:
        scored_rows(options.count or 50, (), "cases")


if __name__ == "__main__":
    main()
