"""The months of 三人花合わせ that a sum on a score sheet can stand for (S2).

Most sums are those of many months. Simulated annealing over captures and dealt hands finds payments
with nearly the sum, and card points make up the difference. The exact question (`sheets.question`)
decides about each such month.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp
from random import Random
from typing import Final

from kafu import cards
from kafu.rules.hanaawase.machine import EVEN, FUKE, SEATS
from kafu.rules.hanaawase.payments import PAYMENTS, VALUES, YAKU
from kafu.rules.hanaawase.sheet_cards import HanaawaseMonth
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.sheets.capture_ways import list_captures
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.sums import explain_sum
from kafu.rules.sheets.witness import Undecided
from kafu.rules.yaku import made

#: The most that a player pays and gets. A test proves that no cards exceed it.
MOST_PAID: Final = 744
MOST_GOT: Final = 1285
#: The bits of the dealt hands in a number that has captured cards as its lower 48 bits.
_HANDS: Final = {1 << 48 + number: id for number, id in enumerate(VALUES)}
#: The choices for each month of the pack and for each player's dealt hand, by player.
_CHOICES: Final = tuple(
    tuple(
        tuple(
            sum(1 << 4 * month + card for card in range(4) if owners[card] == player)
            for player in range(3)
        )
        for owners in list_captures(is_played_out=True)
    )
    for month in range(12)
) + tuple(
    tuple(tuple(hand * (place == player) for place in range(3)) for hand in (0, *_HANDS))
    for player in range(3)
)
#: The rounds of the search with their steps, and the temperatures of a round.
_ROUNDS: Final = 12
_STEPS: Final = 4000
_WARM: Final = 40.0
_COLD: Final = 4.0
#: The difference from the sum at which the exact question is asked.
_NEAR: Final = 60
#: More captured cards of a player are rare, and take long to be found.
_MANY_CARDS: Final = 26


def check_sum(line: PaymentLine, order: tuple[int, ...]) -> None:
    """Raise Illegal unless cards make a month with the sum of a line.

    Raise `Undecided` if neither such cards nor a proof are found.
    """
    if min(line.amounts) < -MOST_PAID or max(line.amounts) > MOST_GOT:
        raise explain_sum(line, kan=False)
    if any(line.amounts) and not _is_possible(line.amounts, order):
        raise Undecided(line)


@lru_cache(maxsize=1024)
def _is_possible(sums: tuple[int, ...], order: tuple[int, ...]) -> bool:
    """Return whether cards were found for a month with a sum."""
    tried = set()
    for seed in range(_ROUNDS):
        for held in _list_near(sums, Random(seed)):
            lines = _list_lines(held, sums)
            points = lines[-1].amounts
            if lines not in tried and min(points) > FUKE - EVEN:
                tried.add(lines)
                try:
                    if HanaawaseMonth.read(lines, order, is_over=True).find_cards():
                        return True
                except Undecided:
                    continue
    return False


def _list_near(sums: Sequence[int], random: Random) -> Iterator[tuple[int, ...]]:
    """Yield captured cards and hands by seat, with which a month has nearly the sum."""
    chosen = [random.choice(choices) for choices in _CHOICES]
    held = tuple(map(sum, zip(*chosen, strict=True)))
    distance = _find_distance(held, sums)
    for step in range(_STEPS):
        number = random.randrange(len(_CHOICES))
        choice = random.choice(_CHOICES[number])
        changes = zip(held, chosen[number], choice, strict=True)
        changed = tuple(cards_ - old + new for cards_, old, new in changes)
        other = _find_distance(changed, sums)
        warmth = _WARM * (_COLD / _WARM) ** (step / _STEPS)
        if other <= distance or random.random() < exp((distance - other) / warmth):
            held, chosen[number], distance = changed, choice, other
            if distance <= _NEAR:
                yield held


def _find_distance(held: Sequence[int], sums: Sequence[int]) -> int:
    """Return the difference between the payments for cards and a sum, with penalties."""
    measures = [_measure(cards_) for cards_ in held]
    paid = sum(worth for worth, *_ in measures)
    distance = 0
    for sum_, (worth, points, count) in zip(sums, measures, strict=True):
        distance += abs(3 * worth - paid + points - EVEN - sum_)
        distance += 2 * max(0, FUKE + 1 - points) + 6 * max(0, count - _MANY_CARDS)
    return distance


@lru_cache(maxsize=65536)
def _measure(held: int) -> tuple[int, int, int]:
    """Return the value of a player's yaku, the points, and the number of captured cards."""
    captured = held & cards.ALL
    worth = sum(each for *_, each in _list_yaku(held))
    return worth, cards.points(captured), captured.bit_count()


def _list_yaku(held: int) -> list[tuple[PaymentKind, str, int]]:
    """Return the yaku of a player's cards and hand with their kinds and values."""
    made_yaku = made(YAKU, held & cards.ALL, rained=False, called=False)
    dealt = [id for bit, id in _HANDS.items() if held & bit]
    return [
        *((PaymentKind.DEALT, id, PAYMENTS.find_each(id)) for id in dealt),
        *((PaymentKind.CAPTURED, yaku.id, yaku.value) for yaku in made_yaku),
    ]


def _list_lines(held: Sequence[int], sums: Sequence[int]) -> tuple[PaymentLine, ...]:
    """Return the payments for cards and hands, with the card points that the sum leaves."""
    lines = []
    for seat, cards_ in zip(SEATS, held, strict=True):
        for kind, id, each in _list_yaku(cards_):
            amounts = tuple(each * (3 * (other == seat) - 1) for other in SEATS)
            lines.append(PaymentLine(kind, (id,), seat, amounts, False, "month"))
    paid = [
        sum(column) for column in zip((0, 0, 0), *(line.amounts for line in lines), strict=True)
    ]
    left = tuple(sum_ - amount for sum_, amount in zip(sums, paid, strict=True))
    return (*lines, PaymentLine(PaymentKind.OTHER, (POINTS,), 0, left, False, "month"))
