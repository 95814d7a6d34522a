"""Weights of the player of こいこい in play-outs."""

from __future__ import annotations

from typing import Final

from kafu.rules.koikoi.ending import KoikoiState
from kafu.rules.koikoi.machine import Koikoi
from kafu.rules.weights import PolicyWeights
from kafu.rules.yaku import total

#: The mon of the yaku with which later wins are estimated: one's further yaku, and the opponent's
#: next ones.
_FURTHER, _NEXT = 2, 4


def _find_held(machine: Koikoi, state: KoikoiState) -> tuple[float, ...]:
    """Return the value of 勝負 in a house that pays the yaku alone."""
    return (float(total(state.made[state.seat - 1])),)


def _find_situation(machine: Koikoi, state: KoikoiState) -> tuple[float, ...]:
    """Return the value of 勝負, and what こいこい changes in a house that adds to wins (K15, K17).

    The changes are the additions to a later win of the seat, and to a win of the opponent with this
    call and without.
    """
    i = state.seat - 1
    own_calls, opponent_calls = state.calls[i], state.calls[1 - i]
    held, other = total(state.made[i]), total(state.made[1 - i]) + _NEXT

    def add(mon: int, calls: int, against: int) -> int:
        added = machine.profile.added(mon, own_calls=calls, opponent_calls=against)
        return sum([amount for _, amount in added])

    stake = held + add(held, own_calls, opponent_calls)
    later = held + add(held + _FURTHER, own_calls + 1, opponent_calls)
    return (
        float(stake),
        float(later - stake),
        float(add(other, opponent_calls, own_calls + 1)),
        float(add(other, opponent_calls, own_calls)),
    )


#: The weights of houses that pay the yaku alone.
WEIGHTS: Final = PolicyWeights(
    chance=0.028,
    near=0.071,
    threat=0.037,
    bonus=3.195,
    brights=0.155,
    animals=0.646,
    ribbons=1.284,
    chaff=1.011,
    denied=-0.01,
    contested=0.933,
    safe=0.831,
    spent=0.258,
    lost=0.339,
    given=0.728,
    preserved=0.152,
    pair=0.704,
    play_on={
        "unit": -1.06,
        "held": -1.006,
        "promise": 0.753,
        "more": -0.246,
        "threat": 0.275,
        "risk": -2.719,
        "contest": -1.256,
        "soon": 3.793,
        "soon_threat": -1.227,
        "lasting": 0.054,
    },
    situation=_find_held,
)
#: The weights of houses that add to a win.
RAISED_WEIGHTS: Final = PolicyWeights(
    chance=0.037,
    near=0.097,
    threat=0.038,
    bonus=1.555,
    brights=-0.196,
    animals=0.326,
    ribbons=0.598,
    chaff=0.765,
    denied=-0.03,
    contested=0.803,
    safe=0.818,
    spent=0.263,
    lost=0.657,
    given=1.01,
    preserved=0.173,
    pair=0.503,
    play_on={
        "unit": 1.033,
        "held": -1.376,
        "promise": 1.451,
        "more": -0.306,
        "threat": 0.707,
        "risk": -5.684,
        "contest": -1.256,
        "soon": 2.562,
        "soon_threat": -2.525,
        "lasting": 0.053,
    },
    situation_weights=(0.87, -0.417, -0.158),
    situation=_find_situation,
)


def find_weights(machine: Koikoi) -> PolicyWeights:
    """Return the weights of a house."""
    profile = machine.profile
    is_raised = profile.call_bonus or profile.call_times or profile.calls_multiply
    if is_raised or profile.double_called or profile.double_from is not None:
        return RAISED_WEIGHTS
    return WEIGHTS
