"""Ways to break a month of the two hachi-hachi games."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from breaking.case import SPECIAL, Case, Change, Way, anywhere, seat_of, yaku_of
from kafu.notation.game import Payment

_BY_COUNT: Final = ("sanbon", "tatesanbon", "kuttsuki", "teshi", "haneken")
_BY_CHAFF: Final = ("aka", "tanichi", "toichi", "pikaichi", "karasu")
_GIVES_NUKE: Final = frozenset(_BY_CHAFF) - {"pikaichi"}
_HANDS: Final = {
    **{"sanbon": 2, "tatesanbon": 3, "kuttsuki": 4, "teshi": 6, "haneken": 7},
    **{"aka": 2, "tanichi": 3, "toichi": 3, "pikaichi": 4, "karasu": 4},
}
#: Captured yaku in kan that share no card, by ruleset.
_APART: Final = {
    "hachihachi": {"akatan": 7, "aotan": 7, "shiko": 12, "goun": 12, "inoshikacho": 6},
    "hachihachi-bga": {"akatan": 7, "aotan": 7, "shiko": 10},
}
_GOKO: Final = {"hachihachi": 20, "hachihachi-bga": 12}
_SPECIAL_KAN: Final = {"sohachi": 10, "futahachi": 10, "sujuroku": 12}


# Contents of a month ----------------------------------------------------------------------------


def _captured(case: Case, yaku: str, seat: int, *, half: bool = False) -> Payment:
    """Return a line of a captured yaku, paid by both others."""
    kan = {**_APART[case.rules], "goko": _GOKO[case.rules]}[yaku]
    return case.line(yaku, seat, case.scale.yaku(kan) // (2 if half else 1))


def _free(case: Case) -> list[str]:
    """Return captured yaku whose cards the month's other yaku do not need."""
    used = case.yaku | ({"shiko"} if "goko" in case.yaku else set())
    # Seven ribbons are likely to include these yaku.
    used |= {"akatan", "aotan"} if "nanatan" in case.yaku else set()
    return [yaku for yaku in _APART[case.rules] if yaku not in used]


def _end(case: Case) -> tuple[int, int, bool] | None:
    """Return position, winner and half payment of the only captured line.

    Return None for a month without a single captured line, and for an ambiguous value.
    """
    positions = case.find("captured")
    if len(positions) != 1 or not case.order:
        return None
    line = case.payments[positions[0]]
    values = {**_APART[case.rules], "goko": _GOKO[case.rules]}
    if not yaku_of(line) <= values.keys():
        return None
    full = sum(case.scale.yaku(values[id]) for id in yaku_of(line))
    return positions[0], seat_of(line), max(line.amounts) == full


def _is_shared(line: Payment) -> bool:
    return 2 * min(line.amounts) == -max(line.amounts)


def _hand(case: Case, yaku: str, seat: int) -> Payment:
    return case.line(yaku, seat, case.scale.yaku(_HANDS[yaku]))


def _without(case: Case, *, yaku: frozenset[str] = frozenset(), part: str = "") -> list[int]:
    """Return the players without a hand from ``yaku`` or with ``part`` in its name."""
    makers = {
        seat_of(line)
        for line in case.payments
        if case.kind(line) == "dealt"
        and any(id in yaku or (part and part in id) for id in yaku_of(line))
    }
    return [seat for seat in case.order if seat not in makers]


# Grades -----------------------------------------------------------------------------------------


def move_a_factor(case: Case) -> Change | None:
    """H18, S7: a line has the factor of the grade."""
    position = case.choose("dealt", "tobikomi", "nuke", "mizuten")
    if position is None or case.month.ba is None:
        return None
    line = case.payments[position]
    factor = case.random.choice((2, 4))
    return case.put(
        position, replace(line, amounts=tuple(factor * amount for amount in line.amounts))
    )


def write_another_grade(case: Case) -> Change | None:
    """H1, H18, B2: the grade is a possible next grade, and its factor applies to all lines."""
    house = case.sheet.options.get("ba", "A")
    if case.month.ba is None or not case.find("dealt") or house in ("D", "E"):
        return None
    grades = [
        grade for grade in ("small", "large", "absolute") if not case.month.ba.startswith(grade)
    ]
    change = anywhere(Change(replace(case.month, ba=case.random.choice(grades)), ()))
    return change._replace(refused=("ba", *change.refused))


# How a month ends -------------------------------------------------------------------------------


def write_points_beside_a_yaku(case: Case) -> Change | None:
    """H24 1, S7: a captured yaku ends the month without card points."""
    if not case.find("captured") or not case.order:
        return None
    return case.add(case.points(2, -4, 2))


def write_nuke_beside_a_yaku(case: Case) -> Change | None:
    """H24 1, S7: a month with a captured yaku at its end has no nuke."""
    end = _end(case)
    if end is None or (end[2] and case.rules == "hachihachi-bga"):
        return None
    return case.add(case.line("nuke", case.other(), case.scale.plain(1)))


def write_a_special_yaku_beside(case: Case) -> Change | None:
    """H24 2 and 3, S7: a special yaku excludes all other payments."""
    if not case.find("captured", "points", "nuke", "dealt", "tobikomi") or not case.order:
        return None
    label = case.random.choice(SPECIAL)
    seat = case.order[0] if label == "sohachi" else case.other()
    return case.add(case.line(label, seat, case.scale.yaku(_SPECIAL_KAN[label])))


def write_a_second_special_yaku(case: Case) -> Change | None:
    """H24 11: no special yaku is of two, and 168 points are not beside 88 each."""
    position = case.choose("special")
    if position is None or not case.order or "+" in case.payments[position].label:
        return None
    line = case.payments[position]
    if line.label == "futahachi" and case.random.random() < 0.5:
        return case.add(case.line("sohachi", case.order[0], case.scale.yaku(10)))
    label = "futahachi" if line.label == "sohachi" else line.label
    return case.add(
        case.line(label, case.other(seat_of(line)), case.scale.yaku(_SPECIAL_KAN[label]))
    )


def write_points_of_a_special_yaku(case: Case) -> Change | None:
    """H24 12: 168 points are futahachi, and 88 each sōhachi."""
    position = case.choose("points")
    if position is None or not case.order:
        return None
    if case.scale.halves == 3:  # 89 points are paid as 88
        return case.put(position, case.points(82, -50, -32))
    return case.put(position, case.random.choice((case.points(0, 0, 0), case.points(80, -50, -30))))


def write_points_beyond_the_pack(case: Case) -> Change | None:
    """S1: nobody has fewer than no cards."""
    position = case.choose("points")
    if position is None or not case.order:
        return None
    return case.put(position, case.points(-92, 50, 42))


def leave_out_the_end(case: Case) -> Change | None:
    """H24 14, S7: every month pays something at its end."""
    beside = ("dealt", "tobikomi", "ori", "oikomi", "mizuten")
    lines = [line for line in case.payments if case.kind(line) in beside and not line.void]
    if "shiso" in case.yaku or len(lines) == len(case.payments) or case.scale.halves == 3:
        return None
    return anywhere(Change(replace(case.month, payments=lines), ()))


def write_shiso_beside(case: Case) -> Change | None:
    """H24 4: shisō ends the year before the first card, so nothing strikes it out."""
    if case.rules != "hachihachi" or "shiso" in case.yaku or case.find("dealt"):
        return None
    line = case.line("shiso", case.other(), case.scale.yaku(40))
    return case.add(replace(line, void=bool(case.find("special"))))


# Captured yaku ----------------------------------------------------------------------------------


def write_a_second_winner(case: Case) -> Change | None:
    """H24 8, S7: one player is paid in full."""
    end = _end(case)
    if end is None or end[2] or not _free(case):
        return None
    return case.add(_captured(case, case.random.choice(_free(case)), case.other(end[1])))


def write_two_by_half(case: Case) -> Change | None:
    """H24 8, S7: one player at the most is in sage."""
    end = _end(case)
    if end is None or not end[2] or not _free(case):
        return None
    yaku = case.random.choice(_free(case))
    return case.add(_captured(case, yaku, case.other(end[1]), half=True))


def write_a_yaku_by_another_share(case: Case) -> Change | None:
    """H24 8, S7: the yaku of a player are all paid in full or all by half."""
    end = _end(case)
    if end is None or not _free(case):
        return None
    return case.add(_captured(case, case.random.choice(_free(case)), end[1], half=not end[2]))


def write_sage_without_its_liability(case: Case) -> Change | None:
    """H24 8, H11: a player in sage pays both shares of the other player's yaku."""
    end = _end(case)
    if end is None or end[2] or not _free(case) or not _is_shared(case.payments[end[0]]):
        return None
    yaku = case.random.choice(_free(case))
    return anywhere(case.add(_captured(case, yaku, case.other(end[1]), half=True)))


def write_a_card_twice(case: Case) -> Change | None:
    """H24 10: no card is in two players' yaku."""
    end = _end(case)
    if end is None or end[2] or case.rules != "hachihachi":
        return None
    position, seat, _ = end
    line = case.payments[position]
    second_seat = case.other(seat)
    if "+" in line.label:
        return None
    paid = case.line(line.label, seat, max(line.amounts), (second_seat,))
    half = case.line(line.label, second_seat, max(line.amounts) // 4)
    return case.put(position, paid, half)


def write_goko_and_shiko(case: Case) -> Change | None:
    """H8: gokō replaces shikō."""
    end = _end(case)
    if end is None:
        return None
    position, seat, half = end
    lines = [_captured(case, yaku, seat, half=half) for yaku in ("goko", "shiko")]
    case.random.shuffle(lines)
    return case.put(position, *lines)


def write_all_ribbons_alone(case: Case) -> Change | None:
    """H24 10: ten ribbons are akatan and aotan too."""
    end = _end(case)
    if end is None or case.rules != "hachihachi":
        return None
    return case.put(end[0], case.line("nanatan", end[1], case.scale.yaku(13)))


def write_nanatan_of_two(case: Case) -> Change | None:
    """H24 10: there are ten ribbons, not fourteen."""
    end = _end(case)
    if end is None or case.rules != "hachihachi":
        return None
    position, seat, _ = end
    second_seat = case.other(seat)
    full = case.line("nanatan", seat, 2 * case.scale.yaku(10), (second_seat,))
    half = case.line("nanatan", second_seat, case.scale.yaku(10) // 2)
    return case.put(position, full, half)


def let_one_pay_without_hatto(case: Case) -> Change | None:
    """H24 9: of goun and nanatan there is no hatto."""
    end = _end(case)
    if end is None or case.rules != "hachihachi":
        return None
    position, seat, _ = end
    label, kan = case.random.choice((("goun", 12), ("nanatan", 10)))
    payer = case.other(seat)
    return case.put(position, case.line(label, seat, 2 * case.scale.yaku(kan), (payer,)))


# Dealt hands and related payments -----------------------------------------------------------------


def write_a_second_hand(case: Case) -> Change | None:
    """H24 6, S7: a hand is one yaku by count and one by dregs."""
    position = case.choose("dealt")
    if position is None or not case.order or case.find("special"):
        return None
    seat, yaku = seat_of(case.payments[position]), yaku_of(case.payments[position])
    family = _BY_CHAFF if yaku & set(_BY_CHAFF) else _BY_COUNT
    other_hands = [id for id in family if id not in case.yaku]
    if seat not in case.order or not other_hands:
        return None
    change = case.add(_hand(case, case.random.choice(other_hands), seat))
    # A hand of chaff with 89 points should have brought nuke.
    points = (f"pay.{number}" for number in case.find("points"))
    return change._replace(refused=(*change.refused, *points))


def write_nuke_without_its_hand(case: Case) -> Change | None:
    """H24 7, S7: nuke needs aka, tan'ichi, tōichi or karasu."""
    seats = _without(case, yaku=_GIVES_NUKE)
    if not seats or not case.find("points"):
        return None
    return case.add(case.line("nuke", case.random.choice(seats), case.scale.plain(1)))


def write_nuke_without_points(case: Case) -> Change | None:
    """H24 13, S7: nuke needs 89 points."""
    position = case.choose("points")
    seats = _without(case, yaku=frozenset((*_BY_CHAFF, "shiso")))
    if position is None or not case.order or case.scale.halves == 3:
        return None
    amounts = case.payments[position].amounts
    seats = [seat for seat in seats if amounts[seat - 1] <= 0]
    if not seats:
        return None
    seat = case.random.choice(seats)
    change = case.add(_hand(case, "aka", seat))
    nuke = case.line("nuke", seat, case.scale.plain(1))
    payments = [*change.month.payments, nuke]
    return Change(replace(case.month, payments=payments), (f"pay.{len(payments) - 1}",))


def leave_out_nuke(case: Case) -> Change | None:
    """H24 13, S7: nuke requires its hand and 89 points."""
    position = case.choose("nuke")
    if position is None or not case.find("points") or case.following is None:
        return None
    return case.leave_out(position)


def write_tobikomi_without_a_three(case: Case) -> Change | None:
    """H24 7, S7: each tobikomi belongs to a three of a hand."""
    seats = [seat for seat in _without(case, part="san") if seat in _without(case, part="haneken")]
    if not seats or case.find("special"):
        return None
    return case.add(case.line("tobikomi", case.random.choice(seats), case.scale.plain(1)))


def write_tobikomi_of_haneken(case: Case) -> Change | None:
    """B11: the three of haneken brings none in hachihachi-bga."""
    seats = [
        seat
        for seat in case.order
        if not any(case.kind(line) == "dealt" and seat_of(line) == seat for line in case.payments)
    ]
    if not seats or case.rules != "hachihachi-bga" or case.find("special"):
        return None
    seat = case.random.choice(seats)
    hand = _hand(case, "haneken", seat)
    payments = [*case.payments, hand, case.line("tobikomi", seat, case.scale.plain(1))]
    return Change(replace(case.month, payments=payments), (f"pay.{len(payments) - 1}",))


# Stones -----------------------------------------------------------------------------------------


def write_a_stone_of_another(case: Case) -> Change | None:
    """H19: the stone of a player who should not deal next is doubtful, ties included."""
    if case.rules != "hachihachi" or case.month.stone is None:
        return None
    month, position = case.month, case.choose("points")
    stone = case.other(case.month.stone)
    gives_nuke = any(_GIVES_NUKE & yaku_of(line) for line in case.payments)
    if position is not None and not gives_nuke and case.scale.halves != 3:
        first, second = sorted(case.random.sample(range(3), 2))
        deviations = [10 if place in (first, second) else -20 for place in range(3)]
        lines = [*case.payments]
        lines[position] = case.points(*deviations)
        month, stone = replace(month, payments=lines), case.order[second]
    return Change(replace(month, stone=stone), (), warning="sheet-stone-doubtful")


# Going out, being shut out, going in blind --------------------------------------------------------


def pay_fees_to_another(case: Case) -> Change | None:
    """B13, S7: the fees of going out are the winner's."""
    position = case.choose("ori")
    if position is None or not case.order:
        return None
    line = case.payments[position]
    seat, amounts = seat_of(line), [*line.amounts]
    receiver = case.other(seat)
    amounts[seat - 1], amounts[receiver - 1] = 0, amounts[seat - 1]
    return anywhere(case.put(position, replace(line, amounts=tuple(amounts))))


def shut_out_who_went_out(case: Case) -> Change | None:
    """S7: nobody is both out and shut out."""
    position = case.choose("ori")
    if position is None or not case.order:
        return None
    amounts = case.payments[position].amounts
    seat = amounts.index(min(amounts)) + 1
    return case.add(case.line("oikomi", seat, 3 * case.scale.halves // 2))


def shut_out_who_plays(case: Case) -> Change | None:
    """S7: a player who is shut out does not play."""
    if case.rules != "hachihachi-bga" or not case.order:
        return None
    seat = case.other()
    payers = [payer for payer in case.seats if payer != seat]
    return case.add(case.line("oikomi", seat, 3 * case.scale.halves // 2, payers[:3]))


def write_mizuten_of_another(case: Case) -> Change | None:
    """S7: only the dealer goes in blind, at a table of more than three."""
    if case.rules != "hachihachi-bga" or not case.order or case.find("mizuten"):
        return None
    seat = case.other(*([case.month.dealer] if len(case.seats) > 3 else []))
    return case.add(case.line("mizuten", seat, case.scale.plain(1), case.seats))


def write_mizuten_without_points(case: Case) -> Change | None:
    """B11, S7: the blind bonus needs 89 points in a month that was played out."""
    if case.rules != "hachihachi-bga" or len(case.seats) == 3 or case.find("mizuten"):
        return None
    dealer, points, end = case.month.dealer, case.choose("points"), _end(case)
    if dealer not in case.order:
        return None
    is_poor = points is not None and case.payments[points].amounts[dealer - 1] <= 0
    if not is_poor and (end is None or end[2]):
        return None
    return case.add(case.line("mizuten", dealer, case.scale.plain(1), case.seats))


def let_a_fourth_pay(case: Case) -> Change | None:
    """S7: only the three players pay for yaku and card points."""
    position = case.choose("points", "captured", "dealt")
    if len(case.seats) == 3 or position is None or not case.order or case.rules == "hachihachi":
        return None
    line = case.payments[position]
    fourth = case.other(*case.order, among=case.seats)
    payers = [seat for seat in case.order if line.amounts[seat - 1] < 0]
    if not payers:
        return None
    amounts = [*line.amounts]
    amounts[fourth - 1], amounts[payers[0] - 1] = amounts[payers[0] - 1], 0
    return anywhere(case.put(position, replace(line, amounts=tuple(amounts))))


WAYS: Final[tuple[Way, ...]] = (
    move_a_factor,
    write_another_grade,
    write_points_beside_a_yaku,
    write_nuke_beside_a_yaku,
    write_a_special_yaku_beside,
    write_a_second_special_yaku,
    write_points_of_a_special_yaku,
    write_points_beyond_the_pack,
    leave_out_the_end,
    write_shiso_beside,
    write_a_second_winner,
    write_two_by_half,
    write_a_yaku_by_another_share,
    write_sage_without_its_liability,
    write_a_card_twice,
    write_goko_and_shiko,
    write_all_ribbons_alone,
    write_nanatan_of_two,
    let_one_pay_without_hatto,
    write_a_second_hand,
    write_nuke_without_its_hand,
    write_nuke_without_points,
    leave_out_nuke,
    write_tobikomi_without_a_three,
    write_tobikomi_of_haneken,
    write_a_stone_of_another,
    pay_fees_to_another,
    shut_out_who_went_out,
    shut_out_who_plays,
    write_mizuten_of_another,
    write_mizuten_without_points,
    let_a_fourth_pay,
)
