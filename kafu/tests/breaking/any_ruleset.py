"""Ways to break a month of any ruleset."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from breaking.case import PRIZES, Case, Change, Way, anywhere, seat_of, yaku_of
from kafu.notation.game import Payment
from kafu.rules.koikoi.profiles import find_profile

#: Yaku of koi-koi with several possible values.
_GROWING: Final = frozenset(
    (
        *("tane", "tan", "kasu", "inoshikacho", "akatan", "aotan", "akatan-aotan"),
        *("tsukimi", "hanami", "koikoi"),
    )
)


def copy_a_line(case: Case) -> Change | None:
    """S1: no line stands twice, but tobikomi of a hand with two threes."""
    position = case.choose()
    has_two_threes = any("futa" in id or "-tate" in id for id in case.yaku)
    if position is None or (case.payments[position].label == "tobikomi" and has_two_threes):
        return None
    return case.add(case.payments[position])


def copy_a_part_of_a_line(case: Case) -> Change | None:
    """S1: a yaku joined to another yaku counts for itself too."""
    joined = [number for number in case.find("captured") if "+" in case.payments[number].label]
    if not joined:
        return None
    line = case.payments[case.random.choice(joined)]
    label = case.random.choice(sorted(yaku_of(line)))
    return anywhere(case.add(replace(line, label=label)))


def change_an_amount(case: Case) -> Change | None:
    """C4, S1: amounts sum to zero; in koi-koi a yaku that cannot grow has one value."""
    position = case.choose()
    if position is None:
        return None
    line, amounts = case.payments[position], [*case.payments[position].amounts]
    if case.rules == "koikoi" and _GROWING & yaku_of(line):
        return None
    paying = [seat for seat in case.seats if amounts[seat - 1]]
    seat = seat_of(line) if case.rules == "koikoi" else case.random.choice(paying or [1])
    amounts[seat - 1] += case.random.choice((-1, 1))
    return case.put(position, replace(line, amounts=tuple(amounts)))


def move_a_part_of_a_share(case: Case) -> Change | None:
    """H5, S1: the other players pay alike, or one of them pays all."""
    position = case.choose("dealt", "special", "captured", "tobikomi", "nuke")
    if position is None or case.rules == "koikoi":
        return None
    line = case.payments[position]
    payers = [seat for seat in case.seats if line.amounts[seat - 1] < 0]
    if len(payers) < 2:
        return None
    amounts = [*line.amounts]
    amounts[payers[0] - 1] += 1
    amounts[payers[1] - 1] -= 1
    return case.put(position, replace(line, amounts=tuple(amounts)))


def strike_out_a_line(case: Case) -> Change | None:
    """H16, A3: only a special yaku or fuke strikes anything out."""
    position = case.choose()
    if position is None or case.is_struck_out or case.find("special"):
        return None
    return case.put(position, replace(case.payments[position], void=True))


def write_a_foreign_label(case: Case) -> Change | None:
    """S1: a label belongs to the ruleset."""
    label = {"hachihachi": "teppo", "koikoi": "points"}.get(case.rules, "oyaken")
    position = case.choose()
    if position is None:
        return None
    return case.put(position, replace(case.payments[position], label=label))


def write_a_sum_beside(case: Case) -> Change | None:
    """S2: a month's sum stands alone."""
    lines = [line for line in case.payments if line.label not in PRIZES]
    if not lines:
        return None
    return anywhere(case.add(replace(lines[0], label="month", void=False)))


def write_a_sum_that_is_too_large(case: Case) -> Change | None:
    """S2: a month's sum is possible for some month of the house."""
    amounts = [10_000_000, -10_000_000, *[0] * (len(case.seats) - 2)]
    house = find_profile(case.sheet.options) if case.rules == "koikoi" else None
    if house and not house.zero_sum:
        amounts[1] = 0
    prizes = [line for line in case.payments if line.label in PRIZES]
    month = replace(case.month, payments=[Payment("month", tuple(amounts)), *prizes])
    return Change(month, ("pay.0",))


def write_another_stone(case: Case) -> Change | None:
    """S3: the next dealer follows from the month, except in hachihachi."""
    if case.following is None or case.rules == "hachihachi" or not case.payments:
        return None
    if any(line.label == "fuke" for line in case.payments):
        return None
    seat = case.other(case.following.dealer, among=case.seats)
    return Change(replace(case.month, stone=seat), ("stone",))


def let_another_deal_next(case: Case) -> Change | None:
    """S3: the next dealer deals every month, unless months of koi-koi are not written."""
    if case.following is None or not case.payments or "month" in case.yaku:
        return None
    if any(line.label == "fuke" for line in case.payments):
        return None
    seat = case.other(case.following.dealer, among=case.seats)
    return Change(case.month, (), next_dealer=seat, in_next=True, warning=_warning_of_dealer(case))


def _warning_of_dealer(case: Case) -> str:
    house = find_profile(case.sheet.options) if case.rules == "koikoi" else None
    may_be_unwritten = house and house.replay and house.exhausted_change
    return "sheet-dealer-doubtful" if may_be_unwritten else ""


def swap_the_winner(case: Case) -> Change | None:
    """S3: the month of another winner has another next dealer."""
    if case.following is None or case.is_struck_out or (not case.order and case.rules != "koikoi"):
        return None
    house = find_profile(case.sheet.options) if case.rules == "koikoi" else None
    if house and house.succession == "turns":
        return None
    winner = case.following.dealer
    loser = case.other(winner, among=case.order or case.seats)
    columns = [tuple(line.amounts[seat - 1] for line in case.payments) for seat in case.seats]
    pairs = zip(columns[winner - 1], columns[loser - 1], strict=True)
    if sum(columns[winner - 1]) == sum(columns[loser - 1]) or all(
        won == lost for won, lost in pairs
    ):
        return None
    points = next((line for line in case.payments if line.label == "points"), None)
    if points and points.amounts[winner - 1] == points.amounts[loser - 1]:
        return None
    payments = []
    for line in case.payments:
        amounts = [*line.amounts]
        amounts[winner - 1], amounts[loser - 1] = amounts[loser - 1], amounts[winner - 1]
        payments.append(replace(line, amounts=tuple(amounts)))
    change = anywhere(Change(replace(case.month, payments=payments), ()))
    warning = "sheet-stone-doubtful" if case.rules == "hachihachi" else _warning_of_dealer(case)
    return change._replace(in_next=True, warning=warning)


WAYS: Final[tuple[Way, ...]] = (
    copy_a_line,
    copy_a_part_of_a_line,
    change_an_amount,
    move_a_part_of_a_share,
    strike_out_a_line,
    write_a_foreign_label,
    write_a_sum_beside,
    write_a_sum_that_is_too_large,
    write_another_stone,
    let_another_deal_next,
    swap_the_winner,
)
