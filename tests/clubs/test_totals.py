"""Spreadsheets of sums: their forms, and the cells that cannot be read."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from clubs.totals import MAX_BYTES, MAX_NAMES, Total, Totals, TotalsError, read_totals
from kafu.importers.notebook.sheet import read_rows
from kafu.importers.notebook.table import write_table
from lengths import LONG
from workbooks import SHEET, STYLES, row_of, sheet_part, styles_part, workbook_of

BEGIN = date(2026, 4, 1)
TABLES = 500 if LONG else 40


def read(text: str, *, kan: bool = False) -> Totals:
    """Return the sums of a table of a season that begins in April 2026."""
    return read_totals(text, BEGIN, kan=kan)


def sums_of(totals: Totals) -> dict[tuple[str, str], int]:
    """Return the sums by name and day."""
    return {(total.player, total.day.isoformat()): total.amount for total in totals.totals}


def test_table_has_names_days_and_sums_with_their_cells() -> None:
    assert read("\t2026-04-03\t4/10\nAya\t5\t\nBen\t-5\t-\n") == Totals(
        players=("Aya", "Ben"),
        days=(date(2026, 4, 3), date(2026, 4, 10)),
        totals=(
            Total("Aya", date(2026, 4, 3), 5, row=2, column=2),
            Total("Ben", date(2026, 4, 3), -5, row=3, column=2),
        ),
        left_out=(),
    )


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2026-04-03", "2026-04-03"),
        ("2026/4/3", "2026-04-03"),
        ("令和8年4月3日(金)", "2026-04-03"),
        ("4/3", "2026-04-03"),
        ("4月3日", "2026-04-03"),
        ("４月３日（金）", "2026-04-03"),
        ("四月三日", "2026-04-03"),
        ("4/3(Fri)", "2026-04-03"),
        ("3-Apr", "2026-04-03"),
        ("April 3rd", "2026-04-03"),
        ("4.3", "2026-04-03"),
        ("4/1", "2026-04-01"),
        ("3/31", "2027-03-31"),
        ("1月9日", "2027-01-09"),
    ],
)
def test_date_is_the_first_such_day_of_the_season(written: str, day: str) -> None:
    assert read(f"名前,{written}\nAya,1\n").days == (date.fromisoformat(day),)


@pytest.mark.parametrize("word", ["", "-", "ー", "×", "休", "欠席", " "])
def test_absent_player_has_no_sum(word: str) -> None:
    assert sums_of(read(f"\t4/3\t4/10\nAya\t{word}\t3\n")) == {("Aya", "2026-04-10"): 3}


@pytest.mark.parametrize(
    ("word", "amount"), [("▲18", -18), ("(18)", -18), ("+9文", 9), ("１２", 12), ("12.0", 12)]
)
def test_amount_is_read_as_people_write_it(word: str, amount: int) -> None:
    assert sums_of(read(f"\t4/3\nAya\t{word}\n")) == {("Aya", "2026-04-03"): amount}


def test_kan_is_read_where_the_ruleset_has_it() -> None:
    text = "\t4/3\t合計\nAya\t+5k\t5貫\nBen\t-3貫6文\t▲3k6\n"
    assert sums_of(read(text, kan=True)) == {("Aya", "2026-04-03"): 60, ("Ben", "2026-04-03"): -42}


def test_transposed_table_of_random_sums_is_equal() -> None:
    for seed in range(TABLES):
        random = Random(seed)
        days = [BEGIN + timedelta(days=7 * week) for week in range(random.randint(1, 6))]
        names = [f"Aya {number}" for number in range(random.randint(1, 6))]
        amounts = [[random.randint(-99, 99) for _ in days] for _ in names]
        rows: list[list[object]] = [["名前", *days, "合計"]]
        rows += [[name, *line, sum(line)] for name, line in zip(names, amounts, strict=True)]
        rows.append(["計", *map(sum, zip(*amounts, strict=True)), ""])
        separator = random.choice("\t,;")
        expected = {
            (name, day.isoformat()): amounts[i][j]
            for i, name in enumerate(names)
            for j, day in enumerate(days)
        }
        for table in (rows, list(zip(*rows, strict=True))):
            text = "\r\n".join(separator.join(map(str, row)) for row in table)
            totals = read("2026年前期\n\n" + text)
            assert sums_of(totals) == expected
            assert totals.players == tuple(names)
            assert totals.days == tuple(days)
            assert sorted(totals.left_out) == ["合計", "計"]


def test_figures_besides_the_sums_are_left_out() -> None:
    text = "No,名前,所属,4/3,4/10,総合,順位\n1,Aya,東,5,1,6,1位\n2,Ben,,-5,,-5,2位\n計,,,0,1,1,\n"
    totals = read(f"{text}平均,,,0,1,,\n")
    assert totals.players == ("Aya", "Ben")
    assert len(totals.totals) == 3
    assert totals.left_out == ("計", "平均", "No", "所属", "総合", "順位")


def test_drawn_table_is_read() -> None:
    assert sums_of(read("|名前|4/3|\n|---|---|\n|Aya|4|\n")) == {("Aya", "2026-04-03"): 4}


def test_workbook_is_read_by_way_of_its_text() -> None:
    head = '<row><c t="inlineStr"><is><t>名前</t></is></c><c s="1"><v>46115</v></c></row>'
    styles = styles_part('<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>')
    data = workbook_of({STYLES: styles, SHEET: sheet_part(head + row_of("Aya", "7"))})
    rows, _warnings = read_rows(data)
    assert sums_of(read(write_table(rows))) == {("Aya", "2026-04-03"): 7}


@pytest.mark.parametrize(
    ("text", "reason", "cell"),
    [
        ("", "no-dates", "A1"),
        ("成績表", "no-dates", "A1"),
        ("\tfirst\nAya\t3\n", "no-dates", "B1"),
        ("\t4/3\nAya\t\n", "no-totals", "B1"),
        ("\t4/3\t4/4\n合計\t3\t4\n", "no-totals", "B1"),
        ("\t4/3\t4/10\t第3回\nAya\t1\t2\t5\n", "date", "D1"),
        ("\t4/3\t2026-13-40\nAya\t1\t2\n", "date", "C1"),
        ("\t4/3\t2/29\nAya\t1\t2\n", "date", "C1"),
        ("\t4/3\t4月3日\nAya\t1\t2\n", "date-twice", "C1"),
        ("4/3\t4/10\nAya\t1\t2\n", "name", "A1"),
        ("\t4/3\t4/10\nAya\t1\t2\n\t3\t4\n", "name", "A3"),
        ("\t4/3\t4/10\nAya\t1\t2\nＡＹＡ\t3\t4\n", "name-twice", "A3"),
        ("\t4/3\t4/10\nAya\t1\t2\nBen\t3\tfour\n", "amount", "C3"),
        ("\t4/3\t4/10\nAya\t1\t2.5\n", "amount", "C2"),
        ("\t4/3\t4/10\nAya\t1\t=B2\n", "amount", "C2"),
        ("\t4/3\t4/10\nAya\t1\t5k\n", "no-kan", "C2"),
        ("\t4/3\t4/10\t合計\nAya\t1\t2\t4\n", "sum", "D2"),
        ("\t4/3\t4/10\nAya\t1\t2\n合計\t1\t3\n", "sum", "C3"),
        ("\tAya\tBen\n4/3\t1\t2\n4/10\t1\tfour\n", "amount", "C3"),
        ("x" * (MAX_BYTES + 1), "too-large", "A1"),
        (
            "\t4/3\t4/4\n" + "".join(f"n{i}\t1\t2\n" for i in range(MAX_NAMES + 1)),
            "too-large",
            "A502",
        ),
        ("\t4/3\t4/4\n" + "".join(f"n{i}\t1\t2\n" for i in range(9999)), "too-large", "A1"),
    ],
)
def test_cell_that_cannot_be_read_is_named(text: str, reason: str, cell: str) -> None:
    with pytest.raises(TotalsError) as caught:
        read(text)
    assert (caught.value.reason, caught.value.cell) == (reason, cell)


def test_error_says_what_was_found_and_expected() -> None:
    with pytest.raises(TotalsError) as caught:
        read("\t4/3\t合計\nAya\t3\t4\n")
    assert str(caught.value) == "row 2, column 3 (C2): found 4, expected the sum 3"


def test_formula_without_a_value_is_no_wrong_sum() -> None:
    totals = read("\t4/3\t4/10\t合計\nAya\t1\t2\t=SUM(B2:C2)\n")
    assert totals.left_out == ("合計",)


def test_any_table_is_read_or_refused() -> None:
    words = [
        "",
        "",
        "4/3",
        "4月10日",
        "2026-04-17",
        "Aya",
        "Ben",
        "3",
        "-4",
        "計",
        "順位",
        "x",
        '"',
    ]
    for seed in range(10 * TABLES):
        random = Random(seed)
        lines = [
            "\t".join(random.choices(words, k=random.randint(0, 4)))
            for _ in range(random.randint(0, 5))
        ]
        try:
            totals = read("\n".join(lines))
        except TotalsError:
            continue
        assert {total.player for total in totals.totals} <= {*totals.players}
        assert {total.day for total in totals.totals} <= {*totals.days}
