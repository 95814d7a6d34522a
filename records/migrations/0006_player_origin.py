"""Apart from 0005: PostgreSQL alters no table to which rows were written in the transaction."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0005_people")]

    operations = [
        migrations.AlterField(
            "player",
            "origin",
            models.CharField(editable=False, max_length=44, unique=True),
        ),
    ]
