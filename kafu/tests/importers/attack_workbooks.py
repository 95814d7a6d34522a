"""Workbooks made to cost much: small files that unpack to long, deep, wide or repeated parts."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import Final
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile, ZipInfo

from lengths import LONG
from workbooks import (
    BOOK,
    BOOK_RELATIONS,
    DECLARATION,
    LISTED,
    SHEET,
    STRINGS,
    STYLES,
    TABLE,
    book_part,
    element,
    inline_cell,
    number,
    number_format,
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
    strings_part,
    styles,
    styles_part,
    workbook_of,
    write_ods,
    zip_of,
)

#: Somewhat less than the maximum size of a workbook's parts, and somewhat more. Parts that are read
#: are of a quarter in `make test`.
FULL: Final = 7_900_000 // (1 if LONG else 4)
OVER: Final = 9_000_000
HUGE: Final = 20_000_000


def with_stated_size(data: bytes, name: str, size: int) -> bytes:
    """Return a workbook whose directory states another unpacked size of a part."""
    place = data.rindex(b"PK\x01\x02", 0, data.rindex(name.encode()))
    return data[: place + 24] + struct.pack("<I", size) + data[place + 28 :]


def overlapping(count: int, size: int) -> bytes:
    """Return a workbook whose sheets share the bytes of one file, and are listed several times."""
    names = [f"xl/worksheets/sheet{i}.xml" for i in range(1, count + 1)]
    base = parts_of(
        {
            BOOK: book_part("".join(f'<sheet name="s{i}" r:id="rId{i}"/>' for i in range(count))),
            BOOK_RELATIONS: relations_part(
                (f"rId{i}", "worksheet", f"/{name}") for i, name in enumerate(names)
            ),
        }
    )
    del base[SHEET]
    stream = io.BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for name, part in base.items():
            archive.writestr(name, part)
        archive.writestr(names[0], sheet_part(TABLE, after=" " * size))
        first = archive.getinfo(names[0])
        for name in names[1:]:
            entry = ZipInfo(name)
            entry.compress_type = ZIP_DEFLATED
            entry.header_offset, entry.CRC = first.header_offset, first.CRC
            entry.compress_size, entry.file_size = first.compress_size, first.file_size
            archive.filelist.append(entry)
            archive.NameToInfo[name] = entry
    return stream.getvalue()


def quoting(count: int, size: int) -> bytes:
    """Return a ZIP whose files contain the headers of the following files (Fifield's ZIP bomb)."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    content = b" " * size
    body = packer.compress(content) + packer.flush()
    entries = []
    for i in reversed(range(count)):
        name = f"xl/worksheets/sheet{i}.xml".encode()
        fields = (20, 0, 8, 0, 0, zlib.crc32(content), len(body), len(content), len(name), 0)
        header = struct.pack("<4s5H3I2H", b"PK\x03\x04", *fields) + name
        entries.append((name, fields, len(header) + len(body)))
        # A stored block of DEFLATE contains the header.
        body = struct.pack("<BHH", 0, len(header), len(header) ^ 0xFFFF) + header + body
        content = header + content
    body = body[5:]
    directory = b"".join(
        struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, *fields, 0, 0, 0, 0, len(body) - end) + name
        for name, fields, end in entries
    )
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + end


def encrypted(data: bytes) -> bytes:
    """Return a workbook whose files are marked as encrypted."""
    for sign, place in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        start = data.find(sign)
        while start >= 0:
            data = data[: start + place] + b"\x01" + data[start + place + 1 :]
            start = data.find(sign, start + 1)
    return data


def entities() -> str:
    """Return a document type whose last entity expands exponentially."""
    lines = ['<!ENTITY e0 "lol">']
    lines += ['<!ENTITY e{} "{}">'.format(i, f"&e{i - 1};" * 10) for i in range(1, 10)]
    return f"<!DOCTYPE x [{''.join(lines)}]>"


def with_entities(part: str) -> str:
    """Return a part with entities that expand, and one of them in place of a name."""
    return part.replace(DECLARATION, DECLARATION + entities(), 1).replace("Aya", "&e9;")


def filled(unit: str | Callable[[int], str], size: int = FULL) -> str:
    """Return a unit repeated to a size, or units by their number."""
    if isinstance(unit, str):
        return unit * (size // len(unit))
    texts, length, number = [], 0, 0
    while length < size:
        texts.append(unit(number))
        length += len(texts[-1])
        number += 1
    return "".join(texts)


def grid(rows: int, columns: int, cell: str) -> str:
    """Return rows of equal cells."""
    return f"<row>{cell * columns}</row>" * rows


def with_document_type(declarations: str, part: str) -> bytes:
    """Return a workbook whose sheet has a document type."""
    document_type = f"<!DOCTYPE worksheet [{declarations}]>"
    return workbook_of({SHEET: part.replace(DECLARATION, DECLARATION + document_type, 1)})


def attribute(index: int) -> str:
    """Return an attribute of its own name."""
    return f'a{index}="" '


def namespace(index: int) -> str:
    """Return the declaration of a namespace."""
    return f'xmlns:n{index}="u" '


def default_attribute(index: int) -> str:
    """Return the declaration of an attribute with a value."""
    return f'a{index} CDATA "{"x" * 80}" '


def far_apart(first: str, second: str) -> str:
    """Return two rows with one cell each at such places."""
    rows = [
        f'<row r="{place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}">{inline_cell("1", place)}</row>'
        for place in (first, second)
    ]
    return "".join(rows)


STYLE: Final = '<cellXfs><xf numFmtId="0"/></cellXfs>'
LETTERS: Final = "x" * 32_000
BLANKS: Final = " " * 32_000
NUMBER_FORMATS: Final[dict[str, Callable[[], bytes]]] = {
    "format of opening brackets": lambda: number_format("[" * 3_000_000),
    "format of quotes": lambda: number_format("&quot;" * 500_000),
    "format of backslashes": lambda: number_format("\\" * 3_000_000),
    "format of elapsed hours": lambda: number_format("[h" * 1_500_000),
    "thousands of formats of brackets": lambda: styles(
        element("numFmts", filled(f'<numFmt numFmtId="7" formatCode="{"[" * 1000}"/>')) + STYLE
    ),
    "cell formats of dates": lambda: styles(
        element("cellXfs", filled('<xf numFmtId="14" fontId="0" fillId="0"/>'))
    ),
}
STRING_ATTACKS: Final[dict[str, Callable[[], bytes]]] = {
    "long string used 6,000 times": lambda: strings(string(LETTERS), grid(100, 60, shared(0))),
    "long string of blanks used often": lambda: strings(
        string(f"a{BLANKS}"), grid(300, 60, shared(0))
    ),
    "long string of blanks alone": lambda: strings(string(BLANKS), grid(2000, 100, shared(0))),
    "long string of escapes": lambda: strings(string("_x000D_" * 4500), grid(300, 60, shared(0))),
    "strings of invisible characters": lambda: strings(
        string("\u200b\x7f" * 400), grid(250, 5, shared(0))
    ),
    "one string of all bytes": lambda: strings(string("x" * FULL), TABLE),
    "one string of wide characters": lambda: strings(string("x" * FULL + "\U0001f3b4"), TABLE),
    "many short strings": lambda: strings(
        filled(lambda i: string(str(i))), grid(20, 20, shared(50_000))
    ),
    "empty strings": lambda: strings(filled("<si/>"), TABLE),
    "rich text used often": lambda: strings(
        element("si", "<r><t>a</t></r>" * 20_000), grid(200, 60, shared(0))
    ),
}
SHEET_ATTACKS: Final[dict[str, Callable[[], bytes]]] = {
    "120,000 sheets of one part": lambda: workbook_of({BOOK: book_part(LISTED * 120_000)}),
    "twenty sheets of one large part": lambda: workbook_of(
        {BOOK: book_part(LISTED * 20), SHEET: sheet_part(TABLE + filled("<row/>", 2_000_000))}
    ),
    "twenty sheets of full tables": lambda: workbook_of(
        {BOOK: book_part(LISTED * 20), SHEET: sheet_part(far_apart("A1", "BH300"))}
    ),
    "relations of one part": lambda: workbook_of(
        {BOOK_RELATIONS: relations_part([("rId1", "worksheet", "a")] * 60_000)}
    ),
    "long name of a sheet": lambda: workbook_of(
        {BOOK: book_part(f'<sheet name="{"n" * FULL}" sheetId="1" r:id="rId1"/>')}
    ),
    "row of a million cells": lambda: sheet(element("row", "<c/>" * 1_000_000)),
    "rows without cells": lambda: sheet(filled("<row/>")),
    "cells with references": lambda: sheet(filled(lambda i: f'<row r="{i + 1}"><c r="A1"/></row>')),
    "two cells far apart": lambda: sheet(far_apart("A1", "XFD1048576")),
    "two cells farther apart": lambda: sheet(far_apart("A1", "ZZZ9999999")),
    "row of a million digits": lambda: sheet(f'<row r="{"9" * 1_000_000}"><c/></row>'),
    "reference of a million letters": lambda: sheet(f'<row><c r="{"A" * 1_000_000}1"/></row>'),
    "index of a million digits": lambda: sheet(element("row", shared(10**4000) * 1000)),
    "number of a million digits": lambda: sheet(element("row", number("9" * 1_000_000))),
    "numbers of a thousand digits": lambda: sheet(grid(20, 40, number(f"0.{'1' * 900}e-300"))),
    "cell of many texts": lambda: sheet(
        element("row", f'<c t="inlineStr">{element("is", filled("<r><t>a</t></r>"))}</c>')
    ),
    "long formula": lambda: sheet(element("row", f"<c><f>{'A1+' * 2_000_000}1</f><v>1</v></c>")),
    "shared formulas": lambda: sheet(
        filled('<row><c><f t="shared" ref="A1:XFD1048576" si="0"/><v/></c></row>')
    ),
}
XML_ATTACKS: Final[dict[str, Callable[[], bytes]]] = {
    "deep elements": lambda: sheet("<a>" * 1_000_000),
    "long attribute": lambda: sheet(f'<row x="{"a" * FULL}"/>'),
    "long name of an element": lambda: sheet(f"<{'a' * FULL}/>"),
    "attributes of many elements": lambda: sheet(
        filled(f"<row {''.join(map(attribute, range(1000)))}/>")
    ),
    "names of elements": lambda: sheet(filled(lambda i: f"<a{i}/>", 4_000_000)),
    "nested namespaces": lambda: sheet(filled(lambda i: f'<n:a xmlns:n="u{i}">')),
    "unfinished tag": lambda: workbook_of({SHEET: "<a " + " " * FULL}),
    "noughts": lambda: workbook_of({SHEET: bytes(FULL)}),
}
ENTITY_ATTACKS: Final[dict[str, Callable[[], bytes]]] = {
    "entities in a sheet": lambda: workbook_of({SHEET: with_entities(sheet_part())}),
    "entities in shared strings": lambda: workbook_of(
        {STRINGS: with_entities(strings_part(string("Aya")))}
    ),
    "entities in styles": lambda: workbook_of({STYLES: with_entities(styles_part(STYLE))}),
    "entities in the list of sheets": lambda: workbook_of({BOOK: with_entities(book_part())}),
    "entities in relations": lambda: workbook_of(
        {"_rels/.rels": with_entities(relations_part([("rId1", "officeDocument", "Aya")]))}
    ),
    "entities in a part of another name": lambda: workbook_of(
        {
            BOOK_RELATIONS: relations_part([("rId1", "worksheet", "sheet.dat")]),
            SHEET: None,
            "xl/sheet.dat": with_entities(sheet_part()),
        }
    ),
    "long entity used often": lambda: with_document_type(
        f'<!ENTITY e "{"x" * 100_000}">', sheet_part(row_of("&e;" * 50_000))
    ),
    "external entity": lambda: with_document_type(
        '<!ENTITY e SYSTEM "file:///etc/hostname">', sheet_part(row_of("&e;"))
    ),
    "parameter entity": lambda: with_document_type(
        '<!ENTITY % e SYSTEM "file:///etc/hostname"> %e;', sheet_part()
    ),
    "long document type": lambda: with_document_type(
        filled('<!ATTLIST a b CDATA "c">'), sheet_part()
    ),
    "default attributes": lambda: with_document_type(
        "<!ATTLIST row " + filled(default_attribute, 900_000) + ">",
        sheet_part(filled("<row/>", 4_000_000)),
    ),
    **{
        f"entities in {encoding}": lambda encoding=encoding: workbook_of(  # type: ignore[misc]
            {
                SHEET: with_entities(sheet_part(TABLE.replace("月", "")))
                .replace("UTF-8", encoding)
                .encode(encoding)
            }
        )
        for encoding in ("UTF-16", "UTF-7", "cp037")
    },
}
ZIP_ATTACKS: Final[dict[str, Callable[[], bytes]]] = {
    "part too large unpacked": lambda: sheet(" " * OVER),
    "directory that states less": lambda: with_stated_size(sheet(" " * HUGE), SHEET, 1000),
    "directory that states more": lambda: with_stated_size(sheet(), SHEET, 1 << 31),
    "large part that is not read": lambda: workbook_of({"xl/media/image1.png": bytes(HUGE)}),
    "files that share their bytes": lambda: overlapping(20, 1_000_000),
    "files that quote the next": lambda: quoting(20, 1_000_000),
    "bzip2": lambda: workbook_of({SHEET: sheet_part(" " * OVER)}, ZIP_BZIP2),
    "LZMA": lambda: workbook_of({SHEET: sheet_part(" " * OVER)}, ZIP_LZMA),
    "many files": lambda: zip_of([(str(i), b"") for i in range(9_500)]),
    "files of one name": lambda: zip_of(
        [*parts_of().items(), *[(SHEET, sheet_part(" " * 1_000_000))] * 20]
    ),
    "relations to themselves": lambda: workbook_of(
        {
            "_rels/.rels": relations_part([("rId1", "officeDocument", "_rels/.rels")]),
            "_rels/_rels/.rels.rels": relations_part([("rId1", "worksheet", "../_rels/.rels")]),
        }
    ),
    **{
        f"relation to {target[:30]}": lambda target=target: workbook_of(  # type: ignore[misc]
            {BOOK_RELATIONS: relations_part([("rId1", "worksheet", target)])}
        )
        for target in (
            "workbook.xml",
            "_rels/workbook.xml.rels",
            "../" * 20_000 + "etc/hostname",
            "/" * 60_000,
            "https://example.org/a.xml",
        )
    },
    **{
        f"without {name}": lambda name=name: workbook_of({name: None})  # type: ignore[misc]
        for name in ("_rels/.rels", BOOK, BOOK_RELATIONS, STYLES, STRINGS, SHEET)
    },
    "empty sheet": lambda: workbook_of({SHEET: b""}),
    "text document": lambda: workbook_of({BOOK: DECLARATION + '<w:document xmlns:w="w"/>'}),
    "binary workbook": lambda: workbook_of({BOOK: b"\x83\x01\x00\x80" * 1000}),
    "OpenDocument": lambda: zip_of(
        [("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", "<a/>")]
    ),
    "OpenDocument with a repeated row of long texts": lambda: write_ods(
        a=ods_row(ods_cell("x" * 99_999), more='table:number-rows-repeated="300"')
    ),
    "OpenDocument with a repeated cell": lambda: write_ods(
        a=ods_row(ods_cell("x", more='table:number-columns-repeated="9999999"'))
    ),
    "OpenDocument with a negative repetition": lambda: write_ods(
        a=ods_row(ods_cell("x", more='table:number-columns-repeated="-1"'))
    ),
    "OpenDocument with many rows": lambda: write_ods(a=ods_row(ods_cell("x")) * (FULL // 200)),
    "encrypted workbook": lambda: encrypted(workbook_of()),
    "truncated workbook": lambda: workbook_of()[:-300],
    "no workbook": lambda: b"PK\x03\x04" + bytes(range(256)) * 4000,
}
#: All workbooks, by their expensive content.
ATTACKS: Final = {
    **NUMBER_FORMATS,
    **STRING_ATTACKS,
    **SHEET_ATTACKS,
    **XML_ATTACKS,
    **ENTITY_ATTACKS,
    **ZIP_ATTACKS,
}
