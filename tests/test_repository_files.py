"""Files by which other programs use this repository."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from claimscope.tui.cli.parser import build_parser

ROOT = Path(__file__).parent.parent


def test_the_hook_calls_a_command_that_there_is() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["id"] == "claimscope" and hook["require_serial"]
    words = [*hook["entry"].split()[1:], "answers/a.md", "answers/b.md"]
    arguments = build_parser(words).parse_args(words)
    assert arguments.answers == ["answers/a.md", "answers/b.md"]
    assert re.search(hook["files"], "answers/a.md")
    assert not re.search(hook["files"], "a.py")


def test_the_action_gives_flags_that_there_are() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    script = action["runs"]["steps"][-1]["run"]
    flags = re.findall(r"--[a-z]+", script)
    assert set(flags) == {"--github", "--against", "--strict", "--sarif"}
    for words in (["check", "a.md", "--github", "--strict"],
                  ["check", "a.md", "--against", "p", "--sarif", "f"]):  # fmt: skip
        build_parser(words).parse_args(words)
    used = set(
        re.findall(r"inputs\.([a-z-]+)", (ROOT / "action.yml").read_text("utf-8"))
    )
    assert used == set(action["inputs"])


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "a b.md:3:14: contradicted: It leaves at 9. [p.md:S:1]",
            ("a b.md", "3", "14"),
        ),
        ("a.md:1:1: not enough info: Penguins.", ("a.md", "1", "1")),
        ("a.md:1:1: broken citation: there is no page", ("a.md", "1", "1")),
        ("a.md:1:1: supported: It leaves at 8.", None),
        ("a.md: 2 claims: 1 contradicted", None),
    ],
)
def test_the_problem_matcher_reads_the_lines_of_check(
    line: str, found: tuple[str, ...] | None
) -> None:
    text = (ROOT / "docs" / "problem-matcher.json").read_text("utf-8")
    (pattern,) = json.loads(text)["problemMatcher"][0]["pattern"]
    match = re.search(pattern["regexp"], line)
    groups = [pattern[name] for name in ("file", "line", "column")]
    assert (match and tuple(match[group] for group in groups)) == found
