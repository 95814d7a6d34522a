"""Score sheets of koi-koi with a single fault or warning (S1–S5), named by the code."""

from __future__ import annotations

from typing import Final

from conformance.edits import EditedRecord

_YEAR: Final = "koikoi/sheet-year"
_SUMS: Final = "koikoi/sheet-document"
_NINTENDO: Final = "koikoi/sheet-koikoi-nintendo"
_AI: Final = "koikoi/sheet-koikoi-ai"

CASES: Final[tuple[EditedRecord, ...]] = (
    EditedRecord(
        "koikoi/sheet-label-unknown",
        _YEAR,
        (
            (
                "pay kusa",
                "pay teppo+hanami",
            ),
        ),
        "S1: teppō replaces hanami, so no label has both.",
    ),
    EditedRecord(
        "koikoi/sheet-value",
        _YEAR,
        (
            (
                "pay kusa 1 0 2 +5",
                "pay kusa 1 0 2 +6",
            ),
        ),
        "S1: kusa is 5 mon.",
    ),
    EditedRecord(
        "koikoi/sheet-winner-gets",
        _YEAR,
        (
            (
                "pay kusa 1 0 2 +5",
                "pay kusa 1 -5 2 +5",
            ),
        ),
        "S5: the winner receives points, and nobody pays.",
    ),
    EditedRecord(
        "koikoi/sheet-two-winners",
        _YEAR,
        (
            (
                "pay tane 1 +1 2 0",
                "pay tane 1 0 2 +1",
            ),
        ),
        "S5: only one player wins a month.",
    ),
    EditedRecord(
        "koikoi/sheet-nagare-as-zeros",
        _SUMS,
        (
            (
                "month 1 dealer 1\n",
                "month 1 dealer 2\npay month 1 0 2 0\n\nmonth 1 dealer 1\n",
            ),
            (
                "pay month 1 +1 2 0\n\nmonth 2",
                "pay month 1 +3 2 0\n\nmonth 2",
            ),
            (
                "final 1 +45",
                "final 1 +47",
            ),
        ),
        "S5: a sum of zeros is a nagare, after which three mon are needed.",
    ),
    EditedRecord(
        "koikoi/sheet-twice",
        _YEAR,
        (
            (
                "pay tane 1 +1 2 0",
                "pay tane 1 +1 2 0\npay tane 1 +1 2 0",
            ),
        ),
        "S1: a yaku is paid only once.",
    ),
    EditedRecord(
        "koikoi/sheet-void",
        _YEAR,
        (
            (
                "pay kusa",
                "void kusa",
            ),
        ),
        "S1: nothing is struck out in koi-koi.",
    ),
    EditedRecord(
        "koikoi/sheet-not-together",
        _YEAR,
        (
            (
                "pay teshi 1 0 2 +6",
                "pay teshi 1 0 2 +6\npay kusa 1 0 2 +5",
            ),
        ),
        "S5: a shown hand ends the month, so no captured yaku is possible.",
    ),
    EditedRecord(
        "koikoi/sheet-yaku-together",
        _YEAR,
        (
            (
                "pay kusa 1 0 2 +5",
                "pay goun 1 0 2 +15",
            ),
        ),
        "S4: goun is five animals, so tane is made too.",
    ),
    EditedRecord(
        "koikoi/sheet-floor",
        _YEAR,
        (
            (
                "pay inoshikacho 1 +6 2 0",
                "pay kasu 1 +2 2 0",
            ),
        ),
        "K9: 2 mon do not win, and February is played again.",
    ),
    EditedRecord(
        "koikoi/sheet-season",
        _YEAR,
        (
            (
                "pay kotori 1 0 2 +7\npay kobiki 1 0 2 +5",
                "pay kotori 1 0 2 +7",
            ),
        ),
        "S5: seat 2 won all months of autumn, but kobiki is not written.",
    ),
    EditedRecord(
        "koikoi/sheet-dealer-doubtful",
        _YEAR,
        (
            (
                "month 8 dealer 2",
                "month 8 dealer 1",
            ),
        ),
        "S5: seat 2 should deal; an unwritten nagare would explain the change.",
    ),
    EditedRecord(
        "koikoi/sheet-next-dealer",
        _YEAR,
        (
            (
                "pay kusa 1 0 2 +5",
                "pay kusa 1 0 2 +5\nstone 1",
            ),
        ),
        "S3: the winner deals next, and a written stone must agree.",
    ),
    EditedRecord(
        "koikoi/sheet-month-alone",
        _SUMS,
        (
            (
                "pay month 1 0 2 +12",
                "pay month 1 0 2 +7\npay kusa 1 0 2 +5",
            ),
        ),
        "S2: only kobiki is allowed with a month's sum.",
    ),
    EditedRecord(
        "koikoi/sheet-sum-claimed-wrong",
        _SUMS,
        (
            (
                "final 1 +45 2 +26",
                "final 1 +32 2 +26",
            ),
        ),
        "S2: the final result is the sums and the prize of the year (K14).",
    ),
    EditedRecord(
        "koikoi/sheet-game-too-short",
        _SUMS,
        (
            (
                "pay month 1 0 2 +9",
                "pay month 1 0 2 +15",
            ),
            (
                "\nfinal 1 +45 2 +26\n",
                "",
            ),
        ),
        "K13: the players are equal after December, so another season is due.",
    ),
    EditedRecord(
        "koikoi/sheet-doubled",
        _NINTENDO,
        (
            (
                "pay goko 1 0 2 +10\npay bai 1 0 2 +10",
                "pay goko 1 0 2 +10",
            ),
        ),
        "K15: in this house a total of 7 and more counts twice.",
    ),
    EditedRecord(
        "koikoi/sheet-bonus",
        _AI,
        (
            (
                "pay koikoi 1 +1 2 -1",
                "pay koikoi 1 +4 2 -4",
            ),
        ),
        "K15: one to three calls add 1 to 3 points; four calls double the total.",
    ),
    EditedRecord(
        "koikoi/sheet-line-not-zero",
        _AI,
        (
            (
                "pay sanko 1 +5 2 -5",
                "pay sanko 1 +5 2 0",
            ),
        ),
        "C4: in this house the loser pays the winner's points.",
    ),
    EditedRecord(
        "koikoi/sheet-dealer-not-due",
        _AI,
        (
            (
                "month 4 dealer 1",
                "month 4 dealer 2",
            ),
        ),
        "S5: in this house no month is played again, so the dealer is certain.",
    ),
)
