"""Moderation in Django's admin: reported comments, jobs, accounts, players, tokens, games, uploads.

Staff log in by the site's own form with rate limits (see `hanaarchive.urls`).
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from oauth2_provider.models import AccessToken, Application, Grant, IDToken, RefreshToken

from kafu.rules.rulesets import RULESETS
from people.accounts import lifecycle
from people.accounts.forms import StaffAccount, StaffAccountChange, StaffPassword
from people.models import PlayerRequest, Token
from records.base import clock
from records.base.keys import player_key
from records.ingest.ownership import take_down
from records.jobs import kinds, ledger
from records.jobs.wakeups import notify
from records.models import Comment, CommentReport, Job, Player, Record, Upload
from records.privacy import revisions
from records.services import comments, removals
from records.services.pseudonyms import Taken, remove_pseudonym, set_pseudonym

#: Maximum number of games in a withdrawal by hand.
MAX_GAMES: Final = 500
#: Maximum length of a job's reason in the list.
REASON_LENGTH = 120


if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    Inline = admin.TabularInline[Any, Any]
    Accounts = UserAdmin[Any]
else:  # Django's classes take no parameters.
    ModelAdmin = admin.ModelAdmin
    Inline = admin.TabularInline
    Accounts = UserAdmin


class ReportsInline(Inline):
    """The reports of a comment."""

    model = CommentReport
    fields = readonly_fields = ("reporter", "reason", "created")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False."""
        return False


class ReportedFilter(admin.SimpleListFilter):
    """Filter of comments by reports."""

    title = gettext_lazy("reports")
    parameter_name = "reported"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return the choices: reported comments that are shown, and hidden comments."""
        return [("open", gettext_lazy("reported, shown")), ("hidden", gettext_lazy("hidden"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the chosen comments."""
        if self.value() == "open":
            return queryset.filter(reported__gt=0, hidden=None)
        return queryset.exclude(hidden=None) if self.value() == "hidden" else queryset


@admin.register(Comment)
class CommentAdmin(ModelAdmin):
    """Comments, with actions to hide and restore comments."""

    list_display = ("text", "author", "record", "deal", "step", "created", "hidden", "reports_open")
    list_filter = (ReportedFilter,)
    list_select_related = ("author", "record")
    search_fields = ("key", "author__username")
    fields = readonly_fields = (*("text", "author", "record", "deal", "step", "created", "hidden"),)
    inlines = (ReportsInline,)
    actions = ("hide", "restore")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return comments with their number of reports, without texts of games."""
        rows = super().get_queryset(request).annotate(reported=Count("reports"))
        return rows.defer("record__text", "record__verdict", "record__tags")

    @admin.display(description=gettext_lazy("reports"), ordering="reported")
    def reports_open(self, comment: Any) -> int:
        """Return the number of users who reported the comment."""
        return int(comment.reported)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False, because users write comments on pages of games."""
        return False

    @admin.action(description=gettext_lazy("Hide"), permissions=["change"])
    def hide(self, request: HttpRequest, queryset: QuerySet[Comment]) -> None:
        """Hide the comments from everybody except the staff."""
        self._show_count(request, comments.hide(_without_annotations(queryset)))

    @admin.action(
        description=gettext_lazy("Show again, and drop the reports"), permissions=["change"]
    )
    def restore(self, request: HttpRequest, queryset: QuerySet[Comment]) -> None:
        """Show the comments to everybody again."""
        self._show_count(request, comments.restore(_without_annotations(queryset)))

    def _show_count(self, request: HttpRequest, count: int) -> None:
        messages.success(request, _("Comments changed: %(count)d.") % {"count": count})


def _without_annotations(queryset: QuerySet[Comment]) -> QuerySet[Comment]:
    """Return the same rows without annotations, for updates."""
    return Comment.objects.filter(pk__in=list(queryset.values_list("pk", flat=True)))


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


class NoAddAdmin(ModelAdmin):
    """An admin page without adding and deleting."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False."""
        return False


for model in (
    *(get_user_model(), EmailAddress, Authenticator, UserSession),
    *(Application, AccessToken, Grant, IDToken, RefreshToken),
):
    admin.site.unregister(model)


@admin.register(get_user_model())
class AccountAdmin(Accounts):
    """Accounts. Closing an account works like closing by its owner."""

    form, add_form = StaffAccountChange, StaffAccount
    change_password_form = StaffPassword
    list_display = ("username", "email", "is_active", "is_staff", "last_login")
    actions = ("reset_link", "remove_second_factor", "close", "close_and_withdraw")

    @admin.action(
        description=gettext_lazy("Create a password reset link to hand over"),
        permissions=["change"],
    )
    def reset_link(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Show a reset link for an owner who gets no mail or is locked out by attackers."""
        for user in queryset.filter(is_active=True)[:1]:
            message = _("For %(name)s, valid for one hour: %(link)s")
            link = lifecycle.create_reset_link(user)
            messages.success(request, message % {"name": user.get_username(), "link": link})
            self.log_change(request, user, "link for a new password")

    @admin.action(
        description=gettext_lazy("Turn off two-step log-in (app and codes lost)"),
        permissions=["change"],
    )
    def remove_second_factor(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Remove the second factor of accounts, and notify the owners."""
        for user in queryset:
            if lifecycle.remove_second_factor(user):
                self.log_change(request, user, "second factor removed")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False, because deleting the row would leave private games without an owner."""
        return False

    def has_close_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may delete accounts."""
        return request.user.has_perm("auth.delete_user")

    @admin.action(
        description=gettext_lazy("Delete the account; keep its games, withdraw private ones"),
        permissions=["close"],
    )
    def close(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Close the accounts, and leave the games without an owner."""
        self._close(request, queryset, withdraw=False)

    @admin.action(
        description=gettext_lazy("Delete the account and withdraw its games"),
        permissions=["close"],
    )
    def close_and_withdraw(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Close the accounts and withdraw the games that no other user uploaded."""
        self._close(request, queryset, withdraw=True)

    def _close(self, request: HttpRequest, queryset: QuerySet[Any], *, withdraw: bool) -> None:
        for user in queryset:
            if user.is_staff:
                message = _("%(name)s is a member of the staff: remove that status first.")
                messages.warning(request, message % {"name": user.get_username()})
            else:
                lifecycle.close(user, withdraw=withdraw)


@admin.register(PlayerRequest)
class PlayerRequestAdmin(NoAddAdmin):
    """Requests about names. The staff chooses the games to withdraw by hand."""

    list_display = ("kind", "player", "pseudonym", "state", "owner", "created")
    list_filter = ("state", "kind")
    readonly_fields = ("owner", "kind", "created", "decided")
    actions = ("carry_out",)

    @admin.action(
        description=gettext_lazy("Carry out: use a pseudonym, or leave out of statistics")
    )
    def carry_out(self, request: HttpRequest, queryset: QuerySet[PlayerRequest]) -> None:
        """Carry out each pending request."""
        for player_request in queryset.filter(state=PlayerRequest.State.PENDING):
            player = Player.objects.filter(origin=player_key(player_request.player)).first()
            if player is None or player_request.kind == PlayerRequest.Kind.WITHDRAWAL:
                message = _(
                    "%(request)s: there is no such player, or the games have to be chosen by hand."
                )
                messages.warning(request, message % {"request": player_request})
                continue
            try:
                if player_request.kind == PlayerRequest.Kind.PSEUDONYM:
                    set_pseudonym(player, player_request.pseudonym)
                else:
                    Player.objects.filter(pk=player.pk).update(statistics=False)
                    revisions.advance()
            except (Taken, ValueError) as error:
                messages.error(request, f"{player_request}: {error}")
                continue
            player_request.state, player_request.decided = PlayerRequest.State.DONE, timezone.now()
            player_request.save()


@admin.register(Player)
class PlayerAdmin(NoAddAdmin):
    """Players. A request or `manage.py player` sets a pseudonym."""

    list_display = ("name", "real_name", "games", "statistics")
    list_filter = ("statistics",)
    search_fields = ("folded", "real_name")
    fields = ("name", "real_name", "games", "statistics")
    readonly_fields = ("name", "real_name", "games")
    actions = ("show_real_name",)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save, and invalidate pages with figures of the player."""
        super().save_model(request, obj, form, change)
        revisions.advance()

    @admin.action(description=gettext_lazy("Show the name recorded in the games again"))
    def show_real_name(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        """Remove pseudonyms."""
        for player in queryset:
            try:
                remove_pseudonym(player)
            except Taken as error:
                messages.error(request, str(error))


@admin.register(Token)
class TokenAdmin(NoAddAdmin):
    """Tokens, with an action to revoke tokens."""

    list_display = ("prefix", "name", "owner", "scopes", "created", "used", "revoked")
    readonly_fields = ("owner", "name", "prefix", "scopes", "created", "expires", "used", "revoked")
    search_fields = ("prefix", "owner__username")
    actions = ("revoke",)

    @admin.action(description=gettext_lazy("Revoke"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[Token]) -> None:
        """Revoke the tokens."""
        queryset.filter(revoked=None).update(revoked=timezone.now())


@admin.register(Application)
class ApplicationAdmin(ModelAdmin):
    """Applications, which the staff can delete with the access that users gave."""

    list_display = ("name", "client_id", "user", "created")
    fields = readonly_fields = (*list_display, "redirect_uris")
    search_fields = ("name", "client_id", "user__username")
    view_on_site = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False."""
        return False


class RulesetFilter(admin.SimpleListFilter):
    """Filter of games by ruleset, with choices from the library instead of a query."""

    title = gettext_lazy("ruleset")
    parameter_name = "ruleset"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the rulesets of the library."""
        return [(name, name) for name in RULESETS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the games of the chosen ruleset."""
        return queryset.filter(ruleset=self.value()) if self.value() else queryset


@admin.register(Record)
class RecordAdmin(NoAddAdmin):
    """Games, with an action to take games down."""

    list_display = ("key", "ruleset", "event", "date", "visibility", "created")
    list_filter = ("visibility", RulesetFilter)
    search_fields = ("key__startswith",)
    fields = readonly_fields = ("key", "ruleset", "event", "date", "visibility", "created")
    list_select_related = ()
    show_full_result_count = False
    actions = ("withdraw",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return games without texts and verdicts."""
        return super().get_queryset(request).defer("text", "verdict", "tags")

    @admin.action(description=gettext_lazy("Remove from the archive"))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Record]) -> None:
        """Take games down, whoever owns them."""
        pks = list(queryset.values_list("pk", flat=True)[: MAX_GAMES + 1])
        if len(pks) > MAX_GAMES:
            message = _("At most %(most)d games at once; an upload can be removed as a whole.")
            messages.error(request, message % {"most": MAX_GAMES})
        else:
            take_down(pks)


@admin.register(Upload)
class UploadAdmin(NoAddAdmin):
    """Uploads, with an action to take uploads down with all games."""

    list_display = ("key", "owner", "via", "visibility", "created")
    list_select_related = ("owner",)
    list_filter = ("visibility", "via")
    search_fields = ("key", "owner__username")
    fields = readonly_fields = ("key", "owner", "via", "visibility", "created")
    actions = ("withdraw",)

    @admin.action(description=gettext_lazy("Remove from the archive, with all games"))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Upload]) -> None:
        """Take uploads down. Afterwards only the staff sees the reports.

        Games with further uploaders are taken down as well.
        """
        for upload in queryset:
            removals.for_upload(upload)
        messages.success(request, _("Removed; their games will follow shortly."))
