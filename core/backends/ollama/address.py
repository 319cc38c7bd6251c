"""Where Ollama is: the forms of OLLAMA_HOST, read as Ollama's own client reads them."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from claimscope.core.errors import SettingsError
from claimscope.core.logins import without_login

DEFAULT_PORT = 11434
PORTS = {"http": 80, "https": 443}
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses a server listens on but nobody can call."""


def server_url(setting: str | None = None) -> str:
    """The address as `http://host:port` without a slash at the end.

    `setting`, else OLLAMA_HOST, else the default port on loopback. Accepted forms:
    `host`, `host:port`, `:port`, `[::1]:port`, `::1`, `http://host`, `https://host/path`.
    Raises SettingsError.
    """
    text = (setting or os.environ.get("OLLAMA_HOST") or "").strip().strip("\"'")
    scheme, separator, rest = text.partition("://")
    if not separator:
        scheme, rest = "http", text
    scheme = scheme.lower()
    host, slash, path = rest.partition("/")
    if host.count(":") > 1 and not host.startswith("["):
        host = f"[{host}]"  # a bare IPv6 address
    try:
        parts = urlsplit(f"//{host}")
        name = parts.hostname or "127.0.0.1"
        port = parts.port
    except ValueError as error:
        raise _unusable(text) from error
    strange = parts.username or "?" in rest or any(c.isspace() for c in host)
    if scheme not in PORTS or strange:
        raise _unusable(text)
    if port is None:
        port = PORTS[scheme] if separator else DEFAULT_PORT
    name = ANY_ADDRESS.get(name, name)
    shown = f"[{name}]" if ":" in name else name
    return f"{scheme}://{shown}:{port}{slash}{path}".rstrip("/")


def server_hosts(setting: str | None = None) -> tuple[str | None, ...]:
    """The hosts of a setting with commas between them, as written; (None,) = where
    Ollama is by default, which `server_url` knows."""
    names = (name.strip() for name in (setting or "").split(","))
    return tuple(name for name in names if name) or (None,)


def _unusable(text: str) -> SettingsError:
    return SettingsError(
        f"The address of Ollama cannot be read: {without_login(text)!r}.",
        "Give OLLAMA_HOST or the setting ollama_host as host:port, e.g. "
        "127.0.0.1:11434.",
    )
