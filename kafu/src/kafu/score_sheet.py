"""The score sheet of a game (記入式): payments, month stones and settlement in a written layout.

Numbers only, no words: a page or a file adds the words. Games with payments in the month have
the layout of hachihachi-sannin's 記入式について, lists of payments month by month. Koi-koi has that
of its document's 試合結果例, seasons side by side, and games scored at the end of the month that
of hanaawase-sannin's 得点記入例, months side by side; a score sheet of these only if it has nothing
but the months' sums (S2), else it is a list too. Sums are a seat, in the ruleset's unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kafu import cards
from kafu.notation.game import Game, Month
from kafu.notation.vocabulary import KAN
from kafu.rules import grades
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.settlement_steps import REPLAYED_ENDS, SettlementStep, compute_steps

Figures = tuple[int | None, ...]

#: Kinds of `SheetSum`. In kan with month stones: 合計 月石清算 吟味分減算 再計 点を貫に 端数処理
#: 最終得点; else the steps of the settlement (`kafu.settlement_steps`) between 合計 and 最終得点.
SUMS: Final = (
    *("total", "board", "prize", "again", "kan", "rounding"),
    *("start", "card", "ginmi", "won", "top", "void", "final"),
)
#: What stands on a sheet that has nothing but the months' sums.
_SUMS_ONLY: Final = frozenset(("month", "kobiki", "obiki", "fuke"))
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
    deals = _written(game, verdict) if game.is_sheet else verdict["deals"]
    if not deals:
        return None
    rules = RULESETS[game.rules]
    if rules.columns and (not game.is_sheet or _has_only_sums(game, verdict)):
        return _seasons(game, verdict["deals"], verdict["final"], rules.columns)
    kan = rules.kan
    months = [_month(game, i, deal, kan) for i, deal in enumerate(deals)]
    return MonthSheet(kan, months, _sums(game, verdict, months, kan))


def _has_only_sums(game: Game, verdict: Mapping[str, Any]) -> bool:
    """Whether a score sheet says no more than each month's sum, and all of it is judged."""
    labels = {one.label for month in game.months for one in month.payments}
    return labels <= _SUMS_ONLY and 0 < len(verdict["deals"]) == len(game.months)


def _written(game: Game, verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The months of a score sheet in the form of a verdict's deals, with the stones that are not
    written but known (S2).
    """
    stones = [month.stone for month in game.months]
    if _has_stones(game):
        judged = [deal["next_dealer"] for deal in verdict["deals"]]
        stones = [*judged, *stones[len(judged) :]]
    return [
        {
            "month": month.month,
            "dealer": month.dealer,
            "grade": month.ba,
            "ledger": [
                {"label": one.label, "amounts": list(one.amounts), "void": one.void}
                for one in month.payments
            ],
            "next_dealer": stone,
            "end": "sheet",
        }
        for month, stone in zip(game.months, stones, strict=True)
    ]


def _has_stones(game: Game) -> bool:
    """Whether the next dealer puts a stone in each month (H19, B15)."""
    form = RULESETS[game.rules].sheet
    return form is not None and form(game.options, len(game.players)).stones


# Months ------------------------------------------------------------------------------------------


def _month(game: Game, index: int, deal: Mapping[str, Any], kan: bool) -> SheetMonth:
    lines = [_line(line, deal, kan) for line in deal["ledger"]]
    nothing: Figures = (None,) * len(game.players)
    if deal["end"] in REPLAYED_ENDS:
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
    if (
        deal["end"] == "sheet"
        or deal["end"] in REPLAYED_ENDS
        or grade is None
        or month.field is None
    ):
        return grade
    _, carried = grades.grade(cards.mask(month.field), deal["bound"])
    return f"{grade}2" if carried else grade


# Below the months --------------------------------------------------------------------------------


def _sums(
    game: Game, verdict: Mapping[str, Any], months: Sequence[SheetMonth], kan_unit: bool
) -> list[SheetSum]:
    """合計, and below it what makes the final result of it."""
    seats = range(len(game.players))
    lines = [line for month in months for line in month.lines if not line.void]
    kan = [sum(line.kan[i] or 0 for line in lines) for i in seats]
    points = [sum(line.points[i] or 0 for line in lines) for i in seats]
    stones: tuple[int, ...] = ()
    if _has_stones(game):
        stones = tuple(sum(line.stone == i + 1 for line in lines) for i in seats)
    rows = [SheetSum("total", tuple(kan), tuple(points), stones)]
    final = verdict["final"]
    if final is None:
        return rows
    steps_to_end = compute_steps(game, verdict)[1:]
    if any(step.kind == "board" for step in steps_to_end):
        rows += _settlement(kan, points, steps_to_end)
        return [*rows, SheetSum("final", tuple(final), (None,) * len(final))]
    rows += [
        _row("top" if step.kind == "prize" else step.kind, step.amounts, kan_unit)
        for step in steps_to_end
        if any(step.amounts)
    ]
    if RULESETS[game.rules].final_unit > 1:
        return [*rows, SheetSum("final", tuple(final), (None,) * len(final))]
    return [*rows, _row("final", final, kan_unit)]


def _row(kind: str, sums: Sequence[int], kan_unit: bool) -> SheetSum:
    """Sums in the small unit as a row, in kan and points where there are kan."""
    if not kan_unit:
        return SheetSum(kind, (None,) * len(sums), tuple(sums))
    rest = tuple(_signed(abs(sum) % KAN, sum) for sum in sums)
    whole = tuple((sum - points) // KAN for sum, points in zip(sums, rest, strict=True))
    return SheetSum(kind, whole, rest)


def _settlement(
    kan: Sequence[int], points: Sequence[int], steps_to_end: Sequence[SettlementStep]
) -> list[SheetSum]:
    """The rows from 月石清算 to 端数処理 (H20)."""
    step = {one.kind: one for one in steps_to_end}
    nothing: Figures = (None,) * len(kan)
    board = tuple(map(sum, zip(points, step["board"].amounts, strict=True)))
    short = [sum_ // KAN for sum_ in step["short"].amounts]
    after = step["short"].sums
    truncated = [_signed(abs(sum) // KAN, sum) for sum in after]
    rest = tuple(sum - KAN * whole for sum, whole in zip(after, truncated, strict=True))
    top = next((i for i, sum_ in enumerate(step["rest"].amounts) if sum_), None)
    rounded = (None if i == top else whole for i, whole in enumerate(truncated))
    return [
        SheetSum("board", tuple(kan), board),
        SheetSum("prize", tuple(short), nothing),
        SheetSum("again", tuple(map(sum, zip(kan, short, strict=True))), board),
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
            was_fuke = _is_fuke(deal)
            if was_fuke and deal["next_dealer"] == i + 1:
                fuke.add(column)
            if deal["end"] not in REPLAYED_ENDS and not was_fuke:
                seasons[column] += _figures(deal, i, whole=width == 1)
        subtotal = start + sum(map(sum, seasons))
        total = None if final is None else final[i]
        prize = None if total is None else total - subtotal
        rows.append(SeasonRow(seasons, frozenset(fuke), start, subtotal, prize, total))
    columns = [(width * column + 1, width * (column + 1)) for column in range(count)]
    year = game.options.get("profile", game.rules) == game.rules
    return SeasonSheet(year, columns, rows)


def _is_fuke(deal: Mapping[str, Any]) -> bool:
    """Whether a month was ふけ; a sheet of sums has a line that says so (S6)."""
    return deal["end"] == "fuke" or any(line["label"] == "fuke" for line in deal["ledger"])


#: 小引 and 大引 are shown apart from the month's figure.
_BONUS: Final = ("kobiki", "obiki")


def _figures(deal: Mapping[str, Any], i: int, *, whole: bool) -> list[int]:
    """What a month gave a player: one figure, or 小引 apart and nothing for nothing."""
    if whole:
        return [deal["score"][i]]
    extra = [line["amounts"][i] for line in deal["ledger"] if line["label"] in _BONUS]
    return list(filter(None, (deal["score"][i] - sum(extra), *extra)))
