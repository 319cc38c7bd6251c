"""The former and the latter."""

from __future__ import annotations

import pytest

from claimscope.core.text.clauses.former_latter import (
    NamePair,
    pair_of,
    resolve_former_latter,
    speaks_of_one,
)

PAIR = NamePair("the Wren", "the Lark")


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("There are the Wren and the Lark.", PAIR),
        ("Anna Holt and Bo Lind are champions.", NamePair("Anna Holt", "Bo Lind")),
        ("The Wren weighs 14 g.", None),
        ("The Wren, the Lark and the Crow sing.", None),
        ("Anna Holt and Bo Lind bought a mill and a barn.", None),
    ],
)
def test_two_things_named_together(text: str, pair: NamePair | None) -> None:
    assert pair_of(text) == pair


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The former weighs 14 g.", "The Wren weighs 14 g."),
        (
            "The former sings and the latter dances.",
            "The Wren sings and the Lark dances.",
        ),
        ("The latter's nest is large.", "The Lark's nest is large."),
        ("The former mayor opened it.", "The former mayor opened it."),
        ("The Wren sings.", "The Wren sings."),
    ],
)
def test_they_are_named(text: str, named: str) -> None:
    assert resolve_former_latter(text, PAIR) == named
    assert speaks_of_one(text) == (named != text)
