"""Cells of CSV files: no spreadsheet takes a part of a text for a formula."""

from __future__ import annotations

import csv
import io

import pytest

from records.base.csv_cells import safe_cell

SIGNS = "=+-@＝＋－＠"


def test_cell_begins_no_formula_whatever_separates_the_cells() -> None:
    for text in [
        *(f"{sign}1+1" for sign in SIGNS),
        *(
            f"{before}{sign}1+1"
            for before in ("x;", 'x;"', "x\t", "x\r\n", "\t", ";")
            for sign in "=＠"
        ),
        "x;=1;=2",
    ]:
        for separator in [",", ";", "\t"]:
            file = io.StringIO()
            csv.writer(file).writerow(["Aya", safe_cell(text), "end"])
            # A separator is heeded within quotation marks that do not begin a field.
            rows = csv.reader(io.StringIO(file.getvalue()), delimiter=separator)
            assert not [cell for row in rows for cell in row if cell.lstrip('"')[:1] in [*SIGNS]], (
                text,
                separator,
            )


@pytest.mark.parametrize("text", ["", "Aya", "2026-01-03", "a; b - c", "Aya\nBen", "松;鶴"])
def test_text_without_a_formula_is_unchanged(text: str) -> None:
    assert safe_cell(text) == text
