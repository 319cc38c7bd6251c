"""Writes docs/claim-stepper.svg, the picture in the README.

The picture is taken from a real run: give the workspace of a run (`make demo` leaves
one), or the newest run of the default workspace is taken.

    python -m benchmarks.tools.picture [--workspace DIR] [--run ID] [--out FILE]
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from claimscope.core.models import FailureKind, Page, SampleResult, Sentence
from claimscope.core.ports import RunStore
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.app.app import ClaimscopeApp
from claimscope.tui.app.themes import DEFAULT
from claimscope.tui.ports.gateway import CorpusInfo, HealthCheck, NewRun, SuiteInfo
from claimscope.tui.review.cursor import Place
from claimscope.tui.review.items import items
from claimscope.tui.screens.stepper.screen import StepperScreen
from claimscope.tui.widgets.glyphs import UNICODE

SIZE = (118, 30)
CASE = "med-001/birch/1"
"""Shown when the run has it: a wrong figure, planted in the shipped answers."""
OUT = Path(__file__).resolve().parents[2] / "docs" / "claim-stepper.svg"


class ReadingGateway:
    """A gateway on which one can only look at runs."""

    def __init__(self, runs: RunStore) -> None:
        self.runs = runs

    def suites(self) -> Sequence[SuiteInfo]:
        return ()

    def corpora(self) -> Sequence[CorpusInfo]:
        return ()

    def models(self) -> Sequence[str]:
        return ()

    def health(self) -> Sequence[HealthCheck]:
        return ()

    def tell_losses(self, tell: Callable[[str], object]) -> None:
        """Nothing was lost."""

    def start_run(self, wanted: NewRun) -> str:
        raise NotImplementedError

    def resume_run(self, run_id: str) -> None:
        raise NotImplementedError

    def page(self, corpus: str, page_id: str) -> Page | None:
        return None

    def sentences(self, corpus: str, page_id: str) -> Sequence[Sentence]:
        return ()


def telling(samples: Sequence[SampleResult]) -> Place:
    """A contradicted claim of an answer with several claims: it shows the most."""
    best, place = -1, Place(0, 0)
    for number, sample in enumerate(samples):
        for position, item in enumerate(items(sample)):
            if item.kind != "claim" or FailureKind.CONTRADICTED not in item.kinds:
                continue
            if str(sample.key) == CASE:
                return Place(number, position)
            worth = len(sample.claims) + 3 * len(sample.citations)
            if worth > best and len(sample.answer.text) < 900:
                best, place = worth, Place(number, position)
    return place


async def take(store: RunStore, run_id: str, out: Path) -> None:
    """Opens the stepper and exports what it shows."""
    reader = store.read(run_id)
    samples = sorted(reader.samples(), key=lambda sample: str(sample.key))
    app = ClaimscopeApp(lambda: ReadingGateway(store), glyphs=UNICODE, theme=DEFAULT)
    async with app.run_test(size=SIZE) as pilot:
        await app.workers.wait_for_complete()
        screen = StepperScreen(app.context, reader, samples)
        await app.push_screen(screen)
        screen.place = telling(samples)
        await pilot.pause()
        screen.redraw()
        await pilot.pause()
        out.parent.mkdir(parents=True, exist_ok=True)
        svg = app.export_screenshot(title="claimscope: stepping through a run")
        # The fonts named in the export would be fetched from the web by a viewer.
        out.write_text(without_web_fonts(svg), encoding="utf-8")


def without_web_fonts(svg: str) -> str:
    """The picture with the reader's own monospaced font."""
    while (start := svg.find("@font-face")) >= 0:
        end = svg.index("}", start) + 1
        svg = svg[:start] + svg[end:]
    return svg


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workspace", default=None)
    parser.add_argument("--run", default=None, help="a run id; default: the newest")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    store = DiskRunStore(Workspace.find(arguments.workspace).runs)
    newest = next(iter(store.runs()), None)
    run_id = arguments.run or (newest.header.run_id if newest else None)
    if run_id is None:
        parser.exit(2, "there is no run in this workspace: `claimscope demo` first\n")
    asyncio.run(take(store, run_id, arguments.out))
    print(arguments.out)


if __name__ == "__main__":
    main()
