"""The command line."""

from claimscope.tui.cli.entry import main as main
