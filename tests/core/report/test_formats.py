"""Reports in every format: complete, in their own grammar, safe whatever they hold.

`UPDATE_SNAPSHOTS=1` writes the golden files and the schema anew.
"""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from lxml import html as lxml_html
from markdown_it import MarkdownIt

from claimscope.core.analysis.gate import Demand, gate
from claimscope.core.analysis.summary.cost import Prices, price_of
from claimscope.core.models import (
    CitationResult,
    CitationState,
    Label,
    RunHeader,
    RunStatus,
    SampleResult,
    Score,
    ScoreSpan,
    UnreadMarker,
    Usage,
)
from claimscope.core.models.base import Difficulty
from claimscope.core.report import document, junit
from claimscope.core.report.document import Report, report_of
from claimscope.core.report.formats import FORMATS, render_report
from claimscope.core.report.github import job_summary, workflow_commands
from claimscope.core.report.passages import answer_passages
from claimscope.core.report.renderers.markdown import plain
from claimscope.core.report.renderers.plain import text as as_text
from claimscope.core.report.rows import defuse_formula
from claimscope.core.report.text import one_line
from claimscope.core.report.view import Span
from claimscope.core.text.sanitising import sanitise
from tests.doubles import fakes
from tests.tui import sample_run

GOLDEN = Path(__file__).parent / "golden"
SCHEMA = Path(document.__file__).parent / "report.schema.json"
HOSTILE = (
    "<script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    "]]><!-- --> &lt; &#60; \"' onload=x",
    "=HYPERLINK(0)",
    "+1|2",
    "@SUM(A1)",
    "-2 % ::error::x",
    "\t=1",
    "\r\n::warning::x",
    "| a | b |\n|---|---|",
    "# h\n- [x](javascript:alert(1)) ![i](http://x.example/i.png)",
    "\x1b[2J\x07\x00\x9b31m",
    "\u202eevil\u2066 \u200f",
    "{{ 7*7 }} {% raw %} ${x} `code` ~~s~~ **b** _e_",
    "www.x.example https://x.example/?a=b a@x.example @orla #12 <http://x.example>",
    "\ufffe\uffff\ufeff",
    "a,b;c\n'd\"",
)
texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.lists(st.sampled_from(HOSTILE), min_size=2, max_size=4).map("".join),
    st.text(min_size=1, max_size=40),
).filter(str.strip)


def status(total: int, head: RunHeader | None = None) -> RunStatus:
    return RunStatus(
        header=head or sample_run.run_header(),
        state="finished",
        completed=total,
        passed=1,
        failed=2,
        unscored=1,
        usage=Usage(calls=1, prompt_tokens=200, completion_tokens=20),
    )


def report(samples: list[SampleResult], head: RunHeader | None = None) -> Report:
    where = status(len(samples), head)
    return report_of(
        where,
        samples,
        cost=price_of("run", where.usage, Prices(), samples=len(samples), unscored=1),
        pass_grade=4,
        gate=gate(
            where,
            samples,
            [Demand(metric="pass_rate", bound=0.5)],
            min_coverage=0.7,
        ),
    )


def full() -> Report:
    return report(
        [
            sample_run.failed_sample(),
            sample_run.passed_sample(),
            sample_run.empty_sample(),
            sample_run.error_sample(),
        ]
    )


def hostile(text: str) -> Report:
    """A run with the text in every place that a stranger can fill."""
    bad = fakes.sample("c1", label=Label.CONTRADICTED, text=text)
    (result,) = bad.claims
    (evidence,) = result.verdict.evidence
    evidence = evidence.model_copy(
        update={"text": text, "title": text, "url": text, "before": text}
    )
    verdict = result.verdict.model_copy(
        update={"evidence": (evidence,), "reason": text, "model": text}
    )
    case = fakes.case(text, question=text, category=text, domain=text)
    (failure,) = bad.failures
    bad = bad.model_copy(
        update={
            "key": bad.key.model_copy(update={"case_id": text, "provider": text}),
            "case": case,
            "claims": (result.model_copy(update={"verdict": verdict}),),
            "failures": (failure.model_copy(update={"message": text}),),
            "unread_markers": (
                UnreadMarker(text=text, start=0, end=len(text), reason="unknown"),
            ),
            "citations": (
                CitationResult(
                    text=text,
                    start=0,
                    end=len(text),
                    page_id=text,
                    state=CitationState.BROKEN,
                    reason=text,
                ),
            ),
            "scores": (
                *bad.scores,
                Score(
                    metric="citation_recall",
                    value=0,
                    evidence=(
                        ScoreSpan(
                            kind="not retrieved", text=text, source=text, note=text
                        ),
                    ),
                ),
            ),
        }
    )
    broken = bad.model_copy(update={"passed": None, "error": text, "claims": ()})
    skipped = broken.model_copy(update={"error": None})
    head = sample_run.run_header(
        suite_id=text, suite_title=text, model=text, verifier=text
    )
    return report([bad, broken, skipped], head)


def made(found: Report, name: str, *, claims: bool = False) -> str:
    return "".join(render_report(found, name, claims=claims))


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("report.md", "md"),
        ("samples.csv", "csv"),
        ("claims.csv", "claims"),
        ("junit.xml", "junit"),
        ("github.txt", "github"),
    ],
)
def test_headless_reports_are_as_they_were(file: str, name: str) -> None:
    if name == "github":
        lines = [*job_summary(full()), *workflow_commands(full(), "suites/varn.json")]
        text = "\n".join(lines) + "\n"
    elif name == "claims":
        text = made(full(), "csv", claims=True)
    else:
        text = made(full(), name)
    path = GOLDEN / file
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    assert text == path.read_bytes().decode()


def test_the_published_schema_is_that_of_the_code() -> None:
    text = json.dumps(document.schema(), indent=2) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SCHEMA.write_text(text, "utf-8")
    assert json.loads(SCHEMA.read_bytes()) == document.schema(), (
        "the shape of a report changed: raise VERSION in core/report/document.py when "
        "readers of the old one would stumble, then UPDATE_SNAPSHOTS=1 pytest this file"
    )


def test_json_follows_the_schema_and_json_lines_are_its_samples() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(document.schema())
    validator = Draft202012Validator(document.schema())
    found = json.loads(made(full(), "json"))
    assert list(validator.iter_errors(found)) == []
    assert list(validator.iter_errors({**found, "stray": 1}))
    lines = [json.loads(line) for line in made(full(), "jsonl").splitlines()]
    assert {line.pop("run_id") for line in lines} == {sample_run.RUN_ID}
    assert lines == found["samples"]
    assert [line["passed"] for line in lines] == [False, False, None, True]
    assert SampleResult.model_validate(lines[0]) == sample_run.failed_sample()


def test_what_stays_on_this_machine_is_not_in_a_report() -> None:
    head = sample_run.run_header(
        suite_path="/srv/orla/suite.json",
        pages_path="/srv/orla/pages",
        answers_path="/srv/orla/answers.jsonl",
        embedding_model="/srv/orla/models/small",
        settings={
            "seed": 7,
            "ollama_host": "box.example",
            "classifier": "/srv/orla/x",
        },
    )
    found = report([sample_run.failed_sample()], head)
    assert found.run.settings == {"seed": 7, "classifier": "x"}
    for name in FORMATS:
        text = made(found, name)
        assert "/srv/orla" not in text and "box.example" not in text


def test_the_page_shows_failures_first_and_claims_in_place() -> None:
    page = lxml_html.fromstring(made(full(), "html"))
    parts = page.xpath("//details[@class='sample']")
    heads = [" ".join(part.find("summary").text_content().split()) for part in parts]
    assert heads[0].startswith("✗ failed var-001/alder/1")
    assert heads[-1].startswith("✓ passed var-001/birch/1")
    assert [part.get("open") is not None for part in parts] == [True, True, True, False]
    marks = parts[0].xpath(".//mark")
    assert [(m.get("class"), m.text_content()) for m in marks] == [
        ("good", "The dam is 38 metres high"),
        ("bad", "The reservoir holds 9 million cubic metres"),
        ("weak", "Its keeper is called Orla"),
    ]
    tags = [tag.text_content() for tag in parts[0].xpath(".//a[@class!='']")]
    assert tags == ["✓ 1 supported", "✗ 2 contradicted", "○ 3 not enough info"]
    ids = set(page.xpath("//@id"))
    assert {link[1:] for link in page.xpath("//a/@href") if link[0] == "#"} <= ids
    told = parts[0].text_content()
    assert "Against it  Water storage at Varn  PMID:99000007:S:1" in told
    assert "It holds 4.2 million cubic metres when full." in told
    assert "answer: 9 million  ≠  page: 4.2 million" in told
    assert len(page.xpath("//figure/svg")) == 2  # accuracy has no value to draw
    assert "Ollama does not answer" in parts[2].text_content()


def cited(
    case_id: str, category: str, difficulty: Difficulty, precision: float | None
) -> SampleResult:
    """A sample with figures of citations, and one expected citation that is missing."""
    lost = ScoreSpan(
        kind="retrieved, not cited",
        text="two wheels",
        source="mill:1:S:1",
        note="place 3, in the contexts",
    )
    sample = fakes.sample(case_id)
    fields = {"category": category, "difficulty": difficulty}
    return sample.model_copy(
        update={
            "passed": False,
            "case": sample.case.model_copy(update=fields),
            "scores": (
                Score(metric="citation_existence", value=1.0),
                Score(metric="citation_precision", value=precision),
                Score(metric="citation_recall", value=0.5, evidence=(lost,)),
                Score(metric="citation_f1", value=precision),
            ),
            "unread_markers": (
                UnreadMarker(text="[S1]", start=0, end=4, reason="of unknown kind"),
            ),
        }
    )


def test_precision_recall_and_f1_by_category_and_difficulty() -> None:
    found = report(
        [
            cited("a", "mills", "hard", 0.5),
            cited("b", "mills", "easy", 1.0),
            cited("c", "ponds", "easy", None),
        ]
    )
    heads = [
        "exist (citation_existence)",
        "exist and support (citation_precision)",
        "recall (citation_recall)",
        "F1 (citation_f1)",
    ]
    rows = {
        "category": [
            ["mills", "1 (2 of 2)", "0.75 (2 of 2)", "0.5 (2 of 2)", "0.75 (2 of 2)"],
            ["ponds", "1 (1 of 1)", "– (0 of 1)", "0.5 (1 of 1)", "– (0 of 1)"],
        ],
        "difficulty": [
            ["easy", "1 (2 of 2)", "1 (1 of 2)", "0.5 (2 of 2)", "1 (1 of 2)"],
            ["hard", "1 (1 of 1)", "0.5 (1 of 1)", "0.5 (1 of 1)", "0.5 (1 of 1)"],
        ],
    }
    markdown = made(found, "md").replace("\\", "")
    page = lxml_html.fromstring(made(found, "html"))
    for by, cells in rows.items():
        assert f"## Citations by {by}" in markdown
        for row in cells:
            assert f"| {' | '.join(row)} |" in markdown
        (table,) = page.xpath(f"//h2[.='Citations by {by}']/following::table[1]")
        shown = [[c.text_content() for c in row] for row in table.xpath(".//tr")]
        assert shown == [[by, *heads], *cells]
    lost = "mill:1:S:1: retrieved, not cited (place 3, in the contexts): “two wheels”"
    for text in (markdown, page.text_content()):
        assert f"expected citation {lost}" in text
        assert "read as no citation: [S1]: of unknown kind" in text


def test_a_run_without_citations_has_no_table_of_them() -> None:
    assert "Citations by" not in made(full(), "md")


def test_faithful_by_complete_is_in_every_report() -> None:
    """Of four placed, one is in both, one in neither, two are complete alone: 25, 0, 50
    and 25 %; the fifth has no grades."""
    found = report(
        [
            fakes.graded_sample("a", 5, 4),
            fakes.graded_sample("b|x", 2, 5),
            fakes.graded_sample("c", 3, 4),
            fakes.graded_sample("d", 1, 1),
            fakes.sample("e"),
        ]
    )
    text = made(found, "md")
    assert "## Faithful and complete, by grades: 4 samples" in text
    assert "| faithful and complete | 1 | 25% |  |  |" in text
    assert "| faithful, not complete | 0 | 0% |  |  |" in text
    row = "low grade 2 | b\\|x/alpha/1, c/alpha/1 |"
    assert f"| complete, not faithful | 2 | 50% | {row}" in text
    assert "| neither | 1 | 25% | low grade 1 | d/alpha/1 |" in text
    assert "not placed, as one of the two is not known: 1" in text
    page = lxml_html.fromstring(made(found, "html"))
    cells = page.xpath("//h2[starts-with(., 'Faithful')]/following-sibling::div[1]//td")
    assert [cell.text_content() for cell in cells[10:15]] == [
        "complete, not faithful",
        "2",
        "50%",
        "low grade 2",
        "b|x/alpha/1, c/alpha/1",
    ]
    quarters = json.loads(made(found, "json"))["quadrant"]["quarters"]
    assert [len(one["samples"]) for one in quarters] == [1, 0, 2, 1]


def test_a_run_without_both_has_no_quarters() -> None:
    found = report([fakes.sample("a")])
    assert "complete" not in made(found, "md")
    assert "Faithful and complete" not in made(found, "html")


def test_the_page_needs_nothing_and_lets_nothing_run() -> None:
    text = made(full(), "html")
    page = lxml_html.fromstring(text)
    policy = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert not page.xpath("//script | //link | //img | //iframe | //@src | //@style")
    assert len(page.xpath("//style")) == 1
    assert "prefers-color-scheme: dark" in text and "@media print" in text


def test_long_runs_are_cut_and_say_so() -> None:
    samples = [fakes.sample(f"c{n}", label=Label.CONTRADICTED) for n in range(5)]
    found = report(samples)
    page = "".join(render_report(found, "html", limit=2))
    assert page.count('<details class="sample"') == 2
    assert "3 more samples are not shown here" in page
    text = "".join(render_report(found, "md", limit=2))
    assert text.count("### ✗ failed") == 2
    assert "and 3 more that did not pass" in text


def test_an_unfinished_run_is_an_error_of_its_junit_report() -> None:
    head = sample_run.run_header(total_samples=9)
    root = etree.fromstring(
        made(report([sample_run.passed_sample()], head), "junit").encode()
    )
    (error,) = root.xpath("//testsuite[1]//error")
    assert error.get("message") == "8 of 9 samples were not judged: run finished"
    assert root.get("errors") == "3"  # and the two checks of the gate


SLOW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@SLOW
@given(texts)
def test_a_hostile_text_stays_text_in_html(text: str) -> None:
    page = made(hostile(text), "html")
    root = lxml_html.fromstring(page)
    assert not root.xpath("//script | //img | //link | //iframe | //object | //form")
    names = {name for element in root.iter(etree.Element) for name in element.keys()}
    assert not [name for name in names if name.startswith("on") or name == "style"]
    hrefs = [h for h in root.xpath("//@href") if h[0] != "#"]
    assert all(h.startswith(("http://", "https://")) for h in hrefs)
    assert len(root.xpath("//style")) == 1
    assert sanitise(page) == page
    shown = root.xpath("//div[@class='answer']/mark")[0].text_content()
    assert shown.split() == sanitise(text).replace("\x00", "").split()


@SLOW
@given(texts)
def test_a_hostile_text_stays_text_in_junit(text: str) -> None:
    root = etree.fromstring(made(hostile(text), "junit").encode())
    kinds = [[child.tag for child in case] for case in root.xpath("//testcase")]
    assert kinds[:3] == [
        ["failure", "system-out"],
        ["error", "system-out"],
        ["skipped", "system-out"],
    ]
    told = root.xpath("//failure")[0].text
    assert junit.xml_text(as_text([Span(text)])) in told
    assert root.xpath("//testsuite/@failures") == ["1", "0"]


@SLOW
@given(texts)
def test_a_hostile_text_stays_one_harmless_cell(text: str) -> None:
    for claims in (False, True):
        table = made(hostile(text), "csv", claims=claims)
        heads, *rows = list(csv.reader(io.StringIO(table)))
        assert len(rows) == (1 if claims else 3)
        for row in rows:
            assert len(row) == len(heads)
            for cell in row:
                number = cell.replace(".", "").replace("-", "").isdecimal()
                assert cell[:1] not in tuple("=+-@\t\r") or number
        cell = dict(zip(heads, rows[0], strict=True))["claim" if claims else "answer"]
        assert cell.removeprefix("'") == sanitise(text).removeprefix("'")


@SLOW
@given(texts)
def test_a_hostile_text_stays_text_in_markdown(text: str) -> None:
    parser = MarkdownIt("gfm-like", {"linkify": False, "html": True})
    tokens = parser.parse(f"| a |\n|---|\n| {plain(text)} |\n\n**x:** {plain(text)}")
    inline = [token for token in tokens if token.type == "inline"]
    assert len(inline) == 3
    for token in inline[1:]:
        kinds = {child.type for child in token.children or ()}
        assert kinds <= {
            "text",
            "text_special",
            "html_inline",
            "strong_open",
            "strong_close",
        }
        html = [c.content for c in token.children or () if c.type == "html_inline"]
        assert set(html) <= {"<!-- -->"}
        shown = "".join(
            c.content for c in token.children or () if c.type.startswith("text")
        )
        assert shown.removeprefix("x: ").strip() == one_line(text)
    whole = made(hostile(text), "md")
    assert sanitise(whole) == whole


@SLOW
@given(texts)
def test_a_hostile_text_stays_inside_its_line_for_machines(text: str) -> None:
    found = hostile(text)
    for line in workflow_commands(found, text):
        assert line.startswith(("::error ", "::warning ")) and line.count("\n") == 0
        assert sanitise(line) == line
    lines = made(found, "jsonl").split("\n")
    assert [json.loads(line)["answer"]["text"] for line in lines[:-1]] == [text] * 3
    assert json.loads(made(found, "json"))["samples"][0]["answer"]["text"] == text


@pytest.mark.parametrize("cell", [0.5, -3, 7, None])
def test_numbers_stay_numbers(cell: float | None) -> None:
    assert defuse_formula(cell) is cell


spans = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 30), st.sampled_from(list(Label))),
    max_size=5,
)


@given(spans)
def test_the_pieces_of_an_answer_are_the_answer(
    found: list[tuple[int, int, Label]],
) -> None:
    text = "The dam\x1b is 38 metres\u202e high."
    claims = []
    for index, (start, end, label) in enumerate(found):
        result = fakes.claim_result(text, label, index)
        claim = result.claim.model_copy(update={"start": start, "end": end})
        claims.append(result.model_copy(update={"claim": claim}))
    sample = fakes.sample(text=text, claims=tuple(claims))
    pieces = list(answer_passages(sample))
    assert "".join(piece.text for piece in pieces) == sanitise(text)
    place = 0
    for piece in pieces:
        over = [lab for s, e, lab in found if s <= place < min(e, len(text))]
        assert (piece.label is None) == (not over)
        assert Label.CONTRADICTED not in over or piece.label is Label.CONTRADICTED
        place += len(piece.text)
    ended = [r.claim.index for piece in pieces for r in piece.ending]
    fitting = [i for i, (s, e, _) in enumerate(found) if s < min(e, len(text))]
    assert sorted(ended) == fitting
