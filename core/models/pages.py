"""Ground truth: pages, their sentences, and sentences as evidence."""

from __future__ import annotations

from pydantic import Field

from claimscope.core.digests import digest
from claimscope.core.models.base import Markup, Model


class Page(Model):
    """One ground-truth document; `page_id` is its provenance, kept exactly."""

    page_id: str = Field(min_length=1)
    text: str
    markup: Markup = "text"
    title: str | None = None
    source: str | None = None
    """Where the page comes from: a journal, a site, a folder."""
    url: str | None = None
    domain: str | None = None
    journal: str | None = None
    published: str | None = None
    authors: tuple[str, ...] = ()
    doi: str | None = None
    path: str | None = None
    """The file it was read from, relative to the indexed folder."""

    @property
    def content_hash(self) -> str:
        """Changes when the text, its markup or any shown metadata changes."""
        return digest(self.model_dump_json(exclude={"path"}))


class Sentence(Model):
    """A chunk of a page: `page.text[start:end] == text`."""

    page_id: str
    index: int = Field(ge=0)
    text: str
    start: int = Field(ge=0)
    end: int

    @property
    def sentence_id(self) -> str:
        """`<page_id>:S:<n>`, n from 0."""
        return f"{self.page_id}:S:{self.index}"


class Evidence(Model):
    """A sentence of a page as evidence, with its true neighbours."""

    page_id: str
    index: int
    """Sentence index; -1 when the evidence is a passage of the case, not of a page."""
    text: str
    start: int
    end: int
    before: str | None = None
    after: str | None = None
    title: str | None = None
    url: str | None = None
    similarity: float | None = None
    """Cosine of claim and sentence, [-1, 1]."""
    lexical: float | None = None
    """BM25 score, >= 0."""
    score: float | None = None
    """Reciprocal-rank fusion of the two orders."""

    @property
    def sentence_id(self) -> str:
        """`<page_id>:S:<n>`, or the passage's own id when there is no index."""
        return f"{self.page_id}:S:{self.index}" if self.index >= 0 else self.page_id
