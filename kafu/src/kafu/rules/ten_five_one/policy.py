"""Weights of the player of テン・ファイブ・ワン in play-outs."""

from __future__ import annotations

from typing import Final

from kafu.rules.weights import PolicyWeights

WEIGHTS: Final = PolicyWeights(
    chance=0.051,
    near=0.0,
    threat=0.071,
    bonus=1.834,
    points=0.918,
    brights=-0.792,
    animals=-0.56,
    ribbons=0.285,
    chaff=-1.433,
    denied=0.164,
    contested=-0.026,
    safe=0.758,
    spent=0.264,
    lost=0.725,
    given=0.784,
    preserved=0.025,
    pair=4.434,
)
