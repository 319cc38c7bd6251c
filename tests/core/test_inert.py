"""Shown text: nothing a terminal obeys, and nothing lost."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.text.inert import inert


@given(
    st.text(alphabet=st.characters()) | st.text(alphabet="\x1b[]\x9b\x07\r\n\t\x00;2J")
)
def test_no_control_character_but_newline_and_tab(text: str) -> None:
    shown = inert(text)
    assert len(shown) == len(text)
    for char in shown:
        assert char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cs", "Zl"}
    assert inert(shown) == shown


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
    assert inert(text) == shown
