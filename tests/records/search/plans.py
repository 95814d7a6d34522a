"""Query plans of lists in an archive of some thousand games."""

from __future__ import annotations

from typing import Any, Final

from django.db import connection
from django.http import QueryDict

from records.jobs.executor import work_off
from records.models import ListedFeature, Listing, Record
from records.search import filters
from records.search.selection import find
from tests.records.makers import text, upload

GAMES: Final = 5_000
QUERIES: Final = ("yaku=goko", "yaku=goko&sort=score", "event=rare", "event=rare&sort=played")


def copy_rows(model: Any, changes: dict[str, str], key: str, record: int) -> None:
    """Insert copies of a record's row of a table, with some columns changed to SQL of ``n``."""
    quote = connection.ops.quote_name
    columns = [
        field.column
        for field in model._meta.concrete_fields
        if not field.primary_key or field.column in changes
    ]
    values = ", ".join(changes.get(column, quote(column)) for column in columns)
    table = quote(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH RECURSIVE copy(n) AS (SELECT CAST(1 AS bigint)"
            f" UNION ALL SELECT n + 1 FROM copy WHERE n < {GAMES})"
            f" INSERT INTO {table} ({', '.join(map(quote, columns))})"
            f" SELECT {values} FROM copy JOIN {table} row ON row.{quote(key)} = {record}"
        )


def explain() -> dict[str, str]:
    """Fill the archive, and return the plans by query."""
    work_off(upload(text(1).encode()), lambda _: None)
    model = Record.objects.get()
    number = "CAST(n AS varchar)"
    record = {"id": f"{model.pk} + n", "key": number, "identity": number, "change_id": "NULL"}
    listing = {"record_id": f"{model.pk} + n", "event": f"'cup ' || {number}"}
    copy_rows(Record, record, "id", model.pk)
    copy_rows(Listing, listing, "record_id", model.pk)
    rare = Listing.objects.get(event="cup 2500")
    Listing.objects.filter(pk=rare.pk).update(event="rare cup", yaku=" goko ")
    ListedFeature.objects.create(listing=rare, feature="goko koikoi")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    plans: dict[str, str] = {}
    for query in QUERIES:
        rows = find(filters.read(QueryDict(query))[0]).rows
        assert [row.pk for row in rows.all()] == [rare.pk], query
        plans[query] = rows[:51].explain()
    return plans
