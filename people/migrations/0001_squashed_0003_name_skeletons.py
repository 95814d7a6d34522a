from django.conf import settings
from django.db import migrations

from records.base.squash import CreateTables


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("people", "0001_initial"),
        ("people", "0002_standard_webhooks"),
        ("people", "0003_name_skeletons"),
    ]

    dependencies = [
        ("records", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [CreateTables(replaces)]
