"""Where the packaged llama-server runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.tools import local_ollama
from benchmarks.tools.local_ollama import can_run
from benchmarks.tools.local_registry import check


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("flags : avx2 avx512_vnni avx_vnni amx_tile\n", True),
        ("flags : avx2 avx512f avx512_vnni\n", False),
    ],
)
def test_it_needs_a_processor_with_the_short_form_of_vnni(
    flags: str, expected: bool, tmp_path: Path
) -> None:
    processor = tmp_path / "cpuinfo"
    processor.write_text(flags, encoding="utf-8")
    assert can_run(processor) is expected
    assert can_run(tmp_path / "missing")


def test_what_is_lacking_to_compile_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_ollama, "can_run", lambda: False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(SystemExit, match=r"cmake and c\+\+ must be installed"):
        local_ollama.install_runner(tmp_path)


def test_a_file_with_another_digest_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "source.tar.gz"
    file.write_bytes(b"changed")
    with pytest.raises(SystemExit, match=r"source\.tar\.gz: not the expected source"):
        check(file, "0" * 64, "source")
