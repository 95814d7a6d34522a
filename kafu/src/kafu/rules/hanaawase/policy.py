"""Weights of the player of 三人花合わせ in play-outs."""

from __future__ import annotations

from typing import Final

from kafu.rules.weights import PolicyWeights

WEIGHTS: Final = PolicyWeights(
    chance=0.04,
    near=0.096,
    threat=0.027,
    bonus=4.189,
    points=1.063,
    brights=0.449,
    animals=-1.551,
    ribbons=4.935,
    chaff=2.969,
    denied=-0.011,
    contested=0.723,
    safe=0.818,
    spent=0.24,
    lost=0.881,
    given=0.3,
    preserved=-0.02,
    pair=8.539,
)
