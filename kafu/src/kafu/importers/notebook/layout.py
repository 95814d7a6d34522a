"""The parts of a notebook's table: head, columns by meaning, and rows.

The words of notebooks: heads of columns, months, grades, amounts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from kafu.cards import PLANTS
from kafu.importers.notebook.table import Cell, Rows
from kafu.notation.faults import Fault, Malformed
from kafu.notation.vocabulary import KAN, MAX_AMOUNT
from kafu.rules import notebook_codes as codes
from kafu.rules.names import GRADES

#: Heads of columns by meaning. A column with another head and amounts belongs to a player.
_HEADS: Final = {
    "month": "月 月名 月別 何月 回 回戦 局 戦 番号 month months mo round rnd deal game no #",
    "date": "日付 日 年月日 月日 対局日 date day",
    "dealer": "親 親番 配り手 dealer oya",
    "grade": "場 場の格 場格 場の種類 ba grade field fieldgrade",
    "stone": "月石 石 次の親 次親 stone nextdealer",
    "winner": "勝者 勝ち 勝 あがり winner wonby",
    "total": "合計 計 総計 月計 検算 total sum check",
    "remark": "役 出来役 手役 備考 メモ 注 コメント 摘要 yaku remark remarks note notes comment"
    " comments memo",
    "other": "小計 累計 順位 平均 時刻 時間 開始 終了 rank place average time start end subtotal"
    " cumulative running",
}
HEADS: Final[Mapping[str, str]] = {
    word: meaning for meaning, words in _HEADS.items() for word in words.split()
}
#: Labels of rows below the months: sums are checked, rows of the settlement are ignored.
TOTALS: Final = frozenset(
    ("合計", "計", "総計", "総合計", "合計点", "得点合計", "total", "totals", "sum", "grandtotal")
)
_IGNORED_ROWS: Final = frozenset(
    (
        *("小計", "累計", "順位", "平均", "吟味", "清算", "精算", "月石清算", "結果"),
        *("最終", "最終得点", "最終結果", "rank", "place", "average", "subtotal", "cumulative"),
        *("running", "final", "finalscore", "result", "settlement", "prize"),
    )
)

_MONTH_NUMBER: Final = re.compile(
    r"(?:第|month|round|rnd|game|no\.?|m|r)?([0-9]{1,3})(?:(?:ヶ|か|カ|ケ|箇)?月目?|回戦|回目?|局目?|戦目?|"
    r"番目?|\.|st|nd|rd|th)?"
)
_MONTH_NAMES: Final = (
    "一 睦月 正月 一月 january jan",
    "二 如月 二月 february feb",
    "三 弥生 三月 march mar",
    "四 卯月 四月 april apr",
    "五 皐月 五月 may",
    "六 水無月 六月 june jun",
    "七 文月 七月 july jul",
    "八 葉月 八月 august aug",
    "九 長月 九月 september sept sep",
    "十 神無月 十月 october oct",
    "十一 霜月 十一月 november nov",
    "十二 師走 十二月 december dec",
)
_MONTHS: Final = {
    word: number for number, words in enumerate(_MONTH_NAMES, start=1) for word in words.split()
}

#: The plant of a month, after its number.
_PLANT: Final = re.compile(rf"\(?(?:{'|'.join(plant.ja for plant in PLANTS)})\)?$")

_BOUND: Final = r"(2|二|二代|\(2\)|\(二代\))?"
_GRADES: Final = {
    "small": ("小", "小場", "koba", "small"),
    "large": ("大", "大場", "oba", "large"),
    "absolute": ("絶", "絶場", "zetsuba", "absolute"),
}

#: Marks of the dealer next to an amount.
_MARK: Final = re.compile(r"\(親\)|[親◎●★☆*]")
_MINUS: Final = str.maketrans(dict.fromkeys("−–—―‐‑‒ー▲△▼▽", "-"))
#: Texts of a cell without a value.
NOTHING: Final = frozenset(("", "-", "–", "—", "−", "/", "・", "×", "x", "なし", "流れ", "none"))
#: Words instead of an amount for the player with ふけ (A3).
FUKE: Final = frozenset(("ふけ", "フケ", "fuke"))
_DIGITS: Final = r"(?:[0-9]{1,3}(?:[,' ][0-9]{3})+|[0-9]{1,12})"
_AMOUNT: Final = re.compile(
    rf"(?P<sign>[+\-±]?)(?:(?P<kan>{_DIGITS})(?:貫|kan|k)(?P<half>半)?)?"
    rf"(?P<points>{_DIGITS})?(?:\.0+)?(?:文|点|mon|points|point|pts|pt)?(?P<minus>-?)"
)
#: The number of rows searched for the head, which may follow titles.
_SEARCHED: Final = 30
#: The minimum number of players in any ruleset.
_MIN_PLAYERS: Final = 2
#: The maximum length of a head, label, name or amount. Longer cells are remarks, which are not
#: normalized: that takes quadratic time.
_LONGEST_WORD: Final = 200


class Amount(NamedTuple):
    """The amount of a cell: its value in the small unit, or None for an empty cell.

    ``in_kan`` says that it was written in kan, ``is_dealer`` that it has the mark of the dealer.
    """

    value: int | None
    in_kan: bool
    is_dealer: bool


def key_of(text: str) -> str:
    """Normalize width and case, and remove blanks and trailing points and colons.

    A text that is too long for a word of a notebook is returned unchanged.
    """
    if len(text) > _LONGEST_WORD:
        return text
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(plain.split()).rstrip(".:")


def head_of(text: str) -> str | None:
    """Return the meaning of a column from its head, or None for a name.

    >>> [head_of(text) for text in ("月", "Month / Player", "場（格）", "Aya")]
    ['month', 'month', 'grade', None]
    """
    key = key_of(text)
    return HEADS.get(key) or HEADS.get(re.split(r"[/\\|・(]", key)[0])


def is_total(text: str) -> bool:
    """Return whether a label marks a row of sums."""
    return key_of(text) in TOTALS


def is_ignored(text: str) -> bool:
    """Return whether a label marks a row to ignore, such as a settlement."""
    return key_of(text) in _IGNORED_ROWS


def month_of(text: str) -> int | None:
    """Return the number of a month, or None for another text.

    >>> [month_of(word) for word in ("1", "１月", "2月（梅）", "師走", "Sept.", "第3回", "Aya")]
    [1, 1, 2, 12, 9, 3, None]
    """
    key = _PLANT.sub("", key_of(text))
    if key in _MONTHS:
        return _MONTHS[key]
    match = _MONTH_NUMBER.fullmatch(key)
    return int(match[1]) if match else None


def grade_of(text: str) -> str | None:
    """Return the id of a grade, with ``2`` for 二代, or None for another text.

    >>> [grade_of(word) for word in ("大場", "絶", "Large", "大場二代", "ōba", "中")]
    ['large', 'absolute', 'large', 'large2', 'large', None]
    """
    if len(text) > _LONGEST_WORD:
        return None
    key = unicodedata.normalize("NFKD", key_of(text)).replace("\u0304", "")
    key = unicodedata.normalize("NFC", key)
    for grade, words in _GRADES.items():
        match = re.fullmatch(f"(?:{'|'.join(words)}){_BOUND}", key)
        if match:
            return f"{grade}2" if match[1] and grade != "small" else None if match[1] else grade
    return None


def grade_names() -> tuple[str, ...]:
    """Return names of the grades for messages."""
    return tuple(f"{name.ja} ({name.id})" for name in GRADES.values())


def is_like_amount(text: str) -> bool:
    """Return whether a cell is an amount, possibly mistyped (any text with digits)."""
    if len(text) > _LONGEST_WORD:
        return False
    return amount_of(text) is not None or any(c.isdigit() for c in text) or key_of(text) in FUKE


def amount_of(text: str) -> Amount | None:
    """Return the amount of a cell, or None for another text.

    >>> [amount_of(word).value for word in ("１２", "▲5", "(18)", "1,200", "-1貫8", "2貫半", "7親")]
    [12, -5, -18, 1200, -20, 30, 7]
    """
    if len(text) > _LONGEST_WORD:
        return None
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_MINUS).strip()
    bare = _MARK.sub("", plain, count=1).strip()
    is_dealer = bare != plain
    if bare in NOTHING:
        return Amount(None, False, is_dealer)
    is_negative = bare.startswith("(") and bare.endswith(")")
    if is_negative:
        bare = bare[1:-1].strip()
    # Blanks are only significant between digits, as separators of thousands.
    match = _AMOUNT.fullmatch(re.sub(r"(?<![0-9])\s+|\s+(?![0-9])", "", bare))
    if match is None or not (match["kan"] or match["points"]):
        return None
    is_signed = match["sign"] == "-" or match["minus"] == "-" or is_negative
    if (match["sign"] != "") + (match["minus"] != "") + is_negative > 1:
        return None
    kan, points = (int(re.sub(r"\D", "", match[name] or "0")) for name in ("kan", "points"))
    value = KAN * kan + (KAN // 2 if match["half"] else 0) + points
    if value > MAX_AMOUNT or (match["sign"] == "±" and value):
        return None
    return Amount(-value if is_signed else value, bool(match["kan"]), is_dealer)


@dataclass(slots=True)
class Layout:
    """The parts of a table.

    ``players`` has the indices of columns with amounts, ``columns`` of other columns by meaning,
    and ``remarks`` of columns with remarks. ``body`` has the rows of months, ``totals``
    the rows of sums. ``faults`` and ``warnings`` concern columns and rows without a meaning.
    """

    head: Sequence[Cell]
    players: list[int] = field(default_factory=list)
    columns: dict[str, int] = field(default_factory=dict)
    remarks: list[int] = field(default_factory=list)
    body: list[Sequence[Cell]] = field(default_factory=list)
    totals: list[Sequence[Cell]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the players by seat."""
        return tuple(self.head[i].text for i in self.players)

    def cell(self, row: Sequence[Cell], meaning: str) -> Cell | None:
        """Return the cell of a row by meaning, or None if the table has no such column."""
        column = self.columns.get(meaning)
        return None if column is None else row[column]


def recognises(rows: Rows) -> bool:
    """Return whether rows look like months and players."""
    return _split_head(rows) is not None


def lay_out(rows: Rows) -> Layout:
    """Return the parts of a table. Raises Malformed if it has no head with players."""
    table = _split_head(rows)
    if table is None:
        raise Malformed(Fault(codes.NO_TABLE, 1, 1))
    head, below = table
    layout = Layout(head)
    _assign_columns(layout, below)
    for row in below:
        if any(cell.text for cell in row):
            _assign_row(layout, row)
    if len(layout.players) < _MIN_PLAYERS:
        raise Malformed(Fault(codes.NO_TABLE, head[0].row, 1))
    return layout


def _split_head(rows: Rows) -> tuple[Sequence[Cell], Rows] | None:
    """Return the head of a table and the rows below it, transposed if months are side by side."""
    turned = list(zip(*rows, strict=True)) if rows else []
    if _is_sideways(rows):
        rows = turned
    above: Sequence[Cell] = ()
    for i, row in enumerate(rows[:_SEARCHED]):
        texts = [cell.text for cell in row if cell.text]
        if not texts:
            continue
        # Names of months can be names of players as well.
        names = [cell for cell in above if cell.text and _may_be_name(cell.text)]
        if any(_is_number(text) for text in texts) and len(names) >= _MIN_PLAYERS:
            return above, rows[i:]
        above = row
    return None


def _is_sideways(rows: Rows) -> bool:
    """Return whether one of the first rows has the months side by side, without names."""
    for row in rows[:_SEARCHED]:
        labels = [cell.text for cell in row if cell.text and head_of(cell.text) is None]
        names = [text for text in labels if not _is_number(text)]
        if len(names) >= _MIN_PLAYERS:
            return False
        texts = [text for text in labels if month_of(text) is not None]
        # Two plain numbers can be points.
        is_worded = any(amount_of(text) is None for text in texts)
        if len(texts) >= len(labels) - 1 and len(texts) >= (
            _MIN_PLAYERS if is_worded else _MIN_PLAYERS + 1
        ):
            months = [month_of(text) or 0 for text in texts]
            return all(after == before + 1 for before, after in pairwise(months))
    return False


def _is_number(text: str) -> bool:
    amount = amount_of(text)
    return (amount is not None and amount.value is not None) or month_of(text) is not None


def _may_be_name(text: str) -> bool:
    """Return whether a text is neither the head of another column nor a number, nor too long."""
    if len(text) > _LONGEST_WORD:
        return False
    is_worded = month_of(text) is None or not any(c.isdigit() for c in text)
    return head_of(text) is None and amount_of(text) is None and is_worded


# Columns ------------------------------------------------------------------------------------------


def _assign_columns(layout: Layout, below: Rows) -> None:
    """Assign a meaning to each column, from the head or the cells."""
    for i, cell in enumerate(layout.head):
        column = [row[i] for row in below if row[i].text]
        meaning = head_of(cell.text) if cell.text else None
        if meaning is None:
            meaning = _guess_meaning(layout, cell, column)
        if meaning == "player":
            layout.players.append(i)
        elif meaning == "remark":
            layout.remarks.append(i)
        elif meaning == "other":
            if cell.text:
                layout.warnings.append(_ignored(cell))
        elif meaning in layout.columns:
            layout.faults.append(
                Fault(codes.COLUMN_TWICE, *cell.place, values={"found": cell.excerpt})
            )
        elif meaning:
            layout.columns[meaning] = i


def _guess_meaning(layout: Layout, head: Cell, column: Sequence[Cell]) -> str | None:
    """Return the meaning of a column with an unknown head, or None for an empty column."""
    is_named = 0 < len(head.text) <= _LONGEST_WORD
    if not column:
        return "player" if is_named else None
    if "month" not in layout.columns and not layout.players and _has_months(column, head):
        return "month"
    if 2 * sum(is_like_amount(cell.text) for cell in column) > len(column):
        if is_named:
            return "player"
        layout.faults.append(Fault(codes.NO_NAME, *head.place))
        return None
    if not head.text:
        layout.warnings += [_ignored(cell) for cell in column[:1]]
        return None
    return "other"


def _has_months(column: Sequence[Cell], head: Cell) -> bool:
    """Return whether a column before the players has months, or only labels."""
    labels = [cell for cell in column if not _is_label(cell.text)]
    if any(month_of(cell.text) is None for cell in labels):
        return False
    # Plain numbers below a name are points.
    return not head.text or any(amount_of(cell.text) is None for cell in labels)


def _is_label(text: str) -> bool:
    return is_total(text) or is_ignored(text)


# Rows ---------------------------------------------------------------------------------------------


def _assign_row(layout: Layout, row: Sequence[Cell]) -> None:
    """Assign a row to the months or the sums, or ignore it with a warning."""
    month = layout.cell(row, "month")
    if month and month_of(month.text) is not None:
        layout.body.append(row)
        return
    labels = [cell for i, cell in enumerate(row) if cell.text and i not in layout.players]
    for cell in labels:
        if is_total(cell.text):
            layout.totals.append(row)
            return
        if is_ignored(cell.text):
            layout.warnings.append(_ignored(cell))
            return
    if any(row[i].text for i in layout.players):
        layout.body.append(row)
    else:
        layout.warnings += [_ignored(cell) for cell in labels[:1]]


def _ignored(cell: Cell) -> Fault:
    return Fault(codes.LEFT_OUT, *cell.place, values={"found": cell.excerpt})
