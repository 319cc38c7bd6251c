"""Where a server with the OpenAI API is: the forms of --base-url, and how far away.

There is no default: texts go to such a server only because somebody named it. While
`offline` is on, an address of the open internet is refused, whatever speaks there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from claimscope.core.errors import SettingsError
from claimscope.core.logins import without_login

SCHEMES = ("http", "https")
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses a server listens on but nobody can call."""
NEAR = (".localhost", ".local", ".lan", ".internal", ".home", ".home.arpa")
"""Ends of names that the internet does not know."""
_A_NUMBER = re.compile(r"\d+|0[xX][0-9a-fA-F]+")
"""An address written as one number, which would pass for a name without a dot."""
USUAL_PATH = "/v1"


@dataclass(frozen=True)
class UrlSetting:
    """A setting that holds an address of the web."""

    setting: str
    example: str
    path: str
    """Where there is none in the address."""


BASE_URL = UrlSetting("base_url", "http://127.0.0.1:8080/v1", USUAL_PATH)


def base_urls(setting: str | None, *, offline: bool) -> tuple[str, ...]:
    """The addresses of a setting, with commas between them, each once, in full and
    without a slash at the end.

    Accepted forms: `host:port`, `http://host:port`, `https://host/path`; without a path
    it is /v1. Raises SettingsError for none, one that cannot be read, and, offline, one
    of the open internet.
    """
    names = [part.strip() for part in (setting or "").split(",") if part.strip()]
    if not names:
        raise SettingsError(
            "server = openai, and no address of a server is named.",
            "--base-url http://127.0.0.1:8080/v1 names one (or the setting base_url).",
        )
    urls = (near_url(name, BASE_URL, offline=offline) for name in names)
    return tuple(dict.fromkeys(urls))


def root_of(url: str) -> str:
    """The address without the path of the API: where servers tell what they are."""
    return url.removesuffix(USUAL_PATH)


def is_near(host: str) -> bool:
    """Whether a host is this machine or one of a private network, by its name alone:
    nobody is asked for its address."""
    try:
        return not ip_address(host).is_global
    except ValueError:
        name = host.lower().rstrip(".")
        return "." not in name or name.endswith(NEAR)


def near_url(text: str, named: UrlSetting, *, offline: bool) -> str:
    """An address in full. Raises SettingsError for one that cannot be read, and,
    offline, for one of the open internet."""
    scheme, separator, rest = text.partition("://")
    if not separator:
        scheme, rest = "http", text
    scheme = scheme.lower()
    try:
        parts = urlsplit(f"//{rest}")
        name, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise _unusable(text, named) from error
    strange = (
        parts.username is not None
        or parts.query
        or parts.fragment
        or any(c.isspace() for c in rest)
        or _A_NUMBER.fullmatch(name)
    )
    if scheme not in SCHEMES or strange or not name:
        raise _unusable(text, named)
    name = ANY_ADDRESS.get(name, name)
    if offline and not is_near(name):
        raise SettingsError(
            f"{named.setting}: the server at {scheme}://{name} is not on this machine "
            "or a private network, and the setting offline is on.",
            "Name a server of your own. Only with `offline = false` in the settings "
            "(CLAIMSCOPE_OFFLINE=false) may text leave your network.",
        )
    shown = f"[{name}]" if ":" in name else name
    where = shown if port is None else f"{shown}:{port}"
    return f"{scheme}://{where}{parts.path.rstrip('/') or named.path}"


def _unusable(text: str, named: UrlSetting) -> SettingsError:
    return SettingsError(
        f"{named.setting}: the address of a server cannot be read: "
        f"{without_login(text)!r}.",
        f"Write it like {named.example}; neither a login nor a key belongs into it.",
    )
