"""The payments of a month of こいこい that was won with captured yaku (K5–K10, K15–K17, S2, S5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from typing import Final, NamedTuple

from kafu.rules import codes
from kafu.rules.koikoi.machine import HAND
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.koikoi.sheet_cards import find_cards
from kafu.rules.koikoi.sheet_turns import Demand
from kafu.rules.payments import PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.divisions import sums, ways
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_value
from kafu.rules.sheets.smallest import find_smallest
from kafu.rules.sheets.witness import Undecided
from kafu.rules.yaku import CapturedYaku, YakuTable

#: The lines that double a winner's total (K15).
DOUBLED: Final = ("bai", "koikoigaeshi")
#: The numbers of calls of こいこい: the winner's, and the opponent's.
Calls = tuple[int, int]
#: Any calls of the winner.
_ANYHOW: Final = tuple((own, 0) for own in range(HAND + 1))
#: Yaku with their values.
Yaku = frozenset[tuple[str, int]]
#: Demands that may stay undecided while others are tried.
_MOST_UNDECIDED: Final = 6


class MonthSituation(NamedTuple):
    """The context of a winner's lines: house, yaku of the month, played again, dealt by the winner.

    ``is_whole``: no yaku of the winner is missing.
    """

    house: Profile
    table: YakuTable
    is_replayed: bool
    is_dealer: bool
    is_whole: bool = True

    @property
    def floor(self) -> int:
        """The least total with the right to declare, 0 for any (K9)."""
        return self.house.floor if self.is_replayed else 0

    @property
    def least(self) -> int:
        """The least winning total; a total without the right wins when hands run out (K19)."""
        return 1 if self.house.exhausted_higher else max(1, self.floor)


def list_additions(house: Profile, total: int) -> dict[Calls, dict[str, int]]:
    """Return the additions to a winner's total by ledger label, after each possible calls.

    There is a call with each hand card at the most. The opponent's are left out where they add
    nothing (K15, K17).
    """
    limit = HAND - (not house.last_card_koikoi)
    limit = limit if house.most_calls is None else min(limit, house.most_calls)
    opponent_limit = limit if house.calls_multiply else min(limit, house.double_called)
    return {
        (own, opponent): dict(house.added(total, own_calls=own, opponent_calls=opponent))
        for own, opponent in product(range(limit + 1), range(opponent_limit + 1))
    }


def explain_mixed(line: PaymentLine, other: str) -> Illegal:
    """Return the fault of a line that cannot be in one month with another."""
    code = codes.SHEET_MIXED
    return Illegal(code, where=line.where, label=line.label, other=other)


def _gain(line: PaymentLine) -> int:
    return line.amounts[line.seat - 1]


# Lines --------------------------------------------------------------------------------------------


def check_captured(lines: Sequence[PaymentLine], month: MonthSituation) -> None:
    """Check the captured yaku of a month's winner, and what the house adds to them.

    ``lines`` are the winner's payments. Raise Illegal if the additions do not follow from the sum
    of the yaku, or if no turns and calls of the winner make just these payments.
    """
    yaku = [line for line in lines if line.kind is PaymentKind.CAPTURED]
    added = {line.label: line for line in lines if line.kind is PaymentKind.OTHER}
    if not yaku:
        raise explain_mixed(next(iter(added.values())), MONTH)
    ids: set[str] = set()
    for line in yaku:
        if ids & set(line.yaku):
            raise Illegal(codes.SHEET_TWICE, where=line.where, label=line.label)
        ids |= set(line.yaku)
        check_value(line, sums([month.table.find(id).values for id in line.yaku]))
    if not _can_win(yaku, _ANYHOW, month._replace(is_replayed=False)):
        where, seat, labels = yaku[0].where, yaku[0].seat, "+".join(line.label for line in yaku)
        raise Illegal(codes.SHEET_TOGETHER, where=where, seat=seat, yaku=labels)
    total = sum(map(_gain, yaku))
    if total < month.least:
        raise Illegal(codes.SHEET_FLOOR, where=yaku[0].where, found=total, due=month.floor)
    calls = _find_calls(added, month.house, total, yaku[-1].where)
    if not _can_win(yaku, calls, month):
        raise _explain_calls(lines, calls, month)


def _list_hands(yaku: Sequence[PaymentLine], month: MonthSituation) -> Iterator[Yaku]:
    """Yield the possible values of all yaku in the lines, before a call of the winner or after."""
    rows = [month.table.find(id) for line in yaku for id in line.yaku]
    are_revalued = any(row.called_value is not None for row in rows)
    for is_called in (False, True) if are_revalued else (False,):
        choices = []
        for line in yaku:
            valued = [value_row(month.table.find(id), is_called=is_called) for id in line.yaku]
            values = ways([row.values for row in valued], _gain(line))
            choices.append([tuple(zip(valued, way, strict=True)) for way in values])
        for chosen in product(*choices):
            yield frozenset((row.id, value) for line in chosen for row, value in line)


def value_row(row: CapturedYaku, *, is_called: bool) -> CapturedYaku:
    """Return a yaku with the only values before a call, or after."""
    value = row.called_value if is_called and row.called_value is not None else row.value
    return row._replace(value=value, called_value=None)


def _find_calls(
    added: Mapping[str, PaymentLine], house: Profile, total: int, where: str
) -> list[Calls]:
    """Return the possible calls for the additions of the house as written (K15, K17).

    Raise Illegal unless they fit a possible addition.
    """
    additions, bonus = list_additions(house, total), 0
    if line := added.get("koikoi"):
        check_value(line, {sums_.get("koikoi", 0) for sums_ in additions.values()} - {0})
        bonus = _gain(line)
    doubled = [label for label in DOUBLED if label in added]
    fitting = {
        calls: sums_
        for calls, sums_ in additions.items()
        if sums_.get("koikoi", 0) == bonus
        and [label for label in DOUBLED if label in sums_] == doubled
    }
    if not fitting:
        wrong = added[doubled[0]].where if doubled else where
        raise Illegal(codes.SHEET_DOUBLED, where=wrong, found=total + bonus)
    for label in doubled:
        gain = _gain(added[label])
        check_value(added[label], {sums_[label] for sums_ in fitting.values()})
        fitting = {calls: sums_ for calls, sums_ in fitting.items() if sums_[label] == gain}
    return list(fitting)


# The winner's turns -------------------------------------------------------------------------------


def _can_win(yaku: Sequence[PaymentLine], calls: Sequence[Calls], month: MonthSituation) -> bool:
    """Return whether a winner can have the yaku of the lines with some of the calls."""
    hands = _list_hands(yaku, month)
    return can_meet(demand for hand in hands for demand in list_demands(hand, calls, month))


def can_meet(demands: Iterable[Demand]) -> bool:
    """Return whether a winner can meet one of the demands.

    A few demands at a time are searched briefly, and those of them that stay open are searched
    again. Raise `Undecided` if that is not decided, at the latest after `_MOST_UNDECIDED` demands.
    """
    undecided: list[Undecided] = []
    listed = iter(demands)
    while group := list(islice(listed, _MOST_UNDECIDED)):
        for is_brief in (True, False):
            failures: dict[Demand, Undecided] = {}
            for demand in group:
                try:
                    if find_cards(demand, is_brief=is_brief) is not None:
                        return True
                except Undecided as failure:
                    failures[demand] = failure
            group = list(failures)
        undecided += failures.values()
        if len(undecided) >= _MOST_UNDECIDED:
            break
    if undecided:
        raise undecided[0]
    return False


def list_demands(yaku: Yaku, calls: Sequence[Calls], month: MonthSituation) -> Iterator[Demand]:
    """Yield the demands on a winner with these yaku and some of the calls.

    The opponent of a dealer who stops has had a turn less.
    """
    for opponent, own in _group_calls(calls, month.table):
        for is_stopped in (False, True) if month.house.exhausted_higher else (True,):
            own_calls = own - {HAND} if is_stopped else own
            demand = (month.house, month.table, yaku, own_calls, opponent, month.floor)
            opponent_turns = HAND - (opponent > 0 and is_stopped and month.is_dealer)
            if own_calls:
                yield Demand(*demand, is_stopped, month.is_whole, opponent_turns=opponent_turns)


def _group_calls(calls: Iterable[Calls], table: YakuTable) -> list[tuple[int, frozenset[int]]]:
    """Return the opponent's number of calls, and those of the winner with the same values.

    The opponent's come in ascending order, as few calls are decided soon.
    """
    is_revalued = any(row.called_value is not None for row in table)
    groups: dict[tuple[int, bool], set[int]] = {}
    for own, opponent in calls:
        groups.setdefault((opponent, is_revalued and own > 0), set()).add(own)
    return [(opponent, frozenset(own)) for (opponent, _), own in sorted(groups.items())]


def _explain_calls(
    lines: Sequence[PaymentLine], calls: Sequence[Calls], month: MonthSituation
) -> Illegal:
    """Return the fault for yaku that are not captured with the numbers of calls (K10)."""
    labels = {line.label for line in lines if line.kind is PaymentKind.OTHER}
    smallest = find_smallest(
        lines, partial(_can_stand, labels=labels, calls=calls, month=month._replace(is_whole=False))
    )
    last = (smallest or lines)[-1]
    is_paid = month.house.call_bonus or month.house.calls_multiply
    if not smallest and is_paid and "koikoi" not in labels:
        return Illegal(codes.SHEET_DUE, where=last.where, label="koikoi", seat=last.seat)
    names = ", ".join(line.label for line in smallest or lines)
    return Illegal(codes.SHEET_NO_CARDS, where=last.where, lines=names)


def _can_stand(
    lines: Sequence[PaymentLine],
    labels: set[str],
    calls: Sequence[Calls],
    month: MonthSituation,
) -> bool:
    """Return whether some month has the lines, and perhaps others.

    ``calls`` are the calls by all additions, whose ``labels`` are given.
    """
    yaku = [line for line in lines if line.kind is PaymentKind.CAPTURED]
    if not labels or not labels <= {line.label for line in lines}:
        calls = [(own, 0) for own, _ in list_additions(month.house, 0)]
    try:
        return not yaku or _can_win(yaku, calls, month)
    except Undecided:
        return True
