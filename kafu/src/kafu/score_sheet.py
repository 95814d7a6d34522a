"""The score sheet of a game (記入式): payments, month stones and settlement in a written layout.

Numbers only, no words: a page or a file adds the words. Games with payments in the month have
the layout of hachihachi-sannin's 記入式について, lists of payments month by month. Koi-koi has that
of its document's 試合結果例, seasons side by side, and games scored at the end of the month that
of hanaawase-sannin's 得点記入例, months side by side. Sums are a seat, in the ruleset's unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kafu import cards
from kafu.notation.game import Game, Month
from kafu.notation.vocabulary import KAN
from kafu.rules import grades
from kafu.rules.description import YearSettlement
from kafu.rules.rulesets import RULESETS, machine_of

Figures = tuple[int | None, ...]

#: Kinds of `SheetSum`: 合計 月石清算 吟味分減算 再計 点を貫に 端数処理 最終得点;
#: ``top`` is a prize that is simply added (トップ賞, 吟味).
SUMS: Final = ("total", "board", "prize", "again", "kan", "rounding", "top", "final")
#: Deals that are played over: no stone, no score.
_AGAIN: Final = frozenset({"redeal", "void"})
_CAPTURED: Final = frozenset(("goko", "shiko", "goun", "nanatan", "akatan", "aotan", "inoshikacho"))


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of a month: kan and points a seat (None: nothing written), and the seat whose stone is
    in it.

    ``label`` is the ledger's, "" for card points and for a stone by itself; ``note`` is "sage" or
    "torikeshi" if the yaku was paid half for that, or how a deal that was played over ended.
    """

    label: str
    kan: Figures
    points: Figures
    note: str = ""
    void: bool = False
    stone: int = 0


@dataclass(frozen=True, slots=True)
class SheetMonth:
    """A month: ``grade`` as a sheet has it, ``large2`` where a 二代しばり arises."""

    month: int
    grade: str | None
    lines: list[SheetLine]


@dataclass(frozen=True, slots=True)
class SheetSum:
    """A row below the months, of a kind in SUMS; ``stones`` a seat, in the total."""

    kind: str
    kan: Figures
    points: Figures
    stones: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MonthSheet:
    """Months below each other; ``kan`` says whether sums are in kan and points."""

    kan: bool
    months: list[SheetMonth]
    sums: list[SheetSum]


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player: their figures of the months of each column, 小引 as a figure of its own.

    ``fuke`` are the columns in which their ふけ made the month void (A3). ``start`` is what the
    house gives everyone; ``prize`` and ``total`` are None without an end.
    """

    seasons: list[list[int]]
    fuke: frozenset[int]
    start: int
    subtotal: int
    prize: int | None
    total: int | None


@dataclass(frozen=True, slots=True)
class SeasonSheet:
    """Seasons or months side by side: first and last month of each. ``year``: no mere rounds."""

    year: bool
    seasons: list[tuple[int, int]]
    rows: list[SeasonRow]


def sheet(game: Game, verdict: Mapping[str, Any]) -> MonthSheet | SeasonSheet | None:
    """The sheet of a game with its verdict (verdict.md's object); None without a complete deal.

    A score sheet is drawn as it is written, also if it is faulty.
    """
    deals = [_written(month) for month in game.months] if game.is_sheet else verdict["deals"]
    if not deals:
        return None
    rules = RULESETS[game.rules]
    if rules.columns and not game.is_sheet:
        return _seasons(game, deals, verdict["final"], rules.columns)
    kan = rules.kan
    months = [_month(game, i, deal, kan) for i, deal in enumerate(deals)]
    return MonthSheet(kan, months, _sums(game, deals, months, verdict["final"], kan))


def _written(month: Month) -> dict[str, Any]:
    """A month of a score sheet in the form of a verdict's deal."""
    ledger = [
        {"label": one.label, "amounts": list(one.amounts), "void": one.void}
        for one in month.payments
    ]
    return {
        "month": month.month,
        "dealer": month.dealer,
        "grade": month.ba,
        "ledger": ledger,
        "next_dealer": month.stone,
        "end": "sheet",
    }


# Months ------------------------------------------------------------------------------------------


def _month(game: Game, index: int, deal: Mapping[str, Any], kan: bool) -> SheetMonth:
    lines = [_line(line, deal, kan) for line in deal["ledger"]]
    nothing: Figures = (None,) * len(game.players)
    if deal["end"] in _AGAIN:
        lines.append(SheetLine("", nothing, nothing, note=deal["end"]))
    elif deal["next_dealer"]:
        _put_stone(lines, deal["next_dealer"], nothing)
    return SheetMonth(deal["month"], _grade(game.months[index], deal), lines)


def _line(line: Mapping[str, Any], deal: Mapping[str, Any], kan: bool) -> SheetLine:
    label, amounts, void = line["label"], tuple(line["amounts"]), line["void"]
    if label == "points":
        return SheetLine("", (None,) * len(amounts), amounts, void=void)
    note = ""
    if set(label.split("+")) <= _CAPTURED:
        if deal["end"] == "torikeshi":
            note = "torikeshi"
        elif deal["next_dealer"] and amounts[deal["next_dealer"] - 1] <= 0:
            note = "sage"  # whoever ends the month deals next: this one was in 下げ
    if not kan:
        return SheetLine(label, (None,) * len(amounts), _blank(amounts), note, void)
    whole, rest = _columns(amounts)
    return SheetLine(label, _blank(whole), _blank(rest), note, void)


def _columns(amounts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Kan and points of a payment. The receiver writes what the others write, so that each column
    sums to zero: half a kan from two is +6 and +12 with -3 -6 twice, not +7.
    """
    rest = [_signed(abs(amount) % KAN, amount) for amount in amounts]
    gains = [i for i, amount in enumerate(amounts) if amount > 0]
    if len(gains) == 1 and not sum(amounts):
        rest[gains[0]] = -sum(points for i, points in enumerate(rest) if i != gains[0])
    whole = [(amount - points) // KAN for amount, points in zip(amounts, rest, strict=True)]
    return whole, rest


def _signed(size: int, sign: int) -> int:
    return -size if sign < 0 else size


def _blank(figures: Iterable[int]) -> Figures:
    return tuple(figure or None for figure in figures)


def _put_stone(lines: list[SheetLine], seat: int, nothing: Figures) -> None:
    """Mark the owner of the stone at the last figure with room for it, else in a line by itself."""
    for i in reversed(range(len(lines))):
        if lines[i].points[seat - 1] is None and not lines[i].void:
            lines[i] = replace(lines[i], stone=seat)
            return
    lines.append(SheetLine("", nothing, nothing, stone=seat))


def _grade(month: Month, deal: Mapping[str, Any]) -> str | None:
    """The grade, with the mark of a 二代しばり that arises in it (H1, H24)."""
    grade: str | None = deal["grade"]
    if deal["end"] == "sheet" or deal["end"] in _AGAIN or grade is None or month.field is None:
        return grade
    _, carried = grades.grade(cards.mask(month.field), deal["bound"])
    return f"{grade}2" if carried else grade


# Below the months --------------------------------------------------------------------------------


def _sums(
    game: Game,
    deals: Sequence[Mapping[str, Any]],
    months: Sequence[SheetMonth],
    final: Sequence[int] | None,
    kan_unit: bool,
) -> list[SheetSum]:
    seats = range(len(game.players))
    lines = [line for month in months for line in month.lines if not line.void]
    kan = [sum(line.kan[i] or 0 for line in lines) for i in seats]
    points = [sum(line.points[i] or 0 for line in lines) for i in seats]
    stones = tuple(sum(line.stone == i + 1 for line in lines) for i in seats)
    board = RULESETS[game.rules].board
    rows = [SheetSum("total", tuple(kan), tuple(points), stones if board else ())]
    if final is None:
        return rows
    if board:
        totals = [KAN * whole + rest for whole, rest in zip(kan, points, strict=True)]
        shiso = [
            1 + line.kan.index(max(whole or 0 for whole in line.kan))
            for line in lines
            if "shiso" in line.label.split("+")
        ]
        found = board.settle(totals, stones, deals[-1]["dealer"], shiso)
        rows += _settlement(kan, points, found, board.short // KAN) if found else []
        return [*rows, SheetSum("final", tuple(final), (None,) * len(final))]
    top = [end - KAN * kan[i] - points[i] for i, end in enumerate(final)]
    if any(top):
        rows.append(_row("top", top, kan_unit))
    return [*rows, _row("final", final, kan_unit)]


def _row(kind: str, sums: Sequence[int], kan_unit: bool) -> SheetSum:
    """Sums in the small unit as a row, in kan and points where there are kan."""
    if not kan_unit:
        return SheetSum(kind, (None,) * len(sums), tuple(sums))
    rest = tuple(_signed(abs(sum) % KAN, sum) for sum in sums)
    whole = tuple((sum - points) // KAN for sum, points in zip(sums, rest, strict=True))
    return SheetSum(kind, whole, rest)


def _settlement(
    kan: Sequence[int], points: Sequence[int], found: YearSettlement, short: int
) -> list[SheetSum]:
    """The rows from 月石清算 to 端数処理 (H20)."""
    nothing: Figures = (None,) * len(kan)
    board = tuple(rest + share for rest, share in zip(points, found.board, strict=True))
    again = tuple(whole - short for whole in kan)
    truncated = [_signed(abs(sum) // KAN, sum) for sum in found.after]
    rest = tuple(sum - KAN * whole for sum, whole in zip(found.after, truncated, strict=True))
    rounded = (None if i + 1 == found.top else whole for i, whole in enumerate(truncated))
    return [
        SheetSum("board", tuple(kan), board),
        SheetSum("prize", (-short,) * len(kan), nothing),
        SheetSum("again", again, board),
        SheetSum("kan", tuple(truncated), rest),
        SheetSum("rounding", tuple(rounded), nothing),
    ]


# Seasons or months side by side ------------------------------------------------------------------


def _seasons(
    game: Game, deals: Sequence[Mapping[str, Any]], final: Sequence[int] | None, width: int
) -> SeasonSheet:
    start = machine_of(game.rules, game.options, len(game.players)).start().totals[0]
    count = -(-max(deal["month"] for deal in deals) // width)
    rows = []
    for i in range(len(game.players)):
        seasons: list[list[int]] = [[] for _ in range(count)]
        fuke = set()
        for deal in deals:
            column = (deal["month"] - 1) // width
            if deal["end"] == "fuke" and deal["next_dealer"] == i + 1:
                fuke.add(column)
            if deal["end"] not in _AGAIN and deal["end"] != "fuke":
                seasons[column] += _figures(deal, i, whole=width == 1)
        subtotal = start + sum(map(sum, seasons))
        total = None if final is None else final[i]
        prize = None if total is None else total - subtotal
        rows.append(SeasonRow(seasons, frozenset(fuke), start, subtotal, prize, total))
    columns = [(width * column + 1, width * (column + 1)) for column in range(count)]
    year = game.options.get("profile", game.rules) == game.rules
    return SeasonSheet(year, columns, rows)


#: 小引 and 大引 are shown apart from the month's figure.
_BONUS: Final = ("kobiki", "obiki")


def _figures(deal: Mapping[str, Any], i: int, *, whole: bool) -> list[int]:
    """What a month gave a player: one figure, or 小引 apart and nothing for nothing."""
    if whole:
        return [deal["score"][i]]
    extra = [line["amounts"][i] for line in deal["ledger"] if line["label"] in _BONUS]
    return list(filter(None, (deal["score"][i] - sum(extra), *extra)))
