"""Months to compare with: right ones of simulated games, and the same with one line altered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Final

import kafu
from kafu.notation.game import Game, Month, Payment
from kafu.simulation.simulate import simulate
from rare.simulation import simulate_rare
from sheet_model import hachihachi, hachihachi_bga_lines, hanaawase, ten_five_one
from sheet_model.koikoi import ADDITIONS
from sheet_model.koikoi_house import House

#: A line of a label that the ruleset has, with its value: the label, and what each other pays.
Offer = tuple[str, int]


#: How often altered card points leave a player with 28 points or fewer.
FEW: Final = 0.3
#: How often the additions of koi-koi follow from the altered total and some calls.
ADDED: Final = 0.8
#: Options and seats of the games that months are taken from.
HOUSES: Final[Mapping[str, Sequence[tuple[Mapping[str, str], int]]]] = {
    "hachihachi": [({}, 3), ({}, 3), ({"ba": "C"}, 3), ({"ba": "F"}, 3)],
    "hachihachi-bga": [
        *(({}, seats) for seats in range(3, 7)),
        ({"torikeshi": "yes", "tobikomi-hatto": "yes", "shiso": "ends"}, 4),
    ],
    "hanaawase": [({}, 3)],
    "koikoi": [
        ({}, 2),
        ({"profile": "koikoi-ai"}, 2),
        ({"profile": "koikoi-nintendo"}, 2),
        ({"calls": "multiply", "bai": "7", "koikoigaeshi": "yes", "tsukifuda": "4"}, 2),
        ({"exhausted": "higher", "mist": "yes", "koikoi-bonus": "1", "koikoi-last": "no"}, 2),
        (
            {
                **{"goko-over": "no", "shiko-over": "no", "goun-over": "yes", "akatan-step": "1"},
                **{"sakazuki": "no", "tane-step": "2", "kasu-step": "0", "akatan-aotan": "10"},
            },
            2,
        ),
        ({"profile": "koikoi-ai", "hanami-called": "5", "otori": "9", "sakazuki": "scored"}, 2),
    ],
    "ten-five-one": [
        ({}, 3),
        (
            {
                **dict.fromkeys(("kuttsuki", "futasanbon", "haneken", "ichinishi"), "yes"),
                **{"tobikomi": "yes", "teshi": "all", "shiso": "ends", "nasake": "all-rain"},
            },
            5,
        ),
        ({"shiso": "yes", "kaburi": "no", "teshi": "doni", "nasake": "chosen-doni"}, 7),
    ],
}


def right_months(rules: str, seed: int) -> Iterator[Game]:
    """Yield sheets without end, of one month of a simulated game each; nothing is carried in."""
    random = Random(f"{rules} {seed}")
    while True:
        options, seats = random.choice(HOUSES[rules])
        number = random.randrange(10**6)
        play = simulate_rare if random.random() < 0.5 else simulate
        game = play(rules, seed=number, options=options, players=seats)
        sheet = kafu.sheet_of(game)
        bare = True
        for month in sheet.months:
            # 月札 are the cards of their own month.
            is_fixed = any("tsukifuda" in line.label.split("+") for line in month.payments)
            if bare and (month.month == 1 or not is_fixed):
                yield single_month(sheet, month)
            bare = month.ba is None or not month.ba.endswith("2")


def single_month(sheet: Game, month: Month) -> Game:
    """Return an unfinished sheet of this month and an empty one, so that the first is over."""
    first = deepcopy(month)
    first.month, first.score = 1, None
    game = Game(sheet.rules, sheet.players, dict(sheet.options))
    game.tags = {"Sheet": "1", "Termination": "unfinished"}
    game.months = [first, Month(2, first.stone or 1)]
    return game


def alter(game: Game, random: Random) -> Game:
    """Return the sheet with one line of its first month changed, dropped or added."""
    changed = deepcopy(game)
    month = changed.months[0]
    change = random.choice([_drop, _add, _add, _permute, _relabel, _halve, _points, _points, _mark])
    change(month, game, random)
    if game.rules == "koikoi" and random.random() < ADDED:
        _add_by_calls(month, game, random)
    return changed


def _exchange(month: Month, number: int, payment: Payment) -> None:
    payments = list(month.payments)
    payments[number] = payment
    month.payments = payments


def _drop(month: Month, game: Game, random: Random) -> None:
    if month.payments:
        payments = list(month.payments)
        del payments[random.randrange(len(payments))]
        month.payments = payments


def _add(month: Month, game: Game, random: Random) -> None:
    label, each = random.choice(offers(game))
    struck = any(line.void for line in month.payments) and random.random() < 0.9
    payment = Payment(label, _amounts(game, each, random), struck)
    payments = list(month.payments)
    payments.insert(random.randint(0, len(payments)), payment)
    month.payments = payments


def _permute(month: Month, game: Game, random: Random) -> None:
    if month.payments:
        number = random.randrange(len(month.payments))
        line = month.payments[number]
        amounts = list(line.amounts)
        random.shuffle(amounts)
        _exchange(month, number, replace(line, amounts=tuple(amounts)))


def _relabel(month: Month, game: Game, random: Random) -> None:
    numbers = [
        number for number, line in enumerate(month.payments) if line.label in dict(offers(game))
    ]
    if numbers:
        number = random.choice(numbers)
        line = month.payments[number]
        label, each = random.choice(offers(game))
        old = max(line.amounts) // (len(game.players) - 1)
        amounts = tuple(amount * each // old if old else 0 for amount in line.amounts)
        _exchange(month, number, Payment(label, amounts, line.void))


def _halve(month: Month, game: Game, random: Random) -> None:
    if month.payments:
        number = random.randrange(len(month.payments))
        line = month.payments[number]
        if all(amount % 2 == 0 for amount in line.amounts):
            halves = tuple(amount // 2 for amount in line.amounts)
            _exchange(month, number, replace(line, amounts=halves))


def _points(month: Month, game: Game, random: Random) -> None:
    for number, line in enumerate(month.payments):
        if line.label == "points":
            amounts = list(line.amounts)
            factor = _factor(game)
            getting, paying = random.sample(_playing(month), 2)
            step = factor * random.choice([1, 1, 2, 3, 5, 10, 20, 40])
            if random.random() < FEW:
                step = amounts[paying] + factor * random.randint(60, 88)
            amounts[getting] += step
            amounts[paying] -= step
            _exchange(month, number, replace(line, amounts=tuple(amounts)))


def _add_by_calls(month: Month, game: Game, random: Random) -> None:
    """Write what the house adds to the yaku of the month, by some numbers of calls."""
    house = House(game.options)
    yaku = [line for line in month.payments if line.label not in ADDITIONS]
    seats = {number for line in yaku for number, amount in enumerate(line.amounts) if amount > 0}
    if len(seats) != 1 or any(line.label in (*house.dealt, "oyaken", "kobiki") for line in yaku):
        return
    (seat,) = seats
    total = sum(line.amounts[seat] for line in yaku)
    own, opponent = (min(house.most_calls, int(random.expovariate(0.8))) for _ in range(2))
    month.payments = yaku
    for label, amount in house.additions(total, own, opponent).items():
        pays = -amount if house.is_set("pays") else 0
        amounts = (pays, amount) if seat else (amount, pays)
        month.payments = [*month.payments, Payment(label, amounts)]


def _mark(month: Month, game: Game, random: Random) -> None:
    """Mark two brights of a kind on the field, or take the mark away."""
    if month.ba in ("large", "absolute"):
        month.ba += "2"
    elif month.ba is not None:
        month.ba = month.ba.removesuffix("2")


def _playing(month: Month) -> list[int]:
    playing = sorted(
        {
            number
            for line in month.payments
            if line.label not in ("ori", "oikomi", "mizuten")
            for number, amount in enumerate(line.amounts)
            if amount
        }
    )
    return playing if len(playing) > 1 else [0, 1]


def _factor(game: Game) -> int:
    grade = (game.months[0].ba or "small").removesuffix("2")
    return {"small": 1, "large": 2, "absolute": 4}[grade]


def _amounts(game: Game, each: int, random: Random) -> tuple[int, ...]:
    """Return amounts of three who play: shared, or paid by one now and then."""
    playing = _playing(game.months[0])
    if len(game.players) == 2:
        gains = [sum(line.amounts[seat] for line in game.months[0].payments) for seat in (0, 1)]
        pays = -each if House(game.options).is_set("pays") else 0
        return (each, pays) if gains[0] >= gains[1] else (pays, each)
    if len(playing) < 3:
        playing = list(range(len(game.players)))[:3]
    receiver, *payers = random.sample(playing, 3)
    amounts = [0] * len(game.players)
    amounts[receiver] = 2 * each
    if random.random() < 0.2:
        amounts[payers[0]] = -2 * each
    else:
        for payer in payers:
            amounts[payer] = -each
    return tuple(amounts)


def offers(game: Game) -> list[Offer]:
    """Return labels with the value that each other player pays, at the grade of the month."""
    return OFFERS[game.rules](game)


def _hachihachi_offers(game: Game) -> list[Offer]:
    tables = {**hachihachi.DEALT, **hachihachi.CAPTURED}
    return _in_kan(game, tables)


def _bga_offers(game: Game) -> list[Offer]:
    return _in_kan(game, {**hachihachi_bga_lines.DEALT, **hachihachi_bga_lines.CAPTURED})


def _hanaawase_offers(game: Game) -> list[Offer]:
    offers = list({**hanaawase.DEALT, **hanaawase.CAPTURED}.items())
    return offers + [("kasu", 10 * more) for more in range(2, 5)]


def _koikoi_offers(game: Game) -> list[Offer]:
    house = House(game.options)
    offers = list(house.dealt.items())
    for name, yaku in house.table(game.months[0].month).items():
        most = len(yaku.counted) - yaku.base if yaku.step else 0
        values = [yaku.value + yaku.step * more for more in range(most + 1)]
        offers += [(name, value) for value in (*values[:4], yaku.called or values[0])]
    return offers


def _ten_five_one_offers(game: Game) -> list[Offer]:
    return list({**ten_five_one.DEALT, **ten_five_one.CAPTURED}.items())


def _in_kan(game: Game, tables: Mapping[str, int]) -> list[Offer]:
    unit = 12 * _factor(game)
    chaff = ("aka", "tanichi", "toichi", "pikaichi", "karasu")
    count = ("sanbon", "tatesanbon", "kuttsuki", "teshi", "haneken", "futasanbon")
    labels = [(name, kan) for name, kan in tables.items() if name != "shiso"]
    labels += [(f"{one}+{two}", tables[one] + tables[two]) for one in chaff for two in count]
    labels += 4 * [("tobikomi", 1), ("nuke", 1)]
    labels += [("sohachi", 10)]
    labels += [("futahachi", 10 + more) for more in range(0, 40, 3)]
    labels += [("sujuroku", 12 + 2 * more) for more in range(6)]
    return [(label, kan * unit) for label, kan in labels]


OFFERS: Final[Mapping[str, Callable[[Game], list[Offer]]]] = {
    "hachihachi": _hachihachi_offers,
    "hachihachi-bga": _bga_offers,
    "hanaawase": _hanaawase_offers,
    "koikoi": _koikoi_offers,
    "ten-five-one": _ten_five_one_offers,
}
