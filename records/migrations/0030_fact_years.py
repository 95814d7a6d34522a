"""Add the year of play to parts of facts. Parts of earlier releases have several years."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0029_clubs")]

    operations = [
        migrations.AddField(
            "factpart",
            "year",
            models.PositiveSmallIntegerField(default=0, db_default=0),
        ),
    ]
