"""How much a server may send in one reply: enough for any, too little to fill a memory.

A stream without a line's end, or a page without an end, would be gathered until the
machine has no memory left. What is compressed is refused, since a few bytes of it can
become as many as one likes; each client asks for none.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from claimscope.core.errors import ModelError

LARGEST_REPLY = 16 * 1024 * 1024
"""Bytes of a reply; of a pull, which goes on for hours, of each line."""
PLAIN = {"Accept-Encoding": "identity"}


@dataclass
class ReplyMeter:
    """Counts what has come."""

    url: str
    by_line: bool = False
    seen: int = 0

    def add(self, data: bytes) -> None:
        """Raises ModelError when it is too much."""
        last = data.rfind(b"\n") if self.by_line else -1
        self.seen = len(data) - last - 1 if last >= 0 else self.seen + len(data)
        if self.seen > LARGEST_REPLY:
            raise ModelError(
                f"What answers at {self.url} sent more than "
                f"{LARGEST_REPLY // 2**20} MB in one reply.",
                "No reply of a model is as long: check the address, and the server.",
            )


def http_of(reply: Any) -> Any:
    """Of a reply: httpx, or its successor httpx2, which OpenAI's client brings."""
    return import_module(type(reply).__module__.partition(".")[0])


def limit_reply(reply: Any, url: str) -> None:
    """Makes a reply, not read yet, end in a ModelError when too much of it comes."""
    http = http_of(reply)
    coding = reply.headers.get("Content-Encoding", "identity").strip().lower()
    if coding not in ("", "identity"):
        raise ModelError(
            f"What answers at {url} sent a compressed reply ({coding[:20]}), which was "
            "not asked for.",
            "Check the address: is a proxy or another server answering there?",
        )
    meter = ReplyMeter(url, by_line=reply.request.url.path.endswith("/api/pull"))
    stream = reply.stream

    class Bounded(http.AsyncByteStream, http.SyncByteStream):  # type: ignore
        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for data in stream:
                meter.add(data)
                yield data

        def __iter__(self) -> Iterator[bytes]:
            for data in stream:
                meter.add(data)
                yield data

        async def aclose(self) -> None:
            await stream.aclose()

        def close(self) -> None:
            stream.close()

    reply.stream = Bounded()
