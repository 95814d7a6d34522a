"""Months of `hachihachi-bga` (八八 as on Board Game Arena): which cards make them.

Dealt hands are automatic, so that no line means no yaku. Hands of the shut out lie in the pile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Final

from kafu.notation.game import Month
from sheet_model.deal import Bool, Cards, Deal, Sum
from sheet_model.hachihachi_bga_lines import CAPTURED, DEALT, Lines
from sheet_model.hands import DIVING_HANDS, NONE, NUKE_HANDS, DealtHand
from sheet_model.liability import Dive, assists, require_due_dives
from sheet_model.lines import Impossible
from sheet_model.pack import AKATAN, AOTAN, CARDS, GOKO, RIBBONS, SHIKO, cards_of, indices
from sheet_model.values import PAR, Unit, no_special_yaku, require_points, special_yaku

#: Absolute and large brights that are carried into a month.
Carried = tuple[int, int]

START: Final = frozenset({(0, 0)})
HATTO: Final = {"goko": GOKO, "shiko": SHIKO, "akatan": AKATAN, "aotan": AOTAN}
#: The ribbons of 七短, without willow's.
NINE_RIBBONS: Final = tuple(card for card in RIBBONS if card not in cards_of(10))
#: Cards that a shut-out player gets 3 mon each for.
MON_CARDS: Final = (*AKATAN, *AOTAN, *GOKO)
(RAIN_MAN,) = indices("o")


def find_cards(
    month: Month, options: Mapping[str, str], seats: int, carried: Iterable[Carried]
) -> dict[Carried, Cards]:
    """Return cards that make the month, by the brights that they carry on."""
    found: dict[Carried, Cards] = {}
    for before, absolute, large in product(sorted(carried), range(3), range(4)):
        total = [before[0] + absolute, before[1] + large]
        grade = "absolute" if total[0] else "large" if total[1] else "small"
        if grade != "small":
            total[grade == "large"] -= 1
        after = (total[0], total[1])
        written = grade + "2" * any(after)
        if month.ba not in (None, written) or after in found:
            continue
        cards = _find(month, options, seats, grade, (absolute, large))
        if cards is not None:
            found[after] = cards
    return found


def _find(
    month: Month, options: Mapping[str, str], seats: int, grade: str, brights: tuple[int, int]
) -> Cards | None:
    try:
        lines = Lines(month, options, seats, Unit("A", grade))
        for dives, end in product(lines.dives(), lines.ends()):
            cards = _Question(lines, brights, dives, end).solve()
            if cards is not None:
                return cards
    except Impossible:
        pass
    return None


class _Question(Deal):
    """The model of a month's lines."""

    def __init__(
        self,
        lines: Lines,
        brights: tuple[int, int],
        dives: Sequence[Dive],
        ends: Sequence[int],
    ) -> None:
        super().__init__()
        self.lines: Final = lines
        for letters, number in zip(("os", "AIc"), brights, strict=True):
            self.add(sum(self.field[card] for card in indices(letters)) == number)
        self.dealt_hands = [DealtHand(self, hand) for hand in self.hands]
        for player in self.players:
            self._deal(player)
        self._shut_out()
        played_out = list(ends) == [42]
        if played_out:
            self.play_out()
        else:
            self.end_after(ends)
        if lines.ended_by_shiso:
            return
        self._dive(dives)
        yaku = [self._yaku(player) for player in self.players]
        if lines.yaku:
            self._make(yaku)
        else:
            for names in yaku:
                for has in names.values():
                    self.add(has == 0)
        if lines.special:
            self._special()
        elif played_out:
            self._count_points()
        elif lines.nuke or lines.blind:
            raise Impossible("a bonus of hands played out in a month that was cut short")
        if lines.blind:
            self.add(self.points(lines.order.index(lines.table[0])) > PAR)

    def _deal(self, player: int) -> None:
        """Require the written yaku of a hand, and no other where nothing is struck out."""
        hand = self.dealt_hands[player]
        names = set(self.lines.hands.get(player, []))
        for kinds in (hand.count_yaku, hand.chaff_yaku(choice=False)):
            written = names & kinds.keys()
            if len(written) > 1:
                raise Impossible("two yaku of one family")
            if written or not self.lines.special:
                self.add(kinds[written.pop() if written else NONE] == 1)

    def _shut_out(self) -> None:
        """Require hands in the pile with the worth that the shut out are paid (B4)."""
        hands = []
        for worth in self.lines.worth.values():
            cards = [self.new_bool_var("") for _ in CARDS]
            self.add(sum(cards) == self.hand_size)
            hands.append(cards)
            hand = DealtHand(self, cards)
            kinds = {**hand.count_yaku, **hand.chaff_yaku(choice=False)}
            kan: Sum = sum(DEALT[name] * has for name, has in kinds.items() if name in DEALT)
            for name, has in self._sets(hand.held).items():
                kan += CAPTURED[name] * has
            self.add(6 * kan + 3 * hand.held(MON_CARDS) == worth)
        for card in CARDS:
            self.add(sum(cards[card] for cards in hands) <= self.pile[card])

    def _sets(self, count: Callable[[Sequence[int]], Sum]) -> dict[str, Bool]:
        """Return whether cards make each captured yaku, 四光 not beside 五光."""
        brights = self.reaches(count(SHIKO), 4)
        rain = self.reaches(count((RAIN_MAN,)), 1)
        goko = self.all_of([brights, rain])
        shiko = self.new_bool_var("")
        self.add(shiko == brights - goko)
        return {
            "goko": goko,
            "shiko": shiko,
            "nanatan": self.reaches(count(NINE_RIBBONS), 7),
            "akatan": self.reaches(count(AKATAN), 3),
            "aotan": self.reaches(count(AOTAN), 3),
        }

    def _yaku(self, player: int) -> dict[str, Bool]:
        """Return whether the captured cards of a player make each yaku."""
        return self._sets(lambda cards: self.count(player, cards))

    def _make(self, yaku: Sequence[Mapping[str, Bool]]) -> None:
        """Require the paid yaku, and yaku in sage that came to nothing where one paid alone."""
        lines, maker = self.lines, self.lines.maker
        others = {
            player: self.reaches(sum(yaku[player].values()), 1)
            for player in self.players
            if player != maker
        }
        payers = {line.payer for line in lines.yaku.values()} - {None}
        own = dict(yaku[maker])
        if "shiko" in lines.yaku and (lines.half or len(lines.yaku) > 1):
            # The rain man that came after 下げ of 四光 makes no 五光.
            bright = self.new_bool_var("")
            self.add(bright == own["shiko"] + own["goko"])
            own["shiko"] = bright
            del own["goko"]
            if "goko" in lines.yaku:
                raise Impossible("五光 replaces 四光")
        for name, has in own.items():
            if name in lines.yaku:
                self.add(has == 1)
            else:
                # Another's 下げ made an earlier yaku of the maker worthless.
                self.add(has <= sum(others[payer] for payer in payers if payer is not None))
        if not payers:
            for has in others.values():
                self.add(has == 0)
            return
        for player, has in others.items():
            if player not in payers:
                (third,) = set(others) - {player}
                self.add_implication(has, others[third])
        for name, line in lines.yaku.items():
            if line.payer is not None:
                ways = [others[line.payer]]
                if name in HATTO:
                    ways += assists(self, line.payer, maker, HATTO[name], is_any=True)
                self.add_bool_or(ways)

    def _dive(self, dives: Sequence[Dive]) -> None:
        struck = bool(self.lines.special)
        names = self.lines.hands
        require_due_dives(
            self, self.dealt_hands, names, DIVING_HANDS, dives, struck=struck, liable=None
        )

    def _special(self) -> None:
        special_yaku(self, self.lines.special, self.lines.unit)
        for line in self.lines.nuke:
            hand = self.dealt_hands[line.receiver]
            kinds = hand.chaff_yaku(choice=False)
            self.add_bool_or([kinds[name] for name in NUKE_HANDS])
            self.add(self.points(line.receiver) > PAR)

    def _count_points(self) -> None:
        lines = self.lines
        points = [self.points(player) for player in self.players]
        if not lines.yaku:
            no_special_yaku(self)
            differences = [Fraction(amount) / lines.unit.factor for amount in lines.amounts]
            if any(difference.denominator != 1 for difference in differences):
                raise Impossible("points: no differences from 88")
            require_points(self, points, [tuple(PAR + int(value) for value in differences)])
        for player in self.players:
            names = set(lines.hands.get(player, []))
            nuke = any(line.receiver == player for line in lines.nuke)
            if nuke:
                if not names & set(NUKE_HANDS):
                    raise Impossible("抜け without its hand")
                self.add(points[player] > PAR)
            elif names & set(NUKE_HANDS):
                self.add(points[player] <= PAR)
