"""Count changes of public content by ruleset.

An earlier release may run at the same time. It inserts rows without the new column, which then
concern all rulesets, and merges all rows into the oldest row. The oldest row must not be the row of
a ruleset, because the counts of the other rulesets would decrease.
"""

from typing import Any

from django.db import migrations, models


def insert_row(apps: Any, _editor: Any) -> None:
    """Insert a row of all rulesets if there is no row yet."""
    revisions = apps.get_model("records", "Revision").objects
    if not revisions.exists():
        revisions.create()


class Migration(migrations.Migration):
    dependencies = [("records", "0023_job_weights")]

    operations = [
        migrations.AddField(
            model_name="revision",
            name="ruleset",
            field=models.CharField(db_default="", default="", max_length=32),
        ),
        migrations.RunPython(insert_row, migrations.RunPython.noop, elidable=False),
    ]
