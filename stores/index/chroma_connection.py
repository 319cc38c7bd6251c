"""The connection to a Chroma server: checked, direct, and to that address only."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from claimscope.core.errors import SettingsError, StoreError
from claimscope.core.http import redirects
from claimscope.core.logins import without_login

if TYPE_CHECKING:
    import httpx

ASK_SECONDS = 5.0
IDENTITY = "/api/v2/auth/identity"
"""What ChromaDB's client asks first."""


@dataclass(frozen=True)
class ChromaServer:
    """Where a Chroma server is, and what it wants to see."""

    url: str
    token: str | None = field(default=None, repr=False)
    """Sent as a bearer token; never part of a message."""

    def __post_init__(self) -> None:
        """Refuses an address with a login or a token before anything keeps it: an
        index writes where it is into its manifest. Raises SettingsError."""
        self.address()

    def client(self) -> Any:
        """A connection that was tried. Raises StoreError."""
        host, port, is_secure = self.address()
        around_proxies(host)
        from claimscope.stores.index.chroma import load_chromadb

        chromadb = load_chromadb()

        try:
            client = chromadb.HttpClient(
                host=host,
                port=port,
                ssl=is_secure,
                headers=self._headers,
                settings=chromadb.config.Settings(anonymized_telemetry=False),
            )
        except Exception as error:  # its errors have no common base
            raise self.unusable(self._redirect_error() or error) from None
        for session in sessions_of(client):
            session.event_hooks = {"response": [self._refuse_redirect]}
        return client

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def _refuse_redirect(self, reply: httpx.Response) -> None:
        """ChromaDB follows none, but passes on only the body, which names nothing."""
        if redirects.is_redirect(reply.status_code):
            raise self._redirect(reply)

    def _redirect(self, reply: httpx.Response) -> StoreError:
        return StoreError(
            f"The Chroma server {redirects.describe_redirect(reply, self.url)}",
            "Redirects are never followed, so that no page goes to an address that the "
            "settings do not name. Name the server itself with `chroma_url`.",
        )

    def _redirect_error(self) -> StoreError | None:
        """Whether the server redirects: ChromaDB's own error does not tell."""
        import httpx

        host, port, is_secure = self.address()
        url = f"{'https' if is_secure else 'http'}://{host}:{port}{IDENTITY}"
        try:
            reply = httpx.get(
                url, headers=self._headers, timeout=ASK_SECONDS, follow_redirects=False
            )
        except (httpx.HTTPError, httpx.InvalidURL, OSError):
            return None
        return self._redirect(reply) if reply.is_redirect else None

    def address(self) -> tuple[str, int, bool]:
        """(host, port, whether by TLS); a SettingsError when the URL is no address."""
        try:
            parts = urlsplit(self.url if "://" in self.url else f"http://{self.url}")
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError(
                f"chroma_url: {without_login(self.url)!r} is no address of a server",
                "write it as http://HOST:8000",
            )
        more = (parts.path.strip("/"), parts.query, parts.fragment)
        if "@" in parts.netloc or any(more):
            raise SettingsError(
                "chroma_url: only scheme, host and port belong there",
                "a token goes into CLAIMSCOPE_CHROMA_TOKEN",
            )
        is_secure = parts.scheme == "https"
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        return host, port or (443 if is_secure else 8000), is_secure

    def unusable(self, error: Exception) -> StoreError:
        """The error for whatever ChromaDB says about the server."""
        if isinstance(error, StoreError):
            return error
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        if self.token:
            said = said.replace(self.token, "*" * len(self.token))
        return StoreError(
            f"The Chroma server {self.url} cannot be used: {said}",
            "Start it with `chroma run --path FOLDER`, or take chroma_url out of the "
            "settings; for one that wants a token: CLAIMSCOPE_CHROMA_TOKEN.",
        )


def close_client(client: Any) -> None:
    """Closes a client and its connections, which ChromaDB leaves to the garbage
    collector; harmless when done before."""
    client.close()
    for session in sessions_of(client):
        session.close()


def sessions_of(client: Any) -> list[Any]:
    """The httpx clients of ChromaDB's client and of the one behind it."""
    both = filter(None, (client, getattr(client, "_admin_client", None)))
    found = [getattr(getattr(one, "_server", None), "_session", None) for one in both]
    return [session for session in found if session is not None]


def around_proxies(host: str) -> None:
    """Calls this machine directly: a proxy of the environment, meant for the way to
    others, would be sent the pages. ChromaDB's client has no switch for it."""
    name = host.strip("[]")
    try:
        is_here = ip_address(name).is_loopback
    except ValueError:
        is_here = name == "localhost" or name.endswith(".localhost")
    if not is_here:
        return
    for variable in ("NO_PROXY", "no_proxy"):
        names = [one for one in os.environ.get(variable, "").split(",") if one]
        if name not in names and "*" not in names:
            os.environ[variable] = ",".join([*names, name])
