"""Score sheets with one fault each, or a remark (H24), named by its code (docs/verdict.md)."""

from __future__ import annotations

from typing import Final

from conformance.editing import Edited

_YEAR: Final = "hachihachi/sheet-year"

CASES: Final[tuple[Edited, ...]] = (
    Edited(
        "hachihachi/sheet-label-unknown",
        _YEAR,
        (("pay goun", "pay teppo"),),
        "H24: teppō is no yaku of hachihachi.",
    ),
    Edited(
        "hachihachi/sheet-line-not-zero",
        _YEAR,
        (("pay aka 1 -2k", "pay aka 1 -3k"),),
        "C4: the amounts of a line sum to zero.",
    ),
    Edited(
        "hachihachi/sheet-maker-unclear",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k", "pay aka 1 +2k 2 +2k 3 -4k"),),
        "H24: just one player gets a payment.",
    ),
    Edited(
        "hachihachi/sheet-value",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k", "pay aka 1 -3k 2 +6k 3 -3k"),),
        "H24: aka is 2 kan from each in a small field.",
    ),
    Edited(
        "hachihachi/sheet-shares",
        _YEAR,
        (("pay goun 1 -12k 2 +24k 3 -12k", "pay goun 1 -9k 2 +24k 3 -15k"),),
        "H24: a captured yaku, here at half its value, is shared by the others or paid by one.",
    ),
    Edited(
        "hachihachi/sheet-not-shared",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k", "pay aka 1 0 2 +4k 3 -4k"),),
        "H5: each of the others pays the same for a dealt hand.",
    ),
    Edited(
        "hachihachi/sheet-sohachi",
        _YEAR,
        (("pay sohachi 1 -20k 2 -20k 3 +40k", "pay sohachi 1 -20k 2 +40k 3 -20k"),),
        "H16: sōhachi is paid to the dealer, seat 3.",
    ),
    Edited(
        "hachihachi/sheet-points",
        _YEAR,
        (("pay points 1 -1k2 2 -1k4 3 +2k6", "pay points 1 -1k1 2 -1k5 3 +2k6"),),
        "H17: in a large field a deviation from 88 counts twice, and 13 is odd.",
    ),
    Edited(
        "hachihachi/sheet-points-twice",
        _YEAR,
        (
            (
                "pay points 1 -7 2 -7 3 +1k2\n",
                "pay points 1 -7 2 -7 3 +1k2\npay points 1 -7 2 -7 3 +1k2\n",
            ),
        ),
        "H17: card points are paid once a month.",
    ),
    Edited(
        "hachihachi/sheet-ba",
        _YEAR,
        (("ba large2\npay goun", "ba small\npay goun"),),
        "H1: month 3 carries a large bond on, so that month 4 cannot be small.",
    ),
    Edited(
        "hachihachi/sheet-stone-missing",
        _YEAR,
        (("stone 2\n\nmonth 2", "\nmonth 2"),),
        "H19: the next dealer puts a stone in, every month.",
    ),
    Edited(
        "hachihachi/sheet-stone-of-shiso",
        _YEAR,
        (("pay futahachi 1 +26k 2 -13k 3 -13k", "pay shiso 1 +80k 2 -40k 3 -40k"),),
        "H6: no stone is put in for a month that shisō ends.",
    ),
    Edited(
        "hachihachi/sheet-stone-wrong",
        _YEAR,
        (("month 2 dealer 2", "month 2 dealer 3"),),
        "H25: the stone was of seat 2, and seat 3 deals; it is reported at the next month.",
    ),
    Edited(
        "hachihachi/sheet-game-over",
        _YEAR,
        (("etsunen=yes", "etsunen=no"),),
        "H21: without etsunen the year is over after December.",
    ),
    Edited(
        "hachihachi/sheet-stone-doubtful",
        _YEAR,
        (("+1k2\nstone 3\n\nmonth 12 dealer 3", "+1k2\nstone 1\n\nmonth 12 dealer 1"),),
        "H19: seat 3 has most card points, and the stone is of seat 1; a sheet proves nothing.",
    ),
    Edited(
        "hachihachi/sheet-not-struck-out",
        _YEAR,
        (("void tanichi", "pay tanichi"),),
        "H24: a special yaku strikes out what was paid for dealt hands.",
    ),
    Edited(
        "hachihachi/sheet-groundless",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k\n", ""),),
        "H24: nuke belongs to a declared hand by chaff.",
    ),
)
