"""Months of `ten-five-one`, the game of 10, 5 and 1 points: which cards make them.

Every month is played out by some three of the table, and every captured yaku is paid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from kafu.notation.game import Month
from sheet_model.deal import Bool, Cards, Deal, Sum
from sheet_model.hands import DealtHand
from sheet_model.lines import Impossible, Line, play_order, points_of, read_line, unique_yaku
from sheet_model.pack import CARDS, CHAFF, MONTHS, RIBBONS, cards_of, indices

POINTS: Final = tuple(
    10 if card in CHAFF or card in indices("Is") else 1 if card in RIBBONS else 5 for card in CARDS
)
#: What is taken off by place in play order.
PAR: Final = (100, 110, 120)
DONI: Final = 1
BIKI: Final = 2
DEALT: Final[Mapping[str, int]] = {
    **{"sanbon": 10, "nasake": 10, "kuttsuki": 20, "teshi": 30, "futasanbon": 30},
    **{"haneken": 35, "ichinishi": 40, "shiso": 100},
}
DIVING: Final = 10
CAPTURED: Final[Mapping[str, int]] = {
    **{"bozuzoro": 20, "bozukaburi": 10, "amezoro": 20, "amekaburi": 10}
}
#: Cards a month of each kind of hand, with its yaku from the best on (T5).
KINDS: Final = {
    (4, 3): ("shiso", "teshi", "sanbon"),
    (4, 2, 1): ("ichinishi", "teshi"),
    (4, 1, 1, 1): ("teshi",),
    (3, 3, 1): ("futasanbon", "sanbon"),
    (3, 2, 2): ("haneken", "sanbon"),
    (3, 2, 1, 1): ("sanbon",),
    (3, 1, 1, 1, 1): ("sanbon",),
    (2, 2, 2, 1): ("kuttsuki",),
}


def find_cards(month: Month, options: Mapping[str, str], seats: int) -> Cards | None:
    """Return cards that make the month, or None."""
    table = play_order(month.dealer, seats)
    for order in combinations(table, 3):
        try:
            cards = _Question(month, options, table, order).solve()
        except Impossible:
            continue
        if cards is not None:
            return cards
    return None


class _Question(Deal):
    """The model of a month of three who play."""

    def __init__(
        self, month: Month, options: Mapping[str, str], table: Sequence[int], order: Sequence[int]
    ) -> None:
        super().__init__()
        self.options: Final = options
        self.by_force: Final = _by_force(table, order)
        lines = [
            read_line(payment, order) for payment in month.payments if payment.label != "points"
        ]
        points, amounts = points_of(month, order)
        if any(payment.void for payment in month.payments):
            raise Impossible("nothing is ever struck out")
        if points and sum(map(abs, points.amounts)) != sum(map(abs, amounts)):
            raise Impossible("points of somebody who does not play")
        by_player = unique_yaku(lines)
        for cards in map(cards_of, MONTHS):  # 場四 is dealt again
            self.add(sum(self.field[card] for card in cards) <= 3)
        shiso = any("shiso" in line.labels for line in lines)
        ends = shiso and options.get("shiso") == "ends"
        if ends and (points or any(line.labels != ("shiso",) for line in lines)):
            raise Impossible("四三 is the only score of the month")
        if not ends:
            self.play_out()
            for player in self.players:
                self.add(self.points(player, POINTS) == PAR[player] + amounts[player])
        for player in self.players:
            self._require_yaku(player, dict(by_player.get(player, [])), ends=ends)

    def _require_yaku(self, player: int, named: Mapping[str, Line], *, ends: bool) -> None:
        dealt = [name for name in named if name in DEALT]
        if not named.keys() <= {*DEALT, *CAPTURED}:
            raise Impossible("a label that the ruleset lacks")
        if not ends:
            made = self._captured_yaku(player)
            if not named.keys() <= {*DEALT, *made}:
                raise Impossible("a captured yaku of another place, or not played by this house")
            for name, has in made.items():
                self.add(has == (name in named))
        if len([name for name in dealt if name != "nasake"]) > 1:
            raise Impossible("two yaku by count")
        dived = None
        hand = DealtHand(self, self.hands[player])
        for name in dealt:
            if name == "nasake":
                self._require_nasake(player, hand)
            else:
                self._require_kind(player, hand, name)
            if name == "sanbon":
                dived = self._dives(player, hand)
        for line in set(named.values()):
            if line.payer is not None or len({name in DEALT for name in line.labels}) > 1:
                raise Impossible(f"{line.label}: paid by one, or yaku of two kinds")
            value: Sum = sum(DEALT.get(name) or CAPTURED[name] for name in line.labels)
            if "sanbon" in line.labels and dived is not None:
                value += DIVING * dived
            self.add(value == line.each)

    def _captured_yaku(self, player: int) -> dict[str, Bool]:
        made = {}
        for zoro, kaburi, cards, pair in (
            ("bozuzoro", "bozukaburi", "cdef", "cd"),
            ("amezoro", "amekaburi", "opqr", "op"),
        ):
            if zoro == "amezoro" and player != BIKI:
                continue
            made[zoro] = self.reaches(self.count(player, indices(cards)), 4)
            if self.options.get("kaburi", "yes") == "yes":
                both = self.reaches(self.count(player, indices(pair)), 2)
                made[kaburi] = self.all_of([both, 1 - made[zoro]])
        return made

    def _require_nasake(self, player: int, hand: DealtHand) -> None:
        who = self.options.get("nasake", "doni")
        if who == "no" or (who in ("doni", "chosen-doni") and player != DONI):
            raise Impossible("なさけ of a player who may not declare it")
        if who == "chosen-doni" and not self.by_force:
            raise Impossible("なさけ of a 胴二 who went in freely")
        willow = indices("opr") if player == DONI or who == "all-rain" else ()
        self.add(hand.held((*RIBBONS, *willow)) >= 3)

    def _plays(self, player: int, name: str) -> bool:
        """Return whether the house lets a player declare a yaku by count."""
        if name == "sanbon":
            return True
        option = self.options.get(name, "no")
        return (option == "doni" and player == DONI) or option in ("yes", "ends", "all")

    def _require_kind(self, player: int, hand: DealtHand, name: str) -> None:
        """Require a hand of which this is the best yaku that the house plays."""
        ways = []
        for groups, names in KINDS.items():
            played = [yaku for yaku in names if self._plays(player, yaku)]
            if not played or played[0] != name:
                continue
            way = self.new_bool_var("")
            for size, months in ((4, hand.fours), (3, hand.threes), (2, hand.pairs)):
                self.add(sum(months) == groups.count(size)).only_enforce_if(way)
            ways.append(way)
        if not ways:
            raise Impossible(f"{name}: not played by this house, or not by this player")
        self.add_exactly_one(ways)

    def _dives(self, player: int, hand: DealtHand) -> Bool | None:
        """Return whether the player captured all four of the month of 三本, if that is paid."""
        if self.options.get("tobikomi") != "yes":
            return None
        dived = self.new_bool_var("")
        shown = [self.new_bool_var("") for _ in MONTHS]
        self.add_exactly_one(shown)
        for month, three in enumerate(hand.threes):
            self.add_implication(shown[month], three)
            total = self.count(player, cards_of(month))
            self.add(total == 4).only_enforce_if(shown[month], dived)
            self.add(total <= 3).only_enforce_if(shown[month], ~dived)
        return dived


def _by_force(table: Sequence[int], order: Sequence[int]) -> bool:
    """Return whether 胴二 can have been in by force; at a table of three it does not matter."""
    behind = table[table.index(order[DONI]) + 1 :]
    free = [seat for seat in behind if seat not in order]
    # Of seven, the holder of the blank card is out without a bid.
    return len(free) <= (len(table) == 7)
