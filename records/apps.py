"""The archive as a Django application, with its kinds of jobs and the chores of the sweep."""

from typing import Final

from django.apps import AppConfig
from django.db.models.signals import pre_migrate
from django.utils.translation import gettext_lazy as _

from records.jobs.kinds import BACKGROUND, PROCESS, JobKind, register, register_chores
from records.operations.history import refuse_unknown

#: What a worker does for a change of many games before it looks after other work, in games.
CHANGE_WEIGHT: Final = 200

KINDS: Final = (
    JobKind("file", _("cut a file"), "records.intake.cutting.cut_file", bulk=True),
    JobKind(
        "chunk",
        _("read and store games"),
        "records.intake.judging.judge_chunk",
        bulk=True,
        split="records.intake.cutting.halve_job",
    ),
    JobKind(
        "visibility",
        _("change who may see an upload"),
        "records.store.visibility.run",
        weight=CHANGE_WEIGHT,
    ),
    JobKind(
        "claim",
        _("give the games of an upload to an account"),
        "records.store.claims.run",
        weight=CHANGE_WEIGHT,
        attempts=None,
    ),
    JobKind(
        "leave",
        _("release the games of a closed account"),
        "records.store.deferred.leave",
        weight=CHANGE_WEIGHT,
        attempts=None,
    ),
    JobKind(
        "withdraw",
        _("withdraw the games of a closed account"),
        "records.store.deferred.withdraw",
        weight=CHANGE_WEIGHT,
        attempts=None,
    ),
    JobKind(
        "take-down",
        _("take down an upload"),
        "records.store.deferred.take_down_upload",
        weight=CHANGE_WEIGHT,
        attempts=None,
    ),
    JobKind(
        "analysis",
        _("analyse a game"),
        "records.store.analyses.run",
        weight=CHANGE_WEIGHT,
    ),
    JobKind(
        "ratings",
        _("compute ratings"),
        "records.statistics.ratings.run",
        queue=BACKGROUND,
        attempts=None,
        lease_seconds=600,  # for one month
        schedule="records.statistics.ratings.schedule",
    ),
    JobKind(
        "facts",
        _("write facts of games"),
        "records.facts.refresh.run",
        weight=CHANGE_WEIGHT,
        attempts=None,
        schedule="records.facts.refresh.schedule",
    ),
    JobKind(
        "merge-facts",
        _("merge parts of facts"),
        "records.facts.compaction.run",
        queue=BACKGROUND,
        attempts=None,
        lease_seconds=1800,  # for one merge
        schedule="records.facts.compaction.schedule",
    ),
    JobKind(
        "dump",
        _("make the open data of a month"),
        "records.opendata.dump_job.run",
        queue=PROCESS,
        attempts=None,
        lease_seconds=1800,
        schedule="records.opendata.schedule.enqueue_due",
    ),
)
CHORES: Final = (
    "records.privacy.revisions.tidy",
    "records.store.changes.tidy",
    "records.store.analyses.tidy",
    "records.facts.repair.tidy",
    "records.facts.cleaning.tidy",
    "records.intake.quotas.tidy",
    "records.intake.leftovers.tidy",
    "records.intake.resumable.tidy",
    "records.intake.idempotency.tidy",
    "records.jobs.turns.tidy",
    "records.jobs.heartbeats.tidy",
)


class RecordsConfig(AppConfig):
    """The archive: uploads, games, statistics, pages."""

    name = "records"

    def ready(self) -> None:
        """Register what other rooms, or Django, call."""
        register(*KINDS)
        register_chores(*CHORES)
        pre_migrate.connect(refuse_unknown, sender=self)
