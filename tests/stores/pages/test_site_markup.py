"""Marks of site generators, which no reader of the site sees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.verify.statements import statements
from claimscope.stores.pages.markup.site_markup import without_site_markup
from claimscope.stores.pages.readers.markdown import markdown_pages


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("# Fees {#fees}", "# Fees"),
        ('## Fees {id="fees",hidden="true"}', "## Fees"),
        ("## Fees {/* fees */}", "## Fees"),
        ("## Sets {1, 2}", "## Sets {1, 2}"),
        ("{: .note }", ""),
        ("::: tip", ""),
        (":::note[Read this]", "**Read this**"),
        ("::: warning Gone in 3.0", "**Gone in 3.0**"),
        (":::::::::::::: objectives", ""),
        ("::: {.callout}", ""),
        ("a ::: b", "a ::: b"),
        ("!!! note", ""),
        ('!!! example "With defaults"', "**With defaults**"),
        ("??? info", ""),
        ('=== "Linux"', "**Linux**"),
        ("> A lamp\n> is red.", "A lamp\nis red."),
        ("> [!NOTE]\n> A lamp.", "\nA lamp."),
        ("> [!TIP] Lamps\n> A lamp.", "**Lamps**\nA lamp."),
        ("{% include a.md %}Lamps {{< since v=1 >}} are red.", "Lamps  are red."),
        ("Write `{% raw %}` and {{ name }}.", "Write `{% raw %}` and {{ name }}."),
        ("A [lamp](a.md){target=_blank}.", "A [lamp](a.md)."),
        ("See {ref}`lamps`.", "See `lamps`."),
        ("import Lamp from './Lamp.vue'", ""),
        ("import lamps from the shop", "import lamps from the shop"),
        ("<script setup>\nconst a = 1\n</script>\nLamps.", "\n\n\nLamps."),
        ("Ports\n=====", "Ports\n====="),
    ],
)
def test_each_generator(written: str, read: str) -> None:
    assert without_site_markup(written) == read


def test_code_stays_as_it_is() -> None:
    code = "```md\n# Fees {#fees}\n::: tip\n> kept\n{% raw %}\n!!! note\n```\n"
    assert without_site_markup(f"# A {{#a}}\n{code}") == f"# A\n{code}"
    included = "```rust\n{{#include ../a.rs}}\nlet a = 1;\n```\n"
    assert without_site_markup(included) == "```rust\n\nlet a = 1;\n```\n"


def test_the_text_of_a_box_stands_where_the_box_stood() -> None:
    page = '!!! note "Lamps"\n    A lamp is red.\n\n'
    page += "    ```sh\n    lamp on\n    ```\nEnd.\n"
    assert without_site_markup(page) == (
        "**Lamps**\nA lamp is red.\n\n```sh\nlamp on\n```\nEnd.\n"
    )
    myst = "```{warning} Hot\n:class: x\nThe lamp is hot.\n```\n```\nlamp on\n```\n"
    assert without_site_markup(myst) == (
        "**Hot**\n\nThe lamp is hot.\n\n```\nlamp on\n```\n"
    )


def test_statements_of_a_page_are_free_of_them() -> None:
    source = (
        "# Lamps {#lamps}\n\n::: tip\nUla has **7 W**.\n:::\n\n## Care {#care}\n\n"
        "> [!WARNING]\n> Never wash it.\n\n{{< since v=1 >}}\n\n"
        "See [the list][l] too.\n"
    )
    (page,) = markdown_pages(source, "lamps.md")
    assert page.title == "Lamps"
    assert [one.text for one in statements(page.text) if not one.is_head] == [
        "Lamps: Ula has 7 W.",
        "Lamps - Care: Never wash it.",
        "Lamps - Care: See the list too.",
    ]


PIECES = st.lists(
    st.sampled_from(
        ["# A {#a}", "::: tip", ":::", "!!! note", "    deep", "```", "> q", "> ```"]
        + ["```{note}", "{% x %}", "text", "", "<script>", "</script>", '=== "a"']
    )
)


@given(PIECES)
def test_no_line_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    # A fence is closed where the quotation ends that it stands in.
    assert without_site_markup(text).count("\n") >= text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "!!! Do not use this in production",
        "??? what does it cost",
        "## {#if a}",
        "<script-setup>\n\nThe fee is 8.",
        '<script src="x.js" async />\n\nThe fee is 8.',
        "    {% if user %}\n    ::: note",
        "```\n-----8<----- cut here\n```",
        "```pycon\n>>> print(1)\n```",
    ],
)
def test_what_only_looks_like_a_mark_stays(text: str) -> None:
    assert without_site_markup(f"{text}\n\n> q") == f"{text}\n\nq"


def test_quoted_code_keeps_its_own_marks_and_ends_with_the_quotation() -> None:
    page = "> ```pycon\n> >>> print(1)\n\nAfter.\n"
    assert without_site_markup(page) == "```pycon\n>>> print(1)\n```\nAfter.\n"


def test_long_lines_are_read_in_linear_time() -> None:
    for text in ("\n" * 50_000, ":" * 50_000 + "{x", "import" + " " * 50_000 + "x"):
        assert without_site_markup(f"> a\n{text}") is not None
