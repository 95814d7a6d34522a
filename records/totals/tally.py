"""What one game adds to the sums of statistics (`records.totals.layout` has each figure).

Only deals that ended count. Those that were dealt again or given up count among ends and dealt
hands, but in nothing that is won or lost.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest
from operator import add as plus
from typing import Final

from kafu import cards
from kafu.judging.facts import DealFacts, Decision
from kafu.judging.verify import Verification
from kafu.notation.game import Game
from kafu.rules.names import YAKU
from kafu.rules.play.ledger import OTHER, maker
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import RULESETS
from kafu.rules.sheets.lines import MONTH
from kafu.rules.verdict import DealResult, Line, Verdict
from records.base.sums import TABLE, Sums, Tally
from records.totals.layout import ALL, bin_of, bins

#: Verdicts on games that count.
COUNTED: Final = frozenset(("verified", "consistent", "mismatch", "unfinished"))
#: Ends of deals that nobody won or lost.
UNSCORED: Final = frozenset(("redeal", "void"))
#: The key for a missing name.
NONE: Final = "-"
_FOURS: Final = 4
#: No more than so many play a deal.
_PLAY: Final = 3
_TABLE: Final = int(TABLE)
#: Keys of the figure ``hands`` by ruleset and what the yaku of a hand depend on: some hundreds.
_CELLS: Final[dict[tuple[str, Hashable], tuple[str, str, str]]] = {}
#: Bits of a count, and of a sum of scores, in a packed vector.
_NARROW, _WIDE = 32, 128
_COUNT: Final = (1 << _NARROW) - 1
_WHOLE, _HALF = (1 << _WIDE) - 1, 1 << _WIDE - 1


def tally(verification: Verification) -> Tally:
    """The sums that a game adds; empty for a game that cannot count, or of which no deal ended."""
    verdict, game = verification.verdict, verification.game
    if game is None or verdict.status not in COUNTED or not verdict.deals:
        return {}
    counter = _Counter(game)
    counter.game(verdict)
    facts = verification.facts
    assert facts is not None or game.is_sheet, "verified without facts"
    noted: Sequence[DealFacts] = facts.deals if facts else ()
    for number, (deal, more) in enumerate(zip_longest(verdict.deals, noted)):
        if deal is None:
            break  # the last deal did not end
        counter.deal(number, deal, more.ended.turn if more else 0)
        if facts is None:
            # Of more than three a sheet does not say who played.
            seats = len(deal.score)
            counter.scores(deal, turn_order(deal.dealer, seats) if seats <= _PLAY else ())
            continue
        counter.hands(more)
        if deal.end not in UNSCORED:
            order = facts.order(more)
            counter.scores(deal, order)
            counter.played(deal, more, order)
            counter.decided(deal, facts.decisions(more))
    return counter.found()


class _Counter:
    """The sums of one game while they are collected: hundreds of additions, with every game."""

    def __init__(self, game: Game) -> None:
        self.record = game
        self.rules = RULESETS[game.rules]
        self.bins = bins(game.rules)
        self.seats = range(1, len(game.players) + 1)
        #: By place, the table's first.
        self.sums: list[Sums] = [{} for _ in (TABLE, *self.seats)]
        #: Those of what deals gave a seat, while each vector is one number (`_packed`).
        self.scored: list[dict[str, dict[str, int]]] = [{} for _ in self.sums]

    def found(self) -> Tally:
        """The whole tally."""
        for sums, scored in zip(self.sums, self.scored, strict=True):
            for figure, rows in scored.items():
                sums[figure] = {key: _unpacked(packed) for key, packed in rows.items()}
        return {str(place): sums for place, sums in enumerate(self.sums) if sums}

    def add(self, place: int, figure: str, key: str, *vector: int) -> None:
        """Add a vector."""
        rows = self.sums[place].get(figure)
        if rows is None:
            rows = self.sums[place][figure] = {}
        old = rows.get(key)
        rows[key] = [*vector] if old is None else [*map(plus, old, vector)]

    def add_one(self, place: int, figure: str, keys: Iterable[str]) -> None:
        """Add 1 under each key of a figure whose vectors have one number."""
        rows = self.sums[place].setdefault(figure, {})
        for key in keys:
            if key in rows:
                rows[key][0] += 1
            else:
                rows[key] = [1]

    def game(self, verdict: Verdict) -> None:
        """The game as a whole, and its result for each seat."""
        self.add(_TABLE, "games", ALL, 1, len(verdict.deals), 0)
        if verdict.final is None:
            for seat in self.seats:
                self.add(seat, "seat", ALL, 1, 0, 0, 0, 0, 0)
            return
        unit = self.rules.final_unit
        final = [sum_ * unit for sum_ in verdict.final]
        places = verdict.places or ()
        alone = places.count(1) == 1
        for seat, sum_, place in zip(self.seats, final, places, strict=True):
            first = (int(alone), int(not alone)) if place == 1 else (0, 0)
            self.add(seat, "seat", ALL, 1, 1, *first, sum_, sum_ * sum_)
            self.add_one(seat, "place", (str(place),))
            self.add_one(seat, "final", (bin_of(sum_, self.bins.final),))

    def deal(self, number: int, deal: DealResult, turns: int) -> None:
        """What every deal has, ``number`` from 0: its end, its grade, its payments."""
        self.add(_TABLE, "games", ALL, 0, 0, turns)
        self.add(_TABLE, "ends", deal.end, 1, turns)
        if deal.grade is not None and self._is_bound_known(number, deal):
            grade = deal.grade.removesuffix("2")  # of a sheet: one from which another follows
            self.add_one(_TABLE, "grades", (f"{deal.bound or NONE} {grade}",))
        for line in deal.ledger:
            if line.label == MONTH:  # of a sheet: nobody knows for what
                continue
            names = _names(line.label)
            if names[0] in OTHER:
                self.paid(line, names[0])
            else:
                self.made(line, names)

    def made(self, line: Line, names: Sequence[str]) -> None:
        """A payment for yaku, to the seat that made them; of several each counts, without value."""
        seat, amount = maker(line)
        if seat is None:
            return
        for name in names:
            if name not in YAKU:  # of a sheet
                continue
            if line.void:
                self.add(seat, "yaku", name, 0, 0, 0, 1, 0, 0)
            elif not amount:
                self.add(seat, "yaku", name, 1, 0, 0, 0, 0, 1)
            elif len(names) == 1:
                self.add(seat, "yaku", name, 1, 1, amount, 0, amount * amount, 0)
            else:
                self.add(seat, "yaku", name, 1, 0, 0, 0, 0, 0)

    def paid(self, line: Line, name: str) -> None:
        """Another payment: once for the table, and for each seat that received or paid."""
        if line.void or not any(line.amounts):
            self.add(_TABLE, "payments", name, 0, int(not line.void), int(line.void))
            return
        self.add(_TABLE, "payments", name, 1, 0, 0)
        for seat, amount in enumerate(line.amounts, start=1):
            if amount > 0:
                self.add(seat, "paid", name, 1, amount, amount * amount, 0)
            elif amount:
                self.add(seat, "paid", name, 0, 0, 0, 1)

    def hands(self, deal: DealFacts) -> None:
        """Dealt hands whose cards are all known."""
        dealt = self.rules.dealt
        for seat, hand in enumerate(deal.hands if dealt else (), start=1):
            if dealt and hand.bit_count() == self.rules.hand:
                key = self.rules.id, dealt.key(hand)
                cells = _CELLS.get(key)
                if cells is None:
                    row, column = dealt.judge(hand)
                    cells = _CELLS[key] = "hands", f"row {row}", f"col {column}"
                self.add_one(seat, "hands", cells)

    def scores(self, deal: DealResult, order: Sequence[int]) -> None:
        """Who won what, by place in the order of play; without an order nothing by place."""
        for seat, score in enumerate(deal.score, start=1):
            if order:
                place = str(order.index(seat) + 1) if seat in order else "out"
                self.add_scored(seat, "deals", (place,), _packed(deal, seat))
            self.add_one(seat, "score", (bin_of(score, self.bins.score),))

    def played(self, deal: DealResult, more: DealFacts, order: Sequence[int]) -> None:
        """Sums that only a deal with cards has."""
        if more.opening is None:
            return
        card, take = more.opening
        for laid in cards.letters(more.laid):
            self.add(_TABLE, "lay", laid, 1, int(take & cards.BIT[laid] > 0))
        opened = f"{cards.letters(card)} {cards.letters(take) or NONE}"
        self.add_scored(order[0], "openings", (opened,), _packed(deal, order[0]))
        for seat in order:
            captured = cards.letters(more.captured[seat - 1])
            self.add_scored(seat, "cards", (ALL, *captured), _packed(deal, seat))
        for thrown in more.thrown:
            self.add(thrown.seat, "hatto", cards.letters(thrown.card), 1, 0, 0)
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
            score, won = deal.score[one.seat - 1], int(deal.winner == one.seat)
            gain = score - one.stopped[one.seat - 1]
            vector = (1, won, score, score**2, one.stopped[one.seat - 1], gain**2)
            for yaku in (ALL, *one.yaku):
                self.add(one.seat, "choices", f"{one.word} {yaku}", *vector)
                self.add(one.seat, "decisions", f"{one.word} {yaku} {one.left} {most}", *vector)

    def add_scored(self, seat: int, figure: str, keys: Iterable[str], packed: int) -> None:
        """Add what a deal gave a seat under each of the keys: most of all sums are of this kind."""
        rows = self.scored[seat].setdefault(figure, {})
        for key in keys:
            rows[key] = rows.get(key, 0) + packed

    def _is_bound_known(self, number: int, deal: DealResult) -> bool:
        """A sheet may omit a grade, and with it what is carried into the next month; or it says
        that something is, and not what.
        """
        if not (self.record.is_sheet and number) or deal.bound is not None:
            return True
        before = self.record.months[number - 1].ba
        return before is not None and not before.endswith("2")


def _packed(deal: DealResult, seat: int) -> int:
    """The vector of a deal for a seat: deals, won, score, its square. One number with room for each
    of them, so that one addition adds them all; only scores can be below 0.
    """
    score = deal.score[seat - 1]
    return ((score * score << _WIDE) + score << 2 * _NARROW) + (
        (1 << _NARROW) + 1 if deal.winner == seat else 1
    )


def _unpacked(packed: int) -> list[int]:
    """The vector of a sum of packed ones."""
    deals, won = packed & _COUNT, packed >> _NARROW & _COUNT
    rest = packed >> 2 * _NARROW
    score = (rest + _HALF & _WHOLE) - _HALF
    return [deals, won, score, rest - score >> _WIDE]


@lru_cache(1024)  # a sheet may contain any label
def _names(label: str) -> tuple[str, ...]:
    """The ids of a line's label."""
    return tuple(label.split("+"))
