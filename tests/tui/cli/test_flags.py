"""Flags that are written down again for another process."""

from __future__ import annotations

import argparse

from hypothesis import given
from hypothesis import strategies as st

from claimscope.tui.cli.flags import add_model_flags, add_selection_flags, words_of

TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
PATTERNS = st.lists(TEXT, max_size=3)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser()
    add_selection_flags(made)
    add_model_flags(made)
    made.add_argument("--strict", action="store_true")
    return made


@given(PATTERNS, PATTERNS, st.none() | TEXT, st.none() | st.integers(), st.booleans())
def test_the_words_of_arguments_are_parsed_to_the_same(
    include: list[str],
    exclude: list[str],
    model: str | None,
    tokens: int | None,
    strict: bool,
) -> None:
    wanted = parser().parse_args([])
    wanted.include, wanted.exclude, wanted.strict = include, exclude, strict
    wanted.model, wanted.context_tokens, wanted.verifier = model, tokens, "model"
    assert parser().parse_args(words_of(parser(), wanted)) == wanted


def test_what_is_not_given_makes_no_word() -> None:
    assert words_of(parser(), parser().parse_args([])) == []
    given = parser().parse_args(["--include", "*.md", "--include=-x", "--strict"])
    assert words_of(parser(), given) == ["--include=*.md", "--include=-x", "--strict"]
