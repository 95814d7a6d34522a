"""Measurements and tools for development: `make bench`, docs/performance.md."""

from pathlib import Path
from typing import Final

#: The measured checkout: the current directory.
ROOT: Final = Path.cwd()
