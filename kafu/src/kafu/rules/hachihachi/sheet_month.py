"""The cards that make a month of a score sheet in both hachi-hachi games (H24, S7).

The lines of a month become demands on the cards (`sheets.question`), one for each end of the month
and each way to read the amounts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import ClassVar, Final

from kafu import cards
from kafu.rules.hachihachi import hands
from kafu.rules.hachihachi.payments import CAPTURED, HALF, SHISO, SPECIAL
from kafu.rules.hachihachi.year import CHAFF, EVEN, SPECIALS, has_nuke, specials
from kafu.rules.payments import POINTS, PaymentKind, Receivers
from kafu.rules.sheets.capture_rules import Help
from kafu.rules.sheets.dealt_hands import Brights
from kafu.rules.sheets.demand import Demand, DemandedPlayer
from kafu.rules.sheets.hand_kinds import HandKind
from kafu.rules.sheets.lines import PaymentLine, PaymentPart, Reading, list_readings
from kafu.rules.sheets.month import SheetMonth, find_paid
from kafu.rules.sheets.offers import Playing
from kafu.rules.sheets.witness import Witness

NUKE: Final = "nuke"
TOBIKOMI: Final = "tobikomi"
#: The most points and chaff cards of a player without a special yaku.
MOST_POINTS: Final = SPECIALS["futahachi"].least - 1
MOST_CHAFF: Final = SPECIALS["sujuroku"].least - 1
#: The receivers of the payments that follow from the cards of the three players.
_OF_THREE: Final = (Receivers.PLAYING, Receivers.FIRST)
_ALL_POINTS: Final = cards.points(cards.ALL)


#: The demands on players by seat.
Players = Mapping[int, DemandedPlayer]


@dataclass(frozen=True, eq=False)
class HachiCards(SheetMonth):
    """The lines of a month of a hachi-hachi game.

    ``brights`` are the possible numbers of brights on the field, ``shut_out`` the seats known to be
    shut out.
    """

    kan: ClassVar[bool] = True
    #: The dealt hands whose threes may make a 飛込み.
    threes: ClassVar[frozenset[str]]

    brights: Brights
    shut_out: tuple[int, ...] = ()

    @abstractmethod
    def find_player(self, seat: int) -> DemandedPlayer | None:
        """Return the demand on the hand of a player, None for an impossible hand."""

    @abstractmethod
    def list_captured(self, players: Players) -> Iterator[Demand]:
        """Yield the demands of a month that captured yaku ended."""

    @abstractmethod
    def show(self, hand: int, yaku: tuple[str, ...]) -> Collection[str]:
        """Return the paid yaku of a hand (a mask), for which ``yaku`` are written."""

    def list_idle(self) -> tuple[HandKind, ...]:
        """Return the hands of the players who are shut out."""
        return ()

    # The lines ------------------------------------------------------------------------------------

    @cached_property
    def dealt(self) -> dict[int, tuple[str, ...]]:
        """The dealt-hand yaku by seat."""
        return {seat: self.list_yaku(seat, PaymentKind.DEALT) for seat in self.order}

    @cached_property
    def captured(self) -> list[PaymentLine]:
        """The lines of captured yaku."""
        return [line for line in self.lines if line.kind is PaymentKind.CAPTURED and not line.void]

    @cached_property
    def special_lines(self) -> list[PaymentLine]:
        """The lines of special yaku."""
        return [line for line in self.lines if line.kind is PaymentKind.SPECIAL and not line.void]

    @cached_property
    def jumps(self) -> dict[int, list[int]]:
        """The payer of each 飛込み by seat, 0 if both others share."""
        payers: dict[int, list[int]] = {seat: [] for seat in self.order}
        for line in self.lines:
            if line.label == TOBIKOMI:
                payers[line.seat] += [part.payer for part in self.read(line)[0].parts]
        return payers

    @property
    def has_shiso(self) -> bool:
        """Whether 四三 ended the month."""
        return bool(self.list_enders())

    def list_enders(self) -> set[int]:
        """Return the players whose 四三 ended the month."""
        ends_game = self.payments[SHISO].ends_game
        return {line.seat for line in self.lines if ends_game and SHISO in line.yaku}

    def read(self, line: PaymentLine) -> Sequence[Reading]:
        """Return the ways to read the amounts of a line, none for amounts that do not fit."""
        playing = Playing(self.order[0], self.order, len(line.amounts))
        return list_readings(line, self.payments, playing)

    def order_amounts(self, line: PaymentLine) -> tuple[int, ...]:
        """Return the amounts of a line in play order."""
        return tuple(line.amounts[seat - 1] for seat in self.order)

    def list_seats(self, *labels: str) -> set[int]:
        """Return the receivers of lines with these labels."""
        return {line.seat for line in self.lines if line.label in labels}

    def is_half(self, line: PaymentLine) -> bool:
        """Return whether the captured yaku of a line are paid by half (下げ)."""
        return any(reading.is_half for reading in self.read(line)[:1])

    def find_kan(self, part: PaymentPart) -> int:
        """Return the value in kan of a captured yaku in a line."""
        return self.table.find(part.id).values[self.payments[part.id].each.index(part.each)]

    def list_ends(self, *lines: PaymentLine) -> frozenset[str]:
        """Return the ends of a month in which all lines can stand (H6, H9, H16, H17, B9–B15)."""
        ends = frozenset[str]().union(*(row.ends for row in self.payments.values()))
        for line in lines:
            if line.void:
                ends &= {SPECIAL}
                continue
            for id in line.yaku:
                ends &= self.payments[id].ends or ends
            if line.kind is PaymentKind.CAPTURED and HALF in self.payments[line.yaku[0]].ends:
                ends &= {HALF if self.is_half(line) else CAPTURED}
        return ends

    def is_struck(self, line: PaymentLine) -> bool:
        """Return whether special yaku strike out a line (H6, H16, B12, B15)."""
        return all(self.payments[id].struck for id in line.yaku)

    def find_cards(self) -> Witness | None:
        """Return cards that make the month, None if there are none."""
        return find_paid(self.list_demands(), self.is_paid if self.is_over else None)

    # The demands ----------------------------------------------------------------------------------

    def list_demands(self) -> Iterator[tuple[Demand, ...]]:
        """Yield the demands on the cards, for each end of the month."""
        players = {}
        if self.has_impossible_hand():
            return
        for seat in self.order:
            player = self.find_player(seat)
            if player is None:
                return
            players[seat] = player
        yielded = set()
        for demand in self._list_demands(players):
            if demand not in yielded:
                yielded.add(demand)
                yield (demand,)

    def _list_demands(self, players: Players) -> Iterator[Demand]:
        """Yield the demands of each end of the month."""
        ends = self.list_ends(*self.lines)
        if SHISO in ends and (not self.is_over or self.has_shiso):
            yield self.demand(players, is_played=False)
        if ends & {CAPTURED, HALF}:
            yield from self.list_captured(players)
        if SPECIAL in ends:
            yield from self._list_specials(players)
        if POINTS in ends:
            yield from self._list_points(players)

    def demand(self, players: Players, **more: object) -> Demand:
        """Return a demand with the players by seat."""
        more = {"table": self.table} | more
        return Demand(
            tuple(players[seat] for seat in self.order),
            chaff=CHAFF,
            brights=self.brights,
            idle=self.list_idle(),
            **more,  # type: ignore[arg-type]
        )

    def help(self, maker: int, payer: int, needed: int = 0) -> Help:
        """Return a `Help` of these seats, by their places in play order."""
        return Help(self.order.index(maker), self.order.index(payer), needed)

    def list_dives(self, players: Players, excused: Collection[int] = ()) -> tuple[Help, ...]:
        """Return the conditions for who pays 飛込み alone; ``excused`` may have been in 下げ."""
        return tuple(
            self.help(seat, payer)
            for seat, player in players.items()
            for payer in self.jumps[seat]
            if payer and payer not in excused and player.jumps
        )

    def limit_points(
        self, players: Players, *, is_due: bool = False, most: int = _ALL_POINTS
    ) -> dict[int, DemandedPlayer] | None:
        """Return the players with the points that 抜け and みずてん need, None if there are none.

        ``is_due``: a hand with 抜け that is not paid has 88 points at the most (H17, B11).
        """
        demanded = dict(players)
        with_nuke = self.list_seats(NUKE)
        for seat, player in players.items():
            least, limit = player.points or (0, most)
            if seat in with_nuke | self.list_seats("mizuten"):
                least = max(least, EVEN + 1)
            if is_due and hands.NUKE & set(self.dealt[seat]) and seat not in with_nuke:
                limit = min(limit, EVEN)
            if least > limit:
                return None
            if least or limit < most:
                demanded[seat] = player._replace(points=(least, limit))
        return demanded

    def _list_specials(self, players: Players) -> Iterator[Demand]:
        """Yield the demands of a month that special yaku ended (H16, B12)."""
        if self.is_over and not self.special_lines:
            return
        for demanded, is_even in self._count_specials(players):
            most = MOST_POINTS if self.is_over else _ALL_POINTS
            limited = self.limit_points(demanded, most=most)
            if limited is not None:
                yield self.demand(
                    limited,
                    is_played_out=True,
                    most_points=MOST_POINTS if self.is_over else None,
                    most_chaff=MOST_CHAFF if self.is_over else None,
                    is_uneven=self.is_over and not is_even,
                    has_more_jumps=True,
                    helps=self.list_dives(limited),
                )

    def _count_specials(self, players: Players) -> Iterator[tuple[dict[int, DemandedPlayer], bool]]:
        """Yield the players with the points and chaff cards of the special yaku (H16).

        The second value is whether all players have equal points.
        """
        ids = [(line.seat, id) for line in self.special_lines for id in line.yaku]
        if len(set(ids)) < len(ids):
            return
        for readings in product(*map(self.read, self.special_lines)):
            demanded = dict(players)
            is_even = False
            for seat, id, each in (
                (reading.seat, part.id, part.each) for reading in readings for part in reading.parts
            ):
                count = SPECIALS[id].least + self.payments[id].each.index(each)
                if id == "sohachi":
                    is_even = True
                elif id == "futahachi":
                    demanded[seat] = demanded[seat]._replace(points=(count, count))
                else:
                    demanded[seat] = demanded[seat]._replace(chaff=count)
            if is_even:
                if any(player.points for player in demanded.values()):
                    continue
                demanded = {
                    seat: player._replace(points=(EVEN, EVEN)) for seat, player in demanded.items()
                }
            yield demanded, is_even

    def _list_points(self, players: Players) -> Iterator[Demand]:
        """Yield the demands of a month that ended with card points (H17, H18, B13)."""
        for points in self._list_triples():
            demanded = dict(players)
            for seat, count in zip(self.order, points, strict=False):
                demanded[seat] = players[seat]._replace(points=(count, count))
            limited = self.limit_points(demanded, is_due=self.is_over, most=MOST_POINTS)
            if limited is not None:
                yield self.demand(
                    limited,
                    is_played_out=True,
                    most_points=MOST_POINTS,
                    most_chaff=MOST_CHAFF,
                    has_more_jumps=not self.is_over,
                    helps=self.list_dives(limited),
                )

    def _list_triples(self) -> Iterator[tuple[int, ...]]:
        """Yield the points in play order that the line of card points can mean, none for any.

        Without a line they are known in a month that is over.
        """
        line = self.find_line(POINTS)
        if line is None and not self.is_over:
            yield ()
            return
        amounts = self.order_amounts(line) if line else (0,) * len(self.order)
        for deviations in self.payments.scale.list_deviations(amounts):
            points = tuple(EVEN + deviation for deviation in deviations)
            if any(deviations) and min(points) >= 0 and max(points) <= MOST_POINTS:
                yield points

    # The payments for cards -----------------------------------------------------------------------

    def is_paid(self, demand: Demand, witness: Witness) -> bool:
        """Return whether the rules pay just these lines for the cards of a month that is over.

        Who pays is not compared.
        """
        written = Counter[tuple[str, int]]()
        for line in self.lines:
            is_of_three = self.payments[line.yaku[0]].receivers in _OF_THREE
            if is_of_three and line.kind is not PaymentKind.CAPTURED:
                count = len(self.read(line)[0].parts) if line.label == TOBIKOMI else 1
                written.update(dict.fromkeys(((id, line.seat) for id in line.yaku), count))
        due = Counter[tuple[str, int]]()
        for seat, hand, captured in zip(self.order, witness.hands, witness.captured, strict=True):
            yaku = self.show(hand, self.dealt[seat])
            due.update((id, seat) for id in yaku)
            if self.jumps[seat] or not self.threes.isdisjoint(yaku):
                due[TOBIKOMI, seat] += hands.count_tobikomi(hand, captured)
            due[NUKE, seat] += demand.is_played_out and has_nuke(captured, yaku)
        if demand.is_played_out and not self.captured:
            special_yaku = Counter(
                (id, self.order[place - 1]) for id, place, _ in specials(witness.captured, 1)
            )
            if special_yaku:  # lines that are struck out may be missing
                return special_yaku <= written <= due + special_yaku
            points = tuple(cards.points(captured) - EVEN for captured in witness.captured)
            paid = self.payments.scale.card_points(points)
            line_of_points = self.find_line(POINTS)
            if line_of_points and paid != self.order_amounts(line_of_points):
                return False
            due[POINTS, 0] += any(paid)
        return +written == +due
