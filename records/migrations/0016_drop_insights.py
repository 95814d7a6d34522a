"""Drop the copy of facts that insights had: they read the fact tables."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("records", "0015_no_totals")]
    operations = [
        migrations.DeleteModel("InsightColumn"),
        migrations.DeleteModel("InsightPart"),
        migrations.DeleteModel("InsightName"),
        migrations.DeleteModel("InsightProgress"),
        migrations.DeleteModel("InsightSums"),
        migrations.RemoveIndex("analysis", "analysis_uncounted"),
        migrations.RemoveField("analysis", "counted"),
    ]
