"""Expected citations against the pages: what is wrong, where a key phrase stands now.

A page is rewritten, a sentence is added above, the splitter learns an abbreviation:
then `sentence: 4` means another one than a person chose. The key phrase still says
which was meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from claimscope.core.models import ExpectedCitation, Page
from claimscope.core.text.phrase_match import contains_phrase
from claimscope.core.text.plurals import counted_noun
from claimscope.core.text.sentences import sentences
from claimscope.stores.suites.validation_messages import nearest

NewPlace = dict[str, str | int]
"""`page_id` and `sentence` of the one sentence that holds the key phrase now."""
CHOSEN = "take it with --fix, or m on the Suite screen"


@dataclass(frozen=True)
class CitationFault:
    """One thing that is wrong with an expected citation."""

    part: str
    """The field: page_id, sentence, key_phrase."""
    words: str
    remedy: str
    moved: NewPlace | None = None
    """Where it points when it is accepted."""


@dataclass
class CitedPages:
    """The pages of a suite, each taken apart when it is first asked for."""

    pages: Mapping[str, Page]
    _sentences: dict[str, list[str]] = field(default_factory=dict)

    def sentences(self, page_id: str) -> list[str]:
        if page_id not in self._sentences:
            found = sentences(self.pages[page_id])
            self._sentences[page_id] = [_plain(one.text) for one in found]
        return self._sentences[page_id]

    def holding(self, page_id: str, phrase: str) -> list[int]:
        """The sentences of a page that hold a phrase: word by word, else nearly."""
        known, wanted = self.sentences(page_id), _plain(phrase)
        exact = [n for n, text in enumerate(known) if wanted in text]
        return exact or [
            n for n, text in enumerate(known) if contains_phrase(text, wanted)
        ]

    def elsewhere(self, phrase: str) -> list[tuple[str, int]]:
        """(page, sentence) of each sentence that holds a phrase word by word."""
        wanted = _plain(phrase)
        return [
            (page_id, number)
            for page_id, page in self.pages.items()
            if wanted in _plain(page.text)
            for number, text in enumerate(self.sentences(page_id))
            if wanted in text
        ]

    def wrong(self, citation: ExpectedCitation) -> Iterator[CitationFault]:
        """What is wrong with an expected citation, none or more."""
        page_id, phrase = citation.page_id, citation.key_phrase
        if page_id not in self.pages:
            yield self._without_page(page_id, phrase)
            return
        holding = self.holding(page_id, phrase) if phrase else []
        if citation.sentence is not None:
            yield from self._wrong_sentence(citation, citation.sentence, holding)
        if phrase and _plain(phrase) not in _plain(self.pages[page_id].text):
            if not holding:
                yield self._not_on_page(page_id, phrase)

    def _without_page(self, page_id: str, phrase: str | None) -> CitationFault:
        words = f"there is no page {page_id!r}"
        found = self.elsewhere(phrase) if phrase else []
        if len(found) == 1:
            page, number = found[0]
            words += f"; its key phrase stands in {page}, S:{number}"
            return CitationFault("page_id", words, CHOSEN, _move_to(page, number))
        meant = nearest(page_id, list(self.pages))
        remedy = f"is {meant!r} meant?" if meant else "name a page of the folder"
        return CitationFault("page_id", words, remedy)

    def _wrong_sentence(
        self, citation: ExpectedCitation, number: int, holding: list[int]
    ) -> Iterator[CitationFault]:
        page_id, phrase = citation.page_id, citation.key_phrase
        count = len(self.sentences(page_id))
        if number in holding or (number < count and not phrase):
            return
        if number >= count:
            words = f"{page_id} has {counted_noun(count, 'sentence')}, counted from 0"
        else:
            words = f'S:{number} of {page_id} does not hold the key phrase "{phrase}"'
        if len(holding) == 1:
            words += f"; S:{holding[0]} does"
            yield CitationFault(
                "sentence", words, CHOSEN, _move_to(page_id, holding[0])
            )
        elif holding:
            places = ", ".join(f"S:{place}" for place in holding)
            yield CitationFault(
                "sentence", f"{words}; {places} do", "choose one of them"
            )
        elif number >= count:
            yield CitationFault(
                "sentence", words, "`claimscope answers split` lists them"
            )
        elif phrase and _plain(phrase) in _plain(self.pages[page_id].text):
            remedy = "shorten it to what one sentence says"
            yield CitationFault(
                "sentence", f"{words}: it goes over several sentences", remedy
            )

    def _not_on_page(self, page_id: str, phrase: str) -> CitationFault:
        words = f"it does not stand in {page_id}"
        places = [f"{page}, S:{number}" for page, number in self.elsewhere(phrase)]
        if places:
            return CitationFault(
                "key_phrase", f"{words}, but in {places[0]}", "name that page"
            )
        return CitationFault("key_phrase", words, "quote the page")


def _move_to(page_id: str, sentence: int) -> NewPlace:
    return {"page_id": page_id, "sentence": sentence}


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
