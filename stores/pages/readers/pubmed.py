"""PubMed and MEDLINE XML: one page an article that has an abstract.

The text is the abstract alone, so that `PMID:123, S:0` is its first sentence; the
labels of its sections stay (`METHODS: …`). Element names: the DTD of PubMed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.metadata import page
from claimscope.stores.pages.parsing.records import summary
from claimscope.stores.pages.parsing.safe_xml import elements, root_name

ROOTS = (
    "PubmedArticleSet",
    "PubmedArticle",
    "PubmedBookArticleSet",
    "MedlineCitationSet",
    "MedlineCitation",
)
_ARTICLES = ("PubmedArticle", "PubmedBookArticle", "MedlineCitation")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


class PubmedReader:
    """Gives every good article; names those without an abstract at the end."""

    suffixes: tuple[str, ...] = (".xml",)

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        root = root_name(data, path)
        if root in ("urlset", "sitemapindex"):
            raise PageError(
                f"{path}: it is a sitemap, not a page.",
                "Keep it at the top of the saved site, as sitemap.xml.",
            )
        if root not in ROOTS:
            raise PageError(
                f"{path}: not PubMed XML; its outermost element is <{root[:40]}>.",
                "Of XML, only PubMed's and MEDLINE's articles can be read.",
            )
        problems: list[PageError] = []
        try:
            for number, article in enumerate(elements(data, path, _ARTICLES), start=1):
                try:
                    yield _page(article, f"{path}, article {number}", path)
                except PageError as error:
                    problems.append(error)
        except PageError as error:
            problems.insert(0, error)
        if problems:
            raise summary(problems, "more articles")


def article_values(pmid: str, **values: Any) -> dict[str, Any]:
    """Values of the page of a PubMed article."""
    return {
        "page_id": f"PMID:{pmid}",
        "source": "PubMed",
        "url": f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
        "domain": "pubmed.ncbi.nlm.nih.gov",
        **values,
    }


def _page(article: Any, place: str, path: str) -> Page:
    pmid = _text(article.find(".//PMID"))
    if not pmid.isdigit():
        raise PageError(
            f"{place}: it has no PubMed number (PMID).", "Save the articles again."
        )
    sections = article.findall(".//Abstract/AbstractText")
    text = "\n\n".join(part for part in map(_section, sections) if part)
    if not text:
        raise PageError(
            f"{place} (PMID:{pmid}): it has no abstract.",
            "Nothing is lost: there is no text to index.",
        )
    title = _text(article.find(".//ArticleTitle"))
    return page(
        place,
        article_values(
            pmid,
            text=text,
            path=path,
            title=title or _text(article.find(".//BookTitle")) or None,
            journal=_text(article.find(".//Journal/Title"))
            or _text(article.find(".//Journal/ISOAbbreviation"))
            or None,
            published=_date(article.find(".//PubDate")),
            authors=_authors(article),
            doi=_doi(article),
        ),
    )


def _section(section: Any) -> str:
    text, label = _text(section), (section.get("Label") or "").strip()
    return f"{label}: {text}" if text and label and label != "UNLABELLED" else text


def _text(element: Any) -> str:
    """All text below, in one line: <i>, <sup> and formulas are part of it."""
    if element is None:
        return ""
    return " ".join(str(element.xpath("string()")).split())


def _date(element: Any) -> str | None:
    """ISO as far as it is given; a season or range as it stands."""
    if element is None:
        return None
    year, month, day = (_text(element.find(name)) for name in ("Year", "Month", "Day"))
    if not year:
        return _text(element.find("MedlineDate")) or None
    if month[:3].lower() in _MONTHS:
        month = f"{_MONTHS.index(month[:3].lower()) + 1}"
    if not month.isdigit():
        return year
    return f"{year}-{month:0>2}" + (f"-{day:0>2}" if day.isdigit() else "")


def _authors(article: Any) -> tuple[str, ...]:
    names: list[str] = []
    for author in article.findall(".//AuthorList/Author"):
        parts = (_text(author.find(name)) for name in ("ForeName", "LastName"))
        name = " ".join(part for part in parts if part)
        name = name or _text(author.find("CollectiveName"))
        if name:
            names.append(name)
    return tuple(names)


def _doi(article: Any) -> str | None:
    for query in (
        ".//ELocationID[@EIdType='doi']",
        "./PubmedData/ArticleIdList/ArticleId[@IdType='doi']",
        ".//BookDocument/ArticleIdList/ArticleId[@IdType='doi']",
    ):
        found = _text(article.find(query))
        if found:
            return found
    return None


READER = PubmedReader()
