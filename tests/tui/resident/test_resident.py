"""A check by the resident engine is the check that its own process would have made.

Engines and checks are processes of their own here, with faked embeddings; every test
has an engine of its own, or somebody who only looks like one.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.backends.onnx import embedding
from claimscope.tui.resident import choice, place, wire
from tests.processes.resident_engine import (
    CHECK,
    FAKE,
    FALSE,
    ROOT,
    TRUE,
    WAIT_SECONDS,
    Done,
    check,
    started,
    status,
    until,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not place.is_possible(), reason="needs Linux"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder, with pages and answers."""
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "crane.md").write_text(
        "# The Orla crane\n\nThe Orla harbour crane was built in 1952. "
        "It lifts 40 tonnes.\n"
    )
    (tmp_path / "true.md").write_text(TRUE)
    (tmp_path / "false.md").write_text(FALSE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


CALLS: Sequence[tuple[str, ...]] = (
    ("false.md", "--strict", "--against", "pages"),
    ("true.md", "false.md", "gone.md", "--github", "--against", "pages"),
    ("-", "--name", "docs/a.md", "--against", "pages"),
    ("true.md", "--against", "nowhere"),
    ("true.md", "false.md", "--json", "--against", "pages"),
)
TIMES = re.compile(r'("(?:finished|\w+_seconds)": )[^,\n]+')
ALONE = (
    FAKE
    + """
import json
from claimscope.tui.cli import main
out, err = os.dup(1), os.dup(2)
found = []
for words in json.loads(sys.argv[1]):
    with open("given") as sys.stdin, open("out", "w") as sys.stdout:
        with open("err", "w") as sys.stderr:
            code = main(["check", *words, "--no-daemon"])
    found.append((code, open("out").read(), open("err").read()))
os.write(out, json.dumps(found).encode())
"""
)


def test_it_says_byte_for_byte_what_a_process_of_its_own_says(
    engine: subprocess.Popen[bytes], folder: Path
) -> None:
    (folder / "given").write_text(TRUE)
    words = [sys.executable, "-c", ALONE, json.dumps(CALLS)]
    alone = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    before = status()["checks"]
    for line, (code, out, said) in zip(CALLS, alone, strict=True):
        found = check(*line, given=TRUE)
        same = [TIMES.sub(r"\1", text) for text in (out, found[1])]
        assert (found[0], same[1], found[2]) == (code, same[0], said), line
    assert status()["checks"] == before + len(CALLS)
    assert [code for code, _, _ in alone] == [1, 1, 0, 2, 1]


def test_it_does_what_who_asks_would_in_its_folder_and_with_its_settings(
    engine: subprocess.Popen[bytes],
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "true.md").write_text(FALSE)
    before = status()["checks"]
    monkeypatch.chdir(other)
    code, out, _ = check("true.md", "--against", str(folder / "pages"))
    assert code == 1 and "contradicted" in out
    code, _, said = check(
        "true.md", "--against", str(folder / "pages"), CLAIMSCOPE_SEED="x"
    )
    assert code == 2 and "CLAIMSCOPE_SEED" in said
    assert status()["checks"] == before + 2


def test_only_its_user_can_enter_and_speak_to_it(
    engine: subprocess.Popen[bytes], short: str
) -> None:
    path = place.socket_path()
    assert path.parent == Path(short) / "claimscope"
    assert stat.S_IMODE(path.lstat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.lstat().st_mode) == 0o700
    assert place.distrust(path) == ""
    path.parent.chmod(0o750)
    assert "is open to others" in place.distrust(path)
    path.parent.chmod(0o700)
    assert "is no socket" in place.distrust(path.with_suffix(".lock"))


def test_two_checks_at_once(engine: subprocess.Popen[bytes], folder: Path) -> None:
    found: list[Done] = []
    before = status()["checks"]
    files = ["true.md", "false.md"] * 2
    threads = [
        threading.Thread(
            target=lambda name=name: found.append(check(name, "--against", "pages"))
        )
        for name in files
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(code for code, _, _ in found) == [0, 0, 1, 1]
    assert {said for _, _, said in found} == {""}
    until(lambda: status()["busy"] == 0)
    assert status()["checks"] == before + 4


def test_a_crash_in_the_middle_is_done_again_in_the_own_process(
    engine: subprocess.Popen[bytes], folder: Path
) -> None:
    code, out, said = check("false.md", "--against", "pages", TEST_CRASH="1")
    assert code == 1 and out.endswith("2 claims: 1 contradicted, 1 not enough info\n")
    assert out.count("contradicted: The Orla") == 1
    assert said == (
        "note: the resident engine is not used: it ended in the middle; "
        "judged in this process\n"
    )
    piped = check("-", "--against", "pages", given=TRUE, TEST_CRASH="1")
    assert piped[0] == 0 and piped[1].startswith("-:1:1: supported")
    assert check("true.md", "--against", "pages")[2] == ""  # the engine lives


def test_an_interrupt_ends_it_there_too(
    engine: subprocess.Popen[bytes], folder: Path
) -> None:
    mark = folder / "begun"
    line = [sys.executable, "-c", CHECK, "check", "true.md", "--against", "pages"]
    environment = {**os.environ, "TEST_SLOW": str(mark)}
    process = subprocess.Popen(line, env=environment, stderr=subprocess.PIPE)
    until(lambda: mark.exists() and mark.read_text())
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=WAIT_SECONDS)
    assert (process.returncode, said) == (130, b"interrupted\n")
    until(lambda: status()["busy"] == 0)


def test_code_that_was_changed_is_not_judged_by(runtime: Path, folder: Path) -> None:
    engine = started("600", "changed")
    code, out, said = check("true.md", "--against", "pages")
    assert code == 0 and out.endswith("1 claim: 1 supported\n")
    assert "Claimscope was changed since it began; judged in this process" in said
    assert engine.wait(WAIT_SECONDS) == 0
    assert not place.socket_path().exists()


def test_there_is_one_of_it(engine: subprocess.Popen[bytes]) -> None:
    line = [sys.executable, "-m", "claimscope", "serve", "daemon", "run"]
    second = subprocess.run(line, capture_output=True, text=True, check=False)
    told = (second.returncode, second.stderr)
    assert told == (0, "a resident engine runs already\n")
    assert engine.poll() is None and status()["running"]


def test_it_ends_when_it_is_idle(runtime: Path) -> None:
    engine = started("1")
    assert engine.wait(WAIT_SECONDS) == 0
    assert not place.socket_path().exists() and not status()["running"]


def test_stop_ends_it(runtime: Path) -> None:
    engine = started()
    line = [sys.executable, "-m", "claimscope", "serve", "daemon", "stop"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "stopped\n")
    assert engine.wait(WAIT_SECONDS) == 0
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "no resident engine runs\n")


# --- who goes through `check` -----------------------------------------------------


@pytest.fixture
def program(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`claimscope` as a program on the path, with faked embeddings."""
    path = folder / "bin" / "claimscope"
    path.parent.mkdir()
    path.write_text(f"#!{sys.executable}\n{CHECK}")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")
    return path


def test_the_hook_before_a_commit_is_done_by_it(
    engine: subprocess.Popen[bytes], program: Path, folder: Path
) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (folder / "claimscope.toml").write_text('against = "pages"\n')
    before = status()["checks"]
    words = [*hook["entry"].split(), "true.md", "false.md"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=WAIT_SECONDS)
    assert (done.returncode, done.stderr) == (1, "")
    assert "false.md:1:1: contradicted: The Orla harbour crane" in done.stdout
    assert status()["checks"] == before + 1


def test_the_action_is_done_by_it(
    engine: subprocess.Popen[bytes], program: Path, folder: Path
) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    step = action["runs"]["steps"][-1]
    inputs = {"answers": "false.md", "against": "pages", "strict": "false"}
    given = {
        name: inputs.get(value.split("inputs.")[1].rstrip(" }"), "")
        for name, value in step["env"].items()
    }
    before = status()["checks"]
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("::error file=false.md,line=1,col=1::contradicted")
    assert status()["checks"] == before + 1


# --- somebody who only looks like one --------------------------------------------


def listening() -> socket.socket:
    """A socket in the place of the engine's."""
    path = place.socket_path()
    path.parent.mkdir(mode=0o700)
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    found.bind(str(path))
    found.listen()
    return found


def test_a_dead_socket_is_said_once_and_taken_away(runtime: Path, folder: Path) -> None:
    listening().close()
    code, _, said = check("true.md", "--against", "pages")
    assert (code, said.count("\n")) == (0, 1)
    assert "it was killed; judged in this process" in said
    assert not place.socket_path().exists()


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (b"", "it ended in the middle"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "it ended in the middle"),
        (wire.SIZES.pack(2, 0) + b"[]", "it ended in the middle"),
        (wire.SIZES.pack(14, 0) + b'{"version": 9}', "it does not say why"),
        (wire.SIZES.pack(15, 0) + b'{"begun": true}', "it ended in the middle"),
    ],
)
def test_whatever_answers_there_the_check_is_done(
    reply: bytes, said: str, runtime: Path, folder: Path
) -> None:
    def answer() -> None:
        connection, _ = listener.accept()
        with connection:
            wire.close(wire.receive(connection)[2])
            connection.sendall(reply)

    with listening() as listener:
        thread = threading.Thread(target=answer)
        thread.start()
        found = check("true.md", "--against", "pages")
        thread.join()
    assert found[0] == 0 and found[1].endswith("1 claim: 1 supported\n")
    assert found[2] == (
        f"note: the resident engine is not used: {said}; judged in this process\n"
    )


def test_one_that_never_answers_is_not_waited_for(runtime: Path, folder: Path) -> None:
    with listening():
        found = check("true.md", "--against", "pages")
    assert found[0] == 0 and "it does not answer; judged in this process" in found[2]


def test_a_folder_that_others_can_enter_is_not_trusted(
    runtime: Path, folder: Path
) -> None:
    with listening():
        place.socket_path().parent.chmod(0o755)
        found = check("true.md", "--against", "pages")
    assert found[0] == 0 and "is open to others; judged in this process" in found[2]


@given(st.binary(max_size=40))
def test_no_bytes_of_a_stranger_break_what_reads_them(data: bytes) -> None:
    left, right = socket.socketpair()
    with left, right:
        left.sendall(data)
        left.shutdown(socket.SHUT_WR)
        try:
            header, body, files = wire.receive(right)
        except wire.Broken:
            return
    sizes = wire.SIZES.unpack(data[: wire.SIZES.size])
    assert (len(body), files) == (sizes[1], []) and isinstance(header, dict)


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5)), st.binary())
def test_what_is_sent_is_received(header: dict[str, str], body: bytes) -> None:
    left, right = socket.socketpair()
    with left, right:
        wire.send(left, header, body)
        assert wire.receive(right) == (header, body, [])


# --- whether it is asked -----------------------------------------------------------


def chosen(flag: bool | None = None) -> str:
    return choice.mode_of(argparse.Namespace(daemon=flag, workspace=None))


def test_flags_go_before_the_environment_and_that_before_the_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from claimscope.stores.workspace.interface_settings import FILE, workspace_root

    monkeypatch.delenv(choice.VARIABLE)
    assert [chosen(), chosen(True), chosen(False)] == ["use", "start", "off"]
    workspace_root().mkdir()
    (workspace_root() / FILE).write_text('daemon = "start"\n')
    assert [chosen(), chosen(False)] == ["start", "off"]
    monkeypatch.setenv(choice.VARIABLE, "off")
    assert [chosen(), chosen(True)] == ["off", "start"]
    monkeypatch.setenv(choice.VARIABLE, "yes")
    assert chosen() == "off"
    monkeypatch.delenv(choice.VARIABLE)
    (workspace_root() / FILE).write_text("")
    nobody = argparse.Namespace(daemon=None, workspace=None)
    assert choice.mode_of(nobody, "start") == "start"
    said = capsys.readouterr().err
    assert said == (
        "note: CLAIMSCOPE_DAEMON = 'yes' is none of off, use, start; taken as off\n"
    )


def test_the_file_may_name_it_and_is_still_a_file_of_settings(
    runtime: Path, folder: Path
) -> None:
    from claimscope.stores.workspace.interface_settings import FILE, workspace_root

    workspace_root().mkdir()
    (workspace_root() / FILE).write_text('daemon = "off"\n')
    assert check("true.md", "--against", "pages")[::2] == (0, "")


def test_a_copy_loads_a_model_for_all_cores_once_when_there_is_much_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone = embedding.SingleThreaded()
    assert not alone.is_outgrown(embedding.MANY + 1)
    alone.process = os.getpid()
    assert not alone.is_outgrown(embedding.MANY + 1)  # not a copy
    alone.process = os.getpid() + 1
    assert not alone.is_outgrown(embedding.MANY)
    assert alone.is_outgrown(1)
    assert not alone.is_outgrown(embedding.MANY)
