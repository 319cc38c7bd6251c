"""AsciiDoc: attributes filled in, conditions followed, other files named, not read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from claimscope.core.errors import PageNote
from claimscope.core.models import Page
from claimscope.stores.pages.asciidoc.blocks import AsciiDocBlocks
from claimscope.stores.pages.asciidoc.inline import with_attributes
from claimscope.stores.pages.markup.front_matter import front_matter
from claimscope.stores.pages.markup.html_to_markdown import markdown_of
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.metadata import metadata
from claimscope.stores.pages.readers.markdown import markdown_page

_ATTRIBUTE = re.compile(r":(!?)([\w-]+)(!?):(?:\s+(.*))?$")
_CONDITION = re.compile(r"(ifdef|ifndef|ifeval)::([^\[\s]*)\[(.*)\]\s*$")
_END = re.compile(r"endif::\S*\[.*\]\s*$")
_INCLUDE = re.compile(r"include::(\S+?)\[.*\]\s*$")
_AUTHOR = re.compile(r"([A-Z][\w.'-]+(?: [\w.'-]+){1,3})(?:\s*<[^<>]+>)?\s*(?:;|$)")
_VERBATIM = re.compile(r"(?:-{4,}|\.{4,}|`{3,}\w*)\s*$")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
MOST_INCLUDES = 5


class AsciiDocReader:
    """Title, author and attributes come from the lines at the top."""

    suffixes: tuple[str, ...] = (".adoc", ".asciidoc")

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        import lxml.html

        fields, body, note = front_matter(decode(data, path), path)
        source = AsciiDocSource(body.splitlines())
        markup = AsciiDocBlocks(source.lines, source.attributes).html()
        text = ""
        if markup.strip():
            tree = lxml.html.fragment_fromstring(
                re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", markup), create_parent="div"
            )
            text = markdown_of(tree)
        found = metadata({**source.facts(), **fields})
        if text.strip() or not source.included:
            yield markdown_page(path, text, found)
        notes = [note] if note else []
        if source.included:
            names = ", ".join(source.included[:MOST_INCLUDES])
            more = len(source.included) - MOST_INCLUDES
            names += f" and {more:,} more" if more > 0 else ""
            notes.append(
                f"{path}: it includes other files, which were not followed: {names}."
            )
        if notes:
            raise PageNote(
                "\n".join(notes), "Files of the folder are pages themselves."
            )


class AsciiDocSource:
    """The lines of a document as its blocks stand in them."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.attributes: dict[str, str] = {}
        self.included: list[str] = []
        self.authors: list[str] = []
        self.lines = list(self._without_header(list(self._follow_conditions(lines))))

    def facts(self) -> dict[str, Any]:
        names = [*self.authors] or [self.attributes.get("author", "")]
        date = self.attributes.get("revdate") or self.attributes.get("date")
        return {"authors": [name for name in names if name], "date": date}

    def _follow_conditions(self, lines: Sequence[str]) -> Iterator[str]:
        """Lines without comments, attributes and what conditions leave out."""
        conditions: list[bool] = []
        verbatim = ""
        number = 0
        while number < len(lines):
            line = lines[number]
            number += 1
            if condition := _CONDITION.match(line):
                holds = self._holds(condition[1], condition[2])
                if condition[1] != "ifeval" and condition[3]:
                    if holds and all(conditions):
                        yield condition[3]
                else:
                    conditions.append(holds)
                continue
            if _END.match(line):
                conditions = conditions[:-1]
                continue
            if not all(conditions):
                continue
            if include := _INCLUDE.match(line):
                self.included.append(with_attributes(include[1], self.attributes))
                continue
            if _VERBATIM.match(line) and verbatim in ("", line.strip()[:4]):
                verbatim = "" if verbatim else line.strip()[:4]
            elif verbatim:
                pass
            elif line.startswith("////") and not line.strip("/ "):
                while number < len(lines) and lines[number].rstrip() != line.rstrip():
                    number += 1
                number += 1
                continue
            elif line.startswith("//") and not line.startswith("///"):
                continue
            elif attribute := _ATTRIBUTE.match(line):
                value = attribute[4] or ""
                while value.endswith(" \\") and number < len(lines):
                    value = f"{value[:-2]} {lines[number].strip()}"
                    number += 1
                self._set(attribute, value)
                continue
            yield line.rstrip()

    def _holds(self, kind: str, names: str) -> bool:
        """Conditions on names; what an expression says is not worked out."""
        if kind == "ifeval":
            return True
        parts = re.split("[,+]", names.lower())
        which = all if "+" in names else any
        is_set = which(part in self.attributes for part in parts)
        return is_set if kind == "ifdef" else not is_set

    def _set(self, attribute: re.Match[str], value: str) -> None:
        name = attribute[2].lower()
        if attribute[1] or attribute[3]:
            self.attributes.pop(name, None)
        else:
            self.attributes[name] = with_attributes(value.strip(), self.attributes)

    def _without_header(self, lines: list[str]) -> list[str]:
        """Takes the lines of author and revision below the title."""
        for number, line in enumerate(lines):
            if line.strip() and not line.startswith("= "):
                break
            if line.startswith("= "):
                after = lines[number + 1] if number + 1 < len(lines) else ""
                if _AUTHOR.match(after):
                    self.authors = [found[1] for found in _AUTHOR.finditer(after)]
                    revised = lines[number + 2] if number + 2 < len(lines) else ""
                    is_revision = re.match(r"v?\d[\w.]*(?:,|$)|\d{4}-", revised)
                    if date := _DATE.search(revised):
                        self.attributes.setdefault("revdate", date[0])
                    del lines[number + 1 : number + (3 if is_revision else 2)]
                break
        return lines


READER = AsciiDocReader()
