"""A corpus whose makeshift answers are told: no search result changes in silence.

When sentence search fails, pages are searched in its place, and verdicts may be others
than they would have been. So the run's log names each sample that had such an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from claimscope.core.models import Page, SampleKey, Sentence
from claimscope.core.ports import CallLog, Corpus, Floats, SearchResult
from claimscope.core.sample import Services


@dataclass
class TellingCorpus:
    """The same corpus; `note` is given once each reason why another answered."""

    corpus: Corpus
    note: Callable[[str], object]
    told: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        return self.corpus.name

    @property
    def version(self) -> str:
        return self.corpus.version

    @property
    def model_id(self) -> str:
        return self.corpus.model_id

    def page_ids(self) -> Sequence[str]:
        return self.corpus.page_ids()

    def page(self, page_id: str) -> Page | None:
        return self.corpus.page(page_id)

    def sentences(self, page_id: str) -> Sequence[Sentence]:
        return self.corpus.sentences(page_id)

    def vectors(self, page_id: str) -> Floats:
        return self.corpus.vectors(page_id)

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        min_similarity: float | None = None,
        sources: Sequence[str] = (),
    ) -> SearchResult:
        """As the corpus answers."""
        found = self.corpus.search(
            query, k=k, min_similarity=min_similarity, sources=sources
        )
        if found.fallback is not None and found.fallback not in self.told:
            self.told.add(found.fallback)
            self.note(found.fallback)
        return found


def telling(services: Services, key: SampleKey, calls: CallLog) -> Services:
    """The same services; a search that another one answered is noted in the run's log,
    with the sample."""
    if services.corpus is None:
        return services

    def note(reason: str) -> None:
        calls.save_note(f"{key}: {reason}")

    return replace(services, corpus=TellingCorpus(services.corpus, note))
