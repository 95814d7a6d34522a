"""Small inputs that once took seconds to hours of a core, each at its allowed maximum.

Each is a kind: tests of growth (`kafu/tests`, `tests/`) look for relatives of these.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Final, NamedTuple

from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

#: Bytes of a header and of a cookie, just below the limit of all headers.
HEADER_BYTES: Final = 16_000
VERIFY: Final = "/api/v1/verify"
NOTEBOOKS: Final = "/api/v1/notebooks?ruleset=koikoi"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
KAFU: Final = "text/x-kafu"
_RELATIONS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PARTS: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


class Request(NamedTuple):
    """A request with a costly input."""

    name: str
    method: str
    path: str
    body: bytes
    headers: dict[str, str]


def requests() -> Iterator[Request]:
    """Yield the requests."""
    game = write(simulate("koikoi", seed=1))
    yield Request("header of blanks", "GET", "/", b"", {"X": " " * HEADER_BYTES + "x"})
    cookie = 'a="' + "\\" * HEADER_BYTES + '"'
    yield Request("cookie of backslashes", "GET", "/", b"", {"Cookie": cookie})
    for name, text in _texts(game):
        yield Request(name, "POST", VERIFY, text[:MAX_GAME_BYTES], {"Content-Type": KAFU})
    for name, table in _tables():
        headers = {"Content-Type": "text/csv; charset=utf-8"}
        yield Request(name, "POST", NOTEBOOKS, table[:MAX_GAME_BYTES], headers)
    for name, workbook in _workbooks():
        yield Request(name, "POST", NOTEBOOKS, workbook, {"Content-Type": XLSX})


def _texts(game: str) -> Iterator[tuple[str, bytes]]:
    """Yield texts for the reader of games."""
    most = MAX_GAME_BYTES
    japanese = game.replace('[Player1 "', '[Player1 "花', 1)
    named = game.replace("month 1", "month 1\nhand 1 pine crane, plum warbler", 1)
    head, _, turns = game.partition("\n\n")
    yield "blank lines, cp932", japanese.encode("cp932") + b"\n" * (most - 4000)
    yield "blank lines, UTF-16", (japanese + "\n" * (most // 2 - 4000)).encode("utf-16")
    yield "line feeds before card names", b"\n" * (most - 4000) + named.encode()
    yield "lines of [code]", named.encode() + b"[code]\n" * (most // 7 - 600)
    yield "lines of blanks in a hand", named.replace("crane,", "crane," + " \n" * 500_000).encode()
    yield "lines of U+3000", (named + "\u3000\n" * 240_000).encode()
    yield "carriage returns", named.encode() + b"\r" * (most - 4000)
    yield "fences", named.encode() + b"```\n" * 250_000
    yield "colons", b":" * most
    yield "dots before a game", b"." * (most - 4000) + game.encode()
    yield "blanks and x before a game", b" " * (most - 4000) + b"x\n" + game.encode()
    event = "a" + "\u0301\u0323" * 240_000
    yield "marks in a tag", f'{head}\n[Event "{event}"]\n\n{turns}'.encode()
    for unit in ("/\n", "A/B\n", "A\n/\n"):
        yield f"lines of {unit!r}", (game + unit * (most // len(unit) - 2000)).encode()


def _tables() -> Iterator[tuple[str, bytes]]:
    """Yield tables for the reader of notebooks."""
    for name, unit in (("dots", "."), ("colons", ":"), ("marks", "\u0301\u0323")):
        cell = unit * (130_000 // len(unit))
        yield f"cell of {name}", f"月,{cell},Ben\n1,{cell},2\n".encode()


def _workbooks() -> Iterator[tuple[str, bytes]]:
    """Yield workbooks of some kilobytes."""
    yield "format of brackets", _workbook(styles=_styles("[" * 3_000_000))
    yield "120,000 formats", _workbook(styles=_styles("0", count=120_000))
    strings = f"<sst xmlns='{_MAIN}'>" + "<si><t>a</t></si>" * 400_000 + "</sst>"
    yield "400,000 shared strings", _workbook(strings=strings)
    yield (
        "a long shared string in 6,000 cells",
        _workbook(
            strings=f"<sst xmlns='{_MAIN}'><si><t>{'a' * 1_000_000}</t></si></sst>",
            rows="<row>" + "<c t='s'><v>0</v></c>" * 60 + "</row>",
            count=100,
        ),
    )
    yield "a row of a million cells", _workbook(rows="<row>" + "<c/>" * 1_000_000 + "</row>")
    entities = "<!DOCTYPE x [" + "".join(
        f"<!ENTITY e{n} '{f'&e{n - 1};' * 20 if n else 'x'}'>" for n in range(6)
    )
    yield "entities", _workbook(styles=entities + "]><styleSheet>&e5;</styleSheet>")


def _styles(code: str, count: int = 1) -> str:
    formats = "".join(
        f"<numFmt numFmtId='{number}' formatCode='{code}'/>" for number in range(200, 200 + count)
    )
    return (
        f"<styleSheet xmlns='{_MAIN}'><numFmts>{formats}</numFmts>"
        "<cellXfs><xf numFmtId='200' applyNumberFormat='1'/></cellXfs></styleSheet>"
    )


def _workbook(styles: str = "", strings: str = "", rows: str = "", count: int = 1) -> bytes:
    """Return an .xlsx file with a sheet of ``count`` times ``rows``."""
    kinds = {"worksheet": "sheet1.xml", "styles": "styles.xml", "sharedStrings": "strings.xml"}
    relations = "".join(
        f"<Relationship Id='r{number}' Type='{_RELATIONS}/{kind}' Target='{target}'/>"
        for number, (kind, target) in enumerate(kinds.items())
    )
    parts = {
        "[Content_Types].xml": "<Types xmlns='http://schemas.openxmlformats.org/package/2006/"
        "content-types'><Default Extension='xml' ContentType='application/xml'/>"
        f"<Override PartName='/book.xml' ContentType='{XLSX}.main+xml'/></Types>",
        "_rels/.rels": f"<Relationships xmlns='{_PARTS}'><Relationship Id='r' "
        f"Type='{_RELATIONS}/officeDocument' Target='book.xml'/></Relationships>",
        "book.xml": f"<workbook xmlns='{_MAIN}' xmlns:r='{_RELATIONS}'><sheets>"
        "<sheet name='a' sheetId='1' r:id='r0'/></sheets></workbook>",
        "_rels/book.xml.rels": f"<Relationships xmlns='{_PARTS}'>{relations}</Relationships>",
        "sheet1.xml": f"<worksheet xmlns='{_MAIN}'><sheetData>{rows * count}</sheetData>"
        "</worksheet>",
        "styles.xml": styles or _styles("0"),
        "strings.xml": strings or f"<sst xmlns='{_MAIN}'/>",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return packed.getvalue()
