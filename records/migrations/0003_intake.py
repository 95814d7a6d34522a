import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import records.keys
import records.models.uploads


class Migration(migrations.Migration):
    """Archives in uploads, uploads in parts, and requests that are sent once."""

    dependencies = [("records", "0002_listings")]

    operations = [
        migrations.AddField(
            model_name="uploadfile",
            name="fault",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="uploadfile",
            name="parent",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="members",
                to="records.uploadfile",
            ),
        ),
        migrations.AlterField(
            model_name="uploadfile",
            name="name",
            field=models.CharField(max_length=1024),
        ),
        migrations.AlterField(
            model_name="uploadfile",
            name="stored",
            field=models.FileField(blank=True, upload_to=records.models.uploads.stored_name),
        ),
        migrations.CreateModel(
            name="PartialUpload",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=records.keys.random_key, editable=False, max_length=44, unique=True
                    ),
                ),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires", models.DateTimeField(db_index=True)),
                ("sender", models.CharField(db_index=True, max_length=100)),
                ("name", models.CharField(max_length=255)),
                ("metadata", models.CharField(blank=True, max_length=2048)),
                ("length", models.BigIntegerField()),
                ("offset", models.BigIntegerField(default=0)),
                ("stored", models.CharField(max_length=100)),
                (
                    "upload",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="records.upload",
                    ),
                ),
            ],
            options={"ordering": ("-id",)},
        ),
        migrations.CreateModel(
            name="SentOnce",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sender", models.CharField(max_length=100)),
                ("key", models.CharField(max_length=255)),
                ("fingerprint", models.CharField(max_length=64)),
                ("created", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "upload",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="records.upload"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("sender", "key"), name="sent_once")]
            },
        ),
    ]
