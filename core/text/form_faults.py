"""What is wrong with the form of an answer: cut off, broken markup, stray bytes.

METRICS A: a malformed answer is judged as well as can be, and what was wrong with it is
listed in the feedback.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_FENCE = re.compile(r"(?m)^ {0,3}(`{3,}|~{3,})")
_OPEN_LINK = re.compile(r"\[[^\[\]\n]*\]\([^()\s]*$")
_OPEN_MARKER = re.compile(
    r"(?i)\[(?:PMID|PMC|DOI)?\s*:?[\w./-]*(?:\s*,\s*S\s*:?\s*\d*)?$"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_LOST = re.compile(r"[\ufffd\ud800-\udfff]")
_THINKING = re.compile(r"(?i)</?(?:think|thinking|reasoning)>")
_TOKEN = re.compile(r"<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>")
_HANGING = frozenset(
    """a an the and or but of to in on at by for with from as is are was were that which
    because if than into its their this""".split()
)


def find_form_faults(answer: str) -> list[str]:
    """What is wrong with the form of an answer, one line each; empty when nothing is.

    >>> faults("The fee is 40 marks [PMID:1, S:2].")
    []
    >>> faults("The fee is 40 marks and the")
    ['ends in the middle of a sentence: "the"']
    """
    return list(_faults(answer))


def _faults(answer: str) -> Iterator[str]:
    text = answer.strip()
    if not text:
        return
    if match := _LOST.search(answer):
        yield f"characters that were lost in decoding, first at {match.start()}"
    if match := _CONTROL.search(answer):
        code = ord(match.group())
        yield f"control characters, first U+{code:04X} at {match.start()}"
    if match := _THINKING.search(answer):
        yield f"marks of a model's own thinking: {match.group()} at {match.start()}"
    if match := _TOKEN.search(answer):
        yield f"marks of a chat template: {match.group()} at {match.start()}"
    if len(_FENCE.findall(answer)) % 2:
        yield "a code block that is never closed"
    ending = text[-400:]
    if _OPEN_LINK.search(ending):
        yield "ends inside a link"
    elif _OPEN_MARKER.search(ending[-80:]):
        yield "ends inside a citation"
    else:
        last = re.findall(r"[^\W\d_]+$|,$", ending[-40:])
        if last and (last[0] == "," or last[0].lower() in _HANGING):
            yield f'ends in the middle of a sentence: "{last[0]}"'
    if _is_json(text):
        yield "JSON instead of sentences"


def _is_json(text: str) -> bool:
    if text[0] + text[-1] not in ("{}", "[]"):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    # A lone citation, [3], is JSON too.
    return text[0] == "{" or '"' in text
