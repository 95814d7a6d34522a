"""Workbooks (.xlsx, .ods): the texts of their cells.

An .ods file is read by `opendocument`. Of an .xlsx file only the parts that texts need are read:
the list of sheets, shared strings, number formats, and the sheets. Formulas count as the
spreadsheet last computed them. One without a stored value, as scripts write it, is the text of its
cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Final

from kafu.importers.notebook import opendocument
from kafu.importers.notebook.number_formats import BUILTIN_KINDS, kind_of, number_text
from kafu.importers.notebook.table import (
    MAX_COLUMNS,
    MAX_ROWS,
    NotebookCell,
    cells,
    strike,
    too_large,
)
from kafu.importers.notebook.workbook_parts import MAX_NAME, MAX_SHEETS, PartReader, Parts, damaged
from kafu.notation.vocabulary import MAX_GAME_BYTES

_BEGINS: Final = b"PK\x03\x04"
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})", re.IGNORECASE | re.ASCII)
#: The digits of the last row, 1048576.
_MAX_DIGITS: Final = 7
#: A character forbidden in XML, escaped as in spreadsheets.
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")


def is_workbook(data: bytes) -> bool:
    """Return whether a file begins like a workbook."""
    return data.startswith(_BEGINS)


def read_sheets(data: bytes) -> list[tuple[str, list[list[NotebookCell]]]]:
    """Return the name and cells of each sheet that is not empty. Raises Malformed."""
    parts = Parts(data)
    if opendocument.CONTENT in parts:
        return opendocument.read_tables(parts)
    targets = dict(parts.relations("").values())
    if "officeDocument" not in targets:
        raise damaged()
    book = _BookReader()
    parts.parse(targets["officeDocument"], book)
    if not book.sheets:
        raise damaged()
    relations = parts.relations(targets["officeDocument"])
    targets = dict(relations.values())
    strings, formats = _StringReader(), _FormatReader()
    if "sharedStrings" in targets:
        parts.parse(targets["sharedStrings"], strings)
    if "styles" in targets:
        parts.parse(targets["styles"], formats)
    reader = _SheetReader(strings.strings, formats, epoch_1904=book.epoch_1904)
    sheets = []
    for name, relation in book.sheets[:MAX_SHEETS]:
        kind, target = relations.get(relation, ("", ""))
        if kind == "worksheet":  # other sheet types are charts and dialogs
            parts.parse(target, reader)
            if rows := cells(reader.rows):
                sheets.append((name, rows))
    return sheets


class _BookReader(PartReader):
    """A reader of the list of sheets: their names, and ids of relations."""

    _SHEET: Final = "workbook/sheets/sheet"
    _PROPERTIES: Final = "workbook/workbookPr"
    paths: ClassVar = frozenset({_SHEET, _PROPERTIES})

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str]] = []
        self.epoch_1904 = False

    def begin(self, path: str, attributes: dict[str, str]) -> None:
        """Store a sheet, or whether days are counted from 1904."""
        if path == self._SHEET and len(self.sheets) < MAX_SHEETS:
            # The prefix of the attribute r:id can differ.
            relation = next((attributes[key] for key in attributes if key.endswith(":id")), "")
            self.sheets.append((attributes.get("name", "")[:MAX_NAME], relation))
        elif path == self._PROPERTIES:
            self.epoch_1904 = attributes.get("date1904") in ("1", "true")


class _StringReader(PartReader):
    """A reader of shared strings, without the phonetic runs of Japanese text."""

    _STRING: Final = "sst/si"
    _TEXTS: Final = frozenset({"sst/si/t", "sst/si/r/t"})
    paths: ClassVar = frozenset({_STRING, *_TEXTS})

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._texts: list[str] = []

    def begin(self, path: str, attributes: dict[str, str]) -> None:
        """Begin a string."""
        if path == self._STRING:
            self._texts = []

    def end(self, path: str, text: str) -> None:
        """Store a string, or a piece of it."""
        if path in self._TEXTS:
            self._texts.append(text)
        elif path == self._STRING:
            self.strings.append("".join(self._texts))


class _FormatReader(PartReader):
    """A reader of styles of cells: kinds of number formats, and whether texts are struck out."""

    _CODE: Final = "styleSheet/numFmts/numFmt"
    _STYLE: Final = "styleSheet/cellXfs/xf"
    _FONT: Final = "styleSheet/fonts/font"
    _STRIKE: Final = f"{_FONT}/strike"
    paths: ClassVar = frozenset({_CODE, _STYLE, _STRIKE})

    def __init__(self) -> None:
        self.kinds: list[str | None] = []
        self.struck: list[bool] = []
        self._fonts: list[bool] = []
        self._kinds_by_id: dict[str, str | None] = {
            str(number): kind for number, kind in BUILTIN_KINDS.items()
        }

    def begin(self, path: str, attributes: dict[str, str]) -> None:
        """Store the kind of a format, or of a style."""
        if path == self._CODE:
            code = attributes.get("formatCode", "")
            self._kinds_by_id[attributes.get("numFmtId", "")] = kind_of(code)
        elif path == self._STYLE:
            self.kinds.append(self._kinds_by_id.get(attributes.get("numFmtId", "")))
            font = _index_of(attributes.get("fontId", "0"))
            self.struck.append(font < len(self._fonts) and self._fonts[font])
        elif path == self._FONT:
            self._fonts.append(False)
        elif path == self._STRIKE and self._fonts:
            self._fonts[-1] = attributes.get("val") not in ("0", "false")


class _SheetReader(PartReader):
    """A reader of the texts of sheets by row and column. Raises Malformed for a large table."""

    _SHEET: Final = "worksheet"
    _ROW: Final = "worksheet/sheetData/row"
    _CELL: Final = f"{_ROW}/c"
    _TEXTS: Final = frozenset({f"{_CELL}/v", f"{_CELL}/is/t", f"{_CELL}/is/r/t"})
    _FORMULA: Final = f"{_CELL}/f"
    paths: ClassVar = frozenset({_CELL, _FORMULA, *_TEXTS})

    def __init__(self, strings: Sequence[str], formats: _FormatReader, *, epoch_1904: bool) -> None:
        self.rows: list[list[str]] = []
        self._strings = strings
        self._formats = formats
        self._epoch_1904 = epoch_1904
        self._row = 0
        #: The last reference in the row, and the number of cells since then.
        self._reference = ""
        self._distance = 0
        self._attributes: dict[str, str] = {}
        self._texts: list[str] = []
        self._formula: str | None = None
        #: A shared string counts in each of its cells.
        self._characters_left = MAX_GAME_BYTES

    def begin(self, path: str, attributes: dict[str, str]) -> None:
        """Begin a sheet, a row or a cell. Without a reference it follows the one before."""
        if path == self._CELL:
            if "r" in attributes:
                self._reference, self._distance = attributes["r"], 0
            else:
                self._distance += 1
            self._attributes = attributes
            self._texts.clear()
            self._formula = None
        elif path == self._ROW:
            number = attributes.get("r")
            self._row = self._row + 1 if number is None else _index_of(number)
            self._reference, self._distance = "", 0
            if self._row == 0:
                raise damaged()
        elif path == self._SHEET:
            self.rows = []
            self._row = 0

    def end(self, path: str, text: str) -> None:
        """Store the text of a cell."""
        if path in self._TEXTS:
            self._texts.append(text)
        elif path == self._FORMULA:
            self._formula = text
        elif path == self._CELL:
            kind = self._attributes.get("t", "n")
            value = "".join(self._texts)
            # A text can be empty, and of a repeated formula only the first cell has the words.
            if self._formula is not None and not value and kind != "str":
                self._store(f"={self._formula or '…'}", "str")
            elif self._texts:
                self._store(value, kind)

    def _store(self, value: str, kind: str) -> None:
        if kind == "s":
            index = _index_of(value)
            if index >= len(self._strings):
                raise damaged()
            value = self._strings[index]
        self._characters_left -= len(value)
        if self._characters_left < 0:
            raise too_large()
        style = _index_of(self._attributes.get("s", "0"))
        text = self._text_of(value, kind, style).strip()
        if not text:
            return
        if style < len(self._formats.struck) and self._formats.struck[style]:
            text = strike(text)
        row, column = _place_of(self._reference) if self._reference else (self._row, 0)
        column += self._distance
        if row > MAX_ROWS or column > MAX_COLUMNS:
            raise too_large()
        self.rows += [[] for _ in range(row - len(self.rows))]
        texts = self.rows[row - 1]
        texts += [""] * (column - len(texts))
        texts[column - 1] = text

    def _text_of(self, value: str, kind: str, style: int) -> str:
        if kind == "n":
            kinds = self._formats.kinds
            format_kind = kinds[style] if style < len(kinds) else None
            return number_text(value, format_kind, epoch_1904=self._epoch_1904)
        if kind == "b":
            return "FALSE" if value.strip() in ("0", "false") else "TRUE"
        if kind == "d":  # A date as in ISO 8601.
            return value.partition("T")[0]
        return _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), value)


def _index_of(text: str) -> int:
    """Return a number of at most seven digits. Raises Malformed."""
    if len(text) > _MAX_DIGITS or not text.isdecimal():
        raise damaged()
    return int(text)


def _place_of(reference: str) -> tuple[int, int]:
    """Return row and column of a reference such as ``B2``. Raises Malformed."""
    match = _REFERENCE.fullmatch(reference)
    if match is None or int(match[2]) == 0:
        raise damaged()
    column = 0
    for letter in match[1].upper():
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(match[2]), column
