"""The cards that make a month of a score sheet of 八八 (S7).

What both hachi-hachi games have in common is in `hachihachi.sheet_month` and `sheet_check`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from kafu.rules import codes
from kafu.rules.hachihachi.hands import CHAFF, NUKE
from kafu.rules.hachihachi.sheet_check import HachiMonth
from kafu.rules.hachihachi.sheet_hands import ANY_CHAFF, ANY_COUNT, Family, find_kind
from kafu.rules.hachihachi.sheet_month import NUKE as NUKE_LABEL
from kafu.rules.hachihachi.sheet_month import Players
from kafu.rules.hachihachi_bga import hands
from kafu.rules.hachihachi_bga.house import HachihachiBgaHouse
from kafu.rules.hachihachi_bga.sheet_hands import find_shut_out_kind
from kafu.rules.hachihachi_bga.state import LOWERED, YAKU
from kafu.rules.payments import POINTS
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.capture_rules import Help
from kafu.rules.sheets.demand import Demand, DemandedPlayer
from kafu.rules.sheets.hand_kinds import HandKind
from kafu.rules.sheets.witness import Witness

_LOWERED_IDS: Final = tuple(row.id for row in LOWERED)


@dataclass(frozen=True, eq=False)
class HachihachiBgaMonth(HachiMonth):
    """The lines of a month of 八八."""

    table = YAKU
    threes = hands.TOBIKOMI

    house: HachihachiBgaHouse = field(kw_only=True)

    def find_player(self, seat: int) -> DemandedPlayer | None:
        """Return the demand on the hand of a player, None for an impossible hand.

        Yaku are missing only in a month that is not over, or that special yaku strike out.
        """
        yaku, jumps = frozenset(self.dealt[seat]), len(self.jumps[seat])
        has_nuke = seat in self.list_seats(NUKE_LABEL)
        counts: Family = yaku.intersection(hands.COUNT) or frozenset({None})
        chaffs: Family = yaku.intersection(CHAFF) or frozenset({None})
        if self.special_lines or not self.is_over:
            if None in counts:
                counts = hands.TOBIKOMI if jumps else ANY_COUNT
            if None in chaffs:
                chaffs = NUKE if has_nuke else ANY_CHAFF
        can_jump = counts <= hands.TOBIKOMI
        if (jumps and not can_jump) or (has_nuke and not chaffs <= NUKE):
            return None
        return DemandedPlayer(find_kind(counts, chaffs), can_jump, jumps=jumps)

    def show(self, hand: int, yaku: tuple[str, ...]) -> Collection[str]:
        """Return the paid yaku of a hand (a mask), which need no declaration (B6)."""
        declaration = hands.declaration(hand)
        return declaration.yaku if declaration else ()

    def list_checks(self) -> tuple[Callable[[], None], ...]:
        """Return the checks of the payments without regard to cards."""
        return self._check_winner, *super().list_checks(), self._check_fees

    def _check_fees(self) -> None:
        """Raise Illegal unless the winner of the month gets the fees of going out (B13)."""
        fees = [line for line in self.lines if line.label == "ori"]
        winner = self.list_next_dealers()[0] if fees else 0
        for line in fees:
            if line.seat != winner:
                raise Illegal(codes.SHEET_FEES_TO, where=line.where, due=winner)

    def list_next_dealers(self) -> list[int]:
        """Return the winner of the month, by the fees of going out if nothing else tells (B13)."""
        if enders := self.list_enders():
            return [next(seat for seat in self.order if seat in enders)]
        fees = [line.seat for line in self.lines if line.label == "ori"]
        return super().list_next_dealers() or fees[:1]

    def _check_winner(self) -> None:
        """Raise Illegal unless a single player is paid captured yaku, in full or all by half."""
        for line in self.captured:
            winner = self.captured[0]
            details: dict[str, Any] = {"where": line.where, "label": line.label, "seat": line.seat}
            if line.seat != winner.seat:
                raise Illegal(codes.SHEET_WINNERS, due=winner.seat, **details)
            if self.is_half(line) is not self.is_half(winner):
                raise Illegal(codes.SHEET_HALVES, **details)

    def list_idle(self) -> tuple[HandKind, ...]:
        """Return the hands of the players who are shut out."""
        return tuple(map(find_shut_out_kind, self._list_shut_out_values()))

    def _list_shut_out_values(self) -> list[int]:
        """Return the mon of the hands shut out from each of the three, in a small field (B4)."""
        values = dict.fromkeys(self.shut_out if self.is_over else (), 0)
        for line in self.lines:
            if line.label == "oikomi":
                factor = self.payments.find_each(POINTS)
                values[line.seat] = line.amounts[line.seat - 1] // (3 * factor)
        return list(values.values())

    def is_paid(self, demand: Demand, witness: Witness) -> bool:
        """Return whether the rules pay just these lines for the cards of a month that is over."""
        is_right = sorted(map(hands.shut_out, witness.idle)) == sorted(self._list_shut_out_values())
        return is_right and super().is_paid(demand, witness)

    # Captured yaku --------------------------------------------------------------------------------

    def list_captured(self, players: Players) -> Iterator[Demand]:
        """Yield the demands of a month that captured yaku ended, or 下げ by half (B9, B10, B12)."""
        if not self.captured and self.is_over:
            return
        is_half = any(map(self.is_half, self.captured))
        ids = [id for line in self.captured for id in line.yaku]
        if {"goko", "shiko"} <= set(ids) or len(set(ids)) < len(ids):
            return
        if is_half and len(ids) == len(_LOWERED_IDS):
            return  # no other yaku was left to go on for
        # The rain man that came after 下げ of 四光 makes no 五光.
        is_lowered = is_half or len(ids) > 1 or not self.is_over
        table = LOWERED if "shiko" in ids and is_lowered else YAKU
        maker = self.captured[0].seat if self.captured else 0
        demanded = dict(players)
        if maker:
            yaku = frozenset((id, table.find(id).value) for id in ids)
            demanded[maker] = players[maker]._replace(yaku=yaku)
        for readings in product(*map(self.read, self.captured)):
            payers = {part.id: part.payer for reading in readings for part in reading.parts}
            for with_unpaid, helps in self._list_liabilities(demanded, maker, payers):
                demand = self.demand(
                    with_unpaid,
                    table=table,
                    is_whole=self.is_over,
                    has_more_jumps=not self.is_over,
                    helps=helps + self.list_dives(with_unpaid),
                )
                if is_half:
                    due = self.limit_points(with_unpaid, is_due=self.is_over)
                    if due is not None:
                        in_order = tuple(due[seat] for seat in self.order)
                        yield demand._replace(players=in_order, is_played_out=True)
                if not is_half or (
                    self.house.torikeshi and not self.list_seats(NUKE_LABEL, "mizuten")
                ):
                    yield demand

    def _list_liabilities(
        self, players: Players, maker: int, payers: Mapping[str, int]
    ) -> Iterator[tuple[Players, tuple[Help, ...]]]:
        """Yield the players and helps for each reading of who pays alone.

        Who pays alone by 下げ has a yaku that is not paid; then the others may have some too.
        """
        liable = sorted({payer for payer in payers.values() if payer})
        # 七短 is never paid alone by hatto (B10).
        readings = (
            _LOWERED_IDS if payers.get("nanatan") == payer else (None, *_LOWERED_IDS)
            for payer in liable
        )
        for reading in product(*readings):
            demanded = dict(players)
            in_sage = {payer: id for payer, id in zip(liable, reading, strict=True) if id}
            for seat, player in players.items():
                if in_sage and (seat in in_sage or seat not in liable):
                    demanded[seat] = player._replace(has_more_yaku=True, unpaid=frozenset({"goko"}))
            for payer, id in in_sage.items():
                yaku = frozenset({(id, LOWERED.find(id).value)})
                demanded[payer] = demanded[payer]._replace(yaku=yaku)
            yield (
                demanded,
                tuple(
                    self.help(maker, payer, YAKU.find(id).cards)
                    for id, payer in payers.items()
                    if payer and payer not in in_sage
                ),
            )
