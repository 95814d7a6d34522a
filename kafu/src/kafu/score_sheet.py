"""The score sheet of a game (記入式): payments, month stones and settlement in a written layout.

The sheet has only numbers; a page or a file adds the words. The layout depends on the ruleset:

- Games with payments in the month: lists of payments month by month, as in hachihachi-sannin's
  記入式について.
- Koi-koi: seasons side by side, as in its document's 試合結果例.
- Games scored at the end of the month: months side by side, as in hanaawase-sannin's 得点記入例.

In the last two cases, a score sheet with more than the months' sums (S2) is a list of payments too.
Sums are per seat, in the ruleset's unit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kafu.judging.sheets import list_grades
from kafu.notation.game import Game
from kafu.notation.vocabulary import KAN
from kafu.rules.payments import PaymentTable
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import MONTH
from kafu.rules.verdict import REPLAYED_ENDS
from kafu.settlement_steps import SettlementStep, compute_steps

Figures = tuple[int | None, ...]

#: Kinds of `SheetSum`. In kan with month stones: 合計 月石清算 吟味分減算 再計 点を貫に 端数処理
#: 最終得点; else the steps of the settlement (`kafu.settlement_steps`) between 合計 and 最終得点.
SUMS: Final = (
    *("total", "board", "prize", "again", "kan", "rounding"),
    *("start", "card", "ginmi", "won", "top", "void", "final"),
)


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of a month: kan and points per seat, None for no entry.

    ``label`` is the ledger's label, "" for card points and for a line with only a stone. ``note``
    is "sage" or "torikeshi" for a yaku paid at half for that reason, or the end of a replayed deal.
    ``stone`` is the seat with the month stone in the line, or 0.
    """

    label: str
    kan: Figures
    points: Figures
    note: str = ""
    void: bool = False
    stone: int = 0


@dataclass(frozen=True, slots=True)
class SheetMonth:
    """A month: ``grade`` as on a sheet, ``large2`` for a month with a 二代しばり."""

    month: int
    grade: str | None
    lines: list[SheetLine]


@dataclass(frozen=True, slots=True)
class SheetSum:
    """A row below the months, of a kind in SUMS; ``stones`` is the count per seat, in the total."""

    kind: str
    kan: Figures
    points: Figures
    stones: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MonthSheet:
    """Months below each other; ``kan`` is true for sums in kan and points."""

    kan: bool
    months: list[SheetMonth]
    sums: list[SheetSum]


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player's row: the figures of the months in each column, 小引 as a separate figure.

    ``fuke`` are the columns with a month voided by the player's ふけ (A3). ``start`` is the initial
    amount from the house. ``prize`` and ``total`` are None for an unfinished game.
    """

    seasons: list[list[int]]
    fuke: frozenset[int]
    start: int
    subtotal: int
    prize: int | None
    total: int | None


@dataclass(frozen=True, slots=True)
class SeasonSheet:
    """Seasons or months side by side, each with its first and last month.

    ``year`` is true for a game of the year, false for a game of plain rounds.
    """

    year: bool
    seasons: list[tuple[int, int]]
    rows: list[SeasonRow]


def build_sheet(game: Game, verdict: Mapping[str, Any]) -> MonthSheet | SeasonSheet | None:
    """Return the sheet of a game, or None without a complete deal.

    ``verdict`` is the object of verdict.md. A score sheet is returned as written, even with faults.
    """
    deals = _written_deals(game, verdict) if game.is_sheet else _played_deals(game, verdict)
    if not deals:
        return None
    rules = RULESETS[game.rules]
    if rules.columns and (not game.is_sheet or _has_only_sums(game, verdict)):
        return _build_season_sheet(game, verdict["deals"], verdict["final"], rules.columns)
    kan = rules.kan
    payments = _make_form(game).payments
    months = [_build_month(len(game.players), deal, payments, kan) for deal in deals]
    return MonthSheet(kan, months, _sum_rows(game, verdict, months, kan))


def _has_only_sums(game: Game, verdict: Mapping[str, Any]) -> bool:
    """Return whether a score sheet has only the months' sums, and all months are judged."""
    labels = {payment.label for month in game.months for payment in month.payments}
    form = _make_form(game)
    marks = [row.id for row in form.payments.values() if row.marks]
    is_short = labels <= {MONTH, *form.prize_labels, *marks}
    return is_short and 0 < len(verdict["deals"]) == len(game.months)


def _played_deals(game: Game, verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a verdict's deals with the grades of a sheet."""
    deals = verdict["deals"]
    grades = list_grades(game, [(deal["grade"], deal["end"]) for deal in deals])
    return [{**deal, "grade": grade} for deal, grade in zip(deals, grades, strict=True)]


def _written_deals(game: Game, verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the months of a score sheet in the form of a verdict's deals.

    Stones that are not written but known (S2) are added.
    """
    form = _make_form(game)
    stones = [month.stone for month in game.months]
    if form.stones:
        judged = [deal["next_dealer"] for deal in verdict["deals"]]
        stones = [*judged, *stones[len(judged) :]]
    results = map(form.result, game.months, stones)
    return [result.to_json() for result in results]


def _make_form(game: Game) -> GameSheet:
    """Return an empty score sheet by the rules of a game."""
    return RULESETS[game.rules].sheet(game.options, len(game.players))


# Months ------------------------------------------------------------------------------------------


def _build_month(
    players: int, deal: Mapping[str, Any], payments: PaymentTable, kan: bool
) -> SheetMonth:
    lines = [_build_line(line, deal, payments, kan) for line in deal["ledger"]]
    nothing: Figures = (None,) * players
    if deal["end"] in REPLAYED_ENDS:
        lines.append(SheetLine("", nothing, nothing, note=deal["end"]))
    elif deal["next_dealer"]:
        _put_stone(lines, deal["next_dealer"], nothing)
    return SheetMonth(deal["month"], deal["grade"], lines)


def _build_line(
    line: Mapping[str, Any], deal: Mapping[str, Any], payments: PaymentTable, kan: bool
) -> SheetLine:
    label, amounts, void = line["label"], tuple(line["amounts"]), line["void"]
    if label == "points":
        return SheetLine("", (None,) * len(amounts), amounts, void=void)
    note = ""
    if all(id in payments and payments[id].halves for id in label.split("+")):
        if deal["end"] == "torikeshi":
            note = "torikeshi"
        elif deal["next_dealer"] and amounts[deal["next_dealer"] - 1] <= 0:
            note = "sage"  # 下げ: the next dealer ended the month, not this player
    figures = _split_payment(amounts) if kan else ((0,) * len(amounts), amounts)
    kan_figures, point_figures = map(_blank_zeros, figures)
    return SheetLine(label, kan_figures, point_figures, note, void)


def _split_kan(amounts: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return kan and points of amounts, both with the sign of the amount."""
    kan = tuple(int(amount / KAN) for amount in amounts)
    return kan, tuple(amount - KAN * whole for amount, whole in zip(amounts, kan, strict=True))


def _split_payment(amounts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return kan and points of a payment, per seat.

    The receiver's entries are the sums of the payers' entries, so that each column sums to zero:
    two payers of -3 kan -6 points give +6 kan +12 points, not +7 kan.
    """
    columns = [list(figures) for figures in _split_kan(amounts)]
    gains = [i for i, amount in enumerate(amounts) if amount > 0]
    if len(gains) == 1 and not sum(amounts):
        for figures in columns:
            figures[gains[0]] -= sum(figures)
    return columns[0], columns[1]


def _blank_zeros(figures: Iterable[int]) -> Figures:
    return tuple(figure or None for figure in figures)


def _put_stone(lines: list[SheetLine], seat: int, nothing: Figures) -> None:
    """Mark the stone of a seat at its last free figure, or in a new line."""
    for i in reversed(range(len(lines))):
        if lines[i].points[seat - 1] is None and not lines[i].void:
            lines[i] = replace(lines[i], stone=seat)
            return
    lines.append(SheetLine("", nothing, nothing, stone=seat))


# Below the months --------------------------------------------------------------------------------


def _sum_rows(
    game: Game, verdict: Mapping[str, Any], months: Sequence[SheetMonth], kan_unit: bool
) -> list[SheetSum]:
    """Return 合計 and the rows from 合計 to the final result."""
    seats = range(len(game.players))
    lines = [line for month in months for line in month.lines if not line.void]
    kan = [sum(line.kan[i] or 0 for line in lines) for i in seats]
    points = [sum(line.points[i] or 0 for line in lines) for i in seats]
    stones: tuple[int, ...] = ()
    if _make_form(game).stones:
        stones = tuple(sum(line.stone == i + 1 for line in lines) for i in seats)
    rows = [SheetSum("total", tuple(kan), tuple(points), stones)]
    final = verdict["final"]
    if final is None:
        return rows
    steps_to_end = compute_steps(game, verdict)[1:]
    if any(step.kind == "board" for step in steps_to_end):
        rows += _settlement_rows(kan, points, steps_to_end)
    else:
        rows += [
            _sum_row("top" if step.kind == "prize" else step.kind, step.amounts, kan_unit)
            for step in steps_to_end
            if any(step.amounts)
        ]
    if RULESETS[game.rules].final_unit > 1:
        return [*rows, SheetSum("final", tuple(final), (None,) * len(final))]
    return [*rows, _sum_row("final", final, kan_unit)]


def _sum_row(kind: str, sums: Sequence[int], kan_unit: bool) -> SheetSum:
    """Return sums in the small unit as a row, in kan and points if ``kan_unit``."""
    if not kan_unit:
        return SheetSum(kind, (None,) * len(sums), tuple(sums))
    return SheetSum(kind, *_split_kan(sums))


def _settlement_rows(
    kan: Sequence[int], points: Sequence[int], steps_to_end: Sequence[SettlementStep]
) -> list[SheetSum]:
    """Return the rows from 月石清算 to 端数処理 (H20)."""
    step = {settlement_step.kind: settlement_step for settlement_step in steps_to_end}
    nothing: Figures = (None,) * len(kan)
    board = tuple(map(sum, zip(points, step["board"].amounts, strict=True)))
    short = [amount // KAN for amount in step["short"].amounts]
    truncated, left = _split_kan(step["short"].sums)
    top = next((i for i, amount in enumerate(step["rest"].amounts) if amount), None)
    rounded = (None if i == top else whole for i, whole in enumerate(truncated))
    return [
        SheetSum("board", tuple(kan), board),
        SheetSum("prize", tuple(short), nothing),
        SheetSum("again", tuple(map(sum, zip(kan, short, strict=True))), board),
        SheetSum("kan", truncated, left),
        SheetSum("rounding", tuple(rounded), nothing),
    ]


# Seasons or months side by side ------------------------------------------------------------------


def _build_season_sheet(
    game: Game, deals: Sequence[Mapping[str, Any]], final: Sequence[int] | None, width: int
) -> SeasonSheet:
    start = machine_of(game.rules, game.options, len(game.players)).start().totals[0]
    prizes = _make_form(game).prize_labels if width > 1 else ()
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
                figures = _month_figures(deal, i, prizes)
                seasons[column] += figures if width == 1 else filter(None, figures)
        subtotal = start + sum(map(sum, seasons))
        total = None if final is None else final[i]
        prize = None if total is None else total - subtotal
        rows.append(SeasonRow(seasons, frozenset(fuke), start, subtotal, prize, total))
    columns = [(width * column + 1, width * (column + 1)) for column in range(count)]
    year = game.options.get("profile", game.rules) == game.rules
    return SeasonSheet(year, columns, rows)


def _is_fuke(deal: Mapping[str, Any]) -> bool:
    """Return whether a month was ふけ; on a sheet of sums a line says so (S6)."""
    return deal["end"] == "fuke" or any(line["label"] == "fuke" for line in deal["ledger"])


def _month_figures(deal: Mapping[str, Any], i: int, prizes: Collection[str]) -> list[int]:
    """Return a player's figures of a month: the sum without prizes (小引, 大引), and each prize."""
    extra = [line["amounts"][i] for line in deal["ledger"] if line["label"] in prizes]
    return [deal["score"][i] - sum(extra), *extra]
