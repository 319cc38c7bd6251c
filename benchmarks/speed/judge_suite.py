"""A whole suite verified and judged with a model on a real Ollama: what it costs.

    python -m benchmarks.speed.judge_suite --model NAME [--suite medicine]
        [--workspace DIR]
        [--no-judge] [--metrics a,b]

`claimscope run` on the suite, then calls, tokens, seconds, prompt tokens a sample and
the share of them that the server had read before. DIR keeps the run and its calls.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from claimscope.core.models import Usage
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace


def per_call(usage: Usage) -> str:
    cached = usage.cached_tokens / max(usage.prompt_tokens, 1)
    return (
        f"{usage.calls} calls, {usage.prompt_tokens} prompt tokens "
        f"({cached:.0%} from the prefix cache), {usage.completion_tokens} written, "
        f"{usage.model_seconds:.0f} s in the model, of them "
        f"{usage.prompt_seconds:.0f} s reading prompts"
    )


def whole_suite(options: argparse.Namespace, workspace: Path) -> None:
    """Runs the suite and adds up its calls by purpose."""
    command = [sys.executable, "-m", "claimscope", "run", options.suite]
    command += ["--verifier", "ollama", "--model", options.model]
    command += ["--workspace", str(workspace), "--json"]
    command += [] if options.no_judge else ["--judge"]
    command += ["--metrics", options.metrics] if options.metrics else []
    began = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    wall = time.monotonic() - began
    if not done.stdout.strip():
        sys.exit(f"the run ended with code {done.returncode}")
    run_id = json.loads(done.stdout)["status"]["header"]["run_id"]
    reader = DiskRunStore(Workspace(workspace).runs).read(run_id)
    samples = reader.samples()
    total = sum((sample.usage for sample in samples), Usage())
    print(f"{options.suite}, {options.model}: {len(samples)} samples, {wall:.0f} s")
    print(f"  {per_call(total)}")
    print(f"  {total.prompt_tokens / len(samples):.0f} prompt tokens a sample")
    claims = sum(len(sample.claims) for sample in samples)
    print(f"  {claims} claims, {total.model_seconds / max(claims, 1):.1f} s a claim")
    print(f"  run {run_id} in {workspace}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--suite", default="medicine")
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--no-judge", action="store_true")
    parser.add_argument("--metrics", help="as in `claimscope run`: fewer ask less")
    options = parser.parse_args()
    if options.workspace is not None:
        whole_suite(options, options.workspace)
        return
    with tempfile.TemporaryDirectory() as folder:
        whole_suite(options, Path(folder))


if __name__ == "__main__":
    main()
