"""The admin page of jobs: running, waiting, stuck, dead-lettered."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from records.base import clock
from records.jobs import kinds, ledger
from records.jobs.wakeups import notify
from records.models import Job

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Job]
else:
    ModelAdmin = admin.ModelAdmin  # generic for the checker only

#: Maximum length of a reason in the list.
REASON_LENGTH = 120


class StateFilter(admin.SimpleListFilter):
    """Filter of jobs by state; by default all jobs that are not done."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return the states, and a choice for stuck jobs."""
        stuck_choice = ("stuck", gettext_lazy("stuck"))
        return [
            *((state.value, state.label) for state in Job.State),
            stuck_choice,
            ("all", _("all")),
        ]

    def choices(self, changelist: Any) -> Any:
        """Yield Django's choices; the first is relabelled as the default."""
        first, *other_choices = super().choices(changelist)
        yield {**first, "display": gettext_lazy("not done")}
        yield from other_choices

    def queryset(self, request: HttpRequest, queryset: QuerySet[Job]) -> QuerySet[Job]:
        """Return the jobs of the chosen state."""
        chosen = self.value()
        if chosen is None:
            return queryset.exclude(state=Job.State.DONE)
        if chosen == "stuck":
            return queryset.filter(stuck_jobs())
        return queryset if chosen == "all" else queryset.filter(state=chosen)


def stuck_jobs() -> Q:
    """Return a query for jobs with a long-expired lease or long overdue."""
    late = clock.now() - timedelta(seconds=settings.STUCK_SECONDS)
    waits = Q(state__in=Job.CLAIMABLE, due_at__lt=late)
    return waits | Q(state=Job.State.LEASED, lease_until__lt=late)


class KindFilter(admin.SimpleListFilter):
    """Filter of jobs by kind."""

    title = gettext_lazy("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return all registered kinds."""
        return [(kind.name, kind.label) for kind in kinds.kinds()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Job]) -> QuerySet[Job]:
        """Return the jobs of the chosen kind."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


@admin.register(Job)
class JobAdmin(ModelAdmin):
    """Jobs, with actions to retry or abandon jobs."""

    list_display = (
        "id",
        "kind_label",
        "subject_text",
        "state",
        "attempts",
        "progress_text",
        "relevant_time",
        "short_reason",
    )
    list_select_related = ("upload",)
    list_filter = (StateFilter, KindFilter)
    search_fields = ("upload__key", "subject", "request_id")
    fields = readonly_fields = (
        "kind_label", "subject_text", "params", "state", "attempts", "progress_text", "created",
        "due_at", "lease", "lease_until", "done_at", "request_id", "reason",
    )  # fmt: skip
    actions = ("try_again", "give_up")
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False, because deleting a job would delete its subject."""
        return False

    @admin.display(description=gettext_lazy("kind"), ordering="kind")
    def kind_label(self, job: Job) -> str:
        """Return the kind in words."""
        return str(kinds.kind_of(job.kind).label) if job.kind in kinds.names() else job.kind

    @admin.display(description=gettext_lazy("subject"))
    def subject_text(self, job: Job) -> str:
        """Return the key of the upload, or else the subject."""
        return job.upload.key if job.upload is not None else job.subject

    @admin.display(description=gettext_lazy("progress"))
    def progress_text(self, job: Job) -> str:
        """Return the progress and the total."""
        if job.total is None:
            return str(job.progress or "")
        return _("%(done)d of %(total)d") % {"done": job.progress, "total": job.total}

    @admin.display(description=gettext_lazy("since, or until"), ordering="due_at")
    def relevant_time(self, job: Job) -> Any:
        """Return the end, the end of the lease, or the earliest start of the job."""
        return job.done_at or job.lease_until or job.due_at

    @admin.display(description=gettext_lazy("reason"))
    def short_reason(self, job: Job) -> str:
        """Return the reason why the last attempt failed."""
        return Truncator(job.reason).chars(REASON_LENGTH)

    @admin.action(description=gettext_lazy("Try again"), permissions=["change"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        """Retry failed or abandoned jobs immediately, with all their attempts."""
        count = sum(ledger.try_again(pk) for pk in queryset.values_list("pk", flat=True))
        notify(count)
        message = ngettext(
            "%(count)d job is tried again.", "%(count)d jobs are tried again.", count
        )
        messages.success(request, message % {"count": count})

    @admin.action(description=gettext_lazy("Give up"), permissions=["change"])
    def give_up(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        """Abandon unfinished jobs; a worker with a lease on a job then writes no results."""
        who = _("given up by %(name)s") % {"name": request.user.get_username()}
        count = sum(ledger.give_up(pk, who) for pk in queryset.values_list("pk", flat=True))
        message = ngettext("%(count)d job is given up.", "%(count)d jobs are given up.", count)
        messages.success(request, message % {"count": count})
