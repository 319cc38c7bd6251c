"""Are the claims of a generated suite in its sentences? Prints each beside them.

    python -m benchmarks.quality.build_suite --model NAME [--cases 20] [--seed 7]
        [--pages FOLDER] [--workspace DIR] [--verifier none|ollama]

DIR keeps the calls: the same command goes on where it was stopped.

Builds cases from the pages that ship (all three sample folders, or FOLDER) with a model
on a real Ollama, as `claimscope suite build --from-pages` does, then prints for each
case its question, and each claim with the sentences it is said to stand in, read anew
from the pages. Whether it does is for a person to say.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import tempfile
import time
from pathlib import Path

from claimscope.core.models import Case, Page
from claimscope.core.services.suite_building.builder import BuildRequest
from claimscope.core.settings import Settings
from claimscope.core.text.sentences import sentences
from claimscope.stores.pages.folder import read_folder
from claimscope.stores.suites.loading import shipped_suites
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.services.suite.build import (
    DraftedCases,
    PagesWish,
    build_from_pages,
    shortfall,
)


def shipped_pages(folder: Path) -> Path:
    """The pages of all sample suites in one folder, always the same one for a
    workspace: its calls are found again by the pages."""
    for name, suite in shipped_suites().items():
        shutil.copytree(suite.parent / "pages", folder / name, dirs_exist_ok=True)
    return folder


def show(case: Case, pages: dict[str, Page], number: int) -> None:
    print(f"\n{number}. [{case.category}] {case.question}")
    if not case.claims:
        print(f"   {case.rationale}")
    for claim_number, claim in enumerate(case.claims, 1):
        print(f"   claim: {claim.text}")
        for place in str(case.metadata[f"trace_{claim_number}"]).split("; "):
            page_id, _, index = place.rpartition(", S:")
            text = sentences(pages[page_id])[int(index)].text
            print(f"     {place}: {' '.join(text.split())}")


def tell(found: DraftedCases, seconds: float) -> None:
    """What was offered, what was dropped and why, and the cost."""
    built, usage = found.built, found.usage
    print(
        f"\n{len(built.candidates)} offered of {sum(built.wanted.values())}, "
        f"{built.drafts} drafts, {seconds:.0f} s, {usage.calls} calls, "
        f"{usage.prompt_tokens} tokens read, {usage.completion_tokens} written"
    )
    for line in shortfall(built):
        print(f"  fewer than wanted: {line}")
    for reason, count in sorted(built.dropped.items(), key=lambda pair: -pair[1]):
        print(f"  dropped {count:3}  {reason}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pages", type=Path)
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--verifier", choices=("none", "ollama"), default="none")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        workspace = Workspace(options.workspace or Path(temporary) / "workspace")
        folder = options.pages or shipped_pages(workspace.root / "pages")
        settings = Settings(
            model=options.model, verifier=options.verifier, seed=options.seed
        )
        wish = PagesWish(
            folder,
            Path(temporary) / "built.json",
            BuildRequest(options.cases, options.seed),
        )
        began = time.monotonic()
        found = asyncio.run(build_from_pages(workspace, settings, wish))
        pages = {page.page_id: page for page in read_folder(folder).pages}
        for number, case in enumerate(found.suite.cases, 1):
            show(case, pages, number)
        tell(found, time.monotonic() - began)


if __name__ == "__main__":
    main()
