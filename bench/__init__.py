"""Measurements: `python -m bench` runs those of every day, in one run."""

from pathlib import Path
from typing import Final

#: The checkout that is measured: where the command runs (`bench.ingest` runs it in another, too).
ROOT: Final = Path.cwd()
