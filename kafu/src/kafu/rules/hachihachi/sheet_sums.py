"""Possible sums of a month on score sheets of both hachi-hachi games (S2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from kafu.notation.reading import amounts
from kafu.rules import sheet_codes
from kafu.rules.grades import Scale
from kafu.rules.hachihachi import hands
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi.sheet_lines import SPECIAL
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.captured import values
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.yaku import YakuTable

#: The limits of paid card points, against 88; 168 points make 二八.
_MOST_POINTS: Final = 167 - 88
_LEAST_POINTS: Final = -88
#: Maximum number of 飛込み of a hand.
_JUMPS: Final = 2
#: The sets of special yaku that a player can have.
_SPECIALS: Final = (
    *((), ("sohachi",), ("futahachi",), ("sujuroku",)),
    *(("sohachi", "sujuroku"), ("futahachi", "sujuroku")),
)


def check_sum(
    line: PaymentLine,
    scale: Scale,
    table: YakuTable,
    counts: Mapping[str, int],
    extra: int = 0,
) -> None:
    """Raise Illegal unless a month of this grade can have the sum.

    ``table`` holds the captured yaku, ``counts`` the count yaku in kan, and ``extra`` the most mon
    that a player can gain or lose by going out, being shut out and going in blind.
    """
    if _is_played_out(line.amounts, scale, counts, extra):
        return
    if _is_captured(line.amounts, scale, table, counts, extra):
        return
    if _is_special(line.amounts, scale, extra):
        return
    worst = max(line.amounts, key=abs)
    raise Illegal(
        sheet_codes.SHEET_MONTH_SUM, where=line.where, found=amounts.text(worst, kan=True)
    )


def _most_of_hand(scale: Scale, counts: Mapping[str, int]) -> int:
    """Return the most points paid by each other player for a hand, with 飛込み and 抜け."""
    hand = scale.yaku(max(counts.values())) + scale.yaku(max(hands.DREGS.values()))
    return hand + scale.plain(_JUMPS * TOBIKOMI_KAN + hands.NUKE_KAN)


def _is_played_out(
    sums: Sequence[int], scale: Scale, counts: Mapping[str, int], extra: int
) -> bool:
    """Return whether card points and dealt hands can make the sums."""
    most = 2 * _most_of_hand(scale, counts) + extra
    gain, loss = (points * scale.halves // 2 for points in (_MOST_POINTS, _LEAST_POINTS))
    return loss - most <= min(sums) and max(sums) <= gain + most


def _is_captured(
    sums: Sequence[int],
    scale: Scale,
    table: YakuTable,
    counts: Mapping[str, int],
    extra: int,
) -> bool:
    """Return whether captured yaku, paid in full or by half, and dealt hands can make the sums."""
    replaced = {id for row in table for id in row.over}
    best = [max(values(row)) for row in table if row.id not in replaced]
    most = 2 * (sum(map(scale.yaku, best)) + _most_of_hand(scale, counts)) + extra
    return _are_halves(sums, scale, extra) and max(map(abs, sums)) <= most


def _are_halves(sums: Sequence[int], scale: Scale, extra: int) -> bool:
    """Return whether all sums are multiples of half a kan.

    With players shut out the unit is a quarter of that, their gain for a card (B4).
    """
    step = scale.plain(1) // (4 if extra else 2)
    return not any(sum_ % step for sum_ in sums)


def _is_special(sums: Sequence[int], scale: Scale, extra: int) -> bool:
    """Return whether special yaku can make the sums; all other players pay the same for these."""
    if extra:
        every = sum(scale.yaku(kan[-1]) for kan in SPECIAL.values())
        return _are_halves(sums, scale, extra) and max(map(abs, sums)) <= 2 * every + extra
    shares = [sum_ - min(sums) for sum_ in sums]
    if any(share % 3 for share in shares):
        return False
    makers = [
        [labels for labels in _SPECIALS if share // 3 in _special_values(scale, labels)]
        for share in shares
    ]
    return any(
        len(labels) == len(set(labels)) and not {"sohachi", "futahachi"} <= set(labels)
        for chosen in product(*makers)
        for labels in (sum(chosen, ()),)
    )


@lru_cache(maxsize=64)
def _special_values(scale: Scale, labels: tuple[str, ...]) -> frozenset[int]:
    """Return the possible points paid by each other player for special yaku together."""
    return frozenset(
        sum(map(scale.yaku, kan)) for kan in product(*(SPECIAL[label] for label in labels))
    )
