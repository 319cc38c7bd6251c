"""Names of code in prose are names, whatever words they are made of."""

from __future__ import annotations

import pytest

from claimscope.core.text.code_names import (
    begins_with_code,
    code_spans,
    marked_in,
    naming,
)
from claimscope.core.text.linguistics import parse
from claimscope.core.verify.decomposition import decompose


def claims(answer: str) -> list[str]:
    return [claim.text for claim in decompose(answer).claims]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Pass --keep-daily or -k to it.", ["--keep-daily", "-k"]),
        ("Set --wrapper='grind --tool=x' first.", ["--wrapper='grind", "--tool=x'"]),
        ("Call store.open() or max_rows.", ["store.open()", "max_rows"]),
        ("It reads tool.ferry.paths and $HOME.", ["tool.ferry.paths", "$HOME"]),
        ("Logs go to /var/log/ferry.", ["/var/log/ferry"]),
        ("A well-known and/or e.g. this - that.", []),
    ],
)
def test_what_looks_like_code(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in code_spans(text)] == names


def test_names_are_known_by_their_marks_where_these_are_gone() -> None:
    text = "Both fetch and fetch --all need a key."
    with naming("Both `fetch` and `fetch --all` need a key."):
        known = marked_in(text)
        doc = parse(text)
        assert begins_with_code("fetch needs a key.")
    assert [text[a:b] for a, b in code_spans(text, known)] == ["fetch", "fetch --all"]
    assert marked_in(text) == ()
    if doc is not None:
        words = {token.text: token.pos_ for token in doc}
        assert words["fetch"] == words["fetch --all"] == "PROPN"
        assert [token.idx for token in doc][:3] == [0, 5, 11]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "Both `forget` and `sweep` need full access.",
            ["Both forget and sweep need full access."],
        ),
        (
            "`-e md` keeps one ending and can be joined with a pattern.",
            ["-e md keeps one ending", "-e md can be joined with a pattern."],
        ),
        (
            "`dry_run` is off by default. It prints the plan.",
            ["dry_run is off by default.", "dry_run prints the plan."],
        ),
        (
            "It removes all `.DS_Store` files. `{}` stands for `__all__` of them.",
            ["It removes all .DS_Store files.", "{} stands for __all__ of them."],
        ),
        (
            "Run `ferry -g 'test_*.py'`. `--threads=1` is slower.",
            ["Run ferry -g 'test_*.py'.", "--threads=1 is slower."],
        ),
    ],
)
def test_claims_keep_names_of_code_whole(answer: str, expected: list[str]) -> None:
    assert claims(answer) == expected
