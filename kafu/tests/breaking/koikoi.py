"""Ways to break a month of koi-koi, in any of its houses."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from breaking.case import PRIZES, Case, Change, Way, anywhere, seat_of
from kafu.notation.game import Payment
from kafu.rules.koikoi.profiles import Profile, find_profile
from kafu.rules.yaku import CapturedYaku


def _house(case: Case) -> Profile:
    house = find_profile(case.sheet.options)
    assert house is not None
    return house


def _rows(house: Profile) -> dict[str, CapturedYaku]:
    """Return the yaku of a house by id."""
    return {row.id: row for row in house.yaku}


def _winner(case: Case) -> int:
    """Return the winner of the month, 0 for nobody."""
    lines = [line for line in case.payments if line.label not in PRIZES]
    return seat_of(lines[0]) if lines else 0


def _pay(case: Case, label: str, seat: int, value: int) -> Payment:
    amounts = [-value if _house(case).zero_sum else 0] * 2
    amounts[seat - 1] = value
    return Payment(label, tuple(amounts))


def _position(case: Case, *labels: str) -> int | None:
    return next((i for i, line in enumerate(case.payments) if line.label in labels), None)


def let_the_loser_win_too(case: Case) -> Change | None:
    """S5: one player wins a month."""
    if not case.find("captured"):
        return None
    rows = [row for row in _house(case).yaku if row.id not in case.yaku and not row.step]
    row = case.random.choice(rows)
    return case.add(_pay(case, row.id, 3 - _winner(case), row.value))


def show_a_hand_beside(case: Case) -> Change | None:
    """S5: a month is won by a shown hand or by captured yaku."""
    rows = _house(case).teyaku
    if not case.find("captured") or not rows:
        return None
    row = case.random.choice(rows)
    return case.add(_pay(case, row.id, _winner(case), row.value))


def write_what_is_replaced(case: Case) -> Change | None:
    """S4, K5: a replaced yaku does not count next to its replacement."""
    house = _house(case)
    rows = _rows(house)
    replaced = [
        id_
        for row in house.yaku
        if row.id in case.yaku
        for id_ in row.over
        if id_ in rows and id_ not in case.yaku
    ]
    if not replaced or case.find("koikoi", "bai", "koikoigaeshi"):
        return None
    label = case.random.choice(replaced)
    return case.add(_pay(case, label, _winner(case), rows[label].value))


def write_parts_of_a_yaku(case: Case) -> Change | None:
    """S4: hanami and tsukimi of one player are teppō."""
    rows, labels = _rows(_house(case)), {"hanami", "tsukimi"}
    position = _position(case, "teppo")
    if position is None or not labels <= rows.keys() & {*rows["teppo"].over}:
        return None
    parts = [_pay(case, label, _winner(case), rows[label].value) for label in sorted(labels)]
    return anywhere(case.put(position, *parts))


def leave_out_what_the_cards_make(case: Case) -> Change | None:
    """S4: goun has five animals, so tane is due too."""
    position = _position(case, "tane", "tan")
    if position is None:
        return None
    label = case.payments[position].label
    sets = {"tane": {"goun"}, "tan": {"akatan", "aotan"}}
    over = {id for row in _house(case).yaku if row.id in case.yaku for id in row.over}
    if label in over or not sets[label] <= case.yaku:
        return None
    return case.leave_out(position)


def write_a_yaku_of_another_value(case: Case) -> Change | None:
    """S4: all ribbons except one make akatan, aotan or kusa."""
    house = _house(case)
    if not case.find("captured") or case.find("koikoi", "bai", "koikoigaeshi"):
        return None
    rows = _rows(house)
    row = rows.get("tan")
    if row is None or any(row.id in yaku.over for yaku in house.yaku):
        return None
    if len(rows.keys() & {"akatan", "aotan", "kusa"}) < 2:  # a yaku that lacks a card may be alone
        return None
    line = _pay(case, "tan", _winner(case), row.value + 4 * row.step)
    payments = [line, *(line for line in case.payments if line.label in PRIZES)]
    return Change(replace(case.month, payments=payments), ("pay.0",)) if row.step else None


def write_a_prize_elsewhere(case: Case) -> Change | None:
    """K12, S5: kobiki is paid only to the winner of a whole season."""
    house = _house(case)
    position = _position(case, *PRIZES)
    if position is not None:
        return case.leave_out(position)
    if not house.season or not _winner(case):
        return None
    return case.add(_pay(case, "kobiki", _winner(case), house.season))


def change_what_doubles(case: Case) -> Change | None:
    """K15: a total is doubled only under the rules of the house."""
    position = _position(case, "bai", "koikoigaeshi")
    if position is None:
        house = _house(case)
        total = sum(max(case.payments[number].amounts) for number in case.find("captured"))
        bonus = sum(max(case.payments[number].amounts) for number in case.find("koikoi"))
        if not total or (house.double_from or 10**9) <= total + bonus:
            return None
        return case.add(_pay(case, "bai", _winner(case), total + bonus))
    line = case.payments[position]
    if line.label == "bai":
        return case.leave_out(position)
    changed = _pay(case, line.label, _winner(case), 1 + max(line.amounts))
    return anywhere(case.put(position, changed))


def give_oyaken_to_the_other(case: Case) -> Change | None:
    """S5: oyaken is the dealer's."""
    position = _position(case, "oyaken")
    if position is None:
        return None
    second_seat = 3 - case.month.dealer
    return case.put(position, _pay(case, "oyaken", second_seat, _house(case).exhausted_gain))


def win_with_less_than_the_floor(case: Case) -> Change | None:
    """K9: a month played again is won with three mon, or with a shown hand."""
    house = _house(case)
    is_again = case.index and case.sheet.months[case.index - 1].month == case.month.month
    row = _rows(house).get("kasu")
    if not is_again or not house.replay or not _winner(case):
        return None
    if row is None or row.value >= house.floor:
        return None
    if house.double_from or house.call_bonus or house.call_times:
        return None
    # With shown hands, the difference of two values can be as small.
    label = "kasu" if house.teyaku else case.random.choice(("kasu", "month"))
    payments = [_pay(case, label, _winner(case), row.value)]
    payments += [line for line in case.payments if line.label in PRIZES]
    return Change(replace(case.month, payments=payments), ("pay.0",))


def write_a_sum_that_doubling_skips(case: Case) -> Change | None:
    """S2: in Nintendo's house 7, 9, 11 and 13 cannot occur."""
    house = _house(case)
    least = house.double_from
    if not least or least % 2 == 0 or house.teyaku or house.call_bonus or not _winner(case):
        return None
    sums = [sum_ for sum_ in range(least, 2 * least) if sum_ % 2]
    seat = 3 - case.month.dealer  # oyaken is of the dealer
    prizes = [line for line in case.payments if line.label in PRIZES]
    month = [_pay(case, "month", seat, case.random.choice(sums)), *prizes]
    return Change(replace(case.month, payments=month), ("pay.0",))


WAYS: Final[tuple[Way, ...]] = (
    let_the_loser_win_too,
    show_a_hand_beside,
    write_what_is_replaced,
    write_parts_of_a_yaku,
    leave_out_what_the_cards_make,
    write_a_yaku_of_another_value,
    write_a_prize_elsewhere,
    change_what_doubles,
    give_oyaken_to_the_other,
    win_with_less_than_the_floor,
    write_a_sum_that_doubling_skips,
)
