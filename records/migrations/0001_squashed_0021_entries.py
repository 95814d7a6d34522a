from django.conf import settings
from django.db import migrations

from records.base.squash import CreateTables


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("records", "0001_initial"),
        ("records", "0002_situations"),
        ("records", "0003_analysis"),
        ("records", "0004_losses"),
        ("records", "0005_bests"),
        ("records", "0006_insights"),
        ("records", "0007_studies"),
        ("records", "0008_times"),
        ("records", "0009_counts"),
        ("records", "0010_former_texts"),
        ("records", "0011_webhooks_heartbeat"),
        ("records", "0012_hashed_senders"),
        ("records", "0013_claims"),
        ("records", "0014_facts"),
        ("records", "0015_no_totals"),
        ("records", "0016_drop_insights"),
        ("records", "0017_ratings"),
        ("records", "0018_drop_situation_index"),
        ("records", "0019_object_storage"),
        ("records", "0020_listed_features"),
        ("records", "0021_entries"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        # Not for the tables: migrations of sign-in take twice as long when they have ours as well.
        ("socialaccount", "0006_alter_socialaccount_extra_data"),
        ("usersessions", "0001_initial"),
    ]

    operations = [CreateTables(replaces)]
