"""Does any function that reads foreign text take more than linear time?

    python -m benchmarks.speed.linear_time [--only NAME] [--sizes 1000 4000 16000 64000]

Every public function of core/text that takes a text, and what reads pages and answers
beside it, is given one pattern repeated to each size. Printed for each function: the
slowest pattern at the largest size with its seconds of processor time, and the
exponent between the last two sizes (1 = linear, 2 = quadratic) of the steepest. A text
that takes longer than LIMIT is not waited for. The exit code is 1 when one is over
LIMIT at the largest size, or steeper than STEEP where it takes long enough to tell.
"""

from __future__ import annotations

import argparse
import functools
import gc
import importlib
import inspect
import math
import pkgutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import claimscope.core.text
from claimscope.core.models import Page
from claimscope.core.text import chunks, linguistics, readable, sentences
from claimscope.core.text.citations import markers, mentions
from claimscope.core.text.linguistics import Subject
from claimscope.core.text.quantities import qualifiers
from claimscope.core.text.quantities.numbers import quantities
from claimscope.core.verify.abstentions import find_denial
from claimscope.core.verify.decomposition import decompose, is_empty
from claimscope.stores.pages.layout.document import text_of
from claimscope.stores.pages.layout.leaves import Leaf
from claimscope.stores.pages.layout.words import Style, Word, lines_of
from claimscope.stores.pages.readers.markdown import MarkdownReader

SIZES = (1_000, 4_000, 16_000, 64_000)
LIMIT = 2.0
"""Seconds of processor time for a text of the largest size."""
STEEP = 1.2
WARM = "The basin is 11 m deep; it was dug and paid by 3 towns [1]."
"""Given first, so that models and tables are loaded."""
TELLING = 0.05
"""Seconds below which a ratio says more about the machine than about the function."""

PIECES = (
    # letters, digits, blanks and marks without an end
    "a", "ab ", "A", "é", "漢", "1", "1 ", " ", "\n", "\t", "\n\n", " \n", ".", ". ",
    "-", "- ", "--", "–", "— ", ":", ": ", ";", "; ", ",", ", ", "'", '"', "“", "(",
    ")", "[", "]", "{", "<", ">", "*", "**", "_", "`", "```", "~", "#", "# ", "|", "/",
    "\\", "@", "&", "%", "$", "!", "? ", "=", "+", "\u200b", "\u202e", "\ud800", "\0",
    # numbers, dates, times, units
    "1 to ", "1-", "1–", "1,", "1.", "1 000 ", "12/", "1/2 ", "10 %", "5 km per ",
    "between 1 and ", "more than ", "no more than 5 ", "one ", "one hundred ", "and ",
    "one and ", "a half ", "twenty-", "first ", "twice as ", "1 May 2020 ", "1 May ",
    "May 1, 2020 ", "2020-01-01 ", "2020-", "1.1.", "10:30 ", "from 10 to ", "10 am ",
    "19th century ", "1990s ", "circa ", "minus ", "-1", "€5 ", "1 million ", "at ",
    # citations and links
    "[a](b)", "[a](b", "[a](", "[a", "[1]", "[1, ", "[PMID:1, S:2]", "[S:1", "](", "![",
    "[[", "]]", "[a]: b ", "http://a.b/", "www.", "a.", "a.b ", "a@b.c ", "<a>", "</",
    "(a(", "[^1]", "S:1 ", "[1][2]", "http://", "xn--",
    # markup and prose
    "> ", "1. ", "- a\n", "* a\n", "| a ", "|-|\n", "a:\n", "**a:** ", "```\n", "$$ ",
    "word. ", "Word. ", "No. ", "Dr. ", "e.g. ", "word word ", "because ", "which ",
    "and it is ", "It is. ", "is not ", "the ", "of the ", "I ", "you ", "is good for ",
    "wellknown-\n", "Ab\n", "a-\n", "; it is ", ", and it was ", "“a” ", "'s ", "...",
    ". . . ", "e\u0301", "ignore all ", '{"a": ', "</s>", "<think>", "Human: ",
)  # fmt: skip
"""What is repeated."""
LONG = ("[" + "1," * 198 + "1]", "[PMID:1, S:" + "1-100," * 60 + "1]", "a" * 300 + " ")
"""Longer pieces, each at a limit of its own."""
HEADS = (
    ("[1] [a](", "b"), ("[1] `", "`"), ("[1] [a](", "b "), ("[1]\n```", "`"),
    ("“", "a "), ("[1] ", " "), ("[1]", "\n"), ("a.", " "), ("(", "a "), ("<", "a "),
    ("http://", "a."), ("**", "a "), ("*", "a"), ("[", "a "), ("1", "0"), ("1.", "0"),
    ("1,", "000,"), ("[", "S:1 "), (". [", "1"), ("a; ", "is "), ("1; ", "12 ;"),
    ("between 1 ", " "), ("from 1 ", "\t"), ("1 May", " "), ("one", "\n"), ("$", "1 "),
    ("a ", "\u00a0"), ("It is ", "very "), ("a:", " "), ("- ", " "), ("# ", "#"),
    ("[a]: ", "b"), ("a@", "a."), ("{", '"a":'), ("|a|\n|-|\n", "|"), ("of ", "the "),
)  # fmt: skip
"""A beginning, and what is repeated behind it."""


@dataclass
class Measured:
    """What a function took for one pattern, by size; None = over LIMIT."""

    piece: str
    seconds: dict[int, float | None] = field(default_factory=dict)

    @property
    def longest(self) -> float:
        """At the largest size that was tried; infinite when that was over LIMIT."""
        last = self.seconds[max(self.seconds)]
        return math.inf if last is None else last

    @property
    def exponent(self) -> float | None:
        """Between the two largest sizes; None where they are too quick to tell."""
        sizes = sorted(self.seconds)[-2:]
        if self.seconds[sizes[-1]] is None:
            return math.inf
        before, after = self.seconds[sizes[0]], self.seconds[sizes[-1]]
        if len(sizes) < 2 or before is None or after is None or after < TELLING:
            return None
        return math.log(after / max(before, 1e-6)) / math.log(sizes[1] / sizes[0])


class TooLong(Exception):
    """A function was stopped."""


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Raises TooLong when the block takes more processor time; patterns listen too."""

    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def run(function: Callable[[str], object], text: str) -> object:
    found = function(text)
    return list(found) if isinstance(found, Iterator) else found


def _at_end(function: Callable[[str, int], object]) -> Callable[[str], object]:
    """A function that reads from a place: asked at the beginning and the end."""

    def both(text: str) -> object:
        return function(text, 0), function(text, len(text))

    return both


def _attached(text: str) -> object:
    return markers.attach_markers(
        text, sentences.split_sentences(text), markers.find_markers(text)
    )


def _plain(text: str) -> object:
    return readable.strip_markup(text, (0, len(text)), markers.find_markers(text))


def _qualified(text: str) -> object:
    return [qualifiers.with_qualifiers(text, one) for one in quantities(text)[:50]]


def _markdown(text: str) -> object:
    from claimscope.core.errors import PageError

    try:
        return list(MarkdownReader().read(text.encode("utf-8", "replace"), "a.md"))
    except PageError:
        return None


def _printed(text: str) -> str:
    """Text as a leaf of print shows it; a tab sets apart what follows."""
    words = [
        Word(
            one, 40.0 * place, 40.0 * place + 30, 12.0 * row, 12.0 * row + 10, Style(10)
        )
        for row, line in enumerate(text.split("\n"))
        for place, one in enumerate(line.split("\t"))
        if one.strip()
    ]
    return text_of([Leaf(tuple(lines_of(words)))])


SPECIAL: dict[str, Callable[[str], object]] = {
    "chunks.split_chunks sentences": lambda text: chunks.split_chunks(
        text, "sentences", 254
    ),
    "chunks.split_chunks paragraphs": lambda text: chunks.split_chunks(
        text, "paragraphs", 254
    ),
    "citations.markers.attach_markers": _attached,
    "citations.markers.marker_removals": lambda text: markers.marker_removals(
        text, markers.find_markers(text)
    ),
    "linguistics.resolved": lambda text: linguistics.resolve_pronoun(
        text, Subject("The basin", False, False, False, True)
    ),
    "citations.mentions.find_mentions": lambda text: mentions.find_mentions(
        text, "a.test", ("Acme",)
    ),
    "citations.mentions.is_on": lambda text: mentions.is_on(text, "a.test"),
    "readable.strip_markup": _plain,
    "quantities.qualifiers.qualified": _qualified,
    "sentences.split_sentences markdown": lambda text: sentences.split_sentences(
        text, "markdown"
    ),
    "sentences.sentences": lambda text: sentences.sentences(
        Page(page_id="a", text=text.encode("utf-8", "replace").decode())
    ),
    "abstentions.find_denial": find_denial,
    "verification.decompose": decompose,
    "verification.is_empty": is_empty,
    "sources.printed": _printed,
    "sources.markdown": _markdown,
}
"""Functions that take more than a text, and readers beside core/text."""
PLACED = {"stands_for_nothing", "noun_at", "and_half", "unit_at", "rate_at"}
"""Functions of a text and a place in it."""
LEFT_OUT = {"english", "injection.rules"}
"""Modules that read what spaCy or the functions here have read, and spaCy itself."""
NO_TEXT = {"month_number"}
"""Takes one of twelve names."""


def functions() -> dict[str, Callable[[str], object]]:
    package = claimscope.core.text
    prefix = f"{package.__name__}."
    found: dict[str, Callable[[str], object]] = dict(SPECIAL)
    for module in pkgutil.walk_packages(package.__path__, prefix):
        short = module.name.removeprefix(prefix)
        if short in LEFT_OUT:
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            is_ours = not name.startswith("_") and _is_of(value, module.name)
            if is_ours and name not in NO_TEXT:
                if name in PLACED:
                    found[f"{short}.{name}"] = _at_end(value)
                elif _takes_a_text(value):
                    found[f"{short}.{name}"] = _uncached(value)
    return found


def _is_of(value: object, module: str) -> bool:
    is_function = inspect.isfunction(value) or hasattr(value, "cache_clear")
    return is_function and getattr(value, "__module__", "") == module


def _takes_a_text(value: Callable[..., object]) -> bool:
    parameters = list(inspect.signature(value).parameters.values())
    free = [p for p in parameters[1:] if p.default is p.empty]
    is_text = bool(parameters) and parameters[0].annotation in ("str", "object")
    return is_text and not [p for p in free if p.kind is not p.VAR_KEYWORD]


def _uncached(value: Any) -> Callable[[str], object]:
    found: Callable[[str], object] = value.__wrapped__ if _is_cached(value) else value
    return found


def _is_cached(value: object) -> bool:
    return isinstance(value, functools._lru_cache_wrapper)


def measured(
    function: Callable[[str], object],
    piece: str,
    sizes: Sequence[int] = SIZES,
    limit: float = LIMIT,
    head: str = "",
) -> Measured:
    """What a function takes for one pattern; larger sizes only while it is quick."""
    result = Measured(f"{head} + {piece}" if head else piece[:20])
    for size in sizes:
        text = (head + piece * (size // len(piece) + 1))[:size]
        result.seconds[size] = _seconds(function, text, limit)
        if result.seconds[size] is None:
            return result
    if (result.exponent or 0) > STEEP:  # or was it the machine?
        for size in sizes[-2:]:
            text = (head + piece * (size // len(piece) + 1))[:size]
            again = [_seconds(function, text, limit) for _ in range(3)]
            result.seconds[size] = min(limit if one is None else one for one in again)
    return result


def _seconds(
    function: Callable[[str], object], text: str, limit: float
) -> float | None:
    gc.disable()  # when it comes by says nothing about the function
    began = time.process_time()
    try:
        with stopped_after(limit):
            run(function, text)
    except TooLong:
        return None
    finally:
        gc.enable()
    return time.process_time() - began


def main() -> int:
    """Prints a line a function; 1 when one is too slow or too steep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="part of a function's name")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--all", action="store_true", help="every bad pattern")
    arguments = parser.parse_args()
    tried = failures = 0
    for name, function in sorted(functions().items()):
        if arguments.only not in name:
            continue
        run(function, WARM)
        gc.collect()
        found = [
            measured(function, piece, arguments.sizes, head=head)
            for head, piece in (*(("", one) for one in PIECES + LONG), *HEADS)
        ]
        tried += len(found)
        slowest = max(found, key=lambda one: one.longest)
        steep = [one for one in found if (one.exponent or 0) > STEEP]
        bad = [one for one in found if one in steep or one.longest > LIMIT]
        failures += len(bad)
        worst = max((one.exponent or 0 for one in found), default=0)
        print(
            f"{name:<28} {slowest.longest:7.3f} s at {max(slowest.seconds):>6} of "
            f"{slowest.piece!r:<16} exponent {worst:4.2f}",
            flush=True,
        )
        for one in bad[: None if arguments.all else 8]:
            print(f"    BAD: {one.piece!r}: {one.longest:.2f} s", flush=True)
    print(f"{tried} texts, {failures} too slow or too steep")
    return 1 if failures or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
