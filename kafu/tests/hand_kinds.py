"""Hands compared with the automata of their kinds."""

from __future__ import annotations

from kafu.rules.sheets.hand_kinds import MONTHS, HandKind


def is_of_kind(kind: HandKind, hand: int) -> bool:
    """Return whether an automaton reads a hand to the end."""
    state = 0
    for month, layer in zip(MONTHS, kind.layers, strict=False):
        dealt = hand >> 4 * month & 15
        if dealt not in layer.get(state, {}):
            return False
        state = layer[state][dealt]
    return bool(kind.layers)
