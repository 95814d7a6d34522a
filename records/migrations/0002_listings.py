"""What lists ask of a game, in rows of their own; filled from the columns that there are."""

from collections import Counter, defaultdict

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Count

from records.keys import fold
from records.rows import best_final, counted, spaced

BATCH = 500


def fill(apps, editor):
    """Listings of all games and what each seat made; players' folded names and counts."""
    records = apps.get_model("records", "Record").objects
    for pks in iter_batches(records):
        fill_games(apps, pks)
    players = apps.get_model("records", "Player").objects
    seats = apps.get_model("records", "Seat").objects.order_by()
    for pks in iter_batches(players):
        games = dict(
            seats.filter(player__in=pks)
            .values_list("player")
            .annotate(Count("record", distinct=True))
        )
        rows = list(players.filter(pk__in=pks))
        for row in rows:
            row.folded, row.games = fold(row.name), games.get(row.pk, 0)
        players.bulk_update(rows, ["folded", "games"], batch_size=BATCH)


def iter_batches(rows):
    """Primary keys of all rows, so many at once."""
    last = 0
    while pks := list(rows.order_by("pk").filter(pk__gt=last).values_list("pk", flat=True)[:BATCH]):
        yield pks
        last = pks[-1]


def fill_games(apps, pks):
    """The listings of these games, and their seats' yaku."""
    grades = defaultdict(set)
    deals = apps.get_model("records", "Deal").objects.order_by().filter(record__in=pks)
    for pk, grade in deals.exclude(grade="").values_list("record", "grade"):
        grades[pk].add(grade)
    made = defaultdict(lambda: defaultdict(Counter))
    yaku = apps.get_model("records", "YakuMade").objects.order_by()
    yaku = yaku.filter(deal__record__in=pks, void=False).exclude(kind="other")
    for pk, seat, label in yaku.values_list("deal__record", "seat", "label"):
        made[pk][seat][label] += 1
    final = defaultdict(list)
    seats = apps.get_model("records", "Seat").objects.order_by()
    rows = list(seats.filter(record__in=pks))
    for row in rows:
        row.yaku = counted(made[row.record_id][row.number])
        if row.final is not None:
            final[row.record_id].append(row.final)
    seats.bulk_update(rows, ["yaku"], batch_size=BATCH)
    records = apps.get_model("records", "Record").objects
    # Not the text and the verdict, which are far more than all the rest.
    narrow = ("ruleset", "profile", "status", "sheet", "event", "date_from", "date_to")
    listing = apps.get_model("records", "Listing")
    listing.objects.bulk_create(
        listing(
            record_id=record.pk,
            ruleset=record.ruleset,
            profile=record.profile,
            status=record.status,
            sheet=record.sheet,
            event=fold(record.event),
            day_from=record.date_from.toordinal() if record.date_from else 0,
            day_to=record.date_to.toordinal() if record.date_to else 0,
            deals=record.deals_played,
            turns=record.turns_played,
            best=best_final(record.ruleset, final[record.pk]),
            yaku=spaced({label for seat in made[record.pk].values() for label in seat}),
            grades=spaced(grades[record.pk]),
        )
        for record in records.filter(pk__in=pks).only(*narrow, "deals_played", "turns_played")
    )


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Listing",
            fields=[
                (
                    "record",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="listing",
                        serialize=False,
                        to="records.record",
                    ),
                ),
                ("ruleset", models.CharField(max_length=32)),
                ("profile", models.CharField(max_length=32)),
                ("status", models.CharField(max_length=12)),
                ("sheet", models.BooleanField(default=False)),
                ("event", models.CharField(blank=True, default="", max_length=100)),
                ("day_from", models.IntegerField(default=0)),
                ("day_to", models.IntegerField(default=0)),
                ("deals", models.PositiveSmallIntegerField(default=0)),
                ("turns", models.PositiveIntegerField(default=0)),
                ("best", models.BigIntegerField(default=-4611686018427387904)),
                ("yaku", models.TextField(blank=True, default="")),
                ("grades", models.CharField(blank=True, default="", max_length=40)),
            ],
            options={
                "ordering": ("-record_id",),
            },
        ),
        migrations.AddField(
            model_name="player",
            name="folded",
            field=models.CharField(blank=True, default="", editable=False, max_length=100),
        ),
        migrations.AddField(
            model_name="player",
            name="games",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="seat",
            name="yaku",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(fields=["-games", "-id"], name="player_games"),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(fields=["player", "record"], name="seat_player_record"),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(fields=["-day_from", "-record"], name="listing_played"),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(fields=["-turns", "-record"], name="listing_longest"),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(fields=["-best", "-record"], name="listing_score"),
        ),
        # Last: PostgreSQL makes no index on a table while its new rows are still to be checked.
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
