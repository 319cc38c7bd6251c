"""Statements: what stands under a heading, in a row, in a list, with its heads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.statements import item_lists, statements


def read(page: str) -> list[str]:
    """How the statements of a page read."""
    return [one.text for one in statements(page) if not one.is_head]


def test_a_heading_belongs_to_what_it_heads() -> None:
    page = "## Small boat\n- 2 berths\n\n## Large boat\n- 6 berths\n\nBoth float."
    assert read(page) == [
        "Small boat: 2 berths",
        "Large boat: 6 berths",
        "Large boat: Both float.",
    ]


def test_headings_and_code_need_no_blank_line_around_them() -> None:
    page = (
        "### Second argument\nA folder can be given as the second argument:\n"
        "``` bash\nferry find keel /dock\n```\nIt may be left out.\n"
        "#### Whole paths\nOnly names are matched. Use `-p` to match paths."
    )
    folder = "A folder can be given as the second argument"
    assert read(page) == [
        f"Second argument: {folder}.",
        f"Second argument - {folder}: ferry find keel /dock",
        "Second argument: It may be left out.",
        "Second argument - Whole paths: Only names are matched.",
        "Second argument - Whole paths: Use -p to match paths.",
    ]


def test_a_fence_that_is_never_closed_hides_nothing() -> None:
    assert read("The fee is 5.\n~~~~\nDogs are welcome.")[0] == "The fee is 5."


def test_only_the_two_nearest_headings_are_read() -> None:
    page = "# Site\n\n## Boats\n\n### Prices\n\nA day costs 40 marks."
    assert read(page) == ["Boats - Prices: A day costs 40 marks."]


def test_a_row_is_read_with_its_heads() -> None:
    page = (
        "| Lamp | Power | Dims |\n|---|--:|:-:|\n| Ula | 7 W | ✓ |\n| Oda | 9 W | ✗ |"
    )
    assert read(page) == [
        "Lamp Ula: Power: 7 W; Dims: yes",
        "Lamp Oda: Power: 9 W; Dims: no",
    ]


def test_an_item_is_read_with_its_lead_in_and_its_parents() -> None:
    page = "Members may:\n\n- borrow boats\n  - by day\n- vote\n\nGuests may not."
    assert read(page) == [
        "Members may: borrow boats",
        "Members may - borrow boats: by day",
        "Members may: vote",
        "Guests may not.",
    ]


def test_a_line_over_a_list_heads_the_list_alone() -> None:
    page = "Ula lamp\n- Power: 7 W\n\nThe shop opens at nine."
    assert read(page) == ["Ula lamp: Power: 7 W", "The shop opens at 9."]


def test_a_definition_keeps_its_name() -> None:
    assert read("Slack water\n: The time between tides.") == [
        "Slack water: The time between tides."
    ]


def test_a_setting_is_read_with_its_path_and_a_default_with_its_parameter() -> None:
    page = (
        "```yaml\nlog:\n  level: warn\n  file: false\n```\n\n"
        "```python\ndef moor(boat, lines=2, side='port'):\n    ...\n```"
    )
    assert read(page) == [
        "log.level: warn",
        "log.file: false",
        "moor(boat, lines=2, side='port'): boat is required; "
        "lines: default 2; side: default 'port'",
    ]


def test_struck_words_and_comments_are_no_evidence() -> None:
    assert read("The fee is ~~40~~ 50 marks. <!-- 60 marks -->") == [
        "The fee is 50 marks."
    ]


PIECES = st.sampled_from(
    [
        "# A\n",
        "- b c\n",
        "Text one. Text two.\n",
        "\n",
        "| a | b |\n|--|--|\n| 1 | 2 |\n",
        "```\nx = 1\n```\n",
        "t\n: d\n",
        "Lead:\n",
        "  - deep\n",
        "**Bold**\n",
        "1. one\n",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_each_statement_lies_on_a_sentence_of_the_page(page: str) -> None:
    spans = set(split_sentences(page)) if page.strip() else set()
    for one in statements(page):
        assert (one.start, one.end) in spans
        assert one.text


@pytest.mark.parametrize("page", ["", " ", "|", "|-|-|", "```", "# ", "- ", ":"])
def test_scraps_are_no_error(page: str) -> None:
    statements(page)


def test_a_cell_with_a_stop_does_not_cut_its_row() -> None:
    page = (
        "# Ovens\n\n| Oven | Max. temp. | Shown in trials (n = 12) |\n|---|---|---|\n"
        "| Brisa | 280 °C | yes |\n"
    )
    assert statements(page)[-1].text == (
        "Ovens: Oven Brisa: Max. temp.: 280 °C; Shown in trials (n = 12): yes"
    )


def test_a_blank_line_does_not_end_a_block_of_code() -> None:
    block = '[app]\ndebug = false\n\n[session]\nbackend = "cookie"'
    page = f"```toml\n{block}\n```\nIt runs.\n"
    assert [one.text for one in statements(page)] == [
        "app.debug = false",
        'session.backend = "cookie"',
        "It runs.",
    ]


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ("- `wait`: Seconds. Defaults to 20.", "wait: Defaults to 20."),
        ("- `--force` overwrites. Off by default.", "--force: Off by default."),
        ("- **Retries** – how often. The default is 3.", "Retries: The default is 3."),
        ("- **Basic.** Two projects. No support.", "Basic: No support."),
        ("1. **Gold (paid):** Ten boats. No dogs.", "Gold (paid): No dogs."),
        ("- Retries: 3. Not for writes.", "Retries: Not for writes."),
        ("wait\n: Seconds. Defaults to 20.", "wait: Defaults to 20."),
        ("- `wait`: Seconds.\n  Defaults to 20.", "wait: Defaults to 20."),
    ],
)
def test_all_sentences_of_an_item_are_about_its_term(page: str, wanted: str) -> None:
    assert read(page)[-1] == wanted


@pytest.mark.parametrize(
    ("page", "term"),
    [
        ("**Oars.** They are lent.\n2 each.", "Oars"),
        ("**Oars:** two each. They\nare lent.", "Oars"),
        ("## Hut\n**Oars** – two each. Lent.", "Oars"),
        ("**Oars.** They are lent.\n\nIt rains.", ""),
        ("**Oars.** They are lent.\n- 2 each.", ""),
        ("**Oars** are lent. 2 each.", ""),
        ("It rains. **Oars.** 2 each.", ""),
        ("**Oars:** two. Lent.\n**Masts:** one. It is short.", "Masts"),
        ("**Oars:** two. Lent.\n**Masts** are short. One.", ""),
        ("**Oars**: two each. **Masts**: one each. Short.", "Masts"),
        ("**Oars.** Lent.\n```\nrow 2\n```\nIt rains.", ""),
        ("**Oars.** Lent.\n> It rains.", ""),
        ("**Note:** the hut opens. It rains.", ""),
        ("**Oars are lent.** It rains.", ""),
    ],
)
def test_a_paragraph_is_about_the_bold_words_that_head_it(page: str, term: str) -> None:
    assert statements(page)[-1].term == term


def test_bold_words_that_head_a_paragraph_state_nothing() -> None:
    assert read("**Oars.** They are lent. 2 each.") == ["They are lent.", "2 each."]
    said = "**Oars are 30 marks.** They are lent."
    assert read(said) == ["Oars are 30 marks.", "They are lent."]


@pytest.mark.parametrize(
    "page",
    [
        "- **Never** open the lid. Steam burns.",
        "- Open the lid. Steam burns.",
        "- `wait`: Seconds.\n\nSteam burns.",
        "wait\n: Seconds.\nSteam burns.",
        "- When the light of the pump is on: stop. Steam burns.",
    ],
)
def test_what_names_no_term_lends_none(page: str) -> None:
    assert read(page)[-1] == "Steam burns."


def test_other_choices_in_a_comment_are_no_value() -> None:
    page = "```yaml\nrotate: weekly   # daily | weekly | never\nkeep: 8  # files\n```"
    assert read(page) == ["rotate: weekly", "keep: 8 files"]
    assert read('```toml\nmode = "b"  # one of a, b, c\n```') == ['mode = "b"']


def test_the_lists_of_a_page_with_what_they_stand_under() -> None:
    page = "Formats:\n- PDF\n- EPUB\n\nText.\n\n1. Open it.\n2. Close it.\n"
    found = item_lists(page)
    assert [one.lead for one in found] == ["Formats:", ""]
    assert [len(one.items) for one in found] == [2, 2]


@pytest.mark.parametrize(
    "page",
    [
        "Formats:\n- PDF\n  - signed\n- EPUB\n",
        "Steps:\n1. Open it. Then wait.\n2. Close it.\n",
        "Formats:\n- PDF\n",
    ],
)
def test_lists_whose_items_have_parts_are_left_out(page: str) -> None:
    assert item_lists(page) == ()


def test_the_first_line_of_a_block_without_a_language_is_read() -> None:
    page = "Use it so:\n\n```\ntarn up --port 80\n```\n\n~~~\nport: 80\nhost: a\n~~~\n"
    assert read(page) == [
        "Use it so: tarn up --port 80",
        "Use it so: port: 80",
        "Use it so: host: a",
    ]


def test_a_table_without_bars_at_its_edges_is_one() -> None:
    page = "# Ports\n\nPort | Use\n--- | ---\n80 | web\n443 | TLS\n\nAll are open."
    assert read(page) == [
        "Ports: Port 80: Use: web",
        "Ports: Port 443: Use: TLS",
        "Ports: All are open.",
    ]


def test_a_quoted_note_is_read_without_its_marks() -> None:
    assert read("> The lift is out of order.") == ["The lift is out of order."]
