from django.db import migrations


class Migration(migrations.Migration):
    """Figures are computed from facts: what games added up to is not stored any more."""

    dependencies = [
        ("records", "0014_facts"),
    ]

    operations = [
        migrations.DeleteModel(name="GameTally"),
        migrations.DeleteModel(name="Rollup"),
    ]
