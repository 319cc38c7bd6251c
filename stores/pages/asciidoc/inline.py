"""Marks inside a line of AsciiDoc as tags of HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping

_ATTRIBUTE = re.compile(r"(?<!\\)\{([\w-]+)\}")
_SIGNS = {
    "nbsp": " ",
    "sp": " ",
    "empty": "",
    "blank": "",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "vbar": "|",
    "plus": "+",
    "asterisk": "*",
    "backtick": "`",
    "tilde": "~",
    "caret": "^",
    "apos": "'",
    "quot": '"',
    "deg": "°",
    "cpp": "C++",
    "zwsp": "",
    "startsb": "[",
    "endsb": "]",
    "backslash": "\\",
    "two-colons": "::",
    "two-semicolons": ";;",
    "brvbar": "¦",
}
_CODE = re.compile(r"(?<![\w`\\])`(\+?)([^`\n]+?)\1`(?![\w`])|``(\+?)([^`\n]+?)\3``")
_PLAIN = re.compile(
    r"\+\+\+(.+?)\+\+\+|pass:\w*\[(.*?)\]|(?<!\w)\+(\S(?:[^+]*\S)?)\+(?!\w)"
)
_RAISED = re.compile(r"([\^~])([^\s^~]{1,60})\1")
_ROLE = re.compile(r"\[([^\]\n]{0,80})\]##?([^#\n]+)##?")
_MARKED = re.compile(r"(?<!\w)##?([^#\n]+?)##?(?!\w)")
_MACROS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"\(\(\([^()]*\)\)\)|(?:indexterm|anchor|icon):[^\s\[]*\[[^\]]*\]"),
        "",
    ),
    (re.compile(r"\[\[[^\[\]\n]{1,200}\]\]"), ""),
    (re.compile(r"\(\(([^()]+)\)\)|indexterm2:\[([^\]]*)\]"), r"\1\2"),
    (re.compile(r"footnote:[\w-]*\[([^\]]+)\]"), r" (\1)"),
    (re.compile(r"menu:([^\s\[]+)\[([^\]]*)\]"), r"\1 > \2"),
    (re.compile(r"(?:kbd|btn|stem|latexmath|asciimath):\[([^\]]*)\]"), r"\1"),
    (re.compile(r"&lt;&lt;[^,&]*?,\s*([^&]+?)&gt;&gt;"), r"\1"),
    (re.compile(r"(?:image|video):(?!:)[^\s\[]+\[([^\],]*)[^\]]*\]"), r"\1"),
)
_LINK = re.compile(
    r"(?:(?:link|xref|mailto):([^\s\[]{1,500})|(?<![\w/])((?:https?|ftp|irc)://[^\s\[\]<>]{1,500}))"
    r"\[([^\]]*)\]"
)
_REFERENCE = re.compile(r"&lt;&lt;#?([^,&\s]+?)&gt;&gt;")
_STRONG = re.compile(r"(?<![\w*\\])\*(\S(?:[^*\n]*?\S)?)\*(?![\w*])|\*\*([^*\n]+?)\*\*")
_SLANTED = re.compile(r"(?<![\w_\\])_(\S(?:[^_\n]*?\S)?)_(?![\w_])|__([^_\n]+?)__")
_QUOTED = re.compile(r"\"`([^`\n]+)`\"|'`([^`\n]+)`'")
_ESCAPED = re.compile(r"\\(?=[*_`#^~{+\[<:\\])")
_KEPT = "\ue000{}\ue001"
_KEEPER = re.compile("\ue000(\\d+)\ue001")


def inline(text: str, attributes: Mapping[str, str]) -> str:
    """HTML of a run of text; what is code or literal is read no further."""
    kept: list[str] = []

    def keep(made: str) -> str:
        kept.append(made)
        return _KEPT.format(len(kept) - 1)

    text = _KEEPER.sub("", text)
    text = _QUOTED.sub(lambda found: f"“{found[1] or found[2]}”", text)
    text = text.replace("`'", "’")
    text = _CODE.sub(
        lambda found: keep(f"<code>{_escape(found[2] or found[4], attributes)}</code>"),
        text,
    )
    text = _PLAIN.sub(
        lambda found: keep(html.escape(found[1] or found[2] or found[3] or "")), text
    )
    text = _escape(text, attributes)
    for pattern, words in _MACROS:
        text = pattern.sub(words, text)
    text = _LINK.sub(_link_words, text)
    text = _REFERENCE.sub(lambda found: found[1].strip("_").replace("_", " "), text)
    text = _ROLE.sub(_of_role, text)
    for pattern, tag in ((_STRONG, "b"), (_SLANTED, "i"), (_MARKED, "span")):
        text = pattern.sub(_tag_with(tag), text)
    text = _RAISED.sub(_script_tag, text)
    text = re.sub(r"(?m) \+$", "<br>", text)
    text = _ESCAPED.sub("", text)
    return _KEEPER.sub(lambda found: kept[int(found[1])], text)


def with_attributes(text: str, attributes: Mapping[str, str]) -> str:
    """The text with `{name}` filled in, where the name is known."""

    def value(found: re.Match[str]) -> str:
        name = found[1].lower()
        return attributes.get(name, _SIGNS.get(name, found[0]))

    return _ATTRIBUTE.sub(value, text)


def _escape(text: str, attributes: Mapping[str, str]) -> str:
    return html.escape(with_attributes(text, attributes), quote=False)


def _link_words(found: re.Match[str]) -> str:
    words = found[3].strip().removesuffix("^").strip('"')
    return words or (found[1] or found[2]).removeprefix("#")


def _of_role(found: re.Match[str]) -> str:
    is_struck = "line-through" in found[1]
    return "" if is_struck else found[2]


def _tag_with(tag: str) -> Callable[[re.Match[str]], str]:
    def made(found: re.Match[str]) -> str:
        inside = next(filter(None, found.groups()), "")
        return f"<{tag}>{inside}</{tag}>"

    return made


def _script_tag(found: re.Match[str]) -> str:
    tag = "sup" if found[1] == "^" else "sub"
    return f"<{tag}>{found[2]}</{tag}>"
