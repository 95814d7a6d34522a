"""Add the variance of own choices to the sums of each seat of finished analyses."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

#: The place of the variance in the sums of a seat, and the unit of its amounts.
PLACE, THOUSANDTHS = 4, 1000


def add_own_variance(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add the variances, computed from the errors of the stored report."""
    finished: Any = apps.get_model("records", "Analysis").objects.exclude(seats=[])
    for row in finished.iterator(chunk_size=100):
        parts = [deal["parts"] for deal in row.found["deals"] if deal["parts"]]
        for place, sums in enumerate(row.seats):
            errors = [round(THOUSANDTHS * part["own"]["error"][place]) for part in parts]
            sums.insert(PLACE, sum(error * error for error in errors))
        row.save(update_fields=["seats"])


class Migration(migrations.Migration):
    dependencies = [("records", "0030_fact_years")]

    operations = [migrations.RunPython(add_own_variance, migrations.RunPython.noop, elidable=True)]
