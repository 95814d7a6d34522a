"""Payment lines on score sheets of 三人はちはち (H24, S1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.grades import GradeScale
from kafu.rules.hachihachi import hands
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi.state import YAKU
from kafu.rules.hachihachi.year import SPECIALS
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.captured import need_of, values
from kafu.rules.sheets.lines import POINTS, PaymentKind, PaymentLine, check_paid, check_value
from kafu.rules.sheets.offers import Offer

_CAPTURED: Final = {row.id: row for row in YAKU}
PLAIN: Final = {"tobikomi": TOBIKOMI_KAN, "nuke": hands.NUKE_KAN}
_OTHER: Final = frozenset({POINTS, *PLAIN})
#: The limits of 特殊役: 二八 to all 264 points, 素十六 to all 27 chaff cards.
_MOST: Final = {"futahachi": 264, "sujuroku": 27}
#: 特殊役 with all their possible values in kan (H16).
SPECIAL: Final = {
    label: range(
        special.kan,
        special.kan + special.step * (_MOST.get(label, special.least) - special.least) + 1,
        special.step or 1,
    )
    for label, special in SPECIALS.items()
}
#: 複合せず in the table of compounds: pairs that no seven cards make.
NEVER: Final = (
    {"aka", "shiso"},
    {"karasu", "futasanbon"},
    {"pikaichi", "futatatesanbon"},
    {"karasu", "futatatesanbon"},
)
#: Possible card points of a player against 88, from none to the whole pack.
_DEVIATIONS: Final = range(-88, 264 - 88 + 1)
_SEATS: Final = (1, 2, 3)


def kind(
    yaku: tuple[str, ...],
    other_labels: Collection[str] = _OTHER,
    counts: Mapping[str, int] = hands.COUNT,
    captured: Collection[str] = _CAPTURED.keys(),
) -> PaymentKind | None:
    """Return the kind of a label, None if the yaku cannot be one payment.

    ``other_labels`` are labels of payments without a yaku, ``counts`` and ``captured`` the yaku of
    the house.
    """
    if len(yaku) == 1 and yaku[0] in other_labels:
        return PaymentKind.OTHER
    if hands.value(yaku, counts) is not None:
        return None if set(yaku) in NEVER else PaymentKind.DEALT
    if len(set(yaku)) < len(yaku):
        return None
    if all(id in SPECIAL for id in yaku):
        return PaymentKind.SPECIAL
    if all(id in captured for id in yaku) and not {"goko", "shiko"} <= set(yaku):
        return PaymentKind.CAPTURED
    return None


@lru_cache(maxsize=64)  # a form is composed hundreds of times, at the same grades
def offers(scale: GradeScale, dealer: int) -> tuple[Offer, ...]:
    """Return the possible payments of a month at a grade, chaff family first (H2–H18)."""
    return tuple(_iterate_offers(scale, dealer))


def _iterate_offers(scale: GradeScale, dealer: int) -> Iterator[Offer]:
    """Yield the offers: dealt hands, captured yaku, special yaku, then 飛込み and 抜け."""
    for label, kan in (*hands.CHAFF.items(), *hands.COUNT.items()):
        yield Offer(label, PaymentKind.DEALT, (scale.yaku(kan),), struck=True)
    for label, row in _CAPTURED.items():
        each = tuple(map(scale.yaku, values(row)))
        kind = PaymentKind.CAPTURED
        yield Offer(label, kind, each, halves=True, alone=True, cards=need_of(row))
    for label, kan_values in SPECIAL.items():
        seats = (dealer,) if label == "sohachi" else ()
        yield Offer(label, PaymentKind.SPECIAL, tuple(map(scale.yaku, kan_values)), seats=seats)
    for label, kan in PLAIN.items():
        alone = label == "tobikomi"
        yield Offer(label, PaymentKind.OTHER, (scale.plain(kan),), alone=alone, struck=True)


def check(line: PaymentLine, scale: GradeScale, dealer: int) -> None:
    """Raise Illegal unless the amounts of a line fit its yaku at this grade (H24).

    Captured yaku are paid in full or by half and, like 飛込み, possibly by one player (H9, H11,
    H15). All others are paid in full, in equal shares (H5, H16, H17).
    """
    if not line.seat:
        check_factor(line, scale)
        return
    owed = set(_parts(line, scale))
    check_value(line, {2 * sum(parts) for parts in owed}, line.amounts[line.seat - 1], kan=True)
    if "sohachi" in line.yaku and line.seat != dealer:
        raise Illegal(codes.SHEET_SOHACHI, where=line.where, expected=(str(dealer),), due=dealer)
    alone = line.kind is PaymentKind.CAPTURED or line.label == "tobikomi"
    check_paid(line, owed, _SEATS, alone=alone)


def _parts(line: PaymentLine, scale: GradeScale) -> Iterator[tuple[int, ...]]:
    """Yield the possible payments of each other player for a line, yaku by yaku."""
    match line.kind:
        case PaymentKind.DEALT:
            kan = hands.value(line.yaku) or 0
            yield (scale.yaku_sum(kan, len(line.yaku)),)
        case PaymentKind.CAPTURED:
            for kan_values in product(*(values(_CAPTURED[yaku]) for yaku in line.yaku)):
                full = tuple(map(scale.yaku, kan_values))
                yield full
                yield tuple(each // 2 for each in full)
        case PaymentKind.SPECIAL:
            for kan_values in product(*(SPECIAL[id] for id in line.yaku)):
                yield tuple(map(scale.yaku, kan_values))
        case _:
            yield from plain_parts(line, scale)


def plain_parts(line: PaymentLine, scale: GradeScale) -> Iterator[tuple[int, ...]]:
    """Yield the possible payments of each other player for a line of 抜け or 飛込み.

    A line may have two 飛込み of one player (S1).
    """
    each = scale.plain(PLAIN[line.label])
    yield (each,)
    if line.label == "tobikomi":
        yield (each, each)


def check_factor(line: PaymentLine, scale: GradeScale) -> None:
    """Raise Illegal unless card points or a month's sum have the grade's factor (H17, H18)."""
    for amount in line.amounts:
        deviation, remainder = divmod(amount * 2, scale.halves)
        if remainder or (line.label == POINTS and deviation not in _DEVIATIONS):
            text = amounts.text(amount, kan=True)
            points = line.label == POINTS
            code = codes.SHEET_POINTS if points else codes.SHEET_MONTH_SUM
            raise Illegal(code, where=line.where, found=text)


def list_deviations(amounts: Sequence[int], scale: GradeScale) -> list[tuple[int, ...]]:
    """Return the possible differences from 88 points, by seat, for the ``amounts`` paid.

    There are several only if odd differences are rounded (H18).
    """
    nearest = tuple(2 * amount // scale.halves for amount in amounts)
    if scale.halves % 2 == 0:
        return [nearest]
    around = range(-2, 3)
    triples = (
        (nearest[0] + first, nearest[1] + second, nearest[2] - first - second)
        for first, second in product(around, repeat=2)
    )
    return [
        triple
        for triple in triples
        if min(triple) >= _DEVIATIONS[0] and scale.card_points(triple) == tuple(amounts)
    ]
