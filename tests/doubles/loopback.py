"""What the doubles of model servers have in common: a real socket on loopback, which a
client may leave, and which can be killed and started again.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self

from tests.doubles.ollama.replies import Reply


@dataclass
class LoopbackServer:
    """Use as a context manager."""

    handler: ClassVar[type[LoopbackHandler]]
    _port: int = field(default=0, init=False)
    lock: threading.RLock = field(default_factory=threading.RLock, init=False)
    connections: set[socket.socket] = field(default_factory=set, init=False)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Listens, after a `stop` at the same port again."""
        bound = type("Bound", (self.handler,), {"fake": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), bound)
        self._server.daemon_threads = True
        self._port = self._server.server_port
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )
        self._thread.start()

    def stop(self) -> None:
        """Ends as a killed server does: no new connection, the open ones cut."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        with self.lock:
            for connection in self.connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self.connections.clear()

    @property
    def host(self) -> str:
        """host:port, as OLLAMA_HOST has it."""
        return f"127.0.0.1:{self._port}"


class LoopbackHandler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    # Else each answer waits 40 ms for the other side's word on its first part.
    disable_nagle_algorithm = True
    fake: Any
    """The double that it works for, a LoopbackServer."""

    def setup(self) -> None:
        super().setup()
        with self.fake.lock:
            self.fake.connections.add(self.connection)

    def finish(self) -> None:
        with self.fake.lock:
            self.fake.connections.discard(self.connection)
        with suppress(OSError):
            super().finish()

    def handle(self) -> None:
        # A client that left while its reply was sent is noted, never printed.
        with suppress(ConnectionError, ValueError):
            super().handle()

    def log_message(self, *args: object) -> None:
        pass

    def _send_stream(self, reply: Reply) -> None:
        """A reply in chunks, held before the last line, or cut."""
        if reply.hold is not None and len(reply.lines) < 2:
            self._wait(reply.hold)
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, data in enumerate(reply.lines):
            if reply.hold is not None and 0 < number == len(reply.lines) - 1:
                self._wait(reply.hold)
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        if reply.cut:
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")

    def _wait(self, hold: threading.Event) -> None:
        """Until released, or the client is gone."""
        self.connection.settimeout(0.02)
        for _ in range(6000):
            if hold.is_set():
                break
            with suppress(TimeoutError):
                if self.connection.recv(1) == b"":
                    raise BrokenPipeError
        self.connection.settimeout(None)
