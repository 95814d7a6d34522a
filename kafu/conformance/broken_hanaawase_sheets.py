"""Score sheets of hana-awase with a single fault or warning (S1–S9), named by the code."""

from __future__ import annotations

from typing import Final

from conformance.edits import EditedRecord

_YEAR: Final = "hanaawase/sheet-year"
_SUMS: Final = "hanaawase/sheet-document"

CASES: Final[tuple[EditedRecord, ...]] = (
    EditedRecord(
        "hanaawase/sheet-label-unknown",
        _YEAR,
        (
            (
                "pay tsukimi 1 +20 2 -10 3 -10\npay ameshima",
                "pay nomi+tsukimi 1 +80 2 -40 3 -40\npay ameshima",
            ),
        ),
        "S1: nomi replaces tsukimi.",
    ),
    EditedRecord(
        "hanaawase/sheet-line-not-zero",
        _YEAR,
        (
            (
                "pay rokkasu 1 -20 2 +40 3 -20\npay aotan",
                "pay rokkasu 1 -20 2 +40 3 0\npay aotan",
            ),
        ),
        "C4: the amounts of a line sum to zero.",
    ),
    EditedRecord(
        "hanaawase/sheet-value",
        _YEAR,
        (
            (
                "pay shichikasu 1 -40 2 +80 3 -40",
                "pay shichikasu 1 -20 2 +40 3 -20",
            ),
        ),
        "A1: seven chaff cards are 40 points from each player.",
    ),
    EditedRecord(
        "hanaawase/sheet-not-shared",
        _YEAR,
        (
            (
                "pay rokkasu 1 -20 2 +40 3 -20\npay aotan",
                "pay rokkasu 1 -10 2 +40 3 -30\npay aotan",
            ),
        ),
        "A4: every other player pays the value.",
    ),
    EditedRecord(
        "hanaawase/sheet-maker-unclear",
        _YEAR,
        (
            (
                "pay rokkasu 1 -20 2 +40 3 -20\npay aotan",
                "pay rokkasu 1 +20 2 +20 3 -40\npay aotan",
            ),
        ),
        "S1: only one player receives a payment.",
    ),
    EditedRecord(
        "hanaawase/sheet-points",
        _YEAR,
        (
            (
                "pay points 1 +40 2 -55 3 +15",
                "pay points 1 +240 2 -255 3 +15",
            ),
        ),
        "A4: nobody captures more than 264 points.",
    ),
    EditedRecord(
        "hanaawase/sheet-points-twice",
        _YEAR,
        (
            (
                "pay points 1 +40 2 -55 3 +15",
                "pay points 1 +40 2 -55 3 +15\npay points 1 +40 2 -55 3 +15",
            ),
        ),
        "S1: card points are paid once per month.",
    ),
    EditedRecord(
        "hanaawase/sheet-points-filled-in",
        _YEAR,
        (
            (
                "pay points 1 +40 2 -55 3 +15",
                "pay points 1 +40 2 -55",
            ),
        ),
        "S9: the card points of one seat may be left out.",
    ),
    EditedRecord(
        "hanaawase/sheet-fuke",
        _YEAR,
        (
            (
                "void kusa",
                "pay kusa",
            ),
        ),
        "S6: two players have ten points, so the whole month is struck out.",
    ),
    EditedRecord(
        "hanaawase/sheet-no-fuke",
        _YEAR,
        (
            (
                "pay fujishima 1 +20 2 -10 3 -10",
                "void fujishima 1 +20 2 -10 3 -10",
            ),
        ),
        "S6: nobody made fuke in November.",
    ),
    EditedRecord(
        "hanaawase/sheet-cards-shared",
        _YEAR,
        (
            (
                "pay kirishima 1 -10 2 +20 3 -10\npay kasu",
                "pay fujishima 1 -10 2 +20 3 -10\npay kasu",
            ),
        ),
        "S4: the cuckoo of fujishima is also part of seat 1's kotori.",
    ),
    EditedRecord(
        "hanaawase/sheet-few-points",
        _YEAR,
        (
            (
                "pay points 1 +76 2 -35 3 -41",
                "pay points 1 -35 2 +76 3 -41",
            ),
        ),
        "S4: the cards of gokō, akatan and omotesugawara have 125 points, more than 53.",
    ),
    EditedRecord(
        "hanaawase/sheet-yaku-together",
        _YEAR,
        (
            (
                "pay goko 1 +320 2 -160 3 -160\npay akatan",
                "pay goko 1 +320 2 -160 3 -160\npay goun 1 +120 2 -60 3 -60\npay akatan",
            ),
        ),
        "S4: the curtain, the moon and the cup of goun also make nomi.",
    ),
    EditedRecord(
        "hanaawase/sheet-dealer-not-due",
        _YEAR,
        (
            (
                "month 9 dealer 2",
                "month 9 dealer 1",
            ),
        ),
        "S3: seat 2 had the most points in August and deals next.",
    ),
    EditedRecord(
        "hanaawase/sheet-next-dealer",
        _YEAR,
        (
            (
                "pay points 1 -26 2 +17 3 +9\n",
                "pay points 1 -26 2 +17 3 +9\nstone 3\n",
            ),
        ),
        "S3: Ben has the highest score of the month, so he deals next.",
    ),
    EditedRecord(
        "hanaawase/sheet-fuke-as-zeros",
        _SUMS,
        (
            (
                "pay fuke 1 0 2 0 3 0",
                "pay month 1 0 2 0 3 0",
            ),
        ),
        "S6: a sum of zeros may be fuke, and the stone says who made it.",
    ),
    EditedRecord(
        "hanaawase/sheet-no-place",
        _YEAR,
        (
            (
                "month 9 dealer 2\n",
                "month 9 dealer 2\nba small\n",
            ),
        ),
        "S1: there are no field grades in hana-awase.",
    ),
    EditedRecord(
        "hanaawase/sheet-month-sum-not-zero",
        _SUMS,
        (
            (
                "pay month 1 -18 2 -56 3 +74",
                "pay month 1 -18 2 -56 3 +75",
            ),
        ),
        "S2: the sums of a month add up to zero.",
    ),
    EditedRecord(
        "hanaawase/sheet-not-together",
        _SUMS,
        (
            (
                "pay fuke 1 0 2 0 3 0",
                "pay fuke 1 0 2 0 3 0\npay kusa 1 -20 2 +40 3 -20",
            ),
        ),
        "S6: nothing is paid in a month with fuke.",
    ),
    EditedRecord(
        "hanaawase/sheet-unfinished",
        _SUMS,
        (
            (
                '[Sheet "1"]',
                '[Sheet "1"]\n[Termination "unfinished"]',
            ),
            (
                "\nmonth 12 dealer 2\npay month 1 +87 2 -74 3 -13\n\nfinal 1 +58 2 -234 3 +176\n",
                "",
            ),
        ),
        "C8: the sheet is marked as unfinished in November, so no settlement is due.",
    ),
)
