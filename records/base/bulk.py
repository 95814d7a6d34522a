"""Bulk inserts and updates of many narrow rows, in SQL: the ORM would take longer than the
database.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models


def insert_rows(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    """Insert rows of ``columns`` (names in the table), with values as the database stores them.

    Every column but the primary key must be named. PostgreSQL gets them by COPY.
    """
    quote = connection.ops.quote_name
    into = f"{quote(model._meta.db_table)} ({', '.join(map(quote, columns))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Only psycopg reaches the code that raises psycopg's errors, except here.
            with connection.wrap_database_errors, cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", list(rows))


def insert_new(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> set[Any]:
    """Insert rows as `insert_rows` does, but skip those that exist.

    Waits for rows that another transaction is inserting, in the order given. The first of
    ``columns`` is a unique key. Returns the keys of the rows that this transaction inserted.
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
    """Update ``columns`` of existing rows, one by one: each row is the values, then its key."""
    quote = connection.ops.quote_name
    key = model._meta.pk
    assert key is not None and key.column is not None
    changed = ", ".join(f"{quote(column)} = %s" for column in columns)
    table = quote(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"UPDATE {table} SET {changed} WHERE {quote(key.column)} = %s", list(rows)
        )
