"""Versions of the engine and of the fact tables: what was made by another version is made again."""

from __future__ import annotations

from typing import Final

from kafu.analysis import report
from kafu.rules import ENGINE_VERSION
from records.facts.tables import FORM

#: The engine that plays games and the one that analyses them.
ENGINE: Final = f"{ENGINE_VERSION}.{report.VERSION}"
#: The version of parts: engine and form of the tables.
VERSION: Final = f"{ENGINE}-{FORM}"
