"""Spoilt files for every page and suite reader, spoilt answers, spoilt replies of
models: tracebacks, hangs, memory.

    python -m benchmarks.durability.fuzz_readers [COUNT] [--only NAME …] [--seed N]

Good files of the tests are mutated (bytes flipped, cut, doubled, swapped between files,
tokens put in that parsers trip over) and read. An input that raises anything but our
own errors is a traceback; one that takes longer than 20 s is a hang. The slowest input
is shown, and apart from it the slowest splitting into sentences. Each reader runs
in a process of its own, whose largest memory is printed; above MOST_MEMORY it counts as
something that must not happen. Exit code 1 if anything did that must not.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import queue
import random
import resource
import signal
import sys
import tempfile
import time
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from pathlib import Path
from typing import TypeAlias

from claimscope.core.calls.replies import read_reply
from claimscope.core.errors import InputError, ReplyUnreadable
from claimscope.core.grade.grades import GradeReply
from claimscope.core.models import Case, Suite
from claimscope.core.text.citations.markers import find_markers
from claimscope.core.text.injection import injected_spans
from claimscope.core.text.sanitising import sanitise
from claimscope.core.text.sentences import sentences, split_sentences
from claimscope.core.verify.decomposition import decompose
from claimscope.core.verify.decomposition_by_model import ClaimsReply
from claimscope.core.verify.witnesses.model_batch import Entries
from claimscope.stores.pages.folder import read_file, read_folder
from claimscope.stores.suites.importing import import_file, import_text
from claimscope.stores.suites.lint import lint
from claimscope.stores.suites.loading import load_answers, load_suite, read_raw

ROOT = Path(__file__).parents[2] / "tests" / "stores"
PAGES = ROOT / "pages" / "files"
SUITES = ROOT / "suites" / "files"
LONGEST = 20
"""Seconds after which an input is a hang."""
MOST_MEMORY = 1500
"""MB that a process may come to need, its libraries included."""
PAGE_KINDS = (
    ".adoc .csv .docx .epub .html .ipynb .json .jsonl .md .mdx .nbib .odt .pdf .rst"
    " .txt .xlsx .xml .xml.gz .zip"
).split()
PARTS = (
    ("mill.docx", "word/document.xml"),
    ("quarry.odt", "content.xml"),
    ("isle.epub", "OEBPS/two.xhtml"),
    ("plans.xlsx", "xl/worksheets/sheet1.xml"),
)
"""Documents that are archives, and the part of them that is spoilt: spoilt outside, few
get past the archive."""
TOKENS = (
    b"\x00 \xff \xfe\xff \xef\xbb\xbf <!ENTITY a 'b'> &a; <![CDATA[ ]]> <!-- --> {{ }}"
    b" [[[["
    b' "" \' , ; \t \n \r\n --- ... *a &a !!int !!python/object:os.x << : - PMID- AB  -'
    b" 1e999 -1 99999999999999999999 NaN null true \\ud800 \\u0000 % obj endobj stream"
    b" /Length /Kids /Count PK\x03\x04 \x1f\x8b ../ <table> </div> <svg> \xe2\x80\xae"
).split(b" ")


def mutated(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 5, 8))):
        place = chance.randrange(len(out) + 1)
        end = min(len(out), place + chance.choice((1, 4, 16, 100, 1000)))
        kind = chance.randrange(8)
        if kind == 0 and place < len(out):
            out[place] = chance.randrange(256)
        elif kind == 1:
            del out[place:end]
        elif kind == 2:
            out[place:place] = out[place:end] * chance.choice((1, 2, 50))
        elif kind == 3:
            out[place:place] = chance.choice(TOKENS)
        elif kind == 4:
            out[place:place] = chance.choice(TOKENS) * chance.choice((10, 1000, 20_000))
        elif kind == 5:
            del out[place:]
        elif kind == 6:
            other = chance.choice(others)
            start = chance.randrange(len(other))
            out[place:end] = other[start : start + 500]
        else:
            out[place:end] = bytes(reversed(out[place:end]))
    return bytes(out)


def read_pages(path: Path) -> float:
    """Reads a file and splits its pages; gives the seconds that splitting took."""
    pages = read_file(path)
    began = time.monotonic()
    for page in pages:
        sentences(page)
    return time.monotonic() - began


def read_part(name: str, part: str, path: Path) -> float:
    """The input is a part of a document, which is packed anew around it."""
    data = io.BytesIO()
    with zipfile.ZipFile(PAGES / "good" / name) as good:
        with zipfile.ZipFile(data, "w") as archive:
            for one in good.namelist():
                plain = path.read_bytes() if one == part else good.read(one)
                archive.writestr(one, plain)
    document = path.with_name(f"document{Path(name).suffix}")
    document.write_bytes(data.getvalue())
    return read_pages(document)


def read_site(path: Path) -> float:
    """The input is the sitemap of a folder with two pages."""
    read_folder(path.parent)
    return 0.0


def read_suite(path: Path) -> float:
    """Loading and lint of one file."""
    try:
        load_suite(path)
    except InputError:
        pass
    list(lint(read_raw(path), path))
    return 0.0


def read_import(path: Path) -> float:
    import_text(path.read_bytes().decode("utf-8", "replace"), path.name)
    return 0.0


def read_tables(path: Path) -> float:
    import_file(path)
    return 0.0


def read_answers(path: Path) -> float:
    cases = (Case(id="kiln-1", question="?"), Case(id="kiln-2", question="?"))
    load_answers(path, Suite(id="kilns", cases=cases))
    return 0.0


def read_answer(path: Path) -> float:
    """All that is read of an answer's text before a verifier is asked."""
    text = path.read_bytes().decode("utf-8", "replace")
    decompose(text, ("kiln-1",))
    find_markers(text, ("kiln-1",))
    injected_spans(text)
    sanitise(text)
    began = time.monotonic()
    split_sentences(text, "markdown")
    return time.monotonic() - began


def read_replies(path: Path) -> float:
    """What a model said, taken for each kind of reply."""
    text = path.read_bytes().decode("utf-8", "replace")
    for kind in (GradeReply, ClaimsReply, Entries):
        with suppress(ReplyUnreadable):
            read_reply(text, kind)
    return 0.0


ANSWER = """\
## The kiln

The kiln reaches **1,240 °C** [kiln-1, S:2], and it was fired in May 2019 (see
[the page](https://kiln.example/a?b=1)). It is not open on Mondays; it costs £4.50.

- Height: 3.5 m
| part | size |
|------|------|
| door | 0.8 m |

<think>5/5?</think> “The glaze is lead-free”, they say. I do not know who built it.
""".encode()
REPLIES = b"""\
<think>Perhaps {"grade": 1}</think>
```json
{"explanation": "It \\"follows\\" the evidence {1}.", "grade": 4,
 "claims": ["The kiln reaches 1,240 \\u00b0C.", "It is open."],
 "entries": [{"claim": 1, "verdict": "supported", "quote": "The kiln"},],}
```
Anything else?
"""
ANSWERS = b"".join(
    b'{"case_id": "kiln-%d", "provider": "p%d", "text": "It is 1,240 \xc2\xb0C."}\n'
    % (number, other)
    for number in (1, 2)
    for other in range(3)
)


def jobs() -> dict[str, tuple[Callable[[Path], float], list[Path] | bytes, str]]:
    """(reader, good files or bytes, name of the input) by name."""
    found: dict[str, tuple[Callable[[Path], float], list[Path] | bytes, str]] = {}
    for suffix in PAGE_KINDS:
        files = [p for p in sorted(PAGES.glob("good/*")) if p.name.endswith(suffix)]
        found[f"pages {suffix}"] = (read_pages, files, f"input{suffix}")
    for name, part in PARTS:
        with zipfile.ZipFile(PAGES / "good" / name) as archive:
            inside = archive.read(part)
        found[f"parts {Path(name).suffix}"] = (
            partial(read_part, name, part),
            inside,
            "part.xml",
        )
    found["pages sitemap"] = (read_site, [PAGES / "site/sitemap.xml"], "sitemap.xml")
    for suffix in ".csv .json .jsonl .yaml".split():
        files = [SUITES / "good" / f"suite{suffix}"]
        found[f"suite {suffix}"] = (read_suite, files, f"input{suffix}")
        files = [
            p
            for p in sorted(SUITES.glob("good/*"))
            if p.suffix == suffix and not p.stem.startswith("suite")
        ]
        found[f"import {suffix}"] = (read_import, files, f"input{suffix}")
    for name in ("ragas.parquet", "deepeval.xlsx"):
        found[f"import {Path(name).suffix}"] = (
            read_tables,
            [SUITES / "good" / name],
            f"input{Path(name).suffix}",
        )
    found["answers"] = (read_answers, ANSWERS, "answers.jsonl")
    found["answer text"] = (read_answer, ANSWER, "answer.md")
    found["model replies"] = (read_replies, REPLIES, "reply.txt")
    return found


Results: TypeAlias = "Queue[tuple[Counter[str], float, float, float, list[str]]]"
"""Counts by outcome, slowest reading and splitting in seconds, memory in MB, examples
of what must not happen."""


class Hang(BaseException):
    """An input took too long."""


def fuzz(name: str, count: int, seed: int, results: Results) -> None:
    """Reads `count` inputs; puts (counts, slowest, memory in MB, examples)."""

    def hang(*_: object) -> None:
        raise Hang

    signal.signal(signal.SIGALRM, hang)
    warnings.simplefilter("ignore")
    reader, good, file_name = jobs()[name]
    samples = [good] if isinstance(good, bytes) else [p.read_bytes() for p in good]
    chance = random.Random(f"{name} {seed}")
    counts: Counter[str] = Counter()
    examples: list[str] = []
    slowest = splitting = 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file_name
        for page in ("index.html", "ferry.html") if "sitemap" in name else ():
            (Path(folder) / page).write_bytes((PAGES / "site" / page).read_bytes())
        path.write_bytes(samples[0])
        with suppress(InputError):
            reader(path)  # what is loaded once is no part of an input's time
        for number in range(count):
            data = mutated(chance.choice(samples), samples, chance)
            path.write_bytes(data)
            began, split = time.monotonic(), 0.0
            signal.alarm(LONGEST)
            try:
                split = reader(path)
                counts["read"] += 1
            except InputError:
                counts["refused"] += 1
            except Hang:
                counts["hang"] += 1
                examples.append(kept(name, number, data, "hang"))
            except BaseException as error:
                counts["traceback"] += 1
                examples.append(
                    kept(name, number, data, f"{type(error).__name__}: {error}")
                )
            finally:
                signal.alarm(0)
            slowest = max(slowest, time.monotonic() - began - split)
            splitting = max(splitting, split)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    results.put((counts, slowest, splitting, memory, examples))


def kept(name: str, number: int, data: bytes, what: str) -> str:
    """Writes an input down that must not have happened."""
    folder = Path(tempfile.gettempdir()) / "claimscope-fuzz"
    folder.mkdir(exist_ok=True)
    file = folder / f"{name.replace(' ', '-').replace('.', '')}-{number}"
    file.write_bytes(data)
    return f"{what[:160]} ({file})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1_000)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    bad = 0
    heads = (
        "reader",
        "inputs",
        "read",
        "refused",
        "tracebacks",
        "hangs",
        "reading",
        "split",
        "MB",
    )
    print("{:16} {:>7} {:>7} {:>8} {:>10} {:>6} {:>8} {:>8} {:>6}".format(*heads))
    for name in jobs():
        if arguments.only and not any(word in name for word in arguments.only):
            continue
        results: Results = multiprocessing.get_context("spawn").Queue()
        process = multiprocessing.get_context("spawn").Process(
            target=fuzz, args=(name, arguments.count, arguments.seed, results)
        )
        process.start()
        counts, slowest, splitting, memory, examples = outcome(process, results)
        bad += counts["traceback"] + counts["hang"] + (memory > MOST_MEMORY)
        print(
            f"{name:16} {counts.total():7,} {counts['read']:7,} {counts['refused']:8,}"
            f" {counts['traceback']:10} {counts['hang']:6} {slowest:6.2f} s"
            f" {splitting:6.2f} s {memory:6.0f}",
            flush=True,
        )
        for example in examples[:5]:
            print(f"    {example}")
    return 1 if bad else 0


def outcome(
    process: BaseProcess, results: Results
) -> tuple[Counter[str], float, float, float, list[str]]:
    """What the process put; one that died counts as a traceback."""
    while True:
        try:
            return results.get(timeout=1)
        except queue.Empty:
            if not process.is_alive():
                what = f"the process ended with {process.exitcode}"
                return Counter({"traceback": 1}), 0.0, 0.0, 0.0, [what]


if __name__ == "__main__":
    sys.exit(main())
