"""Score sheets of hana-awase with one fault each, or a remark (S1–S9), named by its code."""

from __future__ import annotations

from typing import Final

from conformance.editing import Edited

_YEAR: Final = "hanaawase/sheet-year"
_SUMS: Final = "hanaawase/sheet-document"

CASES: Final[tuple[Edited, ...]] = (
    Edited(
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
    Edited(
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
    Edited(
        "hanaawase/sheet-value",
        _YEAR,
        (
            (
                "pay shichikasu 1 -40 2 +80 3 -40",
                "pay shichikasu 1 -20 2 +40 3 -20",
            ),
        ),
        "A1: seven chaff cards are 40 points from each.",
    ),
    Edited(
        "hanaawase/sheet-not-shared",
        _YEAR,
        (
            (
                "pay rokkasu 1 -20 2 +40 3 -20\npay aotan",
                "pay rokkasu 1 -10 2 +40 3 -30\npay aotan",
            ),
        ),
        "A4: each of the others pays the value.",
    ),
    Edited(
        "hanaawase/sheet-maker-unclear",
        _YEAR,
        (
            (
                "pay rokkasu 1 -20 2 +40 3 -20\npay aotan",
                "pay rokkasu 1 +20 2 +20 3 -40\npay aotan",
            ),
        ),
        "S1: just one player gets a payment.",
    ),
    Edited(
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
    Edited(
        "hanaawase/sheet-points-twice",
        _YEAR,
        (
            (
                "pay points 1 +40 2 -55 3 +15",
                "pay points 1 +40 2 -55 3 +15\npay points 1 +40 2 -55 3 +15",
            ),
        ),
        "S1: card points are paid once a month.",
    ),
    Edited(
        "hanaawase/sheet-points-filled-in",
        _YEAR,
        (
            (
                "pay points 1 +40 2 -55 3 +15",
                "pay points 1 +40 2 -55",
            ),
        ),
        "S9: of the points one seat may be left out.",
    ),
    Edited(
        "hanaawase/sheet-fuke",
        _YEAR,
        (
            (
                "void kusa",
                "pay kusa",
            ),
        ),
        "S6: two players have ten points, so that the whole month is struck out.",
    ),
    Edited(
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
    Edited(
        "hanaawase/sheet-cards-shared",
        _YEAR,
        (
            (
                "pay kirishima 1 -10 2 +20 3 -10\npay kasu",
                "pay fujishima 1 -10 2 +20 3 -10\npay kasu",
            ),
        ),
        "S4: the cuckoo of fujishima is in kotori of seat 1 too.",
    ),
    Edited(
        "hanaawase/sheet-few-points",
        _YEAR,
        (
            (
                "pay points 1 +76 2 -35 3 -41",
                "pay points 1 -35 2 +76 3 -41",
            ),
        ),
        "S4: the cards of gokō, akatan and omotesugawara count 125 points, more than 53.",
    ),
    Edited(
        "hanaawase/sheet-yaku-together",
        _YEAR,
        (
            (
                "pay goko 1 +320 2 -160 3 -160\npay akatan",
                "pay goko 1 +320 2 -160 3 -160\npay goun 1 +120 2 -60 3 -60\npay akatan",
            ),
        ),
        "S4: with the curtain, the moon and the cup of goun nomi is made too.",
    ),
    Edited(
        "hanaawase/sheet-dealer-not-due",
        _YEAR,
        (
            (
                "month 9 dealer 2",
                "month 9 dealer 1",
            ),
        ),
        "S3: seat 2 had most in August, and deals.",
    ),
    Edited(
        "hanaawase/sheet-next-dealer",
        _YEAR,
        (
            (
                "month 9 dealer 2\n",
                "month 9 dealer 2\nstone 3\n",
            ),
        ),
        "S3: all have 88, so that the dealer deals again.",
    ),
    Edited(
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
    Edited(
        "hanaawase/sheet-month-sum-not-zero",
        _SUMS,
        (
            (
                "pay month 1 -18 2 -56 3 +74",
                "pay month 1 -18 2 -56 3 +75",
            ),
        ),
        "S2: what one gets others pay, in a month too.",
    ),
    Edited(
        "hanaawase/sheet-not-together",
        _SUMS,
        (
            (
                "pay fuke 1 0 2 0 3 0",
                "pay fuke 1 0 2 0 3 0\npay kusa 1 -20 2 +40 3 -20",
            ),
        ),
        "S6: nothing is paid in a month that was fuke.",
    ),
    Edited(
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
        "C8: a sheet that stops in November and says so; no settlement is owed.",
    ),
)
