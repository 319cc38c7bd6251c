"""The interface in a browser: textual-serve, kept to this machine and to one key.

Whoever reaches the page has the user's own rights in the interface. So every request
needs the key of the address that was printed, a connection from another web page is
refused by its origin, and the page asks nothing of the web (textual-serve's own asks
for a font).
"""

from __future__ import annotations

import asyncio
import json as json_text
import logging
import os
import secrets
import shlex
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from html import escape
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, web
from aiohttp.typedefs import Middleware
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from claimscope.core.errors import InputError
from claimscope.tui.process.output import say

COOKIE = "claimscope_key"
GRACE_S = 3.0  # for an interface to quit by itself, then again for a signal to end it
log = logging.getLogger(__name__)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Claimscope</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/css/xterm.css">
<script src="/static/js/textual.js"></script>
<style>
  body {{ background: #14171c; color: #d8dce2; margin: 0; font: 16px monospace; }}
  #ended {{ display: none; padding: 2em; }}
  body.-closed #ended {{ display: block; }}
  body.-closed #terminal {{ display: none; }}
  .xterm .xterm-viewport {{ background: #14171c !important; }}
</style>
</head>
<body>
<p id="ended">The session has ended; runs go on. Reload the page for a new one.</p>
<div id="terminal" class="textual-terminal" data-font-size="{size}"></div>
<script>
  const scheme = location.protocol === "https:" ? "wss://" : "ws://";
  document.getElementById("terminal").dataset.sessionWebsocketUrl =
    scheme + location.host + "/ws";
  // Keys go to the interface from the first one on, without a click before.
  const listen = () => document.querySelector(".xterm-helper-textarea")?.focus();
  window.addEventListener("focus", listen);
  new MutationObserver((_, connecting) => {{
    if (!document.body.classList.contains("-loaded")) return;
    connecting.disconnect();
    listen();
  }}).observe(document.body, {{attributeFilter: ["class"]}});
</script>
</body>
</html>
"""


class EndingService(AppService):
    """An interface process that ends with its page, whether it obeys or not.

    textual-serve asks it to quit and waits without an end.
    """

    grace_s = GRACE_S

    async def stop(self) -> None:
        """Asks, closes its input, terminates, kills; a grace between each."""
        process, self._task, task = self._process, None, self._task
        if process is None or task is None:
            return
        await self._download_manager.cancel_app_downloads(
            app_service_id=self.app_service_id
        )
        await self.send_meta({"type": "quit"})
        self.stdin.close()
        for ending in (process.terminate, process.kill):
            if await self._has_ended(process):
                break
            with suppress(ProcessLookupError):
                ending()
        # A process of its own making may still hold its output; nobody reads it.
        await asyncio.wait([task], timeout=self.grace_s)
        task.cancel()
        await process.wait()

    async def _has_ended(self, process: asyncio.subprocess.Process) -> bool:
        try:
            await asyncio.wait_for(process.wait(), self.grace_s)
        except TimeoutError:
            return False
        return True


class KeyedServer(Server):
    """textual-serve behind a key, with a page of our own."""

    def __init__(
        self,
        command: str,
        host: str,
        port: int,
        key: str,
        service: type[AppService] = EndingService,
    ) -> None:
        super().__init__(command, host=host, port=port, title="Claimscope")
        self.key = key
        self.service = service
        self._lines: set[web.WebSocketResponse] = set()

    def initialize_logging(self) -> None:
        """Warnings only, to stderr: stdout is data."""
        logging.basicConfig(level="WARNING", format="claimscope: %(message)s")

    async def on_startup(self, app: web.Application) -> None:
        """Its logo stays away."""

    async def on_shutdown(self, app: web.Application) -> None:
        """Ends the open pages; the server would wait a minute for them."""
        closings = [line.close(code=WSCloseCode.GOING_AWAY) for line in self._lines]
        await asyncio.gather(*closings, return_exceptions=True)

    async def application(self) -> web.Application:
        """The server's pages behind the key."""
        app: web.Application = await self._make_app()
        app.middlewares.append(self._guard())
        return app

    def _guard(self) -> Middleware:
        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            given = request.query.get("key") or request.cookies.get(COOKIE, "")
            if not secrets.compare_digest(given.encode(), self.key.encode()):
                raise web.HTTPForbidden(
                    text="Open the whole address that `claimscope serve` printed."
                )
            origin = request.headers.get("Origin")
            if origin is not None and urlsplit(origin).netloc != request.host:
                raise web.HTTPForbidden(text="Another page may not connect to this.")
            return await handler(request)

        return guard

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """One page: a process of its own behind it, from connecting to leaving."""
        line = web.WebSocketResponse(heartbeat=15, timeout=GRACE_S)
        await line.prepare(request)

        async def leave() -> None:
            await line.close()

        service = self.service(
            self.command,
            write_bytes=line.send_bytes,
            write_str=line.send_str,
            close=leave,
            download_manager=self.download_manager,
        )
        self._lines.add(line)
        try:
            width, height = (
                request.query.get(name, "") for name in ("width", "height")
            )
            await service.start(to_int(width, 80), to_int(height, 24))
            await self._process_messages(line, service)
        except Exception:
            log.exception("a page in the browser failed")
        finally:
            self._lines.discard(line)
            await service.stop()
        return line

    async def handle_index(self, request: web.Request) -> web.Response:
        size = to_int(request.query.get("fontsize", "16"), 16)
        page = PAGE.format(size=escape(str(size)))
        response = web.Response(text=page, content_type="text/html")
        response.headers["Cache-Control"] = "no-store"
        response.set_cookie(COOKIE, self.key, httponly=True, samesite="Strict")
        return response


def app_command(workspace: str | None) -> str:
    """The shell's words for the interface as a process of its own."""
    words = [sys.executable, "-m", "claimscope"]
    if workspace:
        words += ["--workspace", os.path.abspath(os.path.expanduser(workspace))]
    # A signal is meant for the interface, not for a shell that waits for it.
    return f"exec {shlex.join(words)}" if os.name == "posix" else shlex.join(words)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises InputError."""
    if not 0 <= port <= 65535:
        raise InputError(f"port {port} is no port", "--port N: 1 to 65535, 0: free one")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = error.strerror or str(error)
        raise InputError(
            f"{host} port {port}: {why}",
            "--port N takes another port (0: a free one), --host another address",
        ) from None


def serve(host: str, port: int, workspace: str | None, *, json: bool = False) -> None:
    with listening(host, port) as place:
        port = place.getsockname()[1]
        key = secrets.token_urlsafe(24)
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{port}/?key={key}"
        print(json_text.dumps({"url": url}) if json else url, flush=True)
        say("open it in a browser; ctrl+c ends it, runs go on")
        if not _is_loopback(place):
            say(
                "note: other machines can reach this address. Its key travels "
                "unencrypted; an SSH tunnel to the default address is safer."
            )
        # The interface's own process writes to a pipe, which has no locale.
        os.environ["PYTHONUTF8"] = "1"
        server = KeyedServer(app_command(workspace), host, port, key)
        server.initialize_logging()
        web.run_app(
            server.application(),
            sock=place,
            print=None,
            access_log=None,
            shutdown_timeout=4 * GRACE_S,
        )


def _is_loopback(place: socket.socket) -> bool:
    address = str(place.getsockname()[0])
    return address.startswith("127.") or address == "::1"
