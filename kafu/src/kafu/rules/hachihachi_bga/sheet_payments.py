"""The payments of 八八 for the cards of a month, compared with the lines of a score sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kafu import cards
from kafu.rules.hachihachi import year
from kafu.rules.hachihachi.hands import NUKE, threes
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi.sheet_check import JudgedMonth
from kafu.rules.hachihachi_bga import hands
from kafu.rules.hachihachi_bga.pay import EVEN, PAST
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.question import Demand
from kafu.rules.sheets.witness import Witness
from kafu.rules.yaku import made


def are_paid(
    lines: Sequence[PaymentLine], month: JudgedMonth, demand: Demand, witness: Witness
) -> bool:
    """Return whether the rules pay just these lines for the cards of a month that is over.

    Who pays alone is not compared, and of captured yaku only that those paid are made, and no other
    where nobody pays alone.
    """
    factor = month.scale.halves // 2
    written: Counter[tuple[str, int]] = Counter()
    paid_yaku: set[str] = set()
    is_shared = True
    for line in lines:
        place = month.order.index(line.seat) if line.seat in month.order else -1
        if line.kind is PaymentKind.CAPTURED:
            paid_yaku |= set(line.yaku)
            is_shared &= all(line.amounts[seat - 1] for seat in month.order)
        elif line.label == "tobikomi":
            each = 2 * month.scale.plain(TOBIKOMI_KAN)
            written[line.label, place] += line.amounts[line.seat - 1] // each
        elif line.label not in ("ori", "oikomi", "mizuten"):
            written.update((id, place) for id in line.yaku)
    all_made = {
        yaku.id
        for captured in witness.captured
        for yaku in made(demand.table, captured, rained=False, called=False)
    }
    is_out = demand.is_played_out
    specials = list(year.specials(witness.captured, 1)) if is_out and not all_made else []
    special_yaku = Counter((label, place - 1) for label, place, _ in specials)
    due = special_yaku.copy()
    points = [cards.points(captured) for captured in witness.captured]
    for line in lines:
        if line.label == POINTS:
            differences = [line.amounts[seat - 1] // factor for seat in month.order]
            due[POINTS, -1] += differences == [count - EVEN for count in points]
    for place, (hand, captured) in enumerate(zip(witness.hands, witness.captured, strict=True)):
        declaration = hands.declaration(hand)
        yaku = declaration.yaku if declaration else ()
        due.update((id, place) for id in yaku)
        if hands.TOBIKOMI & set(yaku):
            months = (cards.MATCH[three & -three] for three in threes(hand))
            due["tobikomi", place] += sum(not group & ~captured for group in months)
        if NUKE & set(yaku) and points[place] >= PAST and is_out:
            due["nuke", place] += 1
    worth = sorted(hands.shut_out(hand) * factor for hand in witness.idle)
    paid = [line.amounts[line.seat - 1] // 3 for line in lines if line.label == "oikomi"]
    if worth != [0] * (len(worth) - len(paid)) + sorted(paid):
        return False
    if not paid_yaku <= all_made or (is_shared and paid_yaku != all_made):
        return False
    return special_yaku <= written <= due if specials else +written == +due
