"""Drop the copy of facts that insights had: they read the fact tables."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def delete_jobs(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Delete the jobs of kinds that are gone."""
    apps.get_model("records", "Job").objects.filter(kind__in=("insights", "compaction")).delete()


class Migration(migrations.Migration):
    dependencies = [("records", "0015_no_totals")]
    operations = [
        migrations.RunPython(delete_jobs, migrations.RunPython.noop),
        migrations.DeleteModel("InsightColumn"),
        migrations.DeleteModel("InsightPart"),
        migrations.DeleteModel("InsightName"),
        migrations.DeleteModel("InsightProgress"),
        migrations.DeleteModel("InsightSums"),
        migrations.RemoveIndex("analysis", "analysis_uncounted"),
        migrations.RemoveField("analysis", "counted"),
    ]
