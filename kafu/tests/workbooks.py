"""Workbooks (.xlsx) written part by part, as spreadsheets and other programs write them."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Final
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
CONTENT: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
SHEET: Final = "xl/worksheets/sheet1.xml"
STRINGS: Final = "xl/sharedStrings.xml"
STYLES: Final = "xl/styles.xml"
BOOK: Final = "xl/workbook.xml"
BOOK_RELATIONS: Final = "xl/_rels/workbook.xml.rels"
LISTED: Final = '<sheet name="a" sheetId="1" r:id="rId1"/>'

Part = str | bytes


def inline_cell(text: str, reference: str = "") -> str:
    """Return a cell with its text in it."""
    place = f' r="{reference}"' if reference else ""
    return f'<c{place} t="inlineStr"><is><t>{text}</t></is></c>'


def row_of(*texts: str) -> str:
    """Return a row of cells."""
    return f"<row>{''.join(map(inline_cell, texts))}</row>"


TABLE: Final = row_of("月", "Aya", "Ben") + row_of("1", "7", "0")


def sheet_part(data: str = TABLE, before: str = "", after: str = "", root: str = "") -> str:
    """Return the XML of a sheet."""
    return (
        f'{DECLARATION}<worksheet xmlns="{MAIN}"{root}>{before}<sheetData>{data}</sheetData>{after}'
        "</worksheet>"
    )


def strings_part(items: str) -> str:
    """Return the XML of shared strings."""
    return f'{DECLARATION}<sst xmlns="{MAIN}">{items}</sst>'


def styles_part(content: str) -> str:
    """Return the XML of styles."""
    return f'{DECLARATION}<styleSheet xmlns="{MAIN}">{content}</styleSheet>'


def book_part(sheets: str = LISTED, more: str = "") -> str:
    """Return the XML of the list of sheets."""
    return (
        f'{DECLARATION}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{sheets}</sheets>{more}'
        "</workbook>"
    )


def relations_part(relations: Iterable[tuple[str, str, str]]) -> str:
    """Return the XML of relations: ids, kinds and targets."""
    lines = "".join(
        f'<Relationship Id="{id_}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for id_, kind, target in relations
    )
    return f'{DECLARATION}<Relationships xmlns="{PACKAGE}">{lines}</Relationships>'


def parts_of(changed: dict[str, Part | None] | None = None) -> dict[str, Part]:
    """Return the parts of a workbook with one sheet, some of them changed or left out."""
    parts: dict[str, Part | None] = {
        "[Content_Types].xml": (
            f"{DECLARATION}"
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/{BOOK}" ContentType="{CONTENT}.sheet.main+xml"/>'
            f'<Override PartName="/{STYLES}" ContentType="{CONTENT}.styles+xml"/>'
            f'<Override PartName="/{STRINGS}" ContentType="{CONTENT}.sharedStrings+xml"/>'
            f'<Override PartName="/{SHEET}" ContentType="{CONTENT}.worksheet+xml"/></Types>'
        ),
        "_rels/.rels": relations_part([("rId1", "officeDocument", BOOK)]),
        BOOK: book_part(),
        BOOK_RELATIONS: relations_part(
            [
                ("rId1", "worksheet", "worksheets/sheet1.xml"),
                ("rId2", "styles", "styles.xml"),
                ("rId3", "sharedStrings", "sharedStrings.xml"),
            ]
        ),
        STYLES: styles_part('<cellXfs count="1"><xf numFmtId="0"/></cellXfs>'),
        STRINGS: strings_part("<si><t>a</t></si>"),
        SHEET: sheet_part(),
    }
    parts |= changed or {}
    return {name: part for name, part in parts.items() if part is not None}


def zip_of(parts: Iterable[tuple[str, Part]], method: int = ZIP_DEFLATED) -> bytes:
    """Return a ZIP of parts."""
    stream = io.BytesIO()
    with ZipFile(stream, "w", method) as archive:
        for name, part in parts:
            archive.writestr(name, part)
    return stream.getvalue()


def workbook_of(changed: dict[str, Part | None] | None = None, method: int = ZIP_DEFLATED) -> bytes:
    """Return a workbook with one sheet, some of its parts changed or left out."""
    return zip_of(parts_of(changed).items(), method)


def element(name: str, content: str) -> str:
    """Return an element."""
    return f"<{name}>{content}</{name}>"


def sheet(data: str = TABLE, **more: str) -> bytes:
    """Return a workbook with a sheet of such data."""
    return workbook_of({SHEET: sheet_part(data, **more)})


def styles(content: str) -> bytes:
    """Return a workbook with such styles, used by a cell."""
    cell = '<row><c s="0"><v>45000</v></c></row>'
    return workbook_of({STYLES: styles_part(content), SHEET: sheet_part(cell + TABLE)})


def strings(items: str, data: str) -> bytes:
    """Return a workbook with such shared strings and data."""
    return workbook_of({STRINGS: strings_part(items), SHEET: sheet_part(data)})


def shared(index: int) -> str:
    """Return a cell with a shared string."""
    return f'<c t="s"><v>{index}</v></c>'


def number_format(code: str) -> bytes:
    """Return a workbook whose first cell has a number format."""
    return styles(
        f'<numFmts><numFmt numFmtId="200" formatCode="{code}"/></numFmts>'
        '<cellXfs><xf numFmtId="200"/></cellXfs>'
    )


def string(text: str) -> str:
    """Return a shared string."""
    return f'<si><t xml:space="preserve">{text}</t></si>'


def number(text: str) -> str:
    """Return a cell with a number."""
    return f"<c><v>{text}</v></c>"


def write_workbook(sheets: dict[str, list[list[str | int | float | None]]]) -> bytes:
    """Return a workbook with the rows of each sheet."""
    names = [f"xl/worksheets/sheet{number}.xml" for number in range(1, len(sheets) + 1)]
    listed = "".join(
        f'<sheet name="{escape(title)}" sheetId="{i}" r:id="rId{i}"/>'
        for i, title in enumerate(sheets, start=1)
    )
    parts: dict[str, Part | None] = {
        name: sheet_part("".join(element("row", "".join(map(_cell, row))) for row in rows))
        for name, rows in zip(names, sheets.values(), strict=True)
    }
    relations = [(f"rId{i}", "worksheet", f"/{name}") for i, name in enumerate(names, start=1)]
    parts |= {BOOK: book_part(listed), BOOK_RELATIONS: relations_part(relations)}
    return workbook_of(parts)


def ods_cell(text: str, kind: str = "string", value: str = "", more: str = "") -> str:
    """Return a cell of an OpenDocument sheet with its shown text, and the value of a number."""
    stored = f' office:value="{value or text}"' if kind == "float" else ""
    return (
        f'<table:table-cell office:value-type="{kind}"{stored} {more}>'
        f"<text:p>{text}</text:p></table:table-cell>"
    )


def ods_row(*cells: str, more: str = "") -> str:
    """Return a row of an OpenDocument sheet."""
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def write_ods(**sheets: str) -> bytes:
    """Return an OpenDocument workbook with the rows of each sheet. Style ``ce1`` strikes out."""
    tables = "".join(
        f'<table:table table:name="{name}">{rows}</table:table>' for name, rows in sheets.items()
    )
    content = (
        f'{DECLARATION}<office:document-content xmlns:office="o" xmlns:style="s" xmlns:table="t" '
        'xmlns:text="x">'
        '<office:automatic-styles><style:style style:name="ce1">'
        '<style:text-properties style:text-line-through-style="solid"/></style:style>'
        "</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return zip_of([("mimetype", kind), ("content.xml", content)])


def _cell(value: str | int | float | None) -> str:
    if value is None:
        return "<c/>"
    return inline_cell(escape(value)) if isinstance(value, str) else number(str(value))
