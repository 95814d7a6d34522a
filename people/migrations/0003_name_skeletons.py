from hashlib import sha256

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from records.base.lookalikes import skeletons


def hold(apps, schema_editor):
    """Store the looks of names; of accounts that look alike the oldest holds the look."""
    user = apps.get_model(*settings.AUTH_USER_MODEL.split("."))
    row = apps.get_model("people", "NameSkeleton")
    for pk, name in user.objects.order_by("pk").values_list("pk", "username").iterator():
        hashes = sorted(sha256(one.encode()).hexdigest() for one in skeletons(name))
        row.objects.bulk_create(
            [row(owner_id=pk, skeleton=one) for one in hashes], ignore_conflicts=True
        )


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0002_standard_webhooks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="NameSkeleton",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("skeleton", models.CharField(max_length=64, unique=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="name_skeletons",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.RunPython(hold, migrations.RunPython.noop),
    ]
