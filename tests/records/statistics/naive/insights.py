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
RATES: Final = (
    *("win_rate", "yaku_rate", "play_on_rate", "first_take", "game_rate", "win_with_yaku"),
)
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
#: Metrics of completed yaku.
OF_YAKU: Final = ("yaku_turn", "win_with_yaku")
#: The kind of facts of a metric; the others are of played deals.
KINDS: Final = {
    **dict.fromkeys(OF_CHOICES, "choice"),
    **dict.fromkeys(OF_LUCK, "measured"),
    **dict.fromkeys(OF_YAKU, "completed"),
    **{LOSS: "analysed", "balance": "pair", "game_rate": "standing"},
}
#: Metrics whose amounts add up to zero in each deal.
ZERO_SUM: Final = ("luck", "deal_luck", "stock_luck", "balance")
#: Dimensions that do not distinguish seats.
OF_TABLES: Final = ("ruleset", "house", "option", "month", "grade", "year", "date", "hour", "event")
#: The ends of the bands of standings, in the small unit.
BANDS: Final = {
    **dict.fromkeys(("hachihachi", "hachihachi-bga"), (120, 240, 480, 960)),
    "koikoi": (5, 10, 20, 40),
    **dict.fromkeys(("hanaawase", "ten-five-one"), (30, 60, 120, 240)),
}


@dataclass
class Fact:
    """A seat in a deal that counts, as a case of some metrics.

    ``kind`` is "played" for the deal itself; "choice", "analysed" and "measured" with a choice of
    the seat, a choice of its report, or the deal in its report; "completed" with a yaku and a turn;
    "pair" with another seat, the ``payer``; "standing" of any seat of a finished game. ``before``
    are the sums before the deal, ``house`` is the house whose yaku count, ``rule`` the option that
    distinguishes rows.
    """

    plain_game: PlainGame
    deal: Deal
    month: int
    seat: int
    before: Sequence[int]
    kind: str = "played"
    choice: Choice | None = None
    analysed: Mapping[str, Any] | None = None
    measured: Mapping[str, Any] | None = None
    completed: tuple[str, int] = ("", 0)
    payer: int = 0
    house: str = ""
    rule: str = ""

    @property
    def player(self) -> str:
        """The player at the seat."""
        return self.plain_game.game.players[self.seat - 1]

    @property
    def others(self) -> set[str]:
        """The other players in play, or the payer."""
        if self.payer:
            return {self.plain_game.game.players[self.payer - 1]}
        return {
            self.plain_game.game.players[seat - 1] for seat in self.deal.order if seat != self.seat
        }


def facts(games: Iterable[PlainGame]) -> list[Fact]:
    """Return all facts of games, deals and choices."""
    facts_of_games: list[Fact] = []
    for plain_game in games:
        before = [0] * len(plain_game.game.players)
        for number, deal in enumerate(plain_game.deals, start=1):
            month = plain_game.verdict["deals"][number - 1]["month"]
            for seat in range(1, len(before) + 1) if deal.counts else ():
                fact = Fact(plain_game, deal, month, seat, before)
                facts_of_games += facts_of_seat(fact, number)
            before = [total + score for total, score in zip(before, deal.score, strict=True)]
    return facts_of_games


def facts_of_seat(fact: Fact, number: int) -> Iterator[Fact]:
    """Yield all facts of a seat in a deal. Seats that sit out have luck, payments and standings."""
    deal, seat = fact.deal, fact.seat
    report = report_of(fact.plain_game) or {"choices": [], "deals": []}
    for measured in report["deals"]:
        if measured["deal"] == number and measured["parts"]:
            yield replace(fact, kind="measured", measured=measured)
    if fact.plain_game.final:
        yield replace(fact, kind="standing")
    for payer in range(1, len(fact.before) + 1):
        if payer != seat and {payer, seat} & {*deal.order} and are_payers_known(deal):
            yield replace(fact, kind="pair", payer=payer)
    if seat not in deal.order:
        return
    yield fact
    for choice in deal.choices:
        if choice.seat == seat:
            yield replace(fact, kind="choice", choice=choice)
    for analysed in report["choices"]:
        if (analysed["deal"], analysed["seat"]) == (number, seat) and not analysed["reason"]:
            yield replace(fact, kind="analysed", analysed=analysed)
    for maker, yaku, turn in deal.completed:
        if maker == seat:
            yield replace(fact, kind="completed", completed=(yaku, turn))


def are_payers_known(deal: Deal) -> bool:
    """Return whether a deal has no sums for reasons that are not recorded."""
    labels = {line["label"] for line in deal.ledger if not line["void"] and any(line["amounts"])}
    return len(deal.score) == 2 or "month" not in labels


def balance(deal: Deal, seat: int, payer: int) -> int:
    """Return what a seat received from a payer, less what it paid to the payer.

    One of two seats with different signs has the smaller amount, which is what it paid or received.
    """
    if len(deal.score) == 2:
        return margin(deal.payments, seat)
    total = 0
    for amounts in deal.payments:
        amount, other_amount = amounts[seat - 1], amounts[payer - 1]
        if amount * other_amount < 0:
            size = min(abs(amount), abs(other_amount))
            total += size if amount > 0 else -size
    return total


def standing(fact: Fact) -> int:
    """Return the lead of a seat before a deal on the best other seat."""
    others = [total for seat, total in enumerate(fact.before, start=1) if seat != fact.seat]
    return fact.before[fact.seat - 1] - max(others)


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
    if fact.kind != KINDS.get(metric, "played"):
        return None
    if fact.measured is not None:
        parts = [fact.measured["parts"][part]["value"][seat - 1] for part in OF_LUCK[metric]]
        return sum(round(1000 * part) for part in parts)
    if fact.analysed is not None:
        return round(1000 * fact.analysed["loss"])
    final = fact.plain_game.final or [0]
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
        "game_rate": int(final[seat - 1 :][:1] == [max(final)] and final.count(max(final)) == 1),
        "yaku_turn": fact.completed[1],
        "win_with_yaku": int(deal.winner == seat),
        "balance": balance(deal, seat, fact.payer) if fact.payer else None,
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


def _band(fact: Fact) -> str:
    """Return the amount of a band of standings that is nearest to 0."""
    lead = standing(fact)
    ends = [0, *(end for end in BANDS[fact.plain_game.rules] if end < abs(lead))]
    return str((max(ends) + 1) * (1 if lead > 0 else -1)) if lead else "0"


def _option(fact: Fact) -> str | None:
    """Return the value of the option that distinguishes rows."""
    defaults = RULESETS[fact.plain_game.rules].defaults(fact.plain_game.profile)
    written = fact.plain_game.game.options.get(fact.rule)
    return written or defaults.get(fact.rule)


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
        "completed": fact.completed[0] or None,
        "turn": str(fact.completed[1]),
        "payer": str(fact.payer),
        "payer_place": str(deal.order.index(fact.payer) + 1) if fact.payer in deal.order else None,
        "standing": _band(fact),
        "option": _option(fact),
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
        # Wins of a game count as one case in all its deals.
        case = fact.plain_game if metric == "game_rate" else fact.deal
        for key in pairs(fact, by, ratings):
            values[key].setdefault(id(case), []).append(amount)
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
        *(["option"] if set(RULESETS[rules].options) - {"profile"} else []),
        *(
            "ruleset",
            "house",
            "standing",
            "seat",
            "dealer",
            "place",
            "month",
            "grade",
            "hand",
            "first",
        ),
        *("yaku", "player", "opponent", "rating", "opponent_rating"),
        *("year", "date", "hour", "event"),
    ]
    if metric == "yaku_rate":
        dimensions.remove("yaku")
    of_kinds = {
        "analysed": ("kind", "direction"),
        "choice": ("held", "left"),
        "completed": ("completed", "turn"),
        "pair": ("payer", "payer_place"),
    }
    return [*dimensions, *of_kinds.get(KINDS.get(metric, ""), ())]


def metrics(rules: str) -> list[str]:
    """Return the metrics of a ruleset."""
    ids = ["score", "win_rate", "yaku_rate", "first_take", "length", "received", "paid", LOSS]
    ids += [*OF_LUCK, *OF_YAKU, "game_rate", "balance"]
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

    house, rule = query.get("profile", query["ruleset"]), query.get("rule", "")
    return [replace(fact, house=house, rule=rule) for fact in all_facts if fits(fact)]
