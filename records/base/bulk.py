"""Many narrow rows at once, past the ORM: it would take longer over them than the database does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models


def insert_rows(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    """Insert rows of ``columns`` (their names in the table), with values as the database has them.

    Every column but the primary key has to be named. PostgreSQL takes them by COPY.
    """
    quote = connection.ops.quote_name
    into = f"{quote(model._meta.db_table)} ({', '.join(map(quote, columns))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # What only psycopg knows raises what only psycopg knows, but for this.
            with connection.wrap_database_errors, cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", list(rows))


def insert_new(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> set[Any]:
    """Insert rows as `insert_rows` does, but for those that are there; waits for those that are
    just being inserted, in the order given. The first of ``columns`` is a unique key.

    Returns the keys of the rows that are this transaction's now.
    """
    if not rows:
        return set()
    quote = connection.ops.quote_name
    marks = f"({', '.join(['%s'] * len(columns))})"
    key = quote(columns[0])
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {quote(model._meta.db_table)} ({', '.join(map(quote, columns))})"
            f" VALUES {', '.join([marks] * len(rows))}"
            f" ON CONFLICT ({key}) DO NOTHING RETURNING {key}",
            [value for row in rows for value in row],
        )
        return {found for (found,) in cursor.fetchall()}


def update_rows(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    """Set ``columns`` of rows that are there, one by one: of each the values, then its key."""
    quote = connection.ops.quote_name
    key = model._meta.pk
    assert key is not None and key.column is not None
    changed = ", ".join(f"{quote(column)} = %s" for column in columns)
    table = quote(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"UPDATE {table} SET {changed} WHERE {quote(key.column)} = %s", list(rows)
        )
