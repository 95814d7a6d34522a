"""Replace the unread losses of analyses by sums of luck and choices by seat."""

from math import hypot
from typing import Any, Final

from django.db import migrations, models

#: The engine whose analyses are shown; those of other engines are made again.
ENGINE: Final = "9.3"
BOLD: Final = {"koikoi": 1, "sage": 1, "in": 1, "blind": 1, "shobu": 0, "agari": 0, "out": 0}


def fill(apps: Any, _editor: Any) -> None:
    """Sum up the finished analyses."""
    analyses = apps.get_model("records", "Analysis").objects.filter(
        engine=ENGINE, made__isnull=False
    )
    for analysis in analyses.select_related("record").iterator(50):
        numbers = range(1, analysis.record.seats.count() + 1)
        analysis.seats = [sum_up(analysis.found, seat) for seat in numbers]
        analysis.save(update_fields=["seats"])


def sum_up(report: dict[str, Any], seat: int) -> list[int]:
    """Return the sums of a seat as `records.facts.analysed.sum_up_seat` did at this migration."""
    parts = [deal["parts"] for deal in report["deals"] if deal["parts"]]

    def add_up(*names: str) -> int:
        amounts = (part[name]["value"][seat - 1] for part in parts for name in names)
        return sum(round(1000 * amount) for amount in amounts)

    errors = [
        hypot(*(part[name]["error"][seat - 1] for name in ("deal", "stock"))) for part in parts
    ]
    variance = sum(round(1000 * error) ** 2 for error in errors)
    bids = BOLD | {"-": 0}
    directions = [
        (BOLD if choice["kind"] == "say" else bids).get(choice["played"])
        for choice in report["choices"]
        if choice["seat"] == seat and choice["loss"] and choice["kind"] in ("say", "bid")
    ]
    sums = add_up("deal", "stock"), variance, add_up("own")
    return [len(parts), *sums, directions.count(1), directions.count(0)]


class Migration(migrations.Migration):
    dependencies = [("records", "0027_problems")]

    operations = [
        migrations.RemoveField("analysis", "losses"),
        migrations.AddField("analysis", "seats", models.JSONField(default=list)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
