"""A month of a score sheet of 三人はちはち (H24): who wins, who pays, and the cards.

What both hachi-hachi games have in common is in `sheet_month` and `sheet_check`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import product
from typing import Any, Final

from kafu.rules import codes
from kafu.rules.hachihachi import hands
from kafu.rules.hachihachi.hatto import YAKU as HATTO
from kafu.rules.hachihachi.payments import CAPTURED
from kafu.rules.hachihachi.sheet_check import HachiMonth
from kafu.rules.hachihachi.sheet_hands import ANY_CHAFF, ANY_COUNT, Family, find_kind
from kafu.rules.hachihachi.sheet_month import NUKE, Players
from kafu.rules.hachihachi.state import YAKU
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.demand import Demand, DemandedPlayer
from kafu.rules.sheets.hand_kinds import HandKind
from kafu.rules.sheets.lines import PaymentLine

#: 七短 of seven ribbons, in kan.
_NANATAN_KAN: Final = YAKU.find("nanatan").value


@cache
def find_declared_kind(yaku: frozenset[str], counts: Family = ANY_COUNT) -> HandKind:
    """Return the hands that can be declared as these yaku, one of a family at the most (H2).

    Without a yaku by count, they have one of ``counts``.
    """
    counts = yaku.intersection(hands.COUNT) or counts
    chaffs: Family = yaku.intersection(hands.CHAFF) or ANY_CHAFF
    return find_kind(counts, chaffs, chooses=True)


class HachihachiMonth(HachiMonth):
    """The lines of a month of 三人はちはち."""

    table = YAKU
    threes = hands.TOBIKOMI

    def list_checks(self) -> tuple[Callable[[], None], ...]:
        """Return the checks of the payments without regard to cards."""
        return *super().list_checks(), self._check_winner, self._check_payers

    def _check_winner(self) -> None:
        """Raise Illegal unless a single player is paid in full, or a single player by half.

        If both occur, the player paid by half was in 下げ, and pays the winner alone (H9, H11).
        """
        seats: dict[bool, int] = {}
        for line in self.captured:
            is_half = self.is_half(line)
            details: dict[str, Any] = {"where": line.where, "label": line.label, "seat": line.seat}
            due = seats.setdefault(is_half, line.seat)
            if due != line.seat:
                raise Illegal(codes.SHEET_WINNERS, due=due, **details)
            if seats.get(not is_half) == line.seat:
                raise Illegal(codes.SHEET_HALVES, **details)
        if len(seats) == 2:
            (third,) = {*self.order} - {*seats.values()}
            for line in self.captured:
                if line.seat == seats[False] and line.amounts[third - 1]:
                    where, label = line.where, line.label
                    raise Illegal(codes.SHEET_LIABLE, where=where, label=label, seat=seats[True])

    def _check_payers(self) -> None:
        """Raise Illegal if a yaku without 法度 is paid by one player without a 下げ (H12, H13).

        The 下げ is the payer's, or the receiver's after a hatto of the same payer.
        """
        in_sage = {line.seat for line in self.captured if self.is_half(line)}
        readings_by_line = [self.read(line) for line in self.captured]
        by_hatto = {
            (reading.seat, part.payer)
            for readings in readings_by_line
            for reading in readings
            for part in reading.parts
            if part.id in HATTO
        }
        for line, readings in zip(self.captured, readings_by_line, strict=True):
            excused = in_sage | {0} | {payer for seat, payer in by_hatto if seat == line.seat}
            if not any(
                all(part.id in HATTO or part.payer in excused for part in reading.parts)
                for reading in readings
            ):
                raise Illegal(codes.SHEET_ALONE, where=line.where, label=line.label)

    def is_struck(self, line: PaymentLine) -> bool:
        """Return whether special yaku strike out a line; 抜け is not even written (H6, H16)."""
        return line.label != NUKE and super().is_struck(line)

    def list_makers(self, end: str) -> list[tuple[int, int]]:
        """Return who may have captured yaku in a month with an end: in full, and by half."""
        if end != CAPTURED:
            return super().list_makers(end)
        return [pair for pair in product(self.order, (0, *self.order)) if pair[0] != pair[1]]

    def find_player(self, seat: int) -> DemandedPlayer | None:
        """Return the demand on the hand of a player, None for an impossible hand.

        The line of a hand may follow in a month that is not over, and be missing if special yaku
        struck it out.
        """
        yaku, jumps = frozenset(self.dealt[seat]), len(self.jumps[seat])
        if jumps and self.special_lines and yaku.isdisjoint(hands.COUNT):
            kind = find_declared_kind(yaku, self.threes)
            return DemandedPlayer(kind, can_jump=True, jumps=jumps)
        can_jump = not self.threes.isdisjoint(yaku)
        has_nuke = seat not in self.list_seats(NUKE) or not hands.NUKE.isdisjoint(yaku)
        if self.is_over and not (has_nuke and (can_jump or not jumps)):
            return None
        return DemandedPlayer(find_declared_kind(yaku), can_jump, jumps=jumps if can_jump else 0)

    def show(self, hand: int, yaku: tuple[str, ...]) -> Collection[str]:
        """Return the paid yaku of a hand (a mask): the written ones, if it can be shown so."""
        return yaku if {*yaku} in [{*shown.yaku} for shown in hands.declarations(hand)] else ()

    def list_captured(self, players: Players) -> Iterator[Demand]:
        """Yield the demands of a month that captured yaku ended (H9, H11–H13)."""
        if self.is_over and not self.captured:
            return
        for readings in product(*map(self.read, self.captured)):
            in_sage = {reading.seat for reading in readings if reading.is_half}
            yaku: dict[int, dict[str, int]] = {seat: {} for seat in self.order}
            needed: dict[tuple[int, int], int] = {}
            for reading in readings:
                for part in reading.parts:
                    yaku[reading.seat][part.id] = self.find_kan(part)
                    if part.payer and part.payer not in in_sage and part.id in HATTO:
                        pair = reading.seat, part.payer
                        needed[pair] = needed.get(pair, 0) | HATTO[part.id][0]
            # Who won in full may have been in 下げ with a part of the yaku.
            excused = in_sage | {
                seat
                for seat, held in yaku.items()
                if len(held) > 1 or "goko" in held or held.get("nanatan", 0) > _NANATAN_KAN
            }
            demanded = {
                seat: player._replace(yaku=frozenset(yaku[seat].items()))
                for seat, player in players.items()
            }
            helps = tuple(self.help(*pair, mask) for pair, mask in sorted(needed.items()))
            dives = self.list_dives(players, excused if self.is_over else self.order)
            yield self.demand(demanded, is_whole=self.is_over, helps=helps + dives)
