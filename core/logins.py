"""Addresses as they may be shown: without who logs in there and by which token.

An address in the settings can be `http://user:password@host:port` or end in
`?key=TOKEN`. Nothing here takes such an address, and the message that says so must not
be the place where the password is read.
"""

from __future__ import annotations

import re

HIDDEN = "***"
_SCHEME = re.compile(r"\s*[A-Za-z][\w+.-]*://")
_IN_TEXT = re.compile(r"(?<=://)[^/\s\"'<>]*@|(?<=[?&])([\w-]*=)[^&\s\"'<>]+")


def without_login(address: str) -> str:
    """An address, or several with commas, without login and query. A password may hold
    any sign, so all in front of the last `@` goes."""
    shown, _, query = address.partition("?")
    before, sign, host = shown.rpartition("@")
    if sign:
        scheme = _SCHEME.match(before)
        shown = f"{scheme[0] if scheme else ''}{HIDDEN}@{host}"
    return f"{shown}?{HIDDEN}" if query else shown


def without_logins(text: str) -> str:
    """A text in which addresses may stand, such as an error of a library."""
    return _IN_TEXT.sub(
        lambda match: f"{match[1]}{HIDDEN}" if match[1] else f"{HIDDEN}@", text
    )


def shown_setting(value: object) -> object:
    """The value of a setting as it may be shown. A pydantic SecretStr hides itself."""
    if isinstance(value, str) and ("@" in value or "://" in value):
        return without_login(value)
    return value
