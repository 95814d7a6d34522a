"""Score sheets of hachihachi with a single fault or warning (H24), named by the code."""

from __future__ import annotations

from typing import Final

from conformance.edits import EditedRecord

_YEAR: Final = "hachihachi/sheet-year"

CASES: Final[tuple[EditedRecord, ...]] = (
    EditedRecord(
        "hachihachi/sheet-label-unknown",
        _YEAR,
        (("pay goun", "pay teppo"),),
        "H24: teppō is no yaku of hachihachi.",
    ),
    EditedRecord(
        "hachihachi/sheet-line-not-zero",
        _YEAR,
        (("pay aka 1 -2k", "pay aka 1 -3k"),),
        "C4: the amounts of a line sum to zero.",
    ),
    EditedRecord(
        "hachihachi/sheet-maker-unclear",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k", "pay aka 1 +2k 2 +2k 3 -4k"),),
        "H24: only one player receives a payment.",
    ),
    EditedRecord(
        "hachihachi/sheet-value",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k", "pay aka 1 -3k 2 +6k 3 -3k"),),
        "H24: aka is 2 kan from each player in a small field.",
    ),
    EditedRecord(
        "hachihachi/sheet-shares",
        _YEAR,
        (("pay goun 1 -12k 2 +24k 3 -12k", "pay goun 1 -9k 2 +24k 3 -15k"),),
        "H24: a captured yaku, here at half value, is shared by the other players or paid by one.",
    ),
    EditedRecord(
        "hachihachi/sheet-not-shared",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k", "pay aka 1 0 2 +4k 3 -4k"),),
        "H5: all other players pay the same amount for a dealt hand.",
    ),
    EditedRecord(
        "hachihachi/sheet-sohachi",
        _YEAR,
        (("pay sohachi 1 -20k 2 -20k 3 +40k", "pay sohachi 1 -20k 2 +40k 3 -20k"),),
        "H16: sōhachi is paid to the dealer, seat 3.",
    ),
    EditedRecord(
        "hachihachi/sheet-points",
        _YEAR,
        (("pay points 1 -1k2 2 -1k4 3 +2k6", "pay points 1 -1k1 2 -1k5 3 +2k6"),),
        "H17: in a large field a deviation from 88 counts twice, and 13 is odd.",
    ),
    EditedRecord(
        "hachihachi/sheet-points-twice",
        _YEAR,
        (
            (
                "pay points 1 -7 2 -7 3 +1k2\n",
                "pay points 1 -7 2 -7 3 +1k2\npay points 1 -7 2 -7 3 +1k2\n",
            ),
        ),
        "H17: card points are paid once per month.",
    ),
    EditedRecord(
        "hachihachi/sheet-ba",
        _YEAR,
        (("ba large2\npay goun", "ba small\npay goun"),),
        "H1: the 二代しばり of month 3 carries over, so month 4 cannot be small.",
    ),
    EditedRecord(
        "hachihachi/sheet-stone-missing",
        _YEAR,
        (("stone 2\n\nmonth 2", "\nmonth 2"),),
        "H19: the next dealer puts in a stone every month.",
    ),
    EditedRecord(
        "hachihachi/sheet-stone-of-shiso",
        _YEAR,
        (("pay futahachi 1 +26k 2 -13k 3 -13k", "pay shiso 1 +80k 2 -40k 3 -40k"),),
        "H6: a month that ends with shisō has no stone.",
    ),
    EditedRecord(
        "hachihachi/sheet-stone-wrong",
        _YEAR,
        (("month 2 dealer 2", "month 2 dealer 3"),),
        "H25: the stone is of seat 2 but seat 3 deals; the fault is reported at the next month.",
    ),
    EditedRecord(
        "hachihachi/sheet-game-over",
        _YEAR,
        (("etsunen=yes", "etsunen=no"),),
        "H21: without etsunen the year is over after December.",
    ),
    EditedRecord(
        "hachihachi/sheet-stone-doubtful",
        _YEAR,
        (("+1k2\nstone 3\n\nmonth 12 dealer 3", "+1k2\nstone 1\n\nmonth 12 dealer 1"),),
        "H19: seat 3 has the most card points, but the stone is of seat 1; a sheet proves nothing.",
    ),
    EditedRecord(
        "hachihachi/sheet-not-struck-out",
        _YEAR,
        (("void tanichi", "pay tanichi"),),
        "H24: a special yaku strikes out the payments for dealt hands.",
    ),
    EditedRecord(
        "hachihachi/sheet-groundless",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k\n", ""),),
        "H24: nuke requires a declared hand of chaff.",
    ),
)
