"""The published tables: those of the monthly dumps, with types that all engines know.

The table of problems, and the position of a game in the text file, are in dumps only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from records.facts.tables import FactColumn
from records.opendata import tables as dump
from records.opendata.tables import DumpTable

#: Types of Iceberg have at least 32 bits. Parquet stores smaller integers in the same space.
_WIDER: Final[Mapping[str, str]] = {"TINYINT": "INTEGER", "SMALLINT": "INTEGER"}
_OMITTED: Final = "number"


def _widen(column: FactColumn) -> FactColumn:
    return replace(column, type=_WIDER.get(column.type, column.type))


def _publish(table: DumpTable) -> DumpTable:
    columns = (column for column in table.columns if column.name != _OMITTED)
    return replace(table, columns=tuple(map(_widen, columns)))


#: The tables by name.
TABLES: Final[Mapping[str, DumpTable]] = {
    name: _publish(table) for name, table in dump.TABLES.items() if table != dump.PROBLEMS
}
#: Changes with every change of the tables.
SCHEMA: Final = repr(
    [
        (table.name, table.select, [(column.name, column.type) for column in table.columns])
        for table in TABLES.values()
    ]
)


def number_columns(table: DumpTable) -> dict[str, tuple[int, int | None]]:
    """Return the field ids of Parquet and Iceberg by column: the column's, and its elements'."""
    ids = iter(range(1, 2 * len(table.columns) + 1))
    return {
        column.name: (next(ids), next(ids) if column.type.endswith("[]") else None)
        for column in table.columns
    }
