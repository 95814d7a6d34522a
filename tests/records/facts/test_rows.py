"""Rows of the fact tables contain only certain values."""

from __future__ import annotations

import re
from typing import Any

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.facts.rows import GameInfo, RowBatch, collect_rows
from records.facts.tables import TABLES


def test_hidden_hand_that_is_played_out_is_not_counted() -> None:
    """Hands are fair samples only if the record has the full hand at the deal."""
    text = re.sub(r"(?m)^hand 2 .*$", "hand 2 ????????", write(simulate("koikoi", seed=3)))
    verification = verify(read(text), facts=True)
    assert verification.facts is not None
    played_out = [deal for deal in verification.facts.deals if deal.hands[1]]
    assert played_out, "the replay knows a hidden hand once all of it is played"
    rows = collect_rows(verification)
    assert rows is not None
    columns = [
        column.name for column in TABLES["seats"].columns if column not in TABLES["games"].columns
    ]
    seat, hand = columns.index("seat"), columns.index("hand_row")
    hand_is_known = {(row[seat], row[hand] is not None) for row in rows.tables["seats"]}
    assert hand_is_known == {(1, True), (2, False)}


def test_analysed_choices_of_a_deal_that_did_not_end_have_rows() -> None:
    game = simulate("koikoi", seed=3)
    verification = verify(read(write(game)), facts=True)
    deals = len(verification.verdict.deals)
    choices: list[Any] = [
        {"deal": deal, "seat": 2, "kind": "hand", "loss": 0.5, "costly": True, "reason": ""}
        for deal in (1, deals + 1)
    ]
    rows = collect_rows(verification, choices)
    assert rows is not None
    assert [row[-3:] for row in rows.tables["losses"]] == [("hand", 500, True)] * 2
    batch = RowBatch("koikoi")
    batch.add(GameInfo(1, 0, "koikoi", "", False, (7, 8), None, None, 0, None), rows)
    losses = dict(batch.tables())["losses"]
    assert losses["player"].tolist() == [8, 8]
    assert losses["score"].tolist()[1] is None
