"""A written score sheet as the form that says it: the inverse of `kafu.editing.sheet_forms`.

The form holds as little as it can: what follows from the rules is left to them, so that a
correction changes what depends on it. What the form has no place for is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Final, Literal, NamedTuple

from kafu.editing.sheet_composing import PLAYING, Composed, Writing, compose
from kafu.editing.sheet_forms import begin, write_month
from kafu.editing.sheet_months import MAX_LINES, LineWanted, MonthWanted
from kafu.facade.errors import BadValue
from kafu.notation.game import Game, Month, Payment
from kafu.notation.reading import amounts
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.lines import MONTH, POINTS, PaymentKind
from kafu.rules.sheets.offers import Offer, Paid, Playing
from kafu.rules.sheets.together import ways

#: The tags that the form has a field for, or that follow.
TAGS: Final = ("Date", "Event", "Site", "Round")
_FOLLOWS: Final = (("Termination", "unfinished"), ("Termination", "normal"))
#: Dealers that are not due which are looked for one by one.
_MOST_DEALERS: Final = 8
#: Yaku of one line for which it is tried who paid for which.
_MOST_PARTS: Final = 4
#: What may follow from the rules in the lines of a payment.
_LEAVES_OUT: Final[tuple[dict[str, object], ...]] = (
    {"gain": None},
    {"gain": None, "half": True},
    {"payer": 0},
    {"void": None},
)

What = Literal["payments", "number", "dealer", "ba", "stone", "comments", "tag"]


class Unsaid(NamedTuple):
    """What the form cannot hold of a sheet: of the month ``number`` (from 1; 0: the sheet),
    payments that are ``missing`` or ``added``, or something else that is left out or filled in.
    ``value`` is what the form has instead, of a tag its name.
    """

    number: int
    what: What
    value: str = ""
    missing: tuple[Payment, ...] = ()
    added: tuple[Payment, ...] = ()


@dataclass(slots=True)
class ReopenedSheet:
    """The form of a sheet, as `kafu.editing.sheet_forms.write_sheet` takes it; ``at`` is the first
    month with a fault or with payments that it cannot hold, the first of all where there is none.
    """

    rules: str
    players: tuple[str, ...]
    options: dict[str, str]
    tags: dict[str, str]
    months: list[MonthWanted]
    unsaid: list[Unsaid]
    at: int


def reopen(game: Game) -> ReopenedSheet:
    """The form that writes this sheet, as nearly as a form can.

    Raises UnknownRuleset, and BadValue for a game that is no score sheet.
    """
    if not game.is_sheet:
        raise BadValue("no score sheet", code="no-sheet")
    months, written = _with_few_dealers(game, _entered(game))
    tags = {name: value for name, value in game.tags.items() if name in TAGS}
    unsaid = [Unsaid(0, "tag", name) for name, value in game.tags.items() if _is_lost(name, value)]
    if game.notes:
        unsaid.append(Unsaid(0, "comments"))
    is_faulty = False
    for number, month in enumerate(game.months, start=1):
        found = written.months[number - 1]
        unsaid += _unsaid(number, month, found.month, written if is_faulty else None)
        is_faulty |= any(one.number == number for one in written.faults)
    wrong = [one.number for one in unsaid if one.what == "payments"]
    at = min((*wrong, *(one.number for one in written.faults)), default=1)
    return ReopenedSheet(game.rules, game.players, dict(game.options), tags, months, unsaid, at)


def _is_lost(name: str, value: str) -> bool:
    """Whether a tag has no field, and does not follow."""
    follows = name == "Sheet" or (name, value) in _FOLLOWS
    return not follows and name not in TAGS


# Months -------------------------------------------------------------------------------------------


def _entered(game: Game) -> list[MonthWanted]:
    """The months as they are entered, each with its dealer."""
    writing, _ = begin(game.rules, len(game.players), game.options)
    found: list[MonthWanted] = []
    for number, month in enumerate(game.months, start=1):
        after = game.months[number].dealer if number < len(game.months) else None
        wanted = _Inverse(writing, month, number, after).wanted()
        following = MonthWanted(dealer=after) if after else None
        write_month(writing, wanted, following, number)
        found.append(wanted)
    return found


def _with_few_dealers(game: Game, months: list[MonthWanted]) -> tuple[list[MonthWanted], Writing]:
    """The months without the dealers that the months before them tell, and how they come out."""
    wanted = _write(game, months)
    faulty = min((one.number for one in wanted.faults), default=len(months))
    kept = {i for i, one in enumerate(months) if i > faulty or (i == 0 and one.dealer != 1)}
    by_next = {i for i in range(1, len(months)) if _is_open(game.months[i - 1])}
    for _ in range(_MOST_DEALERS):
        fewer = [one if i in kept else replace(one, dealer=None) for i, one in enumerate(months)]
        found = _write(game, fewer)
        pairs = enumerate(zip(found.months, wanted.months, strict=True))
        wrong = next((i for i, (one, other) in pairs if one.month != other.month), None)
        if wrong is None and found.faults == wanted.faults:
            return fewer, found
        if wrong is None or wrong in kept:
            break
        kept |= by_next if wrong in by_next else {wrong}
    return months, wanted


def _is_open(month: Month) -> bool:
    """Whether only the next month may say who deals it (S2, S6, S7)."""
    by_sum = any(payment.label in (MONTH, "fuke") for payment in month.payments)
    return by_sum and month.stone is None


def _write(game: Game, months: Sequence[MonthWanted]) -> Writing:
    writing, _ = begin(game.rules, len(game.players), game.options)
    for number, wanted in enumerate(months, start=1):
        following = months[number] if number < len(months) else None
        write_month(writing, wanted, following, number)
    return writing


def _key(payment: Payment) -> tuple[object, ...]:
    """A payment without the order of its yaku."""
    return (tuple(sorted(payment.label.split("+"))), payment.amounts, payment.void)


def _differences(month: Month, written: Month) -> tuple[tuple[Payment, ...], tuple[Payment, ...]]:
    """The payments of a month that the written one lacks, and those that it has instead."""
    ours = Counter(_key(payment) for payment in month.payments)
    theirs = Counter(_key(payment) for payment in written.payments)
    missing = _only(month.payments, ours - theirs)
    added = _only(written.payments, theirs - ours)
    return ((), ()) if _whole(missing) == _whole(added) else (missing, added)


def _whole(payments: Sequence[Payment]) -> dict[object, tuple[list[str], list[int]]]:
    """What each player gets in all, struck out or not, and for which yaku, however they are joined
    in lines.
    """
    found: dict[object, tuple[list[str], list[int]]] = {}
    for payment in payments:
        seat = payment.amounts.index(max(payment.amounts))
        labels, sums = found.get((seat, payment.void), ([], [0] * len(payment.amounts)))
        labels = sorted([*labels, *payment.label.split("+")])
        sums = [sum_ + amount for sum_, amount in zip(sums, payment.amounts, strict=True)]
        found[seat, payment.void] = labels, sums
    return found


def _only(payments: Sequence[Payment], wanted: Counter[tuple[object, ...]]) -> tuple[Payment, ...]:
    found = []
    for payment in payments:
        if wanted[_key(payment)] > 0:
            wanted[_key(payment)] -= 1
            found.append(payment)
    return tuple(found)


def _unsaid(number: int, month: Month, written: Month, faulty: Writing | None) -> Iterator[Unsaid]:
    """What the form has otherwise than the month of the sheet. Of one that follows what is
    ``faulty`` the prizes are not known yet.
    """
    if month.month != written.month:
        yield Unsaid(number, "number", str(written.month))
    if month.dealer != written.dealer:
        yield Unsaid(number, "dealer", str(written.dealer))
    if month.ba != written.ba:
        yield Unsaid(number, "ba", written.ba or "")
    missing, added = _differences(month, written)
    if faulty:
        missing = tuple(one for one in missing if one.label not in faulty.sheet.follow)
    if missing or added:
        yield Unsaid(number, "payments", "", missing, added)
    if month.stone != written.stone:
        yield Unsaid(number, "stone", str(written.stone or ""))
    if month.notes:
        yield Unsaid(number, "comments")


# One month ----------------------------------------------------------------------------------------


class _Inverse:
    """The search for what has to be entered so that a month comes out as it is on the sheet."""

    def __init__(self, writing: Writing, month: Month, number: int, after: int | None) -> None:
        self.writing, self.month, self.number, self.after = writing, month, number, after
        self.followed = after is not None

    def compose(self, wanted: MonthWanted) -> Composed:
        return compose(self.writing, wanted, self.number, is_followed=self.followed)

    def wanted(self) -> MonthWanted:
        """What is entered of the month, as little as will do."""
        month = self.month
        sums, points = self._amounts(MONTH), self._amounts(POINTS)
        plain = MonthWanted(
            dealer=month.dealer,
            ba=month.ba,
            points=[] if sums else points,
            sums=sums,
            stone=month.stone,
            nothing=not month.payments,
        )
        tables = [self._filled(replace(plain, out=out)) for out in self._outs()]
        best = min(tables, key=self._wrong)
        if month.ba is not None or sums:
            return self._least(best)
        grades = self.compose(plain).grades or (None,)
        found = [self._least(self._filled(replace(best, ba=ba, lines=()))) for ba in grades]
        return min(found, key=lambda one: (self._wrong(one)[0], _explicit(one), one.ba is not None))

    def _amounts(self, label: str) -> list[str]:
        """The amounts of the first line with a label, as words by seat."""
        kan = self.writing.kan
        line = next((one for one in self.month.payments if one.label == label), None)
        return [amounts.text(amount, kan) for amount in line.amounts] if line else []

    def _outs(self) -> list[tuple[int, ...]]:
        """Who may have been out."""
        seats = turn_order(self.month.dealer, self.writing.players)
        if len(seats) <= PLAYING:
            return [()]
        return [tuple(sorted(set(seats) - set(order))) for order in combinations(seats, PLAYING)]

    def _wrong(self, wanted: MonthWanted) -> tuple[int, int]:
        """How many payments come out otherwise, and how many are of others than those in play."""
        found = self.compose(wanted)
        missing, added = _differences(self.month, found.written.month)
        offers = {offer.label: offer for offer in found.offers}
        order = found.written.playing.order
        away = sum(one.seat not in (offers[one.label].seats or order) for one in wanted.lines)
        return len(missing) + len(added), away

    def _filled(self, wanted: MonthWanted) -> MonthWanted:
        """The month with a line for each yaku, and all that can be said of each."""
        found = self.compose(wanted)
        offers = {offer.label: offer for offer in found.offers}
        lines: list[LineWanted] = []
        for payment in self.month.payments:
            yaku = payment.label.split("+")
            if payment.label in (MONTH, POINTS) or not all(one in offers for one in yaku):
                continue
            if wanted.sums and not offers[yaku[0]].marks:  # a form has the one or the other
                continue
            parts = self._parts(payment, [offers[one] for one in yaku], found.written.playing)
            if len(lines) + len(parts) <= MAX_LINES:
                lines += parts
        return replace(wanted, lines=tuple(lines))

    def _parts(
        self, payment: Payment, offers: Sequence[Offer], playing: Playing
    ) -> list[LineWanted]:
        """The lines of the form for one payment, a yaku each."""
        kan = self.writing.kan
        seat, sum_ = self._seat(payment, offers)
        gains = _gains(offers, sum_, seat, playing)
        payers = _payers(payment, offers, seat, gains)
        return [
            LineWanted(seat, offer.label, amounts.text(gain, kan), payer, void=payment.void)
            for offer, gain, payer in zip(offers, gains, payers, strict=True)
        ]

    def _seat(self, payment: Payment, offers: Sequence[Offer]) -> tuple[int, int]:
        """Who gets a payment, and how much."""
        if offers[0].marks:
            return self.month.stone or self.after or self.month.dealer, 0
        most, least = max(payment.amounts), min(payment.amounts)
        if not most and least and offers[0].kind is PaymentKind.DEALT:
            # The hand that the loser showed is taken off the winner's (K3).
            winner = payment.amounts.index(least) + 1
            return 3 - winner, -least
        return payment.amounts.index(most) + 1, most

    # As little as will do -------------------------------------------------------------------------

    def _least(self, wanted: MonthWanted) -> MonthWanted:
        """The same month with nothing entered that follows from the rest."""
        written = self.compose(wanted).written
        same = written.month
        for lines in filter(None, map(list, written.made_by)):  # the lines of a payment
            for change in _LEAVES_OUT:
                wanted = self._without(wanted, same, lines, change)
            if len(lines) > 1:
                for i in lines:
                    wanted = self._without(wanted, same, [i], {"gain": None})
        # A line that comes by itself need not be entered.
        for i in range(len(wanted.lines) - 1, -1, -1):
            fewer = (*wanted.lines[:i], *wanted.lines[i + 1 :])
            wanted = self._if_same(replace(wanted, lines=fewer), wanted, same)
        wanted = self._if_same(replace(wanted, stone=None), wanted, same)
        return self._if_same(replace(wanted, ba=None), wanted, same)

    def _without(
        self, wanted: MonthWanted, same: Month, lines: Sequence[int], change: dict[str, object]
    ) -> MonthWanted:
        changed = tuple(
            one._replace(**change) if i in lines else one  # type: ignore[arg-type]
            for i, one in enumerate(wanted.lines)
        )
        return self._if_same(replace(wanted, lines=changed), wanted, same)

    def _if_same(self, changed: MonthWanted, wanted: MonthWanted, same: Month) -> MonthWanted:
        """What is changed, if the month comes out the same."""
        if changed == wanted:
            return wanted
        return changed if self.compose(changed).written.month == same else wanted


def _explicit(wanted: MonthWanted) -> int:
    """How many amounts differ from what the rules say."""
    return sum(one.gain is not None for one in wanted.lines)


def _gains(offers: Sequence[Offer], sum_: int, seat: int, playing: Playing) -> list[int]:
    """What each yaku of a line brings: possible values, else plain ones and the rest."""
    shares = [playing.shares(offer, seat) for offer in offers]
    choices = [
        [each * share for each in offer.each] for offer, share in zip(offers, shares, strict=True)
    ]
    if all(offer.halves for offer in offers):
        halves = [[gain // 2 for gain in gains] for gains in choices]
    else:
        halves = choices
    for wanted in (choices, halves):
        if found := next(ways(wanted, sum_), None):
            return list(found)
    plain = [gains[0] for gains in choices]
    return [sum_ - sum(plain[1:]), *plain[1:]]


def _payers(
    payment: Payment, offers: Sequence[Offer], seat: int, gains: Sequence[int]
) -> list[int]:
    """Who pays for each yaku of a line alone, 0 for all who have to."""
    paying = [i for i, amount in enumerate(payment.amounts, start=1) if amount < 0 and i != seat]
    if not all(offer.alone or offer.paid is Paid.ONE for offer in offers):
        return [0] * len(offers)
    if len(paying) == 1:
        return paying * len(offers)
    if len(paying) == 2 and len(offers) <= _MOST_PARTS:
        for found in product((0, *paying), repeat=len(offers)):
            owed = {
                one: sum(
                    gain // 2 * (payer == 0) + gain * (payer == one)
                    for gain, payer in zip(gains, found, strict=True)
                )
                for one in paying
            }
            if all(owed[one] == -payment.amounts[one - 1] for one in paying):
                return list(found)
    return [0] * len(offers)
