"""Citations beside the right sentence, and none at all: are they put right?

    python -m benchmarks.quality.citation_repair

The pages of off_by_one.py. Each claim is cited at n-2, n-1, n+1 and n+2, and not cited;
the proposals are taken. Prints, of all claims, those that are cited at n then, those by
a proposal that is proved, those cited elsewhere (must be none), and those without a
proposal. No language model is asked.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from benchmarks.quality.off_by_one import PAGES, corpus_of, judged, run
from claimscope.core.cite.marker_edits import apply_changes
from claimscope.core.cite.repair import propose
from claimscope.core.cite.status import attribute
from claimscope.core.ports import Embedder, Verifier
from claimscope.core.text.citations.markers import find_markers

OFFSETS = (-2, -1, 1, 2, None)
"""None: without a citation."""


@dataclass(frozen=True)
class Repaired:
    """What became of the claims of an answer."""

    claims: int
    right: int
    proved: int
    wrong: int

    @property
    def left(self) -> int:
        """Claims that nothing was proposed for."""
        return self.claims - self.right - self.wrong


async def repaired(
    name: str, offset: int | None, embedder: Embedder, verifier: Verifier
) -> Repaired:
    """The proposals for an answer to one page, taken."""
    corpus = corpus_of(name, embedder)
    last = len(corpus.sentences("PMID:77")) - 1
    kept = [(n, c) for n, c in PAGES[name][1] if 0 <= n + (offset or 0) <= last]
    parts = [
        claim if offset is None else f"{claim[:-1]} [PMID:77, S:{n + offset}]."
        for n, claim in kept
    ]
    answer = "\n\n".join(parts)
    results = await judged(answer, corpus, embedder, verifier)
    found = await attribute(answer, results, corpus, verifier, embedder)
    proposals = await propose(answer, results, found, corpus, verifier)
    right = wrong = 0
    for (n, _), line in zip(
        kept, apply_changes(answer, proposals).split("\n\n"), strict=True
    ):
        cited = {i.sentence for m in find_markers(line, ("PMID:77",)) for i in m.items}
        moved = cited - ({n + offset} if offset is not None else set())
        right += n in moved
        wrong += bool(moved - {n}) and n not in moved
    proved = sum(not proposal.is_likely for proposal in proposals)
    return Repaired(len(kept), right, min(proved, right), wrong)


async def measured(embedder: Embedder, verifier: Verifier) -> bool:
    """Prints a line a page and offset; True when nothing is cited elsewhere."""
    is_right = True
    print(f"{'page':<8}{'cited':>8}{'claims':>8}{'at n':>6}{'proved':>8}", end="")
    print(f"{'elsewhere':>11}{'left':>6}")
    for name in PAGES:
        for offset in OFFSETS:
            one = await repaired(name, offset, embedder, verifier)
            is_right = is_right and not one.wrong
            at = "–" if offset is None else f"n{offset:+d}"
            print(
                f"{name:<8}{at:>8}{one.claims:>8}{one.right:>6}{one.proved:>8}"
                f"{one.wrong:>11}{one.left:>6}"
            )
    return is_right


if __name__ == "__main__":
    sys.exit(run(__doc__, measured))
