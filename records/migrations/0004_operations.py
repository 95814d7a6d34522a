"""Signs of life of workers and sweeps; the request that brought an upload."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0003_intake"),
    ]

    operations = [
        migrations.CreateModel(
            name="Beat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("worker", "Worker"), ("sweep", "Sweep")], max_length=8
                    ),
                ),
                ("host", models.CharField(max_length=255)),
                ("pid", models.PositiveIntegerField()),
                ("queues", models.CharField(blank=True, default="", max_length=200)),
                ("started", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ("kind", "host", "pid"),
                "indexes": [models.Index(fields=["kind", "seen"], name="beat_seen")],
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "host", "pid"), name="beat_process")
                ],
            },
        ),
        migrations.AddField(
            model_name="upload",
            name="request_id",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
        ),
    ]
