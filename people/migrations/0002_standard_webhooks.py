"""Secrets as Standard Webhooks writes them, and webhooks that are disabled."""

from base64 import b64decode, b64encode
from typing import Any

import django.utils.timezone
from django.db import migrations, models
from django.db.models import F

PREFIX = "whsec_"


def write_base64(apps: Any, schema_editor: Any) -> None:
    """Keep the bytes of each secret, which was 64 digits of hex."""
    webhooks = apps.get_model("people", "Webhook").objects
    for webhook in webhooks.iterator():
        webhook.secret = PREFIX + b64encode(bytes.fromhex(webhook.secret)).decode()
        webhook.save(update_fields=["secret"])
    webhooks.update(enabled=F("created"))


def write_hex(apps: Any, schema_editor: Any) -> None:
    """Write the secrets as before."""
    for webhook in apps.get_model("people", "Webhook").objects.iterator():
        webhook.secret = b64decode(webhook.secret.removeprefix(PREFIX)).hex()
        webhook.save(update_fields=["secret"])


class Migration(migrations.Migration):
    dependencies = [("people", "0001_initial")]

    operations = [
        migrations.AddField("webhook", "failures", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("webhook", "paused_until", models.DateTimeField(null=True, blank=True)),
        migrations.AddField("webhook", "disabled", models.DateTimeField(null=True, blank=True)),
        migrations.AddField(
            "webhook", "enabled", models.DateTimeField(default=django.utils.timezone.now)
        ),
        migrations.RunPython(write_base64, write_hex),
    ]
