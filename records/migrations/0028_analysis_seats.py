"""Replace the unread losses of analyses by sums of luck and choices by seat.

No analysis is of the engine of this release: all are made again, with these sums.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0027_problems")]

    operations = [
        migrations.RemoveField("analysis", "losses"),
        migrations.AddField("analysis", "seats", models.JSONField(default=list)),
    ]
