"""Does anything listen at an address? Asked with a bare socket.

The client libraries of model servers take 7 MB and more of an interface that only
wants to know, and mostly nobody answers: they are loaded where somebody does.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

from claimscope.core.backends.ollama.address import PORTS


async def knock(url: str, seconds: float) -> None:
    """Connects and hangs up; url as `server_url` gives it. Raises OSError, TimeoutError
    and UnicodeError, for a name that cannot be one."""
    parts = urlsplit(url)
    port = parts.port or PORTS[parts.scheme]
    async with asyncio.timeout(seconds):
        _, writer = await asyncio.open_connection(parts.hostname, port)
    writer.close()
    with suppress(OSError):  # hung up at the other end
        await writer.wait_closed()
