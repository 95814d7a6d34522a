"""Features of the decision to play on after a yaku (こいこい, 下げ), for play-outs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kafu import cards
from kafu.rules.play.machine import State

#: A yaku: its cards, their necessary number, its value and its step (in the small unit), and its
#: indispensable cards.
YakuRow = tuple[int, int, float, float, int]
#: Features of the decision to play on, weighted by `PolicyWeights.play_on`. Amounts are
#: in the small unit, chances from 0 to 1.
FEATURES: Final = (
    "unit",  # the unit of the ruleset, as the constant
    "held",  # the value of stopping
    "promise",  # the value of playing on if an opponent's yaku halves it
    "more",  # the expected value of further yaku
    "grown",  # the value held, times the chance of any further yaku
    "threat",  # the expected value of the opponents' yaku, on average
    "forfeited",  # the value held, times the chance of any opponent's yaku
    "risk",  # the unit, times the same chance
    "odds",  # the unit, times the chance of any further yaku
    "turns",  # the unit, times the turns left
    "lasting",  # the value held, times the turns left
    "near",  # the value of yaku that lack one card, which a hand card captures or is
    "near_threat",  # the value of the opponents' yaku that lack one card on the field, on average
)


#: The chance to capture a further card of a yaku, per turn left, in the features of a decision; its
#: increase for cards within reach, as a factor, and its maximum.
_CHANCE: Final = 0.05
_CLOSE: Final = 2.0
_MAX_CHANCE: Final = 0.85


def list_features(
    state: State, playing: Sequence[int], rows: Sequence[YakuRow], small_units: int, stake: float
) -> list[float]:
    """Return the values of `FEATURES` for a decision of the seat in turn.

    ``playing`` are the seats in play, ``rows`` the yaku of the month. ``stake`` is the value of
    stopping in the unit of the ruleset, which has a number of ``small_units``.
    """
    table, i, unit = state.table, state.seat - 1, float(small_units)
    held = stake * unit
    hand, field, gone = table.hands[i], table.field, 0
    for captured in table.captured:
        gone |= captured
    ready, left = 0, hand
    while left:
        low = left & -left
        left ^= low
        if match := field & cards.MATCH[low]:
            ready |= low | match
    captured, turns = table.captured[i], hand.bit_count()
    more, odds, near = _promise(rows, captured, gone & ~captured, turns, hand, ready)
    opponents = [seat for seat in playing if seat != i + 1]
    threat = near_threat = beaten = 0.0
    for seat in opponents:
        captured, left = table.captured[seat - 1], table.hands[seat - 1].bit_count()
        worth, chance, close = _promise(rows, captured, gone & ~captured | hand, left, 0, field)
        threat += worth / len(opponents)
        near_threat += close / len(opponents)
        beaten = 1.0 - (1.0 - beaten) * (1.0 - chance)
    promise = (1.0 - beaten / 2) * (odds * held + more) - (1.0 - odds / 2) * threat
    return [
        *(unit, held, promise, more, odds * held, threat, beaten * held, beaten * unit),
        *(odds * unit, turns * unit, turns * held, near, near_threat),
    ]


def _promise(
    rows: Sequence[YakuRow], captured: int, gone: int, turns: int, hand: int, ready: int
) -> tuple[float, float, float]:
    """Return what a player may expect of further yaku.

    That is the expected value, the chance of any, and the value of yaku that lack a ``ready``
    card. ``gone`` are cards out of reach; cards of ``hand`` and ``ready`` are easily captured.
    """
    chance, close = _CHANCE * turns, hand | ready
    unavailable = captured | gone
    worth, none, near = 0.0, 1.0, 0.0
    for group, need, value, step, must in rows:
        available = group & ~unavailable
        if not available:
            continue
        lacking, free = need - (captured & group).bit_count(), available.bit_count()
        if lacking <= 0:
            if not step:
                continue
            lacking, value = 1, step
        elif free < lacking or must & gone:
            continue
        odds = chance * (free + _CLOSE * (available & close).bit_count()) / lacking
        if odds > _MAX_CHANCE:
            odds = _MAX_CHANCE
        if lacking > 1:
            odds = odds**lacking
        elif available & ready:
            near += value
        worth += value * odds
        none *= 1.0 - odds
    return worth, 1.0 - none, near
