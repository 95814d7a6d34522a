"""Weights of the player of 八八 in play-outs."""

from __future__ import annotations

from typing import Final

from kafu.rules.hachihachi_bga.machine import HachihachiBga
from kafu.rules.hachihachi_bga.state import HachihachiBgaState
from kafu.rules.weights import PolicyWeights, find_held


def _situation(machine: HachihachiBga, state: HachihachiBgaState) -> tuple[float, ...]:
    """Return the value held, whether the seat is in 下げ, and whether another seat is."""
    (held,) = find_held(machine, state)
    return held, float(state.sager == state.seat), float(state.sager not in (0, state.seat))


WEIGHTS: Final = PolicyWeights(
    chance=0.04,
    near=0.071,
    threat=0.029,
    bonus=3.374,
    points=0.884,
    brights=-2.667,
    animals=-2.478,
    ribbons=1.387,
    chaff=1.861,
    denied=-0.008,
    contested=0.253,
    safe=0.696,
    spent=0.086,
    lost=0.765,
    given=0.482,
    preserved=0.183,
    pair=4.177,
    play_on={
        "unit": 13.733,
        "held": -3.206,
        "promise": 3.022,
        "more": -0.881,
        "threat": 6.293,
        "risk": -71.429,
        "contest": -120.197,
        "soon": 111.619,
        "soon_threat": -8.413,
        "lasting": -0.065,
    },
    situation_weights=(259.976, 98.742),
    bid=0.75,
    situation=_situation,
)
