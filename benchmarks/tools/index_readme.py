"""The README as an index of packages shows it, where the files beside it are not.

A link to a file of the repository becomes one into the documentation's site where
pyproject.toml names that; else its text stays, with the path behind it, and a picture
goes. Links with an address of their own, and all of a code block, stay as they are.
"""

from __future__ import annotations

import re

LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(([^()\s]+)\)")
OWN_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:|#|//", re.I)
FENCED = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1[ \t]*$", re.M | re.S)


def index_readme(text: str, documentation: str | None) -> str:
    """`text` with no link that depends on where it lies. `documentation`: the address
    of the site made of docs/, or None."""
    parts, end = [], 0
    for block in FENCED.finditer(text):
        parts += [_linked(text[end : block.start()], documentation), block[0]]
        end = block.end()
    parts.append(_linked(text[end:], documentation))
    return re.sub(r"\n{3,}", "\n\n", "".join(parts))


def relative_links(text: str) -> list[str]:
    """Targets outside code blocks that have no address of their own."""
    bare = FENCED.sub("", text)
    return [link[3] for link in LINK.finditer(bare) if not OWN_ADDRESS.match(link[3])]


def _linked(text: str, documentation: str | None) -> str:
    def one(link: re.Match[str]) -> str:
        mark, words, target = link.groups()
        if OWN_ADDRESS.match(target):
            return link[0]
        place = site_place(target)
        if documentation and place is not None:
            return f"{mark}[{words}]({documentation.rstrip('/')}/{place})"
        return "" if mark else f"{words} (`{target}`)"

    return LINK.sub(one, text)


def site_place(target: str) -> str | None:
    """Where the site has a file of docs/: pages are folders, the rest as it is. None
    of other files."""
    path, hash_mark, anchor = target.partition("#")
    if not path.startswith("docs/"):
        return None
    name = path.removeprefix("docs/")
    if name.endswith(".md"):
        stem = name.removesuffix(".md")
        name = "" if stem == "README" else f"{stem}/"
    return name + hash_mark + anchor
