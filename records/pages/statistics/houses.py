"""The house whose games a page counts if the query selects no house rules.

Houses play different yaku and values. Mixed figures of several houses would describe no game.
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

#: The value of the form for the games of all houses.
ALL: Final = "all"
#: A filter of lists of players, which count all houses of a ruleset, like ratings.
_LEAST: Final = "games_min"


def query_of(params: QueryDict, main: str) -> QueryDict:
    """Return the parameters with the counted house; without a house for the games of all houses."""
    query = params.copy()
    if query.get("profile") == ALL:
        del query["profile"]
    elif main and not query.get("profile"):
        query["profile"] = main
    return query


def figure_query(figure: Figure, params: QueryDict, main: str) -> QueryDict:
    """Return the parameters of one figure, like `query_of`."""
    return query_of(params, "" if _LEAST in figure.filters else main)


def main_house(ruleset: str, params: QueryDict) -> str:
    """Return the house with the most games, which is counted unless the query names another house.

    Return "" if no other house has games, and for a player, whose games all count.
    """
    if params.get("player", "").strip():
        return ""
    houses = _houses(ruleset)
    if not houses:
        return ""
    games = gather(Question(ruleset=ruleset)).sums["houses"]
    played = [profile for profile in houses if profile in games]
    return max(played, key=lambda profile: games[profile]["games"]) if len(played) > 1 else ""


def house_choices(ruleset: str, main: str) -> list[tuple[str, str]]:
    """Return the choices of the form, by value; none for a ruleset with one house."""
    houses = [(profile, house(ruleset, profile)) for profile in _houses(ruleset)]
    if not houses:
        return []
    if not main:
        return [("", _("all")), *houses]
    words = {"house": house(ruleset, main)}
    return [("", _("most games: %(house)s") % words), (ALL, _("all")), *houses]


def _houses(ruleset: str) -> tuple[str, ...]:
    houses = profiles(ruleset)
    return houses if len(houses) > 1 else ()
