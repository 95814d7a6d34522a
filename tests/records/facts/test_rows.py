"""Rows of the fact tables contain only certain values."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import VOIDS
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.facts.rows import GameInfo, RowBatch, collect_rows
from records.facts.tables import GAME, TABLES


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


def find_columns(table: str) -> list[str]:
    """Return the columns of a table that are not columns of the game."""
    names = {column.name for column in GAME}
    return [column.name for column in TABLES[table].columns if column.name not in names]


@pytest.mark.parametrize("house", [{"profile": "koikoi-ai"}, {"pays": "yes"}])
def test_margins_of_a_house_whose_loser_pays_are_its_scores(house: dict[str, str]) -> None:
    """The loser's payment is already in the winner's score (K15)."""
    game = read(write(simulate("koikoi", seed=3, options=house)))
    rows = collect_rows(verify(game, facts=True))
    assert rows is not None
    for table, score, margin in (
        ("seats", "score", "margin"),
        ("choices", "stop", "stop_margin"),
        ("situations", "score", "margin"),
    ):
        columns = find_columns(table)
        values = [
            (row[columns.index(score)], row[columns.index(margin)]) for row in rows.tables[table]
        ]
        assert any(score for score, _margin in values), table
        assert all(score == margin for score, margin in values), table


def test_margin_of_a_house_whose_loser_pays_nothing_is_the_difference() -> None:
    rows = collect_rows(verify(read(write(simulate("koikoi", seed=3))), facts=True))
    assert rows is not None
    columns = find_columns("seats")
    score, margin = columns.index("score"), columns.index("margin")
    seats = rows.tables["seats"]
    for first, second in zip(seats[::2], seats[1::2], strict=True):
        assert first[margin] == first[score] - second[score] == -second[margin]


@pytest.mark.parametrize("reason", VOIDS)
def test_turns_of_a_month_given_up_count_for_every_reason(reason: str) -> None:
    game = simulate("koikoi", seed=3)
    first = game.months[0]
    given_up = first.replace(hands=first.hands)
    given_up.turns, given_up.void, given_up.score = first.turns[:4], reason, None
    game.months.insert(0, given_up)
    verification = verify(read(write(game)), facts=True)
    rows = collect_rows(verification)
    assert rows is not None, verification.verdict
    columns = find_columns("deals")
    ended = dict(zip(columns, rows.tables["deals"][0], strict=True))
    assert (ended["ending"], ended["turns"]) == ("void", 4)
