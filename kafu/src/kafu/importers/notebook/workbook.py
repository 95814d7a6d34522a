"""Read workbooks (.xlsx) with openpyxl, an optional dependency (``kafu[xlsx]``).

openpyxl reads row by row from Python's zipfile, so time and memory can be limited. python-calamine
would allocate a dense grid up to the farthest cell named in a file.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final
from zipfile import ZipFile

from kafu.importers.notebook import table
from kafu.importers.notebook.table import Cell
from kafu.notation.faults import Fault, Malformed
from kafu.rules import notebook_codes as codes

#: The maximum unpacked bytes and files of a workbook, far more than a notebook has.
_MAX_BYTES: Final = 8 << 20
_MAX_FILES: Final = 1000
#: The area searched for cells, because spreadsheets store empty cells around a table.
_MAX_ROWS: Final = 2_000
_MAX_COLUMNS: Final = 100
#: The maximum number of sheets read.
_MAX_SHEETS: Final = 20
_BEGINS: Final = b"PK\x03\x04"


def is_workbook(data: bytes) -> bool:
    """Return whether a file begins like a workbook."""
    return data.startswith(_BEGINS)


def read_sheets(data: bytes) -> Iterator[tuple[str, list[list[Cell]]]]:
    """Yield the name and cells of each sheet that is not empty. Raises Malformed."""
    try:
        from openpyxl import load_workbook  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise Malformed(Fault(codes.NO_WORKBOOKS)) from None
    try:
        _check_size(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns of unsupported styles and extensions.
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            for sheet in book.worksheets[:_MAX_SHEETS]:
                # The size stated in the sheet can be wrong.
                sheet.reset_dimensions()
                rows = table.cells(
                    [_text(value) for value in row]
                    if any(value is not None for value in row)
                    else []
                    for row in sheet.iter_rows(
                        max_row=_MAX_ROWS, max_col=_MAX_COLUMNS, values_only=True
                    )
                )
                if rows:
                    yield str(sheet.title), rows
    except Malformed:
        raise
    except Exception as error:  # openpyxl raises any exception for a damaged file.
        raise Malformed(Fault(codes.BAD_WORKBOOK)) from error


def _check_size(data: bytes) -> None:
    """Raise Malformed for a workbook that is too large unpacked or declares XML entities.

    Expanded entities could exceed the unpacked size.
    """
    with ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        # zipfile never unpacks more of a file than the directory states.
        if len(entries) > _MAX_FILES or sum(entry.file_size for entry in entries) > _MAX_BYTES:
            raise table.too_large()
        for entry in entries:
            if entry.filename.endswith((".xml", ".rels")):
                part = archive.read(entry)
                # XML of workbooks is UTF-8. A declaration in UTF-16 would not be found here.
                if b"<!DOCTYPE" in part or b"\0" in part:
                    raise Malformed(Fault(codes.BAD_WORKBOOK))


def _text(value: Any) -> str:
    """Return a cell as text: integers without a fraction, dates without a time."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**15:
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat()
    return str(value)
