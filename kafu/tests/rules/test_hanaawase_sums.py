"""The limits of a sum of a month of 三人花合わせ on score sheets, proved (S2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final

import pytest

from kafu import cards
from kafu.rules.hanaawase.payments import VALUES, YAKU
from kafu.rules.hanaawase.sheet_sums import MOST_GOT, MOST_PAID
from kafu.rules.sheets.capture_ways import list_captures
from kafu.rules.yaku import CapturedYaku, made

#: The months in an order in which yaku are complete or broken soon, as masks.
MONTHS: Final = [cards.MONTHS[month] for month in (1, 3, 8, 12, 2, 11, 4, 9, 6, 10, 5, 7)]
LATER: Final = [sum(MONTHS[number:]) for number in range(13)]
KASU: Final = YAKU.find("kasu")
RIBBON_YAKU: Final = ("nanatan", "rokutan")
#: The captured cards that may still matter (a mask), and the number of ribbons, of a player.
State = tuple[int, int]


def list_related(row: CapturedYaku) -> set[CapturedYaku]:
    """Return the yaku that replace one another together with a yaku."""
    related = {row}
    while True:
        more = {
            other
            for other in YAKU
            if any(other.id in near.over or near.id in other.over for near in related)
        }
        if more <= related:
            return related
        related |= more


#: For each yaku the number of the month after which it and those related to it are decided.
DECIDED: Final = {
    row.id: max(
        number
        for number, month in enumerate(MONTHS)
        if any(other.cards & month for other in list_related(row))
    )
    for row in YAKU
    if row is not KASU
}


@cache
def capture(state: State, captured: int, number: int) -> tuple[State, int]:
    """Return the state after the captures of a month, and the value of yaku decided by it."""
    held, ribbons = state[0] | captured, state[1] + (captured & cards.RIBBONS).bit_count()
    value = sum(
        row.value
        for row in made(YAKU, held, rained=False, called=False)
        if row.id not in (*RIBBON_YAKU, "kasu") and DECIDED[row.id] == number
    )
    if number == max(DECIDED[id] for id in RIBBON_YAKU):
        value += 40 if ribbons >= 7 else 20 if ribbons == 6 else 0
    kept = 0
    for row in YAKU:
        if row.id not in (*RIBBON_YAKU, "kasu") and DECIDED[row.id] > number:
            possible = (held | LATER[number + 1]) & row.cards
            if possible.bit_count() >= row.need and not row.must & ~possible:
                kept |= row.cards
    is_open = ribbons + (LATER[number + 1] & cards.RIBBONS).bit_count() >= 6
    return (held & kept, min(ribbons, 7) if is_open else 0), value


def find_most(values: Sequence[int], points: Sequence[int], chaff: Sequence[int]) -> int:
    """Return the most of weighted values of yaku but カス, points and chaff cards of all players.

    Yaku are counted of players with a weight only.
    """
    makers = [player for player in range(3) if values[player]]
    layer: dict[tuple[State, ...], int] = {((0, 0),) * len(makers): 0}
    for number, month in enumerate(MONTHS):
        month_cards = list(cards.bits(month))
        options = []
        for owners in list_captures(is_played_out=True):
            captured = [
                sum(
                    card for card, owner in zip(month_cards, owners, strict=True) if owner == player
                )
                for player in range(3)
            ]
            growth = sum(
                points[player] * cards.points(held)
                + chaff[player] * (held & cards.CHAFF).bit_count()
                for player, held in enumerate(captured)
            )
            options.append((captured, growth))
        after: dict[tuple[State, ...], int] = {}
        for states, most in layer.items():
            for captured, growth in options:
                steps = [
                    capture(state, captured[player], number)
                    for player, state in zip(makers, states, strict=True)
                ]
                key = tuple(state for state, _ in steps)
                total = most + growth
                for player, (_, value) in zip(makers, steps, strict=True):
                    total += values[player] * value
                after[key] = max(total, after.get(key, total))
        layer = after
    return max(layer.values())


@pytest.mark.long_only  # seconds; the limits depend on the values of yaku alone
@pytest.mark.parametrize(
    ("weights", "costs", "limit"),
    [((1, 1, -2), (0, 0, 10), 3 * MOST_PAID), ((2, -1, -1), (0, 16, 16), 3 * MOST_GOT)],
)
def test_no_cards_exceed_the_limits_of_a_sum(
    weights: Sequence[int], costs: Sequence[int], limit: int
) -> None:
    """Prove a bound on the weighted sums of a month.

    A sum is three times the own yaku less all yaku, and the points less 88; the weights add up to
    zero. Who has ふけ would pay ``costs`` for each point below 31. Yaku of players with a negative
    weight can only lower the weighted sum, and カス of twelve cards and more has a value in
    proportion, so that a maximum is taken over those who have it.
    """
    makers = [player for player in range(3) if weights[player] > 0]
    values = [3 * max(0, weight) for weight in weights]
    points = [weight + cost for weight, cost in zip(weights, costs, strict=True)]
    most = max(
        find_most(
            values,
            points,
            [KASU.step * has * value for has, value in zip(has_kasu, values, strict=True)],
        )
        - sum(
            (KASU.step * KASU.base - KASU.value) * has * value
            for has, value in zip(has_kasu, values, strict=True)
        )
        for has_kasu in product(*((0, 1) if player in makers else (0,) for player in range(3)))
    )
    most += sum(values) * max(VALUES.values()) - 31 * sum(costs)
    assert limit <= most < limit + 3
