"""The part of a web page that is its text, whole.

What is text and what is menu is told by trafilatura, but of the text it drops lists in
links, definitions, boxes and captions without a word. So it is only asked where the
text stands: the smallest element that holds all that it found, and what stands beside
it that is no list of links. What stands in there is kept, but for what says of itself
that it is no text. Of `<main>` the page itself says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_NO_TEXT = """script style template noscript svg canvas iframe nav footer form button
 select textarea dialog""".split()
_ROLES = frozenset("navigation banner contentinfo search dialog menu menubar".split())
_NAMED = re.compile(
    r"(?:^|[\s_-])(?:nav(?:bar|igation)?|side-?bar|breadcrumbs?|cookies?|share|social"
    r"|newsletter|pagination|pager|advert(?:isement)?s?|comments?|headerlink|skip-?link"
    r"|anchor-?link|hash-link|toc|table-of-contents|related)(?:$|[\s_-])",
    re.I,
)
_FOUND = "search-results"
"""Class of a place for what a search finds; GitBook writes headings into it."""
_UNSEEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_NO_SIGN = re.compile(r"[\W_]+")
_LONG = 20
"""Signs from which on a text is sought inside of lines, too."""
_LONGEST = 300_000
"""Signs of a page up to which it is."""
_MOST_LINKS = 0.5
"""Share of links in a list of them."""


def without_boilerplate(tree: Any) -> Any:
    """The tree without what no reader sees and what is no text; changed in place."""
    body = tree.find(".//body") if tree.tag == "html" else tree
    gone = [
        element
        for element in tree.iter()
        if isinstance(element.tag, str)
        and element is not tree
        and element is not body
        and (element.tag in _NO_TEXT or is_unseen(element) or _is_named(element))
    ]
    for element in gone:
        if element.getparent() is not None:
            element.drop_tree()
    return tree


def is_unseen(element: Any) -> bool:
    """Whether a browser shows nothing of it."""
    return "hidden" in element.attrib or bool(
        _UNSEEN.search(element.get("style") or "")
    )


def _is_named(element: Any) -> bool:
    """Whether its name or role says that it is no text of the page. Of what holds the
    main heading it is not believed."""
    role = (element.get("role") or "").lower()
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    if _FOUND in (element.get("class") or "").split():
        return True
    if role not in _ROLES and not _NAMED.search(names):
        return False
    if element.tag in ("html", "body", "main", "article", "h1", "h2", "h3"):
        return False
    return element.find(".//h1") is None and element.find(".//main") is None


def region_of(tree: Any, text: str) -> Any:
    """The element that holds the text of a page; `text` is what was found of it."""
    body = tree.find(".//body")
    body = tree if body is None else body
    found = _found_in(body, text)
    mains = body.xpath(".//main | .//*[@role='main']")
    if len(mains) == 1:
        inside = [one for one in found if mains[0] in (one, *one.iterancestors())]
        if 2 * sum(map(_length, inside)) >= sum(map(_length, found)):
            return mains[0]
    return _with_neighbours(_holding(found, body), body)


def _found_in(body: Any, text: str) -> list[Any]:
    """Elements whose own text stands in `text`."""
    lines = {_signs(line) for line in text.splitlines()} - {""}
    whole = _signs(text)
    found = []
    for element in body.iter():
        parts = (element.text, *(child.tail for child in element))
        if not isinstance(element.tag, str) or not any(p and p.strip() for p in parts):
            continue
        signs = _signs("".join(element.itertext()))
        is_inside = _LONG <= len(signs) and len(whole) < _LONGEST and signs in whole
        if signs in lines or is_inside:
            found.append(element)
    return found


def _holding(found: Sequence[Any], body: Any) -> Any:
    """The smallest element that holds all of these."""
    if not found:
        return body
    path = [found[0], *found[0].iterancestors()][::-1]
    for element in found[1:]:
        other = {element, *element.iterancestors()}
        while path[-1] not in other:
            path.pop()
    return path[-1] if body in path else body


def _with_neighbours(region: Any, body: Any) -> Any:
    """The region, or what is around it: as long as what is added to it is less than
    it holds itself and no list of links."""
    while region is not body and region.getparent() is not None:
        above = region.getparent()
        added = [one for one in above if isinstance(one.tag, str) and one is not region]
        if any(map(_is_links, added)) or sum(map(_length, added)) > _length(region):
            return region
        region = above
    return region


def _is_links(element: Any) -> bool:
    length = _length(element)
    links = sum(_length(link) for link in element.iter("a"))
    return length > 0 and links > length * _MOST_LINKS


def _length(element: Any) -> int:
    return len(_signs("".join(element.itertext())))


def _signs(text: str) -> str:
    return _NO_SIGN.sub("", text)


def title_above(tree: Any, region: Any) -> Any | None:
    """The only main heading of a page, where it stands outside of the region."""
    heads = [one for one in tree.iter("h1") if "".join(one.itertext()).strip()]
    if len(heads) != 1 or heads[0] is region:
        return None
    return None if region in heads[0].iterancestors() else heads[0]
