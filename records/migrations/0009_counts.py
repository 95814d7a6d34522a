from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0008_times"),
    ]

    operations = [
        migrations.AddField(
            model_name="rollup",
            name="deals",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="rollup",
            name="games",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
