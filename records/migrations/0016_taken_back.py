from typing import Any

from django.db import migrations, models
from django.db.models import F


def withdrawn_so_far(apps: Any, schema_editor: Any) -> None:
    """What is withdrawn now was so with all uploads until then."""
    holdings = apps.get_model("records", "Holding").objects
    holdings.filter(visibility=0).update(taken_back=F("settled"))


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0015_alteration"),
    ]

    operations = [
        migrations.AddField(
            model_name="holding",
            name="taken_back",
            field=models.BigIntegerField(default=0, editable=False),
        ),
        migrations.RunPython(withdrawn_so_far, migrations.RunPython.noop),
    ]
