"""One file a command: `arguments(parser)` and `run(arguments) -> exit code`."""
