"""Change the label of records that cannot be read; the column stays as it is."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0001_squashed_0021_entries"),
    ]

    operations = [
        migrations.AlterField(
            model_name="record",
            name="status",
            field=models.CharField(
                choices=[
                    ("verified", "verified"),
                    ("consistent", "consistent"),
                    ("unfinished", "unfinished"),
                    ("mismatch", "mismatch"),
                    ("unsupported", "unsupported"),
                    ("illegal", "illegal"),
                    ("malformed", "unreadable"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="submission",
            name="status",
            field=models.CharField(
                choices=[
                    ("verified", "verified"),
                    ("consistent", "consistent"),
                    ("unfinished", "unfinished"),
                    ("mismatch", "mismatch"),
                    ("unsupported", "unsupported"),
                    ("illegal", "illegal"),
                    ("malformed", "unreadable"),
                ],
                max_length=12,
            ),
        ),
    ]
