"""Checks standings and ratings: computed again from the games."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection, transaction

from records.models import Standing
from records.totals import ratings, standings


def rebuild() -> None:
    """Compute all standings again, and let all ratings be computed again.

    Transactions that store games wait meanwhile at their end; pages show the old standings.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {Standing._meta.db_table} IN EXCLUSIVE MODE")
        standings.rebuild()
        ratings.forget()


def differences() -> Iterator[str]:
    """Yield each difference, as a text. Changes nothing."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield from standings.differences()
        yield from ratings.differences()
