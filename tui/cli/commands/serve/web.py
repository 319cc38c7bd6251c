"""`claimscope serve`: the terminal interface in a browser."""

from __future__ import annotations

import argparse

EPILOG = """\
Only this machine can reach it unless --host says otherwise, and only who has the
address with its key, which is printed once: anyone with that address can do what you
can do in the interface. Over SSH: ssh -L 8765:127.0.0.1:8765 HOST, then open it here.
Nothing is fetched from the web.
exit codes: 0 ended by ctrl+c; 2 wrong use, or the port is taken
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="address to listen on (default: loopback)")
    add("--port", type=int, default=8765, help="port (default: 8765; 0: a free one)")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.cli.serving import serve

    serve(arguments.host, arguments.port, arguments.workspace, json=arguments.json)
    return 0
