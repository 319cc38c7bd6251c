"""Which language texts are in, and which of our parts can read it.

Rules, weights and the default embedding model were made for English. What they say of
another language is no better than a guess that looks sure, so who asks them finds out
first. Most texts are English and say so by their small words: the model that tells
languages apart (py3langid) is only asked where they do not.

A sentence about a program quotes it, and a key or a command of 60 letters says more to
a model that tells languages by their letters than the five words around it. So
languages are told by the words of prose alone.

py3langid unpacks 68 MB each time, 0.3 s, and holds them; of a text it looks at a few
thousand numbers. So they are unpacked once into the cache and mapped from there: what
nobody looks at is in no memory, and several processes share what they read.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import threading
import unicodedata
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from claimscope.core.caches import cache_folder
from claimscope.core.models import digest

ENGLISH = frozenset(
    """the of and is are was were to with for that this from which by it has have been
    its at not be their or as into than after before they when where under how what"""
    # "in", "on", "an", "die", "so" are words of other languages as well
    .split()
)
LEAST = 2
"""Such words, different ones, that make a text English."""
SHARE = 0.2
"""Part of all words that they must be: a German text may quote an English title."""
LEAST_TOLD = 5
"""Words without a capital that an unaccented text needs to be told by."""
KNOWS_ENGLISH_ONLY = re.compile(r"(?i)\b(?:all-minilm|all-mpnet|all-distilroberta)\b")
_WORD = re.compile(r"[^\W\d_]+")
ASKED = 600
"""Characters of prose that a language is told by."""
READ = 6000
"""Characters that prose is looked for in."""
LEAST_LETTERS = 20
"""Shorter texts are taken for English: too short to tell a language by."""
NO_LANGUAGE = "zxx"
"""The model's word for letters that are no language: no reason not to judge them."""
LIKELIER = 10.0
"""A text is in another language when that is so many times as likely as English.

Of 1,203 English sentences cut to 20 letters 0.5 % are then taken for another language
(6.7 % when the likeliest language is believed), of 191 in 30 other languages 4.2 % for
English; from 30 letters on 0.1 % and none
(benchmarks/quality/language_detection.py)."""
LEAST_CHANCE = 0.2
"""Of the likeliest language. The words of a table look a little like many (.16 at most
of those tried), a sentence like one (.23 at least)."""
_one_at_a_time = threading.Lock()
_HALF = re.compile("[\ud800-\udfff]")
ARRAYS = ("ptc", "pc", "classes", "next", "row", "output")
FORMAT = 1
"""Raised when what is unpacked changes; folders of older formats are ignored."""
LEAST_PROSE = 20
"""Letters of prose that a text needs; else what stands in its code counts as well."""
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.S | re.M)
_INLINE = re.compile(r"`[^`\n]*`")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>")
_PLAIN = re.compile(
    r"""["'“‘(\[*_]{0,4}(?:[A-Z][A-Za-z]*|[a-z]+)(?:['’-](?:[A-Z][A-Za-z]*|[a-z]+))*"""
    r"""["'”’)\]*_.,;:!?…]{0,6}"""
)
"""A word with the signs around it: no digit, no `_`, `/` or `=`, no `camelCase`."""
_CODE = re.compile(r"[\d_(){}\[\]=<>;\\/$@#|+*]")
_LETTERS = re.compile(r"[^\W\d_]+")


def language_of(*texts: str) -> str:
    """Two-letter code of the language of texts taken together; `en` unless another is
    clearly likelier. Together, because a short claim alone does not show it."""
    text = spoken(" ".join(texts)[:READ])[:ASKED]
    words = [word.lower() for word in _WORD.findall(text)]
    found = [word for word in words if word in ENGLISH]
    if len(set(found)) >= LEAST and len(found) >= SHARE * len(words):
        return "en"
    # Names are spelt alike everywhere: a list of them is in no language.
    told = sum(not word[:1].isupper() for word in _WORD.findall(text))
    return language(text) if told >= LEAST_TOLD or not text.isascii() else "en"


def name_of(code: str) -> str:
    """A language's name in English (Unicode CLDR); where it is not known, its code."""
    from babel import Locale

    return str(Locale("en").languages.get(code, code))


def reads_english_only(model_id: str) -> bool:
    """Was an embedding model of this name trained on English alone? Of a folder of
    the user's own it is taken that they chose it for their texts."""
    return KNOWS_ENGLISH_ONLY.search(model_id) is not None


# --- by the model ---


@lru_cache(maxsize=4096)
def language(text: str) -> str:
    """Two-letter code of the language of its prose, by a model inside the package
    py3langid; `en` unless another one is clearly likelier."""
    composed = spoken(unicodedata.normalize("NFC", _HALF.sub("�", text)))
    if sum(character.isalpha() for character in composed) < LEAST_LETTERS:
        return "en"
    ranked = {str(code): float(chance) for code, chance in _identifier().rank(composed)}
    ranked.pop(NO_LANGUAGE, None)
    best = max(ranked, key=lambda code: ranked[code])
    is_told = ranked[best] >= LEAST_CHANCE
    return best if is_told and ranked[best] > LIKELIER * ranked["en"] else "en"


def _identifier() -> Any:
    # A cache alone would let each of several threads load a model of its own.
    with _one_at_a_time:
        return loaded_identifier()


@lru_cache(maxsize=1)
def loaded_identifier() -> Any:
    """The model of languages, loaded once."""
    return identifier()


# --- the model, unpacked once ---


def identifier() -> Any:
    """py3langid's LanguageIdentifier with chances, from the cache where that can be."""
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

    folder = cache_folder() / f"languages-{_cache_name(Path(MODEL_DIR) / MODEL_FILE)}"
    with suppress(OSError, ValueError, EOFError):  # not there, or damaged
        return _load_mapped(folder)
    found = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    with suppress(OSError):  # a full disk, a folder of somebody else
        _unpack(found, folder)
        return _load_mapped(folder)
    return found


def _cache_name(packed: Path) -> str:
    """Another one for another file."""
    try:
        now = packed.stat()
    except OSError:
        return "none"
    return digest(str(FORMAT), str(now.st_size), str(now.st_mtime_ns))[:16]


def _load_mapped(folder: Path) -> Any:
    """Raises OSError, ValueError where the folder does not hold what it should."""
    import numpy as np
    from py3langid.langid import LanguageIdentifier

    ptc, pc, classes, following, row, output = (
        np.load(folder / f"{name}.npy", mmap_mode="r") for name in ARRAYS
    )
    if (
        ptc.shape[1:] != pc.shape
        or pc.shape != classes.shape
        or row.size != output.size
    ):
        raise ValueError(f"{folder}: these arrays do not belong together")
    return LanguageIdentifier(
        ptc,
        np.array(pc),
        classes.tolist(),
        memoryview(following),  # gives numbers of Python, as the library's own does
        output.tolist(),
        norm_probs=True,
        tk_row=row.tolist(),
    )


def _unpack(found: Any, folder: Path) -> None:
    """Whole or not at all; of two processes one wins. Raises OSError."""
    import numpy as np

    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=folder.name, suffix=".part", dir=folder.parent))
    try:
        arrays = (
            found.nb_ptc,
            found.nb_pc,
            np.array(found.nb_classes),
            np.asarray(found.tk_nextmove),
            np.asarray(found.tk_row),
            np.asarray(found.tk_output, dtype=np.int32),
        )
        for name, array in zip(ARRAYS, arrays, strict=True):
            np.save(part / f"{name}.npy", array, allow_pickle=False)
        shutil.rmtree(folder, ignore_errors=True)  # a damaged one
        with suppress(OSError):  # another process was first
            os.rename(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


# --- the prose of a text ---


def spoken(text: str) -> str:
    """The words of a text in their order. Where its code holds nearly all of it, those
    that stand in the code too: an answer may be set as code as a whole. Words of
    capitals are names and commands (`SELECT`), and count where there is little else."""
    prose = _prose_words(_INLINE.sub(" ", _FENCED.sub(" ", text)))
    for words in ([w for w in prose if not _is_shouted(w)], prose):
        if sum(map(len, words)) >= LEAST_PROSE:
            return " ".join(words)
    return " ".join(_prose_words(text.replace("`", " ")))


def _is_shouted(word: str) -> bool:
    return word.isascii() and word.isupper() and sum(map(str.isalpha, word)) > 1


def _prose_words(text: str) -> list[str]:
    found: list[str] = []
    for token in _TAG.sub(" ", text).split():
        if token.isascii():
            if _PLAIN.fullmatch(token):
                found.append(token)
        elif not _CODE.search(token):
            found.append(token)
        else:
            # Scripts without spaces: what is beside the code in one run of signs.
            found.extend(run for run in _LETTERS.findall(token) if not run.isascii())
    return found
