"""A second, naive computation of insights: from the texts of games and their replays, a list of
plain facts that is gone through for each question.
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
from tests.records.statistics.naive.estimates import mean, rate
from tests.records.statistics.naive.figures import name_in_house
from tests.records.statistics.naive.games import GOES_ON, Choice, Deal, Seen
from tests.records.statistics.naive.losses import report_of

#: Labels of payments that are no yaku.
NO_YAKU: Final = {
    *("points", "ori", "oikomi", "mizuten", "kobiki", "obiki", "ginmi", "oyaken"),
    *("koikoi", "bai", "koikoigaeshi", "month"),
}
#: Metrics that are shares.
RATES: Final = ("win_rate", "yaku_rate", "play_on_rate", "first_take")
#: Metrics of choices to stop or go on, and of those that were analysed; only these have certain
#: dimensions.
OF_CHOICES: Final = ("play_on_rate", "gain", "gain_points")
LOSS: Final = "loss"
#: Dimensions that tell no seats apart.
OF_TABLES: Final = ("ruleset", "house", "month", "grade", "year", "date", "hour", "event")


@dataclass
class Fact:
    """A seat in a deal that counts; ``choice`` is one of those that it had, ``analysed`` one of its
    report, both None for the deal. ``house`` is the one whose yaku count.
    """

    seen: Seen
    deal: Deal
    month: int
    seat: int
    choice: Choice | None = None
    analysed: Mapping[str, Any] | None = None
    house: str = ""

    @property
    def player(self) -> str:
        """Who sat there."""
        return self.seen.game.players[self.seat - 1]

    @property
    def others(self) -> set[str]:
        """Who else was in play."""
        return {self.seen.game.players[one - 1] for one in self.deal.order if one != self.seat}


def facts(games: Iterable[Seen]) -> list[Fact]:
    """All facts of games, deals and choices."""
    found = []
    for seen in games:
        report = report_of(seen) or {"choices": []}
        for number, deal in enumerate(seen.deals, start=1):
            judged = seen.verdict["deals"][number - 1]
            for seat in deal.order if deal.counts else ():
                found.append(Fact(seen, deal, judged["month"], seat))
                found += [
                    Fact(seen, deal, judged["month"], seat, choice)
                    for choice in deal.choices
                    if choice.seat == seat
                ]
                found += [
                    Fact(seen, deal, judged["month"], seat, None, one)
                    for one in report["choices"]
                    if (one["deal"], one["seat"]) == (number, seat) and not one["reason"]
                ]
    return found


def made(fact: Fact) -> set[str]:
    """The yaku that the seat made."""
    found: set[str] = set()
    for line in fact.deal.ledger:
        amounts = line["amounts"]
        if line["void"] or line["label"].split("+")[0] in NO_YAKU:
            continue
        if amounts.count(max(amounts)) == 1 and amounts[fact.seat - 1] == max(amounts):
            found |= set(line["label"].split("+"))
    return found


def value(fact: Fact, metric: str, yaku: str) -> int | None:
    """What a fact adds to a metric; None for one that is no case of it."""
    deal, seat, choice = fact.deal, fact.seat, fact.choice
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
        "gain": _margin(fact, deal.score) - _margin(fact, choice.stopped)
        if choice and on
        else None,
        "gain_points": deal.score[seat - 1] - choice.stop if choice and on else None,
        "first_take": int(bool(opened[2])) if opened else None,
        "length": deal.turns or None,
        "received": sum(one for one in paid if one > 0),
        "paid": -sum(one for one in paid if one < 0),
    }
    return values[metric]


def _margin(fact: Fact, scores: Sequence[int]) -> int:
    """Return the own score less the opponent's in koi-koi, the own score elsewhere."""
    own = scores[fact.seat - 1]
    return own - scores[2 - fact.seat] if fact.seen.game.rules == "koikoi" else own


class Ratings:
    """What everybody's rating was before a month."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
        for row in Rating.objects.select_related("player"):
            self.rows[row.ruleset, row.player.name].append((row.month, row.rating))

    def band(self, seen: Seen, player: str) -> str | None:
        """The band, ``unrated``, or None if it cannot be said."""
        if not seen.month % 100:
            return None
        before = [row for row in self.rows[seen.rules, player] if row[0] < seen.month]
        return str(round(max(before)[1]) // 100 * 100) if before else "unrated"


def keys(fact: Fact, dimension: str, ratings: Ratings) -> set[str]:
    """The rows of a dimension that a fact is in; none if that is not known."""
    return {one for one in _keys(fact, dimension, ratings) if one}


def _hand(fact: Fact) -> str | None:
    """Return the yaku of the dealt hand as the house of the query calls them."""
    cell = next((cell for seat, *cell in fact.deal.hands if seat == fact.seat), None)
    if cell is None:
        return None
    names = [name_in_house(fact.house, id) for id in cell]
    return "+".join(name for name in names if name != NONE) or "none"


def _keys(fact: Fact, dimension: str, ratings: Ratings) -> Iterator[str | None]:
    seen, deal, choice = fact.seen, fact.deal, fact.choice
    opened = deal.opening if deal.opening and deal.opening[0] == fact.seat else None
    time = re.match(r"\d\d", seen.game.tags.get("Time", ""))
    one: dict[str, str | None] = {
        "ruleset": seen.rules,
        "house": seen.profile,
        "seat": str(fact.seat),
        "dealer": "dealer" if fact.seat == deal.order[0] else "other",
        "place": str(deal.order.index(fact.seat) + 1),
        "month": str(fact.month),
        "grade": deal.grade and deal.grade.rstrip("2"),
        "hand": _hand(fact),
        "first": opened and opened[1],
        "left": str(choice.left) if choice else None,
        "kind": fact.analysed["kind"] if fact.analysed else None,
        "player": fact.player,
        "rating": ratings.band(seen, fact.player),
        "year": str(seen.month // 100) if seen.month else None,
        "date": f"{seen.month // 100}-{seen.month % 100:02}" if seen.month % 100 else None,
        "hour": str(int(time[0])) if time else None,
        "event": seen.event.lower(),
    }
    if dimension in one:
        yield one[dimension]
    elif dimension == "yaku":
        yield from made(fact) or {"none"}
    elif dimension == "held":
        yield from set(choice.yaku) or {"none"} if choice else ()
    elif dimension == "opponent":
        yield from fact.others
    else:
        assert dimension == "opponent_rating"
        yield from (ratings.band(seen, player) for player in fact.others)


def pairs(
    fact: Fact, by: Sequence[str], ratings: Ratings
) -> set[tuple[str, ...]] | list[tuple[str, ...]]:
    """The cells that a case is in: an opponent goes with their own rating."""
    if set(by) == {"opponent", "opponent_rating"}:
        both = [
            {"opponent": player, "opponent_rating": ratings.band(fact.seen, player)}
            for player in fact.others
        ]
        return [tuple(one[id] or "" for id in by) for one in both if all(one.values())]
    if by == ["opponent_rating"] or "opponent_rating" in by:
        # One with two opponents of a band counts twice.
        place = by.index("opponent_rating")
        rest = [id for id in by if id != "opponent_rating"]
        bands = [ratings.band(fact.seen, player) for player in sorted(fact.others)]
        found = []
        for band in filter(None, bands):
            for key in keys(fact, rest[0], ratings) if rest else ("",):
                found.append(tuple(band if at == place else key for at in range(len(by))))
        return found
    found_: set[tuple[str, ...]] = {()}
    for id in by:
        found_ = {(*one, key) for one in found_ for key in keys(fact, id, ratings)}
    return found_


def answer(
    some: Iterable[Fact], query: Mapping[str, str], ratings: Ratings
) -> tuple[int, dict[tuple[str, ...], dict[str, Any]]]:
    """The number of cases among facts that match, and the rows by their ids."""
    metric, yaku = query["metric"], query.get("yaku", "")
    by = [query[name] for name in ("by", "by2") if name in query]
    seats = bool({"player", "seat"} & set(query))
    values: dict[tuple[str, ...], list[int]] = defaultdict(list)
    n = 0
    once = metric == "length" and not seats and set(by) <= set(OF_TABLES)
    for fact in some:
        found = value(fact, metric, yaku)
        if found is None or (once and fact.seat != fact.deal.order[0]):
            continue
        n += 1
        for key in pairs(fact, by, ratings):
            values[key].append(found)
    rows = {}
    for key, all_ in values.items():
        told = rate("value", sum(all_), len(all_)) if metric in RATES else mean("value", all_)
        if metric == LOSS:
            told = {name: None if one is None else one / 1000 for name, one in told.items()}
        rows[key] = {"n": len(all_), **told}
    return n, rows


def possible(metric: str, rules: str) -> list[str]:
    """The dimensions of a metric."""
    found = [
        *("ruleset", "house", "seat", "dealer", "place", "month", "grade", "hand", "first"),
        *("yaku", "player", "opponent", "rating", "opponent_rating"),
        *("year", "date", "hour", "event"),
    ]
    if metric == "yaku_rate":
        found.remove("yaku")
    if metric == LOSS:
        return [*found, "kind"]
    return [*found, "held", "left"] if metric in OF_CHOICES else found


def metrics(rules: str) -> list[str]:
    """The metrics of a ruleset."""
    found = ["score", "win_rate", "yaku_rate", "first_take", "length", "received", "paid", LOSS]
    return [*found, *OF_CHOICES] if RULESETS[rules].choice else found


def matching(all_facts: Iterable[Fact], query: Mapping[str, str]) -> list[Fact]:
    """The facts that filters leave."""

    def fits(fact: Fact) -> bool:
        seen, game = fact.seen, fact.seen.game
        first, last = query.get("from", ""), query.get("to", "")
        month = f"{seen.month // 100}-{seen.month % 100:02}"
        year_only = seen.month and not seen.month % 100
        low = month[:4] >= first[:4] if year_only else month >= first
        return all(
            (
                seen.rules == query["ruleset"],
                seen.profile == query.get("profile", seen.profile),
                seen.event.lower().startswith(query.get("event", "").lower()),
                fact.player == query.get("player", fact.player),
                query.get("opponent", fact.player) in game.players,
                fact.seat == int(query.get("seat", fact.seat)),
                not (first or last) or bool(seen.month),
                not first or low,
                not last or month <= f"{last}-99"[:7],
            )
        )

    house = query.get("profile", query["ruleset"])
    return [replace(fact, house=house) for fact in all_facts if fits(fact)]
