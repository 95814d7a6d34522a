"""What a judged game says of each seat in each deal: rows of `records.insights.blocks`.

Only deals that ended and that somebody could win count, of seats in play; a hand only if all its
cards are known, a choice only if there was one. Of a sheet of more than three nobody knows who
played, so it has no facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from kafu.analysis.game import KINDS
from kafu.analysis.report import Choice
from kafu.judging.facts import DealFacts, Decision
from kafu.judging.verify import Verification
from kafu.notation.vocabulary import GRADES
from kafu.odds.exact import NONE
from kafu.rules.names import YAKU
from kafu.rules.play.ledger import OTHER, maker
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import RULESETS
from kafu.rules.verdict import DealResult
from records.facts.rows import COUNTED, THOUSANDTHS, UNSCORED
from records.insights import names
from records.insights.blocks import counts_of
from records.insights.names import Numbering

#: Lists of numbers by column.
Lists = defaultdict[str, list[int]]
#: A deal with a sum beyond this has no facts: no play brings it, only a sheet may claim it. So the
#: squares of millions of sums add up exactly.
MOST: Final = (1 << 15) - 1
#: No more than so many play a deal.
_PLAY: Final = 3
_GRADES: Final = tuple(GRADES)


@dataclass(frozen=True, slots=True)
class About:
    """What the archive knows of a game: its primary key, those of the players by seat, house and
    options as `Record` has them, the date as `date_code` has it, the hour from 0 or None; the
    choices of its analysis (`kafu.analysis.report`), none where it has none.
    """

    game: int
    players: Sequence[int]
    profile: str
    options: str
    date: int
    hour: int | None
    event: str
    choices: Sequence[Choice] = ()


def date_code(month: int) -> int:
    """A month YYYYMM, or a year YYYY00, as a number without gaps; 0 for none.

    >>> date_code(202612) - date_code(202600)
    12
    """
    return month // 100 * 13 + month % 100


def house_of(profile: str, options: str) -> str:
    """The name of a house: profile and options."""
    return f"{profile} {options}"


def grade_code(grade: str | None) -> int:
    """The number of a field grade, from 1; 0 for none."""
    known = (grade or "").removesuffix("2")
    return _GRADES.index(known) + 1 if known in _GRADES else 0


def kind_of(code: int) -> str:
    """The kind of a choice that was analysed, by its number from 1."""
    return KINDS[code - 1]


def grade_of(code: int) -> str:
    """The grade of a `grade_code`."""
    return _GRADES[code - 1]


def add(lists: Lists, about: About, verification: Verification, known: Numbering) -> None:
    """Append the facts of a game to lists of numbers; none of a game that does not count."""
    verdict, game = verification.verdict, verification.game
    if game is None or verdict.status not in COUNTED:
        return
    facts = verification.facts
    noted: Sequence[DealFacts] = facts.deals if facts else ()
    same = {
        "game": about.game,
        "house": known.number(names.HOUSE, house_of(about.profile, about.options)),
        "date": about.date,
        "hour": 0 if about.hour is None else about.hour + 1,
        "event": known.number(names.EVENT, about.event),
        "rating": 0,
    }
    losses: defaultdict[tuple[int, int], list[Choice]] = defaultdict(list)
    for choice in about.choices:
        if not choice["reason"]:
            losses[choice["deal"], choice["seat"]].append(choice)
    for number, (deal, more) in enumerate(zip_longest(verdict.deals, noted), start=1):
        if deal is None:
            break  # the last deal did not end
        if deal.end in UNSCORED:
            continue
        if facts is None:
            seats = len(deal.score)
            order = turn_order(deal.dealer, seats) if seats <= _PLAY else ()
            decisions: list[Decision] = []
        else:
            order, decisions = facts.order(more), list(facts.decisions(more))
        one = _Deal(game.rules, deal, more, tuple(order), decisions, known)
        if one.is_counted:
            for seat in order:
                one.add(lists, same, seat, about.players)
                _lost(lists, losses[number, seat])


def _lost(lists: Lists, choices: Sequence[Choice]) -> None:
    """What the choices of a seat in a deal lost."""
    _hang(
        lists,
        "losses",
        kind=[KINDS.index(one["kind"]) + 1 for one in choices],
        loss=[round(THOUSANDTHS * one["loss"]) for one in choices],
    )


def _hang(lists: Lists, table: str, **columns: Sequence[int]) -> None:
    """Rows of a table below the last row of the first."""
    lists[counts_of(table)].append(len(next(iter(columns.values()))))
    for name, numbers in columns.items():
        lists[name].extend(numbers)


@dataclass(slots=True)
class _Deal:
    """A deal; ``more`` is None, and ``decisions`` are empty, for a sheet."""

    rules: str
    result: DealResult
    more: DealFacts | None
    order: tuple[int, ...]
    decisions: list[Decision]
    known: Numbering

    @property
    def is_counted(self) -> bool:
        """Whether no sum is beyond `MOST`."""
        paid = sum(abs(amount) for line in self.result.ledger for amount in line.amounts)
        sums = (paid, *self.result.score, *(one.stopped[one.seat - 1] for one in self.decisions))
        return all(abs(sum_) <= MOST for sum_ in sums)

    def add(self, lists: Lists, same: Mapping[str, int], seat: int, players: Sequence[int]) -> None:
        """The facts of a seat."""
        result = self.result
        amounts = [line.amounts[seat - 1] for line in result.ledger if not line.void]
        made = list(self._made(seat))
        card, took = self._opening(seat)
        row = {
            **same,
            "player": players[seat - 1],
            "seat": seat,
            "place": self.order.index(seat) + 1,
            "month": result.month,
            "grade": grade_code(result.grade),
            "hand": self.known.number(names.HAND, self._hand(seat)),
            "yaku": self.known.set_of(made),
            "first": card,
            "took": took,
            "score": result.score[seat - 1],
            "won": int(result.winner == seat),
            "made": int(bool(made)),
            "turns": self.more.ended.turn if self.more else 0,
            "got": sum(amount for amount in amounts if amount > 0),
            "gave": -sum(amount for amount in amounts if amount < 0),
        }
        for name, number in row.items():
            lists[name].append(number)
        others = dict.fromkeys(players[one - 1] for one in self.order if one != seat)
        _hang(lists, "opponents", opponent=list(others), versus=[0] * len(others))
        mine = [one for one in self.decisions if one.seat == seat]
        self._choices(lists, mine, row["score"])

    def _choices(self, lists: Lists, mine: Sequence[Decision], score: int) -> None:
        choice = RULESETS[self.rules].choice
        mine = [one for one in mine if choice and one.word in choice]
        _hang(
            lists,
            "choices",
            on=[int(choice is not None and one.word == choice.on) for one in mine],
            left=[one.left + 1 for one in mine],
            gain=[score - one.stopped[one.seat - 1] for one in mine],
            held=[self.known.set_of(one.yaku) for one in mine],
        )

    def _made(self, seat: int) -> Iterator[str]:
        """The yaku of a seat that were not struck out, each once."""
        found: dict[str, None] = {}
        for line in self.result.ledger:
            labels = line.label.split("+")
            if not line.void and labels[0] not in OTHER and maker(line)[0] == seat:
                found.update(dict.fromkeys(label for label in labels if label in YAKU))
        yield from found

    def _hand(self, seat: int) -> str:
        """The yaku of a dealt hand, by count and of the dregs family; "" for one not known."""
        rules = RULESETS[self.rules]
        hands = self.more.hands if self.more else ()
        if rules.dealt is None or not hands or hands[seat - 1].bit_count() != rules.hand:
            return ""
        cell = rules.dealt.judge(hands[seat - 1])
        return "+".join(one for one in cell if one != NONE) or names.NONE

    def _opening(self, seat: int) -> tuple[int, int]:
        """The number of the first card of the deal, from 1, and whether it captured, for the seat
        that played it; else 0, 0.
        """
        if self.more is None or self.more.opening is None or seat != self.order[0]:
            return 0, 0
        card, take = self.more.opening
        return card.bit_length(), int(take > 0)
