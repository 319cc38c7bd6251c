"""From the words of a command or a form to a lab: what cannot work is refused here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from claimscope.core.errors import InputError
from claimscope.core.prompts.templates import rubric
from claimscope.core.run.lab import (
    Axes,
    Lab,
    PromptVersion,
    cells_of,
    check_axes,
    numbers,
    sample_cases,
)
from claimscope.core.run.plan import has_contexts
from claimscope.core.services.scoring import check_weights, resolve_names
from claimscope.core.settings import JUDGING, Settings
from claimscope.stores.runs.labs import LabFolder, LabStore
from claimscope.stores.runs.records import utc_now
from claimscope.stores.runs.run_store import new_run_id
from claimscope.stores.workspace.paths import Workspace
from claimscope.stores.workspace.regular_files import read_regular
from claimscope.tui.bootstrap.judges import chat_models
from claimscope.tui.ports.labs import LabWish
from claimscope.tui.process.output import say
from claimscope.tui.process.version import version
from claimscope.tui.services.run import planning
from claimscope.tui.services.run.planning import RunRequest

KEPT = (*JUDGING, "model", "judges", "concurrency")
"""Settings that a lab goes on with as it began."""


def labs_of(workspace: Workspace) -> LabStore:
    return LabStore(workspace.root / "labs")


def axes_of(wish: LabWish) -> Axes:
    """What is varied. Raises InputError that names the flag."""
    return Axes(
        models=names(wish.models),
        temperatures=numbers("--temperatures", wish.temperatures),
        top_ps=numbers("--top-p", wish.top_ps),
        prompts=tuple(read_prompt(Path(name)) for name in names(wish.prompts)),
    )


def names(text: str) -> tuple[str, ...]:
    """`a, b` as names."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def read_prompt(path: Path) -> PromptVersion:
    """A version of the system prompt, by the name of its file. Raises InputError."""
    try:
        text = read_regular(path.expanduser()).decode("utf-8")
        text = text.replace("\r\n", "\n")
    except OSError as error:
        raise InputError(
            f"--prompts {path}: {error.strerror}", "name text files of system prompts"
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"--prompts {path}: it is no UTF-8 text", "") from None
    return PromptVersion(name=path.stem, text=text.strip())


def new_lab(workspace: Workspace, settings: Settings, wish: LabWish) -> LabFolder:
    """Checks everything that can be checked before a model is asked, and begins the
    record. Raises InputError, SuiteError, ModelError."""
    axes = axes_of(wish)
    check_axes(axes, wish.iterations)
    wish = replace(wish, metrics=resolve_names(wish.metrics, settings))
    check_weights(settings)
    loaded = planning.load(RunRequest(suite=wish.suite, metrics=wish.metrics))
    rubric(loaded.suite.rubric)
    ids = [case.id for case in loaded.suite.cases]
    cases = sample_cases(ids, wish.cases, settings.seed)
    folder = planning.pages_folder(RunRequest(wish.suite, pages=wish.pages), loaded)
    if folder is not None and not folder.is_dir():
        raise InputError(f"--pages {folder}: no such folder", "name the pages' folder")
    answered = [case for case in loaded.suite.cases if case.id in set(cases)]
    if folder is None and not any(map(has_contexts, answered)):
        raise InputError(
            f"suite {loaded.suite.id}: there are no pages to answer from",
            "--pages FOLDER names them",
        )
    lab_id = new_run_id()
    cells = cells_of(axes, wish.iterations, lab_id)
    if axes.top_ps and len(axes.top_ps) > 1 and 0 in axes.temperatures:
        say("note: at temperature 0 top_p decides nothing: one cell stands for all")
    asyncio.run(check_models(settings, axes.models))
    return labs_of(workspace).create(
        Lab(
            lab_id=lab_id,
            created=utc_now(),
            suite=str(loaded.path.absolute()),
            suite_id=loaded.suite.id,
            suite_digest=loaded.digest,
            pages=str(wish.pages.absolute()) if wish.pages else None,
            metrics=wish.metrics,
            cases=cases,
            axes=axes,
            iterations=wish.iterations,
            settings={n: v for n, v in as_record(settings).items() if n in KEPT},
            cells=cells,
            state="stopped",
            version=version(),
        )
    )


def as_record(settings: Settings) -> dict[str, object]:
    return dict(settings.model_dump(mode="json"))


def settings_of(lab: Lab, now: Settings) -> Settings:
    """The settings that a lab began with; what changes no verdict is as it is now."""
    kept = {name: value for name, value in lab.settings.items() if name in KEPT}
    return Settings.model_validate({**now.model_dump(), **kept, "iterations": 1})


async def check_models(settings: Settings, models: Sequence[str]) -> None:
    """Raises ModelError when one is missing or cannot chat, InputError when two are the
    same weights, or when a judge is named that is not there."""
    seen: dict[str, str] = {}
    for name in models:
        one = {"model": name, "judge": True, "verifier": "none", "judges": ()}
        async with chat_models(settings.model_copy(update=one)) as chats:
            assert chats is not None
            weights = chats.first.digest or name
        if weights in seen:
            raise InputError(
                f"--models: {seen[weights]} and {name} are the same weights",
                "name one of them",
            )
        seen[weights] = name
    async with chat_models(settings) as judging:
        for chat in judging.judging(1) if judging else ():
            if (chat.digest or chat.name) in seen:
                say(
                    f"note: {chat.name} judges its own answers too, which is kinder "
                    "to it than another judge"
                )
