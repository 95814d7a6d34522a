"""Bulk inserts and updates of many narrow rows in SQL, faster than the ORM."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections, models

#: Rows of a statement: SQLite takes 32,766 values.
BATCH: Final = 500


T = TypeVar("T")


def slices(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield slices of ``size`` rows in order; the last slice may be shorter."""
    return (rows[start : start + size] for start in range(0, len(rows), size))


def insert_rows(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    """Insert rows of ``columns`` (names in the table), with values as the database stores them.

    All columns except the primary key must be named. PostgreSQL receives the rows by COPY.
    """
    quote = connection.ops.quote_name
    into = f"{quote(model._meta.db_table)} ({', '.join(map(quote, columns))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Wrap psycopg's errors, because this cursor bypasses Django's wrapper.
            with connection.wrap_database_errors, cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", list(rows))


def insert_new(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[tuple[Any, ...]], key: str
) -> dict[Any, int]:
    """Insert rows as `insert_rows` does, but skip rows that exist by any unique key.

    Waits for rows that another transaction is inserting, in the given order. Returns the primary
    keys of the inserted rows by the column ``key``, which is unique.
    """
    quote = connection.ops.quote_name
    names = ", ".join(map(quote, columns))
    mark = f"({', '.join(['%s'] * len(columns))})"
    primary = model._meta.pk
    assert primary is not None and primary.column is not None
    inserted: dict[Any, int] = {}
    with connection.cursor() as cursor:
        for part in slices(rows, BATCH):
            if connection.vendor == "postgresql":
                # psycopg parses the placeholders of a row once; parsing a statement with all
                # placeholders would take most of the time.
                with connection.wrap_database_errors:
                    values = ", ".join([cursor.mogrify(mark, row) for row in part])
                arguments = None
            else:
                values = ", ".join([mark] * len(part))
                arguments = [value for row in part for value in row]
            cursor.execute(
                f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES {values}"
                f" ON CONFLICT DO NOTHING RETURNING {quote(key)}, {quote(primary.column)}",
                arguments,
            )
            inserted |= dict(cursor.fetchall())
    return inserted


def update_rows(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    """Update ``columns`` of existing rows: each row has the values, then the primary key."""
    quote = connection.ops.quote_name
    key = model._meta.pk
    assert key is not None and key.column is not None
    table, values = quote(model._meta.db_table), list(rows)
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            changed = ", ".join(f"{quote(column)} = %s" for column in columns)
            cursor.executemany(
                f"UPDATE {table} SET {changed} WHERE {quote(key.column)} = %s", values
            )
            return
        types = {field.column: field.cast_db_type(connection) for field in model._meta.fields}
        names = (*columns, key.column)
        changed = ", ".join(f"{quote(name)} = now.{quote(name)}::{types[name]}" for name in columns)
        marks = f"({', '.join(['%s'] * len(names))})"
        for start in range(0, len(values), BATCH):
            part = values[start : start + BATCH]
            cursor.execute(
                f"UPDATE {table} SET {changed} FROM (VALUES {', '.join([marks] * len(part))})"
                f" AS now ({', '.join(map(quote, names))})"
                f" WHERE {table}.{quote(key.column)} = now.{quote(key.column)}",
                [value for row in part for value in row],
            )


def columns_of(model: type[models.Model]) -> list[str]:
    """Return the names of all columns of a table except the primary key."""
    fields = model._meta.concrete_fields
    return [str(field.column) for field in fields if not field.primary_key]


def values_of(rows: Iterable[models.Model]) -> list[tuple[Any, ...]]:
    """Return the values of `columns_of` for each row, as the database stores them."""
    database = connections[DEFAULT_DB_ALIAS]  # `connection` would look it up at every access.
    return [
        tuple(
            [
                field.get_db_prep_save(getattr(row, field.attname), database)
                for field in row._meta.concrete_fields
                if not field.primary_key
            ]
        )
        for row in rows
    ]
