"""Lines of dashes: under a heading, or between two parts of a text.

A rule between two parts ("---" behind a blank line, as chatbots like it) belongs to the
sentence before it (sentences.py), and does not make a heading of it.
"""

from __future__ import annotations

import re

_RULE = r"[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,}[ \t]*)"
RULE = re.compile(rf"(?:\r?\n{_RULE}(?=\r?\n|$)|^{_RULE}(?=\r?\n))")
"""A rule on a line of its own, with the line break before it."""
_UNDERLINED = re.compile(
    r"[ \t]*(?P<title>\S[^\n]*)\r?\n[ \t]{0,3}(?P<line>=+|-{2,})\s*"
)
_ITEM = re.compile(r"\s*(?:[-*+>|]|\d{1,3}[.)])\s")
_ENDED = re.compile(r"[.!][\"”’)\]*_`]*\s*$")


def is_underlined(sentence: str) -> bool:
    """Whether a line is a heading by the dashes or equal signs right under it. A
    sentence with its full stop, and an item of a list, are none: there the line is a
    rule between two parts.

    >>> is_underlined("Fees\\n----"), is_underlined("The fee is 4 marks.\\n\\n---")
    (True, False)
    """
    match = _UNDERLINED.fullmatch(sentence)
    if match is None or _ITEM.match(sentence):
        return False
    is_sure = "=" in match["line"]
    return is_sure or _ENDED.search(match["title"]) is None


def without_rule(sentence: str) -> str:
    """The sentence without the rules before and behind it; what is underlined, and
    code, whose lines may look like one, as it is.

    >>> without_rule("The fee is 4 marks.\\n\\n---")
    'The fee is 4 marks.'
    """
    is_code = sentence.lstrip().startswith(("```", "~~~"))
    if "\n" not in sentence or is_code or is_underlined(sentence):
        return sentence
    return RULE.sub("", sentence).rstrip()
