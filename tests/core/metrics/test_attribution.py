"""Mentions of a source and their score (METRICS A; seed A, section Attribution Score).

The seed gives weights (URL 100, domain 75, brand 50, 10 for each additional mention,
cap 100) and no worked figures; those below follow from them by hand.
"""

from __future__ import annotations

import socket
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.metrics.base import Findings, missing_need
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import Answer, Case, Score
from claimscope.core.settings import Settings
from claimscope.core.text.citations.mentions import (
    CONTEXT,
    find_mentions,
    has_public_suffix,
    host_of,
)

BRANDS = ("Harbour Pottery", "Harbour")
HOUSE = Case(
    id="clay",
    question="Where are the kilns?",
    domain="harbour-pottery.com",
    brands=BRANDS,
)


def score(text: str, chosen: Settings = Settings(), case: Case = HOUSE) -> Score:  # noqa: B008
    found = Findings(
        case=case,
        answer=Answer(case_id=case.id, text=text),
        empty=not text.strip(),
        settings=chosen,
    )
    return discover()["attribution"].score(found)


def value(text: str, chosen: Settings | None = None) -> float:
    got = score(text, chosen or Settings()).value
    assert got is not None
    return got


def kinds(text: str, domain: str, brands: Sequence[str] = ()) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in find_mentions(text, domain, brands)]


# --- the formula --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("The kilns are in the yard.", 0),
        ("Harbour Pottery has two kilns.", 50),
        ("The kilns are listed on harbour-pottery.com.", 75),
        ("See https://harbour-pottery.com/kilns for the kilns.", 100),
        # 50 + 10; 50 + 4 x 10; 75 + 10 x (2 - 1)
        ("Harbour Pottery has kilns. Harbour Pottery fires them.", 60),
        ("Harbour, Harbour, Harbour, Harbour, Harbour.", 90),
        ("Harbour Pottery (harbour-pottery.com) has two kilns.", 85),
        # 50 + 6 x 10 and 100 + 10, both capped at 100
        ("Harbour " * 7, 100),
        ("Harbour Pottery: harbour-pottery.com/kilns", 100),
    ],
)
def test_the_best_mention_counts_and_each_further_one_adds(
    text: str, points: float
) -> None:
    assert value(text) == points


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("harbour-pottery.com/kilns", "excellent"),
        ("harbour-pottery.com and Harbour Pottery", "excellent"),  # 85
        ("harbour-pottery.com", "good"),  # 75
        ("Harbour Pottery", "fair"),  # 50
        ("a pottery", "poor"),
    ],
)
def test_tiers_are_those_of_the_seed(text: str, tier: str) -> None:
    assert score(text).tier == tier


def test_weights_bonus_and_cap_are_settings() -> None:
    chosen = Settings(
        attribution_url=60,
        attribution_domain=40,
        attribution_brand=20,
        attribution_bonus=5,
        attribution_cap=62,
    )
    assert value("Harbour Pottery", chosen) == 20
    assert value("Harbour Pottery and harbour-pottery.com", chosen) == 45
    assert value("harbour-pottery.com/a harbour-pottery.com/b", chosen) == 62


def test_each_mention_is_evidence_with_place_and_context() -> None:
    text = "x" * 50 + " see https://www.harbour-pottery.com/kilns, " + "y" * 50
    got = score(text)
    (span,) = got.evidence
    assert span.start is not None and span.end is not None
    assert (span.kind, span.value) == ("url", 100)
    assert span.text == text[span.start : span.end]
    assert span.text == "https://www.harbour-pottery.com/kilns"
    assert span.note == text[span.start - CONTEXT : span.end + CONTEXT]
    assert got.details == {"url": 1, "domain": 0, "brand": 0}


def test_an_empty_answer_is_0_and_flagged() -> None:
    got = score("  ")
    assert (got.value, got.details["review"]) == (0, True)


def test_without_names_it_does_not_apply() -> None:
    bare = HOUSE.model_copy(update={"domain": None, "brands": ()})
    got = score("Harbour Pottery", case=bare)
    assert (got.value, got.applicable) == (None, False)
    reason = missing_need(discover()["attribution"], bare, judge=False)
    assert got.reason == reason == "the case names no domain and no brand"


# --- addresses ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "shown"),
    [
        ("https://example.com", "url", "https://example.com"),
        ("http://example.com:8080/a?b=c#d.", "url", "http://example.com:8080/a?b=c#d"),
        ("example.com/fees", "url", "example.com/fees"),
        ("EXAMPLE.COM/Fees,", "url", "EXAMPLE.COM/Fees"),
        ("[the fees](https://example.com/fees)", "url", "https://example.com/fees"),
        ('[x](https://example.com/f "Fees")', "url", "https://example.com/f"),
        ("<https://example.com/a>", "url", "https://example.com/a"),
        ("[1]: https://example.com/a", "url", "https://example.com/a"),
        ("(see example.com/a_(b))", "url", "example.com/a_(b)"),
        ("https://me:word@example.com/a", "url", "example.com/a"),
        ("//shop.example.com/a", "url", "shop.example.com/a"),
        ("example.com", "domain", "example.com"),
        ("www.example.com", "domain", "www.example.com"),
        ("a.b.example.com!", "domain", "a.b.example.com"),
        ("**example.com**", "domain", "example.com"),
        ("_example.com_", "domain", "example.com"),
        ("(example.com)", "domain", "example.com"),
        ("on example.com.", "domain", "example.com"),
        ("on example.com.The fee is", "domain", "example.com"),
        ("example.com's pages", "domain", "example.com"),
        ("office@example.com", "domain", "example.com"),
        ("请看example.com的内容", "domain", "example.com"),
    ],
)
def test_addresses_on_the_domain(text: str, kind: str, shown: str) -> None:
    found = kinds(text, "example.com")
    assert len(found) == 1
    assert found[0][0] == kind
    assert found[0][1].endswith(shown)


@pytest.mark.parametrize(
    "text",
    [
        "notexample.com",
        "not-example.com/fees",
        "example.com.evil.net",
        "https://example.com.evil.net/fees",
        "example.community",
        "example.com.uk",
        "example.co",
        "xample.com",
        "https://example.com@evil.net/fees",
        "https://example.com:80@evil.net/fees",
        "https://evil.net/example.com",
        "https://evil.net/?to=https://example.com/fees",
        "example com",
        "https://",
    ],
)
def test_other_hosts_are_no_mention(text: str) -> None:
    assert kinds(text, "example.com") == []


def test_a_link_that_shows_its_own_address_is_one_mention() -> None:
    assert kinds("[example.com](https://example.com/a)", "example.com") == [
        ("url", "https://example.com/a")
    ]
    two = kinds("[example.com](https://evil.net/a)", "example.com")
    assert two == [("domain", "example.com")]


def test_idn_and_punycode_are_one_host() -> None:
    for domain in ("bücher.example", "xn--bcher-kva.example", "BÜCHER.example"):
        for written in (
            "bücher.example/a",
            "xn--bcher-kva.example/a",
            "Bücher。example/a",
        ):
            assert kinds(f"see {written}", domain) == [("url", written)]
    assert kinds("bucher.example", "bücher.example") == []
    # A Cyrillic letter that looks like the Latin one is another host.
    assert kinds("ex\u0430mple.com", "example.com") == []


@pytest.mark.parametrize(
    "written",
    [
        "example.com",
        "www.example.com",
        "https://example.com",
        "https://www.EXAMPLE.com:443/fees?x=1",
        " example.com/ ",
    ],
)
def test_a_case_may_write_its_domain_as_an_address(written: str) -> None:
    assert host_of(written) == "example.com"


def test_nobody_owns_a_public_suffix() -> None:
    assert kinds("rival.co.uk/fees", "co.uk") == []
    assert kinds("shop.clay.co.uk/fees", "clay.co.uk") == [
        ("url", "shop.clay.co.uk/fees")
    ]


def test_public_suffixes_come_from_the_bundled_list_without_a_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert has_public_suffix("never-looked-up.co.uk")
    assert not has_public_suffix("notes.thefee")


# --- brands -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Acme says", 1),
        ("ACME's kilns, acme-made", 2),
        ("Acmeology, xacme, acme2, acme_x", 0),
        ("«Acme»", 1),
        ("**Ac**me", 1),
        ("使用Acme软件", 1),
    ],
)
def test_brands_are_whole_words_of_any_case(text: str, count: int) -> None:
    found = find_mentions(text, None, ["Acme"])
    assert [one.kind for one in found] == ["brand"] * count


def test_brands_in_other_scripts_and_forms() -> None:
    for brand, text in (
        ("Café Ünal", "das CAFÉ ÜNAL hat"),
        ("Café Ünal", unicodedata.normalize("NFD", "im Café  \n Ünal ist")),
        ("Straße", "die STRASSE"),
        ("Яблоко", "компания «ЯБЛОКО»"),
        ("豊田", "豊田市"),
    ):
        assert len(find_mentions(text, None, [brand])) == 1, brand
    assert find_mentions("Acmé", None, ["Acme"]) == []
    assert find_mentions("Яблоков", None, ["Яблоко"]) == []


def test_the_longer_brand_takes_its_place_alone() -> None:
    assert kinds("Harbour Pottery of Harbour", "", BRANDS) == [
        ("brand", "Harbour Pottery"),
        ("brand", "Harbour"),
    ]
    assert find_mentions("Acme", None, ["Acme", "ACME", " ", ""])[0].kind == "brand"


def test_a_brand_inside_an_address_is_not_counted_again() -> None:
    assert kinds("https://harbour.com/harbour", "harbour.com", ["Harbour"]) == [
        ("url", "https://harbour.com/harbour")
    ]
    assert kinds("harbour.com and Harbour", "harbour.com", ["Harbour"]) == [
        ("domain", "harbour.com"),
        ("brand", "Harbour"),
    ]
    # Nor inside somebody else's address, but a brand may be an address itself.
    assert kinds("harbour.community", "harbour.com", ["Harbour"]) == []
    assert kinds("Kilns.com sells", "", ["Kilns.com"]) == [("brand", "Kilns.com")]
    assert kinds("Node.js runs", "", ["Node.js"]) == [("brand", "Node.js")]


# --- properties ---------------------------------------------------------------

WORDS = st.sampled_from(
    "the kilns Harbour Pottery harbour-pottery.com and https://harbour-pottery.com/a "
    "www.harbour-pottery.com/x, (Harbour) evil.net Café.".split()
)
ANSWERS = st.lists(WORDS, max_size=12).map(" ".join)
ANYTHING = st.text(max_size=80) | ANSWERS


@given(ANYTHING)
@settings(max_examples=300, deadline=None)
def test_any_text_has_a_score_and_every_mention_its_place(text: str) -> None:
    got = score(text)
    assert got.value is not None and 0 <= got.value <= 100
    for span in got.evidence:
        assert span.start is not None and span.end is not None
        assert span.text == text[span.start : span.end] != ""
        assert span.text in span.note
    places = [(span.start or 0, span.end or 0) for span in got.evidence]
    assert all(a[1] <= b[0] for a, b in zip(places, places[1:], strict=False))


@given(ANSWERS, st.integers(0, 12))
@settings(max_examples=150, deadline=None)
def test_a_url_more_never_lowers_the_score(text: str, at: int) -> None:
    words = text.split()
    more = [*words[:at], "https://harbour-pottery.com/more", *words[at:]]
    assert value(" ".join(more)) >= value(text)
    assert value(" ".join(more)) == 100


@given(ANSWERS, st.sampled_from(["**{}**", "*{}*", "_{}_", "`{}`", "~~{}~~"]))
@settings(max_examples=150, deadline=None)
def test_emphasis_white_space_and_unicode_form_change_nothing(
    text: str, emphasis: str
) -> None:
    plain = value(text)
    marked = " ".join(emphasis.format(word) for word in text.split())
    assert value(marked) == plain
    assert value(f" \n{text}\t\n") == plain
    assert value(text.replace(" ", "\n")) == plain
    assert value(unicodedata.normalize("NFD", text)) == plain
    assert value(unicodedata.normalize("NFC", text)) == plain


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_both_unicode_forms_of_any_text_score_alike(text: str) -> None:
    case = HOUSE.model_copy(update={"brands": (text[:9] or "x", "Ünal")})
    composed, apart = (
        score(unicodedata.normalize(form, f"{text} ünal"), case=case).value
        for form in ("NFC", "NFD")
    )
    assert composed == apart
