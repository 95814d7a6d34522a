"""Rows of the fact tables contain what is certain, and nothing else."""

from __future__ import annotations

import re

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.facts.rows import collect_rows
from records.facts.tables import TABLES


def test_hidden_hand_that_is_played_out_is_not_counted() -> None:
    """Hands are fair samples only if the record has them in full at the deal."""
    text = re.sub(r"(?m)^hand 2 .*$", "hand 2 ????????", write(simulate("koikoi", seed=3)))
    verification = verify(read(text), facts=True)
    assert verification.facts is not None
    played_out = [deal for deal in verification.facts.deals if deal.hands[1]]
    assert played_out, "the replay knows a hidden hand once all of it is played"
    rows = collect_rows(verification)
    assert rows is not None
    own = [
        column.name for column in TABLES["seats"].columns if column not in TABLES["games"].columns
    ]
    seat, hand = own.index("seat"), own.index("hand_row")
    known = {(row[seat], row[hand] is not None) for row in rows.tables["seats"]}
    assert known == {(1, True), (2, False)}
