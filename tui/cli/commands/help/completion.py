"""`claimscope help completion SHELL`: what a shell needs to complete commands."""

from __future__ import annotations

import argparse

from claimscope.tui.process.output import write_json

SHELLS = ("bash", "zsh", "fish")
EPILOG = """\
bash:  claimscope help completion bash >> ~/.bash_completion
zsh:   claimscope help completion zsh > FOLDER/_claimscope   (a folder of $fpath)
fish:  claimscope help completion fish > ~/.config/fish/completions/claimscope.fish
A new shell then offers commands, flags, files, and the runs, suites and corpora that
there are. exit codes: 0 done, 2 wrong use
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="bash, zsh or fish")


def run(arguments: argparse.Namespace) -> int:
    import argcomplete.shell_integration

    code = argcomplete.shell_integration.shellcode(
        ["claimscope"], shell=arguments.shell
    )
    if arguments.json:
        write_json({"shell": arguments.shell, "code": code})
    else:
        print(code.strip())
    return 0
