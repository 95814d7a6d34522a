"""The figures of a season in words: scores in the unit of the scoring, sums, means and titles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, get_args

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.honours import TITLES, RecordId, Title
from clubs.models import Measure, Season
from clubs.scoring import UNITS, USUAL_POINTS, Scoring, Tie
from kafu.notation.vocabulary import KAN
from kafu.rules.rulesets import RULESETS
from records.base import figures, labels
from records.wording.steps import amount, plain_amount

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as Text

#: The titles of a season, each with what it is given for.
TITLE_NAMES: Final[Mapping[Title, Text]] = {
    "months_won": gettext_lazy("Ginmi king: most months won"),
    "wins": gettext_lazy("Most wins"),
    "games": gettext_lazy("Most games"),
    "best_month": gettext_lazy("Best month"),
    "best_game": gettext_lazy("Best game"),
    "mean": gettext_lazy("Best mean"),
    "evenings": gettext_lazy("Most evenings"),
}
RECORD_NAMES: Final[Mapping[RecordId, Text]] = {
    "best_game": gettext_lazy("Highest final score"),
    "best_month": gettext_lazy("Highest month"),
    "winning_run": gettext_lazy("Longest run of wins"),
    "widest_win": gettext_lazy("Greatest lead of a winner"),
    "best_evening": gettext_lazy("Highest sum of an evening"),
    "longest_evening": gettext_lazy("Most games in an evening"),
}
TIE_NAMES: Final[Mapping[Tie, Text]] = {
    "games": gettext_lazy("more games"),
    "wins": gettext_lazy("more wins"),
    "total": gettext_lazy("higher total"),
    "best_game": gettext_lazy("higher best game"),
    "best_month": gettext_lazy("higher best month"),
    "months_won": gettext_lazy("more months won"),
}
assert TITLE_NAMES.keys() == set(TITLES)
assert TIE_NAMES.keys() == set(get_args(Tie))


def write_score(season: Season, score: int | None, scoring: str = "") -> str:
    """Return a score in the unit of its scoring, by default the season's; "–" without a score."""
    if score is None:
        return "–"
    match scoring or season.scoring:
        case "sum":
            return write_sum(season, score)
        case "mean":
            return write_mean(season, score)
        case "rating":
            return figures.number(score / UNITS["rating"], 0)
        case "wins":
            return write_parts(score, UNITS["wins"])
    return write_parts(score, UNITS["points"])


def write_sum(season: Season, points: int | None) -> str:
    """Return a sum of the small unit: ``45``, ``−9``; with kan ``+13 kan``; "–" for none."""
    return "–" if points is None else plain_amount(points, units=labels.units(season.ruleset))


def write_mean(season: Season, mean: int | None) -> str:
    """Return a mean in hundredths of the small unit: ``12.50``, ``1.04 kan``; "–" for none."""
    if mean is None:
        return "–"
    has_kan = RULESETS[season.ruleset].kan
    text = figures.number(mean / UNITS["mean"] / (KAN if has_kan else 1), 2)
    return figures.with_unit(text, _("kan")) if has_kan else text


def write_parts(value: int, unit: int) -> str:
    """Return a number in parts of a point, with as many decimals as needed, at most two.

    >>> write_parts(5, 2), write_parts(-600, 60), write_parts(20, 60)
    ('2.5', '−10', '0.33')
    """
    rest = abs(value) % unit
    return figures.number(value / unit, 0 if not rest else 1 if 10 * rest % unit == 0 else 2)


def write_entry(season: Season, points: int) -> str:
    """Return the amount of an entry with its sign, in points of the season's scoring."""
    if season.scoring in (Measure.SUM, Measure.MEAN):
        return amount(points, units=labels.units(season.ruleset))
    return amount(points, units=None)


def write_title(season: Season, title: Title, value: int) -> str:
    """Return the value of a title."""
    match title:
        case "best_month" | "best_game":
            return write_sum(season, value)
        case "mean":
            return write_mean(season, value)
        case "wins":
            return write_parts(value, UNITS["wins"])
    return figures.number(value, 0)


def write_record(season: Season, record: RecordId, value: int) -> str:
    """Return the value of a record."""
    if record in ("winning_run", "longest_evening"):
        return ngettext("%(count)d game", "%(count)d games", value) % {"count": value}
    return write_sum(season, value)


def describe_scoring(season: Season, scoring: Scoring) -> list[str]:
    """Return what the rank in a season depends on, in phrases."""
    phrases = [str(Measure(season.scoring).label)]
    if season.scoring == Measure.POINTS:
        for seats, points in (scoring.points or USUAL_POINTS).items():
            if seats in RULESETS[season.ruleset].seats:
                text = _("%(seats)d players: %(points)s")
                listed = " ".join(amount(point, units=None) for point in points)
                phrases.append(text % {"seats": seats, "points": listed})
    if scoring.least:
        text = ngettext(
            "ranked from %(count)d game on", "ranked from %(count)d games on", scoring.least
        )
        phrases.append(text % {"count": scoring.least})
    if scoring.drop and season.scoring != Measure.RATING:
        text = ngettext(
            "the worst game does not count", "the worst %(count)d games do not count", scoring.drop
        )
        phrases.append(text % {"count": scoring.drop})
    if scoring.ties:
        listed = labels.listed(str(TIE_NAMES[tie]) for tie in scoring.ties)
        phrases.append(_("equal scores: %(ties)s") % {"ties": listed})
    return phrases
