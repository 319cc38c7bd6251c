"""A workspace in which others may write is closed to them, which is said."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from claimscope.core.errors import StoreError
from claimscope.stores.workspace.permissions import revoke_write_of_others
from claimscope.tui.cli import main


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("open_to", [0o777, 0o775, 0o757])
def test_what_others_may_write_is_closed(tmp_path: Path, open_to: int) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "claimscope.toml").write_text("")
    for path in (tmp_path, tmp_path / "runs", tmp_path / "claimscope.toml"):
        path.chmod(open_to)
    assert revoke_write_of_others(tmp_path) == [
        tmp_path, tmp_path / "runs", tmp_path / "claimscope.toml"
    ]  # fmt: skip
    assert mode(tmp_path) == mode(tmp_path / "runs") == open_to & 0o755
    assert revoke_write_of_others(tmp_path) == []


def test_what_is_private_sticky_or_not_there_is_left(tmp_path: Path) -> None:
    assert revoke_write_of_others(tmp_path / "none") == []
    for kept in (0o700, 0o755, 0o1777):
        tmp_path.chmod(kept)
        assert revoke_write_of_others(tmp_path) == [] and mode(tmp_path) == kept
    tmp_path.chmod(0o700)


def test_what_is_another_users_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o777)
    uid = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: uid)
    with pytest.raises(StoreError, match="others may write there"):
        revoke_write_of_others(tmp_path)
    assert mode(tmp_path) == 0o777
    assert main(["--workspace", str(tmp_path), "runs"]) == 3


def test_a_command_says_that_it_closed_a_workspace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o777)
    assert main(["--workspace", str(tmp_path), "runs", "--json"]) == 0
    said = capsys.readouterr()
    assert f"others could write in {tmp_path}" in said.err and mode(tmp_path) == 0o755
    assert "others" not in said.out
