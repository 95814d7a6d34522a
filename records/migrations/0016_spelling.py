"""All spellings of a name are one player: keys are made of the name as names are compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Max, Min
from django.utils import timezone

from records.keys import fold, player_key, searched
from records.models.statistics import UNKNOWN
from records.redaction import Redaction, redaction_of
from records.statistics.books import Scope
from records.statistics.standings import NAMES, totals, win
from records.statistics.sums import add_tally, merge_seats, only

BATCH = 200
PUBLIC = 3

Apps = Any


def unite(apps: Apps, schema: Any) -> None:
    """Merge players whose names are one; the first of them stays. Then redact events.

    Players are gone through in the order in which they came, some at a time, and so are the games
    of those who are merged.
    """
    players = apps.get_model("records", "Player").objects
    last = 0
    while batch := list(players.filter(pk__gt=last).order_by("pk")[:BATCH]):
        last = batch[-1].pk
        gone: set[int] = set()
        for row in batch:
            if row.pk not in gone:
                gone |= _take_in(apps, row)
    names = dict(players.exclude(real_name="").values_list("real_name", "name"))
    if names:
        redact_events(apps, redaction_of(names))
    if last:
        apps.get_model("records", "Alteration").objects.create()
    if schema.connection.vendor == "postgresql":
        # Nothing may be left to be checked when the rest of the migration alters tables.
        schema.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema.execute("SET CONSTRAINTS ALL DEFERRED")


# Players ------------------------------------------------------------------------------------------


def _take_in(apps: Apps, row: Any) -> set[int]:
    """Give a player the new keys, or merge him with the one who has them; returns who is gone."""
    players = apps.get_model("records", "Player").objects
    origin = player_key(row.real_name or row.name)
    other = players.filter(origin=origin).exclude(pk=row.pk).first()
    if other is None:
        _set_keys(apps, row, origin, [(row.key, row.real_name)])
        return set()
    first, second = sorted((row, other), key=lambda one: one.pk)
    olds = [(one.key, one.real_name) for one in (first, second)]
    if second.real_name and not first.real_name:
        first.name, first.real_name = second.name, first.name
    first.statistics = first.statistics and second.statistics
    _merge(apps, first, second)
    _set_keys(apps, first, origin, olds)
    return {second.pk}


def _set_keys(apps: Apps, row: Any, origin: str, olds: Iterable[tuple[str, str]]) -> None:
    """Save a player with the keys of his names. Those of ``olds``, each with the real name that it
    hid if any, lead to the new one.
    """
    players = apps.get_model("records", "Player").objects
    former = apps.get_model("records", "FormerKey").objects
    row.origin, row.key, row.folded = origin, player_key(row.name), searched(row.name)
    holder = players.filter(key=row.key).exclude(pk=row.pk).first()
    if holder is not None and row.real_name and not holder.real_name:
        # As for one who comes after somebody has his name for a pseudonym.
        _save_with(holder, player_key(f"{row.key} {holder.name}"))
    elif holder is not None:
        row.key = player_key(f"{row.key} {row.name}")
    row.save()
    if row.real_name:
        former.filter(player=row).delete()
    for key, hidden in olds:
        # Of a key that was made of a real name nobody is told whose it is now.
        if key != row.key and (hidden or not row.real_name):
            former.update_or_create(key=key, defaults={"player": row})


def _save_with(row: Any, key: str) -> None:
    row.key = key
    row.save(update_fields=["key"])


def _merge(apps: Apps, first: Any, second: Any) -> None:
    """Let all that the second player has be the first one's, and remove the second."""
    model = apps.get_model
    seats = model("records", "Seat").objects
    both = seats.filter(player__in=(first.pk, second.pk))
    both.update(player=first.pk)
    if first.real_name:
        seats.filter(player=first.pk).update(name=first.name)
    public = seats.filter(player=first.pk, record__visibility=PUBLIC).order_by()
    first.games = public.values("record").distinct().count()
    model("records", "FormerKey").objects.filter(player=second.pk).update(player=first.pk)
    _forget_ratings(apps, second)
    rollups = model("records", "Rollup").objects.filter(player__in=(first.pk, second.pk))
    version = rollups.aggregate(most=Max("version"))["most"] or 0
    rollups.delete()
    model("records", "Standing").objects.filter(player__in=(first.pk, second.pk)).delete()
    _add_up(apps, first.pk, version)
    second.delete()


# What statistics know of a player -----------------------------------------------------------------


def _forget_ratings(apps: Apps, second: Any) -> None:
    """Ratings are computed anew from the month in which the player who is no more was first rated."""
    ratings = apps.get_model("records", "Rating").objects.filter(player=second.pk)
    months = ratings.order_by().values_list("ruleset").annotate(Min("month"))
    due = apps.get_model("records", "RatingDue")
    due.objects.bulk_create(due(ruleset=rules, month=month) for rules, month in list(months))
    ratings.delete()


def _add_up(apps: Apps, player: int, version: int) -> None:
    """The sums of a player's months and his standings, made anew from what each game adds.

    ``version`` is below that of every row, so that none is taken for what it was.
    """
    tallied = apps.get_model("records", "Tallied").objects
    seats = apps.get_model("records", "Seat").objects.order_by("record", "number")
    sat = seats.filter(player=player)
    last = 0
    while pks := list(
        sat.filter(record__gt=last).order_by("record").values_list("record", flat=True)[:BATCH]
    ):
        last = pks[-1]
        numbers: dict[int, list[int]] = {}
        for pk, number in sat.filter(record__in=pks).values_list("record", "number"):
            numbers.setdefault(pk, []).append(number)
        months: dict[Scope, Any] = {}
        rows = tallied.filter(pk__in=pks, counted=True).select_related("record")
        for row in rows.defer("record__text", "record__verdict", "record__tags"):
            house = row.record.ruleset, row.record.profile, row.record.options
            sums = months.setdefault(Scope(*house, row.month, player), {})
            add_tally(sums, only(row.sums, numbers[row.pk]))
        _add(apps, months, version + 1)
    _stand(apps, player)


def _add(apps: Apps, changes: Mapping[Scope, Any], version: int) -> None:
    """Add sums to the rows of their scopes, the version of which is at least this one."""
    rollups = apps.get_model("records", "Rollup").objects
    for scope, sums in changes.items():
        row = rollups.filter(key=scope.key).first() or rollups.model(
            key=scope.key, version=0, sums={}
        )
        row.ruleset, row.profile, row.options, row.month = scope[:4]
        row.player_id, row.event = scope.player or None, scope.event
        add_tally(row.sums, sums)
        row.version, row.changed = max(row.version + 1, version), timezone.now()
        row.save()


def _stand(apps: Apps, player: int) -> None:
    standing = apps.get_model("records", "Standing")
    rollups = apps.get_model("records", "Rollup").objects
    sums: dict[str, list[int]] = {}
    months = rollups.filter(player=player, month__gte=UNKNOWN).order_by("pk")
    for row in months.iterator(chunk_size=BATCH):
        more = totals(merge_seats(row.sums))
        have = sums.setdefault(row.ruleset, [0] * len(more))
        sums[row.ruleset] = [a + b for a, b in zip(have, more, strict=True)]
    standing.objects.bulk_create(
        standing(
            player_id=player,
            ruleset=ruleset,
            games=row[NAMES.index("games")],
            win=win(row),
            sums=row,
        )
        for ruleset, row in sums.items()
        if any(row)
    )


# Events -------------------------------------------------------------------------------------------


def redact_events(apps: Apps, known: Redaction) -> None:
    """Search and count events by the names that are shown, also where a real name stands in one."""
    records = apps.get_model("records", "Record").objects.exclude(event="").order_by("pk")
    model = apps.get_model
    keys: dict[str, str] = {}
    for part in _batches(records.values_list("pk", "event")):
        for pk, event in part:
            new, old = known.event_key(event), fold(event)
            if new == old:
                continue
            keys[old] = new
            for name in ("Listing", "Tallied"):
                model("records", name).objects.filter(pk=pk).update(event=new)
    rollups = model("records", "Rollup").objects
    for old, new in keys.items():
        rows = rollups.filter(event=old)
        months = rows.filter(month__gte=UNKNOWN).order_by("pk")
        for row in months.iterator(chunk_size=BATCH):
            scope = Scope(row.ruleset, row.profile, row.options, row.month, 0, new)
            _add(apps, {scope: row.sums}, row.version + 1)
        rows.delete()


def _batches(rows: Any) -> Iterator[list[tuple[int, str]]]:
    last = 0
    while part := list(rows.filter(pk__gt=last)[:BATCH]):
        last = part[-1][0]
        yield part


class Migration(migrations.Migration):
    dependencies = (("records", "0015_alteration"),)

    operations = (
        migrations.AddIndex(
            "player",
            models.Index(
                condition=models.Q(("real_name", ""), _negated=True),
                fields=["id"],
                name="player_pseudonym",
            ),
        ),
        migrations.CreateModel(
            name="FormerKey",
            fields=[
                ("key", models.CharField(max_length=44, primary_key=True, serialize=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_keys",
                        to="records.player",
                    ),
                ),
            ],
            options={"ordering": ("key",)},
        ),
        # Last: PostgreSQL makes no index on a table while its new rows are still to be checked.
        migrations.RunPython(unite, migrations.RunPython.noop),
    )
