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
        "S1: teppō replaces hanami, so that no label names both.",
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
        "S5: the winner gets, and nobody pays.",
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
        "S5: one player wins a month.",
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
        "S1: a yaku is paid once.",
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
        "S5: a shown hand ends the month, so that nothing is captured.",
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
        "S4: goun is five animals, so that tane stands beside it.",
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
        "K9: February is played over, and not won with 2 mon.",
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
        "S5: seat 2 won all autumn, and kobiki is not written.",
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
        "S5: seat 2 should deal; a nagare that nobody wrote would explain it.",
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
        "S3: the winner deals next; a stone that is written must say so.",
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
        "S2: nothing stands beside a month's sum but kobiki.",
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
        "S2: sums are added, and the prize of the year with them (K14).",
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
        "K13: equal after December, a season more is due.",
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
        "K15: one to three calls bring so many points, a fourth the total again.",
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
        "C4: in this house the loser pays what the winner gets.",
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
        "S5: in this house no month is played over, so that the dealer is sure.",
    ),
)
