"""Tables of cells, read from text with separators and written as text with tabs."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from kafu.importers.notebook.words import amount_of, is_total, month_of
from kafu.notation.faults import Fault, Malformed
from kafu.notation.reading.source import INVISIBLE
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.rules import codes

#: The maximum size of a table; a notebook of the longest game is smaller.
MAX_ROWS: Final = 300
MAX_COLUMNS: Final = 60
#: The maximum number of lines, with empty rows that spreadsheets write below a table.
_MAX_LINES: Final = 20_000
_SEPARATORS: Final = "\t;,，、"
#: Blanks between the columns of a table in plain text, and the least number of its rows.
_BLANKS: Final = re.compile(r"[ \u00a0\u3000]+")
_MIN_ALIGNED: Final = 3
#: The number of rows used to detect the separator.
_SAMPLE: Final = 40
#: Bars of drawn tables as ASCII, and a line between their rows.
_BARS: Final = str.maketrans("｜│┃║├┝┠┤┥┨┼─━┌┐└┘┬┴", "|||||||||||" + "-" * 8)
_RULE: Final = re.compile(r"[\s|+:=`-]*")
_MIN_DRAWN: Final = 2
_EMPHASIS: Final = re.compile(r"\A(\*\*|\*|__|_|`)([^*_`]+)\1\Z")
_STRUCK: Final = re.compile("~~.*~~")
#: A first line that states the separator, as written by spreadsheets.
_SEP_LINE: Final = re.compile(r"sep=([\t;,])[ \t]*(?=\n|\Z)")
#: Joiners of emoji and scripts, which are not printable.
_JOINERS: Final = "\u200c\u200d"
#: The number of characters of a cell quoted in a message.
_MAX_QUOTED: Final = 40


class NotebookCell(NamedTuple):
    """A cell: its text without surrounding blanks, its row and its column (from 1)."""

    text: str
    row: int
    column: int

    @property
    def place(self) -> tuple[int, int]:
        """Return row and column, for the line and column of a fault."""
        return self.row, self.column

    @property
    def name(self) -> str:
        """Return the name of the cell in a spreadsheet, such as ``D3``."""
        return cell_name(self.row, self.column)

    @property
    def excerpt(self) -> str:
        """Return the text for a message, shortened if necessary."""
        return self.text if len(self.text) <= _MAX_QUOTED else f"{self.text[:_MAX_QUOTED]}…"


Rows = Sequence[Sequence[NotebookCell]]


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell in a spreadsheet.

    >>> cell_name(3, 4), cell_name(1, 28)
    ('D3', 'AB1')
    """
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def read_table(
    text: str, max_rows: int = MAX_ROWS, max_columns: int = MAX_COLUMNS
) -> list[list[NotebookCell]]:
    """Return the cells of a text by row. Raises Malformed for a table that is too large."""
    text = _unix(text)
    if text.count("\n") > _MAX_LINES:
        raise too_large()
    sep = _SEP_LINE.match(text)
    # Replace the line with the separator by an empty row, so row numbers match the file.
    body = text[sep.end() :] if sep else text
    if not sep and (bars := _split_at_bars(body)):
        return cells(bars, max_rows, max_columns)
    if not sep and (words := _split_at_blanks(body)):
        return cells(words, max_rows, max_columns)
    return cells(_split(body, sep[1] if sep else _separator(body)), max_rows, max_columns)


def cells(
    texts: Iterable[Sequence[str]], max_rows: int = MAX_ROWS, max_columns: int = MAX_COLUMNS
) -> list[list[NotebookCell]]:
    """Return texts as rows of cells of equal width. Raises Malformed like `read_table`."""
    rows: list[list[NotebookCell]] = []
    for number, row in enumerate(texts, start=1):
        if any(row[max_columns:]):
            raise too_large()
        row_cells = [
            NotebookCell(_plain(text) if text else "", number, i)
            for i, text in enumerate(row[:max_columns], start=1)
        ]
        while row_cells and not row_cells[-1].text:
            row_cells.pop()
        if row_cells and number > max_rows:
            raise too_large()
        rows.append(row_cells)
    while rows and not rows[-1]:
        rows.pop()
    width = max(map(len, rows), default=0)
    for number, cells_ in enumerate(rows, start=1):
        cells_ += [NotebookCell("", number, i) for i in range(len(cells_) + 1, width + 1)]
    return rows


def too_large() -> Malformed:
    """Return the error for a table that is larger than any notebook."""
    values = {"rows": MAX_ROWS, "columns": MAX_COLUMNS, "bytes": MAX_GAME_BYTES}
    return Malformed(Fault(codes.NOTEBOOK_TOO_LARGE, MAX_ROWS, 1, values=values))


def strike(text: str) -> str:
    """Return a text that was struck out, as Markdown writes it."""
    return f"~~{text}~~"


def remove_struck(rows: Rows) -> tuple[Rows, list[NotebookCell]]:
    """Return rows without texts that are struck out, and the cells of these texts."""
    struck = [cell for row in rows for cell in row if _STRUCK.fullmatch(cell.text)]
    if not struck:
        return rows, []
    places = {cell.place for cell in struck}
    return [
        [cell._replace(text="") if cell.place in places else cell for cell in row] for row in rows
    ], struck


def write_table(rows: Rows) -> str:
    """Return rows as text with tabs; `read_table` restores the cells from it."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    for row in rows:
        texts = [cell.text for cell in row]
        # With a second cell even the rows of a single column contain a tab.
        writer.writerow(texts if len(texts) > 1 else [*texts, ""])
    return text.getvalue()


def _unix(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _plain(text: str) -> str:
    """Return the text of a cell as one line of visible characters."""
    visible = INVISIBLE.sub("", text)
    return " ".join(
        "".join(c if c.isprintable() or c in _JOINERS else " " for c in visible).split()
    )


def _split(text: str, separator: str, most: int | None = None) -> list[list[str]]:
    """Return the first ``most`` rows, or all. An unclosed quote is an ordinary character."""
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        reader = csv.reader(
            io.StringIO(text), delimiter=separator, quoting=quoting, strict=quoting == 0
        )
        try:
            return list(islice(reader, most))
        except csv.Error:
            continue
    raise too_large()  # The reader limits the length of a cell.


def _split_at_bars(text: str) -> list[list[str]] | None:
    """Return the rows of a table in Markdown, or drawn with bars; None for any other text.

    Lines between rows become empty rows, so that row numbers match the text.
    """
    lines = text.translate(_BARS).split("\n")
    drawn = [line for line in lines if "|" in line]
    if len(drawn) < _MIN_DRAWN or 2 * len(drawn) <= sum(bool(line.strip()) for line in lines):
        return None
    is_framed = all(line.lstrip().startswith("|") for line in drawn)
    if not is_framed and any(separator in drawn[0] for separator in _SEPARATORS):
        return None
    return [
        []
        if _RULE.fullmatch(line)
        else [
            _EMPHASIS.sub(r"\2", cell.strip())
            # Without a frame, a bar at the beginning follows an empty cell.
            for cell in line.strip().removeprefix("|" if is_framed else "").split("|")
        ]
        for line in lines
    ]


def _split_at_blanks(text: str) -> list[list[str]] | None:
    """Return the rows of a table with blanks between its columns; None for any other text.

    Below a title, the rows have the same number of words, or every row begins with a month, or the
    words are below those of the head. Rows of months have amounts, unlike prose and moves.
    """
    if any(separator in text for separator in _SEPARATORS):
        return None
    rows = [_BLANKS.split(line.strip()) if line.strip() else [] for line in text.split("\n")]
    filled = [row for row in rows if row]
    has_title = len(filled) >= _MIN_ALIGNED and month_of(filled[1][0]) is None
    widths = {len(row) for row in filled[has_title:]}
    is_aligned = len(filled) >= _MIN_ALIGNED and len(widths) == 1 and max(widths) > 1
    is_list = len(filled) > 1 and all(month_of(row[0]) is not None for row in filled)
    if not (is_aligned or is_list):
        return _split_at_places(text.split("\n"))
    months = filled if is_list else filled[2:]
    has_amounts = all(any(amount_of(word) is not None for word in row[1:]) for row in months)
    return rows if has_amounts else None


def _split_at_places(lines: Sequence[str]) -> list[list[str]] | None:
    """Return the rows of a table whose words are below the words of its head; None for other texts.

    Cells can be empty. Each row below the head begins with a month or the label of sums. A word
    that is below no word of the head, or below two, is in no certain column.
    """
    if sum(bool(line.strip()) for line in lines) > MAX_ROWS:
        return None
    rows = [_find_words(line) for line in lines]
    filled = [i for i, words in enumerate(rows) if words]
    months = [i for i in filled if month_of(rows[i][0][0]) is not None]
    if len(months) < _MIN_DRAWN or months[0] == filled[0]:
        return None
    first = filled.index(months[0]) - 1
    head = rows[filled[first]]
    if max(map(len, rows[filled[first] :])) > min(len(head), MAX_COLUMNS):
        return None
    table = [[line] for line in lines[: filled[first]]] + [[word for word, _, _ in head]]
    for words in rows[filled[first] + 1 :]:
        cells_ = [""] * len(head)
        for word, start, end in words:
            columns = [i for i, (_, a, b) in enumerate(head) if start < b and end > a]
            if len(columns) != 1 or cells_[columns[0]]:
                return None
            cells_[columns[0]] = word
        has_label = month_of(cells_[0]) is not None or is_total(cells_[0])
        if words and not (has_label and any(amount_of(cell) for cell in cells_[1:] if cell)):
            return None
        table.append(cells_)
    return table


def _find_words(line: str) -> list[tuple[str, int, int]]:
    """Return the words of a line with their places, in columns of a text of fixed width."""
    words, column = [], 0
    for word in re.split(f"({_BLANKS.pattern})", line):
        width = sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in word)
        if word.strip():
            words.append((word, column, column + width))
        column += width
    return words


def _separator(text: str) -> str:
    """Return the separator that gives the most rows of equal width; then tabs, then wide rows."""

    def fit(separator: str) -> tuple[int, bool, int]:
        widths = Counter(len(row) for row in _split(text, separator, _SAMPLE) if len(row) > 1)
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        return count, separator == "\t", width

    return max(_SEPARATORS, key=fit)
