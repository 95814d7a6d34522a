"""Weights of the player of 三人はちはち in play-outs."""

from __future__ import annotations

from typing import Final

from kafu.rules.hachihachi.machine import Hachihachi
from kafu.rules.hachihachi.state import HachihachiState
from kafu.rules.weights import PolicyWeights, find_held


def _situation(machine: Hachihachi, state: HachihachiState) -> tuple[float, ...]:
    """Return the value held, whether the seat is in 下げ, and whether another seat is."""
    (held,) = find_held(machine, state)
    return held, float(state.sager == state.seat), float(state.sager not in (0, state.seat))


WEIGHTS: Final = PolicyWeights(
    chance=0.041,
    near=0.06,
    threat=0.021,
    bonus=6.435,
    points=1.073,
    brights=-0.941,
    animals=-0.916,
    ribbons=6.456,
    chaff=2.461,
    denied=0.044,
    contested=0.21,
    safe=0.841,
    spent=0.16,
    lost=0.755,
    given=0.547,
    preserved=0.041,
    pair=7.611,
    play_on={
        "unit": 0.845,
        "held": -1.462,
        "promise": 1.184,
        "more": 0.931,
        "threat": 4.74,
        "risk": -27.37,
        "contest": -142.226,
        "soon": 94.088,
        "soon_threat": -17.689,
        "lasting": -0.008,
    },
    situation_weights=(-59.401, 0.0),
    situation=_situation,
)
