"""Query plans of lists in an archive of some thousand games."""

from __future__ import annotations

from typing import Final

from django.db import connection
from django.http import QueryDict

from bench.browse import multiply
from records.models import ListedFeature, Listing, Record
from records.search import filters
from records.search.selection import find
from records.work.worker import work_off
from tests.records.makers import text, upload

GAMES: Final = 5_000
QUERIES: Final = ("yaku=goko", "yaku=goko&sort=score", "event=rare", "event=rare&sort=played")


def explain() -> dict[str, str]:
    """Fill the archive, and return the plans by query."""
    work_off(upload(text(1).encode()), lambda _: None)
    model = Record.objects.get()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE model (place bigint PRIMARY KEY, record_id bigint)")
        cursor.execute("INSERT INTO model VALUES (0, %s)", [model.pk])
    copies = range(1, GAMES + 1)
    number = "CAST(n AS varchar)"
    record = {"id": f"{model.pk} + n", "key": number, "identity": number, "change_id": "NULL"}
    listing = {"record_id": f"{model.pk} + n", "event": f"'cup ' || {number}"}
    multiply(Record, record, "id", copies, 1)
    multiply(Listing, listing, "record_id", copies, 1)
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
