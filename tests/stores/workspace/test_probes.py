"""Probes on disk: the last one for weights and context, private, never a part."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from claimscope.core.errors import StoreError
from claimscope.stores.workspace.paths import Workspace
from claimscope.stores.workspace.probes import ProbeStore
from tests.material import probes

OTHER = "e" * 64


@pytest.fixture
def store(workspace: Workspace) -> ProbeStore:
    return ProbeStore(workspace.probes)


def test_the_last_probe_of_weights_and_context_is_kept(store: ProbeStore) -> None:
    first = probes.probe()
    store.save(first)
    assert store.latest(probes.DIGEST, 4096) == first
    second = probes.probe(started="2026-11-28T12:00:00+00:00", seconds=80.0)
    store.save(second)
    assert store.latest(probes.DIGEST, 4096) == second
    assert store.probes() == (second,)
    assert store.latest(probes.DIGEST, 2048) is None
    assert store.latest(OTHER, 4096) is None


def test_all_are_listed_newest_first(store: ProbeStore) -> None:
    old = probes.probe(digest=OTHER, started="2026-11-01T12:00:00+00:00")
    new = probes.probe()
    store.save(new)
    store.save(old)
    assert store.probes() == (new, old)


def test_a_probe_speaks_of_its_context_and_shorter_ones(store: ProbeStore) -> None:
    found = probes.probe()
    store.save(found)
    assert store.covering(probes.DIGEST, 4096) == found
    assert store.covering(probes.DIGEST, 2048) == found
    assert store.covering(probes.DIGEST, 8192) is None
    assert store.covering(OTHER, 2048) is None
    assert store.covering(probes.DIGEST, 2048, planted="p1") == found
    assert store.covering(probes.DIGEST, 2048, planted="p2") is None


def test_a_probe_at_all_the_model_can_speaks_of_every_context(
    store: ProbeStore,
) -> None:
    store.save(probes.probe(asked_tokens=8192, context_tokens=2048))
    assert store.covering(probes.DIGEST, 16384) is not None


def test_probes_are_private(store: ProbeStore, workspace: Workspace) -> None:
    path = store.save(probes.probe())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(workspace.probes.stat().st_mode) == 0o700
    assert sorted(workspace.probes.iterdir()) == [path], "nothing unfinished is left"


def test_a_model_without_a_digest_is_kept_by_its_name(store: ProbeStore) -> None:
    path = store.save(probes.probe(digest=None, model="../m:1b"))
    assert path.parent == store.save(probes.probe()).parent
    assert store.latest("../m:1b", 4096) is not None


@pytest.mark.parametrize("content", ["{", "{}", '{"model": 3}', "\x00"])
def test_a_damaged_file_is_told_of_and_hides_no_other(
    store: ProbeStore, content: str
) -> None:
    path: Path = store.save(probes.probe())
    kept = probes.probe(digest=OTHER)
    store.save(kept)
    path.write_text(content)
    assert store.probes() == (kept,)
    (problem,) = store.problems()
    assert str(path) in problem.message and "probe" in problem.hint
    with pytest.raises(StoreError, match="no probe of this version"):
        store.latest(probes.DIGEST, 4096)
