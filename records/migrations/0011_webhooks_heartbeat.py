"""Heartbeats of senders of webhooks."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0010_former_texts")]

    operations = [
        migrations.AlterField(
            "heartbeat",
            "kind",
            models.CharField(
                choices=[("worker", "Worker"), ("sweep", "Sweep"), ("webhooks", "Webhooks")],
                max_length=8,
            ),
        ),
    ]
