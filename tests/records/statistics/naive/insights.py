"""A second, naive computation of insights.

The texts of games and their replays give a list of plain facts, scanned for each question.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kafu.odds.exact import NONE
from kafu.rules.rulesets import RULESETS
from records.models import Rating
from tests.records.statistics.naive.estimates import mean_of_deals, rate_of_deals
from tests.records.statistics.naive.figures import name_in_house
from tests.records.statistics.naive.games import GOES_ON, Choice, Deal, PlainGame, margin
from tests.records.statistics.naive.losses import DIRECTIONS, report_of

#: Labels of payments that are no yaku.
NO_YAKU: Final = {
    *("points", "ori", "oikomi", "mizuten", "kobiki", "obiki", "ginmi", "oyaken"),
    *("koikoi", "bai", "koikoigaeshi", "month"),
}
#: Metrics that are shares.
RATES: Final = ("win_rate", "yaku_rate", "play_on_rate", "first_take")
#: Metrics of choices to stop or go on, and of analysed choices. Certain dimensions require them.
OF_CHOICES: Final = ("play_on_rate", "gain", "gain_points")
LOSS: Final = "loss"
#: Metrics of measured deals, and the parts of the report that they add up.
OF_LUCK: Final = {
    "luck": ("deal", "stock"),
    "deal_luck": ("deal",),
    "stock_luck": ("stock",),
    "own_choices": ("own",),
}
#: Dimensions that do not distinguish seats.
OF_TABLES: Final = ("ruleset", "house", "month", "grade", "year", "date", "hour", "event")


@dataclass
class Fact:
    """A seat in a deal that counts.

    ``choice`` is one of its choices, ``analysed`` a choice of its report, ``measured`` the deal in
    its report, all None for the deal. ``house`` is the house whose yaku count.
    """

    plain_game: PlainGame
    deal: Deal
    month: int
    seat: int
    choice: Choice | None = None
    analysed: Mapping[str, Any] | None = None
    measured: Mapping[str, Any] | None = None
    house: str = ""

    @property
    def player(self) -> str:
        """The player at the seat."""
        return self.plain_game.game.players[self.seat - 1]

    @property
    def others(self) -> set[str]:
        """The other players in play."""
        return {
            self.plain_game.game.players[seat - 1] for seat in self.deal.order if seat != self.seat
        }


def facts(games: Iterable[PlainGame]) -> list[Fact]:
    """Return all facts of games, deals and choices."""
    facts_of_games = []
    for plain_game in games:
        report = report_of(plain_game) or {"choices": [], "deals": []}
        for number, deal in enumerate(plain_game.deals, start=1):
            judged = plain_game.verdict["deals"][number - 1]
            for seat in deal.order if deal.counts else ():
                facts_of_games.append(Fact(plain_game, deal, judged["month"], seat))
                facts_of_games += [
                    Fact(plain_game, deal, judged["month"], seat, choice)
                    for choice in deal.choices
                    if choice.seat == seat
                ]
                facts_of_games += [
                    Fact(plain_game, deal, judged["month"], seat, None, choice)
                    for choice in report["choices"]
                    if (choice["deal"], choice["seat"]) == (number, seat) and not choice["reason"]
                ]
            # Seats that sit out have luck, too.
            facts_of_games += [
                Fact(plain_game, deal, judged["month"], seat, None, None, measured)
                for measured in report["deals"]
                if deal.counts and measured["deal"] == number and measured["parts"]
                for seat in range(1, len(plain_game.game.players) + 1)
            ]
    return facts_of_games


def made(fact: Fact) -> set[str]:
    """Return the yaku that the seat completed."""
    yaku: set[str] = set()
    for line in fact.deal.ledger:
        amounts = line["amounts"]
        if line["void"] or line["label"].split("+")[0] in NO_YAKU:
            continue
        if amounts.count(max(amounts)) == 1 and amounts[fact.seat - 1] == max(amounts):
            yaku |= set(line["label"].split("+"))
    return yaku


def value(fact: Fact, metric: str, yaku: str) -> int | None:
    """Return the value of a fact in a metric; None for a fact that does not count."""
    deal, seat, choice = fact.deal, fact.seat, fact.choice
    if fact.measured is not None or metric in OF_LUCK:
        if fact.measured is None or metric not in OF_LUCK:
            return None
        parts = [fact.measured["parts"][part]["value"][seat - 1] for part in OF_LUCK[metric]]
        return sum(round(1000 * part) for part in parts)
    if fact.analysed is not None or metric == LOSS:
        is_case = fact.analysed is not None and metric == LOSS
        return round(1000 * fact.analysed["loss"]) if fact.analysed and is_case else None
    if (choice is not None) != (metric in OF_CHOICES):
        return None
    paid = [line["amounts"][seat - 1] for line in deal.ledger if not line["void"]]
    opened = deal.opening if deal.opening and deal.opening[0] == seat else None
    on = choice is not None and choice.word in GOES_ON.values()
    values = {
        "score": deal.score[seat - 1],
        "win_rate": int(deal.winner == seat),
        "yaku_rate": int(yaku in made(fact) if yaku else bool(made(fact))),
        "play_on_rate": int(on),
        "gain": margin(deal.payments, seat) - margin(choice.stopped, seat)
        if choice and on
        else None,
        "gain_points": deal.score[seat - 1] - choice.stop if choice and on else None,
        "first_take": int(bool(opened[2])) if opened else None,
        "length": deal.turns or None,
        "received": sum(amount for amount in paid if amount > 0),
        "paid": -sum(amount for amount in paid if amount < 0),
    }
    return values[metric]


class Ratings:
    """The rating of each player before a month."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
        for row in Rating.objects.select_related("player"):
            self.rows[row.ruleset, row.player.name].append((row.month, row.rating))

    def band(self, plain_game: PlainGame, player: str) -> str | None:
        """Return the band, ``unrated``, or None if unknown."""
        if not plain_game.month % 100:
            return None
        before = [row for row in self.rows[plain_game.rules, player] if row[0] < plain_game.month]
        return str(round(max(before)[1]) // 100 * 100) if before else "unrated"


def keys(fact: Fact, dimension: str, ratings: Ratings) -> set[str]:
    """Return the rows of a dimension to which a fact belongs; none if unknown."""
    return {key for key in _keys(fact, dimension, ratings) if key}


def _hand(fact: Fact) -> str | None:
    """Return the yaku of the dealt hand under the names of the query's house."""
    cell = next((cell for seat, *cell in fact.deal.hands if seat == fact.seat), None)
    if cell is None:
        return None
    names = [name_in_house(fact.house, id) for id in cell]
    return "+".join(name for name in names if name != NONE) or "none"


def _direction(fact: Fact) -> str | None:
    """Return the direction of a word or bid with a loss."""
    choice = fact.analysed
    if choice is None or not choice["loss"]:
        return None
    return DIRECTIONS.get(choice["kind"], {}).get(choice["played"])


def _keys(fact: Fact, dimension: str, ratings: Ratings) -> Iterator[str | None]:
    plain_game, deal, choice = fact.plain_game, fact.deal, fact.choice
    place = deal.order.index(fact.seat) + 1 if fact.seat in deal.order else 0
    opened = deal.opening if deal.opening and deal.opening[0] == fact.seat else None
    time = re.match(r"\d\d", plain_game.game.tags.get("Time", ""))
    keys_by_dimension: dict[str, str | None] = {
        "ruleset": plain_game.rules,
        "house": plain_game.profile,
        "seat": str(fact.seat),
        "dealer": ("dealer" if place == 1 else "other") if place else None,
        "place": str(place) if place else None,
        "month": str(fact.month),
        "grade": deal.grade and deal.grade.rstrip("2"),
        "hand": _hand(fact),
        "first": opened and opened[1],
        "left": str(choice.left) if choice else None,
        "kind": fact.analysed["kind"] if fact.analysed else None,
        "direction": _direction(fact),
        "player": fact.player,
        "rating": ratings.band(plain_game, fact.player),
        "year": str(plain_game.month // 100) if plain_game.month else None,
        "date": f"{plain_game.month // 100}-{plain_game.month % 100:02}"
        if plain_game.month % 100
        else None,
        "hour": str(int(time[0])) if time else None,
        "event": plain_game.event.lower(),
    }
    if dimension in keys_by_dimension:
        yield keys_by_dimension[dimension]
    elif dimension == "yaku":
        yield from made(fact) or {"none"}
    elif dimension == "held":
        yield from set(choice.yaku) or {"none"} if choice else ()
    elif dimension == "opponent":
        yield from fact.others
    else:
        assert dimension == "opponent_rating"
        yield from (ratings.band(plain_game, player) for player in fact.others)


def pairs(
    fact: Fact, by: Sequence[str], ratings: Ratings
) -> set[tuple[str, ...]] | list[tuple[str, ...]]:
    """Return the cells of a case: an opponent is paired with their own rating."""
    if set(by) == {"opponent", "opponent_rating"}:
        opponents = [
            {"opponent": player, "opponent_rating": ratings.band(fact.plain_game, player)}
            for player in fact.others
        ]
        return [tuple(cell[id] or "" for id in by) for cell in opponents if all(cell.values())]
    if by == ["opponent_rating"] or "opponent_rating" in by:
        # A case with two opponents of a band counts twice.
        place = by.index("opponent_rating")
        other_ids = [id for id in by if id != "opponent_rating"]
        bands = [ratings.band(fact.plain_game, player) for player in sorted(fact.others)]
        cells = []
        for band in filter(None, bands):
            for key in keys(fact, other_ids[0], ratings) if other_ids else ("",):
                cells.append(tuple(band if at == place else key for at in range(len(by))))
        return cells
    found_: set[tuple[str, ...]] = {()}
    for id in by:
        found_ = {(*cell, key) for cell in found_ for key in keys(fact, id, ratings)}
    return found_


def answer(
    matching_facts: Iterable[Fact], query: Mapping[str, str], ratings: Ratings
) -> tuple[int, dict[tuple[str, ...], dict[str, Any]]]:
    """Return the number of cases among matching facts, and the rows by their ids."""
    metric, yaku = query["metric"], query.get("yaku", "")
    by = [query[name] for name in ("by", "by2") if name in query]
    seats = bool({"player", "seat"} & set(query))
    values: dict[tuple[str, ...], dict[int, list[int]]] = defaultdict(dict)
    n = 0
    once = metric == "length" and not seats and set(by) <= set(OF_TABLES)
    for fact in matching_facts:
        amount = value(fact, metric, yaku)
        if amount is None or (once and fact.seat != fact.deal.order[0]):
            continue
        n += 1
        for key in pairs(fact, by, ratings):
            values[key].setdefault(id(fact.deal), []).append(amount)
    rows = {}
    for key, deals in values.items():
        numbers = (
            rate_of_deals("value", [[value > 0 for value in deal] for deal in deals.values()])
            if metric in RATES
            else mean_of_deals("value", [*deals.values()])
        )
        if metric == LOSS or metric in OF_LUCK:
            numbers = {
                name: None if number is None else number / 1000 for name, number in numbers.items()
            }
        rows[key] = {"n": sum(map(len, deals.values())), **numbers}
    return n, rows


def possible(metric: str, rules: str) -> list[str]:
    """Return the dimensions of a metric."""
    dimensions = [
        *("ruleset", "house", "seat", "dealer", "place", "month", "grade", "hand", "first"),
        *("yaku", "player", "opponent", "rating", "opponent_rating"),
        *("year", "date", "hour", "event"),
    ]
    if metric == "yaku_rate":
        dimensions.remove("yaku")
    if metric == LOSS:
        return [*dimensions, "kind", "direction"]
    return [*dimensions, "held", "left"] if metric in OF_CHOICES else dimensions


def metrics(rules: str) -> list[str]:
    """Return the metrics of a ruleset."""
    ids = ["score", "win_rate", "yaku_rate", "first_take", "length", "received", "paid", LOSS]
    ids += OF_LUCK
    return [*ids, *OF_CHOICES] if RULESETS[rules].choice else ids


def matching(all_facts: Iterable[Fact], query: Mapping[str, str]) -> list[Fact]:
    """Return the facts that match the filters."""

    def fits(fact: Fact) -> bool:
        plain_game, game = fact.plain_game, fact.plain_game.game
        first, last = query.get("from", ""), query.get("to", "")
        month = f"{plain_game.month // 100}-{plain_game.month % 100:02}"
        year_only = plain_game.month and not plain_game.month % 100
        low = month[:4] >= first[:4] if year_only else month >= first
        return all(
            (
                plain_game.rules == query["ruleset"],
                plain_game.profile == query.get("profile", plain_game.profile),
                plain_game.event.lower().startswith(query.get("event", "").lower()),
                fact.player == query.get("player", fact.player),
                query.get("opponent", fact.player) in game.players,
                fact.seat == int(query.get("seat", fact.seat)),
                not (first or last) or bool(plain_game.month),
                not first or low,
                not last or month <= f"{last}-99"[:7],
            )
        )

    house = query.get("profile", query["ruleset"])
    return [replace(fact, house=house) for fact in all_facts if fits(fact)]
