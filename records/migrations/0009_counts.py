from django.db import migrations, models


def count(apps, schema_editor):
    """The games and deals of sums that are there: of the table, the first two of their numbers."""
    rows = apps.get_model("records", "Rollup").objects.order_by("pk")
    last = 0
    while batch := list(rows.filter(pk__gt=last)[:200]):
        for row in batch:
            table = row.sums.get("0", {})
            row.games, row.deals = table.get("games", {}).get("all", (0, 0))[:2]
        rows.bulk_update(batch, ["games", "deals"])
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0008_times"),
    ]

    operations = [
        migrations.AddField(
            model_name="rollup",
            name="deals",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="rollup",
            name="games",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(count, migrations.RunPython.noop),
    ]
