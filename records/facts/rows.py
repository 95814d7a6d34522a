"""Rows of the fact tables, made from judged games.

`collect_rows` needs no database and runs together with judging. Its rows name seats. A `RowBatch`
adds the ids and dates of each game from the database, and turns rows into columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import zip_longest
from operator import attrgetter
from typing import Any, Final

import numpy as np

from kafu import cards
from kafu.analysis.report import Choice, DealParts
from kafu.analysis.search import margin
from kafu.comparing.situations import GameComparer
from kafu.judging.facts import DealFacts, Decision, GameFacts
from kafu.judging.verify import Verification
from kafu.notation.game import Game, Month
from kafu.notation.writer import write_turns
from kafu.rules.names import YAKU
from kafu.rules.play.ledger import OTHER, maker
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import RULESETS
from kafu.rules.sheets.lines import MONTH
from kafu.rules.verdict import DealResult
from records.facts.analysed import list_loss_values, list_luck_values
from records.facts.standings import Standing, list_balances
from records.facts.tables import GAME, SEAT, TABLES, FactColumn
from records.models.facts import family_of

#: Verdicts of games that count.
COUNTED: Final = frozenset(("verified", "consistent", "mismatch", "unfinished"))
#: Endings of deals without winners and losers.
UNSCORED: Final = frozenset(("redeal", "void"))
#: The value of a grade's bound without a carried-over grade, and of an empty hand.
NOTHING: Final = "-"
#: Maximum number of seats playing a deal.
_PLAYING_SEATS: Final = 3
#: The families of all yaku.
_FAMILIES: Final = {yaku: family_of(yaku).value for yaku in YAKU}

Row = tuple[Any, ...]
Array = np.ndarray[Any, Any]
_NUMPY: Final[Mapping[str, str]] = {
    "BIGINT": "i8",
    "INTEGER": "i4",
    "SMALLINT": "i2",
    "TINYINT": "i1",
    "BOOLEAN": "?",
}


@dataclass(slots=True)
class GameRows:
    """The rows of a game by table, without the columns from the database.

    The column ``player`` is 0; it is set later from the seat.
    """

    ruleset: str
    tables: defaultdict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))


def is_counted(verification: Verification) -> bool:
    """Return whether a game has facts: its verdict counts, and a deal ended."""
    verdict = verification.verdict
    has_deals = verification.game is not None and bool(verdict.deals)
    return has_deals and verdict.status in COUNTED


def collect_rows(
    verification: Verification, report: Mapping[str, Any] | None = None
) -> GameRows | None:
    """Return the rows of a judged game, or None for a game that does not count.

    ``report`` is that of its analysis (`kafu.analysis.report`), None without an analysis.
    """
    if not is_counted(verification):
        return None
    verdict, game = verification.verdict, verification.game
    assert game is not None
    facts = verification.facts
    rows = GameRows(game.rules)
    seats = len(game.players)
    losses: defaultdict[tuple[int, int], list[Choice]] = defaultdict(list)
    for choice in report["choices"] if report else ():
        if not choice["reason"]:
            losses[choice["deal"], choice["seat"]].append(choice)
    measured = {deal["deal"]: deal for deal in report["deals"] if deal["parts"]} if report else {}
    ranks = verdict.places or ()
    winners = [rank == 1 and ranks.count(1) == 1 for rank in ranks]
    turns, sums = 0, [0] * seats
    comparison = GameComparer(facts, game.options) if facts is not None else None
    facts_by_deal: Sequence[DealFacts] = facts.deals if facts is not None else ()
    for number, (result, deal_facts) in enumerate(zip_longest(verdict.deals, facts_by_deal), 1):
        if result is None:
            break  # The last deal did not end.
        month = None if game.is_sheet else game.months[number - 1]
        standing = Standing(tuple(sums), winners)
        deal = _Deal(rows, number, standing, result, deal_facts, facts, month)
        deal.add_deal(_find_bound(verification, number, result))
        deal.add_ledger()
        deal.add_seats(losses, measured.get(number))
        deal.add_situations(comparison)
        turns += deal.turns
        sums = [total + score for total, score in zip(sums, result.score, strict=True)]
    rows.tables["losses"] += _list_unfinished_losses(losses, len(verdict.deals), game.rules)
    if facts is not None:
        for number, (month, begun) in enumerate(zip(game.months, facts.deals, strict=False), 1):
            rows.tables["cards"].append(_make_cards_row(game, number, month, begun))
    ended = verdict.final is not None
    rows.tables["games"].append(
        (verdict.status, ended, len(verdict.deals), turns, report is not None)
    )
    unit = RULESETS[game.rules].final_unit
    finals = [total * unit for total in verdict.final] if verdict.final is not None else []
    for seat in range(1, seats + 1):
        rank = ranks[seat - 1] if ended else None
        rows.tables["results"].append(
            (
                *(seat, 0, verdict.status, ended),
                finals[seat - 1] if ended else None,
                rank,
                ranks.count(rank) > 1 if ended else None,
            )
        )
    return rows


def _list_unfinished_losses(
    losses: Mapping[tuple[int, int], Sequence[Choice]], ended_deals: int, ruleset: str
) -> Iterator[Row]:
    """Yield the rows of analysed choices in unfinished deals, without a score."""
    values: dict[str, Any] = {"player": 0, "scored": False, "playing": 0, "won": False, "yaku": ""}
    for (deal, seat), choices in losses.items():
        if deal > ended_deals:
            values |= {"deal": deal, "seat": seat}
            row = tuple(values.get(column.name) for column in SEAT)
            for choice in choices:
                yield *row, *list_loss_values(choice, ruleset)


def _make_cards_row(game: Game, number: int, month: Month, facts: DealFacts) -> Row:
    """Return the row of a deal in the table ``cards``, without turns that were not judged."""
    seats = len(game.players)
    order = [seat for seat in turn_order(month.dealer, seats) if seat in facts.playing]
    return (
        number,
        " ".join(month.hands.get(seat) or NOTHING for seat in range(1, seats + 1)),
        month.field,
        f"{month.stock}{'...' if month.stock_cut else ''}" if month.stock else None,
        " ".join(map(str, order)),
        write_turns(month) if order else "",
    )


def _find_bound(verification: Verification, number: int, result: DealResult) -> str | None:
    """Return the grade carried over into a deal, None if unknown.

    A sheet may omit the grade of a month, and with it the grade carried into the next month.
    """
    game = verification.game
    assert game is not None
    if game.is_sheet and number > 1 and result.bound is None:
        before = game.months[number - 2].ba
        if before is None or before.endswith("2"):
            return None
    return result.bound or NOTHING


class _Deal:
    """A finished deal, which adds rows to the rows of the game."""

    def __init__(
        self,
        rows: GameRows,
        number: int,
        standing: Standing,
        result: DealResult,
        deal_facts: DealFacts | None,
        facts: GameFacts | None,
        month: Month | None,
    ) -> None:
        self.tables, self.ruleset = rows.tables, rows.ruleset
        self.description = RULESETS[rows.ruleset]
        self.number, self.result, self.deal_facts = number, result, deal_facts
        self.written_hands = month.hands if month is not None else {}
        self.standing = standing
        self.seats = range(1, len(result.score) + 1)
        self.scored = result.end not in UNSCORED
        self.turns = deal_facts.ended.turn if deal_facts is not None else 0
        if not self.scored and month is not None:
            # The turns of a misdealt deal are not played by the rules (H25).
            self.turns = month.played
        self.margins = [margin(result.score, seat) for seat in self.seats]
        #: The yaku by seat, without yaku that were struck out.
        self.yaku: list[set[str]] = [set() for _ in self.seats]
        #: The seats in play in their order; empty if unknown.
        self.order: tuple[int, ...] = ()
        self.decisions: list[Decision] = []
        if self.scored and facts is not None and deal_facts is not None:
            self.order = facts.order(deal_facts)
            self.decisions = list(facts.decisions(deal_facts))
        elif self.scored and len(self.seats) <= _PLAYING_SEATS:
            # The sheet of a larger table omits the seats in play.
            self.order = turn_order(result.dealer, len(self.seats))
        self.grade = result.grade.removesuffix("2") if result.grade is not None else None
        #: The facts of a deal whose first card was played.
        self.opened = (
            deal_facts if self.scored and deal_facts is not None and deal_facts.plays else None
        )

    def add_deal(self, bound: str | None) -> None:
        """Add the row of the deal itself."""
        result, opened = self.result, self.opened
        laid, take = (opened.laid, opened.plays[0].taken) if opened is not None else (None, None)
        self.tables["deals"].append(
            (
                *(self.number, result.month, result.dealer, result.next_dealer),
                *(result.winner, result.end),
                *(self.scored, self.turns, self.grade, bound, laid, take),
            )
        )

    def add_ledger(self) -> None:
        """Add the rows of the deal's payments."""
        for number, line in enumerate(self.result.ledger, start=1):
            label, amounts, void = line
            if label == MONTH:  # The sum of a sheet's month, for reasons not recorded.
                continue
            labels = label.split("+")
            if labels[0] in OTHER:
                zero = not void and not any(amounts)
                payment = labels[0]
                rows = self.tables["payments"]
                rows.append((self.number, number, 0, 0, payment, 0, void, zero))
                rows += [
                    (self.number, number, seat, 0, payment, amount, void, zero)
                    for seat, amount in enumerate(amounts, start=1)
                    if amount
                ]
                continue
            seat, gain = maker(line)
            if seat is None:
                continue
            for part, yaku in enumerate(labels, start=1):
                if yaku in YAKU:  # a sheet may contain labels without a yaku
                    place = self.number, number, seat, 0
                    row = (*place, yaku, _FAMILIES[yaku], part, len(labels), gain, void)
                    self.tables["yaku"].append(row)
                    if not void:
                        self.yaku[seat - 1].add(yaku)

    def add_seats(
        self, losses: Mapping[tuple[int, int], Sequence[Choice]], measured: DealParts | None
    ) -> None:
        """Add the rows of the seats, their yaku, choices and luck, and the cards they threw."""
        rows = self._seat_rows()
        order = " ".join(map(str, self.order)) or None
        balances = list_balances(self.result) if order else None
        for seat, row in zip(self.seats, rows, strict=True):
            amounts = " ".join(map(str, balances[seat - 1])) if balances is not None else None
            self.tables["seats"].append((*row, order, amounts))
        for seat, yaku, turn in self.deal_facts.completed if self.deal_facts is not None else ():
            self.tables["completions"].append((*rows[seat - 1], yaku, turn))
        kinds = self.description.choice
        for decision in sorted(self.decisions, key=attrgetter("seat")):
            assert kinds is not None, "decisions are of rulesets with a choice"
            seat = decision.seat
            self.tables["choices"].append(
                (
                    *rows[seat - 1],
                    *(decision.word, decision.word == kinds.on),
                    " ".join(sorted({*decision.yaku})),
                    *(decision.left, decision.opponent, decision.stopped[seat - 1]),
                    margin(decision.stopped, seat),
                )
            )
        for seat in self.seats:
            for choice in losses.get((self.number, seat), ()):
                values = list_loss_values(choice, self.ruleset)
                self.tables["losses"].append((*rows[seat - 1], *values))
            if measured is not None:
                values = list_luck_values(measured, seat)
                self.tables["luck"].append((*rows[seat - 1], *values))
        if self.opened is not None:
            self._add_throws(self.opened)

    def add_situations(self, comparison: GameComparer | None) -> None:
        """Add the rows of the situations for comparison with other games."""
        if comparison is None or self.deal_facts is None or not self.scored:
            return
        score, margins = self.result.score, self.margins
        rows = self.tables["situations"]
        for compared in comparison.compare_deal(self.number, self.deal_facts, self.decisions):
            _kind, deal, step, seat, key, choice, paid = compared.situation
            place = *key, deal, step, seat, choice
            rows.append((*place, score[seat - 1] - paid, margins[seat - 1] - paid))

    def _seat_rows(self) -> list[Row]:
        """Return the values of the columns `SEAT` for each seat."""
        result, order = self.result, self.order
        playing = sum([1 << seat - 1 for seat in order])
        ledger = [line.amounts for line in result.ledger if not line.void]
        captured = self.opened.captured if self.opened is not None else ()
        total = sum([result.score[seat - 1] for seat in order])
        rows = []
        for seat, score, lead, yaku in zip(
            self.seats, result.score, self.margins, self.yaku, strict=True
        ):
            amounts = [line[seat - 1] for line in ledger]
            received = sum([amount for amount in amounts if amount > 0])
            place = first_card = first_take = None
            if order:
                place = order.index(seat) + 1 if seat in order else 0
            if self.opened is not None and place == 1:
                play = self.opened.plays[0]
                first_card, first_take = cards.letters(play.card), cards.letters(play.taken)
            rows.append(
                (
                    *(self.number, seat, 0, result.month, self.grade, result.end, self.scored),
                    *(place, playing, *self.standing.of_seat(seat), score, lead),
                    total - score if place else total,
                    *(result.winner == seat, self.turns),
                    *(" ".join(sorted(yaku)), *self._hand(seat), first_card, first_take),
                    captured[seat - 1] if captured and place else None,
                    *(received, received - sum(amounts)),
                )
            )
        return rows

    def _hand(self, seat: int) -> tuple[str | None, str | None]:
        """Return the row and column of a dealt hand, (None, None) without the full hand.

        A hidden hand counts as unknown even if all cards are played later. Hands completed later
        would be a biased sample: a deal that ends early hides cards.
        """
        dealt = self.description.dealt
        hands = self.deal_facts.hands if self.deal_facts is not None else ()
        is_written = cards.UNKNOWN not in self.written_hands.get(seat, cards.UNKNOWN)
        if dealt is None or not hands or not is_written:
            return None, None
        if hands[seat - 1].bit_count() != self.description.hand:
            return None, None
        return dealt.judge(hands[seat - 1])

    def _add_throws(self, opened: DealFacts) -> None:
        rows = self.tables["throws"]
        for thrown in opened.thrown:
            rows.append((self.number, thrown.seat, 0, cards.letters(thrown.card), None))
        for payment in opened.paid:
            seat, card = payment.thrown
            whole = -payment.amounts[seat - 1]
            # With equal shares this player would have paid a share in any case.
            cost = whole - whole // (len(self.order) - 1)
            rows.append((self.number, seat, 0, cards.letters(card), cost))


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The columns of a game from the database: ids, house rules and dates."""

    game: int
    revision: int
    profile: str
    options: str
    sheet: bool
    players: Sequence[int]
    first_day: date | None
    last_day: date | None
    time: int
    event: int | None

    @property
    def values(self) -> Row:
        """The values of the columns `GAME`, without the ruleset."""
        first, last = self.first_day, self.last_day
        return (
            *(self.game, self.revision, self.profile, self.options, self.sheet),
            " ".join(map(str, self.players)),
            month_of(first, last),
            first.toordinal() if first is not None else None,
            last.toordinal() if last is not None else None,
            *(self.time or None, self.event),
        )


def month_of(first: date | None, last: date | None) -> int | None:
    """Return YYYYMM of a game between two days of a month, YYYY00 of a year; None otherwise.

    >>> month_of(date(2026, 2, 1), date(2026, 2, 28))
    202602
    >>> month_of(date(2026, 1, 1), date(2026, 12, 31))
    202600
    """
    if first is None or last is None or first.year != last.year:
        return None
    return first.year * 100 + (first.month if first.month == last.month else 0)


#: Columns of each table by name.
Columns = dict[str, Array]


class RowBatch:
    """The rows of several games of one ruleset, turned into columns.

    ``year`` is the year of all games, 0 for several.
    """

    def __init__(self, ruleset: str, year: int = 0) -> None:
        self.ruleset, self.year = ruleset, year
        self.games: list[GameInfo] = []
        self._rows: defaultdict[str, list[Row]] = defaultdict(list)
        self._counts: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, info: GameInfo, rows: GameRows) -> None:
        """Add a game."""
        self.games.append(info)
        for name in TABLES:
            new = rows.tables.get(name, [])
            self._rows[name] += new
            self._counts[name].append(len(new))

    def tables(self) -> Iterator[tuple[str, Columns]]:
        """Yield each table with rows, as columns."""
        values = [*zip(*(info.values for info in self.games), strict=True)]
        names = [column for column in GAME if column.name != "ruleset"]
        columns = {
            column.name: make_array(column, column_values)
            for column, column_values in zip(names, values, strict=True)
        }
        seats = [len(info.players) for info in self.games]
        offsets = np.cumsum([0, *seats[:-1]])
        players = np.array([pk for info in self.games for pk in info.players], "i8")
        for name, rows in self._rows.items():
            if not rows:
                continue
            owners = np.repeat(np.arange(len(self.games)), self._counts[name])
            definition = TABLES[name]
            table_columns = (*(SEAT if definition.of_seat else ()), *definition.specific)
            table = {
                column.name: columns[column.name][owners]
                for column in definition.columns
                if column.name in columns
            }
            table["ruleset"] = np.full(len(rows), self.ruleset, dtype=object)
            for column, column_values in zip(table_columns, zip(*rows, strict=True), strict=True):
                table[column.name] = make_array(column, column_values)
            if "player" in table:
                seat = table["seat"]
                player = players[offsets[owners] + np.maximum(seat - 1, 0)]
                table["player"] = np.where(seat > 0, player, 0)
            yield name, {column.name: table[column.name] for column in definition.columns}


def make_array(column: FactColumn, values: Sequence[Any]) -> Array:
    """Return values of a column as an array for DuckDB, with None as null."""
    kind = _NUMPY.get(column.type)
    if kind is None:
        return np.array(values, dtype=object)
    if None in values:
        missing = [value is None for value in values]
        return np.ma.array([value or 0 for value in values], mask=missing, dtype=kind)
    return np.array(values, dtype=kind)
