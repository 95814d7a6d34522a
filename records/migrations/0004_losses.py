from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0003_analysis"),
    ]

    operations = [
        migrations.AddField("analysis", "losses", models.JSONField(default=list)),
    ]
