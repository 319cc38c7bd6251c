"""How many searches a second an index of 100,000 sentences answers.

    python -m benchmarks.speed.search_rate [--sentences 100000] [--searches 100]

Pages are made up; their vectors are random directions, because embedding 100,000
sentences takes ten minutes and does not change what a search costs. Index, word
ranking and the embedding of each query are the real ones. Prints the rate and the
slowest search; the first search, which reads the index, stands apart. The seed
document names 5 to 10 a second.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.speed.index_speed import made_pages, sentence
from claimscope.core.backends.embedders import default_embedder
from claimscope.core.ports import Embedder, Floats
from claimscope.stores.index.page_index import PageIndex


class RandomVectors:
    """Random directions for pages; the real model once `real` is set."""

    def __init__(self, real: Embedder) -> None:
        self._model = real
        self._draw = np.random.default_rng(7)
        self.real = False

    @property
    def model_id(self) -> str:
        return "random@7/fp32"

    @property
    def dimensions(self) -> int:
        return self._model.dimensions

    def embed(self, texts: Sequence[str]) -> Floats:
        if self.real:
            return self._model.embed(texts)
        vectors = self._draw.normal(size=(len(texts), self.dimensions))
        found = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return found.astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--searches", type=int, default=100)
    options = parser.parse_args()
    embedder = RandomVectors(default_embedder())
    draw = random.Random(11)
    queries = [sentence(draw) for _ in range(options.searches + 1)]
    with tempfile.TemporaryDirectory() as folder:
        index = PageIndex(Path(folder), "rate", embedder, write=True)
        try:
            report = index.index_pages(made_pages(options.sentences))
            embedder.real = True
            embedder.embed(["Loaded before anything is timed."])
            seconds = []
            for query in queries:
                began = time.perf_counter()
                hits = index.search(query, k=10).hits
                seconds.append(time.perf_counter() - began)
                assert len(hits) == 10
        finally:
            index.close()
    first, rest = seconds[0], seconds[1:]
    print(
        f"{len(rest) / sum(rest):.1f} searches/s in {report.sentences:,} sentences, "
        f"the slowest {max(rest) * 1000:.0f} ms; the first one {first:.1f} s"
    )


if __name__ == "__main__":
    main()
