"""llama.cpp's own server on loopback, with a model of `make ollama`.

    python -m benchmarks.tools.llama_server FOLDER [MODEL] [--port N]

FOLDER is that of `make ollama` (.ollama): its llama-server and its weights are used, so
that two servers can be compared on one model. Prints `--base-url …` when it is ready
and serves until interrupted.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.tools.local_registry import MODELS

START_SECONDS = 120


class Missing(Exception):
    """Something of `make ollama` is not there; the text says what."""


def command(folder: Path, model: str, port: int, context: int) -> list[str]:
    """How it is started. Raises Missing."""
    binary = folder / "lib" / "ollama" / "llama-server"
    if not binary.exists():
        raise Missing(f"{binary}: no llama-server (make ollama fetches it)")
    weights = folder / "models" / "blobs" / f"sha256-{MODELS[model].sha256}"
    if not weights.exists():
        raise Missing(f"{model}: no weights (make ollama MODELS={model})")
    return [
        str(binary), "--model", str(weights), "--alias", model,
        "--host", "127.0.0.1", "--port", str(port), "--ctx-size", str(context),
        "--parallel", "1", "--threads", str(os.cpu_count() or 1), "--no-webui",
        "--batch-size", "512",  # as Ollama starts it
        # The template that local_registry.py gives Ollama: the same prompts.
        "--chat-template", "chatml",
    ]  # fmt: skip


def free_port() -> int:
    """A port on loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def is_ready(port: int) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://127.0.0.1:{port}/health", timeout=5) as reply:
            return bool(reply.status == 200)
    except (OSError, urllib.error.URLError):
        return False


@contextmanager
def serving(
    folder: Path, model: str, *, port: int | None = None, context: int = 2048
) -> Iterator[str]:
    """The address of a server that is ready; it ends with the block. Raises Missing,
    also for one that does not start."""
    port = port or free_port()
    words = command(folder.resolve(), model, port, context)
    library = {"LD_LIBRARY_PATH": str(Path(words[0]).parent)}
    log = folder / "llama-server.log"
    with log.open("wb") as out:
        server = subprocess.Popen(
            words,
            env={**os.environ, **library},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        for _ in range(START_SECONDS * 10):
            if server.poll() is not None:
                raise Missing(f"llama-server ended at once: see {log}")
            if is_ready(port):
                break
            time.sleep(0.1)
        else:
            raise Missing(f"llama-server was not ready in {START_SECONDS} s: see {log}")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("model", nargs="?", default="smollm2:135m", choices=MODELS)
    parser.add_argument("--port", type=int)
    parser.add_argument("--context", type=int, default=4096, help="tokens (4096)")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # the server ends with us
    try:
        with serving(
            chosen.folder, chosen.model, port=chosen.port, context=chosen.context
        ) as url:
            print(
                f"--server openai --base-url {url} --model {chosen.model}", flush=True
            )
            while True:
                time.sleep(3600)
    except Missing as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
