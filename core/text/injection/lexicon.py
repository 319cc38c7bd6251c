"""Words of a text that orders to a judge are made of, by kind and language.

Kinds, as in languages.toml: `order` verbs that tell someone to grade, in the forms in
which one orders; `opens` what may stand before such a verb where its form alone does
not show an order; `this` + `answer` the answer itself; `loose` words for it that mean
many things; `grade`, `best`, `five`, `full` (both in one word); `metric`; `judge`
whoever grades; `notice` how one is addressed; `ignore`, `rules`, `former`, `rubric`,
`changed`; `praise`, `wholly`, `checked`, `hedge`; `lenient`; `mode`; `evidence`;
`about` talk about attacks; `when`, `elsewhere`, `past` signs of harmless talk of
grades.

Every word is looked up once in tables: the work is linear in the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from claimscope.core.text.injection.folding import fold, look_alikes

DATA = Path(__file__).parent / "languages.toml"

_CJK = r"\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f"
_TOKEN = re.compile(
    rf"[{_CJK}]+|\d+(?:[.,]\d+)?(?![^\W_])|(?:(?![{_CJK}_])[\w@$\u0900-\u0dff'’])+|\S"
)
_GLUED = re.compile(rf"[{_CJK}]")
LONGEST_WORD = 15
"""Letters; what is longer is searched for words inside it."""
_SHORTEST_INSIDE = 4
"""Letters of a word looked for inside another, save in scripts without blanks."""


@dataclass(frozen=True)
class LexiconToken:
    """One word, number or sign of a folded text."""

    text: str
    start: int
    end: int
    kinds: frozenset[tuple[str, str]]
    """(kind, language) pairs."""


@dataclass
class _Entry:
    """What may begin with one word."""

    rest: tuple[str, ...]
    is_stem: bool
    kind: str
    language: str


@dataclass
class _Tables:
    words: dict[str, list[_Entry]] = field(default_factory=dict)
    stems: dict[str, list[_Entry]] = field(default_factory=dict)
    stem_lengths: tuple[int, ...] = ()
    heads: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """First two letters (one, of words of one) -> lengths of words, longest first."""


@cache
def _tables() -> _Tables:
    tables = _Tables()
    with DATA.open("rb") as file:
        languages = tomllib.load(file)
    for language, kinds in languages.items():
        for kind, terms in kinds.items():
            for term in terms:
                _add_term(tables, term, kind, language)
    tables.stem_lengths = tuple(sorted({len(stem) for stem in tables.stems}))
    lengths: dict[str, set[int]] = {}
    for word in (*tables.words, *tables.stems):
        lengths.setdefault(word[:2], set()).add(len(word))
    tables.heads = {
        head: tuple(sorted(found, reverse=True)) for head, found in lengths.items()
    }
    return tables


def _add_term(tables: _Tables, term: str, kind: str, language: str) -> None:
    is_stem = term.endswith("*")
    first, *rest = fold(term.rstrip("*")).text.split()
    entry = _Entry(tuple(rest), is_stem, kind, language)
    # A stem's star is at the end of the last word, so that a phrase begins exactly.
    table = tables.stems if is_stem and not rest else tables.words
    table.setdefault(first, []).append(entry)


def tokenise(text: str) -> list[LexiconToken]:
    """The tokens of a folded text, in order, each with its kinds."""
    pieces = list(_token_spans(text))
    known = [_look_up(text[start:end]) for start, end in pieces]
    found = [kinds for kinds, _ in known]
    for place, (_, phrases) in enumerate(known):
        for entry in phrases:
            last = _phrase_end(entry, text, pieces, place)
            if last is not None:
                for covered in range(place, last + 1):
                    found[covered] |= {(entry.kind, entry.language)}
    return [
        LexiconToken(text[start:end], start, end, kinds)
        for (start, end), kinds in zip(pieces, found, strict=True)
    ]


@lru_cache(maxsize=8192)
def _look_up(word: str) -> tuple[frozenset[tuple[str, str]], tuple[_Entry, ...]]:
    """Kinds of a word, and the phrases that may begin with it."""
    entries = [entry for form in look_alikes(word) for entry in _entries(form)]
    return (
        frozenset((one.kind, one.language) for one in entries if not one.rest),
        tuple(one for one in entries if one.rest),
    )


def _entries(word: str) -> Iterator[_Entry]:
    tables = _tables()
    yield from tables.words.get(word, ())
    for length in tables.stem_lengths:
        if length > len(word):
            break
        yield from tables.stems.get(word[:length], ())


def _phrase_end(
    entry: _Entry, text: str, pieces: list[tuple[int, int]], place: int
) -> int | None:
    """The place of the last word of a phrase that begins at `place`."""
    last = place + len(entry.rest)
    if last >= len(pieces):
        return None
    for offset, wanted in enumerate(entry.rest, 1):
        start, end = pieces[place + offset]
        word = text[start:end]
        is_last = offset == len(entry.rest)
        if word != wanted and not (
            entry.is_stem and is_last and word.startswith(wanted)
        ):
            return None
    return last


def _token_spans(text: str) -> Iterator[tuple[int, int]]:
    """Spans of tokens; runs of letters without blanks are cut at the words in them."""
    for found in _TOKEN.finditer(text):
        word = found[0]
        if _GLUED.match(word):
            yield from _words_inside(word, found.start(), 1)
        elif len(word) > LONGEST_WORD and not any(_entries(word)):
            yield from _words_inside(word, found.start(), _SHORTEST_INSIDE)
        else:
            yield found.span()


def _words_inside(run: str, start: int, shortest: int) -> Iterator[tuple[int, int]]:
    """The longest known word at each place of a run; other letters are passed over."""
    tables = _tables()
    position = 0
    while position < len(run):
        lengths = (
            *tables.heads.get(run[position : position + 2], ()),
            *tables.heads.get(run[position], ()),
        )
        for length in lengths:
            word = run[position : position + length]
            if length >= shortest and (word in tables.words or word in tables.stems):
                yield start + position, start + position + length
                position += length
                break
        else:
            position += 1
