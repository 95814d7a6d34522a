"""Drop the deliveries of webhooks and the heartbeats of their senders: webhooks were removed."""

from typing import Any

from django.db import migrations, models


def delete_rows(apps: Any, _editor: Any) -> None:
    """Delete the jobs and heartbeats, whose kinds are unknown now."""
    apps.get_model("records", "Job").objects.filter(kind="webhook").delete()
    apps.get_model("records", "Heartbeat").objects.filter(kind="webhooks").delete()


class Migration(migrations.Migration):
    dependencies = [("records", "0025_copies")]

    operations = [
        migrations.RunPython(delete_rows, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="heartbeat",
            name="kind",
            field=models.CharField(
                choices=[("worker", "Worker"), ("sweep", "Sweep")], max_length=8
            ),
        ),
    ]
