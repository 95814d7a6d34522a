"""Lines of card points on score sheets of 三人はちはち (H17, H18)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.grades import GradeScale
from kafu.rules.hachihachi.year import EVEN, SPECIALS
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.lines import PaymentLine

#: Possible card points of a player against 88, from none to the whole pack.
_DEVIATIONS: Final = range(-EVEN, 264 - EVEN + 1)
#: The most without a special yaku.
_MOST: Final = SPECIALS["futahachi"].least - 1 - EVEN


def check_factor(line: PaymentLine, scale: GradeScale) -> None:
    """Raise Illegal unless card points have the grade's factor (H17, H18)."""
    for amount in line.amounts:
        deviation, remainder = divmod(amount * 2, scale.halves)
        if remainder or deviation not in _DEVIATIONS:
            found = amounts.text(amount, kan=True)
            raise Illegal(codes.SHEET_POINTS, where=line.where, found=found)


def list_points(scale: GradeScale) -> range:
    """Return the possible amounts of card points in a month without special yaku (H17, H18)."""
    step = scale.halves if scale.halves % 2 else scale.halves // 2
    return range(-EVEN * scale.halves // 2, _MOST * scale.halves // 2 + 1, step)


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
