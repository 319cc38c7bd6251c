"""Names stay inside their folder, and files belong to the user alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.caches import CACHE_VARIABLE
from claimscope.core.errors import StoreError
from claimscope.stores.workspace.interface_settings import WORKSPACE_VARIABLE
from claimscope.stores.workspace.paths import (
    Workspace,
    cache_folder,
    close_off,
    make_private,
    safe_name,
    write_atomically,
)

NASTY = st.sampled_from(
    [
        "",
        ".",
        "..",
        "../a",
        "a/b",
        "a\\b",
        "/etc",
        "con",
        "nul.txt",
        "a.",
        "A",
        "a",
        "~",
    ]
)


@given(st.text() | NASTY)
def test_a_safe_name_is_one_plain_component(name: str) -> None:
    safe = safe_name(name)
    assert safe == Path(safe).name
    assert safe not in ("", ".", "..")
    assert safe.isascii() and safe == safe.lower()
    assert len(safe) <= 80
    assert not set(safe) & set('/\\:*?"<>| \0\n')


@given(st.lists(st.text(max_size=6) | NASTY, unique=True, max_size=12))
def test_different_ids_get_different_names(names: list[str]) -> None:
    assert len({safe_name(name) for name in names}) == len(names)


def test_a_readable_name_stays_readable() -> None:
    assert safe_name("20261127-142233-ab12") == "20261127-142233-ab12"
    assert safe_name("My Pages").startswith("my-pages~")


def test_workspace_comes_from_the_flag_then_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(tmp_path / "env"))
    assert Workspace.find(tmp_path / "flag").root == tmp_path / "flag"
    assert Workspace.find().root == tmp_path / "env"
    monkeypatch.delenv(WORKSPACE_VARIABLE)
    assert Workspace.find().root.is_relative_to(os.environ["HOME"])


def test_folders_and_files_are_private_whatever_the_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    before = os.umask(0)
    try:
        workspace = Workspace(tmp_path / "w")
        folders = [
            workspace.index,
            workspace.runs,
            workspace.root,
            cache_folder("onnx"),
        ]
        write_atomically(workspace.root / "file", b"x")
        (workspace.index / "sub").mkdir()
        (workspace.index / "sub" / "open").write_text("")
    finally:
        os.umask(before)
    close_off(workspace.index)
    assert {f.stat().st_mode & 0o777 for f in folders} == {0o700}
    assert (workspace.index / "sub").stat().st_mode & 0o777 == 0o700
    for file in (workspace.root / "file", workspace.index / "sub" / "open"):
        assert file.stat().st_mode & 0o777 == 0o600


def test_a_users_own_folder_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreError, match="cannot be made") as caught:
            make_private(place)
        assert str(place) in caught.value.message


def test_a_failed_replacement_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("claimscope.stores.workspace.paths.sync_data", full)
    with pytest.raises(StoreError, match="No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    code = (
        "import os, sys; from pathlib import Path;"
        "from claimscope.stores.workspace.paths import unfinished_beside;"
        "unfinished_beside(Path(sys.argv[1])).write_text('half');"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".out.json.") and left.name.endswith(".tmp")
    mine = tmp_path / f".out.json.{os.getppid()}.tmp"  # of a process that lives
    mine.write_text("at work")
    others = [tmp_path / name for name in (".out.json.x.tmp", ".in.json.999999.tmp")]
    for other in others:
        other.write_text("not ours")
    write_atomically(path, b"{}")
    assert sorted(tmp_path.iterdir()) == sorted([path, mine, *others])
