"""Ratings know the games that they were computed from; players' totals and bests are queries."""

import django.utils.timezone
from django.db import migrations, models
from django.db.models import F


def move_provisional_ratings_down(apps, schema_editor):
    """Set `Rating.standing`, which replaces the floor."""
    ratings = apps.get_model("records", "Rating").objects
    ratings.filter(deviation__gt=110).update(standing=F("standing") - 1_000_000)


class Migration(migrations.Migration):
    dependencies = [("records", "0016_drop_insights")]
    operations = [
        migrations.DeleteModel("Standing"),
        migrations.DeleteModel("RatingDue"),
        migrations.CreateModel(
            name="RatedGames",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ruleset", models.CharField(max_length=32)),
                ("month", models.IntegerField()),
                ("digest", models.CharField(max_length=80)),
                ("changed", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={"ordering": ("ruleset", "month")},
        ),
        migrations.AddConstraint(
            "ratedgames",
            models.UniqueConstraint(fields=("ruleset", "month"), name="rated_games_month"),
        ),
        migrations.RemoveIndex("rating", "rating_floor"),
        migrations.RenameField("rating", "floor", "standing"),
        migrations.RunPython(move_provisional_ratings_down, migrations.RunPython.noop),
        migrations.AddIndex(
            "rating",
            models.Index(
                fields=("ruleset", "-standing", "-id"),
                condition=models.Q(until=999_999),
                name="rating_standing",
            ),
        ),
        migrations.RemoveIndex("listing", "listing_top"),
        migrations.RemoveIndex("listing", "listing_rare"),
        migrations.RemoveField("listing", "top"),
        migrations.RemoveField("listing", "rare"),
        migrations.RemoveField("seat", "top"),
        migrations.RemoveField("seat", "top_deal"),
        migrations.RemoveField("seat", "rare"),
        migrations.RemoveField("seat", "rare_deal"),
        migrations.RemoveField("seat", "rare_yaku"),
    ]
