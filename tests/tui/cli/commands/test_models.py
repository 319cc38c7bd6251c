"""`claimscope models` and `claimscope models pull` against a double of Ollama."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from claimscope.core.errors import ModelError
from claimscope.core.settings import Settings
from claimscope.tui.cli import main
from claimscope.tui.ports.gateway import PullStep
from claimscope.tui.services.models import pull as pulling_module
from claimscope.tui.services.models.pull import PullMeter, pull_until
from tests.doubles.fake_ollama import (
    DIGEST,
    LAYERS,
    FakeOllama,
    Loaded,
    Reply,
    as_line,
    embedder,
    failed,
    html,
    model,
    pull_failed,
    pulling,
)

NO_NETWORK = (
    'pull model manifest: Get "https://library.invalid/v2/library/new/manifests/1b": '
    "dial tcp: lookup library.invalid: no such host"
)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    """A double with one model, as the configured server."""
    with FakeOllama() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.host)
        yield server


def listed(capsys: pytest.CaptureFixture[str], *flags: str) -> list[dict[str, Any]]:
    """What `models --json` prints."""
    assert main(["models", "--json", *flags]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


# --- models -------------------------------------------------------------------


def test_models_are_a_table_with_the_chosen_one_marked(
    fake: FakeOllama,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake.models["words:latest"] = embedder()
    fake.loaded["m:1b"] = Loaded(2048, 2048)
    monkeypatch.setenv("CLAIMSCOPE_MODEL", "words")
    assert main(["models"]) == 0
    head, titles, first, second = capsys.readouterr().out.splitlines()
    assert head == f"http://{fake.host}  Ollama 0.33.3, 2 models"
    assert titles.split()[:4] == ["model", "size", "param.", "quant."]
    assert first.split()[0] == "m:1b" and second.split()[:2] == ["▶", "words:latest"]
    assert "2048 tokens" in first and "2048 tokens" not in second
    assert DIGEST[:12] in first and "8,192" in first and "unprobed" in first
    assert "cannot chat" in second


def test_models_as_json_say_what_a_script_needs(
    fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.loaded["m:1b"] = Loaded(2048, 2048)
    (host,) = listed(capsys)
    (found,) = host["models"]
    assert (host["url"], host["version"], host["problem"]) == (
        f"http://{fake.host}",
        "0.33.3",
        None,
    )
    assert found["name"] == "m:1b"
    assert found["digest"] == DIGEST
    assert found["loaded_context"] == 2048 and found["is_loaded"] is True
    assert found["context_tokens"] == 8192
    assert found["capabilities"] == ["completion"]
    assert (found["is_remote"], found["refused"]) == (False, None)


def test_a_model_that_runs_elsewhere_is_named_as_refused(
    fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.models["big:cloud"] = model(remote_host="https://cloud.invalid")
    (host,) = listed(capsys)
    refused = {found["name"]: found["refused"] for found in host["models"]}
    assert refused == {"m:1b": None, "big:cloud": "runs elsewhere: refused offline"}


def test_a_pool_shows_each_host_and_the_one_that_is_down(
    fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeOllama({"other:2b": model()}) as other:
        hosts = f"{fake.host}, {other.host},127.0.0.1:1"
        assert main(["models", "--ollama-host", hosts]) == 0
    said = capsys.readouterr()
    assert "m:1b" in said.out and "other:2b" in said.out
    assert said.out.count("param.") == 2
    assert "No Ollama answers at http://127.0.0.1:1" in said.err


def test_without_a_server_the_exit_code_is_3(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["models", "--ollama-host", "127.0.0.1:1"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "No Ollama answers at http://127.0.0.1:1" in said.err
    assert "ollama serve" in said.err


def test_without_models_it_says_how_to_get_one(
    fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.models.clear()
    assert main(["models"]) == 0
    said = capsys.readouterr()
    assert "0 models" in said.out
    assert "claimscope models pull" in said.err


def test_names_of_models_are_shown_inert(
    fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.models["m\x1b[31m:1b"] = model()
    assert main(["models"]) == 0
    assert "\x1b" not in capsys.readouterr().out


# --- pull ---------------------------------------------------------------------


def test_a_pull_ends_with_the_model_there(
    fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.registry["new:1b"] = model()
    assert main(["models", "pull", "new:1b"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "pulling manifest" in said.err
    assert f"pulling 0 % of {sum(LAYERS.values()) / 1000:.0f} kB" in said.err
    assert "claimscope models probe new:1b" in said.err
    assert [body["model"] for body in fake.pulls] == ["new:1b"]
    assert "new:1b" in fake.models


def test_totals_are_over_all_layers(fake: FakeOllama) -> None:
    fake.registry["new:1b"] = model()
    steps: list[PullStep] = []
    settings = Settings(ollama_host=fake.host)
    assert pull_until(settings, "new:1b", steps.append)
    whole = sum(LAYERS.values())
    assert (steps[0].done, steps[0].total) == (0, 0)
    assert max(step.total for step in steps) == whole
    assert (steps[-1].status, steps[-1].done) == ("success", whole)
    done = [step.done for step in steps]
    assert done == sorted(done)


def test_a_pull_as_json_is_a_line_a_step(
    fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.registry["new:1b"] = model()
    assert main(["models", "pull", "new:1b", "--json"]) == 0
    said = capsys.readouterr()
    rows = [json.loads(line) for line in said.out.splitlines()]
    assert rows[0]["status"] == "pulling manifest"
    assert rows[-1]["status"] == "success"
    assert rows[-1]["done"] == rows[-1]["total"] == sum(LAYERS.values())
    assert said.err == ""


def test_a_pool_gets_the_model_on_each_host(fake: FakeOllama) -> None:
    with FakeOllama({}) as other:
        for server in (fake, other):
            server.registry["new:1b"] = model()
        hosts = f"{fake.host},{other.host}"
        assert main(["models", "pull", "new:1b", "--ollama-host", hosts]) == 0
        assert "new:1b" in fake.models and "new:1b" in other.models


FAILURES = {
    "unknown": (
        pull_failed("pull model manifest: file does not exist"),
        "has no model 'new:1b'",
    ),
    "no network": (
        pull_failed(NO_NETWORK),
        "could not reach Ollama's library: pull model",
    ),
    "no end": (Reply(lines=pulling(done=False)), "run it again, it goes on there"),
    "disk": (pull_failed("no space left on device"), "no space left on device"),
    "cut": (Reply(lines=pulling()[:4], cut=True), "was lost"),
    "proxy": (html(502), "Bad gateway"),
    "error at once": (failed(500, "boom"), "boom"),
    "cut error": (
        Reply(lines=(as_line({"status": "pulling manifest"}), b'{"error": ""}\n')),
        "new:1b",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_pull_that_fails_says_why(
    name: str, fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    reply, message = FAILURES[name]
    fake.pull_script.append(reply)
    assert main(["models", "pull", "new:1b"]) == 3
    said = capsys.readouterr().err
    assert message in said
    assert "-1" not in said and "Traceback" not in said
    assert len(fake.pulls) == 1  # never tried again by itself


def test_a_cloud_model_is_refused_and_the_setting_named(
    fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("big:480b-cloud", "big:cloud"):
        assert main(["models", "pull", name]) == 2
        assert "the setting offline is on" in capsys.readouterr().err
    assert fake.pulls == []


@pytest.mark.parametrize("name", ["", "  ", "two words", "line\nbreak"])
def test_what_is_no_name_is_refused(
    name: str, fake: FakeOllama, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "pull", name]) == 2
    assert "no name of a model" in capsys.readouterr().err
    assert fake.pulls == []


def test_a_pull_is_stopped_and_the_server_sees_it(fake: FakeOllama) -> None:
    import threading

    fake.pull_script.append(Reply(lines=pulling(), hold=threading.Event()))
    steps: list[PullStep] = []
    settings = Settings(ollama_host=fake.host)
    assert not pull_until(settings, "new:1b", steps.append, lambda: bool(steps))
    assert steps[-1].status != "success"
    assert fake.gone.wait(120)


def test_ctrl_c_says_that_a_second_pull_goes_on(
    fake: FakeOllama,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(pulling_module, "pull_until", interrupted)
    assert main(["models", "pull", "new:1b"]) == 130
    assert "`claimscope models pull new:1b` goes on there" in capsys.readouterr().err


def test_an_error_reaches_whoever_waits(fake: FakeOllama) -> None:
    fake.pull_script.append(pull_failed(NO_NETWORK))
    with pytest.raises(ModelError, match="could not reach Ollama's library"):
        pull_until(Settings(ollama_host=fake.host), "new:1b", lambda step: None)


# --- the rate -----------------------------------------------------------------


def test_the_rate_is_that_of_the_last_seconds() -> None:
    seconds = [0.0]
    meter = PullMeter(lambda: seconds[0])
    assert meter.rate(5_000) is None  # what an earlier pull had fetched
    seconds[0] = 1.0
    assert meter.rate(6_000) == 1000.0
    for seconds[0] in range(2, 40):
        rate = meter.rate(6_000 + 10 * int(seconds[0]))
    assert rate == pytest.approx(10.0)


def test_time_to_go_needs_a_rate() -> None:
    assert PullStep("h", "pulling", 10, 100).eta_seconds is None
    assert PullStep("h", "pulling", 10, 100, 9.0).eta_seconds == 10.0
