from django.db import migrations, models
from django.db.models.deletion import CASCADE

from records.base.bulk import insert_rows

#: Games read, and inserted with their features, at once.
BATCH = 5_000


def fill(apps, schema_editor):
    """Insert the features of all games that are listed."""
    listing, feature = (apps.get_model("records", name) for name in ("Listing", "ListedFeature"))
    last = 0
    while True:
        games = listing.objects.filter(pk__gt=last).order_by("pk")
        games = list(games.values_list("pk", "ruleset", "yaku", "grades")[:BATCH])
        if not games:
            return
        rows = sorted(
            (f"{word} {ruleset}", pk)
            for pk, ruleset, yaku, grades in games
            for word in {*yaku.split(), *grades.split()}
        )
        insert_rows(feature, ("feature", "listing_id"), rows)
        last = games[-1][0]


class Migration(migrations.Migration):
    dependencies = [("records", "0019_object_storage")]

    operations = [
        migrations.CreateModel(
            name="ListedFeature",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "feature",
                        "listing",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("feature", models.CharField(max_length=100)),
                (
                    "listing",
                    models.ForeignKey(
                        on_delete=CASCADE, related_name="features", to="records.listing"
                    ),
                ),
            ],
            options={"ordering": ("feature", "listing_id")},
        ),
        migrations.RemoveIndex(model_name="listing", name="listing_played"),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(
                fields=["visibility", "-day_from", "-record", "day_to"], name="listing_played"
            ),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(
                fields=["visibility", "ruleset", "-best", "-record"], name="listing_ruleset_score"
            ),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(
                fields=["visibility", "ruleset", "-turns", "-record"],
                name="listing_ruleset_longest",
            ),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(fields=["visibility", "profile"], name="listing_profile"),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(fields=["visibility", "status"], name="listing_status"),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(fields=["visibility", "sheet"], name="listing_sheet"),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(fields=["visibility", "deals"], name="listing_deals"),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(
                fields=["visibility", "event"],
                name="listing_event",
                opclasses=("int2_ops", "varchar_pattern_ops"),
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
