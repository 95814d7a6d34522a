"""Players: the list of them, and what one played, won and made against whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Case, Count, IntegerField, Max, Prefetch, QuerySet, Value, When

from records.base.keys import fold, searched
from records.models import FormerKey, Listing, Player, Record, Seat, Visibility
from records.privacy.redaction import archive_redaction
from records.search.selection import begins
from records.store.pseudonyms import mask_line

#: Maximum number of suggestions for a field.
SUGGESTIONS: Final = 10
#: Number of opponents on a player's page.
OPPONENTS: Final = 30


def players(part: str = "") -> QuerySet[Player]:
    """Players whose name contains this part in any spelling, those with the most games first."""
    found = Player.objects.filter(games__gt=0).order_by("-games", "-id")
    folded = searched(part)
    return found.filter(folded__contains=folded) if folded else found


def player(key: str) -> Player | None:
    """The player with this key; None if there is none."""
    return Player.objects.filter(key=key).first()


def new_key(key: str) -> str | None:
    """The current key of a player whose key was made from one spelling; None if there is none."""
    found = FormerKey.objects.filter(key=key).values_list("player__key", flat=True)
    return found.first()


def suggestions(part: str) -> list[Player]:
    """Players whose names begin with the text of a field, for completion."""
    begins = Case(
        When(folded__startswith=searched(part), then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    return list(players(part).order_by(begins, "-games", "-id")[:SUGGESTIONS])


def events(part: str) -> list[dict[str, Any]]:
    """Events that begin so, as written in one of their games, with their number of games."""
    groups = (
        Listing.objects.order_by()
        .filter(begins("event", fold(part)), visibility=Visibility.PUBLIC)
        .exclude(event="")
        .values("event")
        .annotate(games=Count("pk"), newest=Max("pk"))
        .order_by("-games", "-newest")[:SUGGESTIONS]
    )
    found = list(groups)
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    newest = [one["newest"] for one in found]
    written = Record.objects.prefetch_related(seats).only("event").in_bulk(newest)
    known = archive_redaction()
    return [
        {"value": mask_line(written[one["newest"]], known).event, "games": one["games"]}
        for one in found
    ]


@dataclass(slots=True)
class Results:
    """How games of one ruleset ended for a player.

    ``ended`` are those that have an end, ``places`` counts the ranks in them; equal players share
    one. ``total`` is the sum of their final sums, in the unit of the settlement.
    """

    games: int = 0
    ended: int = 0
    total: int = 0
    places: Counter[int] = field(default_factory=Counter)

    @property
    def wins(self) -> int:
        """First places, including shared ones."""
        return self.places[1]

    @property
    def mean(self) -> float | None:
        """The mean final sum; None without an end."""
        return self.total / self.ended if self.ended else None

    @property
    def place(self) -> float | None:
        """The mean place; None without an end."""
        places = sum(rank * games for rank, games in self.places.items())
        return places / self.ended if self.ended else None


@dataclass(slots=True)
class Against:
    """Games with one opponent: how many, and in how many the player ended before or behind them."""

    games: int = 0
    ahead: int = 0
    behind: int = 0
    level: int = 0


@dataclass(frozen=True, slots=True)
class Career:
    """The totals of a player's games; rulesets and opponents with the most games first.

    ``yaku`` counts the deals' lines in which each was made, ``others`` all opponents, both those
    of ``ruleset``.
    """

    games: int
    rulesets: list[tuple[str, Results]]
    ruleset: str
    opponents: list[tuple[Player, Against]]
    others: int
    yaku: list[tuple[str, int]]


def career(of: Player, ruleset: str = "") -> Career:
    """The contents of a player's page, in four queries, whose rows grow with the player's games.

    Opponents and yaku are those of one ruleset, what is counted in one being no measure of another:
    of ``ruleset``, or if the player has no game of it of the one they played most.
    Only public games count, and opponents who must not be named in figures are left out. A player
    with several seats of a game has played it once, with the result of the first of them.
    """
    seats = Seat.objects.order_by("record_id", "number")
    mine = seats.filter(player=of)
    games = mine.order_by().values("record_id")
    rules = dict(
        Listing.objects.order_by()
        .filter(record_id__in=games, visibility=Visibility.PUBLIC)
        .values_list("pk", "ruleset")
    )
    results: dict[str, Results] = defaultdict(Results)
    made: dict[str, Counter[str]] = defaultdict(Counter)
    rank: dict[int, int | None] = {}
    for pk, final, place, yaku in mine.values_list("record_id", "final", "rank", "yaku"):
        if pk not in rules:  # not public, or added meanwhile
            continue
        for word in yaku.split():
            label, _, often = word.partition("*")
            made[rules[pk]][label] += int(often or 1)
        if pk in rank:
            continue
        rank[pk] = place
        result = results[rules[pk]]
        result.games += 1
        if final is not None and place is not None:
            result.ended += 1
            result.total += final
            result.places[place] += 1
    most_played = sorted(results, key=lambda rules: (-results[rules].games, rules))
    ruleset = ruleset if ruleset in results else next(iter(most_played), "")
    against: dict[int, Against] = defaultdict(Against)
    seen: set[tuple[int, int]] = set()
    others = seats.filter(record_id__in=games, player__statistics=True).exclude(player=of)
    for pk, other, place in others.values_list("record_id", "player_id", "rank"):
        if (pk, other) in seen or pk not in rank or rules[pk] != ruleset:
            continue
        seen.add((pk, other))
        one, own = against[other], rank[pk]
        one.games += 1
        if place is not None and own is not None:
            one.ahead += own < place
            one.behind += own > place
            one.level += own == place
    most = sorted(against.items(), key=lambda item: (-item[1].games, item[0]))[:OPPONENTS]
    people = Player.objects.in_bulk([pk for pk, _ in most])
    return Career(
        games=len(rank),
        rulesets=[(rules, results[rules]) for rules in most_played],
        ruleset=ruleset,
        opponents=[(people[pk], one) for pk, one in most],
        others=len(against),
        yaku=sorted(made[ruleset].items(), key=lambda item: (-item[1], item[0])),
    )
