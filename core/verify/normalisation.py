"""One form for what is written in many ways, the same for claim and statement.

Entities, ligatures, full-width and superscript signs, struck-out text, Markdown and
LaTeX marks, ticks, number words and thousands separators all change how a text looks
and not what it says. What no reader of the page sees is left out.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from math import log10
from unicodedata import normalize

from claimscope.core.text.quantities.notations import plainly
from claimscope.core.text.quantities.number_words import (
    SCALE_WORDS,
    SCALES,
    SHORT_SCALES,
    in_words,
    of_scales,
)
from claimscope.core.text.readable import BLOCK_TAGS

_UNSEEN = re.compile(
    r"<!--.*?-->|<(template|script|style|del|s|strike)\b[^<>]*>.*?</\1\s*>"
    r"|<(\w+)\b[^<>]*\shidden\b[^<>]*>.*?</\2\s*>",
    re.S | re.I,
)
_STRUCK = re.compile(r"~~(?=\S)[^~\n]{1,300}?~~")
_LINE_END = re.compile(r"(?<=[^\s.,;:!?|>])\s*<br\s*/?>\s*(?=[^\s|<])", re.I)
"""Between what stands line by line in a cell."""
_BLOCK_TAG = re.compile(rf"</?{BLOCK_TAGS}[^<>\n]{{0,200}}>", re.I)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_LINK = re.compile(
    r"!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}(?:\s\"[^\"\n]*\")?\)"
    r"|(?<![\w\])])!?\[(?=[^\[\]\n]*[^\W\d_]{2})([^\[\]\n]{1,300})\]\[[^\[\]\n]{0,100}\]"
)
"""A link or picture with its address, or with the name of one: [text][name]."""
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,40}\]")
_MATH = re.compile(r"\$([^$\n]{0,60}(?:\\|\{|\^)[^$\n]{0,60})\$|\\\(([^\n]{0,80}?)\\\)")
_LATEX = (
    (re.compile(r"\{,\}|\\[,;!]"), ""),
    (re.compile(r"\\(?:text|mathrm|mathbf|operatorname|boxed)\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}"), r"\1/\2"),
    (re.compile(r"\\(?:times|cdot)\b\s*"), " x "),
    (re.compile(r"\\(?:geq?)\b\s*"), "≥ "),
    (re.compile(r"\\(?:leq?)\b\s*"), "≤ "),
    (re.compile(r"\\pm\b\s*"), "± "),
    (re.compile(r"\\approx\b\s*"), "about "),
    (re.compile(r"\^\{?\\circ\}?"), "°"),
    (re.compile(r"\\([%$&#_])"), r"\1"),
    (re.compile(r"[{}]"), ""),
)
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_POWER = re.compile(rf"(?<=\b10)⁻?[{_SUPERSCRIPTS}]+")
_NOTE_MARK = re.compile(
    rf"(?:(?<=[^\W\d_]{{3}})|(?<=[.,;:!?)]))[{_SUPERSCRIPTS}]+(?!\w)"
)
_VULGAR = {"½": ".5", "¼": ".25", "¾": ".75"}
_MIXED = re.compile(r"(?<=\d)\s?([½¼¾])")
_INVISIBLE = re.compile(
    r"[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufe0e\ufe0f\ufeff]"
)
_SAME = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "–": "-", "—": "-", "‒": "-", "‐": "-", "‑": "-", "−": "-", "⁄": "/", "×": "x",
    }
)  # fmt: skip
_TICKS = re.compile(r"[✓✔✅☑🗸]")
_CROSSES = re.compile(r"[✗✘❌☒✖]")
_PICTURES = re.compile(
    "[\U0001f000-\U0001faff\u2b00-\u2bff\u2600-\u260f\u2613-\u26ff]\ufe0f?"
)
"""Emoji: they decorate, and say nothing."""
_DONE = re.compile(r"(?m)^(\s*(?:[-*+]\s+|\d+[.)]\s+)?)\[([ xX])\]\s+")
_EMPHASIS = re.compile(r"\*{1,3}|`+")
_UNDERLINED = re.compile(r"(?<![\w`])(_{1,2})(?=[^\s_])([^_\n]*?[^\s_])\1(?![\w`])")
_ESCAPE = re.compile(r"\\(?=[\\`*_{}\[\]()#+.!|>~:-])")
_THOUSANDS = re.compile(
    r"(?<![\w.,])(?:(?!0[,'’])\d{1,3}(?:[,' ’]\d{3})+(?![\d,]|\.\d{3}\b)"
    r"|\d{1,3}(?:_\d{3})+(?![\w.]))"
)
_RATE = (
    r"(?!\s?(?:a|per|/)\s?(?:l|lit(?:re|er)|kwh|[kmgt]b|minute|call|request|unit)\b)"
)
_GERMAN = re.compile(
    r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?:,\d{1,2})?"
    rf"(?=\s?(?:€|EUR\b|euros?\b){_RATE})"
    rf"|(?<=€)\s?[1-9]\d{{0,2}}(?:\.\d{{3}})+(?:,\d{{1,2}})?(?![\d.,]){_RATE}"
    r"|(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+,\d{1,2}(?!\d)"
    r"|(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3}){2,}(?![\d.,])",
    re.I,
)
"""Thousands with dots: never of a figure that begins with 0 (€0.020 per GB), nor of a
price by the litre, which has three decimals (€1.589 a litre)."""
_DECIMAL_COMMA = re.compile(
    r"(?<![\d.,])(?:\d+,\d{1,2}|0,\d{3,4})"
    r"(?=\s?(?:€|EUR\b|euros?\b|%|kg\b|km\b|m\b|l\b))"
)
_WHOLE = re.compile(r"(?<![\w.])(\d+)\.0+(?![\w.]*\d)")
"""7.0 is 7; a version 2.0.1 is left alone."""
_SCALED = re.compile(
    r"(?<![\w.,])(?P<cur>[$€£¥])?(?P<figure>\d+(?:\.\d+)?)"
    rf"(?:\s?(?P<scale>{SCALE_WORDS}|mn|bn|tn)"
    r"|(?P<short>k|(?-i:[MB])|(?(cur)[mb]|(?!))))\b(?!\w)",
    re.I,
)
_SCALE = {word: round(log10(many)) for word, many in (SCALES | SHORT_SCALES).items()}
_AGES = re.compile(r"\b(under|over)-(\d{1,2})s\b", re.I)
"""Over-65s: the s is no second."""
_ARTICLE = re.compile(rf"\ban?\s(?=(?:dozen|{SCALE_WORDS})\b)", re.I)
"""A dozen eggs: 12 eggs."""
_BLANKS = re.compile(r"[^\S\n]+")


@lru_cache(maxsize=8192)
def canonical(text: str) -> str:
    """The text in its one form, lines kept."""
    text = _TICKS.sub(" yes ", _CROSSES.sub(" no ", _strip_unseen(text))).translate(
        _SAME
    )
    text = _PICTURES.sub("", text)
    text = _FOOTNOTE.sub("", _LINK.sub(r"\1\2", text)) if "[" in text else text
    text = _ESCAPE.sub("", text) if "\\" in text else text
    text = _DONE.sub(lambda found: f"{found[1]}{_TASK[found[2].lower()]}", text)
    text = _UNDERLINED.sub(r"\2", text) if "_" in text else text
    text = _EMPHASIS.sub("", text)
    return _BLANKS.sub(" ", _normalise_numbers(text)).strip()


@lru_cache(maxsize=8192)
def legible(text: str) -> str:
    """The text as a reader of the page sees it: entities, odd letters and LaTeX as
    plain signs, what is struck out or hidden left out. Words and figures stay as they
    are written; a text without such signs is returned as it is."""
    return without_dots(_strip_unseen(text) if _ODD.search(text) else text)


def has_dots(text: str) -> bool:
    """Whether a text groups thousands by dots: it has a figure of two groups or more
    (3.400.000), or one with a decimal comma."""
    return _DOTTED.search(text) is not None


def without_dots(text: str) -> str:
    """Its thousands without the dots, where its own figures show that dots group them;
    12.500 by itself may be twelve and a half."""
    return strip_digit_groups(text) if has_dots(text) else text


def strip_digit_groups(text: str) -> str:
    """Every dot between groups of three digits taken out."""
    return _DOT_GROUPS.sub(lambda found: found.group().replace(".", ""), text)


_DOTTED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:(?:\.\d{3}){2,}(?![\d.])|\.\d{3},\d)")
_DOT_GROUPS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?![\d]|\.\d)")
_ODD = re.compile(
    r"&(?:#\d|#x|[a-zA-Z]{2,8};)|~~|<!--|<(?:template|del|s|strike)\b|\bhidden\b"
    r"|\$[^$\n]{0,60}[\\{^]|[\u00ad\u200b-\u200f\u2060\ufb00-\ufb06\uff01-\uff5e]"
    rf"|[⁻{_SUPERSCRIPTS}₀₁₂₃₄₅₆₇₈₉]"
)


def _strip_unseen(text: str) -> str:
    text = html.unescape(text) if "&" in text else text
    if "<" in text:
        text = _LINE_END.sub(", ", _UNSEEN.sub("", text))
        text = _TAG.sub("", _BLOCK_TAG.sub(" ", text))
    text = _STRUCK.sub("", text) if "~~" in text else text
    if "\\" in text or "$" in text:
        text = _MATH.sub(lambda found: _formula(found[1] or found[2] or ""), text)
    text = _POWER.sub(lambda found: "^" + normalize("NFKC", found.group()), text)
    text = _NOTE_MARK.sub("", text)
    text = _MIXED.sub(lambda found: _VULGAR[found[1]], text)
    return normalize("NFKC", _INVISIBLE.sub("", text))


_TASK = {"x": "done: ", " ": "not done: "}


def _formula(text: str) -> str:
    for pattern, instead in _LATEX:
        text = pattern.sub(instead, text)
    return text


_GROUP = re.compile(r"\s\d{3}(?!\d)")
"""What a figure before it would take for its own last digits."""


def _normalise_numbers(text: str) -> str:
    """Figures without separators, number words as figures."""
    if any(char.isdigit() for char in text):
        text = without_dots(text)
        text = _GERMAN.sub(
            lambda found: found.group().replace(".", "").replace(",", "."), text
        )
        text = _DECIMAL_COMMA.sub(lambda found: found.group().replace(",", "."), text)
        text = _THOUSANDS.sub(lambda found: re.sub(r"\D", "", found.group()), text)
        text = _WHOLE.sub(r"\1", text)
    text = _AGES.sub(r"those \1 \2", _SCALED.sub(_expand_scale, plainly(text)))
    pieces: list[str] = []
    last = 0
    found = sorted(
        (*of_scales(text), *in_words(text)), key=lambda one: (one[0], -one[1])
    )
    for start, end, value in found:
        if start < last or text[start:end].lower() in ("one", "zero"):
            continue
        if text[end - 1].isalpha() and _GROUP.match(text, end):
            continue  # "four 100 ml tubes" are not 4100 ml
        article = _ARTICLE.match(text, max(last, start - 2))
        pieces += [text[last : start - 2 if article else start], number_text(value)]
        last = end
    return "".join((*pieces, text[last:]))


def _expand_scale(found: re.Match[str]) -> str:
    from decimal import Decimal

    scale = found["scale"] or found["short"]
    value = Decimal(found["figure"]).scaleb(_SCALE[scale.lower()])
    return (found["cur"] or "") + format(value.normalize(), "f")


def number_text(value: float) -> str:
    """A value as figures: 12, 0.25."""
    return str(int(value)) if value == int(value) else f"{value:.4f}".rstrip("0")
