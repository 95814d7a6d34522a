"""Ways to break a month of hana-awase and of the game of 10, 5 and 1 points."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from breaking.case import Case, Change, Way, anywhere, seat_of, yaku_of
from kafu import cards
from kafu.rules.hanaawase.payments import YAKU

#: Yaku of hana-awase whose cards are all named.
_FIXED: Final = frozenset(row.id for row in YAKU if row.need == row.cards.bit_count())
_VALUES: Final = {row.id: row.value for row in YAKU}
_POINTS: Final = {row.id: cards.points(row.cards) for row in YAKU if row.id in _FIXED}
_CHAFF, _LEAST_CHAFF, _MOST_KASU = 24, 12, 130
_EVEN: Final = 88


def _makers(case: Case, *yaku: str) -> set[int]:
    return {seat_of(line) for line in case.payments if set(yaku) & yaku_of(line)}


def write_a_card_twice(case: Case) -> Change | None:
    """S4: no card is in two players' yaku."""
    positions = [
        number
        for number in case.find("captured")
        if case.payments[number].label in (*_FIXED, "bozuzoro", "bozukaburi")
    ]
    if not positions or not case.order:
        return None
    line = case.payments[case.random.choice(positions)]
    return case.add(case.line(line.label, case.other(seat_of(line)), max(line.amounts) // 2))


def write_more_chaff_than_there_are(case: Case) -> Change | None:
    """S4: the pack has 24 dregs."""
    makers = _makers(case, "kasu")
    if case.rules != "hanaawase" or case.is_struck_out:
        return None
    if not makers:
        return case.add(case.line("kasu", case.other(), _MOST_KASU + 10))
    count = sum(
        _LEAST_CHAFF - 1 + max(line.amounts) // 20 for line in case.payments if line.label == "kasu"
    )
    fewest = max(_LEAST_CHAFF, _CHAFF + 1 - count)
    if len(makers) == len(case.order):
        return None
    value = 10 * (fewest - _LEAST_CHAFF + 1)
    return case.add(case.line("kasu", case.other(*makers), value))


def write_more_ribbons_than_there_are(case: Case) -> Change | None:
    """S4: the pack has ten ribbons."""
    makers = _makers(case, "nanatan", "rokutan")
    if case.rules != "hanaawase" or case.is_struck_out or not makers:
        return None
    label = case.random.choice(("nanatan", "rokutan"))
    return case.add(case.line(label, case.other(*makers), _VALUES[label]))


def write_yaku_of_all_ribbons_apart(case: Case) -> Change | None:
    """S4: beside another's akatan seven ribbons are aotan and kusa too."""
    if case.rules != "hanaawase" or case.is_struck_out or not case.order:
        return None
    if {"nanatan", "rokutan", "akatan", "aotan", "kusa"} & case.yaku:
        return None
    position = len(case.payments)
    seat = case.other()
    second_seat = case.other(seat)
    lines = [case.line("akatan", second_seat, 40), case.line("nanatan", seat, 40)]
    payments = [*case.payments, *lines]
    refused = (f"pay.{position + 1}",)
    return anywhere(Change(replace(case.month, payments=payments), refused))


def write_fewer_points_than_cards(case: Case) -> Change | None:
    """S4: card points are no fewer than the cards of the yaku count."""
    position = case.choose("points")
    lines = [line for line in case.payments if _POINTS.get(line.label, 0) > 40]
    if case.rules != "hanaawase" or position is None or not lines:
        return None
    line = max(lines, key=lambda line: _POINTS[line.label])
    seat = seat_of(line)
    deviation = _POINTS[line.label] - 1 - _EVEN
    shares = [-deviation // 2, -deviation - -deviation // 2]
    amounts = [deviation if player == seat else shares.pop() for player in case.seats]
    return anywhere(case.put(position, replace(case.payments[position], amounts=tuple(amounts))))


def write_more_points_than_without_yaku(case: Case) -> Change | None:
    """S4: a player with 202 captured points has some yaku."""
    position = case.choose("points")
    if case.rules != "hanaawase" or position is None or case.is_struck_out:
        return None
    idle = [
        seat
        for seat in case.seats
        if seat not in {seat_of(case.payments[number]) for number in case.find("captured")}
    ]
    if not idle:
        return None
    seat = case.random.choice(idle)
    amounts = tuple(114 if player == seat else -57 for player in case.seats)
    return anywhere(case.put(position, replace(case.payments[position], amounts=amounts)))


def write_points_beyond_the_pack(case: Case) -> Change | None:
    """S1: nobody has captured fewer than no points."""
    position = case.choose("points")
    if position is None or not case.order or case.is_struck_out:
        return None
    amounts = [0] * len(case.seats)
    for seat, amount in zip(case.order, (-121, 61, 60), strict=True):
        amounts[seat - 1] = amount
    return anywhere(case.put(position, replace(case.payments[position], amounts=tuple(amounts))))


def write_a_second_hand(case: Case) -> Change | None:
    """A1, T5: a hand of seven is dealt once."""
    position = case.choose("dealt")
    if position is None or not case.order or case.is_struck_out:
        return None
    line = case.payments[position]
    values = {"rokkasu": 20, "shichikasu": 40}
    if case.rules == "ten-five-one":
        options = case.sheet.options
        values = {"kuttsuki": 20, "futasanbon": 30, "haneken": 35, "ichinishi": 40}
        values = {id: value for id, value in values.items() if options.get(id) == "yes"}
        values["sanbon"] = 10
        if yaku_of(line) == {"nasake"}:
            return None
    other_hands = sorted(values.keys() - yaku_of(line))
    if not other_hands or ("shiso" in case.yaku and case.rules == "ten-five-one"):
        return None
    label = case.random.choice(other_hands)
    return case.add(case.line(label, seat_of(line), values[label]))


def pay_in_a_month_of_fuke(case: Case) -> Change | None:
    """A3: fuke strikes out every line."""
    struck = [number for number, line in enumerate(case.payments) if line.void]
    if case.rules != "hanaawase" or not struck:
        return None
    position = case.random.choice(struck)
    return case.put(position, replace(case.payments[position], void=False))


def write_fuke_beside(case: Case) -> Change | None:
    """A3, S6: nothing is paid in a month of fuke."""
    if case.rules != "hanaawase" or not case.find("captured", "points", "dealt"):
        return None
    return anywhere(case.add(case.line("fuke", 1, 0)))


def write_a_yaku_of_another_place(case: Case) -> Change | None:
    """T6: ame-zoro is biki's alone."""
    if case.rules != "ten-five-one" or not case.order or "shiso" in case.yaku:
        return None
    if {"amezoro", "amekaburi"} & case.yaku:
        return None
    return case.add(case.line("amezoro", case.random.choice(case.order[:2]), 20))


def write_nasake_of_another_place(case: Case) -> Change | None:
    """T5: nasake is dōni's in most houses."""
    house = case.sheet.options.get("nasake", "doni")
    if case.rules != "ten-five-one" or not case.order or "shiso" in case.yaku:
        return None
    if house not in ("doni", "chosen-doni"):
        return None
    return case.add(case.line("nasake", case.other(case.order[1]), 10))


def write_lines_beside_shiso(case: Case) -> Change | None:
    """T5: if shisō ends the game, only its points are paid."""
    ends = case.sheet.options.get("shiso") == "ends"
    if case.rules != "ten-five-one" or not ends or not case.order or case.find("dealt"):
        return None
    return anywhere(case.add(case.line("shiso", case.other(), 100)))


def let_a_fourth_pay(case: Case) -> Change | None:
    """S8: only the three players of the month pay."""
    position = case.choose("captured", "points", "dealt")
    if case.rules != "ten-five-one" or len(case.seats) == 3 or position is None or not case.order:
        return None
    line, amounts = case.payments[position], [*case.payments[position].amounts]
    if len(case.payments) == 1:
        return None
    fourth = case.other(*case.order, among=case.seats)
    other_amounts = [payment.amounts for payment in case.payments if payment is not line]
    payers = [
        seat
        for seat in case.order
        if amounts[seat - 1] and any(payment[seat - 1] for payment in other_amounts)
    ]
    if not payers:
        return None
    amounts[fourth - 1], amounts[payers[0] - 1] = amounts[payers[0] - 1], 0
    return anywhere(case.put(position, replace(line, amounts=tuple(amounts))))


WAYS: Final[tuple[Way, ...]] = (
    write_a_card_twice,
    write_more_chaff_than_there_are,
    write_more_ribbons_than_there_are,
    write_yaku_of_all_ribbons_apart,
    write_fewer_points_than_cards,
    write_more_points_than_without_yaku,
    write_points_beyond_the_pack,
    write_a_second_hand,
    pay_in_a_month_of_fuke,
    write_fuke_beside,
    write_a_yaku_of_another_place,
    write_nasake_of_another_place,
    write_lines_beside_shiso,
    let_a_fourth_pay,
)
