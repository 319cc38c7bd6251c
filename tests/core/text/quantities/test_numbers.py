"""Quantities are equal by value, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.text.quantities.numbers import (
    dates_and_times,
    identifiers,
    quantities,
)
from claimscope.core.text.quantities.quantity import Quantity, is_rounded
from claimscope.core.verify.normalisation import canonical


def only(text: str) -> Quantity:
    """The one quantity of a text."""
    (found,) = quantities(text)
    return found


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("1,200 sheep", "twelve hundred sheep"),
        ("1 200 sheep", "1200 sheep"),
        ("5 %", "five per cent"),
        ("5%", "5 percent"),
        ("$29.00", "29 dollars"),
        ("4.2 million litres", "4,200,000 litres"),
        ("1,500 mg", "1.5 g"),
        ("90 minutes", "an interval of 1.5 hours"),
        ("two and a half hours", "150 minutes"),
        ("half a year", "six months"),
        ("three quarters of an hour", "45 minutes"),
        ("5 miles", "8 km"),
        ("38.5 °C", "101.3 °F"),
        ("22/min", "22 breaths per minute"),
        ("1000 mg a day", "1 g"),
        ("half of them", "50 %"),
        ("one in five", "20 per cent"),
        ("2.5–3.5 mmol/L", "2.5 to 3.5 mmol/L"),
        ("between 3 and 5 days", "3-5 days"),
        ("£29", "29 pounds"),
        ("27p", "27 pence"),
        ("£0.80", "80p"),
        ("5 × 10^-6 seconds", "0.000005 seconds"),
        ("1.2E6 litres", "1,200,000 litres"),
        ("a fortnight", "two weeks"),
        ("a decade", "ten years"),
        ("half a litre", "500 ml"),
        ("a quarter of a mile", "0.25 miles"),
        ("three fifths", "60 %"),
        ("1.5 kWh", "1500 Wh"),
        ("2 Mbit/s", "2,000 kbps"),
        ("50 basis points", "0.5 percentage points"),
        ("MDCCXC", "1790"),
        ("one and a quarter million visitors", "1,250,000 visitors"),
        ("2 and a half thousand trees", "2,500 trees"),
        ("a million and a half", "1,500,000"),
        ("half a million bees", "500,000 bees"),
        ("three quarters of a billion", "750 million"),
        ("half a dozen eggs", "six eggs"),
        ("two and three quarter hours", "165 minutes"),
        ("1 1/2 cups", "one and a half cups"),
        ("half a percent", "0.5 %"),
        ("5 ft 10 in tall", "five feet ten inches"),
        ("six foot two", "6 feet 2 inches"),
        ("£3m in grants", "3 million pounds"),
        ("$2.5M", "2.5 million dollars"),
        ("12M downloads", "12,000,000 downloads"),
        ("1'200 francs", "1,200 francs"),
        ("1h30", "90 minutes"),
        ("500 mg to 1 g", "0.5-1 g"),
        ("10^6 cells", "a million cells"),
        ("$5-10", "5 to 10 dollars"),
        ("minus five degrees", "-5 °C"),
        ("2 GiB", "2048 MiB"),
        ("4096 bytes", "4.096 kB"),
        ("2.4 GHz", "2400 MHz"),
        ("5 MW", "5 megawatts"),
    ],
)
def test_same_quantity_in_another_form(left: str, right: str) -> None:
    assert only(left).same(only(right))
    assert only(right).same(only(left))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("40 %", "14 %"),
        ("1 hour", "80 minutes"),
        ("22 mg", "22 g"),
        ("94-98%", "90-94%"),
        ("3 km", "3 kg"),
        ("third day", "3 sheep"),
        ("5 miles", "9 km"),
        ("one and a half million visitors", "1,250,000 visitors"),
        ("£3m", "£3"),
        ("1 GiB", "1 GB"),
        ("5 ft 10 in", "5 ft 1 in"),
        ("$5-10", "5 dollars"),
        ("the twenty-first day", "the first day"),
    ],
)
def test_other_quantity(left: str, right: str) -> None:
    assert not only(left).same(only(right))


def test_what_looks_like_another_notation() -> None:
    assert only("a 720p picture, MIXED and MILD").unit is None
    assert quantities("commit 12e4") == ()
    assert quantities("open 24/7") == ()
    assert [q.low for q in quantities("five and a quarter of the staff")] == [5, 0.25]
    assert [q.low for q in quantities("5 ft 10 in the garden")] == [5, 10]
    assert only("rose 5 cm a decade").text == "5 cm a decade"


def test_identifiers_and_citations_are_no_quantities() -> None:
    text = "Course DAT-110 uses v1.2.3 [PMID:99000018, S:2] of COVID-19 data [3]."
    assert quantities(text) == ()
    assert "DAT-110" in [name for name, _, _ in identifiers(text)]


def test_years_are_told_from_counts() -> None:
    assert [q.kind for q in quantities("In 1961 it held 1961 sheep.")] == [
        "year",
        "number",
    ]


def test_bounds() -> None:
    assert only("at least 3 days").bound == "least"
    assert only("two years or older").bound == "least"
    assert only("no more than 4 doses").bound == "most"
    assert only("up to 6 hours").bound == "most"
    assert only("6 hours").bound is None


@pytest.mark.parametrize(
    "text",
    [
        "a lorry not exceeding 3.5 tonnes",
        "The load does not exceed 3.5 tonnes.",
        "The load doesn't exceed 3.5 tonnes.",
        "The load cannot exceed 3.5 tonnes.",
        "a load that never exceeds 3.5 tonnes",
        "without exceeding 3.5 tonnes",
        "not to exceed 3.5 tonnes",
        "no more than 3.5 tonnes",
    ],
)
def test_a_bound_in_negative_words_is_a_bound_and_no_negation(text: str) -> None:
    found = only(text)
    assert (found.bound, found.is_turned) == ("most", False)


def test_trillions() -> None:
    assert only("two trillion litres").low == 2e12
    assert canonical("2.5 trillion litres") == canonical("2,500,000,000,000 litres")
    assert canonical("$2.5tn") == canonical("$2.5 trillion")
    assert canonical("3 hundred boats") == canonical("300 boats")


def test_rounding() -> None:
    assert is_rounded(only("14 %"), only("13.8 %"))
    assert not is_rounded(only("13.8 %"), only("14 %"))
    assert not is_rounded(only("14 %"), only("12.9 %"))


@pytest.mark.parametrize(
    ("coarse", "fine", "may_be"),
    [
        ("about 40 metres", "38 metres", True),
        ("40 metres or so", "38 metres", True),
        ("nearly 400 cars", "380 cars", True),
        ("2 million people", "1,930,000 people", True),
        ("2,000 people", "1,990 people", True),
        ("40 metres", "38 metres", False),
        ("400 cars", "380 cars", False),
        ("90 euros", "86 euros", False),
        ("about 40 metres", "31 metres", False),
    ],
)
def test_tens_and_hundreds_are_rounded_only_where_it_is_said(
    coarse: str, fine: str, may_be: bool
) -> None:
    assert is_rounded(only(coarse), only(fine)) is may_be


def test_within_a_range() -> None:
    assert only("5 days").within(only("4 to 6 days"))
    assert not only("7 days").within(only("4 to 6 days"))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("12 January 2022", "January 12, 2022"),
        ("12 January 2022", "2022-01-12"),
        ("12th of January 2022", "12.01.2022"),
        ("3 April 2021", "04/03/2021"),
        ("12 January", "12 January 2022"),
    ],
)
def test_same_day_in_any_order(left: str, right: str) -> None:
    (mine,), (theirs,) = dates_and_times(left)[0], dates_and_times(right)[0]
    assert mine.agrees(theirs)


def test_other_days_do_not_agree() -> None:
    (mine,), (theirs,) = (
        dates_and_times("12 January 2021")[0],
        dates_and_times("12 January 2022")[0],
    )
    assert not mine.agrees(theirs)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("18:30", "6.30 pm"),
        ("half past six", "18:30"),
        ("noon", "12:00"),
        ("9 a.m.", "9:00"),
        ("quarter to nine", "8:45"),
    ],
)
def test_same_time_of_day(left: str, right: str) -> None:
    (mine,), (theirs,) = dates_and_times(left)[1], dates_and_times(right)[1]
    assert mine.agrees(theirs)


def test_end_of_a_time_range_is_a_time() -> None:
    _, times = dates_and_times("from half past six to nine")
    assert [time.minutes for time in times] == [390, 540]


@given(st.text(max_size=200))
def test_spans_quote_the_text(text: str) -> None:
    for quantity in quantities(text):
        assert text[quantity.start : quantity.end] == quantity.text
        assert quantity.low <= quantity.high
    days, times = dates_and_times(text)
    for day in days:
        assert text[day.start : day.end] == day.text
    for time in times:
        assert text[time.start : time.end] == time.text


@given(st.integers(min_value=0, max_value=10**12))
def test_thousands_may_be_grouped(value: int) -> None:
    assert only(f"{value:,} sheep").low == value
    assert only(f"{value} sheep").same(only(f"{value:,} sheep"))


@given(
    st.floats(min_value=0.01, max_value=9999).map(lambda value: round(value, 2)),
    st.sampled_from([("g", "mg", 1000), ("hours", "minutes", 60), ("km", "m", 1000)]),
)
def test_units_convert(value: float, units: tuple[str, str, int]) -> None:
    large, small, factor = units
    assert only(f"{value} {large}").same(only(f"{value * factor:.6f} {small}"))
    assert not only(f"{value} {large}").same(only(f"{value * factor * 2:.6f} {small}"))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("It takes 1 h 50 min.", 6600.0, "time"),
        ("It takes two hours and five minutes.", 7500.0, "time"),
        ("It is 5 feet 3 inches tall.", 1.6002, "length"),
        ("It lasts 2 years and 6 months.", 2.5 * 31557600, "time"),
    ],
)
def test_a_measure_in_two_units_is_one(text: str, value: float, unit: str) -> None:
    (found,) = quantities(text)
    assert found.dimension == unit
    assert found.base(found.low) == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["10 minutes and 2 minutes", "2 hours and 90 minutes", "5 m 3 kg"]
)
def test_two_measures_stay_two(text: str) -> None:
    assert len(quantities(text)) == 2
