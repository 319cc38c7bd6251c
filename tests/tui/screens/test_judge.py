"""Judge: what is known of each model, probing one, stopping, and what goes wrong."""

from __future__ import annotations

import threading

from claimscope.core.errors import ModelError
from claimscope.core.ports import Progress
from claimscope.tui.ports.gateway import HostInfo, KeptProbe, ModelInfo
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.judge import JudgeScreen
from tests.material import probes
from tests.tui.gateways import FakeGateway
from tests.tui.pictures import check_pictures
from tests.tui.pilot import app_on, check_snapshot, press, settle, text_of
from tests.tui.sample_run import run_header

HOST = "http://127.0.0.1:11434"
BAD = "a" * 64


def model(name: str, digest: str, **fields: object) -> ModelInfo:
    """An installed model."""
    return ModelInfo(name, HOST, digest, 900_000_000, **fields)  # type: ignore[arg-type]


def step(done: int) -> Progress:
    return Progress("probing", done, 30, 1.0, None, "ok number [b]210[/b]")


def bad_probe() -> KeptProbe:
    """Of a model that says Yes to everything and cites at random."""
    found = probes.cases(true=0.6, false=0.6)
    wrong = probes.other_case("citation", right=False, text="One can see tools there.")
    return KeptProbe(
        probes.probe([*found, wrong], model="tiny:135m", digest=BAD), False
    )


def furnished() -> FakeGateway:
    """One fit model, one unfit, one never probed, one on somebody else's machine."""
    return FakeGateway(
        host_list=[
            HostInfo(
                HOST,
                "0.33.3",
                (
                    model("m:1b", probes.DIGEST),
                    model("tiny:135m", BAD),
                    model("new:7b", "b" * 64),
                    model("far:cloud", "c" * 64, is_remote=True),
                ),
            )
        ],
        probe_list=[KeptProbe(probes.probe(), False), bad_probe()],
    )


async def test_each_model_shows_its_last_verdict() -> None:
    async with app_on(furnished()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "g")
        shown = text_of(pilot)
        assert "m:1b 4,096 ✔ fit 1.00 16/16 2026-11-27 12:00" in shown
        assert "– unprobed" in shown
        assert "✘ unfit 0.50 7/16" in shown
        assert "far:cloud" not in shown
        check_snapshot(pilot, "judge")
        await check_pictures(pilot, "judge")


async def test_an_unfit_model_says_why() -> None:
    async with app_on(furnished()).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "g", "end")
        shown = text_of(pilot)
        assert "cannot tell true claims from false ones (separation 0.50" in shown
        assert "it rejects 0 of 9 false claims" in shown
        assert "✘ 2/3 citation" in shown


async def test_an_outdated_probe_is_no_verdict() -> None:
    gateway = furnished()
    gateway.probe_list = [KeptProbe(probes.probe(), True)]
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "g")
        assert "– outdated" in text_of(pilot)
        assert "✔ fit" not in text_of(pilot).split("separation")[0]


async def test_probing_shows_each_case_and_reads_again() -> None:
    gateway = furnished()
    gateway.probe_steps = [step(1)]
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "g", "p")
        assert gateway.probed == [("m:1b", 4096)]
        assert "✔ m:1b was probed" in text_of(pilot)
        await press(pilot, "down", "p")
        assert gateway.probed[1:] == [("new:7b", None)]


async def test_escape_stops_a_probe_first_and_leaves_then() -> None:
    gateway = furnished()
    gateway.probe_steps = [step(3)]
    gateway.probe_waits = threading.Event()
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "g")
        await pilot.press("p")
        while not ("3/30" in text_of(pilot) and "ok number" in text_of(pilot)):
            await pilot.pause()
        shown = text_of(pilot)
        assert "ok number [b]210[/b]" in shown, "text of a model is shown as it is"
        assert "x stop" in shown and "p probe now" not in shown
        await press(pilot, "escape")
        while "nothing is kept" not in text_of(pilot):  # a thread has yet to end
            await pilot.pause()
        assert isinstance(app.screen, JudgeScreen)
        assert "m:1b: stopped, nothing is kept" in text_of(pilot)
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)


async def test_a_probe_that_fails_says_why() -> None:
    gateway = furnished()
    gateway.failure = ModelError("Ollama is busy.", "Run again later.")
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "g", "p")
        assert "✘ Ollama is busy. Run again later." in text_of(pilot)
        assert "p probe now" in text_of(pilot)


async def test_without_ollama_it_says_what_to_do() -> None:
    down = HostInfo(HOST, problem=f"No Ollama answers at {HOST}.", remedy="Start it.")
    async with app_on(FakeGateway(host_list=[down])).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "g")
        shown = text_of(pilot)
        assert "No model server answers, and no probe is kept." in shown
        assert f"? No Ollama answers at {HOST}. Start it." in shown
        assert "p probe now" not in shown
        check_snapshot(pilot, "judge_no_ollama")


async def test_kept_probes_are_shown_without_ollama() -> None:
    gateway = FakeGateway(
        host_list=[HostInfo(HOST, problem="down")], probe_list=[bad_probe()]
    )
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "g")
        assert "tiny:135m (not here)" in text_of(pilot)
        assert "p probe now" not in text_of(pilot)


async def test_a_server_without_models_says_how_to_get_one() -> None:
    async with app_on(FakeGateway(host_list=[HostInfo(HOST, "0.33.3")])).run_test(
        size=(80, 24)
    ) as pilot:
        await settle(pilot)
        await press(pilot, "g")
        assert "claimscope models pull NAME" in text_of(pilot)


async def test_a_run_says_that_its_judge_is_not_known_to_be_fit() -> None:
    gateway = furnished()
    header = run_header(fitness={"new:7b": "unprobed", "m:1b": "fit"})
    writer = gateway.runs.create(header)
    writer.save_state("running")
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        shown = text_of(pilot)
        assert "? judge: new:7b was never probed" in shown
        assert "claimscope models probe new:7b" in shown
        assert "m:1b" not in shown
