"""What of a block of code a page can settle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.text.code_lines import code_lines


def texts(block: str) -> list[str | None]:
    return [line.text for line in code_lines(block)]


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("```bash\nheron serve --port 7182  # here\n```", ["heron serve --port 7182"]),
        ("```console\n$ heron stop\nStopped.\n```", ["heron stop", None]),
        ("```sh\ncd /srv\n```", [None]),
        ("```sh\nheron serve \\\n  --port 1\n```", [None, None]),
        (
            "```yaml\nserver:\n  port: 7182\nname: heron\n```",
            ["", "server.port: 7182", "name: heron"],
        ),
        ('```json\n{\n  "port": 7182,\n}\n```', [None, "port: 7182", None]),
        ("```ini\n[cache]\nsize = 40\n```", ["", "cache.size = 40"]),
        ("```\nHERON_PORT=7182\n```", ["HERON_PORT = 7182"]),
        (
            "~~~python\nLIMIT = 40\ndef call(url, retry=3):\n    return url\n~~~",
            ["LIMIT = 40", "def call(url, retry=3)", None],
        ),
        ("```python\nfor one in found:\n    print(one)\n```", [None, None]),
        ("```", []),
    ],
)
def test_settings_and_commands_are_read(block: str, said: list[str | None]) -> None:
    assert texts(block) == said


@given(
    st.lists(st.sampled_from(["```", "sh", "\n", "a: 1", "$ b", " ", "[c]", "é", "="]))
)
def test_lines_stand_where_they_say(parts: list[str]) -> None:
    block = "".join(parts)
    for line in code_lines(block):
        assert block[line.start : line.end].strip()
        assert "\n" not in block[line.start : line.end]
