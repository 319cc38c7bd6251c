"""What every test may rely on: no test touches the user's real folders."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

from claimscope.core.caches import CACHE_VARIABLE
from claimscope.stores.workspace.interface_settings import WORKSPACE_VARIABLE
from claimscope.stores.workspace.paths import Workspace
from tests.material.end_states import pytest_terminal_summary as pytest_terminal_summary

# Machines that test are busy: a slow example is no failure, and no wall clock counts.
# Tests try the same examples each time, so that one that passes on one machine passes
# on the next; what exploring finds (`make fuzz`) is kept as an `@example` of its test.
settings.register_profile(
    "claimscope", deadline=None, max_examples=50, derandomize=True, database=None
)
settings.register_profile("fuzz", deadline=None, max_examples=50, print_blob=True)
settings.load_profile("claimscope")


@pytest.fixture(autouse=True)
def own_folders(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Points every default place of the program below a temporary folder."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("DATA", "CACHE", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(home / "workspace"))
    monkeypatch.setenv(CACHE_VARIABLE, str(home / "cache"))
    monkeypatch.setenv("CLAIMSCOPE_DAEMON", "off")
    # Settings of whoever runs the tests must not decide what they find.
    for name in ("OLLAMA_HOST", "OLLAMA_API_KEY", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def exported_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds the default embedding model, exported once a test session,
    which takes 13 s of a processor; it holds nothing else."""
    from claimscope.core.backends.onnx.export import exported_model

    base = tmp_path_factory.getbasetemp()
    folder = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    cache = folder / "exported-models"
    with FileLock(folder / "exported-models.lock"):
        exported_model(cache, None)
    return cache


@pytest.fixture
def ready_cache(own_folders: None, exported_models: Path) -> None:
    """The exported model is in the test's own cache, as after a first use."""
    shutil.copytree(exported_models, os.environ[CACHE_VARIABLE], dirs_exist_ok=True)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty workspace."""
    return Workspace(tmp_path / "workspace")
