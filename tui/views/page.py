"""A page: its row, what it says of itself, and a sentence of it that was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claimscope.core.models import Evidence, Page
from claimscope.core.report.view import Column, Prose, Row, Span, line, row
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.index.page_list import PageHead

PAGES = (Column("page"), Column("title"), Column("sentences", "right", 9))
HITS = (Column("page", width=24), Column("sentence"), Column("similarity", "right", 10))
SHOWN = ("source", "url", "journal", "published", "authors", "doi")
"""Facts above the text of a page."""


def page_row(page_id: str, head: PageHead | None) -> Row:
    """head: None = the page is gone."""
    if head is None:
        return row(page_id, "", "")
    return row(page_id, head.title or "", f"{head.sentences:,}")


def page_line(head: PageHead) -> str:
    """`id  12 sentences  title`."""
    title = f"  {head.title}" if head.title else ""
    return f"{head.page_id}  {counted_noun(head.sentences, 'sentence')}{title}"


def in_short(head: PageHead) -> Iterator[Prose]:
    """What is known of a page without reading it."""
    yield line(Span(head.title or head.page_id, "strong"), hangs=False)
    facts = (head.page_id, head.source, head.published, head.path)
    known = "   ".join(fact for fact in dict.fromkeys(facts) if fact)
    yield line(Span(known, "faint"), hangs=False)
    words = counted_noun(head.sentences, "sentence")
    size = f"{words}, {head.characters:,} characters"
    yield line(Span(size, "faint"), hangs=False)


def facts_of(page: Page) -> Mapping[str, str]:
    """What a page says of itself, by name; what it does not say is left out."""
    facts = {
        "source": page.source,
        "url": page.url,
        "journal": page.journal,
        "published": page.published,
        "authors": ", ".join(page.authors),
        "doi": page.doi,
        "path": page.path,
    }
    return {name: value for name, value in facts.items() if value}


def page_head(page: Page) -> Iterator[Prose]:
    """Title and facts, a line each."""
    yield line(Span(page.title or page.page_id, "heading"), hangs=False)
    facts = facts_of(page)
    for name in SHOWN:
        if name in facts:
            yield line(Span(f"{name}: {facts[name]}", "faint"), hangs=False)


def about_page(page: Page | None) -> str:
    """`Title. Authors. Journal, source, date`, as far as the page says it."""
    if page is None:
        return ""
    facts = facts_of(page)
    named = (facts.get(name) for name in ("journal", "source", "published"))
    where = ", ".join(dict.fromkeys(part for part in named if part))
    parts = (page.title, facts.get("authors"), where)
    return ". ".join(part.rstrip(".") for part in parts if part)


def place_words(page: Page, indexed: str | None) -> str:
    """`address  file  indexed T`: where a page came from, and when."""
    facts = facts_of(page)
    parts = [facts.get("url"), facts.get("path")]
    parts.append(f"indexed {indexed}" if indexed else None)
    return "  ".join(part for part in parts if part)


def page_data(page: Page | None, indexed: str | None) -> dict[str, object]:
    """The facts as JSON has them; null for what is not said."""
    said = page or Page(page_id="?", text="")
    return {
        "source": said.source,
        "date": said.published,
        "journal": said.journal,
        "authors": list(said.authors),
        "domain": said.domain,
        "doi": said.doi,
        "indexedAt": indexed,
    }


def hit_row(hit: Evidence) -> Row:
    """– for the similarity of what only words found."""
    similarity = "–" if hit.similarity is None else f"{hit.similarity:.2f}"
    return row(hit.page_id, hit.text, similarity)


def hit_lines(hit: Evidence) -> Iterator[Prose]:
    """A hit between its neighbours."""
    name = Span(hit.title or hit.page_id, "strong")
    yield line(name, f"  S:{hit.index}", hangs=False)
    yield line(
        Span(f"{hit.before} " if hit.before else "", "faint"),
        Span(hit.text, "matched"),
        Span(f" {hit.after}" if hit.after else "", "faint"),
        hangs=False,
    )


def score_words(hit: Evidence) -> str:
    """`similarity 0.83, words 4.2`: cosine, and words in common."""
    parts = []
    if hit.similarity is not None:
        parts.append(f"similarity {hit.similarity:.2f}")
    if hit.lexical is not None:
        parts.append(f"words {hit.lexical:.1f}")
    return ", ".join(parts)
