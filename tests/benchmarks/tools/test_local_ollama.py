"""Where the packaged llama-server runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.tools.local_ollama import can_run


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
