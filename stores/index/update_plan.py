"""What a second index has to do: pages told apart by the hash of their content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from claimscope.core.models import Page
from claimscope.core.text.sentences import sentences
from claimscope.stores.index.page_texts import PageEntry


@dataclass(frozen=True)
class IndexReport:
    """What indexing did."""

    added: int = 0
    changed: int = 0
    deleted: int = 0
    unchanged: int = 0
    sentences: int = 0
    """Sentences in the corpus now."""
    embedded: int = 0
    """Texts that had to be embedded."""
    warnings: tuple[str, ...] = ()
    is_complete: bool = True
    """False when it was cancelled; index again to go on."""


def plan_update(
    pages: Iterable[Page], known: Mapping[str, str], delete_missing: bool
) -> tuple[list[PageEntry], set[str], IndexReport]:
    """New and changed pages, ids of those to remove, and the counts of both.

    `known`: content hash of each indexed page. A page that cannot be indexed, or
    whose id is taken by one before it, is skipped and named in the warnings.
    """
    entries: list[PageEntry] = []
    warnings: list[str] = []
    seen: dict[str, str] = {}
    for page in pages:
        name = page.path or page.page_id
        stamp = _content_stamp(page)
        if stamp is None:
            warnings.append(
                f"{ascii(name)}: holds characters that are no text (lone surrogates); "
                "the page was skipped."
            )
        elif page.page_id in seen:
            if seen[page.page_id] != stamp:
                warnings.append(
                    f"{name}: another page has the id {page.page_id}; the first of "
                    "them is kept."
                )
        else:
            seen[page.page_id] = stamp
            if known.get(page.page_id) != stamp:
                entries.append(PageEntry(page, stamp, sentences(page)))
                if not entries[-1].sentences:
                    warnings.append(f"{name}: the page has no text.")
    changed = sum(entry.page.page_id in known for entry in entries)
    gone = set(known) - set(seen) if delete_missing else set()
    report = IndexReport(
        added=len(entries) - changed,
        changed=changed,
        deleted=len(gone),
        unchanged=len(seen) - len(entries),
        warnings=tuple(warnings),
    )
    return entries, gone, report


def _content_stamp(page: Page) -> str | None:
    try:
        return page.content_hash
    except ValueError:
        return None
