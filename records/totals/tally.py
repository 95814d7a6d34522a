"""What one game adds to the sums of statistics (`records.totals.layout` has each figure).

Only deals that ended count. Those that were dealt again or given up count among ends and dealt
hands, but in nothing that is won or lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Final

from kafu import cards
from kafu.judging.facts import DealFacts, Decision
from kafu.judging.verify import Verification
from kafu.notation.game import Game
from kafu.rules.names import YAKU
from kafu.rules.play.ledger import gains
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import RULESETS
from kafu.rules.verdict import DealResult, Verdict
from records.base.sums import TABLE, Tally
from records.totals.layout import ALL, LAYOUT, bin_of, bins

#: Verdicts on games that count.
COUNTED: Final = frozenset(("verified", "consistent", "mismatch", "unfinished"))
#: Ends of deals that nobody won or lost.
UNSCORED: Final = frozenset(("redeal", "void"))
#: The key for a missing name.
NONE: Final = "-"
_FOURS: Final = 4


def tally(verification: Verification) -> Tally:
    """The sums that a game adds; empty for a game that cannot count, or of which no deal ended."""
    verdict, game = verification.verdict, verification.game
    if game is None or verdict.status not in COUNTED or not verdict.deals:
        return {}
    counter = _Counter(game)
    counter.game(verdict)
    facts = verification.facts
    noted: Sequence[DealFacts] = facts.deals if facts else ()
    for number, (deal, more) in enumerate(zip_longest(verdict.deals, noted)):
        if deal is None:
            break  # the last deal did not end
        counter.deal(number, deal, more.ended.turn if more else 0)
        if facts is None:
            counter.scores(deal, turn_order(deal.dealer, len(deal.score)))
            continue
        counter.hands(more)
        if deal.end not in UNSCORED:
            order = facts.order(more)
            counter.scores(deal, order)
            counter.played(deal, more, order)
            counter.decided(deal, facts.decisions(more))
    for sums in counter.tally.values():
        for figure in [figure for figure, rows in sums.items() if not rows]:
            del sums[figure]
    return {place: sums for place, sums in counter.tally.items() if sums}


class _Counter:
    """The sums of one game while they are collected."""

    def __init__(self, game: Game) -> None:
        self.made = game
        self.rules = RULESETS[game.rules]
        self.bins = bins(game.rules)
        seats = range(1, len(game.players) + 1)
        self.seats = [str(seat) for seat in seats]
        self.tally: Tally = {place: {} for place in (TABLE, *self.seats)}

    def add(self, place: int | str, figure: str, key: str, *numbers: int) -> None:
        """Add to a vector, given up to its last number that is not 0."""
        rows = self.tally[str(place)].setdefault(figure, {})
        vector = rows.get(key)
        if vector is None:
            vector = rows[key] = [0] * len(LAYOUT[figure].names)
        for i, number in enumerate(numbers):
            vector[i] += number

    def game(self, verdict: Verdict) -> None:
        """The game as a whole, and its result for each seat."""
        self.add(TABLE, "games", ALL, 1, len(verdict.deals))
        for seat in self.seats:
            self.add(seat, "seat", ALL, 1)
        if verdict.final is None:
            return
        unit = self.rules.final_unit
        final = [sum_ * unit for sum_ in verdict.final]
        places = verdict.places or ()
        alone = places.count(1) == 1
        for seat, sum_, place in zip(self.seats, final, places, strict=True):
            first = (alone, not alone) if place == 1 else (False, False)
            self.add(seat, "seat", ALL, 0, 1, *first, sum_, sum_ * sum_)
            self.add(seat, "place", str(place), 1)
            self.add(seat, "final", bin_of(sum_, self.bins.final), 1)

    def deal(self, number: int, deal: DealResult, turns: int) -> None:
        """What every deal has, ``number`` from 0: its end, its grade, its payments."""
        self.add(TABLE, "games", ALL, 0, 0, turns)
        self.add(TABLE, "ends", deal.end, 1, turns)
        if deal.grade is not None and self._is_bound_known(number):
            grade = deal.grade.removesuffix("2")  # of a sheet: one from which another follows
            self.add(TABLE, "grades", f"{deal.bound or NONE} {grade}", 1)
        for line in deal.ledger:
            names = line.label.split("+")
            known = [name for name in names if name in YAKU]  # a sheet may contain any label
            for seat, amount in gains(line):
                if seat is None:
                    continue
                for name in known:
                    if line.void:
                        self.add(seat, "yaku", name, 0, 0, 0, 1)
                    elif len(names) == 1:
                        self.add(seat, "yaku", name, 1, 1, amount, 0, amount * amount)
                    else:
                        self.add(seat, "yaku", name, 1)

    def hands(self, deal: DealFacts) -> None:
        """Dealt hands whose cards are all known."""
        dealt = self.rules.dealt
        for seat, hand in enumerate(deal.hands if dealt else (), start=1):
            if dealt and hand.bit_count() == self.rules.hand:
                row, column = dealt.judge(hand)
                for key in ("hands", f"row {row}", f"col {column}"):
                    self.add(seat, "hands", key, 1)

    def scores(self, deal: DealResult, order: Sequence[int]) -> None:
        """Who won what, by place in the order of play."""
        for seat, score in enumerate(deal.score, start=1):
            place = str(order.index(seat) + 1) if seat in order else "out"
            self._scored(seat, "deals", (place,), deal)
            self.add(seat, "score", bin_of(score, self.bins.score), 1)

    def played(self, deal: DealResult, more: DealFacts, order: Sequence[int]) -> None:
        """Sums that only a deal with cards has."""
        if more.opening is None:
            return
        card, take = more.opening
        for laid in cards.letters(more.laid):
            self.add(TABLE, "lay", laid, 1, bool(take & cards.BIT[laid]))
        opened = f"{cards.letters(card)} {cards.letters(take) or NONE}"
        self._scored(order[0], "openings", (opened,), deal)
        for seat in order:
            captured = cards.letters(more.captured[seat - 1])
            self._scored(seat, "cards", (ALL, *captured), deal)
        for thrown in more.thrown:
            self.add(thrown.seat, "hatto", cards.letters(thrown.card), 1)
        for paid in more.paid:
            seat, card = paid.thrown
            whole = -paid.amounts[seat - 1]
            # Of equal shares this player would have paid one in any case.
            others = whole - whole // (len(order) - 1)
            self.add(seat, "hatto", cards.letters(card), 0, others, 1)

    def decided(self, deal: DealResult, decisions: Iterable[Decision]) -> None:
        """Stopping and going on."""
        for one in decisions:
            most = one.opponent // _FOURS * _FOURS
            score, won = deal.score[one.seat - 1], deal.winner == one.seat
            gain = score - one.stop
            vector = (1, won, score, score**2, one.stop, gain**2)
            for yaku in (ALL, *one.yaku):
                self.add(one.seat, "choices", f"{one.word} {yaku}", *vector)
                self.add(one.seat, "decisions", f"{one.word} {yaku} {one.left} {most}", *vector)

    def _scored(self, seat: int, figure: str, keys: Iterable[str], deal: DealResult) -> None:
        """What a deal gave a seat, under each of the keys: most of all sums are of this kind."""
        rows = self.tally[str(seat)].setdefault(figure, {})
        won, score = int(deal.winner == seat), deal.score[seat - 1]
        for key in keys:
            vector = rows.get(key)
            if vector is None:
                rows[key] = [1, won, score, score * score]
            else:
                vector[0] += 1
                vector[1] += won
                vector[2] += score
                vector[3] += score * score

    def _is_bound_known(self, number: int) -> bool:
        """A sheet may omit a grade, and with it what is carried into the next month."""
        months = self.made.months
        return not (self.made.is_sheet and number and months[number - 1].ba is None)
