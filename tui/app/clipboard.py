"""Copying over SSH: the terminal itself is asked to, by OSC 52.

tmux and screen swallow what they do not know, so inside of them the request is wrapped
as each wants it.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping

SCREEN_CHUNK = 250
"""GNU screen drops a string longer than 256 bytes, so it gets it in pieces."""


def osc52(text: str, environment: Mapping[str, str]) -> str:
    """What is written to the terminal so that its clipboard holds `text`."""
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    plain = f"\x1b]52;c;{encoded}\x07"
    if environment.get("TMUX"):
        # tmux takes the first with `set-clipboard on`, the second with
        # `allow-passthrough on`; both set the same text.
        return plain + "\x1bPtmux;" + plain.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    if environment.get("STY") or environment.get("TERM", "").startswith("screen"):
        parts = [
            plain[at : at + SCREEN_CHUNK] for at in range(0, len(plain), SCREEN_CHUNK)
        ]
        return "".join(f"\x1bP{part}\x1b\\" for part in parts)
    return plain
