"""Documents of LibreOffice (ODT): their elements are few and become those of HTML.

odfdo would write Markdown of them, but with what tracked changes have deleted, without
notes, and with exponents as digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.markup.html_to_markdown import markdown_of
from claimscope.stores.pages.parsing.safe_xml import parse_xml
from claimscope.stores.pages.parsing.zip_documents import document_facts, text_parts
from claimscope.stores.pages.readers.markdown import markdown_page


class OdtReader:
    """The text as it is after all tracked changes; comments are no text."""

    suffixes: tuple[str, ...] = (".odt",)

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        parts = text_parts(data, path, "ODT")
        if "content.xml" not in parts:
            raise PageError(
                f"{path}: there is no document in it.", "Save it again as ODT."
            )
        if b"encryption-data" in parts.get("META-INF/manifest.xml", b""):
            raise PageError(
                f"{path}: it is encrypted and needs a password.", "Save it without one."
            )
        styles = [
            parse_xml(parts[name], path) for name in ("styles.xml",) if name in parts
        ]
        text = markdown_of(html_of(parse_xml(parts["content.xml"], path), styles))
        facts = document_facts(parts.get("meta.xml"), path)
        yield markdown_page(path, text, facts)


_SKIPPED = frozenset(
    """tracked-changes annotation annotation-end sequence-decls variable-decls
    user-field-decls table-of-content alphabetical-index illustration-index table-index
    forms note-citation bookmark-start bookmark-end covered-table-cell soft-page-break
    table-columns table-column change change-start change-end title desc""".split()
)
_MOST_BLANKS = 1000
_INLINE = frozenset(("b", "del", "sup", "sub"))
_SPANS = {"number-columns-spanned": "colspan", "number-rows-spanned": "rowspan"}
_TAGS = {
    "list-item": "li",
    "list-header": "li",
    "table": "table",
    "table-row": "tr",
    "section": "div",
    "text-box": "div",
    "frame": "span",
    "a": "span",
}


def html_of(content: Any, styles: Iterable[Any]) -> Any:
    """A `<div>` with what an ODT shows. `styles`: further roots with its styles."""
    return _Converter([*styles, content]).document(content)


class _Converter:
    def __init__(self, roots: Iterable[Any]) -> None:
        self._styles: dict[str, str] = {}
        """Names of styles and the tag of HTML that they amount to."""
        self._numbered: set[str] = set()
        self._notes: list[Any] = []
        for root in roots:
            self._take_styles(root)

    def _take_styles(self, root: Any) -> None:
        for style in root.iter("{*}style"):
            name = _attribute(style, "name")
            parent = _attribute(style, "parent-style-name")
            tag = self._styles.get(parent, "")
            if "Preformatted" in (name, parent) or "Preformatted_20_Text" in (
                name,
                parent,
            ):
                tag = "pre"
            if name == "Title" or parent == "Title":
                tag = "h1"
            for look in style.iter("{*}text-properties"):
                tag = _tag_of(look) or tag
            if tag:
                self._styles[name] = tag
        for style in root.iter("{*}list-style"):
            if style.find("{*}list-level-style-number") is not None:
                self._numbered.add(_attribute(style, "name"))

    def document(self, content: Any) -> Any:
        import lxml.html

        div = lxml.html.Element("div")
        for text in content.iter("{*}text"):
            if _name(text) == "text" and _name(text.getparent()) == "body":
                self._fill(div, text)
        for number, note in enumerate(self._notes, start=1):
            line = lxml.html.Element("p")
            line.text = f"[{number}] "
            for body in note.iter("{*}note-body"):
                for paragraph in body:
                    self._fill(line, paragraph)
            div.append(line)
        return div

    def _fill(self, target: Any, source: Any) -> None:
        """Adds what stands in `source` to an element of HTML."""
        _add_text(target, source.text)
        for child in source:
            if isinstance(child.tag, str):
                self._add(target, child)
            _add_text(target, child.tail)

    def _add(self, target: Any, element: Any) -> None:
        name = _name(element)
        if name in _SKIPPED or _attribute(element, "display") == "none":
            return
        if name in ("s", "tab", "line-break"):
            self._add_blank(target, element, name)
            return
        if name == "note":
            self._notes.append(element)
            _add_text(target, f"[{len(self._notes)}]")
            return
        tag = self._tag(element, name)
        if tag is None:
            self._fill(target, element)
            return
        made = _append(target, tag)
        for theirs, ours in _SPANS.items():
            if value := _attribute(element, theirs):
                made.set(ours, value)
        look = self._styles.get(_attribute(element, "style-name"), "")
        if tag == "p" and look in _INLINE:
            made = _append(made, look)
        self._fill(made, element)

    def _tag(self, element: Any, name: str) -> str | None:
        if name == "h":
            level = _attribute(element, "outline-level")
            return (
                f"h{min(6, int(level))}" if level.isdecimal() and level != "0" else "h2"
            )
        if name in ("p", "span"):
            look = self._styles.get(_attribute(element, "style-name"), name)
            return name if name == "p" and look in _INLINE else look
        if name == "list":
            style = _attribute(element, "style-name")
            over = element.getparent()
            while not style and over is not None:
                style = _attribute(over, "style-name") if _name(over) == "list" else ""
                over = over.getparent()
            return "ol" if style in self._numbered else "ul"
        if name == "table-cell":
            is_head = _name(element.getparent().getparent()) == "table-header-rows"
            return "th" if is_head else "td"
        return _TAGS.get(name)

    def _add_blank(self, target: Any, element: Any, name: str) -> None:
        if name == "line-break":
            _append(target, "br")
            return
        count = _attribute(element, "c") if name == "s" else "1"
        _add_text(
            target, " " * (min(int(count), _MOST_BLANKS) if count.isdecimal() else 1)
        )


def _tag_of(look: Any) -> str:
    """What properties of a text amount to."""
    if _attribute(look, "display") == "none":
        return "template"
    if _attribute(look, "text-line-through-style") not in ("", "none"):
        return "del"
    place = _attribute(look, "text-position")[:3]
    if place in ("sup", "sub"):
        return place
    return "b" if _attribute(look, "font-weight") == "bold" else ""


def _append(target: Any, tag: str) -> Any:
    import lxml.html

    made = lxml.html.Element(tag)
    target.append(made)
    return made


def _add_text(target: Any, text: str | None) -> None:
    if not text:
        return
    if len(target):
        target[-1].tail = (target[-1].tail or "") + text
    else:
        target.text = (target.text or "") + text


def _name(element: Any) -> str:
    if element is None or not isinstance(element.tag, str):
        return ""
    return str(element.tag.rpartition("}")[2])


def _attribute(element: Any, name: str) -> str:
    """The value of an attribute, whatever its namespace."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return ""


READER = OdtReader()
