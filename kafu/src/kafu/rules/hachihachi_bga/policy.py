"""Weights of the player of 八八 in play-outs."""

from __future__ import annotations

from typing import Final

from kafu.rules.hachihachi_bga.machine import HachihachiBga
from kafu.rules.hachihachi_bga.state import HachihachiBgaState
from kafu.rules.weights import PolicyWeights, find_held


def _situation(machine: HachihachiBga, state: HachihachiBgaState) -> tuple[float, ...]:
    """Return the value held, the unit if the seat is in 下げ, and the unit if another seat is."""
    unit, (held,) = float(machine.unit), find_held(machine, state)
    return held, unit * (state.sager == state.seat), unit * (state.sager not in (0, state.seat))


WEIGHTS: Final = PolicyWeights(situation=_situation)
