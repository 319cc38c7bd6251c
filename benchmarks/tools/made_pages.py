"""An index of any number of pages as the Pages screen reads it, made without a model.

Texts and sentences are in the archive and the manifest names them; there are no
vectors, which listing, filtering and reading need not. Shared by screen_speed.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from claimscope.core.models import Page, Sentence, digest
from claimscope.stores.index.manifest import Manifest
from claimscope.stores.index.page_index import ARCHIVE
from claimscope.stores.index.page_texts import PageArchive, PageEntry
from claimscope.stores.workspace.paths import Workspace

CORPUS = "towns"
FIRST = "town-000000.md"
BATCH = 5_000


def make(root: Path, count: int) -> None:
    """A corpus of `count` pages of three sentences in the workspace `root`."""
    folder = Workspace(root).index / CORPUS
    folder.mkdir(parents=True, exist_ok=True)
    archive = PageArchive(folder / ARCHIVE)
    for first in range(0, count, BATCH):
        archive.change(map(_entry, range(first, min(first + BATCH, count))))
    archive.close()
    Manifest(
        name=CORPUS,
        model_id="none@0/fp32",
        dimensions=1,
        splitter_id="made",
        pages=count,
        sentences=3 * count,
        is_clean=True,
    ).save(folder)


def _entry(number: int) -> PageEntry:
    page_id = f"town-{number:06}.md"
    texts = (
        f"Town {number} was founded in {1200 + number % 800}.",
        f"It has {number % 9_000 + 100} houses and a harbour on the Orla.",
        "Its market is held on the first Saturday of each month.",
    )
    text = " ".join(texts)
    page = Page(
        page_id=page_id,
        text=text,
        title=f"Town {number}, its houses and its market",
        source=f"gazetteer {number % 50}",
        path=page_id,
    )
    return PageEntry(page, digest(text), tuple(_sentences(page_id, texts)))


def _sentences(page_id: str, texts: tuple[str, ...]) -> Iterator[Sentence]:
    start = 0
    for index, text in enumerate(texts):
        end = start + len(text)
        yield Sentence(page_id=page_id, index=index, text=text, start=start, end=end)
        start = end + 1
