"""How fast pages are indexed, against the embedder alone on the same texts.

    python -m benchmarks.speed.index_speed [--sentences 10000]

Makes pages of made-up sentences, embeds half of them with the bare embedder, indexes
all pages into an empty workspace, embeds the other half, then indexes the same
pages again. The halves before and after take out a machine that grows slower or
faster meanwhile; processor time is printed too, because it does not depend on who
else is at work. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from claimscope.core.backends.embedders import default_embedder
from claimscope.core.models import Page
from claimscope.core.ports import Progress
from claimscope.stores.index.manifest import Manifest
from claimscope.stores.index.page_index import IndexReport, PageIndex

NOUNS = """reservoir harbour orchard tramway museum lighthouse hospital railway council
engineer patient dose trial kidney lung fever vaccine symptom course lecture student
degree module tutor library garden bridge valley river mountain village market
company contract budget engine battery turbine signal sensor protocol server
database algorithm poem novel theatre orchestra violin portrait""".split()
VERBS = """opened closed measured reported doubled reduced replaced described carried
taught designed repaired found lost built painted treated recorded tested""".split()
OTHERS = """the a this every another old new northern coastal public daily severe mild
careful early late first second large small nearly often rarely after before during
against without between because although while and of in for with from""".split()
WORDS = NOUNS * 2 + VERBS + OTHERS * 3
SENTENCES_A_PAGE = 20


def sentence(random_: random.Random) -> str:
    """Made-up prose of a plausible length: about 20 words, a few over 40."""
    length = max(4, min(60, round(random_.lognormvariate(2.9, 0.45))))
    words = random_.choices(WORDS, k=length)
    if random_.random() < 0.3:
        words[random_.randrange(1, length)] = str(random_.randrange(2, 5000))
    return " ".join(words).capitalize() + "."


def made_pages(count: int) -> list[Page]:
    """Pages with `count` sentences in all; the same every time."""
    random_ = random.Random(7)
    texts = [sentence(random_) for _ in range(count)]
    return [
        Page(page_id=f"page-{i}", text=" ".join(texts[i : i + SENTENCES_A_PAGE]))
        for i in range(0, count, SENTENCES_A_PAGE)
    ]


def timed(action: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor seconds of an action."""
    wall, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - processor


def talk(progress: Progress) -> None:
    if sys.stderr.isatty():
        print(
            f"\r{progress.action} {progress.done}/{progress.total}"
            f" {progress.rate:.0f}/s, {progress.eta_seconds or 0:.0f} s left   ",
            end="",
            file=sys.stderr,
        )


def index(root: Path, pages: list[Page]) -> tuple[IndexReport, Manifest]:
    """Opens the index, indexes, closes it: what the command does."""
    opened = PageIndex(root, "speed", default_embedder(), write=True)
    try:
        return opened.index_pages(pages, talk), opened.manifest
    finally:
        opened.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sentences", type=int, default=10_000)
    count = parser.parse_args().sentences
    pages = made_pages(count)
    with tempfile.TemporaryDirectory() as folder:
        embedder = default_embedder()
        embedder.embed(["Loaded and exported before anything is timed."])
        texts = [text + "." for page in pages for text in page.text[:-1].split(". ")]
        halves = [texts[::2], texts[1::2]]
        before = timed(lambda: embedder.embed(halves[0]))
        reports: list[tuple[IndexReport, Manifest]] = []
        first = timed(lambda: reports.append(index(Path(folder), pages)))
        after = timed(lambda: embedder.embed(halves[1]))
        again = timed(lambda: reports.append(index(Path(folder), pages)))
        report, manifest = reports[0]
    raw = (before[0] + after[0], before[1] + after[1])
    result = {
        "sentences": report.sentences,
        "embedded": report.embedded,
        "raw_per_second": round(len(texts) / raw[0], 1),
        "index_per_second": round(report.sentences / first[0], 1),
        "ratio": round(raw[0] / first[0], 3),
        "ratio_of_processor_time": round(raw[1] / first[1], 3),
        "raw_seconds": [round(seconds, 1) for seconds in (before[0], after[0])],
        "index_seconds": round(first[0], 1),
        "second_index_seconds": round(again[0], 2),
        "second_index_embedded": reports[1][0].embedded,
        "model": manifest.model_id,
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
