from typing import Any

from django.db import migrations

from records.bulk import update_rows
from records.statistics.sums import Tally, dumps

BATCH = 200


def add_choices(apps: Any, schema: Any) -> None:
    """The sums of decisions over cards left and captured, of games and of all sums over them."""
    for name in ("Tallied", "Rollup"):
        rows = apps.get_model("records", name).objects.order_by("pk")
        last = 0
        while batch := list(rows.filter(pk__gt=last).only("pk", "sums")[:BATCH]):
            last = batch[-1].pk
            for row in batch:
                _add(row.sums)
            update_rows(rows.model, ("sums",), [(dumps(row.sums), row.pk) for row in batch])


def _add(tally: Tally) -> None:
    for sums in tally.values():
        choices: dict[str, list[int]] = {}
        for key, vector in sums.get("decisions", {}).items():
            word, yaku, _left, _opponent = key.split(" ")
            choice = choices.setdefault(f"{word} {yaku}", [0] * len(vector))
            choice[:] = [a + b for a, b in zip(choice, vector, strict=True)]
        if choices:
            sums["choices"] = choices


class Migration(migrations.Migration):
    dependencies = (("records", "0013_years"),)

    operations = (migrations.RunPython(add_choices, migrations.RunPython.noop),)
