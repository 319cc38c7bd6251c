"""What doctor and Home say of the Ollamas of the pool."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from claimscope.core.backends.dask import dask_cluster
from claimscope.core.settings import Settings
from claimscope.tui.cli import main
from claimscope.tui.services.health import (
    check_or_error,
    chroma,
    cluster,
    offline,
    servers,
)
from tests.doubles.fake_ollama import OTHER_DIGEST, FakeOllama, Loaded, model

NOWHERE = "127.0.0.1:1"


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    """A double with one model."""
    with FakeOllama() as server:
        yield server


def test_a_model_in_memory_is_told_with_its_contexts(fake: FakeOllama) -> None:
    fake.loaded["m:1b"] = Loaded(2048, 2048)
    (check,) = servers(Settings(ollama_host=fake.host, model="m:1b"))
    assert check.state == "ok"
    assert "m:1b: context of 8192, in memory: 2048 tokens, until" in check.text
    fake.loaded.clear()
    (check,) = servers(Settings(ollama_host=fake.host, model="m:1b"))
    assert check.text.endswith("m:1b: context of 8192, in memory: no")


def test_servers_that_do_not_answer_are_named_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(dask_cluster, "CONNECT_SECONDS", 1)
    settings = Settings(chroma_url=f"http://{NOWHERE}", cluster=f"tcp://{NOWHERE}")
    check = check_or_error("chroma", lambda: chroma(settings))
    assert (check.state, f"http://{NOWHERE}" in check.text) == ("error", True)
    assert "chroma run" in check.remedy
    check = check_or_error("cluster", lambda: cluster(settings))
    assert check.state == "error"
    assert f"no Dask scheduler answers at tcp://{NOWHERE}" in check.text
    assert "dask scheduler" in check.remedy


def test_each_host_of_a_pool_has_a_line(fake: FakeOllama) -> None:
    hosts = f"{fake.host},{NOWHERE}"
    first, second = servers(Settings(ollama_host=hosts))
    assert (first.state, second.state) == ("ok", "warning")
    assert "No Ollama answers at http://127.0.0.1:1" in second.text
    first, second = servers(
        Settings(ollama_host=hosts, verifier="ollama", model="m:1b")
    )
    assert (first.state, second.state) == ("ok", "error")


def test_a_missing_model_and_a_missing_judge_are_named(fake: FakeOllama) -> None:
    (check,) = servers(Settings(ollama_host=fake.host, model="gone:1b"))
    assert (check.state, "gone:1b is missing" in check.text) == ("warning", True)
    assert "claimscope models pull gone:1b" in check.remedy
    (check,) = servers(
        Settings(ollama_host=fake.host, judge=True, model="m:1b", judges=("j:2b",))
    )
    assert (check.state, "j:2b is missing" in check.text) == ("error", True)


def test_a_model_that_would_be_refused_is_named(fake: FakeOllama) -> None:
    fake.models["far:1b"] = model(remote_host="https://cloud.invalid")
    settings = Settings(ollama_host=fake.host, judge=True, model="far:1b")
    (check,) = servers(settings)
    assert (check.state, "far:1b runs elsewhere" in check.text) == ("error", True)


def test_a_host_without_models_says_how_to_get_one(fake: FakeOllama) -> None:
    fake.models.clear()
    (check,) = servers(Settings(ollama_host=fake.host))
    assert (check.state, check.remedy) == (
        "warning",
        "claimscope models pull NAME brings one",
    )


def test_hosts_that_hold_different_weights_are_an_error(fake: FakeOllama) -> None:
    with FakeOllama(digests={"m:1b": OTHER_DIGEST}) as other:
        hosts = f"{fake.host},{other.host}"
        *_, check = servers(Settings(ollama_host=hosts, model="m:1b"))
    assert check.state == "error"
    assert "not the same on all hosts" in check.text
    assert OTHER_DIGEST[:12] in check.text


def test_an_address_that_cannot_be_read_is_an_error() -> None:
    (check,) = servers(Settings(ollama_host="http://a b"))
    assert check.state == "error"
    assert "cannot be read" in check.text


def test_the_offline_setting_is_told() -> None:
    assert offline(Settings()).state == "ok"
    assert offline(Settings(offline=False)).state == "warning"


@pytest.mark.slow
@pytest.mark.usefixtures("ready_cache")
def test_doctor_prints_a_line_for_each_host(
    fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--ollama-host", f"{fake.host},{NOWHERE}", "--model", "m:1b"]
    main(["doctor", "--json", *flags])
    found = json.loads(capsys.readouterr().out)["checks"]
    assert [c["state"] for c in found if c["name"] == "ollama"] == ["ok", "warning"]
    assert "offline" in [c["name"] for c in found]
