"""Every figure computed a second time, in the plainest way, over `naive.games.PlainGame`.

Each function returns the rows of one figure as in an answer, without labels. `Selected` has the
selected seats of each game. Intervals are SciPy's or the standard library's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from kafu.odds.exact import BOUNDS, NONE, WITH_RAIN, odds
from kafu.rules.play.ledger import OTHER
from tests.records.statistics.naive import cards, careers, players
from tests.records.statistics.naive.estimates import (
    Row,
    design_effect,
    far,
    flag,
    mean,
    mean_of_deals,
    rate,
    rate_of_deals,
    tails,
)
from tests.records.statistics.naive.games import Choice, Deal, margin
from tests.records.statistics.naive.losses import losses
from tests.records.statistics.naive.selected import Selected, scores_of, won

# Yaku, hands, grades ------------------------------------------------------------------------------


#: Houses without dealt-hand yaku, and the names of a house for yaku in the table of odds.
_BARE = ("koikoi-ai", "koikoi-nintendo")
_IN_HOUSE = {
    "ten-five-one": {
        **dict.fromkeys(("shiso", "haneken", "futasanbon"), "sanbon"),
        **dict.fromkeys(("ichinishi", "teshi", "kuttsuki"), NONE),
        WITH_RAIN: "nasake",
    }
}
#: The share of the seats in play that may show a yaku.
_SHOWN_BY = {"nasake": Fraction(1, 3)}


def name_in_house(profile: str, id: str) -> str:
    """Return the name in a house of a row or column of the table of odds."""
    return NONE if profile in _BARE else _IN_HOUSE.get(profile, {}).get(id, id)


def _counted(rules: str, ways: Mapping[str, int]) -> Counter[str]:
    counts = Counter[str]()
    for id, count in ways.items():
        counts[name_in_house(rules, id)] += count
    return counts


def _exact(rules: str) -> dict[str, Fraction]:
    hands = odds(rules).hands
    ways = _counted(rules, hands.rows) + _counted(rules, hands.columns)
    return {
        id: _SHOWN_BY.get(id, 1) * Fraction(n, hands.total)
        for id, n in ways.items()
        if id != NONE and n
    }


def yaku(selected: Selected) -> list[Row]:
    """Return the payments of a ledger; joined yaku have no separate values."""
    times: Counter[str] = Counter()
    void: Counter[str] = Counter()
    zero: Counter[str] = Counter()
    alone: dict[str, list[int]] = defaultdict(list)
    for plain_game, seats in selected.games:
        for deal in plain_game.deals:
            for line in deal.ledger:
                if line["label"] in OTHER:
                    continue
                for seat, amount in _makers(line["amounts"]):
                    if seat not in seats:
                        continue
                    ids = line["label"].split("+")
                    (void if line["void"] else times).update(ids)
                    if not line["void"] and not amount:
                        zero.update(ids)
                    elif len(ids) == 1 and not line["void"]:
                        alone[ids[0]].append(amount)
    n, exact = len(selected.playing), _exact(selected.rules)
    rows = []
    for id in {*times, *void, *exact}:
        odd = exact.get(id)
        rows.append(
            {
                **{"yaku": id, "times": times[id], "n": n},
                **rate("rate", times[id], n, "exact" if odd else "wilson"),
                **{"exact": odd and float(odd), "one_in": odd and float(1 / odd)},
                **{"alone": len(alone[id]), **mean("value", alone[id]), "void": void[id]},
                **{"zero": zero[id], "paid": None},
            }
        )
    return [*rows, *_payments(selected, n)]


def _makers(amounts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the maker of a yaku, who alone has most of the payment."""
    if amounts.count(max(amounts)) == 1:
        yield amounts.index(max(amounts)) + 1, max(amounts)


def _payments(selected: Selected, n: int) -> Iterator[Row]:
    """Return the payments that are no yaku.

    If all seats of a table are selected, all payments count, otherwise the payments received or
    paid by a selected seat.
    """
    lines = [
        (line, [line["amounts"][seat - 1] for seat in seats])
        for plain_game, seats in selected.games
        for deal in plain_game.deals
        for line in deal.ledger
        if line["label"] in OTHER and line["label"] != "month"
    ]
    for id in {line["label"] for line, _ in lines}:
        lines_of_payment = [(line, sums) for line, sums in lines if line["label"] == id]
        counted = [sums for line, sums in lines_of_payment if not line["void"]]
        received = [sum_ for sums in counted for sum_ in sums if sum_ > 0]
        paid = sum(sum_ < 0 for sums in counted for sum_ in sums)
        if selected.parameters.get("whole", True):
            struck: int | None = sum(line["void"] for line, _ in lines_of_payment)
            nothing: int | None = sum(not any(sums) for sums in counted)
            times = sum(any(sums) for sums in counted)
        else:
            struck = nothing = None
            times = len(received) + paid
            if not times:
                continue
        yield {
            **{"yaku": id, "times": times, "n": n, **rate("rate", len(received), n)},
            **{"alone": len(received), **mean("value", received), "paid": paid},
            **{"zero": nothing, "void": struck, "exact": None, "one_in": None},
        }


def hands(selected: Selected) -> list[Row]:
    """Return the dealt hands by row and by column of the table of odds."""
    dealt = [
        (row, column)
        for plain_game, seats in selected.games
        for deal in plain_game.deals
        for seat, row, column in deal.hands
        if seat in seats
    ]
    exact = odds(selected.rules).hands
    families = [
        ("row", _counted(selected.rules, exact.rows)),
        ("col", _counted(selected.rules, exact.columns)),
    ]
    rows, chances = [], []
    for place, (family, ways) in enumerate(families if len(exact.columns) > 1 else families[:1]):
        seen_ = _counted(selected.rules, Counter(cell[place] for cell in dealt))
        for id, count in ways.items():
            odd = Fraction(count, exact.total)
            chances.append(tails(seen_[id], len(dealt), float(odd)) if dealt else None)
            rows.append(
                {
                    **{"family": family, "yaku": id, "count": seen_[id], "n": len(dealt)},
                    **rate("rate", seen_[id], len(dealt), "exact"),
                    **{"exact": float(odd), "one_in": float(1 / odd) if odd else None},
                    **{"expected": float(odd * len(dealt)), "chance": chances[-1]},
                }
            )
    flag(rows, chances)
    return rows


def grades(selected: Selected) -> list[Row]:
    """Return the grades by the carried-over grade."""
    counts = Counter(pair for plain_game, _ in selected.games for pair in plain_game.graded)
    exact = odds(selected.rules)
    assert exact.year is not None
    rows, chances = [], []
    for bound in BOUNDS:
        ways = exact.year.grades[bound]
        n = sum(counts[bound, grade] for grade in ways)
        for grade, count in ways.items():
            odd = float(Fraction(count, sum(ways.values())))
            chances.append(tails(counts[bound, grade], n, odd) if n else None)
            rows.append(
                {
                    **{"bound": bound or "none", "grade": grade, "exact": odd, "n": n},
                    **{"count": counts[bound, grade]},
                    **rate("rate", counts[bound, grade], n, "exact"),
                }
            )
    flag(rows, chances)
    return rows


# Places, scores, ends -----------------------------------------------------------------------------


def seats(selected: Selected) -> list[Row]:
    """Return the places in the order of play."""
    by: dict[int, list[tuple[int, Deal]]] = defaultdict(list)
    for seat, deal in selected.playing:
        by[deal.order.index(seat) + 1].append((seat, deal))
    places = selected.playing
    even = won(places) / len(places) if places else None
    even_score = sum(scores_of(places)) / len(places) if places else None
    rows, rates, scores_ = [], [], []
    for place in range(1, max([2 if selected.rules == "koikoi" else 3, *by]) + 1):
        here = by[place]
        rates.append(None if even is None else tails(won(here), len(here), even))
        scores_.append(None if even_score is None else far(scores_of(here), even_score))
        rows.append(
            {
                **{"place": str(place), "n": len(here), "won": won(here), "even": even},
                **{"even_score": even_score, **rate("rate", won(here), len(here))},
                **mean("score", scores_of(here)),
            }
        )
    flag(rows, rates, "rate_differs")
    flag(rows, scores_, "score_differs")
    return rows


def scores(selected: Selected) -> list[Row]:
    """Return the scores by bins."""
    if selected.parameters.get("of") == "game":
        width = 10 if selected.rules == "koikoi" else 60
        tables = [[s.final[seat - 1] for seat in seats] for s, seats in selected.games if s.final]
    else:
        width = 1 if selected.rules == "koikoi" else 12
        tables = [
            [deal.score[seat - 1] for seat in seats]
            for s, seats in selected.games
            for deal in s.deals
            if deal.counts
        ]
    # The outermost of 200 bins on either side contain all scores beyond.
    bins = [[max(-200, min(200, sum_ // width)) * width for sum_ in table] for table in tables]
    counts = Counter(chain.from_iterable(bins))
    n = counts.total()
    return [
        {
            **{"low": low, "high": low + width, "count": count, "n": n},
            **rate_of_deals("rate", [[bin == low for bin in table] for table in bins]),
        }
        for low, count in counts.items()
    ]


def ends(selected: Selected) -> list[Row]:
    """Return the endings of deals."""
    turns: dict[str, list[int | None]] = defaultdict(list)
    for plain_game, deal in selected.tables:
        turns[deal.end].append(None if plain_game.game.is_sheet else deal.turns)
    n = sum(map(len, turns.values()))
    played = {end: [count for count in turns[end] if count is not None] for end in turns}
    return [
        {
            **{
                "end": end,
                "count": len(turns_of_end),
                "n": n,
                **rate("rate", len(turns_of_end), n),
            },
            "turns": sum(played[end]) / len(played[end]) if played[end] else None,
        }
        for end, turns_of_end in turns.items()
    ]


# Choices, hatto -----------------------------------------------------------------------------------


def decisions(selected: Selected) -> list[Row]:
    """Return choices, split by the requested properties."""
    parameters = selected.parameters
    by = [
        part for part in ("yaku", "left", "opp") if part in parameters.get("by", "yaku").split(",")
    ]
    cases: dict[tuple[Any, ...], list[tuple[Choice, Deal]]] = defaultdict(list)
    if not by:
        cases[()] = []
    for plain_game, seats in selected.games:
        for deal in plain_game.deals:
            for choice in deal.choices:
                opponent = choice.opponent - choice.opponent % 4
                fits = parameters.get("yaku", choice.yaku[0]) in choice.yaku
                fits &= choice.left == parameters.get("left", choice.left)
                fits &= opponent == parameters.get("opp", choice.opponent) // 4 * 4
                if choice.seat not in seats or not fits:
                    continue
                rows = [parameters["yaku"]] if "yaku" in parameters else choice.yaku
                for yaku in rows if "yaku" in by else ["any"]:
                    parts = {"yaku": yaku, "left": choice.left, "opp": opponent}
                    cases[tuple(parts[name] for name in by)].append((choice, deal))
    return [
        {**dict(zip(by, key, strict=True)), **_choice(case, selected.rules)}
        for key, case in cases.items()
        if len(case) >= parameters.get("n_min", 0)
    ]


def _choice(case: Sequence[tuple[Choice, Deal]], rules: str) -> Row:
    on = [(choice, deal) for choice, deal in case if choice.word in ("koikoi", "sage")]
    stopped = [deal.score[choice.seat - 1] for choice, deal in case if (choice, deal) not in on]
    choices_by_deal, on_by_deal = _group_by_deal(case), _group_by_deal(on)
    won = [[deal.winner == choice.seat for choice, deal in pairs] for pairs in on_by_deal]
    margins = [margin(deal.payments, choice.seat) for choice, deal in on]
    stop_margins = [margin(choice.stopped, choice.seat) for choice, _ in on]
    instead = [choice.stop for choice, _ in on]
    row: Row = {
        **{"n": len(case), "said": len(on), "won": sum(map(sum, won))},
        **rate_of_deals("rate", [[pair in on for pair in pairs] for pairs in choices_by_deal]),
        **rate_of_deals("success", won),
        **mean_of_deals(
            "score",
            [[deal.score[choice.seat - 1] for choice, deal in pairs] for pairs in on_by_deal],
        ),
        "stop": sum(instead) / len(on) if on else None,
        **mean_of_deals(
            "gain",
            [
                [
                    margin(deal.payments, choice.seat) - margin(choice.stopped, choice.seat)
                    for choice, deal in pairs
                ]
                for pairs in on_by_deal
            ],
        ),
        "stopped": sum(stopped) / len(stopped) if stopped else None,
    }
    if rules == "koikoi":
        row["margin"] = sum(margins) / len(on) if on else None
        row["stop_margin"] = sum(stop_margins) / len(on) if on else None
        row |= mean_of_deals(
            "own_gain",
            [
                [deal.score[choice.seat - 1] - choice.stop for choice, deal in pairs]
                for pairs in on_by_deal
            ],
        )
    return row


def _group_by_deal(
    case: Sequence[tuple[Choice, Deal]],
) -> list[list[tuple[Choice, Deal]]]:
    """Return choices by deal."""
    deals: dict[int, list[tuple[Choice, Deal]]] = {}
    for choice, deal in case:
        deals.setdefault(id(deal), []).append((choice, deal))
    return list(deals.values())


def hatto(selected: Selected) -> list[Row]:
    """Return thrown and paid hatto cards; the first row is of all cards."""
    thrown: Counter[str] = Counter()
    paid: dict[str, list[int]] = defaultdict(list)
    for plain_game, seats in selected.games:
        for deal in plain_game.deals:
            thrown.update(card for seat, card in deal.thrown if seat in seats)
            for seat, card, cost in deal.paid:
                if seat in seats:
                    paid[card].append(cost)
    n = len(selected.playing)
    cases = {card: (thrown[card], paid[card]) for card in {*thrown, *paid}}
    costs_of_all = [cost for costs in paid.values() for cost in costs]
    return [
        {
            **{"card": card, "thrown": times, "n": n, **rate("rate", times, n)},
            **{"paid": len(costs), **rate("paid_rate", len(costs), times), "cost": sum(costs)},
            "cost_thrown": sum(costs) / times if times else None,
            "cost_paid": sum(costs) / len(costs) if costs else None,
        }
        for card, (times, costs) in {"all": (thrown.total(), costs_of_all), **cases}.items()
    ]


# A player beside all ------------------------------------------------------------------------------


def compare(selected: Selected) -> list[Row]:
    """Return the events of all players, and the player's share of each."""
    assert selected.everybody is not None
    cases_of_all, cases_of_player = _cases(selected.everybody), _cases(selected)
    frequent_yaku = sorted(
        (id for id in cases_of_all if id.startswith("yaku ") and cases_of_all[id][0]),
        key=lambda id: (-cases_of_all[id][0], id),
    )[:12]
    choices = _choices_of_deals(selected)
    rows, chances = [], []
    for id in [*(id for id in cases_of_all if not id.startswith("yaku ")), *frequent_yaku]:
        count, n = cases_of_player.get(id, (0, len(selected.playing)))
        whole = cases_of_all[id][0] / cases_of_all[id][1] if cases_of_all[id][1] else None
        effect = max(1.0, float(design_effect(choices[id]))) if id in choices else 1.0
        tested = count / effect, n / effect
        chances.append(tails(*tested, whole) if n and whole is not None else None)
        rows.append(
            {
                **{"what": id.removeprefix("yaku "), "n": n, "count": count, "all": whole},
                **(rate_of_deals("rate", choices[id]) if id in choices else rate("rate", count, n)),
            }
        )
    flag(rows, chances)
    return rows


def _choices_of_deals(selected: Selected) -> dict[str, list[list[bool]]]:
    """Return by deal whether playing on was said, and whether a seat that said it won."""
    deals = _group_by_deal(
        [
            (choice, deal)
            for plain_game, seats in selected.games
            for deal in plain_game.deals
            for choice in deal.choices
            if choice.seat in seats
        ]
    )
    on = ("koikoi", "sage")
    won = [
        [deal.winner == choice.seat for choice, deal in pairs if choice.word in on]
        for pairs in deals
    ]
    return {
        "said": [[choice.word in on for choice, _ in pairs] for pairs in deals],
        "success": [pairs for pairs in won if pairs],
    }


def _cases(selected: Selected) -> dict[str, tuple[int, int]]:
    """Return counts and possible times by event; ids of yaku have a prefix."""
    dealer = [(seat, deal) for seat, deal in selected.playing if deal.order[0] == seat]
    finals = [(s.final, seat) for s, seats in selected.games if s.final for seat in seats]
    first = sum(final[seat - 1] > max(_but(final, seat)) for final, seat in finals)
    cases = {
        "won": (won(selected.playing), len(selected.playing)),
        "dealer": (won(dealer), len(dealer)),
        "first": (first, len(finals)),
    }
    if selected.rules in ("koikoi", "hachihachi", "hachihachi-bga"):
        (every,) = decisions(Selected(selected.rules, selected.games, {"by": "none"}))
        cases |= {"said": (every["said"], every["n"]), "success": (every["won"], every["said"])}
    for row in yaku(selected):
        if row["yaku"] not in OTHER:
            cases[f"yaku {row['yaku']}"] = row["times"], row["n"]
    return cases


def _but(sums: Sequence[int], seat: int) -> list[int]:
    return [*sums[: seat - 1], *sums[seat:]]


#: Every figure with the identifying columns of its rows.
FIGURES: Final[Mapping[str, tuple[Callable[[Selected], list[Row]], tuple[str, ...]]]] = {
    "compare": (compare, ("what",)),
    "yaku": (yaku, ("yaku",)),
    "hands": (hands, ("family", "yaku")),
    "seats": (seats, ("place",)),
    "grades": (grades, ("bound", "grade")),
    "scores": (scores, ("low",)),
    "ends": (ends, ("end",)),
    "decisions": (decisions, ("yaku", "left", "opp")),
    "losses": (losses, ("kind",)),
    "hatto": (hatto, ("card",)),
    "cards": (cards.captured, ("card",)),
    "openings": (cards.openings, ("play", "take")),
    "form": (careers.form, ("month",)),
    "calendar": (careers.calendar, ("day",)),
    "strengths": (careers.strengths, ("what",)),
    "bests": (careers.bests, ("kind", "game", "player")),
    "players": (players.players, ("player",)),
    "versus": (players.versus, ("ruleset",)),
    "ratings": (players.ratings, ("player",)),
    "rating": (players.rating, ("month",)),
}
