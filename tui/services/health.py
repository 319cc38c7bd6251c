"""What works on this machine: one check a line, each with a remedy."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from claimscope.core.errors import ClaimscopeError
from claimscope.core.logins import without_login
from claimscope.core.settings import Settings
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap.servers import chroma_of, cluster_client
from claimscope.tui.ports.gateway import HealthCheck, HealthState, HostInfo
from claimscope.tui.process.output import terminal_encoding
from claimscope.tui.services.models.inventory import find, inventory
from claimscope.tui.services.models.status import in_memory

LEAST_FREE = 200 * 1024 * 1024
PROBE = "The quick check of the embedding model."


def checks(workspace: Workspace, settings: Settings) -> list[HealthCheck]:
    """All checks, the slow ones too (a second or two)."""
    steps: list[tuple[str, Callable[[], HealthCheck]]] = [
        ("python", python),
        ("workspace", lambda: folder(workspace)),
        ("disk", lambda: disk(workspace)),
        ("embeddings", lambda: embeddings(settings)),
        ("classifier", lambda: classifier(settings)),
    ]
    found = [check_or_error(name, step) for name, step in steps]
    if settings.chroma_url is not None:
        found.append(check_or_error("chroma", lambda: chroma(settings)))
    if settings.cluster is not None:
        found.append(check_or_error("cluster", lambda: cluster(settings)))
    return [
        *found,
        *servers(settings),
        offline(settings),
        check_or_error("terminal", terminal),
    ]


def check_or_error(name: str, step: Callable[[], HealthCheck]) -> HealthCheck:
    """A check that fails is a finding, not the end of the others."""
    try:
        return step()
    except ClaimscopeError as error:
        return HealthCheck(name, "error", error.message, error.hint)
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        return HealthCheck(name, "error", text, "please report it")


def python() -> HealthCheck:
    return HealthCheck("python", "ok", sys.version.split()[0])


def folder(workspace: Workspace) -> HealthCheck:
    """Can the workspace be written, and is it private?"""
    root, place = workspace.root, existing_part(workspace.root)
    if not os.access(place, os.W_OK):
        return HealthCheck(
            "workspace",
            "error",
            f"{root} cannot be written",
            "--workspace DIR or CLAIMSCOPE_WORKSPACE names another folder",
        )
    state = "not made yet" if not root.exists() else "writable"
    return HealthCheck("workspace", "ok", f"{root}, {state}")


def existing_part(path: Path) -> Path:
    """The path, or the next folder above it that is there."""
    return next(place for place in (path, *path.parents) if place.exists())


def disk(workspace: Workspace) -> HealthCheck:
    """Is there room for indexes and journals?"""
    free = shutil.disk_usage(existing_part(workspace.root)).free
    text = f"{free / 1024**3:.1f} GiB free"
    if free < LEAST_FREE:
        return HealthCheck("disk", "warning", text, "make room before a long run")
    return HealthCheck("disk", "ok", text)


def embeddings(settings: Settings) -> HealthCheck:
    """Does the embedding model load and give a vector?"""
    from claimscope.tui.bootstrap.judges import quiet_embedder

    embedder = quiet_embedder(settings)
    vectors = embedder.embed([PROBE])
    text = f"{embedder.model_id}, {vectors.shape[1]} dimensions"
    return HealthCheck("embeddings", "ok", text)


def classifier(settings: Settings) -> HealthCheck:
    """Can the classifier's folder be used? It is looked at, not loaded, which takes
    long. None is needed unless the settings ask for it."""
    from claimscope.tui.bootstrap.judges import named_classifier

    if settings.classifier is None and settings.verifier != "classifier":
        return HealthCheck("classifier", "ok", "none is named, none is needed")
    found = named_classifier(settings)
    text = f"{found.name}@{found.digest()[:8]}, {found.labels.describe()}"
    return HealthCheck("classifier", "ok", text)


def servers(settings: Settings) -> list[HealthCheck]:
    """A line for each server of the pool: does it answer, has it the model, is that in
    memory? Not needed: a warning at most, unless the settings ask for a model."""
    kind = settings.server
    try:
        hosts = asyncio.run(inventory(settings))
    except ClaimscopeError as error:
        return [HealthCheck(kind, "error", error.message, error.hint)]
    found = [host_check(host, settings) for host in hosts]
    chosen = [(h, m) for h in hosts if (m := find(h.models, settings.model))]
    if len({model.digest for _, model in chosen}) > 1:
        digests = ", ".join(f"{m.digest[:12]} at {h.url}" for h, m in chosen)
        text = f"{settings.model} is not the same on all hosts: {digests}"
        remedy = f"claimscope models pull {settings.model} brings all to one"
        if kind != "ollama":
            remedy = "start all with the same file, or leave one out of --base-url"
        found.append(HealthCheck(kind, "error", text, remedy))
    return found


def host_check(host: HostInfo, settings: Settings) -> HealthCheck:
    kind = settings.server
    is_needed = settings.asks_model or settings.judge
    bad: HealthState = "error" if is_needed else "warning"
    if host.problem is not None:
        is_named = kind != "ollama" or settings.ollama_host
        if is_needed or not host.is_down or is_named:
            return HealthCheck(kind, bad, host.problem, host.remedy)
        text = f"none at {host.url}; only --verifier model and --judge need one"
        return HealthCheck(kind, bad, text)
    names = ", ".join(model.name for model in host.models) or "none"
    text = f"{host.version} at {host.url}, models: {names}"
    if not host.models:
        remedy = "claimscope models pull NAME brings one" if kind == "ollama" else ""
        return HealthCheck(kind, "warning", text, remedy)
    for wanted in filter(None, (settings.model, *settings.judges)):
        model = find(host.models, wanted)
        if model is None:
            remedy = f"claimscope models pull {wanted}, or choose another by --model"
            if kind != "ollama":
                remedy = "choose one that it has by --model"
            return HealthCheck(kind, bad, f"{text}; {wanted} is missing", remedy)
        if model.refused:
            remedy = "choose another by --model"
            text = f"{text}; {wanted} {model.refused}"
            return HealthCheck(kind, bad, text, remedy)
        context = f" of {model.context_tokens}" if model.context_tokens else ""
        text += f"; {wanted}: context{context}, in memory: {in_memory(model)}"
    return HealthCheck(kind, "ok", text)


def chroma(settings: Settings) -> HealthCheck:
    """Does the Chroma server of the settings answer?"""
    from claimscope.stores.index.chroma_connection import close_client

    server = chroma_of(settings)
    if server is None:
        return HealthCheck("chroma", "ok", "the workspace holds the index")
    client = server.client()
    try:
        text = f"{client.get_version()} at {without_login(server.url)}"
    finally:
        close_client(client)
    return HealthCheck("chroma", "ok", text)


def cluster(settings: Settings) -> HealthCheck:
    """Does the Dask scheduler of the settings answer, and has it workers?"""
    address = str(settings.cluster)

    async def threads() -> list[int]:
        async with cluster_client(address) as client:
            return list((await client.nthreads()).values())

    workers = asyncio.run(threads())
    text = (
        f"{counted_noun(len(workers), 'worker')}, "
        f"{counted_noun(sum(workers), 'sample')} at once, at {address}"
    )
    if not workers:
        remedy = f"start one where its Ollama is: dask worker {address}"
        return HealthCheck("cluster", "error", text, remedy)
    return HealthCheck("cluster", "ok", text)


def offline(settings: Settings) -> HealthCheck:
    """May text leave this machine?"""
    if settings.offline:
        return HealthCheck("offline", "ok", "models that run elsewhere are refused")
    return HealthCheck(
        "offline",
        "warning",
        "off: models that run elsewhere are asked, and text is sent there",
        "`offline = true` in the settings (CLAIMSCOPE_OFFLINE=true) refuses them",
    )


def terminal() -> HealthCheck:
    """Size, colours and encoding, as the interface will find them."""
    if "web_driver" in os.environ.get("TEXTUAL_DRIVER", ""):  # by textual-serve
        return HealthCheck("terminal", "ok", "a browser")
    size = shutil.get_terminal_size()
    kind = os.environ.get("TERM", "unknown")
    out = sys.__stdout__  # the interface puts its own in place of sys.stdout
    found = terminal_encoding(
        getattr(out, "encoding", None),
        os.environ,
        is_utf8_mode=bool(sys.flags.utf8_mode),
    )
    encoding = (found or "?").lower()
    text = f"{kind}, {size.columns}×{size.lines}, {encoding}"
    if out is None or not out.isatty():
        return HealthCheck("terminal", "ok", "stdout is not a terminal")
    if kind == "dumb":
        remedy = "use the commands: `claimscope runs show last`"
        return HealthCheck("terminal", "warning", text, remedy)
    if size.columns < 80 or size.lines < 24:
        return HealthCheck("terminal", "warning", text, "make it 80×24 or larger")
    if "utf" not in encoding:
        remedy = "set a UTF-8 locale, e.g. LC_ALL=C.UTF-8, to see the signs"
        return HealthCheck("terminal", "warning", text, remedy)
    return HealthCheck("terminal", "ok", text)
