"""No redirect is followed: what was meant for one host is never sent to another.

Whoever answers at an address that the settings name could send prompts, pages and
tokens on to one that nobody named, and a client that follows says nothing of it. So
each client is told not to follow, and hands every answer to one of the hooks here.
"""

from __future__ import annotations

from typing import Any

from claimscope.core.errors import ModelError
from claimscope.core.http.reply_limits import http_of
from claimscope.core.logins import without_login


def is_redirect(status: int) -> bool:
    """Whether an answer sends the caller elsewhere, or says to use what it has."""
    return 300 <= status < 400


OLLAMA = "Name the address of Ollama itself with OLLAMA_HOST or `ollama_host`."


def redirect_target(reply: Any) -> str:
    """Where an answer points, in full and without login; "" when it does not say."""
    location = reply.headers.get("Location", "").strip()
    if not location:
        return ""
    try:
        return without_login(str(reply.request.url.join(location)))
    except (http_of(reply).InvalidURL, ValueError):
        return without_login(location)


def describe_redirect(reply: Any, url: str) -> str:
    """A sentence that names both addresses."""
    elsewhere = redirect_target(reply)
    how = f"HTTP {reply.status_code}"
    if not elsewhere:
        return f"{url} answered with a redirect ({how}) that names no address."
    return f"{url} redirects to {elsewhere} ({how}); nothing was sent there."


def refuse_redirect(reply: Any, url: str, remedy: str = OLLAMA) -> None:
    """Raises ModelError for a redirect. `remedy`: how the right address is named."""
    if is_redirect(reply.status_code):
        raise ModelError(
            describe_redirect(reply, url),
            "Redirects are never followed, so that no text goes to an address that "
            f"the settings do not name. {remedy}",
        )
