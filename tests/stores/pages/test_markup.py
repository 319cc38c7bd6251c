"""Web pages and the texts of documentation sites, with all that a reader sees."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import PageNote
from claimscope.core.models import Page
from claimscope.core.text.sentences import sentences
from claimscope.core.verify.statements import statements
from claimscope.stores.pages.folder import read_file, read_folder
from claimscope.stores.pages.markup.tables import WIDEST
from claimscope.stores.pages.readers.html import READER as HTML
from claimscope.stores.pages.readers.markdown import without_comments
from claimscope.stores.pages.readers.mdx import without_components

GOOD = Path(__file__).parent / "files" / "good"
ABOVE = "<p>The mill of Tarn has ground the corn of the whole valley since 1780.</p>"
BELOW = "<p>The mill is kept by a society whose members guide visitors in summer.</p>"


def read(inside: str, *, around: str = "{}") -> Page:
    body = around.format(f"<h1>The mill</h1>{ABOVE}{inside}{BELOW}")
    head = "<!doctype html><html><head><title>Mill</title></head>"
    text = f"{head}<body>{body}</body></html>"
    (page,) = HTML.read(text.encode(), "mill.html")
    return page


def middle(inside: str) -> str:
    """The Markdown of what stands between two paragraphs of a page."""
    text = read(inside).text
    return text.split("since 1780.\n\n", 1)[1].split("\n\nThe mill is kept")[0]


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<ul><li><span tabindex=0>Flour 3 marks.</span></ul>", "- Flour 3 marks."),
        (
            "<p>We sell:</p><ul><li><a href=/a>Bran 1 mark</a></ul>",
            "We sell:\n\n- Bran 1 mark",
        ),
        (
            "<ol start=4><li>Lift<li>Grind<ul><li>twice</ul></ol>",
            "4. Lift\n5. Grind\n   - twice",
        ),
        (
            "<dl><dt>Flour<dd>3 marks<dt>Bran<dd>1 mark</dl>",
            "Flour\n: 3 marks\n\nBran\n: 1 mark",
        ),
        (
            "<dl><dt>Flour<dd><p>Fine.<p>Price: 3</dl>",
            "Flour\n: Fine.\n\nFlour\n: Price: 3",
        ),
        (
            "<aside class='admonition tip'><p>Tip</p><p>Come early.</p></aside>",
            "Tip: Come early.",
        ),
        (
            "<figure><img alt='A wheel of 6 m'><figcaption>It turns</figure>",
            "A wheel of 6 m\n\nIt turns",
        ),
        (
            "<p>40 m<sup>2</sup>, 10<sup>-5</sup>, H<sub>2</sub>O, x<sub>i</sub></p>",
            "40 m², 10⁻⁵, H₂O, x_i",
        ),
        (
            "<p>Built in 1780<sup><a href=#n>1</a></sup> on the 2<sup>nd</sup> May.",
            "Built in 1780[1] on the 2nd May.",
        ),
        (
            "<p>Flour <del>5</del> <s>4</s> <ins>3</ins> marks"
            " <span style='text-decoration: line-through'>2</span>.</p>",
            "Flour 3 marks .",
        ),
        ("<p>Open<br>daily</p>", "Open  \ndaily"),
        (
            "<pre><code class='language-yaml'>port: 1\n  a: 2\n</code></pre>",
            "```yaml\nport: 1\n  a: 2\n```",
        ),
        (
            "<blockquote><p>It turns.</p><p>Ever.</p></blockquote>",
            "> It turns.\n> \n> Ever.",
        ),
    ],
)
def test_nothing_that_a_reader_sees_is_lost(html: str, markdown: str) -> None:
    assert middle(html) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (
            "<tr><th>Day<th>Open<tr><td>Monday<td><ul><li>9 to 12<li>2 to 5</ul>",
            "| Day | Open |\n| --- | --- |\n| Monday | 9 to 12; 2 to 5 |",
        ),
        (
            "<tr><td>Monday<td><ul><li>10:00</ul></tr><tr><td>Sunday<td>closed</tr>",
            "- Monday: 10:00\n- Sunday: closed",
        ),
        (
            "<tr><td>Sort<td>Price</tr><tr><td>Flour<td>3</tr><tr><td>Bran<td>1</tr>",
            "| Sort | Price |\n| --- | --- |\n| Flour | 3 |\n| Bran | 1 |",
        ),
        (
            "<tr><th rowspan=2>Sort<th colspan=2>Price</tr><tr><th>adult<th>child</tr>"
            "<tr><td rowspan=2>Tour<td>4<td>2</tr><tr><td>5<td>3</tr>",
            "| Sort | Price - adult | Price - child |\n| --- | --- | --- |\n"
            "| Tour | 4 | 2 |\n| Tour | 5 | 3 |",
        ),
        (
            "<tr><th>A<th>B</tr><tr><td colspan=2>In summer</tr><tr><td>x<td>1|2</tr>",
            "In summer\n| A | B |\n| --- | --- |\n| x | 1\\|2 |",
        ),
        (
            "<caption>Prices</caption><tr><th>A<th>B</tr><tr><td>x<td>1</tr>",
            "Prices\n| A | B |\n| --- | --- |\n| x | 1 |",
        ),
        ("<tr><td><p>One.</p><p>Two.</p></td></tr>", "One.\n\nTwo."),
    ],
)
def test_a_value_stays_with_its_row_and_its_column(html: str, markdown: str) -> None:
    assert middle(f"<table>{html}</table>") == markdown


def test_a_span_that_is_a_mistake_makes_no_endless_row() -> None:
    text = middle(
        "<table><tr><th colspan=99999999>A<th>B</tr><tr><td>1<td>2</tr></table>"
    )
    assert text.count("|") < 4 * WIDEST


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden>Flour 99 marks.</p>",
        "<p style='display: none'>Flour 99 marks.</p>",
        "<p style='color:red;visibility:hidden'>Flour 99 marks.</p>",
        "<template><p>Flour 99 marks.</p></template>",
        "<nav><ul><li>Flour 99 marks.</ul></nav>",
        "<div class='breadcrumb'>Flour 99 marks.</div>",
        "<div role=navigation>Flour 99 marks.</div>",
        "<!-- Flour 99 marks. -->",
        "<script>Flour 99 marks.</script>",
        "<button>Flour 99 marks.</button>",
    ],
)
def test_what_no_reader_sees_or_is_no_text_is_left_out(html: str) -> None:
    assert "99" not in read(html).text
    assert "guide visitors" in read(html).text


def test_a_box_beside_the_text_is_no_part_of_it() -> None:
    words = "Our shop has sold bread, bran and much else for many years now."
    box = f"<div><p>{words}</p></div>"
    page = read("", around=box + "<main>{}</main>" + box)
    assert "shop" not in page.text and page.text.startswith("# The mill")
    page = read(
        "", around="<header>Tarn</header><div class=sidebar-layout><div>{}</div></div>"
    )
    assert "guide visitors" in page.text and "Tarn has" in page.text


def test_a_title_outside_of_the_text_heads_it() -> None:
    text = f"<html><body><header><h1>The mill</h1></header><main>{ABOVE}{BELOW}</main>"
    (page,) = HTML.read(text.encode(), "mill.html")
    assert page.text.startswith("# The mill\n\nThe mill of Tarn")


@pytest.mark.parametrize("name", ["iso-8859-1", "latin1", "us-ascii", "windows-1252"])
def test_the_names_of_western_encodings_are_read_as_browsers_read_them(
    name: str,
) -> None:
    text = f"<html><head><meta charset={name}></head><body>{ABOVE}<p>The café’s"
    data = (text + " berth costs €40 – a night</p></body></html>").encode("cp1252")
    (page,) = HTML.read(data, "a.html")
    assert "The café’s berth costs €40 – a night" in page.text


def test_the_declaration_of_xml_is_believed() -> None:
    text = f'<?xml version="1.0" encoding="iso-8859-2"?><html><body>{ABOVE}<p>Łódź</p>'
    (page,) = HTML.read(text.encode("iso-8859-2"), "a.xhtml")
    assert "Łódź" in page.text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Fees\n---\nThe fee is 4.\n", "Fees"),
        ("+++\ntitle = 'Fees'\ndate = 2025-04-01\n+++\n\nThe fee is 4.\n", "Fees"),
        ('{\n "title": "Fees"\n}\n\nThe fee is 4.\n', "Fees"),
        ("---\n---\nThe fee is 4.\n", None),
    ],
)
def test_front_matter_of_every_notation(
    tmp_path: Path, text: str, title: str | None
) -> None:
    (tmp_path / "a.md").write_text(text)
    reading = read_folder(tmp_path)
    assert [page.title for page in reading.pages] == [title]
    assert "title" not in reading.pages[0].text and reading.notes == ()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("---\ntitle: @scope/pkg: notes\n---\n\nThe fee is 4.\n", "a.md, line 2: "),
        ("---\ntitle: {{ page.title }}\n---\n\nThe fee is 4.\n", "a.md, line 2: "),
        ("+++\nx = 1\ntitle = Fees\n+++\n\nThe fee is 4.\n", "a.md, line 3: "),
    ],
)
def test_front_matter_that_cannot_be_read_is_noted(
    tmp_path: Path, text: str, place: str
) -> None:
    (tmp_path / "a.md").write_text(text)
    reading = read_folder(tmp_path)
    assert [page.text for page in reading.pages] == ["The fee is 4.\n"]
    assert reading.notes[0].startswith(f"{place}the front matter was set aside: ")
    assert reading.problems == ()


def test_comments_of_markdown_are_no_ground_truth() -> None:
    text = "# Fees\n\n<!-- 99 marks. -->\n\n40 marks.\n\n[//]: # (77 marks.)\n[a]: http://x\n"
    assert without_comments(text) == "# Fees\n\n\n\n40 marks.\n\n[a]: http://x\n"
    assert without_comments("a <!-- b\nc -->\nd\n") == "a \n\nd\n"
    code = "```html\n<!-- kept -->\n```\nUse `<!-- x -->` here.\n"
    assert without_comments(code) == code


def test_mdx_leaves_the_text_and_the_titles_of_components() -> None:
    (page,) = read_file(GOOD / "jetty.mdx")
    assert page.title == "The jetty"
    assert [sentence.text for sentence in sentences(page)] == [
        "# The jetty",
        "Fees of the year:",
        "A berth costs **40 marks** a night.",
        "Showers:",
        "A shower costs 2 marks when a < b and c > d.",
        "```jsx\n<Fee marks={7} />\n```",
    ]


def test_rst_as_sphinx_writes_it() -> None:
    (page,) = read_file(GOOD / "lighthouse.rst")
    assert (page.title, page.authors) == ("The lighthouse", ("Ann Alder",))
    assert "is lit by `light` at 18:30; see opening hours." in page.text
    assert "```yaml\nport: 7411\n```" in page.text
    texts = [one.text for one in statements(page.text)]
    assert "The lighthouse: Warning: The stair has 214 steps." in texts
    assert "The lighthouse: LAMP_HOURS: Default: 12" in texts
    assert "The lighthouse: LAMP_HOURS: New in version 2.1." in texts
    assert "Opening - Entry: Day Monday: Price: 3 marks" in texts


def test_what_docutils_cannot_read_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.rst").write_text(
        "The lamp.\n\n.. image::\n\n.. note::\n\nIt burns.\n"
    )
    reading = read_folder(tmp_path)
    assert "The lamp." in reading.pages[0].text and "It burns." in reading.pages[0].text
    assert "a.rst, line 3: left out: " in reading.notes[0]


TAGS = """<ul> <li> </ul> <table> <tr> <td#rowspan=3> <td#colspan=2> </table> <dl>
<dt> <dd> </dl> <p> <sup> </sup> <del> </del> <pre> </pre> <b> </b> Flour 12 | <br> <h2>
</h2> <a#href=x>"""
PIECES = st.lists(
    st.sampled_from([*(one.replace("#", " ") for one in TAGS.split()), " "]),
    max_size=40,
)


@given(PIECES)
def test_words_that_are_not_struck_are_kept_whatever_the_tags(
    pieces: list[str],
) -> None:
    html = "".join(pieces)
    expected = html.count("Flour") if "<del>" not in html else 0
    assert read(f"<div>{html}</div>").text.count("Flour") >= expected


@given(st.text(alphabet="<>/{}`\"'= aBimport\n*-x", max_size=200))
def test_mdx_of_any_kind_is_read(text: str) -> None:
    result = without_components(text)
    assert len(result) <= 4 * len(text) + 20


def test_the_headings_of_an_empty_search_are_no_title() -> None:
    search = (
        '<div class="search-results"><h1 class="search-results-title">results matching'
        ' "<span></span>"</h1><ul></ul></div>'
    )
    body = f'<div id="found"><h2>Grinding</h2>{ABOVE}{BELOW}{search}</div>'
    head = "<html><head><title>Grinding · The mill</title></head>"
    (page,) = HTML.read(f"{head}<body>{body}</body></html>".encode(), "mill.html")
    assert page.title == "Grinding"
    assert "results matching" not in page.text


def test_what_a_site_is_made_from_has_front_matter_and_tags() -> None:
    source = (
        "---\ntitle: The mill of Tarn\nlayout: page\n---\n"
        f'<h1>Mill</h1>{{% image "mill.svg" %}}{ABOVE}{{%- if open %}}{BELOW}'
    )
    (page,) = HTML.read(source.encode(), "mill.html")
    assert page.title == "The mill of Tarn"
    assert "layout" not in page.text and "%}" not in page.text
    assert "since 1780" in page.text and "in summer" in page.text


def test_tags_that_a_page_shows_stay() -> None:
    assert "{% include %}" in read("<p>Write {% include %} where it goes.</p>").text


def test_front_matter_that_cannot_be_read_costs_the_title_alone() -> None:
    source = f"---\ntitle: [The mill\n---\n<h1>Mill</h1>{ABOVE}{BELOW}"
    reading = HTML.read(source.encode(), "mill.html")
    assert "since 1780" in next(reading).text
    with pytest.raises(PageNote, match="front matter was set aside"):
        next(reading)
