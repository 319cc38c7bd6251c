"""Sentence spans: exact, without a gap, without an overlap, whatever the text."""

from __future__ import annotations

from typing import Any

import pytest
import sentencex
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.models import Markup, Page
from claimscope.core.text import sentences as sentences_module
from claimscope.core.text.sentences import sentence_at, sentences, split_sentences

MARKUPS: tuple[Markup, ...] = ("text", "markdown")

# Pieces which make splitters lose offsets, besides any character at all.
_PIECES = st.sampled_from(
    [
        "Dr. ",
        "e.g. ",
        "A b. ",
        "No. 5",
        " [1]",
        ".[2] ",
        "[PMID:1, S:2]",
        "\r\n",
        "\n\n",
    ]
    + ["\t", "- item", "1. x", "## ", "| a | b |\n|---|---|\n", "```\n", "> ", "[", "]"]
    + [
        "🧪",
        "e\u0301",
        "漢字。",
        "\u200b",
        "…",
        "...",
        "3.5 %",
        "\u2028",
        "\x00",
        "    ",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(_PIECES, st.text(max_size=6)), max_size=30).map("".join),
)


def pieces(text: str, markup: Markup = "text") -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, markup)]


@given(TEXTS, st.sampled_from(MARKUPS))
def test_spans_cover_the_text_white_space_aside(text: str, markup: Markup) -> None:
    joined = "".join(pieces(text, markup))
    assert "".join(joined.split()) == "".join(text.split())


@given(TEXTS, st.sampled_from(MARKUPS))
def test_spans_are_ordered_stripped_and_apart(text: str, markup: Markup) -> None:
    last = 0
    for start, end in split_sentences(text, markup):
        assert last <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        last = end


@given(TEXTS, st.sampled_from(MARKUPS))
def test_a_text_with_content_has_a_sentence(text: str, markup: Markup) -> None:
    assert bool(split_sentences(text, markup)) == bool(text.strip())


@given(
    st.text(max_size=200).filter(lambda text: text.isprintable()),
    st.sampled_from(MARKUPS),
)
def test_sentences_carry_page_and_own_index(text: str, markup: Markup) -> None:
    page = Page(page_id="notes/a b", text=text, markup=markup, source="notes")
    found = sentences(page)
    assert [item.index for item in found] == list(range(len(found)))
    assert len({item.sentence_id for item in found}) == len(found)
    for item in found:
        assert item.page_id == page.page_id
        assert page.text[item.start : item.end] == item.text


@given(TEXTS)
def test_neighbours_have_only_white_space_between(text: str) -> None:
    spans = split_sentences(text)
    for (_, end), (start, _) in zip(spans, spans[1:], strict=False):
        assert not text[end:start].strip()


@given(TEXTS, st.integers(min_value=0, max_value=250))
def test_sentence_at_is_the_last_that_starts_before(text: str, offset: int) -> None:
    spans = split_sentences(text)
    found = sentence_at(spans, offset)
    starts = [index for index, (start, _) in enumerate(spans) if start <= offset]
    assert found == (starts[-1] if starts else None)


# Each of a kind that common splitters get wrong; the number of sentences is right.
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. Vale et al. (2021) saw a 4.5% fall. It was large.", 2),
        ("Pick a fruit, e.g. Quince, and peel it. Then cook.", 2),
        ("The U.S. Navy left at dawn. Nobody waved.", 2),
        ("See Fig. 7 and Sec. 3.2 first. Tables follow.", 2),
        ("Rents rose by $2.5 billion vs. 2018. Tenants left.", 2),
        ("The rate is 0.02 (cf. Moss, 2011, p. 9). It rose.", 2),
        ("This was seen before [4, 5]. Others doubt it [6].", 2),
        ("This was seen before.[4] Others doubt it.[5]", 2),
        ("Open https://docs.example/a.b?c=d.e now. It is free.", 2),
        ("Mr. and Mrs. Oak live at 12 Mill St. They like it.", 2),
        ('She said "It floats." Then she rowed.', 2),
        ('"Is it deep?" he asked. She nodded.', 2),
        ("Use v2.4.1. Then move to 3.0 soon!", 2),
        ("It closed at 7 p.m. on Monday. All went home.", 2),
        ("Overview\n\nThis page is short. It has two parts.", 3),
        ("To do:\n- Fill the pan.\n- Heat the pan.\n- Wait.", 4),
        ("1. Fill the pan.\n2. Heat the pan.", 2),
        ("The maker, Borel Inc., closed. It owed rent.", 2),
        ("T. S. Merrow painted it. It sold.", 2),
        ("How?! Not again... I said so.", 3),
        ("We meet on Feb. 9, 2023. Come early.", 2),
        ("Approx. 5 mL was given i.m. to every cow. None fell ill.", 2),
        ("This line is wrapped\nand goes on here. Next one.", 2),
        ("No. 8 came first. No. 9 came last.", 2),
        ("The index was 6.1.The next one fell.", 2),
        ("i.e. the sum is off. we checked it. it is lower case.", 3),
        ("RR 18/min; top temp 39.5 °C", 1),
        ("今日は雨。明日は晴れ！", 2),
        ("It froze. (Nobody was hurt.) It thawed.", 3),
    ],
)
def test_counts(text: str, count: int) -> None:
    assert len(split_sentences(text)) == count, pieces(text)


def test_a_marker_after_the_stop_stays_with_its_sentence() -> None:
    text = "Sixty hens were counted. [PMID:5, S:3] Eggs rose by 9 %. [PMID:5, S:4]."
    assert pieces(text) == [
        "Sixty hens were counted. [PMID:5, S:3]",
        "Eggs rose by 9 %. [PMID:5, S:4].",
    ]


def test_a_link_or_bracket_that_opens_a_sentence_stays_with_it() -> None:
    text = "It is open. [Prices](https://a.example/p) vary. [The board] agreed."
    assert pieces(text)[1:] == [
        "[Prices](https://a.example/p) vary.",
        "[The board] agreed.",
    ]


def test_markdown_blocks_are_sentences_of_their_own() -> None:
    text = (
        "# Kiln hire\n\nThe kiln is small. It heats fast.\n\n"
        "| Day | Price |\n|---|---|\n| Monday | 12 marks |\n\n"
        "1. Book it.\n   Pay first.\n2. Load it.\n\n"
        "> Quoted once. Quoted twice.\n\n```sh\nfire --now. Then wait.\n```\nEnd"
    )
    assert pieces(text, "markdown") == [
        "# Kiln hire",
        "The kiln is small.",
        "It heats fast.",
        "| Day | Price |\n|---|---|",
        "| Monday | 12 marks |",
        "1. Book it.",
        "Pay first.",
        "2. Load it.",
        "> Quoted once.",
        "Quoted twice.",
        "```sh\nfire --now. Then wait.\n```",
        "End",
    ]


def test_headings_and_fences_of_plain_text_are_sentences_of_their_own() -> None:
    text = "# Rooms\nThe hall is open.\n```\na. B\nc. D\n```\nThe yard is shut."
    expected = [
        "# Rooms",
        "The hall is open.",
        "```\na. B\nc. D\n```",
        "The yard is shut.",
    ]
    assert [text[a:b] for a, b in split_sentences(text)] == expected


def test_no_sentence_ends_in_code() -> None:
    text = "Delete `.DS_Store. Files` here. `--all` is the default."
    first, second = split_sentences(text, "markdown")
    assert text[slice(*first)] == "Delete `.DS_Store. Files` here."
    assert text[slice(*second)] == "`--all` is the default."


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("**Oars.** They are lent. Two.", ["**Oars.**", "They are lent.", "Two."]),
        ("_Oars?_ They are lent.", ["_Oars?_", "They are lent."]),
        ("**One. Two.** Three.", ["**One.", "Two.**", "Three."]),
        ("It is 6. * 4 is more.", ["It is 6.", "* 4 is more."]),
        ("So it is. **Oars** are lent.", ["So it is.", "**Oars** are lent."]),
    ],
)
def test_the_mark_that_closes_bold_print_ends_its_sentence(
    text: str, wanted: list[str]
) -> None:
    assert pieces(text, "markdown") == wanted


def test_fields_one_a_line_are_sentences() -> None:
    assert pieces("**Fee:** 30 marks\n**Room:** 2", "markdown") == [
        "**Fee:** 30 marks",
        "**Room:** 2",
    ]


@pytest.mark.parametrize(
    "expected",
    [
        ["a. Sweep the hall", "b. Lock the doors", "c. Hang up the keys"],
        ["1.) Sweep the hall", "2.) Lock the doors"],
        ["• 9. Sweep the hall", "• 10. Lock the doors"],
        ["He went by the lamp . . . that was lit.", ". . . The rest stayed. . . ."],
        ["She called it “a slip [...] of the pen” (Tarn 12).", "Nobody laughed."],
        ["“The ferry runs in May.", "It rests in June,” he said.", "We went home."],
        ['"Dr. Orme paid 20 marks.', 'He never came back."'],
        ['"Go away."', "(It rained.)", "We went home."],
    ],
)
def test_lists_quotations_and_omissions_in_one_line(expected: list[str]) -> None:
    assert pieces(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Ask Mr. B. Marr for form b. Nobody else has it",  # one mark is no list
        "Take the plan 2. Use plan 1. Then rest",  # marks that do not count up
    ],
)
def test_marks_that_are_no_list_open_no_item(text: str) -> None:
    assert not any(piece.startswith(("b. ", "2. ", "1. ")) for piece in pieces(text))


@pytest.mark.parametrize("blank", ["\n", "\r\n", " \n", "\t"])
def test_blank_lines_are_not_searched_for_boundaries(
    blank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = given_to_the_library(monkeypatch)
    assert len(split_sentences("It is so." + blank * 50_000)) == 1
    assert 0 < sum(given) < 20, "the work is that of the text without them"


def given_to_the_library(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Length of each text that the library is asked for boundaries of from now on."""
    given: list[int] = []
    library = sentencex.get_sentence_boundaries

    def counted(language: str, text: str) -> list[dict[str, Any]]:
        given.append(len(text))
        found: list[dict[str, Any]] = library(language, text)
        return found

    monkeypatch.setattr(sentencex, "get_sentence_boundaries", counted)
    return given


# Texts in which the library is slow: marks without white space between them.
_DENSE = ['<!ENTITY a!b "c!">', "<![CDATA[", "a!b", "A.B", "“a!b", ".[1]", "。a"]


@pytest.mark.parametrize("unit", _DENSE)
def test_the_library_is_given_a_long_block_in_pieces_of_bounded_length(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = given_to_the_library(monkeypatch)
    text = unit * (60_000 // len(unit))
    assert "".join("".join(pieces(text)).split()) == "".join(text.split())
    assert max(given) <= sentences_module.PIECE
    # The block itself, and what is quoted in it: each read once and a half at most.
    assert sum(given) <= 3 * len(text)


@given(
    st.lists(
        st.sampled_from(
            [
                "The ferry leaves at ten. ",
                "Dr. Venn said: “It is late. We go.” ",
                "The fee is 3.5 % of it [2]. ",
                "Is it open? ",
                "They count e.g. nets and rope (see p. 14) each day. ",
            ]
        ),
        min_size=20,
        max_size=60,
    ).map("".join)
)
def test_pieces_change_no_sentence_of_ordinary_text(text: str) -> None:
    whole = split_sentences(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences_module, "PIECE", 300)
        assert split_sentences(text) == whole


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The lock is closed from 3 to 17 May. Boats wait below.", 2),
        ("It opens on 1 May.) Claims are late then.", 2),
        ("It is open until 5 p.m. Visitors leave then.", 2),
        ("At 8 a.m. Monday we start.", 1),
        ("At 5 p.m. Ms Hale spoke.", 1),
        ("May 5 is a holiday.", 1),
    ],
)
def test_a_month_or_an_hour_ends_a_sentence(text: str, count: int) -> None:
    assert len(split_sentences(text)) == count
