"""Random hostile texts through every metric: no traceback, no NaN, scales kept.

    python -m benchmarks.durability.random_texts [--texts 10000] [--seed 7]

Question, answer, reference, contexts, brands and claims are all made by hypothesis:
control bytes, text from right to left, ruined Markdown, broken markers, huge words,
numbers of any kind. Scored as `claimscope score` does without a language model; the
embedding model is a hash of words, as 10,000 texts of nonsense say nothing about a
real one. Prints texts a second; a row that breaks something is shrunk and shown.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import time
import zlib
from collections.abc import Sequence

import numpy as np
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.ports import Floats
from claimscope.core.run.sample import Services
from claimscope.core.services.scoring import (
    MemoEmbedder,
    Row,
    chosen_metrics,
    score_rows,
)
from claimscope.core.settings import Settings
from claimscope.core.verify.verifier import EvidenceVerifier

PIECES = (
    "The Orla crane lifts 40 tonnes. ",
    "It does not. ",
    "No. 5, Dr. B. Marr: ",
    "[1]",
    "[0, 99999999999999999999]",
    "[PMID:1, S:2-1]",
    "[passage:0, S:",
    "[a](https://example.com/x",
    "[a]: <http://[::1]:99999/>",
    "http://xn--.example.com.evil.net",
    "www.example.com",
    "\u202eexample.com\u202c",
    "שלום עולם. ",
    "مرحبا بالعالم؟ ",
    "彼は来た。",
    "**",
    "```\n",
    "| a | b |\n|---|---|\n",
    "> # - 1) ",
    "\x00\x1b[31m\x07",
    "\u200b\u200d\ufeff",
    "e\u0301\u0301\u0301",
    "\r\n\r\n",
    "1,200.5.3",
    "-0.000 %",
    "9" * 60,
    "1e999",
    "31.02.2020",
    "½ ² Ⅻ ٣",
    "$29.00 to €",
    "word" * 60,
    "?!?!…",
    "I could not find this in the sources.",
)
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=120),
    st.lists(
        st.one_of(
            st.sampled_from(PIECES),
            st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
            st.floats().map(str),
            st.integers().map(str),
        ),
        max_size=14,
    ).map("".join),
)
ROWS = st.fixed_dictionaries(
    {
        "id": st.integers(),
        "question": TEXTS.filter(bool),
        "answer": TEXTS,
        "reference": st.none() | TEXTS,
        "contexts": st.lists(TEXTS, max_size=2),
        "domain": st.sampled_from([None, "example.com", "münchen.example", "x"]),
        "brands": st.lists(TEXTS, max_size=2),
        "claims": st.lists(
            st.fixed_dictionaries({"text": TEXTS.filter(str.strip)}), max_size=2
        ),
        "citations": st.lists(
            st.fixed_dictionaries(
                {"page_id": st.sampled_from(["1", "passage:0", "PMID:1"])},
                optional={"sentence": st.integers(0, 3)},
            ),
            max_size=2,
        ),
    }
)
TEXTS_A_ROW = 5
"""On average."""
WEIGHTS = "claim_support=1,attribution=2,length=1"


class WordHashes:
    """An embedder of bags of words; never a vector of nought."""

    model_id = "hashes@1"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), 64), L2-normalised."""
        vectors = np.full((len(texts), self.dimensions), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, zlib.crc32(word.encode()) % self.dimensions] += 1
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        found: Floats = vectors / np.maximum(norms, 1e-9)
        return found


def hostile_services() -> Services:
    """Every metric, without a language model."""
    embedder = MemoEmbedder(WordHashes(), kept=2000)
    now = Settings(metric_weights=WEIGHTS)
    reader = EvidenceVerifier(embedder, shipped_model())
    return Services(
        embedder, reader, now, metrics=chosen_metrics((), now), reader=reader
    )


def check(row: Row, services: Services) -> None:
    """Raises AssertionError that names the metric."""

    async def all_scores() -> None:
        async for scored in score_rows([row], services):
            assert scored.result is not None, scored.scores[0].reason
            assert tuple(one.metric for one in scored.scores) == services.metrics
            for one in scored.scores:
                if one.value is None:
                    assert one.reason, f"{one.metric}: no value and no reason"
                    continue
                low, high = one.scale
                assert math.isfinite(one.value), f"{one.metric}: {one.value}"
                assert low <= one.value <= high, f"{one.metric}: {one.value}"

    asyncio.run(all_scores())


def run(texts: int, number: int = 7) -> tuple[int, int]:
    """Checks rows with about that many texts; gives how many rows and texts there
    were. Raises AssertionError."""
    services, counts = hostile_services(), [0, 0]

    @seed(number)
    @settings(
        max_examples=max(1, texts // TEXTS_A_ROW),
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(ROWS)
    def every_row(fields: dict[str, object]) -> None:
        row = Row.model_validate(fields)
        given_ = (row.question, row.answer, row.reference, *row.contexts, *row.brands)
        counts[0] += 1
        counts[1] += sum(text is not None for text in given_) + len(row.claims)
        check(row, services)

    every_row()
    return counts[0], counts[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    began = time.perf_counter()
    rows, texts = run(options.texts, options.seed)
    seconds = time.perf_counter() - began
    print(f"{texts} random texts in {rows} rows, none broke: {texts / seconds:.0f}/s")


if __name__ == "__main__":
    main()
