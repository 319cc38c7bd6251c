"""The real server these tests run against; without one they say so."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest

from claimscope.core.backends.ollama.server import OllamaChat
from claimscope.core.errors import ClaimscopeError
from tests.material.ollama_pool import OllamaServer

# Read before the fixture that hides the user's settings from every test.
HOST = os.environ.get("OLLAMA_HOST") or "127.0.0.1:11555"
REQUIRED = bool(os.environ.get("CLAIMSCOPE_REQUIRE_OLLAMA"))
MODEL = "smollm2:135m"


@pytest.fixture
async def server() -> AsyncIterator[OllamaServer]:
    """A server that answers and has the model; skips, or fails where it must be."""
    async with OllamaServer(HOST) as found:
        try:
            await found.chat_model(MODEL)
        except ClaimscopeError as error:
            reason = f"{error.message} (start one with `make ollama`)"
            if REQUIRED:
                pytest.fail(reason)
            pytest.skip(reason)
        yield found


@pytest.fixture
async def chat(server: OllamaServer) -> OllamaChat:
    """The small model, with the same short context in every test: no reloads."""
    return await server.chat_model(MODEL, context_tokens=2048)
