"""What is shipped: the wheel's files, the list of versions, the committed text."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from setuptools import find_namespace_packages  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("core", "stores", "tui", "themes", "testsets")
SHIPPED = (*LAYERS, ".src", "setup.py", "pyproject.toml", "README.md", "LICENSE")
GENERATED = shutil.ignore_patterns("__pycache__", "*.egg-info")

BUILD = """
import sys
from setuptools import build_meta
print(getattr(build_meta, "build_" + sys.argv[1])(sys.argv[2]))
"""


def build(kind: str, source: Path, out: Path) -> Path:
    """Builds a wheel or sdist by the back-end itself: no network, no isolation."""
    out.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", BUILD, kind, str(out)],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return out / done.stdout.splitlines()[-1]


def layer_files(source: Path) -> set[str]:
    """Every file of the layers as it should stand in a wheel, caches aside."""
    return {
        f"claimscope/{path.relative_to(source).as_posix()}"
        for layer in LAYERS
        for path in (source / layer).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def committed_texts() -> dict[str, str]:
    """Text files of the project by path; from git where there is a repository."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("not a git checkout")
    texts = {}
    for name in filter(None, done.stdout.split("\0")):
        path = ROOT / name
        if path.is_file() and not path.is_symlink():
            texts[name] = path.read_bytes().decode("utf-8", "replace")
    return texts


def plain_name(dependency: str) -> str:
    """`Types_Name>=1` → `types-name`, as package indexes compare names."""
    name = re.split(r"[<>=\[!~; ]", dependency)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is shipped: building writes beside the sources."""
    folder = tmp_path_factory.mktemp("source")
    for name in SHIPPED:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, folder / name, symlinks=True, ignore=GENERATED)
        else:
            shutil.copy(path, folder / name)
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    return build("wheel", source, source / "dist")


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_layers_and_nothing_else(
    source: Path, wheel: Path
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    inside = {name for name in names if ".dist-info/" not in name}
    assert inside == layer_files(source) | {
        "claimscope/__init__.py",
        "claimscope/__main__.py",
    }
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


@pytest.mark.slow
def test_an_editable_install_needs_no_links(source: Path, tmp_path: Path) -> None:
    """As on Windows, where a checkout has small text files in their place."""
    folder = tmp_path / "linkless"
    shutil.copytree(source, folder, symlinks=True)
    for link in (folder / ".src" / "claimscope").iterdir():
        if link.is_symlink():
            link.unlink()
            link.write_text("../../" + link.name)
    with zipfile.ZipFile(build("editable", folder, tmp_path / "out")) as archive:
        [finder] = [name for name in archive.namelist() if name.endswith("finder.py")]
        text = archive.read(finder).decode()
    found = re.search(r"^MAPPING: .* = (\{.*\})$", text, re.M)
    assert found is not None
    assert ast.literal_eval(found.group(1)) == {
        "claimscope": str(folder / ".src" / "claimscope"),
        **{f"claimscope.{layer}": str(folder / layer) for layer in LAYERS},
    }


def test_packages_are_the_folders_that_hold_code() -> None:
    # An editable install puts .src on the path, so it has what is found there.
    found = find_namespace_packages(str(ROOT / ".src"))
    code = {
        ".".join(("claimscope", *path.relative_to(ROOT).parent.parts))
        for layer in LAYERS
        for path in (ROOT / layer).rglob("*.py")
    }
    assert code and code <= set(found)
    places = {name: ROOT.joinpath(*name.split(".")[1:]) for name in found}
    assert [name for name, place in places.items() if not place.is_dir()] == []


@pytest.mark.slow
def test_the_sdist_builds_the_same_wheel(
    source: Path, wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(build("sdist", source, source / "dist")) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    again = build("wheel", unpacked, tmp_path / "dist")
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        assert sorted(first.namelist()) == sorted(second.namelist())


@pytest.mark.slow
def test_an_unpacked_wheel_runs_without_the_checkout(
    wheel: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    script = (
        "import pathlib, claimscope.core.models as models\n"
        "from claimscope.stores.suites.loading import load_suite, resolve_suite\n"
        "print(models.__file__)\n"
        "for name in ('medicine', 'courses', 'website'):\n"
        "    path = resolve_suite(name)\n"
        "    print(path, len(load_suite(path).suite.cases))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 4
    assert all(line.startswith(str(site)) for line in lines)
    assert [int(line.split()[-1]) for line in lines[1:]] == [20, 15, 15]


def test_requirements_are_names_and_versions_only() -> None:
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    assert lines == sorted(lines, key=lambda line: line.split("==")[0])
    for line in lines:
        assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*==[0-9][a-z0-9.]*", line), line


def test_every_dependency_is_listed_and_says_why_it_is_there() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    project = tomllib.loads(text)
    extras = project["project"]["optional-dependencies"].values()
    wanted = [
        *project["project"]["dependencies"],
        *(dependency for extra in extras for dependency in extra),
        *project["dependency-groups"]["dev"],
    ]
    for dependency in wanted:
        assert re.search(rf'^  "{re.escape(dependency)}", +# \S', text, re.M), (
            f"pyproject.toml: {dependency} needs a comment that says why"
        )
    listed = {
        line.split("==")[0]
        for line in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    }
    missing = {plain_name(dependency) for dependency in wanted} - listed
    assert not missing, f"run `make requirements`: {sorted(missing)}"


def imported(layer: str) -> set[str]:
    """Top-level names of all foreign modules that a layer imports, anywhere."""
    names: set[str] = set()
    for path in (ROOT / layer).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module or "")
    tops = {name.partition(".")[0] for name in names}
    return tops - {"claimscope", ""} - sys.stdlib_module_names


def test_what_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(text for extra in extras for text in extra)]
    declared = {plain_name(text) for text in wanted}
    providers = packages_distributions()
    undeclared = {
        name
        for name in imported("core") | imported("stores") | imported("tui")
        if not declared & {plain_name(provider) for provider in providers[name]}
    }
    assert not undeclared


def test_the_list_leaves_out_what_only_one_build_of_torch_needs() -> None:
    text = (ROOT / "requirements.txt").read_text("utf-8")
    assert re.search(r"^torch==[\d.]+$", text, re.M)
    assert not re.search(r"^(nvidia|cuda|triton)", text, re.M)


def test_the_changelog_knows_the_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    version = project["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## (\[?Unreleased|\[?{re.escape(version)})", changelog, re.M)


def test_committed_text_names_no_folder_of_a_person_or_machine() -> None:
    folders = ("home", "Users", "root", "tmp", "private", "mnt")
    places = re.compile(rf"(?<![\w.~])/({'|'.join(folders)})/\w")
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for name, text in committed_texts().items()
        for match in places.finditer(text)
    ]
    assert not found
