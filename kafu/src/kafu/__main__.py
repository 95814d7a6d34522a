"""`python -m kafu`: the command line."""

import sys

from kafu.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
