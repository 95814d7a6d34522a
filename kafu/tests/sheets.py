"""Score sheets written in tests, and hands compared with the automata of their kinds."""

from __future__ import annotations

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.rules.sheets.hand_kinds import MONTHS, HandKind
from kafu.rules.verdict import Verdict


def judge_sheet(
    rules: str,
    months: str,
    options: str = "",
    *,
    players: int = 3,
    termination: str = "unfinished",
) -> Verdict:
    """Return the verdict on a score sheet with the given months."""
    tags = ['[Kafu "1"]', f'[Rules "{rules}"]']
    tags += [f'[Options "{options}"]'] if options else []
    tags += [f'[Player{seat} "{seat}"]' for seat in range(1, players + 1)]
    tags += ['[Sheet "1"]', *([f'[Termination "{termination}"]'] if termination else [])]
    return verify(read("\n".join([*tags, "", months, ""]))).verdict


def is_of_kind(kind: HandKind, hand: int) -> bool:
    """Return whether an automaton reads a hand to the end."""
    state = 0
    for month, layer in zip(MONTHS, kind.layers, strict=False):
        dealt = hand >> 4 * month & 15
        if dealt not in layer.get(state, {}):
            return False
        state = layer[state][dealt]
    return bool(kind.layers)
