"""Clubs in the administration: removing clubs, and naming a founder where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.access import current_members
from clubs.changes import change
from clubs.models import Club, Member, Role
from records.privacy import revisions

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class ReadOnlyAdmin(ModelAdmin):
    """An admin page without adding and changing."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Return all fields."""
        return [field.name for field in self.opts.fields]


@admin.register(Club)
class ClubAdmin(ReadOnlyAdmin):
    """Clubs. Deleting a club leaves its games in the archive."""

    list_display = ("key", "name", "visibility", "created")
    search_fields = ("key", "name")

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Return the counts alone: members cannot be deleted except with their club."""
        _deleted, counts, _needed, protected = super().get_deleted_objects(objs, request)
        return [], counts, set(), protected

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Club]) -> None:
        """Delete clubs, and end the cached pages that show them."""
        with transaction.atomic():
            super().delete_queryset(request, queryset)
            revisions.advance(revisions.OTHER)

    def delete_model(self, request: HttpRequest, obj: Club) -> None:
        """Delete a club."""
        self.delete_queryset(request, Club.objects.filter(pk=obj.pk))


@admin.register(Member)
class MemberAdmin(ReadOnlyAdmin):
    """Members. A club loses its founder when the account is closed and there is no officer."""

    list_display = ("club", "name", "role", "account", "left")
    search_fields = ("club__key", "name")
    list_filter = ("role",)
    list_select_related = ("club", "account")
    actions = ("make_founder",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False, because the games of a member belong to a name."""
        return False

    @admin.action(
        description=gettext_lazy("Make the founder of a club without one"), permissions=["change"]
    )
    def make_founder(self, request: HttpRequest, queryset: QuerySet[Member]) -> None:
        """Name members with an account the founders of clubs that have none."""
        founders = Member.objects.filter(club=OuterRef("club"), role=Role.FOUNDER)
        members = queryset.filter(pk__in=current_members().exclude(account=None))
        for member in members.exclude(Exists(founders)):
            values = {"name": member.name, "role": Role.FOUNDER.id}
            with change(member.club, request.user.pk, "role", values) as work:
                work.update(member, role=Role.FOUNDER)
            text = _("%(name)s is the founder of %(club)s.")
            messages.success(request, text % {"name": member.name, "club": member.club.key})
