"""The interface in a browser: only with the key, only from its own page, offline."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pyte
import pytest
from aiohttp import (
    ClientSession,
    ClientWebSocketResponse,
    WSCloseCode,
    WSMsgType,
    WSServerHandshakeError,
    web,
)

from claimscope.core.errors import InputError
from claimscope.tui.cli.serving import (
    EndingService,
    KeyedServer,
    app_command,
    listening,
)

KEY = "a-key-of-the-test"
ECHO = "printf '__GANGLION__\\n'; exec cat"


class Impatient(EndingService):
    """No test waits for a process that will not obey."""

    grace_s = 0.1


@asynccontextmanager
async def serving(command: str) -> AsyncIterator[str]:
    """A server whose interface is a small shell command."""
    with listening("127.0.0.1", 0) as place:
        port = place.getsockname()[1]
        server = KeyedServer(command, "127.0.0.1", port, KEY, Impatient)
        runner = web.AppRunner(await server.application())
        await runner.setup()
        await web.SockSite(runner, place).start()
        yield f"http://127.0.0.1:{port}"
        # It waits a minute for what does not end.
        await asyncio.wait_for(runner.cleanup(), 30)


@pytest.fixture
async def address() -> AsyncIterator[str]:
    async with serving(ECHO) as place:
        yield place


@pytest.mark.parametrize("path", ["/", "/?key=wrong", "/ws", "/static/js/textual.js"])
async def test_nothing_is_served_without_the_key(address: str, path: str) -> None:
    async with ClientSession() as browser, browser.get(address + path) as reply:
        assert reply.status == 403
        assert "claimscope serve" in await reply.text()


async def test_the_page_asks_nothing_of_the_web(address: str) -> None:
    async with ClientSession() as browser:
        async with browser.get(f"{address}/?key={KEY}") as reply:
            page = await reply.text()
            assert reply.status == 200
        assert not re.findall(r"https?://", page)
        assert ".focus()" in page and "{{" not in page
        # A browser keeps a cookie of an address without a name only when told to.
        for path in re.findall(r'(?:href|src)="(/[^"]+)"', page):
            async with browser.get(
                address + path, cookies={"claimscope_key": KEY}
            ) as reply:
                assert reply.status == 200, path


async def test_another_page_may_not_connect(address: str) -> None:
    async with ClientSession() as browser:
        with pytest.raises(WSServerHandshakeError) as refused:
            await browser.ws_connect(
                f"{address}/ws?key={KEY}", headers={"Origin": "http://127.0.0.1:1"}
            )
        assert refused.value.status == 403


async def test_its_own_page_is_connected(address: str) -> None:
    async with ClientSession() as browser:
        line = await browser.ws_connect(
            f"{address}/ws?key={KEY}", headers={"Origin": address}
        )
        await line.send_json(["ping", "1"])
        answer = await line.receive(timeout=30)
        assert (answer.type, answer.data) == (WSMsgType.TEXT, '["pong", "1"]')
        await line.close()


# Hears neither "quit" nor the end of its input, and the second no signal to end either.
@pytest.mark.parametrize("trap", ["", "trap '' TERM; "])
async def test_an_interface_that_will_not_quit_ends_with_the_server(
    tmp_path: Path, trap: str
) -> None:
    noted = tmp_path / "pid"
    deaf = f"{trap}echo $$ > {noted}; printf '__GANGLION__\\n'; exec sleep 600"
    async with ClientSession() as browser:
        async with serving(deaf) as place:
            line = await browser.ws_connect(f"{place}/ws?key={KEY}")
            await line.send_json(["ping", "1"])
            assert (await line.receive(timeout=30)).data == '["pong", "1"]'
            while not noted.exists() or not noted.read_text().strip():
                await asyncio.sleep(0)
            leaving = asyncio.create_task(line.receive(timeout=30))
        assert (await leaving).data == WSCloseCode.GOING_AWAY
    with pytest.raises(ProcessLookupError):
        os.kill(int(noted.read_text()), 0)


class Screen:
    """What somebody reads who is connected to the interface itself."""

    def __init__(self, line: ClientWebSocketResponse, columns: int, lines: int) -> None:
        self._line = line
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)

    async def until(self, *words: str) -> list[str]:
        """The lines, once all these words are on them."""
        try:
            async with asyncio.timeout(60):
                await self._read_until(words)
        except TimeoutError:
            shown = "\n".join(self._screen.display)
            raise AssertionError(f"{words} did not come:\n{shown}") from None
        return list(self._screen.display)

    async def _read_until(self, words: tuple[str, ...]) -> None:
        while not all(word in "\n".join(self._screen.display) for word in words):
            message = await self._line.receive()
            assert message.type in (WSMsgType.BINARY, WSMsgType.TEXT), message
            if message.type == WSMsgType.BINARY:
                self._stream.feed(message.data)

    async def end(self) -> None:
        """Reads on until the server closes."""
        async with asyncio.timeout(60):
            while (await self._line.receive()).type != WSMsgType.CLOSE:
                pass

    async def resize(self, columns: int, lines: int) -> None:
        self._screen.resize(lines, columns)
        self._screen.reset()
        await self._line.send_json(["resize", {"width": columns, "height": lines}])

    async def press(self, keys: str) -> None:
        await self._line.send_json(["stdin", keys])


async def test_the_interface_opens_steps_resizes_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Path(__file__).parents[3] / ".src"
    monkeypatch.setenv("PYTHONPATH", str(source))
    monkeypatch.setenv("PYTHONUTF8", "1")
    command = app_command(str(tmp_path))
    async with serving(command) as place, ClientSession() as browser:
        line = await browser.ws_connect(f"{place}/ws?key={KEY}&width=80&height=24")
        seen = Screen(line, 80, 24)
        # The list of runs has the keys, without a click: its line is a thick one.
        await seen.until("━runs", "Evening courses", "✔ workspace:")
        await seen.press("\t\t\r")
        await seen.until("cases", "esc back")
        await seen.press("\x1b")
        await seen.until("Evening courses", "corpora", "q quit")
        await seen.resize(100, 30)
        lines = await seen.until("terminal: a", "p pages", "q quit")
        assert "q quit" in lines[29] and lines[0].startswith("━suites")
        await seen.press("q")
        await seen.end()


def test_the_interface_is_this_program_on_that_workspace(tmp_path: Path) -> None:
    words = shlex.split(app_command(str(tmp_path / "a b")))
    assert words[:4] == ["exec", sys.executable, "-m", "claimscope"]
    assert words[4:] == ["--workspace", str(tmp_path / "a b")]


def test_a_port_that_is_taken_is_named() -> None:
    with listening("127.0.0.1", 0) as place:
        port = place.getsockname()[1]
        with pytest.raises(InputError, match=f"127.0.0.1 port {port}: .*in use"):
            listening("127.0.0.1", port)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.1", 0), ("127.0.0.1", 70000)])
def test_an_address_that_cannot_be_is_named(host: str, port: int) -> None:
    with pytest.raises(InputError, match="--port N"):
        listening(host, port)
