"""Add the variance of own choices to the sums of each seat of finished analyses."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from records.facts.analysed import sum_up_seat
from records.facts.tables import ENGINE


def sum_up_again(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Sum up the analyses of this engine again; others are not read any more."""
    analysis = apps.get_model("records", "Analysis")
    finished: Any = analysis.objects.filter(engine=ENGINE, made__isnull=False)
    for row in finished.select_related("record").iterator(chunk_size=100):
        numbers = range(1, len(row.seats) + 1)
        row.seats = [sum_up_seat(row.found, row.record.ruleset, seat) for seat in numbers]
        row.save(update_fields=["seats"])


class Migration(migrations.Migration):
    dependencies = [("records", "0030_fact_years")]

    operations = [migrations.RunPython(sum_up_again, migrations.RunPython.noop, elidable=True)]
