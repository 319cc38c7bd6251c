"""`claimscope runs resume RUN`: go on with a run, judge parts again, add to it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.tui.cli.flags import add_cluster_flag, add_custom_flags, add_model_flags
from claimscope.tui.cli.gate import EXIT_CODES, add_gate_flags, code_with_gate, prepare
from claimscope.tui.services.workspace import (
    command_settings,
    flag_settings,
    open_runs,
    open_workspace,
    run_named,
)

if TYPE_CHECKING:
    from claimscope.core.ports import RunReader
    from claimscope.tui.services.run.engine import Continuation

EPILOG = (
    """\
A run goes on only with the suite, pages, models, prompts and settings it began with;
what changed is listed, and --as-new starts a new run with it that uses the old run's
model calls where they are the same. Without --as-new, a flag for another model or
setting is such a change. A run that waits elsewhere is told to go on.

Model calls that are in the journal are not made again, also not for --failures and
--retry-errors; --fresh makes them anew, for what they are worth at another time.

exit codes: 0 all samples were judged or shown as unscored, or the waiting engine was
told; 2 wrong use; 3 it could not be done, something changed, or another engine is at
work on the run; 130 stopped by a signal
"""
    + EXIT_CODES
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("run_id", metavar="RUN", help="a run id, or `last`")
    add(
        "--retry-errors",
        action="store_true",
        help="judge again the samples that ended in an error",
    )
    add("--failures", action="store_true", help="judge again the samples that failed")
    add(
        "--fresh",
        action="store_true",
        help="with one of these: make the model calls anew",
    )
    add("--iterations", type=int, metavar="N", help="so many iterations from now on")
    add(
        "--answers",
        type=Path,
        metavar="FILE",
        help="add answers: of further providers, or to further cases",
    )
    add(
        "--as-new",
        action="store_true",
        help="start a new run with what changed since, and use the calls of this one",
    )
    add(
        "--progress-file",
        type=Path,
        metavar="FILE",
        help="rewrite FILE after each sample with what is done",
    )
    add("--detach", action="store_true", help="go on in the background and return")
    add_cluster_flag(parser)
    add_gate_flags(parser)
    add("--run-id", dest="new_id", help=argparse.SUPPRESS)
    add("--judge", action="store_true", default=None, help="(changes)")
    add("--seed", type=int, metavar="N", help="(changes)")
    add_model_flags(parser)
    add_custom_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    from claimscope.stores.runs.run_store import new_run_id
    from claimscope.tui.services.run.engine import begin_from, go_on

    workspace = open_workspace(arguments)
    runs = open_runs(workspace)
    prepare(arguments, runs)
    run_id = run_named(runs, arguments.run_id)
    going = going_of(arguments)
    if not arguments.as_new and waits(reader := runs.read(run_id)):
        return go_on_there(reader, arguments, going)
    if arguments.detach:
        return detach(arguments, run_id)
    settings = command_settings(workspace, arguments)
    if arguments.as_new:
        new_id = arguments.new_id or new_run_id()
        code = begin_from(
            workspace, settings, run_id, going, new_id=new_id, json=arguments.json
        )
        return code_with_gate(arguments, workspace, new_id, code)
    code = go_on(workspace, settings, run_id, going, json=arguments.json)
    return code_with_gate(arguments, workspace, run_id, code)


def going_of(arguments: argparse.Namespace) -> Continuation:
    """What the flags ask for. Raises InputError for what does not fit together."""
    from claimscope.core.run.plan import JudgeAgain
    from claimscope.tui.services.run.engine import Continuation
    from claimscope.tui.services.run.progress_file import progress_file

    again = JudgeAgain(errors=arguments.retry_errors, failures=arguments.failures)
    if arguments.fresh and not again:
        raise InputError(
            "--fresh: of which samples?", "add --failures, --retry-errors or both"
        )
    if arguments.as_new and again:
        raise InputError(
            "--as-new judges every sample, so --failures and --retry-errors say "
            "nothing",
            "leave one or the other out",
        )
    if arguments.answers is not None and not arguments.answers.is_file():
        raise InputError(f"--answers {arguments.answers}: there is no such file", "")
    apart = ("iterations", "cluster", "chroma_url")  # they change no verdict
    flags = {k: v for k, v in flag_settings(arguments).items() if k not in apart}
    return Continuation(
        again,
        arguments.fresh,
        arguments.iterations,
        arguments.answers,
        progress_file(arguments.progress_file),
        flags=flags,
    )


def waits(run: RunReader) -> bool:
    """Whether an engine is at work on it that was asked to pause."""
    status = run.status()
    return status.pid is not None and (
        status.state == "paused" or run.requested_control() == "pause"
    )


def go_on_there(
    run: RunReader, arguments: argparse.Namespace, going: Continuation
) -> int:
    """Tells the waiting engine. Raises InputError when more is asked of it."""
    from claimscope.tui.services.run.control import steer

    more = going.again or going.adds or any(map(bool, (going.flags or {}).values()))
    if more:
        status = run.status()
        raise InputError(
            f"process {status.pid} is at work on run {status.header.run_id} and can "
            "only be told to go on",
            "resume it without further flags, or `claimscope runs cancel` it first",
        )
    return steer(run, "run", json=arguments.json)


def detach(arguments: argparse.Namespace, run_id: str) -> int:
    """The same command again as a process of its own."""
    from claimscope.tui.services.run.detached import hand_over

    words = [word for word in arguments.words if word not in ("--detach", "--json")]
    words = [run_id if word == arguments.run_id else word for word in words]
    if arguments.as_new:
        from claimscope.stores.runs.run_store import new_run_id

        new_id = new_run_id()
        words += ["--run-id", new_id]
        run_id = new_id
    return hand_over(open_workspace(arguments), run_id, words, json=arguments.json)
