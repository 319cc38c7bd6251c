"""Text made safe to show: what a terminal would obey is shown as a visible sign.

Answers, pages and replies come from outside. A control byte in them can move the
cursor, set the window title or write to the clipboard; a bidirectional override
can make a line read as another one. Nothing is removed: each such character
becomes a sign of the same width in characters, so that offsets stay true.
"""

from __future__ import annotations

_KEPT = "\n\t"
# Zero-width characters which hide or join words. The joiners U+200C and U+200D stay:
# Persian and Indic words and emoji need them.
_ZERO_WIDTH = "\u00ad\u180e\u200b\u2060\u2061\u2062\u2063\u2064\ufeff\ufff9\ufffa\ufffb"
_BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SEPARATORS = "\u0085\u2028\u2029"


def _table() -> dict[int, str]:
    table = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in _KEPT}
    table[0x7F] = "␡"
    # C1 bytes are the 8-bit forms of escape sequences (CSI, OSC, DCS …).
    table.update(dict.fromkeys(range(0x80, 0xA0), "␛"))
    table.update({ord(char): "·" for char in _ZERO_WIDTH})
    table.update({ord(char): "⇄" for char in _BIDI})
    table.update({ord(char): "␤" for char in _SEPARATORS})
    # Tag characters, which spell invisible text, and halves of surrogate pairs.
    table.update(dict.fromkeys(range(0xE0000, 0xE0080), "·"))
    table.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))
    return table


_SIGNS = _table()
_LETTERS = 0x10000


def _escape(code: int) -> str:
    if code < _LETTERS:
        return f"\\u{code:04x}"
    code -= _LETTERS
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


_ESCAPES = {code: _escape(code) for code in _SIGNS if code >= 0x7F}


def sanitise(text: str) -> str:
    """`text` without anything a terminal obeys; newlines and tabs stay.

    As long as `text` itself, so that spans of one fit the other. Markup such as
    `[PMID:1, S:2]` is left as it is: show it with markup switched off. Never raises.
    """
    if text.isascii() and text.isprintable():
        return text
    # The usual line end of some systems is not worth a sign.
    return text.replace("\r\n", " \n").translate(_SIGNS)


def escape_json(json: str) -> str:
    """JSON in which what a terminal obeys is written as `\\u` escapes.

    Nothing is lost: whoever reads it has the text as it was. Control characters below
    0x20 are escaped by whoever writes JSON; those above, marks that turn text around
    and halves of surrogate pairs are not, and can only stand inside strings.
    """
    return json if json.isascii() and "\x7f" not in json else json.translate(_ESCAPES)
