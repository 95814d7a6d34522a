"""Players: lists, suggestions, and the results of one player."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    IntegerField,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)

from records.base.keys import fold, searched
from records.models import FormerKey, Listing, Player, Record, Seat, Visibility
from records.privacy.masking import mask_line
from records.privacy.redaction import archive_redaction
from records.search.selection import begins

#: Maximum number of suggestions for a field.
SUGGESTIONS: Final = 10
#: Number of newest games whose places are returned.
PLACES: Final = 12
#: Number of opponents on a player's page.
OPPONENTS: Final = 30


def players(part: str = "") -> QuerySet[Player]:
    """Return players whose name contains a text in any spelling, most games first."""
    players = Player.objects.filter(games__gt=0).order_by("-games", "-id")
    folded = searched(part)
    return players.filter(folded__contains=folded) if folded else players


def find(key: str) -> Player | None:
    """Return the player with a key, or None."""
    return Player.objects.filter(key=key).first()


def find_new_key(key: str) -> str | None:
    """Return the current key of a player with a former key, or None."""
    return FormerKey.objects.filter(key=key).values_list("player__key", flat=True).first()


def find_rulesets(key: str) -> list[str]:
    """Return the rulesets of the public games of a player."""
    games = Seat.objects.order_by().filter(player__key=key).values("record_id")
    public = Listing.objects.order_by().filter(pk__in=games, visibility=Visibility.PUBLIC)
    return sorted(public.values_list("ruleset", flat=True).distinct())


def suggestions(part: str) -> list[Player]:
    """Return players whose name contains a text, names that begin with the text first."""
    begins = Case(
        When(folded__startswith=searched(part), then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    return list(players(part).order_by(begins, "-games", "-id")[:SUGGESTIONS])


def events(part: str) -> list[dict[str, Any]]:
    """Return events that begin with a text, in an original spelling, with their number of games."""
    groups = (
        Listing.objects.order_by()
        .filter(begins("event", fold(part)), visibility=Visibility.PUBLIC)
        .exclude(event="")
        .values("event")
        .annotate(games=Count("pk"), newest=Max("pk"))
        .order_by("-games", "-newest")[:SUGGESTIONS]
    )
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    newest = [group["newest"] for group in groups]
    records = Record.objects.prefetch_related(seats).only("event").in_bulk(newest)
    redaction = archive_redaction()
    return [
        {"value": mask_line(records[group["newest"]], redaction).event, "games": group["games"]}
        for group in groups
    ]


def recent_places(player: Player, ruleset: str) -> list[int]:
    """Return a player's places in the newest finished public games of a ruleset, newest last."""
    seats = Seat.objects.filter(
        player=player,
        rank__isnull=False,
        record__listing__visibility=Visibility.PUBLIC,
        record__listing__ruleset=ruleset,
    ).order_by("-record__listing__day_from", "-record_id")
    newest = seats.values_list("rank", flat=True)[:PLACES]
    return [place for place in list(newest)[::-1] if place is not None]


@dataclass(frozen=True, slots=True)
class Form:
    """A player's places in the newest finished public games, newest last, and the last date."""

    places: list[int]
    date: str

    @property
    def wins(self) -> int:
        """First places, including shared ones."""
        return self.places.count(1)


def find_forms(players: Sequence[Player]) -> dict[int, Form]:
    """Return the form of each player by primary key, from `PLACES` games each.

    Players who opted out of statistics, and players without a finished game, are left out. Two
    queries read only the newest games of each player, because some players have thousands.
    """
    finished = Seat.objects.order_by("-record_id").filter(
        rank__isnull=False, record__listing__visibility=Visibility.PUBLIC
    )
    oldest = finished.filter(player=OuterRef("pk")).values("record_id")[PLACES - 1 : PLACES]
    starts = (
        Player.objects.order_by()
        .filter(pk__in=[player.pk for player in players], statistics=True)
        .values_list("pk", Subquery(oldest))
    )
    newest = Q(pk__in=[])
    for pk, start in starts:
        newest |= Q(player=pk, record_id__gte=start or 0)
    forms: dict[int, Form] = {}
    for pk, place, date in finished.filter(newest).values_list("player", "rank", "record__date"):
        forms.setdefault(pk, Form([], date)).places.insert(0, place or 0)
    return forms


@dataclass(slots=True)
class Results:
    """A player's results in a ruleset.

    ``ended`` is the number of finished games, ``places`` counts their ranks (equal players share a
    rank). ``total`` is the sum of the final sums, in the unit of the settlement.
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
        """The mean final sum, None if no game has an end."""
        return self.total / self.ended if self.ended else None

    @property
    def place(self) -> float | None:
        """The mean place, None if no game has an end."""
        places = sum(rank * games for rank, games in self.places.items())
        return places / self.ended if self.ended else None


@dataclass(slots=True)
class Against:
    """Numbers of games against an opponent, in total and by final order."""

    games: int = 0
    ahead: int = 0
    behind: int = 0
    level: int = 0


@dataclass(frozen=True, slots=True)
class Career:
    """The totals of a player's games; rulesets and opponents with the most games first.

    ``opponents`` has the most frequent opponents of ``opponent_count``. ``yaku`` has the numbers of
    completed yaku. These three refer to ``ruleset``.
    """

    games: int
    rulesets: list[tuple[str, Results]]
    ruleset: str
    opponents: list[tuple[Player, Against]]
    opponent_count: int
    yaku: list[tuple[str, int]]


def career(player: Player, ruleset: str = "") -> Career:
    """Return the totals for a player's page, in four queries over the player's games.

    Opponents and yaku refer to ``ruleset``, by default the player's most frequent ruleset. Only
    public games count. Opponents who opted out of statistics are left out. A player with several
    seats in a game has played it once, with the result of the first seat.
    """
    seats = Seat.objects.order_by("record_id", "number")
    player_seats = seats.filter(player=player)
    games = player_seats.order_by().values("record_id")
    rulesets_by_game = dict(
        Listing.objects.order_by()
        .filter(record_id__in=games, visibility=Visibility.PUBLIC)
        .values_list("pk", "ruleset")
    )
    results: dict[str, Results] = defaultdict(Results)
    yaku_counts: dict[str, Counter[str]] = defaultdict(Counter)
    ranks: dict[int, int | None] = {}
    for pk, final, place, yaku in player_seats.values_list("record_id", "final", "rank", "yaku"):
        if pk not in rulesets_by_game:  # not public, or added meanwhile
            continue
        for word in yaku.split():
            label, _, count = word.partition("*")
            yaku_counts[rulesets_by_game[pk]][label] += int(count or 1)
        if pk in ranks:
            continue
        ranks[pk] = place
        result = results[rulesets_by_game[pk]]
        result.games += 1
        if final is not None and place is not None:
            result.ended += 1
            result.total += final
            result.places[place] += 1
    most_played = sorted(results, key=lambda id: (-results[id].games, id))
    ruleset = ruleset if ruleset in results else next(iter(most_played), "")
    against: dict[int, Against] = defaultdict(Against)
    counted: set[tuple[int, int]] = set()
    opponent_seats = seats.filter(record_id__in=games, player__statistics=True).exclude(
        player=player
    )
    for pk, opponent, place in opponent_seats.values_list("record_id", "player_id", "rank"):
        if (pk, opponent) in counted or pk not in ranks or rulesets_by_game[pk] != ruleset:
            continue
        counted.add((pk, opponent))
        totals, player_place = against[opponent], ranks[pk]
        totals.games += 1
        if place is not None and player_place is not None:
            totals.ahead += player_place < place
            totals.behind += player_place > place
            totals.level += player_place == place
    most = sorted(against.items(), key=lambda item: (-item[1].games, item[0]))[:OPPONENTS]
    people = Player.objects.in_bulk([pk for pk, _ in most])
    return Career(
        games=len(ranks),
        rulesets=[(id, results[id]) for id in most_played],
        ruleset=ruleset,
        opponents=[(people[pk], totals) for pk, totals in most],
        opponent_count=len(against),
        yaku=sorted(yaku_counts[ruleset].items(), key=lambda item: (-item[1], item[0])),
    )
