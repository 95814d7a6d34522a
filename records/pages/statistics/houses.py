"""One house at a time: whose games a page counts that is asked for no house rules.

Houses play other yaku for other values, so that their figures mixed are of nobody's game.
"""

from __future__ import annotations

from typing import Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from records.pages.rulebook.book import house
from records.search.filters import profiles
from records.statistics.definition import Figure
from records.statistics.gather import gather
from records.statistics.questions import Question

#: What the page's form sends for the games of all houses.
ALL: Final = "all"
#: A filter that lists of players have: they are of a whole ruleset, as ratings are.
_LEAST: Final = "games_min"


def query_of(params: QueryDict, main: str) -> QueryDict:
    """The parameters with the house that is counted; none for those of all houses."""
    found = params.copy()
    if found.get("profile") == ALL:
        del found["profile"]
    elif main and not found.get("profile"):
        found["profile"] = main
    return found


def narrowed(figure: Figure, params: QueryDict, main: str) -> QueryDict:
    """As `query_of`, for one figure."""
    return query_of(params, "" if _LEAST in figure.filters else main)


def main_house(ruleset: str, params: QueryDict) -> str:
    """Return the house with the most games, which is counted unless the query names another.

    It is "" if no other house has games, and for a player, of whom every game counts.
    """
    if params.get("player", "").strip():
        return ""
    houses = _of(ruleset)
    if not houses:
        return ""
    games = gather(Question(ruleset=ruleset)).sums["houses"]
    played = [profile for profile in houses if profile in games]
    return max(played, key=lambda profile: games[profile]["games"]) if len(played) > 1 else ""


def offered(ruleset: str, main: str) -> list[tuple[str, str]]:
    """The choices of the form, by value; none where a ruleset has one house."""
    houses = [(one, house(ruleset, one)) for one in _of(ruleset)]
    if not houses:
        return []
    if not main:
        return [("", _("all")), *houses]
    words = {"house": house(ruleset, main)}
    return [("", _("most games: %(house)s") % words), (ALL, _("all")), *houses]


def _of(ruleset: str) -> tuple[str, ...]:
    found = profiles(ruleset)
    return found if len(found) > 1 else ()
