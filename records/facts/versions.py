"""The version of the engine by which rows are made: facts of another version are made again.

The other version, of the form of the tables, is `records.facts.tables.FORM`: parts of another form
cannot be read by this program's queries.
"""

from __future__ import annotations

from typing import Final

from kafu.analysis import report
from kafu.rules import ENGINE_VERSION

#: The engine that plays games and the one that analyses them.
ENGINE: Final = f"{ENGINE_VERSION}.{report.VERSION}"
