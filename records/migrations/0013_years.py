from typing import Any

from django.db import migrations

from records.models.statistics import TOTAL, UNKNOWN, year_of
from records.statistics.books import Scope
from records.statistics.sums import add_tally


def add_years(apps: Any, schema: Any) -> None:
    """Sums over each year of the archive, of an archive that has those of its months."""
    rollups = apps.get_model("records", "Rollup").objects
    rollups.filter(month__lt=TOTAL).delete()
    months = rollups.filter(player=None, event="", month__gt=UNKNOWN)
    years: dict[Scope, Any] = {}
    for row in months.order_by("key").iterator(chunk_size=50):
        scope = Scope(row.ruleset, row.profile, row.options, year_of(row.month))
        year = years.setdefault(scope, rollups.model(key=scope.key, version=0, sums={}))
        add_tally(year.sums, row.sums)
        year.version += row.version
    for scope, year in years.items():
        year.ruleset, year.profile, year.options, year.month = scope[:4]
        year.save()


class Migration(migrations.Migration):
    dependencies = (("records", "0012_ratings"),)

    operations = (migrations.RunPython(add_years, migrations.RunPython.noop),)
