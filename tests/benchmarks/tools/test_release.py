"""What makes a release: the README of an index, the build of PyTorch, the container."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.tools.index_readme import index_readme, relative_links, site_place
from benchmarks.tools.torch_build import SMALL, choice, pinned, sees_gpu
from benchmarks.tools.wheel_trial import imported

ROOT = Path(__file__).parents[3]
SITE = "https://docs.example/claimscope/"
FENCE = "```markdown\nSee [it](a.md).\n```\n"


@pytest.mark.parametrize(
    ("text", "bare", "linked"),
    [
        (
            "Read [a\nverdict](docs/read.md).",
            "Read a\nverdict (`docs/read.md`).",
            "Read [a\nverdict](https://docs.example/claimscope/read/).",
        ),
        ("![Steps](docs/a.svg)\n", "\n", f"![Steps]({SITE}a.svg)\n"),
        ("[all](docs/README.md)", "all (`docs/README.md`)", f"[all]({SITE})"),
        (
            "[t](docs/f.md#tables)",
            "t (`docs/f.md#tables`)",
            f"[t]({SITE}f/#tables)",
        ),
        ("[l](LICENSE)", "l (`LICENSE`)", "l (`LICENSE`)"),
        ("[p](https://pytorch.org) [b](#x)",) * 3,
        ("a\n\n![p](docs/p.svg)\n\nb", "a\n\nb", f"a\n\n![p]({SITE}p.svg)\n\nb"),
        (FENCE, FENCE, FENCE),
        (f"[a](b.md)\n{FENCE}[c](d.md)", *(f"a (`b.md`)\n{FENCE}c (`d.md`)",) * 2),
    ],
)
def test_links_of_the_readme_on_an_index(text: str, bare: str, linked: str) -> None:
    assert index_readme(text, None) == bare
    assert index_readme(text, SITE) == linked
    assert relative_links(bare) == relative_links(linked) == []


@given(st.text(alphabet="![]()`#:/.a\n ~", max_size=60), st.sampled_from([None, SITE]))
def test_no_text_keeps_a_link_that_an_index_cannot_follow(
    text: str, site: str | None
) -> None:
    assert relative_links(index_readme(text, site)) == []


def test_our_readme_loses_its_links_and_no_words() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(relative_links(text)) > 10
    shown = index_readme(text, None)
    assert relative_links(shown) == []
    assert "docs/first-steps.md" in shown and "claim-stepper.svg" not in shown
    assert shown.count("```") == text.count("```")
    places = [site_place(target) for target in relative_links(text)]
    assert "first-steps/" in places and None not in places


@pytest.mark.parametrize(
    ("torch", "platform", "gpu", "reachable", "flags", "says"),
    [
        ("auto", "linux", False, True, SMALL, "no NVIDIA GPU is seen"),
        ("auto", "linux", False, False, (), "does not answer"),
        ("auto", "linux", True, None, (), "an NVIDIA GPU is seen"),
        ("auto", "darwin", False, None, (), "holds no CUDA"),
        ("usual", "linux", False, None, (), "as asked for"),
        ("cpu", "linux", True, None, SMALL, "for cpu, as asked for"),
        ("cu130", "linux", False, None, ("--torch-backend", "cu130"), "for cu130"),
    ],
)
def test_the_build_of_pytorch(
    torch: str,
    platform: str,
    gpu: bool,
    reachable: bool | None,
    flags: tuple[str, ...],
    says: str,
) -> None:
    def answers() -> bool:
        assert reachable is not None, "the index was asked for nothing"
        return reachable

    found, reason = choice(torch, platform, gpu, answers)
    assert (tuple(found), "\n" in reason) == (flags, False)
    assert says in reason


def test_a_gpu_is_seen_by_its_driver(tmp_path: Path) -> None:
    assert not sees_gpu([str(tmp_path / "nvidiactl")])
    (tmp_path / "nvidiactl").touch()
    assert sees_gpu([str(tmp_path / "none"), str(tmp_path / "nvidiactl")])


def test_the_version_of_pytorch_is_that_of_the_list() -> None:
    assert pinned("textual==8.2\ntorch==2.15.0\ntorchmetrics==1\n") == "torch==2.15.0"
    assert pinned("textual==8.2\n") == "torch"
    assert pinned((ROOT / "requirements.txt").read_text("utf-8")) != "torch"


def test_an_import_that_was_refused_is_no_import() -> None:
    seen = (
        "import time: self [us] | cumulative | imported package\n"
        "import time:       11 |         11 |       torch\n"
        "import time:       20 |         31 |     onnxruntime.capi\n"
        "import time:       20 |         51 |   onnxruntime\n"
        "a note\n"
    )
    assert imported(seen) == {"onnxruntime"}


def test_the_container_is_made_of_files_that_there_are() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    copied = [
        name
        for line in re.findall(r"^COPY (?!--)(.+)$", text, re.M)
        for name in line.split()[:-1]
    ]
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert len(copied) >= 10
    assert {f"!{name}" for name in copied} == {w for w in ignored if w[0] == "!"}
    assert [name for name in copied if not (ROOT / name).exists()] == []
    makefile = (ROOT / "Makefile").read_text("utf-8")
    version = re.search(r"^UV_VERSION := (\S+)", makefile, re.M)
    assert version and f"uv=={version[1]}" in text
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(re.findall(r'ENTRYPOINT \["(\w+)"\]', text)) == set(project["scripts"])
    oldest = re.findall(r"^FROM python:([\d.]+)-slim", text, re.M)
    assert {tuple(map(int, v.split("."))) <= sys.version_info for v in oldest} == {True}


def test_every_extra_is_named_where_one_installs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (ROOT / "docs" / "install.md").read_text("utf-8")
    named = set(re.findall(r"^\| `([a-z]+)` \|", text, re.M))
    assert named == set(project["optional-dependencies"])


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    stated = re.compile(rf"(?<![\d.]){re.escape(project['version'])}(?![\d.])")
    found = [
        str(path.relative_to(ROOT))
        for layer in ("core", "stores", "tui", ".ci")
        for path in (ROOT / layer).rglob("*")
        if path.suffix in {".py", ".md", ".toml", ".html", ""} and path.is_file()
        if stated.search(path.read_text("utf-8", "replace"))
    ]
    assert found == []
