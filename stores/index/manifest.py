"""The word on an index: what it was made with, and whether its writer finished.

Written last and replaced whole, so that an index is what its manifest says or is
known not to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from claimscope.core.errors import IndexMismatch, SplitterMismatch
from claimscope.core.models import Model, digest
from claimscope.core.ports import Embedder
from claimscope.core.text.sentences import SPLITTER_ID
from claimscope.stores.workspace.paths import write_atomically
from claimscope.stores.workspace.regular_files import read_regular

FILE = "manifest.json"


class Manifest(Model):
    """One corpus."""

    format: Literal["claimscope.index"] = "claimscope.index"
    version: Literal[1] = 1
    name: str
    model_id: str
    dimensions: int
    splitter_id: str
    corpus_version: str = ""
    pages: int = 0
    sentences: int = 0
    generation: int = 0
    """Number of the ChromaDB folder; 0 = none was finished yet."""
    files: int = 0
    """Checksum of ChromaDB's vector files when the writer finished."""
    place: str = ""
    """Address of the Chroma server that holds the collections; empty = our folder."""
    is_clean: bool = False
    """False while somebody writes, and for ever after if that one is killed."""

    def save(self, folder: Path) -> None:
        """Durable when it returns. Raises StoreError."""
        write_atomically(folder / FILE, self.model_dump_json(indent=2).encode())


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a corpus's folder; None when there is none to be believed."""
    try:
        return Manifest.model_validate_json(read_regular(folder / FILE))
    except (OSError, ValidationError):
        return None


def corpus_version(model_id: str, splitter_id: str, hashes: Mapping[str, str]) -> str:
    """Hash of pages (id and content hash of each), splitter and embedding model."""
    pairs = [part for pair in sorted(hashes.items()) for part in pair]
    return digest(model_id, splitter_id, *pairs)


def corpora(root: Path) -> list[Manifest]:
    """All corpora below root (`Workspace.index`), by name; takes no lock."""
    folders = root.iterdir() if root.is_dir() else ()
    found = [read_manifest(folder) for folder in folders]
    return sorted((m for m in found if m), key=lambda m: m.name)


def new_manifest(name: str, embedder: Embedder) -> Manifest:
    """The manifest of a corpus that will be made with this embedder."""
    return Manifest(
        name=name,
        model_id=embedder.model_id,
        dimensions=embedder.dimensions,
        splitter_id=SPLITTER_ID,
    )


def as_found(
    now: Manifest,
    facts: Mapping[str, str],
    known: Manifest | None,
    *,
    sizes: tuple[int, int],
    hashes: Mapping[str, str],
    place: str,
) -> Manifest:
    """The manifest of an archive as it is. facts: what it says that it was made with,
    else `now`; known: what was last written; sizes: pages and sentences."""
    model_id = facts.get("model_id", now.model_id)
    splitter_id = facts.get("splitter_id", now.splitter_id)
    version = corpus_version(model_id, splitter_id, hashes)
    is_same = known and (known.corpus_version, known.place) == (version, place)
    return now.model_copy(
        update={
            "model_id": model_id,
            "dimensions": int(facts.get("dimensions", now.dimensions)),
            "splitter_id": splitter_id,
            "generation": known.generation if known else 0,
            "is_clean": bool(is_same and known and known.is_clean),
            "files": known.files if known else 0,
            "pages": sizes[0],
            "sentences": sizes[1],
            "corpus_version": version,
            "place": place,
        }
    )


def mismatch_error(made: Manifest, now: Manifest) -> IndexMismatch | None:
    """The error when a corpus was made with another model or splitter than now."""
    kind = IndexMismatch
    if (made.model_id, made.dimensions) != (now.model_id, now.dimensions):
        what = (
            f"was made with the embedding model {made.model_id} "
            f"({made.dimensions} dimensions); the one in use is {now.model_id} "
            f"({now.dimensions} dimensions)"
        )
    elif made.splitter_id != now.splitter_id:
        kind = SplitterMismatch
        what = f"was split by {made.splitter_id}; the splitter in use is " + (
            now.splitter_id
        )
    else:
        return None
    return kind(
        f"The corpus {made.name!r} {what}. Their results cannot be compared.",
        "Use the model it was made with, or make it anew: claimscope pages index "
        f"--name {made.name} --rebuild (its pages are kept; no file is needed).",
    )
