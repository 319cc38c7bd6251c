"""Who does it to whom: two things of a claim in each other's part of a verb."""

from __future__ import annotations

import pytest

from claimscope.core.verify.rules.parsed_roles import acts, exchanged_arguments
from claimscope.core.verify.word_forms import stem


@pytest.mark.parametrize(
    ("sentence", "true", "false"),
    [
        (
            "In 1931 Ormsby bought the old Tarn Mills from the town of Sedge.",
            "The old Tarn Mills were bought by Ormsby in 1931.",
            "In 1931 the town of Sedge bought the old Tarn Mills from Ormsby.",
        ),
        (
            "The curator shall inform the lender of any damage.",
            "The lender is to be informed of any damage by the curator.",
            "The lender has to inform the curator of any damage.",
        ),
        (
            "The outgoing keeper, Mrs Vale, trains her successor, Mr Holm.",
            "Mr Holm is trained by Mrs Vale.",
            "Mrs Vale is trained by Mr Holm.",
        ),
        (
            "The skipper pays the harbour a fee for each night.",
            "For each night the skipper pays the harbour a fee.",
            "The harbour pays the skipper a fee for each night.",
        ),
    ],
)
def test_roles_are_told_in_any_order_of_words(
    sentence: str, true: str, false: str
) -> None:
    assert exchanged_arguments(true, sentence) is None
    assert exchanged_arguments(false, sentence) is not None


def test_what_holds_both_ways_is_no_exchange() -> None:
    sentence = "The town pays the mill, and the mill pays the town a rent."
    assert exchanged_arguments("The mill pays the town.", sentence) is None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The keeper rings the bell.", "The bell hangs over the keeper."),
        ("The keeper rings the bell.", "The warden rings the bell."),
        ("The keeper rings.", "The keeper rings the bell."),
        ("", "The keeper rings the bell."),
    ],
)
def test_another_verb_or_one_thing_alone_tells_nothing(
    claim: str, sentence: str
) -> None:
    assert exchanged_arguments(claim, sentence) is None


def test_the_subject_of_a_verb_that_depends_is_the_other_verbs() -> None:
    (act,) = [one for one in acts("The lender has to inform the town.") if one.roles]
    assert act.roles["agent"] == frozenset((stem("lender"),))
