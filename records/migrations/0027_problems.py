"""Add the tables of daily problems, and fill them from stored analyses."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import records.models.packed_fields
from kafu.analysis.problems import find_problems
from records.base.keys import hash_number

#: Analyses read at once: a report has up to a megabyte.
BATCH = 100
PLACE = ("deal", "step", "seat", "kind")


def fill(apps, schema_editor):
    """Insert the problems of all finished analyses."""
    analysis, problem = (apps.get_model("records", name) for name in ("Analysis", "Problem"))
    last = 0
    while True:
        finished = analysis.objects.filter(pk__gt=last, made__isnull=False).order_by("pk")
        batch = list(finished.select_related("record")[:BATCH])
        if not batch:
            return
        problem.objects.bulk_create(
            problem(
                record=row.record,
                ruleset=row.record.ruleset,
                **{name: choice[name] for name in PLACE},
                best=best,
                advantage=advantage,
                error=error,
                choice=choice,
                rank=hash_number(row.record.key, *(choice[name] for name in PLACE)),
            )
            for row in batch
            for choice, best, advantage, error in find_problems(row.found["choices"])
        )
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0026_drop_webhooks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Problem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ruleset", models.CharField(max_length=32)),
                ("deal", models.PositiveSmallIntegerField()),
                ("step", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("kind", models.CharField(max_length=8)),
                ("best", models.CharField(max_length=20)),
                ("advantage", models.FloatField()),
                ("error", models.FloatField()),
                ("choice", records.models.packed_fields.PackedJsonField()),
                ("rank", models.BigIntegerField()),
                ("day", models.DateField(null=True)),
                (
                    "record",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="problems",
                        to="records.record",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "indexes": [
                    models.Index(
                        condition=models.Q(("day", None)),
                        fields=["ruleset", "rank"],
                        name="problem_unused",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("ruleset", "day"), name="problem_day"),
                    models.UniqueConstraint(
                        fields=("record", "deal", "step", "kind", "seat"), name="problem_place"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ProblemAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ruleset", models.CharField(max_length=32)),
                ("day", models.DateField()),
                ("move", models.CharField(max_length=20)),
                ("is_best", models.BooleanField()),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="problem_answers",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-day",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("account", "ruleset", "day"), name="problem_answer_once"
                    )
                ],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
