"""Drop the table of webhooks with all rows: programs wait with ``uploads/KEY?wait=20`` instead.

Migrating back creates an empty table.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("people", "0004_own_names")]

    operations = [migrations.DeleteModel("Webhook")]
