"""Measurements and tools of development: `make bench`, docs/performance.md."""

from pathlib import Path
from typing import Final

#: The checkout that is measured: where the command runs (`bench.ingest` runs it in another, too).
ROOT: Final = Path.cwd()
