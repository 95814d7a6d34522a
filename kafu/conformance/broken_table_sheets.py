"""Score sheets of tables of three to seven players with a single fault or warning (S1–S8)."""

from __future__ import annotations

from typing import Final

from conformance.edits import EditedRecord

_FIVE: Final = "ten-five-one/sheet-of-five"
_SHISO: Final = "ten-five-one/sheet-shiso-ends"
_HALF_YEAR: Final = "hachihachi-bga/sheet-half-year"

CASES: Final[tuple[EditedRecord, ...]] = (
    EditedRecord(
        "ten-five-one/sheet-label-unknown",
        _FIVE,
        (
            (
                "pay kuttsuki 1 +40",
                "pay haneken 1 +40",
            ),
        ),
        "S8: this house does not play haneken.",
    ),
    EditedRecord(
        "ten-five-one/sheet-value",
        _FIVE,
        (
            (
                "pay sanbon 1 0 2 0 3 -10 4 +20 5 -10",
                "pay sanbon 1 0 2 0 3 -15 4 +30 5 -15",
            ),
        ),
        "T5: three cards of a month are 10 points, or 20 if the player captured all four.",
    ),
    EditedRecord(
        "ten-five-one/sheet-place",
        _FIVE,
        (
            (
                "pay amezoro 1 -20 2 0 3 +40 4 0 5 -20",
                "pay amezoro 1 -20 2 0 3 -20 4 0 5 +40",
            ),
        ),
        "T6: only the last player in play order can have ame-zoro, and seat 5 deals.",
    ),
    EditedRecord(
        "ten-five-one/sheet-seats",
        _FIVE,
        (
            (
                "pay points 1 -46 2 0 3 +58 4 -12 5 0",
                "pay points 1 -46 2 0 3 +58 4 -11 5 -1",
            ),
        ),
        "S8: three players play, but four pay or receive.",
    ),
    EditedRecord(
        "ten-five-one/sheet-points",
        _FIVE,
        (
            (
                "pay points 1 -46 2 0 3 +58 4 -12 5 0",
                "pay points 1 -246 2 0 3 +258 4 -12 5 0",
            ),
        ),
        "T7: nobody can have more than 330 points, less 100 to 120.",
    ),
    EditedRecord(
        "ten-five-one/sheet-void",
        _FIVE,
        (
            (
                "pay sanbon 1 +40",
                "void sanbon 1 +40",
            ),
        ),
        "S1: nothing is struck out in this game.",
    ),
    EditedRecord(
        "ten-five-one/sheet-dealer-not-due",
        _FIVE,
        (
            (
                "month 3 dealer 3",
                "month 3 dealer 1",
            ),
        ),
        "T7: the highest score deals next.",
    ),
    EditedRecord(
        "ten-five-one/sheet-sums",
        _FIVE,
        (
            (
                "pay bozukaburi 1 -10 2 0 3 +20 4 -10 5 0\npay points 1 -46 2 0 3 +58 4 -12 5 0",
                "pay month 1 -56 2 0 3 +78 4 -22 5 0",
            ),
        ),
        "S2: one month has only a sum, so the sheet is consistent at best.",
    ),
    EditedRecord(
        "ten-five-one/sheet-not-together",
        _SHISO,
        (
            (
                "pay shiso 1 +200 2 -100 3 -100",
                "pay shiso 1 +200 2 -100 3 -100\npay points 1 +1 2 0 3 -1",
            ),
        ),
        "T5: shisō ends the deal, so no captured yaku is possible.",
    ),
    EditedRecord(
        "ten-five-one/sheet-game-over",
        _SHISO,
        (
            (
                "\nfinal 1 +200 2 -100 3 -100\n",
                "\nmonth 2 dealer 1\n",
            ),
        ),
        "T5: shisō ends the game.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-label-unknown",
        _HALF_YEAR,
        (
            (
                "pay pikaichi+sanbon",
                "pay pikaichi+aka",
            ),
        ),
        "B6: a hand has only one yaku by chaff.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-line-as-on-bga",
        _HALF_YEAR,
        (("pay points 1 0 2 -2k4 3 0 4 -1k2 5 +3k6", "pay points 1 0 2 -3k8 3 0 4 -1k2 5 +3k6"),),
        "B14: the site shows a payment of 28 mon as −3貫8文.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-value",
        _HALF_YEAR,
        (
            (
                "pay akatan 1 0 2 -7k 3 -7k 4 +14k 5 0",
                "pay akatan 1 0 2 -8k 3 -8k 4 +16k 5 0",
            ),
        ),
        "B2: akatan at half value in a large field is 7 kan.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-shares",
        _HALF_YEAR,
        (
            (
                "pay akatan 1 0 2 -7k 3 -7k 4 +14k 5 0",
                "pay akatan 1 0 2 -4k 3 -10k 4 +14k 5 0",
            ),
        ),
        "B10: a captured yaku is shared by the other players or paid by one.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-hatto",
        _HALF_YEAR,
        (
            (
                "pay akatan 1 0 2 -7k 3 -7k 4 +14k 5 0",
                "pay akatan 1 0 2 0 3 -28k 4 +28k 5 0",
            ),
            (
                "final 1 -42k1 2 +20k2 3 -52k8 4 -27k9 5 +102k4",
                "final 1 -42k1 2 +27k2 3 -73k8 4 -13k9 5 +102k4",
            ),
        ),
        "B10: one player pays both shares, in full.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-not-shared",
        _HALF_YEAR,
        (
            (
                "pay oikomi 1 -1k 2 -1k 3 -1k 4 +3k 5 0",
                "pay oikomi 1 -1k6 2 -6 3 -1k 4 +3k 5 0",
            ),
        ),
        "B4: all three players pay the same amount.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-seats",
        _HALF_YEAR,
        (
            (
                "pay oikomi 1 -1k 2 -1k 3 -1k 4 +3k 5 0",
                "pay oikomi 1 -1k 2 -1k 3 0 4 +3k 5 -1k",
            ),
        ),
        "S7: seat 5 went out, and pays no oikomi.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-fees",
        _HALF_YEAR,
        (
            (
                "pay ori 1 0 2 +2k 3 -2k 4 0 5 0\npay ori 1 0 2 +3k 3 0 4 -3k 5 0",
                "pay ori 1 0 2 +2k 3 0 4 -2k 5 0\npay ori 1 0 2 +3k 3 -3k 4 0 5 0",
            ),
        ),
        "B3: seat 3 goes out before seat 4 and pays the smaller fee.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-fees-reordered",
        _HALF_YEAR,
        (
            (
                "pay ori 1 0 2 +2k 3 -2k 4 0 5 0\npay ori 1 0 2 +3k 3 0 4 -3k 5 0",
                "pay ori 1 0 2 +3k 3 0 4 -3k 5 0\npay ori 1 0 2 +2k 3 -2k 4 0 5 0",
            ),
            (
                "pay ori 1 +2k 2 -2k 3 0 4 0 5 0\npay ori 1 +3k 2 0 3 0 4 -3k 5 0",
                "pay ori 1 +5k 2 -2k 3 0 4 -3k 5 0",
            ),
        ),
        "S7: the fees may have any order, and may be in one line.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-ba",
        _HALF_YEAR,
        (
            (
                "ba large2\npay oikomi",
                "ba small\npay oikomi",
            ),
        ),
        "B2: a bright of February carries over, so March cannot be small.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-points",
        _HALF_YEAR,
        (
            (
                "pay points 1 +2k6 2 0 3 -1k6 4 0 5 -1k",
                "pay points 1 +2k6 2 0 3 -1k5 4 0 5 -1k1",
            ),
        ),
        "B2: in a large field a deviation from 88 counts twice, and 17 is odd.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-sohachi",
        _HALF_YEAR,
        (
            (
                "pay sohachi 1 -20k 2 0 3 0 4 -20k 5 +40k",
                "pay sohachi 1 +40k 2 0 3 0 4 -20k 5 -20k",
            ),
        ),
        "B13: sōhachi belongs to the first player in play order.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-two-winners",
        _HALF_YEAR,
        (
            (
                "pay akatan 1 0 2 -7k 3 -7k 4 +14k 5 0",
                "pay akatan 1 0 2 -7k 3 -7k 4 +14k 5 0\npay aotan 1 0 2 +14k 3 -7k 4 -7k 5 0",
            ),
        ),
        "B9: a yaku in sage is worth nothing once another player makes a yaku.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-not-together",
        _HALF_YEAR,
        (
            (
                "pay akatan 1 0 2 -7k 3 -7k 4 +14k 5 0",
                "pay akatan 1 0 2 -7k 3 -7k 4 +14k 5 0\npay points 1 0 2 -2 3 -2 4 +4 5 0",
            ),
        ),
        "S7: no card points are paid in a month with a captured yaku.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-void",
        _HALF_YEAR,
        (
            (
                "pay pikaichi+sanbon",
                "void pikaichi+sanbon",
            ),
        ),
        "S1: only special yaku strike out payments.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-not-struck-out",
        _HALF_YEAR,
        (
            (
                "void tanichi 1 +12k 2 0 3 0 4 -6k 5 -6k",
                "pay tanichi 1 +12k 2 0 3 0 4 -6k 5 -6k",
            ),
        ),
        "S7: a special yaku strikes out dealt hands.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-groundless",
        _HALF_YEAR,
        (
            (
                "pay sanbon 1 -4k 2 +8k 3 -4k 4 0 5 0\n",
                "",
            ),
        ),
        "S7: tobikomi requires three dealt cards of a month.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-stone-missing",
        _HALF_YEAR,
        (
            (
                "stone 1\n\nmonth 5",
                "\nmonth 5",
            ),
        ),
        "S3: with a month card the next dealer puts in a mon every month.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-next-dealer",
        _HALF_YEAR,
        (
            (
                "stone 1\n\nmonth 5",
                "stone 5\n\nmonth 5",
            ),
        ),
        "S3: seat 1 has the most card points and deals next.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-month-sum",
        _HALF_YEAR,
        (
            (
                (
                    "pay pikaichi+sanbon 1 -12k 2 0 3 -12k 4 0 5 +24k\n"
                    "pay points 1 +2k6 2 0 3 -1k6 4 0 5 -1k\npay ori 1 +2k 2 -2k 3 0 4 0 5 0\n"
                    "pay ori 1 +3k 2 0 3 0 4 -3k 5 0"
                ),
                "pay month 1 -4k5 2 -2k 3 -13k7 4 -3k 5 +23k",
            ),
        ),
        "S2: in a large field all payments count twice, and 53 is odd.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-sums",
        _HALF_YEAR,
        (
            (
                (
                    "pay pikaichi+sanbon 1 -12k 2 0 3 -12k 4 0 5 +24k\n"
                    "pay points 1 +2k6 2 0 3 -1k6 4 0 5 -1k\npay ori 1 +2k 2 -2k 3 0 4 0 5 0\n"
                    "pay ori 1 +3k 2 0 3 0 4 -3k 5 0\nstone 1\n"
                ),
                "pay month 1 -4k6 2 -2k 3 -13k6 4 -3k 5 +23k\n",
            ),
        ),
        "S2: one month has only a sum; the next month shows who puts in the mon.",
    ),
)
