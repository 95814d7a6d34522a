"""Fill an archive with many small games.

Usage: ``python -m tests.records.opendata.many 2000``, or with 8 months each: ``many 2000 8``.

The rows are copies of one game, each with a separate identity and key. (Nothing reads them back by
identity.) The environment selects the archive.
"""

from __future__ import annotations

import hashlib
import os
import sys
from typing import Final

import django
import numpy as np

BATCH: Final = 100


def fill(count: int, months: int = 2) -> None:
    """Add a number of public games with facts, each the first months of a koi-koi year."""
    from records.base.keys import record_key
    from records.jobs.executor import work_off
    from records.models import Listing, Player, Record, Seat
    from tests.records.makers import text, upload

    if not Record.objects.exists():
        head, *year = text(1, months="12").split("\nmonth ")
        head = head.replace('[Result "', '[X "').rstrip("\n") + '\n[Termination "unfinished"]\n'
        short = "\nmonth ".join([head, *year[:months]])
        work_off(upload(short.encode()), lambda _: None)
    model, listing = Record.objects.earliest("pk"), Listing.objects.earliest("pk")
    assert model.status == "unfinished", model.verdict
    players = list(Player.objects.all())
    first, pks = Record.objects.count(), []
    for start in range(first, first + count, BATCH):
        rows = []
        for number in range(start, min(start + BATCH, first + count)):
            identity = hashlib.sha256(str(number).encode()).hexdigest()
            fields = {
                column.attname: getattr(model, column.attname) for column in Record._meta.fields
            }
            fields |= {"id": None, "identity": identity, "key": record_key(identity)}
            rows.append(Record(**fields))
        Record.objects.bulk_create(rows)
        columns = {
            column.attname: getattr(listing, column.attname) for column in Listing._meta.fields
        }
        Listing.objects.bulk_create(Listing(**columns | {"record_id": row.pk}) for row in rows)
        Seat.objects.bulk_create(
            Seat(record=row, number=number, player=player, name=player.name)
            for row in rows
            for number, player in enumerate(players, start=1)
        )
        pks += [row.pk for row in rows]
    copy_facts(pks)


def copy_facts(pks: list[int]) -> None:
    """Write the facts of games that are copies of the first, as one part."""
    from records.facts.database import open_cursor
    from records.facts.parts import WRITE_SECONDS, add_file, begin_part, local_path, quote
    from records.facts.tables import TABLES
    from records.models import FactPart

    model = FactPart.objects.earliest("pk")
    part = begin_part(model.ruleset)
    part.games, part.first_game, part.last_game = len(pks), min(pks), max(pks)
    with open_cursor(WRITE_SECONDS) as cursor:
        cursor.register("copies", {"game": np.array(pks, "i8")})
        for name in model.rows:
            source = quote(local_path(model.name, name))
            columns = (f'"{column.name}"' for column in TABLES[name].columns[1:])
            select = f"SELECT copies.game, {', '.join(columns)} FROM '{source}' AS facts, copies"
            add_file(part, cursor, name, select)
    part.save()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")
    django.setup()
    fill(*map(int, sys.argv[1:]))
