"""Moderation in Django's admin: accounts, requests, players, tokens, games and uploads.

Staff log in by the site's own form, which has rate limits (see `hanaarchive.urls`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from people import comments_admin, jobs_admin  # noqa: F401, register
from people.accounts import lifecycle
from people.accounts.forms import StaffAccount, StaffAccountChange, StaffPassword
from people.models import PlayerRequest, Token
from records.base.keys import player_key
from records.ingest.ownership import take_down
from records.models import Player, Record, Upload
from records.privacy import revisions
from records.services import removals
from records.services.pseudonyms import Taken, remove_pseudonym, set_pseudonym

#: Maximum number of games withdrawn at once by hand.
MAX_GAMES: Final = 500

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    Accounts = UserAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin  # generic for the checker only
    Accounts = UserAdmin


class NoAddAdmin(ModelAdmin):
    """An admin page without adding and deleting."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False."""
        return False


for model in (get_user_model(), EmailAddress, Authenticator, UserSession):
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
        description=gettext_lazy("Turn off two-factor authentication (app and codes lost)"),
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
