"""Add the weight of jobs, which older versions leave at its default."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0022_name_unreadable_records"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="weight",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
    ]
