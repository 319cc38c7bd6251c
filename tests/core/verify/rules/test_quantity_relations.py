"""What one figure says of another: never both that it is so and that it cannot be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.models import Evidence
from claimscope.core.text.quantities.numbers import quantities
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.rules.exchanged_figures import other_figure
from claimscope.core.verify.rules.exchanged_roles import exchanged_words
from claimscope.core.verify.rules.findings import findings
from claimscope.core.verify.rules.modality import quantifiers_by_noun
from claimscope.core.verify.rules.quantity_relations import excludes, says
from claimscope.core.verify.token_alignment import AlignedText

BEFORE = (
    "", "about ", "exactly ", "at least ", "at most ", "more than ", "fewer than ",
    "up to ", "nearly ", "just over ",
)  # fmt: skip


def only(text: str) -> Quantity:
    """The one quantity of a text."""
    (found,) = quantities(text)
    return found


def figures() -> st.SearchStrategy[str]:
    """ "at least 40 boats" and the like."""
    return st.builds(
        lambda before, number: f"There were {before}{number} boats.",
        st.sampled_from(BEFORE),
        st.integers(5, 400),
    )


@given(figures(), figures())
def test_nothing_is_both_said_and_excluded(left: str, right: str) -> None:
    mine, other = only(left), only(right)
    assert not (says(other, mine, is_placed=True) and excludes(other, mine))


@given(figures(), figures())
def test_what_excludes_is_excluded(left: str, right: str) -> None:
    mine, other = only(left), only(right)
    assert excludes(other, mine) == excludes(mine, other)


@given(figures())
def test_every_figure_says_itself(text: str) -> None:
    one = only(text)
    assert says(one, one) or one.is_exact


@pytest.mark.parametrize(
    ("page", "claim", "said", "excluded"),
    [
        ("240 boats came", "more than 200 boats came", True, False),
        ("150 boats came", "more than 200 boats came", False, True),
        ("more than 100 boats came", "more than 200 boats came", False, False),
        ("more than 300 boats came", "more than 200 boats came", True, False),
        ("at least 50 boats", "at most 50 boats", False, True),
        ("about 500 boats", "exactly 500 boats", False, False),
        ("38 boats", "about 40 boats", True, False),
        ("38 boats", "nearly 40 boats", True, False),
        ("42 boats", "nearly 40 boats", False, False),
        ("30 to 45 boats", "60 boats", False, True),
        ("30 to 45 boats", "40 boats", True, False),
        ("it must hold at least 18 boats", "it must hold at least 21 boats", False, 1),
        ("built in 1843", "built in the 19th century", True, False),
        ("built in 1843", "built in the 18th century", False, True),
        ("built in the 1840s", "built in 1843", False, False),
        ("it fell by 20 %", "it fell to 20 %", False, True),
        ("open until 1998", "open since 1998", False, True),
        ("5 percentage points", "5 percent", False, False),
        ("12,5 km", "12.5 km", True, False),
        ("€1.2 million", "€1.2 billion", False, True),
        ("no boats over 3 m", "boats of 3 m", True, False),
    ],
)
def test_bounds_rounding_and_spans(
    page: str, claim: str, said: bool, excluded: bool
) -> None:
    other, mine = only(page), only(claim)
    assert says(other, mine, is_placed=True) is said
    assert excludes(other, mine) is bool(excluded)


def test_a_larger_figure_of_another_thing_keeps_no_bound() -> None:
    assert not says(only("240 chairs"), only("more than 200 boats"))


@pytest.mark.parametrize(
    ("claim", "page", "theirs"),
    [
        ("12 rooms and 30 beds", "30 rooms and 12 beds", "30"),
        ("12 rooms and 30 beds", "30 beds and 12 rooms", None),
        ("12 rooms", "rooms and beds: 30 and 12 respectively", None),
        ("The fee was 40.", "The fee rose to 30 in May and fell to 40 in June.", None),
    ],
)
def test_figures_that_change_places(claim: str, page: str, theirs: str | None) -> None:
    side = AlignedText(claim)
    found = other_figure(side.quantities[0], side, AlignedText(page))
    assert (found.text if found else None) == theirs


@pytest.mark.parametrize(
    ("claim", "page", "is_exchange"),
    [
        ("Edda Vorn taught Karl Lim here.", "Karl Lim taught Edda Vorn here.", True),
        ("Edda Vorn met Karl Lim in Ost.", "Karl Lim met Edda Vorn in Ost.", False),
        ("Oats, rye and wheat grow well.", "Wheat, rye and oats grow well.", False),
        ("It runs from Karn to Ress daily.", "It runs from Ress to Karn daily.", False),
        ("The pilot was the winner then.", "The winner was the pilot then.", False),
        ("The mill is near the old weir.", "The weir is near the old mill.", False),
    ],
)
def test_roles_are_exchanged_only_where_order_tells(
    claim: str, page: str, is_exchange: bool
) -> None:
    assert (
        exchanged_words(AlignedText(claim), AlignedText(page)) is not None
    ) is is_exchange


@given(st.permutations("Ost Venn carved grey stone under high towers".split()))
def test_an_exchange_needs_the_same_words(words: list[str]) -> None:
    claim = AlignedText("Ost Venn carved grey stone under high towers")
    page = AlignedText(" ".join(words) + " once")
    found = exchanged_words(claim, page)
    assert found is None or sorted(found.mine.split()) != []
    assert (
        exchanged_words(claim, AlignedText("Nothing of this stands there at all today"))
        is None
    )


def test_quantifiers_belong_to_what_they_count() -> None:
    found = quantifiers_by_noun(AlignedText("All of the boats and some huts are old."))
    assert found == {"boat": ("all", 3), "hut": ("some", 1)}
    assert quantifiers_by_noun(AlignedText("Not all boats are old.")) == {}
    assert quantifiers_by_noun(AlignedText("No more than four boats are old.")) == {}


@pytest.mark.parametrize(
    "huge",
    [
        f"1{'0' * 400}",
        "9" * 400,
        f"1/{'9' * 400}",
        f"{'9' * 330} out of {'9' * 330}",
        f"the {'9' * 330}th",
        "hundred " * 200,
    ],
)
def test_a_number_too_large_for_a_float_is_none_of_ours(huge: str) -> None:
    for claim, page in ((huge, "9000"), ("9000", huge), (huge, f"{huge} or 9000")):
        evidence = Evidence(
            page_id="p",
            index=0,
            text=f"The tower of Ost is {page} boats high.",
            start=0,
            end=0,
            similarity=0.9,
        )
        found = findings(f"The tower of Ost is {claim} boats high.", [evidence])
        assert not any(one.outcome == "conflict" for one in found)


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        (
            "Adults pay 9 euros, and children 4 euros.",
            "Children pay 9 euros and adults pay 4 euros at the gate.",
        ),
        (
            "Low Weir was dug in 1956, High Weir in 1973.",
            "Of the two ponds, High Weir was dug in 1956 and Low Weir in 1973.",
        ),
    ],
)
def test_figures_that_changed_subjects_are_an_exact_conflict(
    claim: str, page: str
) -> None:
    evidence = Evidence(page_id="p", index=0, text=page, start=0, end=len(page))
    rules = findings(claim, [evidence])
    assert any(x.id == "exchanged-figure" for x in rules), rules
    assert not any(x.id == "exchanged-figure" for x in findings(page, [evidence]))


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        # Another word for one of the two.
        (
            "Pensioners pay 8 euros and adults 11 euros.",
            "A ticket costs 11 euros for adults, and seniors pay 8 euros.",
        ),
        # In order, whoever stands first.
        (
            "The gate shuts at 9 in May and at 7 in June.",
            "In June the gate shuts at 7, in May at 9.",
        ),
    ],
)
def test_figures_at_their_own_subjects_are_none(claim: str, page: str) -> None:
    evidence = Evidence(page_id="p", index=0, text=page, start=0, end=len(page))
    assert not any(x.id == "exchanged-figure" for x in findings(claim, [evidence]))


def evidence_of(*texts: str) -> list[Evidence]:
    return [
        Evidence(page_id="p", index=n, text=text, start=0, end=len(text))
        for n, text in enumerate(texts)
    ]


def test_a_figure_of_a_like_sentence_is_a_neighbours() -> None:
    pages = evidence_of("The Kestrel weighs 3 kg.", "The Falcon weighs 9 kg.")
    (found,) = [
        one
        for one in findings("The Kestrel weighs 9 kg.", pages)
        if one.id == "neighbours-figure"
    ]
    assert found.outcome == "conflict"
    assert found.message == "The claim says 9 kg, the page says 3 kg of that."
    for claim in (
        "The Kestrel weighs 3 kg.",
        "The Falcon weighs 9 kg.",
        "The Kestrel and the Falcon weigh 9 kg and 3 kg.",
    ):
        rules = findings(claim, pages)
        assert not any(one.id == "neighbours-figure" for one in rules), claim


@pytest.mark.parametrize(
    ("claim", "is_found"),
    [
        ("The Tarn 2 charges at up to 175 kW.", True),
        ("The Tarn 4 charges at up to 120 kW.", True),
        ("The Tarn 2 charges at up to 120 kW.", False),
        ("The Tarn 4 charges at up to 175 kW.", False),
        # What is said of the figure stands in one of the sentences only.
        ("The Tarn 2 pulls a trailer at up to 175 kW.", False),
    ],
)
def test_names_may_differ_by_a_number_and_sentences_in_what_else_they_say(
    claim: str, is_found: bool
) -> None:
    pages = evidence_of(
        "The Tarn 2 carries a 52 kWh battery and charges at up to 120 kW.",
        "Its sister model, the Tarn 4, charges at up to 175 kW and weighs 1,980 kg.",
    )
    rules = findings(claim, pages)
    assert any(one.id == "neighbours-figure" for one in rules) == is_found


@pytest.mark.parametrize(
    ("claim", "pages"),
    [
        (
            "The Kestrel weighs 9 kg loaded.",
            (
                "As Table 1 shows, the Kestrel weighs 3 kg empty.",
                "As Table 2 shows, it weighs 9 kg loaded.",
            ),
        ),
        (
            "The Kestrel flew 45 km on the second day.",
            ("On Day 1 the Kestrel flew 30 km.", "On Day 2 it flew 45 km."),
        ),
        (
            "The Tarn 2 charges at up to 175 kW.",
            (
                "The Tarn charges at up to 120 kW at home.",
                "The Tarn 2 to 4 charge at up to 175 kW.",
            ),
        ),
        (
            "The Tarn 4 charges at up to 175 kW.",
            (
                "The Tarn charges at up to 120 kW at home.",
                "The Tarn 2 and 4 charge at up to 175 kW.",
            ),
        ),
        (
            "The Heron sails for 3 hours.",
            (
                "The Heron sails for 2 hours to Skell.",
                "On Sundays it sails for 3 hours.",
            ),
        ),
        (
            "In Norway the Kestrel weighs 9 kg.",
            (
                "The Kestrel weighs 3 kg empty.",
                "The Norwegian model weighs 9 kg with its cover.",
            ),
        ),
    ],
)
def test_another_figure_of_the_same_thing_is_no_neighbours(
    claim: str, pages: tuple[str, str]
) -> None:
    rules = findings(claim, evidence_of(*pages))
    assert not any(one.id == "neighbours-figure" for one in rules)


@pytest.mark.parametrize(
    ("claim", "page", "is_said"),
    [
        (
            "More than half of the homes have a bin.",
            "Just under half of them do.",
            False,
        ),
        (
            "Less than half of the homes have a bin.",
            "Just under half of them do.",
            True,
        ),
        (
            "Less than half of the homes have a bin.",
            "Just over half of them do.",
            False,
        ),
    ],
)
def test_just_under_is_not_over(claim: str, page: str, is_said: bool) -> None:
    (mine,), (theirs,) = quantities(claim), quantities(page)
    assert says(theirs, mine, is_placed=True) is is_said
    assert excludes(theirs, mine) is not is_said


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("It takes an hour and a half.", 90),
        ("It takes two hours and a quarter.", 135),
        ("It takes one hour and three quarters.", 105),
    ],
)
def test_a_unit_and_a_half(text: str, minutes: float) -> None:
    (found,) = quantities(text)
    assert found.base(found.low) == pytest.approx(minutes * 60)
