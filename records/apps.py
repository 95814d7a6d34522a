"""The archive as a Django application, with all kinds of jobs and all periodic chores."""

from typing import Any, Final

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db.models.signals import pre_migrate
from django.utils.translation import gettext_lazy as _

from records.jobs.kinds import BACKGROUND, PROCESS, JobKind, register, register_chores
from records.operations.history import refuse_unknown

#: Games per step of a job. Between steps the worker serves other jobs.
CHANGE_WEIGHT: Final = 200

KINDS: Final = (
    JobKind(
        "file",
        _("cut a file"),
        "records.ingest.cutting.cut_file",
        bulk=True,
        refuse="records.ingest.cutting.refuse_file",
    ),
    JobKind(
        "chunk",
        _("read and store games"),
        "records.ingest.judging.judge_chunk",
        bulk=True,
        split="records.ingest.cutting.halve_job",
        refuse="records.ingest.judging.refuse_game",
    ),
    JobKind(
        "visibility",
        _("change who may see an upload"),
        "records.services.visibility.run",
        weight=CHANGE_WEIGHT,
    ),
    JobKind(
        "claim",
        _("give the games of an upload to an account"),
        "records.services.claims.run",
        weight=CHANGE_WEIGHT,
        attempts=None,
    ),
    JobKind(
        "leave",
        _("release the games of a closed account"),
        "records.services.removals.leave",
        weight=CHANGE_WEIGHT,
        attempts=None,
    ),
    JobKind(
        "withdraw",
        _("withdraw the games of a closed account"),
        "records.services.removals.withdraw",
        weight=CHANGE_WEIGHT,
        attempts=None,
    ),
    JobKind(
        "take-down",
        _("take down an upload"),
        "records.services.removals.take_down_upload",
        weight=CHANGE_WEIGHT,
        attempts=None,
    ),
    JobKind(
        "analysis",
        _("analyse a game"),
        "records.services.analyses.run",
        weight=CHANGE_WEIGHT,
        schedule="records.services.analyses.schedule",
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
    JobKind(
        "publish",
        _("publish facts for everybody"),
        "records.opendata.publication.job.run",
        queue=PROCESS,
        attempts=None,
        lease_seconds=1800,  # for one block
        schedule="records.opendata.publication.job.schedule",
    ),
)
CHORES: Final = (
    "records.privacy.revisions.tidy",
    "records.privacy.change_log.tidy",
    "records.ingest.ownership.tidy",
    "records.services.analyses.tidy",
    "records.facts.repair.tidy",
    "records.facts.compaction.tidy",
    "records.ingest.quotas.tidy",
    "records.ingest.leftovers.tidy",
    "records.ingest.resumable.tidy",
    "records.services.submit.tidy",
    "records.jobs.ledger.tidy",
    "records.jobs.processes.tidy",
)


def check_statistics(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    """Return what would prevent statistics on a cluster; nothing without HANA_STATISTICS_URL."""
    if settings.STATISTICS is None:
        return []
    # Imported here: models are not loaded yet, and the extra `clickhouse` may be missing.
    from records.facts.cluster_checks import find_faults  # noqa: PLC0415

    return find_faults()


class RecordsConfig(AppConfig):
    """The archive: uploads, games, statistics, pages."""

    name = "records"

    def ready(self) -> None:
        """Register job kinds, chores and signal handlers."""
        register(*KINDS)
        checks.register(check_statistics)
        register_chores(*CHORES)
        pre_migrate.connect(refuse_unknown, sender=self)
