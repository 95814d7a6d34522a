"""A workbook (.xlsx) as tables, by openpyxl, which is optional (``kafu[xlsx]``).

openpyxl and not python-calamine: it gives row by row what Python's zipfile unpacks, so that both
can be bounded, where the other makes a dense grid up to the farthest cell that a file names.
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

#: Bytes and files of a workbook once it is unpacked: far more than a notebook's.
_MAX_BYTES: Final = 8 << 20
_MAX_FILES: Final = 1000
#: Rows and columns in which cells are looked for: spreadsheets store empty ones around a table.
_MAX_ROWS: Final = 2_000
_MAX_COLUMNS: Final = 100
#: Sheets that are looked at.
_MAX_SHEETS: Final = 20
_BEGINS: Final = b"PK\x03\x04"


def is_workbook(data: bytes) -> bool:
    """Return whether some bytes begin as a workbook does."""
    return data.startswith(_BEGINS)


def read_sheets(data: bytes) -> Iterator[tuple[str, list[list[Cell]]]]:
    """Yield the name and cells of each sheet that has any. Raises Malformed."""
    try:
        from openpyxl import load_workbook  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise Malformed(Fault(codes.NO_WORKBOOKS)) from None
    try:
        _check_size(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions, which are not read
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            for sheet in book.worksheets[:_MAX_SHEETS]:
                # The size that a sheet claims may be wrong.
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
    except Exception as error:  # openpyxl lets any error of a damaged file through
        raise Malformed(Fault(codes.BAD_WORKBOOK)) from error


def _check_size(data: bytes) -> None:
    """Raise Malformed for a workbook that unpacks to more than a notebook needs, or whose XML
    declares entities, which could be larger still.
    """
    with ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        # zipfile never unpacks more of a file than the directory says.
        if len(entries) > _MAX_FILES or sum(entry.file_size for entry in entries) > _MAX_BYTES:
            raise table.too_large()
        for entry in entries:
            if entry.filename.endswith((".xml", ".rels")):
                part = archive.read(entry)
                # XML of workbooks is UTF-8; in UTF-16 a declaration could hide.
                if b"<!DOCTYPE" in part or b"\0" in part:
                    raise Malformed(Fault(codes.BAD_WORKBOOK))


def _text(value: Any) -> str:
    """Return a cell as text: whole numbers without a fraction, days without a time."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**15:
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat()
    return str(value)
