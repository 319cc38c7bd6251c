"""The worst texts that were found, each through its function in linear time.

`benchmarks/speed/linear_time.py` measures all functions on all patterns. Here each of
the worst is given 64,000 characters and a ceiling of processor time fifty times what it
takes: no clock is compared, and only work that grows with the square reaches it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.speed import linear_time

pytestmark = pytest.mark.slow

SIZE = 64_000
CEILING = 30.0
WORST = (
    ("quantities.numbers.quantities", "", "1 to "),
    ("quantities.numbers.quantities", "", "from 10 to "),
    ("quantities.numbers.quantities", "", "no more than 5 "),
    ("quantities.numbers.quantities", "", "rose to 5 "),
    ("quantities.numbers.quantities", "[", "S:1 "),
    ("quantities.numbers.numerals", "", "1990 "),
    ("quantities.numbers.dates_and_times", "", "1 May 2020 "),
    ("citations.markers.find_markers", "", "[a](b)"),
    ("citations.markers.find_markers", "[1] [a](", "b"),
    ("citations.markers.find_markers", "[1]\n", "`"),
    ("citations.markers.find_markers", "", "[" + "1," * 198 + "1]"),
    ("citations.markers.find_markers", "(", "Aven "),
    ("citations.markers.find_markers", "", "Aven and "),
    ("citations.markers.find_markers", "", "(Aven 2020; "),
    ("citations.markers.find_markers", "", "(Aven 2020)"),
    ("citations.markers.find_markers", "", "<sup>1"),
    ("citations.markers.find_markers", "", "<ref "),
    ("citations.markers.find_markers", "", "¹"),
    ("citations.markers.find_markers", "", "oak¹ "),
    ("citations.markers.find_markers", "[1]\n", "- [1] x\n"),
    ("citations.markers.find_markers", "[1]\n", "[1] x\n"),
    ("citations.markers.find_markers", "[1]", "\n"),
    ("citations.markers.attach_markers", "", "[1]"),
    ("citations.markers.attach_markers", "", "- [1]\n"),
    ("citations.markers.marker_removals", "", "[1]"),
    ("readable.strip_markup", "", "<!--"),
    ("code_names.code_spans", "", "a_b "),
    ("readable.strip_markup", "", "`a`. B "),
    ("prose.reading", "", "- [1]\n"),
    ("chunks.split_chunks paragraphs", "", "a\n\n"),
    ("sentences.split_sentences markdown", ". [", "1"),
    ("sentences.split_sentences markdown", "", "`a`. B "),
    ("sentences.split_sentences", "", "```x\n"),
    ("non_factual.classify_remark", "", "-"),
    ("non_factual.classify_remark", "", "the "),
    ("non_factual.classify_remark", "", "a."),
    ("non_factual.is_abstention", "the ", "a"),
    ("linguistics.clause_cuts", "", "; "),
    ("linguistics.clause_cuts", "; ", " "),
    ("verification.is_empty", "", "-"),
    ("verification.decompose", "", ":"),
    ("verification.decompose", "", "- a:\n"),
    ("verification.decompose", "a|b\n-|-\n", "a|"),
    ("verification.decompose", "", "```\n"),
    ("table_rows.is_head", "|", "\n"),
    ("code_lines.code_lines", "```yaml\n", "a:\n"),
    ("lead_ins.topic_of", "", "the "),
    ("abstentions.find_denial", "the ", "a "),
    ("non_factual.classify_remark", "I", " "),
    ("verification.decompose", "", "[a](b)"),
    ("sources.printed", "", "a"),
    ("sources.printed", "", "ab-\ncd "),
    ("sources.printed", "", "•\ta\n"),
    ("sources.printed", "", "a\tb\n"),
    ("sources.printed", "", "a\t"),
    ("sources.markdown", "# ", "#"),
)


@pytest.fixture(scope="module")
def functions() -> dict[str, Callable[[str], object]]:
    return linear_time.functions()


@pytest.mark.parametrize(
    ("name", "head", "piece"), WORST, ids=[f"{n} {h}{p[:9]}" for n, h, p in WORST]
)
def test_the_worst_texts_take_linear_time(
    functions: dict[str, Callable[[str], object]],
    name: str,
    head: str,
    piece: str,
) -> None:
    linear_time.run(functions[name], linear_time.WARM)
    text = (head + piece * SIZE)[: SIZE - 1] + "é"
    with linear_time.stopped_after(CEILING):
        linear_time.run(functions[name], text)


def test_what_takes_long_is_stopped() -> None:
    def endless(text: str) -> None:
        while True:
            pass

    with pytest.raises(linear_time.TooLong), linear_time.stopped_after(0.01):
        linear_time.run(endless, "")


def test_every_public_function_of_a_text_is_measured(
    functions: dict[str, Callable[[str], object]],
) -> None:
    assert {
        "quantities.numbers.numerals",
        "prose.reading",
        "non_factual.classify_remark",
        "form_faults.find_form_faults",
        "quantities.units.unit_at",
        "injection.injected_spans",
    } <= functions.keys()
    assert len(functions) > 50
