"""The list of models and a pull, asked of a real server."""

from __future__ import annotations

import json

import pytest

from claimscope.core.settings import Settings
from claimscope.tui.cli import main
from claimscope.tui.services.models.inventory import find, inventory
from tests.material.ollama_pool import OllamaServer
from tests.ollama.conftest import MODEL

pytestmark = pytest.mark.ollama


async def test_the_small_model_is_described_in_full(server: OllamaServer) -> None:
    (host,) = await inventory(Settings(ollama_host=server.url, model=MODEL))
    model = find(host.models, MODEL)
    assert host.problem is None and model is not None
    assert model.is_chosen and not model.is_remote and model.refused is None
    assert len(model.digest) == 64
    assert 90_000_000 < model.size_bytes < 110_000_000
    assert (model.parameters, model.context_tokens) == ("135M", 8192)
    assert "completion" in model.capabilities


async def test_a_model_that_does_not_exist_cannot_be_pulled(
    server: OllamaServer, capsys: pytest.CaptureFixture[str]
) -> None:
    # A registry that nobody runs: the server answers as it does without a network.
    import asyncio

    name = "127.0.0.1:1/library/none:1b"
    flags = ["models", "pull", name, "--ollama-host", server.url, "--json"]
    assert await asyncio.to_thread(main, flags) == 3
    said = capsys.readouterr()
    steps = [json.loads(line)["status"] for line in said.out.splitlines()]
    assert steps in ([], ["pulling manifest"])
    assert "could not reach" in said.err or "did not fetch" in said.err
