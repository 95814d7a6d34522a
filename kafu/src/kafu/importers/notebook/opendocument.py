"""Sheets of OpenDocument files (.ods): the texts of their cells, as the spreadsheet shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from kafu.importers.notebook.number_formats import number_text
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

#: The part with the tables.
CONTENT: Final = "content.xml"
#: Types of cells whose stored number counts, as a shown number can be rounded.
_NUMBERS: Final = ("float", "currency")
_STYLE: Final = "document-content/automatic-styles/style"
_STYLE_TEXT: Final = f"{_STYLE}/text-properties"
_TABLE: Final = "document-content/body/spreadsheet/table"
#: Rows can be in groups, as the rows of a head are.
_ROWS: Final = frozenset(
    f"{_TABLE}/{group}table-row"
    for group in ("", "table-rows/", "table-header-rows/", "table-row-group/")
)
_CELLS: Final = frozenset(
    f"{row}/{cell}" for row in _ROWS for cell in ("table-cell", "covered-table-cell")
)


def read_tables(parts: Parts) -> list[tuple[str, list[list[NotebookCell]]]]:
    """Return the name and cells of each sheet that is not empty. Raises Malformed."""
    reader = _TableReader()
    parts.parse(CONTENT, reader)
    return [(name, table) for name, rows in reader.tables[:MAX_SHEETS] if (table := cells(rows))]


class _TableReader(PartReader):
    """A reader of tables. Raises Malformed for a large table."""

    _TEXTS: Final = frozenset(f"{cell}/p" for cell in _CELLS)
    paths: ClassVar = frozenset({_STYLE_TEXT, _TABLE, *_ROWS, *_CELLS, *_TEXTS})

    def __init__(self) -> None:
        self.tables: list[tuple[str, list[list[str]]]] = []
        #: The styles of cells that are struck out, and the last style.
        self._struck: set[str] = set()
        self._style = ""
        self._row: list[str] = []
        self._row_count = self._column = 0
        self._repeated_rows = 1
        self._attributes: Mapping[str, str] = {}
        self._texts: list[str] = []
        #: A repeated text counts in each of its cells.
        self._characters_left = MAX_GAME_BYTES

    def begin(self, path: str, attributes: dict[str, str]) -> None:
        """Begin a table, a row or a cell."""
        if path in _CELLS:
            self._attributes, self._texts = _without_prefixes(attributes), []
        elif path in _ROWS:
            self._row, self._column = [], 0
            self._repeated_rows = _repeated(_without_prefixes(attributes), "rows")
        elif path == _STYLE:
            self._style = _without_prefixes(attributes).get("name", "")
        elif path == _STYLE_TEXT:
            style = _without_prefixes(attributes).get("text-line-through-style", "none")
            if style != "none":
                self._struck.add(self._style)
        elif path == _TABLE:
            self.tables.append((_without_prefixes(attributes).get("name", "")[:MAX_NAME], []))
            self._row_count = 0

    def end(self, path: str, text: str) -> None:
        """Store the text of a cell, or a row."""
        if path in self._TEXTS:
            self._texts.append(text)
        elif path in _CELLS:
            self._store_cell()
        elif path in _ROWS:
            self._store_row()

    def _store_cell(self) -> None:
        attributes = self._attributes
        text = " ".join(self._texts).strip()
        if attributes.get("value-type") in _NUMBERS and "貫" not in text:
            text = number_text(attributes.get("value", text), None)
        elif not text and "formula" in attributes:
            text = f"={attributes['formula'].partition('=')[2] or '…'}"
        count = _repeated(attributes, "columns")
        self._column += count
        if not text:
            return
        if self._column > MAX_COLUMNS:
            raise too_large()
        if attributes.get("style-name") in self._struck:
            text = strike(text)
        self._row += [""] * (self._column - count - len(self._row)) + [text] * count

    def _store_row(self) -> None:
        self._row_count += self._repeated_rows
        if not self._row:
            return
        self._characters_left -= self._repeated_rows * sum(map(len, self._row))
        if self._row_count > MAX_ROWS or self._characters_left < 0:
            raise too_large()
        rows = self.tables[-1][1]
        rows += [[] for _ in range(self._row_count - self._repeated_rows - len(rows))]
        rows += [self._row] * self._repeated_rows


def _without_prefixes(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return attributes by their names without prefixes of namespaces, which differ."""
    return {name.rpartition(":")[2]: value for name, value in attributes.items()}


def _repeated(attributes: Mapping[str, str], kind: str) -> int:
    """Return how often a row or a cell is repeated. Raises Malformed."""
    text = attributes.get(f"number-{kind}-repeated", "1")
    if not (text.isascii() and text.isdecimal()) or len(text) > 7 or int(text) == 0:
        raise damaged()
    return int(text)
