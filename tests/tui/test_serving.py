"""The interface in a browser: only with the key, only from its own page, offline."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession, WSMsgType, WSServerHandshakeError, web

from claimscope.core.errors import InputError
from claimscope.tui.serving import KeyedServer, app_command, listening

KEY = "a-key-of-the-test"
ECHO = "printf '__GANGLION__\\n'; exec cat"


@pytest.fixture
async def address() -> AsyncIterator[str]:
    """A server whose interface is a small shell command."""
    with listening("127.0.0.1", 0) as place:
        port = place.getsockname()[1]
        server = KeyedServer(ECHO, "127.0.0.1", port, KEY)
        runner = web.AppRunner(await server.application())
        await runner.setup()
        await web.SockSite(runner, place).start()
        yield f"http://127.0.0.1:{port}"
        await runner.cleanup()


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


def test_the_interface_is_this_program_on_that_workspace(tmp_path: Path) -> None:
    words = shlex.split(app_command(str(tmp_path / "a b")))
    assert words[:3] == [sys.executable, "-m", "claimscope"]
    assert words[3:] == ["--workspace", str(tmp_path / "a b")]


def test_a_port_that_is_taken_is_named() -> None:
    with listening("127.0.0.1", 0) as place:
        port = place.getsockname()[1]
        with pytest.raises(InputError, match=f"127.0.0.1 port {port}: .*in use"):
            listening("127.0.0.1", port)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.1", 0), ("127.0.0.1", 70000)])
def test_an_address_that_cannot_be_is_named(host: str, port: int) -> None:
    with pytest.raises(InputError, match="--port N"):
        listening(host, port)
