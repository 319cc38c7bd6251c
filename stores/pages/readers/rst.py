"""reStructuredText by docutils, with what Sphinx adds to it.

Of a directive that docutils does not know, its argument and its content are text; of a
role, its words. What Sphinx would take from elsewhere (the signatures of a program,
other files) is not followed and named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimscope.core.errors import PageError, PageNote
from claimscope.core.models import Page
from claimscope.stores.pages.markup.html_to_markdown import markdown_of
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.metadata import metadata
from claimscope.stores.pages.readers.markdown import markdown_page

if TYPE_CHECKING:
    from claimscope.stores.pages.markup.sphinx import LeftOut

MOST_PROBLEMS = 5
"""Places of a file that are named."""


class RstReader:
    """Title, author and date come from the fields at the top, else from the text."""

    suffixes: tuple[str, ...] = (".rst", ".rest")

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        from claimscope.stores.pages.markup.sphinx import LONGEST_LINE, render_html

        source = decode(data, path)
        for number, line in enumerate(source.splitlines(), start=1):
            if len(line) > LONGEST_LINE:
                raise PageError(
                    f"{path}, line {number}: it has {len(line):,} characters, more than"
                    f" the {LONGEST_LINE:,} that can be read.",
                    "Break the line, or leave the file out (--exclude).",
                )
        try:
            html, fields, left = render_html(source)
        except Exception as error:
            # docutils fails in its own ways on broken sources.
            raise PageError(
                f"{path}: the reStructuredText cannot be read: {error}.",
                "Index the HTML that is built from it instead.",
            ) from error
        text = _markdown(html)
        if text.strip() or not left.directives:
            yield markdown_page(path, text, metadata(fields))
        if notes := list(_notes(left, path)):
            raise PageNote("\n".join(notes), _REMEDY)


_REMEDY = "Index the HTML that Sphinx builds to have their text as well."


def _markdown(html: str) -> str:
    import lxml.html

    main = lxml.html.document_fromstring(html).find(".//main")
    return "" if main is None else markdown_of(main)


def _notes(left: LeftOut, path: str) -> Iterator[str]:
    if left.directives:
        kinds = ", ".join(f"{n} {name}" for name, n in sorted(left.directives.items()))
        yield f"{path}: not followed, their text stands elsewhere: {kinds}."
    for line, problem in left.problems[:MOST_PROBLEMS]:
        place = f"{path}, line {line}" if line else path
        yield f"{place}: left out: {problem.rstrip('.:')}."


READER = RstReader()
