"""Drop the index of situations: they are a fact table now, which needs no job."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def delete_jobs(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Delete the jobs of the index."""
    apps.get_model("records", "Job").objects.filter(kind="situations").delete()


class Migration(migrations.Migration):
    """Delete the tables of the index and its jobs."""

    dependencies = (("records", "0017_ratings"),)

    operations = (
        migrations.RunPython(delete_jobs, migrations.RunPython.noop),
        migrations.DeleteModel("SituationGames"),
        migrations.DeleteModel("SituationPart"),
        migrations.DeleteModel("SituationProgress"),
    )
