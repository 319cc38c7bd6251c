"""What the reader is given of a question's pages."""

from __future__ import annotations

from claimscope.core.models import Evidence
from claimscope.core.ports import Question
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.passages import passage_of

FILLER = "\n\n".join(f"Pier {n} is {n + 40} metres long." for n in range(30))
PAGE = f"""# Sedge harbour

## Moorings

Boats moor at pier 3. They pay at the office.

| Pier | Fee |
|---|---|
| 3 | 40 |

{FILLER}
"""


def candidates(*begins: str) -> tuple[Evidence, ...]:
    """Sentences of the page by how they begin, in this order."""
    spans = split_sentences(PAGE)
    found = []
    for begin in begins:
        index = next(n for n, (a, b) in enumerate(spans) if PAGE[a:b].startswith(begin))
        start, end = spans[index]
        found.append(
            Evidence(
                page_id="p", index=index, text=PAGE[start:end], start=start, end=end
            )
        )
    return tuple(found)


def question(*begins: str) -> Question:
    return Question("Boats pay.", candidates(*begins), documents=(("p", PAGE),))


def test_headings_and_heads_of_tables_take_no_room() -> None:
    passage = passage_of(question("## Moorings", "| Pier | Fee |", "| 3 |", "Pier 7"))
    assert [one.evidence.text for one in passage.near] == [
        "| 3 | 40 |",
        "Pier 7 is 47 metres long.",
    ]
    assert passage.together == (
        "Moorings: Pier 3: Fee: 40. Moorings: Pier 7 is 47 metres long."
    )


def test_where_only_headings_are_found_they_are_read() -> None:
    passage = passage_of(question("## Moorings"))
    assert [one.evidence.text for one in passage.near] == ["## Moorings"]


def test_a_reference_is_read_with_what_it_refers_to() -> None:
    passage = passage_of(question("They pay"))
    (one,) = passage.near
    assert one.alone.index("Boats moor at pier 3.") < one.alone.index("They pay at")
    assert not passage.is_whole
