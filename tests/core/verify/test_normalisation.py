"""One form for what is written in many ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.verify.normalisation import canonical


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("The ﬂoor has ２４ m²", "The floor has 24 m2"),
        ("soft\u00adhyphen and zero\u200bwidth", "softhyphen and zerowidth"),
        ("Entry: ~~€9~~ €11 &ndash; free on Mondays", "Entry: €11 - free on Mondays"),
        ("below &minus;8&nbsp;&deg;C", "below -8 °C"),
        ("<!-- 40 marks --> 50 marks", "50 marks"),
        ("<del>old</del> new <b>word</b>", "new word"),
        ("<template>hidden 7</template>shown", "shown"),
        ('<p hidden class="x">hidden 7</p>shown', "shown"),
        (r"costs $1{,}450$ or $2 \times 10^{3}$", "costs 1450 or 2000"),
        ("$29 for one, $35 for two", "$29 for one, $35 for 2"),
        ("3.400 €, 1.250,50 EUR", "3400 €, 1250.50 EUR"),
        ("version 3.400 of 1.2.3", "version 3.400 of 1.2.3"),
        ("four 100 ml tubes, two hundred", "four 100 ml tubes, 200"),
        ("€0.020 per GB, 0.004 EUR", "€0.020 per GB, 0.004 EUR"),
        ("€1.589 a litre, 1.589 € per kWh", "€1.589 a litre, 1.589 € per kWh"),
        ("0,125 kg", "0.125 kg"),
        ("a [lamp][lamps.Lamp] of [Tarn][], [1][2]", "a lamp of Tarn, [1][2]"),
        ("rows[i][j] and [a](b)", "rows[i][j] and a"),
        ("has [120](rooms.html) rooms", "has 120 rooms"),
        ("5 users<br>10 GB<br/>", "5 users, 10 GB"),
        ("<li>one</li><li>two</li>", "one two"),
        ("1,200 and 12 000 and 3'400", "1200 and 12000 and 3400"),
        ("twelve hundred of twenty-one", "1200 of 21"),
        ("four and seven", "4 and 7"),
        ("two and a half hours", "2.5 hours"),
        ("3.5 million, 20k", "3500000, 20000"),
        ("one cat", "one cat"),
        ("a dozen eggs, half a dozen pears", "12 eggs, 6 pears"),
        ("three quarters of a million", "750000"),
        ("one and a quarter million, a 12-hour shift", "1250000, a 12-hour shift"),
        ("£3m, $0.75M, 12M users, 4 K", "£3000000, $750000, 12000000 users, 4 K"),
        ("1_000_000 rows of snake_1_000", "1000000 rows of snake_1_000"),
        ("over-65s pay less", "those over 65 pay less"),
        ("7.0 mmol and $29.00, 2.0.1 and 10.05", "7 mmol and $29, 2.0.1 and 10.05"),
        ("**bold** _low_ snake_case `code_x`", "bold low snake_case code_x"),
        ("[text](https://example.org/a) and[^1]", "text and"),
        ("CO₂ 400, 10⁶, growth³ too", "CO2 400, 1000000, growth too"),
        ("- [x] pack\n- [ ] buy", "- done: pack\n- not done: buy"),
        ("| ✓ | ❌ |", "| yes | no |"),
        ("“quoted” – ‘so’", "\"quoted\" - 'so'"),
        ("`TARN_` opens each name", "TARN_ opens each name"),
        ("_so_ it is, __really__", "so it is, really"),
        ("🚢 The ferry leaves ⭐ at 30 °C ✅", "The ferry leaves at 30 °C yes"),
        ("snake_case and `__init__`", "snake_case and __init__"),
    ],
)
def test_what_it_says_in_one_form(written: str, read: str) -> None:
    assert canonical(written) == read


@given(st.text(max_size=60))
def test_any_text_has_a_form_and_keeps_it(text: str) -> None:
    once = canonical(text)
    assert isinstance(once, str)
    assert once == once.strip()


def test_a_long_text_of_one_kind_of_sign_is_read_in_linear_time() -> None:
    for sign in ("<", "[", "~~a", "$", "1 ", "&", "*", "(", "one ", "1,", "`"):
        assert canonical(sign * 20_000) is not None
