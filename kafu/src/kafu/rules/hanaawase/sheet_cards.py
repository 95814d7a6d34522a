"""A month of a score sheet of 三人花合わせ: the cards that make it, and the words for a fault (S6).

The lines of a month become demands on the cards (`sheets.question`), one for each division of
the chaff cards, or for each maker of ふけ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import product
from operator import add, or_
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.hanaawase.machine import CHAFF, EVEN, FUKE, SEATS
from kafu.rules.hanaawase.payments import FUKE as MARK
from kafu.rules.hanaawase.payments import PAYMENTS, YAKU
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.capture_rules import weigh
from kafu.rules.sheets.demand import Demand, DemandedPlayer
from kafu.rules.sheets.hand_kinds import ANY, HandClasses, HandKind
from kafu.rules.sheets.lines import PaymentLine, find_needed
from kafu.rules.sheets.month import SheetMonth, find_paid
from kafu.rules.sheets.witness import Witness

KASU: Final = YAKU.find("kasu")
#: The points of a card in fives, without the one point of chaff.
_FIVES: Final = tuple(cards.points(1 << card) // 5 for card in range(48))


@cache
def find_kind(yaku: str | None) -> HandKind:
    """Return the hands with a dealt yaku, which depends on the number of chaff cards (A1)."""
    if yaku is None:
        return ANY

    def count(month: int, dealt: int) -> int:
        return (dealt << 4 * month & cards.CHAFF).bit_count()

    def classify(hand: int) -> str | None:
        return CHAFF.get((hand & cards.CHAFF).bit_count())

    return HandClasses(0, count, add, classify).find(yaku.__eq__)


@dataclass(frozen=True, eq=False)
class HanaawaseMonth(SheetMonth):
    """The lines of a month.

    ``points`` are the captured points by seat, None if unknown. ``makers`` are the seats of whom
    one made ふけ in a month that is struck out, none in another. ``whole`` are the seats whose
    captured yaku are all written.
    """

    table = YAKU

    points: tuple[int, ...] | None = None
    makers: tuple[int, ...] = ()
    whole: tuple[int, ...] = ()

    @classmethod
    def read(
        cls, lines: Sequence[PaymentLine], order: tuple[int, ...], *, is_over: bool
    ) -> HanaawaseMonth:
        """Return the month with these lines.

        A month that is over without a line of points gave 88 to each player. Points are compared
        last, wherever their line is, so that yaku that exclude each other are named without them.
        """
        lines = sorted(lines, key=lambda line: line.label == POINTS)
        if is_over and not any(line.label in (POINTS, MARK) for line in lines):
            lines.append(PaymentLine(PaymentKind.OTHER, (POINTS,), 0, (0, 0, 0), False, "month"))
        line = next((line for line in lines if line.label == POINTS), None)
        points = line and tuple(EVEN + amount for amount in line.amounts)
        makers: tuple[int, ...] = ()
        if any(line.void or line.label == MARK for line in lines):
            makers = tuple(seat for seat in SEATS if points is None or points[seat - 1] <= FUKE)
        whole = SEATS if is_over and not makers else ()
        return cls(lines, PAYMENTS, order, is_over, points, makers, whole)

    def select(self, lines: Sequence[PaymentLine], *, is_over: bool = False) -> HanaawaseMonth:
        """Return the month with other lines."""
        return self.read(lines, self.order, is_over=is_over)

    def find_cards(self) -> Witness | None:
        """Return cards that make the month, None if there are none."""
        if self.has_impossible_hand():
            return None
        return find_paid([tuple(self._list_demands())], self._is_paid)

    def _list_demands(self) -> Iterator[Demand]:
        """Yield the demands on the cards; the month is possible if cards meet one of them."""
        players = {}
        for seat in self.order:
            hand = next(iter(self.list_yaku(seat, PaymentKind.DEALT)), None)
            yaku = frozenset(self._list_values(seat))
            player = DemandedPlayer(find_kind(hand), yaku=yaku)
            if self.points is not None:
                player = player._replace(points=(self.points[seat - 1], self.points[seat - 1]))
            players[seat] = player._replace(has_more_yaku=seat not in self.whole)
        if self.points is None and self.makers:
            for maker in self.makers:
                yield self._demand({**players, maker: players[maker]._replace(points=(0, FUKE))})
        elif self.points is not None and self.whole == SEATS:
            for divided in self._list_divisions(players, self.points):
                yield self._demand(divided)
        else:
            yield self._demand(players)

    def _demand(self, players: Mapping[int, DemandedPlayer]) -> Demand:
        """Return a demand with the players in play order."""
        return Demand(
            tuple(players.values()),
            YAKU,
            cards.CHAFF,
            is_played_out=True,
            is_whole=bool(self.whole),
        )

    def _list_values(self, seat: int) -> Iterator[tuple[str, int]]:
        """Yield the captured yaku of a player with their values. Only カス has several."""
        for line in self.list_lines(seat, PaymentKind.CAPTURED):
            values = {id: YAKU.find(id).value for id in line.yaku}
            if KASU.id in values:
                values[KASU.id] += line.amounts[seat - 1] // 2 - sum(values.values())
            yield from values.items()

    @staticmethod
    def _list_divisions(
        players: Mapping[int, DemandedPlayer], points: Sequence[int]
    ) -> Iterator[dict[int, DemandedPlayer]]:
        """Yield the players with each division of the chaff cards that makes the points possible.

        The points leave the number of a player's chaff cards when divided by five.
        """
        counts = []
        for seat, player in players.items():
            value = dict(player.yaku).get(KASU.id)
            possible = range(KASU.base)
            if value is not None:
                count = KASU.base + (value - KASU.value) // KASU.step
                possible = range(count, count + 1)
            most = points[seat - 1]
            counts.append([n for n in possible if n <= most and (most - n) % 5 == 0])
        for division in product(*counts):
            if sum(division) == cards.CHAFF.bit_count():
                yield {
                    seat: player._replace(
                        points=None,
                        counts=(
                            (weigh(cards.CHAFF), count),
                            (_FIVES, (points[seat - 1] - count) // 5),
                        ),
                    )
                    for (seat, player), count in zip(players.items(), division, strict=True)
                }

    def _is_paid(self, _demand: Demand, witness: Witness) -> bool:
        """Return whether the rules pay these hands and points, or strike them out, for cards."""
        counts = [cards.points(captured) for captured in witness.captured]
        for seat, hand, count in zip(self.order, witness.hands, counts, strict=True):
            yaku = self.list_yaku(seat, PaymentKind.DEALT)
            if yaku and yaku != (CHAFF.get((hand & cards.CHAFF).bit_count()),):
                return False
            if self.points is not None and count != self.points[seat - 1]:
                return False
        return not self.makers or min(counts) <= FUKE

    # The words for a fault ------------------------------------------------------------------------

    def explain(self, smallest: Sequence[PaymentLine]) -> Illegal:
        """Return the fault for lines that cannot stand together."""
        points = self.find_line(POINTS) if smallest[-1].label == POINTS else None
        captured = [line for line in smallest if line.kind is PaymentKind.CAPTURED]
        seats = {line.seat for line in captured}
        if points and len(captured) == len(smallest) - 1 and len(seats) == 1:
            (seat,) = seats
            lines_of_seat = self.list_lines(seat, PaymentKind.CAPTURED)
            first = lines_of_seat[0]
            if self._need_more_yaku(seat):
                return self.name_yaku(codes.SHEET_TOGETHER, lines_of_seat, first)
            found = EVEN + points.amounts[seat - 1]
            due = cards.points(reduce(or_, (find_needed(PAYMENTS, line) for line in captured)))
            if found < due:
                return Illegal(
                    codes.SHEET_FEW_POINTS,
                    where=first.where,
                    seat=seat,
                    yaku="+".join(id for line in captured for id in line.yaku),
                    found=found,
                    due=due,
                )
        return super().explain(smallest)

    def explain_captured(self, smallest: Sequence[PaymentLine]) -> Illegal:
        """Return the fault for captured yaku that cannot be of one month."""
        last = smallest[-1]
        is_counted = not any(find_needed(PAYMENTS, line) for line in smallest)
        if is_counted and len({line.seat for line in smallest}) > 1:
            return Illegal(codes.SHEET_TOO_MANY, where=last.where, label=last.label)
        return super().explain_captured(smallest)

    def explain_missing(self) -> Illegal:
        """Return the fault for a month that only further lines make possible."""
        for seat in SEATS:
            if replace(self, whole=(seat,)).find_cards():
                continue
            captured = self.list_lines(seat, PaymentKind.CAPTURED)
            if captured and self._need_more_yaku(seat):
                return self.name_yaku(codes.SHEET_TOGETHER, captured, captured[0])
            points = self.find_line(POINTS)
            assert points is not None
            found = EVEN + points.amounts[seat - 1]
            return Illegal(codes.SHEET_MANY_POINTS, where=points.where, seat=seat, found=found)
        return super().explain_missing()

    def _need_more_yaku(self, seat: int) -> bool:
        """Return whether other yaku are due to a player with these, whatever the points."""
        lines, whole = self.list_lines(seat, PaymentKind.CAPTURED), (seat,) if self.whole else ()
        return not replace(self, lines=lines, points=None, whole=whole).find_cards()
