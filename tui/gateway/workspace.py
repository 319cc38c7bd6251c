"""The gateway of the real program: runs on disk, the engine as a process of its own.

Nothing slow is imported before it is asked for, so that the first screen is painted
at once; chromadb and the models stay in the engine's process.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import Page, RunHeader, SampleResult, Sentence
from claimscope.core.ports import OnProgress, RunReader, RunStore
from claimscope.core.settings import Settings
from claimscope.stores.index.manifest import Manifest, corpora, read_manifest
from claimscope.stores.index.page_texts import CorpusTexts
from claimscope.stores.runs.run_store import DiskRunStore, new_run_id
from claimscope.stores.workspace.configuration import load
from claimscope.stores.workspace.paths import Workspace, safe_name
from claimscope.tui.gateway.labs import LabsGateway
from claimscope.tui.gateway.library import LibraryGateway
from claimscope.tui.ports.gateway import (
    CandidateSearch,
    CorpusInfo,
    HealthCheck,
    HostInfo,
    KeptProbe,
    NewRun,
    OnStep,
    SettingInfo,
    SuiteInfo,
)
from claimscope.tui.process.child import OpenDialogue
from claimscope.tui.services.run.detached import start_engine

if TYPE_CHECKING:
    from claimscope.core.analysis.summary.cost import Prices


class WorkspaceGateway:
    """What the terminal interface works with (tui.ports.gateway.Gateway)."""

    def __init__(
        self, workspace: Workspace, elsewhere: OpenDialogue = lambda *_: None
    ) -> None:
        """elsewhere: who does a command in place of a process of its own."""
        self.workspace = workspace
        self._losses: list[str] = []
        self._tell_loss: Callable[[str], object] = lambda text: None
        self._runs = DiskRunStore(workspace.runs, self._on_loss)
        self._library = LibraryGateway(workspace, elsewhere)
        self._labs = LabsGateway(workspace.root)
        self._texts: dict[str, tuple[str, CorpusTexts]] = {}
        """Corpora that were read whole, with the version that was read."""
        self._guard = threading.Lock()

    def _on_loss(self, text: str) -> None:
        self._losses.append(text)
        self._tell_loss(text)

    def tell_losses(self, tell: Callable[[str], object]) -> None:
        self._tell_loss = tell
        for text in self._losses:
            tell(text)

    @property
    def folder(self) -> Path:
        return self.workspace.root

    @property
    def runs(self) -> RunStore:
        return self._runs

    @property
    def library(self) -> LibraryGateway:
        return self._library

    @property
    def labs(self) -> LabsGateway:
        return self._labs

    def suites(self) -> Sequence[SuiteInfo]:
        from claimscope.stores.suites.loading import load_suite, shipped_suites

        used = {
            status.header.suite_path
            for status in self._runs.runs()
            if status.header.suite_path and Path(status.header.suite_path).exists()
        }
        used.update(map(str, self._library.suites()))
        shipped = {str(path): name for name, path in shipped_suites().items()}
        found = []
        for path in [*sorted(used - set(shipped)), *shipped]:
            name = shipped.get(path, path)
            try:
                suite = load_suite(path).suite
            except ClaimscopeError as error:
                found.append(SuiteInfo(name, name, 0, path, str(error)))
            else:
                title = suite.title or suite.id
                found.append(SuiteInfo(name, title, len(suite.cases), path))
        return found

    def prices(self, run: RunReader) -> Prices | None:
        from claimscope.core.analysis.summary.cost import prices_of_run

        settings = self._settings()
        if not (settings.prices or run.status().header.prices):
            return None
        return prices_of_run(run, settings)

    def corpora(self) -> Sequence[CorpusInfo]:
        return [_info(manifest) for manifest in corpora(self.workspace.index)]

    def hosts(self) -> Sequence[HostInfo]:
        from claimscope.tui.services.models.inventory import inventory
        from claimscope.tui.services.models.probe import last_verdict

        fitness_of = last_verdict(self.workspace)
        return asyncio.run(inventory(self._settings(), fitness_of))

    def pull(self, name: str, on_step: OnStep, is_stopped: Callable[[], bool]) -> bool:
        from claimscope.tui.services.models.pull import pull_until

        return pull_until(self._settings(), name, on_step, is_stopped)

    def probes(self) -> Sequence[KeptProbe]:
        from claimscope.tui.services.models.probe import kept_probes

        return kept_probes(self.workspace)

    def probe(
        self,
        model: str,
        context_tokens: int | None,
        on_step: OnProgress,
        is_stopped: Callable[[], bool],
    ) -> bool:
        """Probes a model in a process of its own; False when stopped."""
        from claimscope.tui.gateway.probe_process import run_probe

        return run_probe(self.workspace, model, context_tokens, on_step, is_stopped)

    def settings(self) -> Sequence[SettingInfo]:
        from claimscope.tui.gateway.settings_list import setting_infos

        return setting_infos(self.workspace.root)

    def change_setting(self, name: str, text: str | None) -> None:
        from claimscope.tui.gateway.settings_list import change_setting

        change_setting(self.workspace.root, name, text)

    def choose_model(self, name: str) -> None:
        from claimscope.stores.workspace.settings_file import save_setting

        save_setting(self.workspace.root, "model", name)

    def health(self) -> Sequence[HealthCheck]:
        from claimscope.tui.services import health

        settings = self._settings()
        return [
            health.check_or_error("workspace", lambda: health.folder(self.workspace)),
            health.check_or_error("disk", lambda: health.disk(self.workspace)),
            *self._loss_checks(),
            *self._models_checks(settings),
            health.check_or_error("terminal", health.terminal),
        ]

    def _loss_checks(self) -> Sequence[HealthCheck]:
        """Run files that are cut now: one may have been mended meanwhile."""
        found: list[str] = []
        DiskRunStore(self.workspace.runs, found.append).runs()
        return [HealthCheck("runs", "warning", loss, "") for loss in found]

    def _models_checks(self, settings: Settings) -> Sequence[HealthCheck]:
        """The servers, and the classifier and the offline setting where they matter."""
        from claimscope.tui.services import health

        found = list(health.servers(settings))
        if settings.classifier or settings.verifier == "classifier":
            check = health.check_or_error(
                "classifier", lambda: health.classifier(settings)
            )
            found.append(check)
        if not settings.offline:
            found.append(health.offline(settings))
        return found

    def start_run(self, wanted: NewRun) -> str:
        """Starts the engine; gives the run's id when its journal is there."""
        run_id = new_run_id()
        is_openai = (wanted.server or "ollama") != "ollama"
        options = {
            "--verifier": "none" if wanted.verifier == "evidence" else wanted.verifier,
            "--iterations": str(wanted.iterations),
            "--concurrency": str(wanted.concurrency),
            "--answers": wanted.answers,
            "--model": wanted.model,
            "--judges": ",".join(wanted.judges),
            "--classifier": wanted.classifier,
            "--server": "openai" if is_openai else wanted.server,
            "--base-url": wanted.server if is_openai else None,
            "--pass-rule": wanted.pass_rule,
            "--metrics": ",".join(wanted.metrics),
        }
        command = ["run", wanted.suite, "--run-id", run_id]
        for name, value in options.items():
            command += [name, value] if value else []
        command += ["--judge"] * wanted.judge
        start_engine(self.workspace, run_id, command)
        return run_id

    def resume_run(self, run_id: str) -> None:
        start_engine(self.workspace, run_id, ["runs", "resume", run_id])

    def page(self, corpus: str, page_id: str) -> Page | None:
        entry = self._entry(corpus, page_id)
        return entry[0] if entry else None

    def sentences(self, corpus: str, page_id: str) -> Sequence[Sentence]:
        entry = self._entry(corpus, page_id)
        return entry[1] if entry else ()

    def _entry(
        self, corpus: str, page_id: str
    ) -> tuple[Page, Sequence[Sentence]] | None:
        from claimscope.stores.index.page_index import ARCHIVE
        from claimscope.stores.index.page_texts import PageArchive

        path = self.workspace.index / safe_name(corpus) / ARCHIVE
        if not path.exists():
            return None
        with closing(PageArchive(path)) as archive:
            return archive.entry(page_id)

    def candidate_searches(
        self, header: RunHeader, sample: SampleResult, claim: str
    ) -> Sequence[CandidateSearch]:
        from claimscope.tui.gateway.evidence_lookup import search_again

        return search_again(self.workspace.index, self._texts_of, header, sample, claim)

    def _texts_of(self, corpus: str) -> CorpusTexts:
        from claimscope.stores.index.page_index import ARCHIVE
        from claimscope.stores.index.page_texts import PageArchive

        folder = self.workspace.index / safe_name(corpus)
        manifest = read_manifest(folder)
        version = manifest.corpus_version if manifest else ""
        with self._guard:
            known = self._texts.get(corpus)
            if known is not None and known[0] == version:
                return known[1]
            if not (folder / ARCHIVE).exists():
                return CorpusTexts.of([])
            with closing(PageArchive(folder / ARCHIVE)) as archive:
                texts = archive.contents().texts
            self._texts[corpus] = version, texts
            return texts

    def _settings(self) -> Settings:
        return load(self.workspace.root, {}).settings


def _info(manifest: Manifest) -> CorpusInfo:
    return CorpusInfo(
        manifest.name,
        manifest.pages,
        manifest.sentences,
        manifest.model_id,
        manifest.corpus_version[:12],
    )
