"""Workbooks: variants of programs that write them, and files made to cost much."""

from __future__ import annotations

import time
import tracemalloc
from typing import Final

import pytest

from importers.attack_workbooks import ATTACKS
from kafu.importers.notebook.sheet import read_notebook, read_rows
from kafu.importers.notebook.workbook import read_sheets
from kafu.notation.faults import Malformed
from lengths import LONG, part
from workbooks import (
    BOOK,
    BOOK_RELATIONS,
    MAIN,
    OFFICE,
    SHEET,
    STRINGS,
    STYLES,
    Part,
    book_part,
    element,
    number,
    ods_cell,
    ods_row,
    parts_of,
    relations_part,
    row_of,
    shared,
    sheet,
    sheet_part,
    string,
    strings,
    styles_part,
    workbook_of,
    write_ods,
    write_workbook,
    zip_of,
)

#: The limits of any workbook: CPU seconds, and bytes of memory over those of the file.
MAX_SECONDS: Final = 3 if LONG else 1.5
MAX_MEMORY: Final = (100 if LONG else 30) << 20
STRICT_MAIN: Final = "http://purl.oclc.org/ooxml/spreadsheetml/main"
STRICT_OFFICE: Final = "http://purl.oclc.org/ooxml/officeDocument/relationships"
NAMES: Final = ["月", "Aya", "Ben"]


def texts_of(data: bytes) -> list[list[str]]:
    """Return the texts of the first sheet with cells."""
    _name, rows = read_sheets(data)[0]
    return [[cell.text for cell in row] for row in rows]


def code_of(data: bytes) -> str | None:
    """Return the code of the fault of a workbook, or None if it is read."""
    try:
        read_sheets(data)
    except Malformed as malformed:
        fault = malformed.fault
        assert fault.message("ja") and fault.message("en")
        return fault.code.id
    return None


def test_opendocument_sheet_is_read_as_it_is_shown() -> None:
    """Numbers count as they are stored; dates, spans, repeated and empty cells as they are shown.

    Notes at a cell and empty rows up to the last row of a sheet are left out.
    """
    note = "<office:annotation><text:p>note</text:p></office:annotation>"
    data = write_ods(
        cover=ods_row(ods_cell("2026")),
        points=(
            "<table:table-header-rows>"
            + ods_row(ods_cell("月"), ods_cell("A<text:span>y</text:span>a"))
            + "</table:table-header-rows>"
            + ods_row(
                ods_cell("1月", "date"),
                ods_cell("7.00", "float", "7"),
                ods_cell("△5", "float", "-5"),
            )
            + ods_row(
                "<table:table-cell/>", ods_cell("x", more='table:number-columns-repeated="2"')
            )
            + ods_row(
                ods_cell("2貫", "float", "2"), ods_cell("7", "float", more='table:style-name="ce1"')
            )
            + ods_row("<table:table-cell/>", more='table:number-rows-repeated="2"')
            + ods_row(
                '<table:table-cell table:formula="of:=1+1"/>',
                f"<table:table-cell>{note}</table:table-cell>",
            )
            + ods_row(
                '<table:table-cell table:number-columns-repeated="16384"/>',
                more='table:number-rows-repeated="1048570"',
            )
        ),
    )
    (_cover, _rows), (name, rows) = read_sheets(data)
    assert name == "points"
    assert [[cell.text for cell in row] for row in rows] == [
        ["月", "Aya", ""],
        ["1月", "7", "-5"],
        ["", "x", "x"],
        ["2貫", "~~7~~", ""],
        ["", "", ""],
        ["", "", ""],
        ["=1+1", "", ""],
    ]


def styled(code: str, value: str, **properties: str) -> bytes:
    """Return a workbook whose cell has the second style, with a number format."""
    content = (
        f'<numFmts><numFmt numFmtId="164" formatCode="{code}"/></numFmts>'
        '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>'
    )
    return with_style(content, value, **properties)


def struck_out(strike: str) -> bytes:
    """Return a workbook whose cell has a font that is struck out."""
    fonts = f"<fonts><font/><font>{strike}</font></fonts>"
    return with_style(f'{fonts}<cellXfs><xf/><xf fontId="1"/></cellXfs>', "7")


def builtin(number_format: int, value: str) -> bytes:
    """Return a workbook whose cell has the second style, with a format without a code."""
    content = f'<cellXfs><xf numFmtId="0"/><xf numFmtId="{number_format}"/></cellXfs>'
    return with_style(content, value)


def with_style(content: str, value: str, properties: str = "") -> bytes:
    """Return a workbook whose cell has the second of its styles."""
    parts: dict[str, Part | None] = {
        STYLES: styles_part(content),
        SHEET: sheet_part(element("row", f'<c s="1"><v>{value}</v></c>')),
        BOOK: book_part(more=properties),
    }
    return workbook_of(parts)


def strict() -> bytes:
    """Return a workbook in the namespaces of the strict edition, with prefixes."""
    return zip_of(
        (name, str(part).replace(MAIN, STRICT_MAIN).replace(OFFICE, STRICT_OFFICE))
        for name, part in parts_of({SHEET: prefixed(sheet_part())}).items()
    )


def prefixed(part: str) -> str:
    """Return the XML of a part with a prefix at each element."""
    marked = part.replace("</", "\0").replace("<?", "\1").replace("<", "<x:")
    return marked.replace("\0", "</x:").replace("\1", "<?").replace("xmlns=", "xmlns:x=")


def of_another_case() -> bytes:
    """Return a workbook whose parts are named in another case, with backslashes."""
    return zip_of((name.title().replace("/", "\\"), part) for name, part in parts_of().items())


def cell(kind: str, value: str) -> bytes:
    """Return a workbook with a cell of a kind."""
    return sheet(element("row", f'<c r="A1" t="{kind}">{value}</c>'))


RUNS: Final = "<r><rPr><b/></rPr><t>松</t></r><r><t>と梅</t></r>"
PHONETIC: Final = '<t>月</t><rPh sb="0" eb="1"><t>ツキ</t></rPh><phoneticPr fontId="1"/>'
#: Workbooks with the text of their only cell.
SINGLE_CELLS: Final = {
    "shared string": (strings(string("月"), element("row", shared(0))), "月"),
    "rich text": (strings(element("si", RUNS), element("row", shared(0))), "松と梅"),
    "phonetic runs": (strings(element("si", PHONETIC), element("row", shared(0))), "月"),
    "rich text in the cell": (cell("inlineStr", element("is", RUNS)), "松と梅"),
    "phonetic runs in the cell": (cell("inlineStr", element("is", PHONETIC)), "月"),
    "escaped line end": (strings(string("a_x000D_\nb"), element("row", shared(0))), "a b"),
    "escaped escape": (strings(string("_x005F_x0041_"), element("row", shared(0))), "_x0041_"),
    "escaped half of a character": (
        strings(string("a_xD800_b"), element("row", shared(0))),
        "a b",
    ),
    "string of a formula": (cell("str", '<f>"a"&amp;"b"</f><v>ab</v>'), "ab"),
    "number of a formula": (cell("n", "<f>1+2</f><v>3</v>"), "3"),
    "error": (cell("e", "<f>1/0</f><v>#DIV/0!</v>"), "#DIV/0!"),
    "true": (cell("b", "<v>1</v>"), "TRUE"),
    "false": (cell("b", "<v>0</v>"), "FALSE"),
    "ISO date": (cell("d", "<v>2026-02-03T00:00:00</v>"), "2026-02-03"),
    "section of characters": (cell("inlineStr", "<is><t><![CDATA[a<b]]></t></is>"), "a<b"),
    "whole number": (sheet(element("row", number("7.0"))), "7"),
    "negative number": (sheet(element("row", number("-5"))), "-5"),
    "number with an exponent": (sheet(element("row", number("1.2E1"))), "12"),
    "number of a sum": (sheet(element("row", number("11.999999999999998"))), "12"),
    "fraction": (sheet(element("row", number("0.5"))), "0.5"),
    "infinity": (sheet(element("row", number("1e999"))), "1e999"),
    "no number": (sheet(element("row", number("seven"))), "seven"),
    "date of a builtin format": (builtin(14, "46056"), "2026-02-03"),
    "date and time": (builtin(22, "46056.75"), "2026-02-03"),
    "date of a Japanese format": (builtin(31, "46056"), "2026-02-03"),
    "date of a written format": (
        styled("yyyy&quot;年&quot;m&quot;月&quot;", "46056"),
        "2026-02-03",
    ),
    "month of a date": (styled("m&quot;月&quot;", "46056"), "2月"),
    "month in words": (styled("mmm", "46056"), "2月"),
    "month of a negative number": (styled("mmm", "-1"), "-1"),
    "date in a language": (styled("[$-411]ggge.m.d;@", "46056"), "2026-02-03"),
    "date before the leap day": (builtin(14, "59"), "1900-02-28"),
    "date after the leap day": (builtin(14, "61"), "1900-03-01"),
    "date counted from 1904": (
        styled("yyyy/mm/dd", "44594", properties='<workbookPr date1904="1"/>'),
        "2026-02-03",
    ),
    "date too late": (builtin(14, "3000000"), "3000000"),
    "date below 1": (builtin(14, "0"), "0"),
    "time": (builtin(20, "0.5"), "12:00:00"),
    "time of a written format": (styled("h:mm AM/PM", "0.75"), "18:00:00"),
    "duration": (styled("[h]:mm", "1.5"), "1.5"),
    "percent": (builtin(9, "0.5"), "50%"),
    "percent of a written format": (styled("0.0%", "1"), "100%"),
    "formula without a value": (cell("n", "<f>2+3</f>"), "=2+3"),
    "formula with an empty value": (cell("n", "<f>2+3</f><v/>"), "=2+3"),
    "repeated formula without a value": (cell("n", '<f t="shared" si="0"/><v></v>'), "=…"),
    "formula of an empty text": (cell("str", '<f>""</f><v></v>'), None),
    "kan": (styled("0&quot;貫&quot;;[Red]▲0&quot;貫&quot;", "-1.5"), "-1.5貫"),
    "struck out": (struck_out("<strike/>"), "~~7~~"),
    "not struck out": (struck_out('<strike val="0"/>'), "7"),
    "colour and unit": (styled("[Red]#,##0&quot;days&quot;", "7"), "7"),
    "escaped letters": (styled("0\\d\\a\\y", "7"), "7"),
    "style that is not there": (sheet('<row><c s="9"><v>7</v></c></row>'), "7"),
    "empty cells around": (sheet("<row/><row><c/><c><v/></c></row><row><c/></row>"), None),
}
#: Workbooks with the table of names and one month.
TABLES: Final = {
    "cells without references": workbook_of(),
    "strict edition with prefixes": strict(),
    "names in another case with backslashes": of_another_case(),
    "UTF-16": workbook_of({SHEET: sheet_part().replace("UTF-8", "UTF-16").encode("utf-16")}),
    "byte order mark": workbook_of({SHEET: sheet_part().encode("utf-8-sig")}),
    "absolute targets": workbook_of(
        {BOOK_RELATIONS: relations_part([("rId1", "worksheet", f"/{SHEET}")]), STRINGS: None}
    ),
    "list of sheets elsewhere": workbook_of(
        {
            "_rels/.rels": relations_part([("a", "officeDocument", "/xl/workbook2.xml")]),
            BOOK: None,
            BOOK_RELATIONS: None,
            "xl/workbook2.xml": book_part(),
            "xl/_rels/workbook2.xml.rels": relations_part([("rId1", "worksheet", f"/{SHEET}")]),
        }
    ),
    "document type in a part that is not read": workbook_of({"xl/a.xml": "<!DOCTYPE a><a/>"}),
    "far cell without text": sheet(
        row_of(*NAMES) + row_of("1", "7", "0") + '<row r="1048576"><c r="XFD1048576" s="1"/></row>'
    ),
    "chart before the table": workbook_of(
        {
            BOOK: book_part('<sheet name="c" r:id="rId9"/><sheet name="a" r:id="rId1"/>'),
            BOOK_RELATIONS: relations_part(
                [("rId9", "chartsheet", "c.xml"), ("rId1", "worksheet", f"/{SHEET}")]
            ),
        }
    ),
    "numbers": write_workbook({"a": [[*NAMES], [1, 7.0, 0]]}),
    "blank sheet before the table": write_workbook({"b": [], "a": [[*NAMES], [1, 7, 0]]}),
}
#: The codes of workbooks that are too large or damaged.
REFUSED: Final = {
    **dict.fromkeys(
        ("part too large unpacked", "row of a million cells", "many files"),
        "notebook-workbook-too-large",
    ),
    **dict.fromkeys(("two cells far apart", "long string used 6,000 times"), "notebook-too-large"),
    **dict.fromkeys(
        (
            "OpenDocument with a repeated row of long texts",
            "OpenDocument with a repeated cell",
            "OpenDocument with many rows",
        ),
        "notebook-too-large",
    ),
    "OpenDocument with a negative repetition": "notebook-workbook",
    **dict.fromkeys(
        (
            *("entities in UTF-16", "entities in a part of another name", "encrypted workbook"),
            *("truncated workbook", "text document", "without xl/worksheets/sheet1.xml"),
        ),
        "notebook-workbook",
    ),
}
#: Workbooks whose reading takes the most time. `make test` reads others of their kinds.
COSTLY: Final = {
    *("120,000 sheets of one part", "twenty sheets of one large part", "many short strings"),
    *("twenty sheets of full tables", "rows without cells", "cells with references", "LZMA"),
    *("empty strings", "cell of many texts", "names of elements"),
}
#: Workbooks whose reading needs the most memory.
LARGE: Final = (
    "one string of wide characters",
    "many short strings",
    "names of elements",
    "attributes of many elements",
    "deep elements",
    "twenty sheets of full tables",
    "directory that states less",
    "bzip2",
)


def test_cell_is_read_as_the_spreadsheet_stores_it() -> None:
    for name, (data, text) in SINGLE_CELLS.items():
        if text is None:
            assert read_sheets(data) == [], name
        else:
            assert texts_of(data) == [[text]], name


def test_months_of_dates_and_formulas_are_read_as_the_spreadsheet_shows_them() -> None:
    formats = (
        '<numFmts><numFmt numFmtId="164" formatCode="m&quot;月&quot;"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>'
    )
    months = "".join(
        f'<row><c s="1"><v>{46023 + day}</v></c><c><f>3+{aya - 3}</f><v>{aya}</v></c>'
        f"<c><v>{ben}</v></c></row>"
        for day, aya, ben in ((0, 5, 0), (31, 0, 6))
    )
    options = {"profile": "koikoi-nintendo", "months": "2"}
    parts: dict[str, Part | None] = {
        STYLES: styles_part(formats),
        SHEET: sheet_part(row_of(*NAMES) + months),
    }
    notebook = read_notebook(workbook_of(parts), "koikoi", options)
    assert notebook.verification is not None
    assert notebook.verification.verdict.final == (5, 6)
    parts[SHEET] = sheet_part(row_of(*NAMES) + months.replace("<v>5</v>", "<v></v>"))
    (fault,) = read_notebook(workbook_of(parts), "koikoi", options).faults
    assert (fault.code.id, fault.line, fault.column) == ("notebook-formula", 2, 2)
    assert "B2" in fault.message()


@pytest.mark.parametrize("name", TABLES)
def test_variant_of_a_workbook_is_read_as_its_table(name: str) -> None:
    assert texts_of(TABLES[name]) == [NAMES, ["1", "7", "0"]]


def test_cells_are_read_at_their_references() -> None:
    data = sheet('<row r="3"><c r="B3"><v>1</v></c><c><v>2</v></c><c r="F3"><v>3</v></c></row>')
    assert texts_of(data) == [[""] * 6, [""] * 6, ["", "1", "2", "", "", "3"]]


def test_workbook_of_several_sheets_is_read_as_the_table_of_its_notebook() -> None:
    rows: list[list[str | int | float | None]] = [
        ["月", "Aya", "Ben", "計"],
        ["1月", 7, None, 7.0],
        ["2月", None, 5, None],
    ]
    data = write_workbook({"memo": [["hello"]], "点数": rows})
    table, warnings = read_rows(data)
    assert [[cell.text for cell in row] for row in table[:2]] == [
        ["月", "Aya", "Ben", "計"],
        ["1月", "7", "", "7"],
    ]
    assert [fault.values["found"] for fault in warnings] == ["点数"]
    game = read_notebook(data, "koikoi", {}).game
    assert game is not None and [m.payments[0].amounts for m in game.months] == [(7, 0), (0, 5)]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("attack", [name for name in ATTACKS if LONG or name not in COSTLY])
def test_workbook_made_to_cost_much_is_read_or_refused_in_short_time(attack: str) -> None:
    data = ATTACKS[attack]()
    start = time.process_time()
    code = code_of(data)
    assert time.process_time() - start < MAX_SECONDS
    assert attack not in REFUSED or code == REFUSED[attack]


@pytest.mark.long
@pytest.mark.parametrize("attack", part(LARGE))
def test_large_workbook_is_read_or_refused_in_bounded_memory(attack: str) -> None:
    data = ATTACKS[attack]()
    tracemalloc.start()
    try:
        code_of(data)
        _size, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MAX_MEMORY
