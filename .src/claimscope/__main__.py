"""`python -m claimscope`."""

import sys

from claimscope.tui.cli import main

if __name__ == "__main__":
    sys.exit(main())
