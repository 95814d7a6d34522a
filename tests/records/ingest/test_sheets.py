"""The layout of score sheets: the documents' examples, as figures."""

from __future__ import annotations

from itertools import pairwise

import pytest

import kafu
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.score_sheet import MonthSheet, SeasonSheet, build_sheet
from kafu.simulation.simulate import simulate
from lengths import part
from tests import conformance
from tests.records import makers

OWN = conformance.OWN / "hachihachi/sheet-year.kafu"

#: The year under 記入式について.
DOCUMENT = conformance.OWN / "hachihachi/sheet-document.kafu"


def written_year() -> Game:
    """Return the document's year as a sheet."""
    game = read(DOCUMENT.read_text(encoding="utf-8")).game
    assert game is not None
    return game


def month_sheet(text: str) -> MonthSheet:
    """Return the sheet of a record."""
    verification = verify(read(text), facts=True)
    assert verification.game is not None
    layout = build_sheet(verification.game, verification.verdict.to_stored())
    assert isinstance(layout, MonthSheet)
    return layout


def test_game_is_drawn_with_the_grades_of_its_score_sheet() -> None:
    game = simulate("hachihachi-bga", seed=2, players=4)
    grades = [month.ba for month in kafu.sheet_of(game).months]
    assert {"large2", "absolute2"} <= {*grades}, "brights are carried on"
    assert [month.grade for month in month_sheet(write(game)).months] == grades


def test_year_of_the_document_has_its_rows() -> None:
    text = write(written_year())
    assert verify(read(text)).verdict.status == "verified"
    layout = month_sheet(text)
    assert [month.grade for month in layout.months] == [
        *("large", "small", "large2", "large", "small", "absolute", "small", "small", "small"),
        *("absolute", "large", "large"),
    ]
    none = (None, None, None)
    rows = {row.kind: (row.kan, row.points, row.stones) for row in layout.sums}
    assert rows == {
        "total": ((8, 72, -80), (189, -250, 61), (5, 3, 4)),
        "board": ((8, 72, -80), (184, -253, 69), ()),
        "prize": ((-10, -10, -10), none, ()),
        "again": ((-2, 62, -90), (184, -253, 69), ()),
        "kan": ((13, 40, -84), (4, 11, -3), ()),
        "rounding": ((13, None, -84), none, ()),
        "final": ((13, 71, -84), none, ()),
    }


def test_month_has_the_lines_and_stones_of_the_document() -> None:
    months = {month.month: month.lines for month in month_sheet(write(written_year())).months}
    none = (None, None, None)
    assert [(line.label, line.kan, line.points, line.stone) for line in months[2]] == [
        ("tanichi", (-3, 6, -3), none, 0),
        ("nuke", (-1, 2, -1), none, 3),
        ("", none, (-10, 1, 9), 0),
    ]
    assert [(line.void, line.stone) for line in months[4]] == [(False, 1), (True, 0)]
    half = months[8][2]
    assert (half.kan, half.points) == ((-3, -3, 6), (-6, -6, 12)), "each column sums to zero"
    assert [(line.points, line.stone) for line in months[9]] == [((0, 15, -15), 0), (none, 2)]
    assert [line.note for line in months[11]] == ["", "sage", ""]


@pytest.mark.long_only  # the year of the document has a settlement
def test_year_of_thirteen_months_has_its_settlement() -> None:
    layout = month_sheet(OWN.read_text())
    rows = {row.kind: row for row in layout.sums}
    assert rows["total"].stones == (5, 2, 6)
    totals = zip(rows["total"].kan, rows["total"].points, strict=True)
    assert [12 * (kan or 0) + (points or 0) for kan, points in totals] == [2190, -2177, -13]
    assert (rows["kan"].kan, rows["kan"].points) == ((172, -190, -11), (1, -6, -7))
    assert rows["rounding"].kan == (None, -190, -11)
    assert rows["final"].kan == (201, -190, -11)


@pytest.mark.parametrize("seed", part(range(8)))
def test_sheet_of_a_game_of_cards_adds_up_to_its_score(seed: int) -> None:
    text = write(simulate("hachihachi", seed=seed))
    verdict = verify(read(text)).verdict
    layout = month_sheet(text)
    assert len(layout.months) == len(verdict.deals)
    for month in layout.months:
        lines = [line for line in month.lines if not line.void]
        assert not sum(figure or 0 for line in lines for figure in line.kan)
        assert not sum(figure or 0 for line in lines for figure in line.points)
    for month, following in zip(layout.months, verdict.deals[1:], strict=False):
        assert (month.grade or "").endswith("2") == (following.bound is not None)
    rows = {row.kind: row for row in layout.sums}
    assert rows["final"].kan == verdict.final
    totals = [sum(deal.score[i] for deal in verdict.deals) for i in range(3)]
    columns = zip(rows["total"].kan, rows["total"].points, strict=True)
    assert [12 * (kan or 0) + (points or 0) for kan, points in columns] == totals


def test_faulty_sheet_is_drawn_as_written_without_a_settlement() -> None:
    game = written_year()
    game.months[5].stone = 2
    layout = month_sheet(write(game))
    assert len(layout.months) == 12 and [row.kind for row in layout.sums] == ["total"]


def test_yaku_that_is_never_paid_by_half_has_no_note() -> None:
    """Who deals next in hana-awase need not have the yaku of the month."""
    game = kafu.sheet_of(simulate("hanaawase", seed=1))
    for month, following in pairwise(game.months):
        month.stone = following.dealer
    layout = month_sheet(write(game))
    assert {line.note for month in layout.months for line in month.lines} == {""}


def test_ruleset_without_kan_has_sums_in_points() -> None:
    layout = month_sheet(
        '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "a"]\n[Player2 "b"]\n[Sheet "1"]\n\n'
        "month 1 dealer 1\npay kasu 1 +15 2 0\nstone 1\n"
    )
    assert not layout.kan
    assert layout.months[0].lines[0].points == (15, None)
    assert layout.sums[0].points == (15, 0)


@pytest.mark.parametrize("seed", part(range(1, 6)))
def test_koikoi_sheet_is_divided_into_seasons(seed: int) -> None:
    verification = verify(read(makers.text(seed, months="12")), facts=True)
    assert verification.game is not None
    verdict = verification.verdict
    layout = build_sheet(verification.game, verdict.to_stored())
    assert isinstance(layout, SeasonSheet) and layout.year
    assert layout.seasons[:4] == [(1, 3), (4, 6), (7, 9), (10, 12)]
    assert tuple(row.total for row in layout.rows) == verdict.final
    for i, row in enumerate(layout.rows):
        assert row.subtotal == sum(map(sum, row.seasons)) == sum(d.score[i] for d in verdict.deals)
        assert row.total == row.subtotal + (row.prize or 0)
        for season, figures in enumerate(row.seasons):
            won = [d for d in verdict.deals if (d.month - 1) // 3 == season and d.winner == i + 1]
            assert len(figures) == len(won) + (len(won) == 3), "and 5 for all three (K12)"


def test_house_of_rounds_starts_with_its_points() -> None:
    game = simulate("koikoi", seed=1, options={"profile": "koikoi-ai"})
    verification = verify(read(write(game)), facts=True)
    assert verification.game is not None
    layout = build_sheet(verification.game, verification.verdict.to_stored())
    assert isinstance(layout, SeasonSheet) and not layout.year
    assert [row.start for row in layout.rows] == [30, 30]
    assert tuple(row.subtotal for row in layout.rows) == verification.verdict.final


def test_game_without_a_deal_has_no_sheet() -> None:
    verification = verify(read(makers.NOTHING_PLAYED), facts=True)
    assert verification.game is not None
    assert build_sheet(verification.game, verification.verdict.to_stored()) is None


def test_hanaawase_has_a_column_for_each_month_and_fuke() -> None:
    """Check the columns of 得点記入例 of hanaawase.

    There is a column per month, ふけ in its month, 吟味 and 合計.
    """
    verification = verify(read(write(simulate("hanaawase", seed=38))), facts=True)
    deals = verification.verdict.deals
    assert any(deal.end == "fuke" for deal in deals)
    assert verification.game is not None and verification.verdict.final is not None
    layout = build_sheet(verification.game, verification.verdict.to_stored())
    assert isinstance(layout, SeasonSheet)
    assert layout.seasons == [(month, month) for month in range(1, 13)]
    played = [deal for deal in deals if deal.end not in ("redeal", "void")]
    for i, row in enumerate(layout.rows):
        assert row.fuke == {
            deal.month - 1 for deal in played if deal.end == "fuke" and deal.next_dealer == i + 1
        }
        for deal in played:
            assert row.seasons[deal.month - 1] == ([] if deal.end == "fuke" else [deal.score[i]])
        assert row.prize is not None
        assert row.subtotal + row.prize == row.total == verification.verdict.final[i]
    assert sorted(row.prize or 0 for row in layout.rows) == [-70, -10, 80]
