"""Forms of seasons, entries and evenings. The services check what their fields mean together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, get_args

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.honours import TITLES
from clubs.models import LINE, MEMBER_NAME, NAME, Entry, Measure, Season
from clubs.pages.forms import ClubForm
from clubs.scores import TIE_NAMES, TITLE_NAMES
from clubs.scoring import MAX_DROP, USUAL_POINTS, Scoring, Tie
from clubs.seasons import MOST_ADDED
from clubs.totals import MAX_BYTES
from kafu.importers.notebook.words import amount_of
from kafu.rules.rulesets import RULESETS
from records.base import labels

#: Fields for the order of ties.
_TIES: Final = 3
_DATE: Final = {"type": "date"}


class SeasonForm(ClubForm):
    """The fields of a season."""

    name = forms.CharField(label=_("Name"), max_length=NAME)
    ruleset = forms.ChoiceField(label=_("Ruleset"))
    first = forms.DateField(label=_("First day"), widget=forms.DateInput(_DATE, "%Y-%m-%d"))
    last = forms.DateField(label=_("Last day"), widget=forms.DateInput(_DATE, "%Y-%m-%d"))
    scoring = forms.ChoiceField(label=_("The rank depends on"), choices=Measure)
    least = forms.IntegerField(
        label=_("Least number of games for a rank"), min_value=0, max_value=1000, initial=0
    )
    drop = forms.IntegerField(
        label=_("Number of worst games that do not count"),
        min_value=0,
        max_value=MAX_DROP,
        initial=0,
    )
    titles = forms.MultipleChoiceField(
        label=_("Titles"),
        choices=list(TITLE_NAMES.items()),
        initial=list(TITLES),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one title.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ruleset: Any = self.fields["ruleset"]
        ruleset.choices = [(id, labels.ruleset(id)) for id in RULESETS]
        for seats, points in USUAL_POINTS.items():
            self.fields[f"points_{seats}"] = forms.CharField(
                label=_("%(seats)d players") % {"seats": seats},
                initial=_write_points(points),
                required=False,
                max_length=80,
            )
        for number in range(1, _TIES + 1):
            self.fields[f"tie_{number}"] = forms.ChoiceField(
                label=_("%(number)d.") % {"number": number},
                choices=[("", "–"), *TIE_NAMES.items()],
                initial=Scoring().ties[number - 1],
                required=False,
            )

    @property
    def points_fields(self) -> list[forms.BoundField]:
        """The fields of points by number of players."""
        return [self[f"points_{seats}"] for seats in USUAL_POINTS]

    @property
    def tie_fields(self) -> list[forms.BoundField]:
        """The fields of the order of ties."""
        return [self[f"tie_{number}"] for number in range(1, _TIES + 1)]

    def clean(self) -> dict[str, Any]:
        """Read the points, one number for each place."""
        data: dict[str, Any] = super().clean() or {}
        data["points"] = {}
        for seats in USUAL_POINTS if data.get("scoring") == Measure.POINTS else ():
            amounts = [amount_of(word) for word in data.get(f"points_{seats}", "").split()]
            points = [amount.value for amount in amounts if amount is not None]
            if len(points) != len(amounts) or len(points) != seats or None in points:
                text = _("Expected: %(count)d numbers, the best place first.") % {"count": seats}
                self.add_error(f"points_{seats}", text)
            data["points"][seats] = points
        return data

    def fields_of_season(self) -> dict[str, Any]:
        """Return the fields of `clubs.models.Season`."""
        names = ("name", "ruleset", "first", "last", "scoring", "least", "drop", "points")
        data = self.cleaned_data
        ties = [data[f"tie_{number}"] for number in range(1, _TIES + 1)]
        titles = [] if len(data["titles"]) == len(TITLES) else data["titles"]
        return {name: data[name] for name in names} | {
            "ties": [tie for tie in ties if tie],
            "titles": titles,
        }

    def place_of(self, field: str) -> str:
        """Return the field of the form for the field of a season at fault."""
        places = {"kind": "scoring", "ties": f"tie_{_TIES}", "points": "scoring"}
        return places.get(field, field)

    @staticmethod
    def read(season: Season) -> dict[str, Any]:
        """Return the initial values of the form for a season."""
        names = ("name", "ruleset", "first", "last", "scoring", "least", "drop")
        points = {
            f"points_{seats}": _write_points(season.points.get(str(seats), usual))
            for seats, usual in USUAL_POINTS.items()
        }
        ties = season.ties or Scoring().ties
        padded = [*ties, *[""] * _TIES][:_TIES]
        return {
            **{name: getattr(season, name) for name in names},
            **points,
            **{f"tie_{number}": tie for number, tie in enumerate(padded, start=1)},
            "titles": season.titles or list(TITLES),
        }


assert len(get_args(Tie)) >= _TIES


def _write_points(points: Iterable[int]) -> str:
    return " ".join(map(str, points))


class EntryForm(ClubForm):
    """A penalty or a correction."""

    kind = forms.ChoiceField(label=_("Kind"))
    name = forms.CharField(label=_("Name"), max_length=MEMBER_NAME)
    day = forms.DateField(label=_("Day"), widget=forms.DateInput(_DATE, "%Y-%m-%d"))
    amount = forms.CharField(label=_("Points"), max_length=20)
    reason = forms.CharField(label=_("Reason"), max_length=LINE)

    def __init__(self, season: Season, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = (Entry.Kind.PENALTY, Entry.Kind.CORRECTION)
        kind: Any = self.fields["kind"]
        kind.choices = [(kind.value, kind.label) for kind in kinds]
        self.fields["name"].widget.attrs["list"] = "names"
        if season.scoring in (Measure.SUM, Measure.MEAN) and labels.units(season.ruleset):
            self.fields["amount"].help_text = _("As 2貫6, or as a number of the small unit.")

    def clean_amount(self) -> int:
        """Read the amount."""
        amount = amount_of(self.cleaned_data["amount"])
        if amount is None or amount.value is None:
            raise forms.ValidationError(_("Enter an integer."))
        return amount.value

    def clean(self) -> dict[str, Any]:
        """Make a penalty negative: people write it with and without a sign."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("kind") == Entry.Kind.PENALTY and "amount" in data:
            data["amount"] = -abs(data["amount"])
        return data


class TotalsForm(ClubForm):
    """A table of sums, pasted or in a file."""

    text = forms.CharField(
        label=_("Table"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
    )
    file = forms.FileField(
        label=_("or a file (CSV, or text with tabs)"), required=False, allow_empty_file=True
    )
    games = forms.IntegerField(
        label=_("Games of each evening"),
        min_value=0,
        max_value=MOST_ADDED,
        initial=0,
        help_text=_("0 if the number is unknown. Means count totals of a known number alone."),
    )


class EveningForm(ClubForm):
    """Time, place and a line of text of an evening."""

    time = forms.TimeField(
        label=pgettext_lazy("club", "Time"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, "%H:%M"),
    )
    place = forms.CharField(label=pgettext_lazy("club", "Place"), max_length=NAME, required=False)
    line = forms.CharField(label=_("A line of text"), max_length=LINE, required=False)
