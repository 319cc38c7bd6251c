"""Shown text: nothing a terminal obeys, and nothing lost."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.text.sanitising import escape_json, sanitise


@given(
    st.text(alphabet=st.characters()) | st.text(alphabet="\x1b[]\x9b\x07\r\n\t\x00;2J")
)
def test_no_control_character_but_newline_and_tab(text: str) -> None:
    shown = sanitise(text)
    assert len(shown) == len(text)
    for char in shown:
        assert char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cs", "Zl"}
    assert sanitise(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb", "a␛[2Jb"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x1bP+q\x1b\\", "␛P+q␛\\"),
        ("\x9b31m", "␛31m"),
        ("pay\u202egro.", "pay⇄gro."),
        ("re\u200bset", "re·set"),
        ("one\r\ntwo\tthr\ree", "one \ntwo\tthr␍ee"),
        ("half \ud83e", "half \ufffd"),
        ("[PMID:1, S:2] [red]x[/]", "[PMID:1, S:2] [red]x[/]"),
        ("Ärzte, 漢字, 👩\u200d🔬", "Ärzte, 漢字, 👩\u200d🔬"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert sanitise(text) == shown


@given(st.dictionaries(st.text(), st.text(alphabet=st.characters(codec=None))))
def test_json_says_the_same_without_what_a_terminal_obeys(
    value: dict[str, str],
) -> None:
    text = escape_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value
    assert sanitise(text) == text
    text.encode()


def test_what_lies_beyond_two_bytes_is_a_pair() -> None:
    assert escape_json('"\U000e0041\x7f\x9b\u202e\ud800é"') == (
        r'"\udb40\udc41\u007f\u009b\u202e\ud800é"'
    )
