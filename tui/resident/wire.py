"""Messages between a check and the resident engine: a header of JSON and some bytes.

A check says what it wants; a copy of the engine says that it has begun, is given the
open files of who asks with the first byte of the next message, and sends the result.
"""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

SIZES = struct.Struct("!II")
MOST = 1 << 28
"""Bytes of a header or a body."""
FILES = 3


class Broken(Exception):
    """The other end is gone, or says what nobody understands."""


def send(
    connection: socket.socket,
    header: dict[str, Any],
    body: bytes = b"",
    files: Sequence[int] = (),
) -> None:
    """Sends a message. Raises OSError."""
    data = json.dumps(header).encode()
    packed = SIZES.pack(len(data), len(body)) + data + body
    if files:
        socket.send_fds(connection, [packed[:1]], files)
    else:
        connection.sendall(packed[:1])
    connection.sendall(packed[1:])


def receive(connection: socket.socket) -> tuple[dict[str, Any], bytes, list[int]]:
    """(header, body, open files). Raises Broken, OSError; TimeoutError is one."""
    first, files, _, _ = socket.recv_fds(connection, 1, FILES)
    try:
        sizes = first + _exactly(connection, SIZES.size - 1)
        head, rest = SIZES.unpack(sizes)
        if not first or max(head, rest) > MOST:
            raise Broken("no message")
        header = json.loads(_exactly(connection, head))
        if not isinstance(header, dict):
            raise Broken("no message")
        return header, _exactly(connection, rest), files
    except BaseException as error:
        close(files)
        if isinstance(error, ValueError | RecursionError):
            raise Broken("no message") from None
        raise


def _exactly(connection: socket.socket, size: int) -> bytes:
    parts = []
    while size:
        part = connection.recv(min(size, 1 << 20))
        if not part:
            raise Broken("the other end is gone")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def close(files: Sequence[int]) -> None:
    """Closes open files; harmless when done before."""
    for file in files:
        with suppress(OSError):
            os.close(file)
