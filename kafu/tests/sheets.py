"""Score sheets written in tests."""

from __future__ import annotations

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
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
