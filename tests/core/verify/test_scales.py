"""What sentences compare: scale, direction, sides."""

from __future__ import annotations

import pytest

from claimscope.core.verify.scales import Comparison, base_of, comparisons, scale_of


def read(text: str) -> Comparison:
    """The one comparison of a sentence."""
    (found,) = comparisons(text)
    return found


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("heavier", "heavy"),
        ("biggest", "big"),
        ("larger", "large"),
        ("fewest", "few"),
        ("quickly", "quick"),
        ("farthest", "far"),
        ("water", None),
        ("best", None),
    ],
)
def test_the_positive_form_of_a_comparative(word: str, base: str | None) -> None:
    assert base_of(word) == base


@pytest.mark.parametrize(
    ("text", "scale", "sign", "left", "right"),
    [
        ("The Aldo is lighter than the Bree", "weight", -1, "aldo", "bre"),
        ("The Bree is heavier than the Aldo", "weight", 1, "bre", "aldo"),
        ("The Bree is less expensive than the Aldo", "price", -1, "bre", "aldo"),
        ("Ambry has more platforms than Westgate", "number", 1, "ambry", "westgat"),
        ("The Aldo costs more than the Bree", "price", 1, "aldo", "bre"),
        (
            "Files are larger with fastpack than with slimpack",
            "size",
            1,
            "fastpack",
            "slimpack",
        ),
        (
            "Falkzip starts more quickly than Wrenpack",
            "slowness",
            -1,
            "falkzip",
            "wrenpack",
        ),
    ],
)
def test_which_side_has_more(
    text: str, scale: str, sign: int, left: str, right: str
) -> None:
    found = read(text)
    assert (found.scale, found.sign, found.rank) == (scale, sign, 0)
    assert left in found.left
    assert right in found.right
    assert left not in found.right


@pytest.mark.parametrize(
    ("text", "scale", "sign", "rank", "left"),
    [
        ("The Aune clock is the oldest of the four clocks", "age", 1, 1, "aun"),
        ("The cheapest plan is Basic", "price", -1, 1, "basic"),
        ("Ana Dubrow scored the most goals", "number", 1, 1, "dubrow"),
        ("No summit is taller than the Kerne", "height", 1, 1, "kern"),
        ("Avar is the second-smallest plant", "size", -1, 2, "avar"),
        ("Tide Mill was the last to open", "lateness", 1, 1, "tid"),
    ],
)
def test_what_has_most_of_all(
    text: str, scale: str, sign: int, rank: int, left: str
) -> None:
    found = read(text)
    assert (found.scale, found.sign, found.rank) == (scale, sign, rank)
    assert left in found.left
    assert not found.right


@pytest.mark.parametrize(
    "text",
    [
        "If the index is older than the data, a warning is printed",
        "The task deletes the oldest backup",
        "The hall seats more than 200 people",
        "At least 30 otters live here",
        "The lower lake freezes in most winters",
        "The Aldo is not heavier than the Bree",
        "The Aldo is more comfortable than the Bree",
        "It was the last to open",
    ],
)
def test_what_compares_nothing_that_can_be_held_against_a_page(text: str) -> None:
    assert comparisons(text) == ()


def test_a_second_comparison_is_of_the_same_two() -> None:
    first, second = comparisons(
        "The zed codec is faster than plain, but its files are larger"
    )
    assert (first.scale, first.sign) == ("slowness", -1)
    assert (second.scale, second.sign) == ("size", 1)
    assert (second.left, second.right) == (first.left, first.right)


def test_the_lowest_price_is_on_the_scale_of_prices() -> None:
    assert scale_of(read("Basic has the lowest price")).name == "price"
    assert scale_of(read("Quay recorded the lowest turnout")).name == "level"
