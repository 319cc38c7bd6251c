"""What Sphinx adds to reStructuredText, as far as its text stands in the file.

Directives and roles are registered in docutils by the names that a source uses: Sphinx
and its extensions know hundreds, and which of them only say how something looks does
not matter here. Imported only by the reader: docutils takes a while.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any, cast

from docutils import nodes
from docutils.core import publish_doctree, publish_from_doctree
from docutils.parsers.rst import Directive, directives, roles

_NAME = r"[\w+-](?:[\w.+-]*[\w+-])?"
_DIRECTIVES = re.compile(rf"\.\. +(?:\|[^|\n]+\| +)?({_NAME}(?::{_NAME})*) ?::")
_ROLES = re.compile(rf":({_NAME}(?::{_NAME})*):`|`:({_NAME}(?::{_NAME})*):")
_TITLED = re.compile(r"(.+?)\s*<[^<>]+>$", re.S)
_ELSEWHERE = re.compile(
    r"auto\w+|include|literalinclude|click|argparse|program-output|command-output"
    r"|graphviz|openapi|raw|doxygen\w+|plot|jinja|mermaid"
)
_CODE = frozenset("code code-block sourcecode prompt ipython parsed-literal".split())
_SILENT = frozenset(
    """toctree contents index highlight currentmodule module py:module py:currentmodule
    default-domain meta rst-class tabularcolumns sectionauthor codeauthor title sectnum
    header footer target-notes class program cssclass""".split()
)
_VERSIONS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}
_TITLES = frozenset(
    """tab tab-item group-tab code-tab card grid-item-card dropdown details collapse
    rubric centered seealso todo""".split()
)
_OBJECTS = re.compile(
    r"function|method|classmethod|staticmethod|attribute|property|data|exception|option"
    r"|envvar|confval|setting|describe|object|macro|type|.+:(?!module|currentmodule).+"
)
_OWN = frozenset(
    """admonition attention caution danger error hint important note tip warning image
    figure epigraph highlights pull-quote compound container table list-table csv-table
    line-block math replace unicode date topic sidebar default-role role""".split()
)
"""Directives that docutils reads as Sphinx does."""
_PLAIN_ROLES = frozenset(
    "ref doc numref term any download keyword abbr guilabel menuselection".split()
)
_NUMBERED_ROLES = frozenset("issue pr pull gh bug".split())
_OWN_ROLES = frozenset(
    """sub sup subscript superscript math emphasis strong literal pep rfc code raw
    title-reference acronym""".split()
)
LONGEST_LINE = 10_000
"""Characters; the time of docutils grows with the square of a line, and it reads no
source that has a longer one."""
_LOCK = threading.Lock()


class LeftOut:
    """What of a source was not followed or not understood."""

    def __init__(self) -> None:
        self.directives: Counter[str] = Counter()
        self.problems: list[tuple[int | None, str]] = []
        """(line, message) of what docutils could not read."""


class _AnyOption(dict[str, Callable[[str], Any]]):
    def __missing__(self, name: str) -> Callable[[str], Any]:
        return directives.unchanged


class _Lenient(Directive):
    """A directive that takes whatever it is given."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _AnyOption(name=directives.unchanged)

    def argument(self) -> str:
        return self.arguments[0].strip() if self.arguments else ""

    def parse_inline(self, text: str) -> list[nodes.Node]:
        return self.state.inline_text(text, self.lineno)[0]

    def inside(self) -> list[nodes.Node]:
        box = nodes.container()
        self.state.nested_parse(
            self.content, self.content_offset, box, match_titles=True
        )
        return box.children

    def run(self) -> Sequence[nodes.Node]:
        return self.inside()


class _Titled(_Lenient):
    def run(self) -> Sequence[nodes.Node]:
        words = self.argument()
        if words and words[-1] not in ".:!?" and self.name != "seealso":
            words += ":"
        title = [nodes.paragraph("", "", *self.parse_inline(words))] if words else []
        return [*title, *self.inside()]


class _Code(_Lenient):
    def run(self) -> Sequence[nodes.Node]:
        text = "\n".join(self.content)
        language = self.argument().split()[:1]
        block = nodes.literal_block(text, text)
        if language:
            block["classes"] = ["code", f"language-{language[0]}"]
        caption = self.options.get("caption")
        return [nodes.paragraph("", f"{caption}:"), block] if caption else [block]


class _Version(_Lenient):
    def run(self) -> Sequence[nodes.Node]:
        number, words = [*self.argument().split(None, 1), "", ""][:2]
        inside = self.inside()
        lead = f"{_VERSIONS[self.name]} {number}"
        first = inside[0] if inside else None
        if words or not isinstance(first, nodes.paragraph):
            line = self.parse_inline(f"{lead}: {words}" if words else f"{lead}.")
            return [nodes.paragraph("", "", *line), *inside]
        first.insert(0, nodes.Text(f"{lead}: "))
        return inside


class _Object(_Lenient):
    """A function, setting or option: its signature is defined by what follows."""

    def run(self) -> Sequence[nodes.Node]:
        names = [line.strip() for line in self.argument().split("\n") if line.strip()]
        term = nodes.term("", "", nodes.literal("", ", ".join(names)))
        body = nodes.definition("", *self.inside())
        return [nodes.definition_list("", nodes.definition_list_item("", term, body))]


class _Elsewhere(_Lenient):
    def run(self) -> Sequence[nodes.Node]:
        self.state.document.settings.left.directives[self.name] += 1
        return self.inside() if self.name.startswith("auto") else []


class _Silent(_Lenient):
    def run(self) -> Sequence[nodes.Node]:
        return []


def _directive_of(name: str) -> type[Directive]:
    if name in _CODE:
        return _Code
    if name in _SILENT:
        return _Silent
    if name in _VERSIONS:
        return _Version
    if _ELSEWHERE.fullmatch(name):
        return _Elsewhere
    if name in _TITLES:
        return _Titled
    return _Object if _OBJECTS.fullmatch(name) else _Lenient


def _role(
    name: str,
    rawtext: str,
    text: str,
    lineno: int,
    inliner: Any,
    options: Mapping[str, Any] | None = None,
    content: Sequence[str] | None = None,
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """The words that a role shows."""
    kind = name.lower().rpartition(":")[2]
    words = nodes.unescape(text)
    titled = _TITLED.match(words)
    if titled is not None:
        return [nodes.inline("", titled[1])], []
    if kind in _NUMBERED_ROLES:
        return [nodes.inline("", f"#{words}" if words.isdigit() else words)], []
    if kind in _PLAIN_ROLES:
        words = words.replace("-", " ") if kind == "ref" else words.strip("/")
        return [nodes.inline("", words)], []
    if words.startswith("~"):
        words = words.rpartition(".")[2].lstrip("~")
    return [nodes.literal("", words.lstrip("!"))], []


def _register(source: str) -> None:
    for name in {found.lower() for found in _DIRECTIVES.findall(source)} - _OWN:
        directives.register_directive(name, _directive_of(name))
    for one, other in _ROLES.findall(source):
        name = (one or other).lower()
        if name not in _OWN_ROLES:
            roles.register_local_role(name, cast(Any, _role))


def render_html(source: str) -> tuple[str, dict[str, str], LeftOut]:
    """(HTML of the text, fields at the top, what was left) of a source."""
    left = LeftOut()
    with _LOCK:  # docutils keeps directives and roles for the whole process
        _register(source)
        document = publish_doctree(source, settings_overrides=_settings(left))
        _take_messages(document, left)
        fields = _take_fields(document)
        for literal in document.findall(nodes.literal):
            literal["classes"] = ["code"]  # or the writer takes its marks away
        html = publish_from_doctree(
            document, writer="html5_polyglot", settings_overrides=_settings(left)
        )
    return str(html), fields, left


def _settings(left: LeftOut) -> dict[str, Any]:
    return {
        "left": left,
        "file_insertion_enabled": False,
        "raw_enabled": False,
        "_disable_config": True,
        "doctitle_xform": False,
        "docinfo_xform": False,
        "initial_header_level": 1,
        "report_level": 3,
        "halt_level": 5,
        "warning_stream": StringIO(),
        "math_output": "LaTeX",
        "syntax_highlight": "none",
        "smart_quotes": False,
        "stylesheet_path": "",
        "embed_stylesheet": False,
        "output_encoding": "unicode",
        "line_length_limit": LONGEST_LINE,
        "section_self_link": False,
        "footnote_references": "brackets",
        "toc_backlinks": False,
    }


def _take_messages(document: nodes.document, left: LeftOut) -> None:
    """Takes what docutils says of a source out of its text. Words of a broken
    reference stay; a directive that it could not read is kept as it was written."""
    for message in list(document.findall(nodes.system_message)):
        lost = [child for child in message if isinstance(child, nodes.literal_block)]
        if lost or int(message["level"]) > 3:
            first = message[0].astext().split("\n")[0]
            left.problems.append((message.get("line"), first))
        message.parent.remove(message)
    # Or the writer makes a section of what was said since, such as of substitutions
    # that a site defines elsewhere.
    document.transform_messages.clear()
    for section in list(document.findall(nodes.section)):
        if "system-messages" in section["classes"]:
            section.parent.remove(section)


def _take_fields(document: nodes.document) -> dict[str, str]:
    """The fields at the top of a page (`:author: …`), which are no text."""
    found: dict[str, str] = {}
    tops: list[Any] = [document, *document.findall(nodes.section)][:2]
    for top in tops:
        for child in top.children[:2]:
            if isinstance(child, nodes.field_list):
                for field in child.findall(nodes.field):
                    name, body = field.children
                    found[name.astext().lower()] = body.astext()
                top.remove(child)
                break
    return found
