"""Rows of the fact tables contain only certain values."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kafu.judging.verify import verify
from kafu.notation.actions import Action
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import VOIDS
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.facts.analysed import list_loss_values
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


def test_analysed_choices_of_a_deal_that_did_not_end_have_rows_without_luck() -> None:
    game = simulate("koikoi", seed=3)
    verification = verify(read(write(game)), facts=True)
    deals = len(verification.verdict.deals)
    report = make_report((1, "hand", "AxC"), (deals + 1, "say", "koikoi"))
    rows = collect_rows(verification, report)
    assert rows is not None
    values = [row[-5:] for row in rows.tables["losses"]]
    assert values == [("hand", 500, True, None, None), ("say", 500, True, "koikoi", True)]
    luck = [(row[0], *row[-5:]) for row in rows.tables["luck"]]
    assert luck == [
        (1, 1_000, -2_500, 500, -500, 5_000),
        (1, -1_000, 2_500, 0, 500, 5_000),
    ]
    batch = RowBatch("koikoi")
    batch.add(GameInfo(1, 0, "koikoi", "", False, (7, 8), None, None, 0, None), rows)
    losses = dict(batch.tables())["losses"]
    assert losses["player"].tolist() == [8, 8]
    assert losses["score"].tolist()[1] is None


@pytest.mark.parametrize(
    ("ruleset", "kind", "played", "expected"),
    [
        ("koikoi", "say", "koikoi", ("koikoi", True)),
        ("koikoi", "say", "shobu", ("shobu", False)),
        ("hachihachi", "say", "sage", ("sage", True)),
        ("hachihachi", "say", "menjo", ("menjo", None)),
        ("ten-five-one", "bid", "in", ("in", True)),
        ("ten-five-one", "bid", "out", ("out", False)),
        ("hachihachi-bga", "bid", "blind", ("blind", True)),
        ("hachihachi-bga", "bid", "-", ("-", False)),
        ("hachihachi", "show", "akatan A", (None, None)),
    ],
)
def test_words_and_bids_have_a_direction(
    ruleset: str, kind: str, played: str, expected: tuple[str | None, bool | None]
) -> None:
    (choice,) = make_report((1, kind, played))["choices"]
    assert list_loss_values(choice, ruleset)[-2:] == expected


def make_report(*choices: tuple[int, str, str]) -> dict[str, Any]:
    """Return a report: choices of seat 2 by deal, kind and action; deals 1 and 2, 2 unmeasured."""
    parts = {
        "deal": {"value": [1.0, -1.0], "error": [3.0, 3.0]},
        "stock": {"value": [-2.5, 2.5], "error": [4.0, 4.0]},
        "own": {"value": [0.5, 0.0], "error": [1.0, 1.0]},
        "others": {"value": [-0.5, 0.5], "error": [1.0, 1.0]},
    }
    return {
        "choices": [
            {
                **{"deal": deal, "seat": 2, "kind": kind, "played": played},
                **{"loss": 0.5, "costly": True, "reason": ""},
            }
            for deal, kind, played in choices
        ],
        "deals": [{"deal": 1, "parts": parts}, {"deal": 2, "parts": None}],
    }


def find_columns(table: str) -> list[str]:
    """Return the columns of a table that are not columns of the game."""
    names = {column.name for column in GAME}
    return [column.name for column in TABLES[table].columns if column.name not in names]


def test_yaku_are_completed_in_turns_of_their_seat_whether_paid_or_not() -> None:
    """Nobody wins the second deal, in which seat 2 says koi-koi with tsukimi."""
    rows = collect_rows(verify(read(write(simulate("koikoi", seed=229))), facts=True))
    assert rows is not None
    columns = find_columns("completions")
    names = ("deal", "seat", "completed", "turn", "won")
    values = [[row[columns.index(name)] for name in names] for row in rows.tables["completions"]]
    assert values[:2] == [[1, 1, "aotan", 2, True], [2, 2, "tsukimi", 2, False]]


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
    given_up.turns, given_up.score = first.turns[:4], None
    given_up.write_down(Action("void", say=reason))
    game.months.insert(0, given_up)
    verification = verify(read(write(game)), facts=True)
    rows = collect_rows(verification)
    assert rows is not None, verification.verdict
    columns = find_columns("deals")
    ended = dict(zip(columns, rows.tables["deals"][0], strict=True))
    assert (ended["ending"], ended["turns"]) == ("void", 4)
