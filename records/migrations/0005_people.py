"""Owners of uploads, holdings and visibility of games, pseudonyms of players."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import F

VISIBILITY = [(0, "withdrawn"), (1, "private"), (2, "unlisted"), (3, "public")]


def visibility() -> models.Field:
    return models.PositiveSmallIntegerField(choices=VISIBILITY, default=3)


def owner(on_delete, **options) -> models.Field:
    return models.ForeignKey(
        blank=True, null=True, on_delete=on_delete, to=settings.AUTH_USER_MODEL, **options
    )


def keep_keys(apps, schema_editor):
    apps.get_model("records", "Player").objects.update(origin=F("key"))


#: What is there came without accounts, and is public.
HOLD = """
INSERT INTO records_holding (record_id, visibility, settled, note, created)
SELECT id, 3, 0, '', created FROM records_record
"""


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0004_operations"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "upload", "owner", owner(django.db.models.deletion.SET_NULL, related_name="uploads")
        ),
        migrations.AddField("upload", "visibility", visibility()),
        migrations.AddField("partialupload", "owner", owner(django.db.models.deletion.CASCADE)),
        migrations.AddField("partialupload", "visibility", visibility()),
        migrations.AddField("record", "visibility", visibility()),
        migrations.AddField("listing", "visibility", models.PositiveSmallIntegerField(default=3)),
        migrations.RemoveIndex("listing", "listing_played"),
        migrations.RemoveIndex("listing", "listing_longest"),
        migrations.RemoveIndex("listing", "listing_score"),
        migrations.AddIndex(
            "listing", models.Index(fields=["visibility", "-record"], name="listing_newest")
        ),
        migrations.AddIndex(
            "listing",
            models.Index(fields=["visibility", "-day_from", "-record"], name="listing_played"),
        ),
        migrations.AddIndex(
            "listing",
            models.Index(fields=["visibility", "-turns", "-record"], name="listing_longest"),
        ),
        migrations.AddIndex(
            "listing", models.Index(fields=["visibility", "-best", "-record"], name="listing_score")
        ),
        migrations.AddField(
            "player", "origin", models.CharField(editable=False, max_length=44, null=True)
        ),
        migrations.AddField(
            "player", "real_name", models.TextField(blank=True, default="", editable=False)
        ),
        migrations.AddField("player", "statistics", models.BooleanField(default=True)),
        migrations.RunPython(keep_keys, migrations.RunPython.noop),
        migrations.CreateModel(
            name="Holding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "owner",
                    owner(
                        django.db.models.deletion.SET_NULL, related_name="holdings", db_index=False
                    ),
                ),
                (
                    "record",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="holdings",
                        to="records.record",
                    ),
                ),
                ("visibility", visibility()),
                ("settled", models.BigIntegerField(default=0, editable=False)),
                ("note", models.TextField(blank=True, default="")),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ("-record_id",),
                "indexes": [
                    models.Index(
                        condition=models.Q(("owner__isnull", False)),
                        fields=["owner", "-record"],
                        name="holding_owner",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("record", "owner"), name="holding_record_owner"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("owner", None)),
                        fields=("record",),
                        name="holding_nobodys",
                    ),
                ],
            },
        ),
        migrations.RunSQL(HOLD, migrations.RunSQL.noop),
    ]
