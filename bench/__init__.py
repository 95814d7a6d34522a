"""Measurements and tools for development: `make bench`, docs/performance.md."""

from pathlib import Path
from typing import Final

#: The measured checkout: the current directory (`bench.ingest` runs in another checkout, too).
ROOT: Final = Path.cwd()
