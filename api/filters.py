"""Filters of lists. A value that cannot be is an error, not an empty list."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django_filters import CharFilter, ChoiceFilter, FilterSet, TypedChoiceFilter

from records import queries
from records.kafu.vocabulary import RULES
from records.models import Record, Status, Submission


class RecordFilter(FilterSet):
    """Games by what was played, by whom, and the verdict."""

    ruleset = ChoiceFilter(choices=[(rules, rules) for rules in RULES])
    profile = CharFilter(max_length=32, help_text="House rules: `koikoi`, `koikoi-ai` …")
    status = ChoiceFilter(choices=[one for one in Status.choices if one[0] != Status.MALFORMED])
    player = CharFilter(max_length=4096, help_text="A name, whole.")

    def filter_queryset(self, queryset: QuerySet[Record]) -> QuerySet[Record]:
        """The archive's own selection."""
        asked: dict[str, Any] = self.form.cleaned_data
        return queries.records(**asked)


class SubmissionFilter(FilterSet):
    """Games of an upload by what became of them."""

    status = ChoiceFilter(field_name="status", choices=Status.choices)
    errors = TypedChoiceFilter(
        choices=[("true", "true"), ("false", "false")],
        coerce=lambda written: written == "true",
        method="only_errors",
        help_text="`true`: only what is malformed, illegal or a mismatch.",
    )

    def only_errors(
        self, queryset: QuerySet[Submission], name: str, value: bool
    ) -> QuerySet[Submission]:
        """Leave the faulty ones."""
        return queryset.filter(status__in=queries.FAULTY) if value else queryset
