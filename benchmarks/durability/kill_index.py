"""`kill -9` at random moments of indexing, then open and index again: what is lost?

    python -m benchmarks.durability.kill_index [--kills 20] [--sentences 3000] [--real]

Each process opens the index and indexes an edition of the pages in which a third of
them changed, and is killed meanwhile (one in five while it still opens); the next one
takes over what it left. The last is let finish. Then every page and sentence of the
last edition must be there, in ChromaDB too, and be found by its own text. Embedded
twice = texts whose vector was on disk at a kill and was made again; generations =
1 + how often ChromaDB had to be rebuilt. Uses a fast stand-in for the embedder, so
that kills fall into all steps; with --real the default model. Prints one JSON object;
exit 1 when anything is lost.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed.index_speed import made_pages
from claimscope.core.backends.embedders import default_embedder
from claimscope.core.models import Page
from claimscope.core.ports import Embedder, Floats
from claimscope.stores.index import page_index as pages_module
from claimscope.stores.index.chroma import PAGES, SENTENCES
from claimscope.stores.index.embeddings import FILE
from claimscope.stores.index.manifest import read_manifest
from claimscope.stores.index.page_index import PageIndex

NAME = "killed"


class QuickEmbedder:
    """Random but fixed vectors, 384 dimensions, about 2,000 texts a second."""

    model_id = "quick@1/fp32"
    dimensions = 384

    def embed(self, texts: Sequence[str]) -> Floats:
        """Vectors, shape (len(texts), 384)."""
        time.sleep(len(texts) / 2000)
        rows = []
        for text in texts:
            seed = hashlib.sha256(text.encode()).digest()
            generator = np.random.default_rng(np.frombuffer(seed, dtype=np.uint32))
            rows.append(generator.normal(size=self.dimensions))
        vectors = np.asarray(rows, dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def embedder_of(is_real: bool) -> Embedder:
    """The default model, or its quick stand-in."""
    return default_embedder() if is_real else QuickEmbedder()


def edition_of(sentences: int, edition: int) -> list[Page]:
    """The pages; each later edition has changed a third of them."""
    pages = made_pages(sentences)
    for past in range(1, edition + 1):
        for i in range(past % 3, len(pages), 3):
            text = f"{pages[i].text} Page {i} has edition {past}."
            pages[i] = pages[i].model_copy(update={"text": text})
    return pages


def work(root: Path, options: argparse.Namespace) -> None:
    """Opens the index and indexes; says what it is at and what it embedded."""
    print("opening", flush=True)
    index = PageIndex(root, NAME, embedder_of(options.real), write=True)
    pages = edition_of(options.sentences, options.edition)
    print("planning", flush=True)
    report = index.index_pages(pages, lambda p: print(p.action, p.done, flush=True))
    print("closing", flush=True)
    index.close()
    print("embedded", report.embedded, flush=True)


def start(
    root: Path, options: argparse.Namespace, edition: int
) -> subprocess.Popen[str]:
    arguments = ["--work", str(root), "--sentences", str(options.sentences)]
    arguments += ["--edition", str(edition), *["--real"] * options.real]
    return subprocess.Popen(
        [sys.executable, "-m", __spec__.name, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def stored_vectors(root: Path) -> int:
    """Vectors on disk, counted without our own code."""
    if not (root / FILE).exists():
        return 0
    connection = sqlite3.connect(root / FILE)
    try:
        return int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])
    except sqlite3.OperationalError:  # killed before the table was made
        return 0
    finally:
        connection.close()


def kill_one(process: subprocess.Popen[str], after: str, delay: float) -> str:
    """Kills an indexing process `delay` seconds after it said `after`; the step it
    was at."""
    assert process.stdout
    for line in process.stdout:
        if line.strip() == after:
            break
    try:
        process.wait(timeout=delay)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    output, _ = process.communicate()
    if process.returncode != -signal.SIGKILL:
        return "finished before the kill"
    return [after, *output.split("\n")[:-1]][-1].split()[0]


def verify(root: Path, options: argparse.Namespace) -> dict[str, Any]:
    """What is in the finished index, sentence by sentence."""
    pages_module.FEW = 0  # ChromaDB is what is looked at
    index = PageIndex(root, NAME, embedder_of(options.real))
    pages = edition_of(options.sentences, options.kills)
    wanted = [s for page in pages for s in index.sentences(page.page_id)]
    absent = sum(index.page(page.page_id) != page for page in pages)
    not_found = 0
    for sentence in wanted[:: max(1, len(wanted) // 200)]:
        result = index.search(sentence.text, k=1)
        texts = [hit.text for hit in result.hits]
        not_found += texts != [sentence.text] or result.fallback is not None
    chroma = index._ready_chroma()
    counts = chroma.counts() if chroma else {}
    index.close()
    return {
        "pages_lost": absent,
        "sentences": len(wanted),
        "sentences_missing_in_chromadb": len(wanted) - counts.get(SENTENCES, 0),
        "pages_missing_in_chromadb": len(pages) - counts.get(PAGES, 0),
        "not_found_by_their_own_text": not_found,
    }


def main() -> int:
    """Kills, verifies, prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--sentences", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=4.0, help="longest delay")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--edition", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work, options)
        return 0
    random_ = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        steps: Counter[str] = Counter()
        for edition in range(options.kills):
            is_opening = random_.random() < 0.2
            step = kill_one(
                start(root, options, edition),
                "opening" if is_opening else "planning",
                random_.uniform(0, 3 if is_opening else options.seconds),
            )
            steps[step] += 1
        kept = stored_vectors(root)
        output, _ = start(root, options, options.kills).communicate()
        embedded = int(output.split()[-1])
        manifest = read_manifest(root / NAME)
        result = {
            "kills": dict(steps),
            "vectors_kept": kept,
            "embedded_twice": kept + embedded - stored_vectors(root),
            "chromadb_generations": manifest.generation if manifest else None,
            **verify(root, options),
        }
    print(json.dumps(result, indent=2))
    losses = ("pages_lost", "embedded_twice", "not_found_by_their_own_text")
    missing = [v for k, v in result.items() if "missing" in k or k in losses]
    return int(any(missing))


if __name__ == "__main__":
    sys.exit(main())
