"""The problems of public games, as columns of a table of a dump."""

from __future__ import annotations

from records.facts.rows import Array, make_array
from records.facts.tables import FactColumn
from records.models import Problem, Visibility
from records.opendata.tables import PROBLEMS

_COLUMNS = (FactColumn("game", "BIGINT", PROBLEMS.columns[0].meaning), *PROBLEMS.columns[1:])


def collect_problems() -> dict[str, Array]:
    """Return the columns of `PROBLEMS` by name; ``game`` is the primary key of the game."""
    public = Problem.objects.filter(record__visibility=Visibility.PUBLIC, record__copy_of=None)
    rows = [
        (
            *(row.record_id, row.deal, row.step, row.seat, row.kind, row.choice["played"]),
            *(row.best, row.advantage, row.error, row.day),
        )
        for row in public.order_by("record", "deal", "step").iterator()
    ]
    values = zip(*rows, strict=True) if rows else ((),) * len(_COLUMNS)
    return {
        column.name: make_array(column, list(column_values))
        for column, column_values in zip(_COLUMNS, values, strict=True)
    }
