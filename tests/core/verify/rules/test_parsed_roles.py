"""Who does it to whom: two things of a claim in each other's part of a verb."""

from __future__ import annotations

import pytest

from claimscope.core.models import Evidence
from claimscope.core.verify.rules.comparison import Laid
from claimscope.core.verify.rules.parsed_roles import (
    acts,
    exchanged_arguments,
    role_findings,
)
from claimscope.core.verify.token_alignment import AlignedText, AlignedWindow
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
        (
            "The town sold the old mill to the Ormsby family in 1931.",
            "In 1931 the Ormsby family bought the old mill from the town.",
            "In 1931 the town bought the old mill from the Ormsby family.",
        ),
        (
            "The keeper has acquired a share in the boat from the warden.",
            "The warden sold the keeper a share in the boat.",
            "The keeper sold a share in the boat to the warden.",
        ),
        (
            "Each pump is started by the control unit.",
            "It is the control unit that starts the pumps.",
            "It is the pumps that start the control unit.",
        ),
        (
            "The warden lends the guests a lamp for the night.",
            "The guests borrow a lamp from the warden.",
            "The warden borrows a lamp from the guests.",
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


def sentence_of(text: str, index: int) -> Evidence:
    return Evidence(page_id="p", index=index, text=text, start=0, end=len(text))


def test_an_act_among_others_is_no_exchange() -> None:
    said = ("Kara passed Lise on the hill.", "Lise passed Kara on the flat.")
    laid = [
        Laid(AlignedWindow(sentence_of(text, place)), 1.0)
        for place, text in enumerate(said)
    ]
    claim = AlignedText("Lise passed Kara.")
    (one_way,) = role_findings(claim, laid[:1])
    assert (one_way.shown.outcome, one_way.shown.veto) == ("missing", True)
    hill = AlignedText("Lise passed Kara on the hill.")
    (anchored,) = role_findings(hill, laid[:1])
    assert anchored.shown.outcome == "conflict"
    assert list(role_findings(claim, laid)) == []


def test_a_verb_that_means_little_tells_nothing() -> None:
    page = "The bus takes pupils who live far off."
    assert exchanged_arguments("Pupils take the bus.", page) is None


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
    assert act.roles["agent"].names == {stem("lender")}
