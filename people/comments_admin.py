"""The admin page on which the staff hides and restores reported comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.models import Comment, CommentReport
from records.services import comments

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    Inline = admin.TabularInline[Any, Any]
else:
    ModelAdmin = admin.ModelAdmin  # generic for the checker only
    Inline = admin.TabularInline


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
