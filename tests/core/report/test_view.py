"""Views in every medium: the same words, each safe in its own grammar."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html
from markdown_it import MarkdownIt

from claimscope.core.models import Label
from claimscope.core.report.renderers import html, markdown, plain
from claimscope.core.report.view import (
    SIGNS,
    Column,
    Fields,
    Part,
    Section,
    Span,
    Table,
    line,
    list_section,
    row,
    sign_span,
)
from claimscope.core.report.views.reanalysis import reanalysis_view
from claimscope.core.run.reanalysis import PageReason, Reanalysis, VerdictFlip

TABLE = Table(
    (
        Column("figure"),
        Column("mean", "right"),
        Column("tier", is_optional=True),
        Column("verdict"),
    ),
    (
        row("accuracy", "81.1", "", sign_span("passed", "supported")),
        row("f1", "0.705", "", line("a ", sign_span("FAILED", "contradicted"))),
    ),
)


def test_a_table_is_as_wide_as_its_cells_and_leaves_empty_columns_out() -> None:
    assert list(plain.lines([TABLE])) == [
        "figure     mean  verdict",
        "accuracy   81.1  passed",
        "f1        0.705  a FAILED",
    ]
    assert list(plain.lines([TABLE], signs=SIGNS))[2] == "f1        0.705  a ✗ FAILED"
    assert list(markdown.lines([TABLE])) == [
        "| figure | mean | verdict |",
        "|---|---|---|",
        "| accuracy | 81.1 | ✓ passed |",
        "| f1 | 0.705 | a ✗ FAILED |",
        "",
    ]
    page = lxml_html.fromstring("".join(html.view_html([TABLE])))
    cells = [[c.text_content() for c in r] for r in page.xpath(".//tr")]
    assert cells[1:] == [
        ["accuracy", "81.1", "✓ passed"],
        ["f1", "0.705", "a ✗ FAILED"],
    ]
    assert page.xpath(".//th[@class='n']/text()") == ["mean"]


def test_a_table_that_is_too_wide_is_cut_into_blocks_with_its_first_column() -> None:
    wide = Table(
        (Column("cell"), *(Column(f"figure {n}", "right") for n in range(3))),
        (row("a", "1", "2", "3"),),
    )
    assert list(plain.lines([wide], width=24)) == [
        "cell  figure 0  figure 1",
        "a            1         2",
        "",
        "cell  figure 2",
        "a            3",
    ]
    assert wide.without("figure 0", "figure 2").columns[1].title == "figure 1"


def test_sections_set_in_and_a_list_ends_with_the_count_of_the_rest() -> None:
    inner = Section(line(Span("one", "strong")), (line("why", level=1),))
    view = [list_section("things: 3", [inner, line("two")], left=1)]
    assert list(plain.lines(view)) == [
        "things: 3",
        "  one",
        "      why",
        "  two",
        "  and 1 more (--all)",
    ]
    assert list(markdown.lines(view))[:5] == [
        "## things: 3",
        "",
        "### **one**",
        "",
        "- why",
    ]


def test_fields_stand_below_one_another() -> None:
    found = Fields(
        (("kappa", line("0.62")), ("of all", line(sign_span("–", "unscored"))))
    )
    assert list(plain.lines([found])) == ["kappa   0.62", "of all  –"]
    assert list(markdown.lines([found])) == ["- kappa: 0.62", "- of all: ? –", ""]
    page = lxml_html.fromstring("".join(html.view_html([found])))
    assert [e.text_content() for e in page.xpath(".//dd")] == ["0.62", "? –"]


def test_a_reanalysis_names_each_claim_that_came_out_another_way() -> None:
    flip = VerdictFlip(
        sample="tide/alder/1",
        claim="The tide is 4 m high.",
        old=Label.SUPPORTED,
        new=Label.CONTRADICTED,
        pages=(PageReason(page_id="harbour", what="changed"),),
    )
    found = Reanalysis(
        made_from="r1",
        carried=1,
        judged=3,
        same=5,
        flips=(flip,),
        only_before=0,
        only_now=0,
        outcomes={"passed, now failed": 1},
    )
    assert list(plain.lines([reanalysis_view(found)])) == [
        "of run r1: 1 sample taken over, 3 judged again",
        "  claims judged again with the verdict they had: 5",
        "  claims with another verdict: 1",
        "  samples passed, now failed: 1",
        "  tide/alder/1: supported → contradicted",
        "    The tide is 4 m high.",
        "    page harbour: changed",
    ]


HOSTILE = st.text(
    st.characters(categories=["Cc", "Cf", "Zl", "Zp"]) | st.sampled_from("a|[*<&#`_>"),
    min_size=1,
    max_size=12,
).map(lambda text: f"{text}\x1b]0;owned\x07<script>x</script>[a](b)\u202e")


@given(HOSTILE)
def test_no_foreign_text_is_obeyed_in_any_medium(text: str) -> None:
    view: list[Part] = [
        Section(line(text), (line(text, Span(text, "strong")), line(text, level=1))),
        Table((Column(text),), (row(text), row(line(text, sign_span(text, "likely"))))),
        Fields(((text, line(text)),)),
    ]
    for shown in plain.lines(view, signs=SIGNS):
        assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Zl", "Zp")]
        assert "\u202e" not in shown
    tokens = MarkdownIt("gfm-like").parse("\n".join(markdown.lines(view)))
    told = [t for token in tokens for t in (token, *(token.children or ()))]
    kinds = {t.type for t in told if t.content != "<!-- -->"}  # ours, in @names
    assert not kinds & {"html_inline", "html_block", "link_open", "image"}
    page = lxml_html.fromstring("<div>" + "".join(html.view_html(view)) + "</div>")
    assert not page.xpath("//script|//a")
