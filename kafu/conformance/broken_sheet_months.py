"""Score sheets with an impossible month (H24, S7), named by the fault's code."""

from __future__ import annotations

from typing import Final

from conformance.edits import EditedRecord

_YEAR: Final = "hachihachi/sheet-year"
_HALF_YEAR: Final = "hachihachi-bga/sheet-half-year"
_HANAAWASE: Final = "hanaawase/sheet-year"

CASES: Final[tuple[EditedRecord, ...]] = (
    EditedRecord(
        "hachihachi/sheet-not-together",
        _YEAR,
        (
            (
                "pay akatan+inoshikacho 1 -13k 2 -13k 3 +26k",
                "pay akatan+inoshikacho 1 -13k 2 -13k 3 +26k\npay points 1 -5 2 +2 3 +3",
            ),
        ),
        "H24: a captured yaku ends the month without card points.",
    ),
    EditedRecord(
        "hachihachi/sheet-twice",
        _YEAR,
        (
            (
                "pay nanatan 1 +22k 2 -11k 3 -11k",
                "pay nanatan 1 +22k 2 -11k 3 -11k\npay nanatan 1 +22k 2 -11k 3 -11k",
            ),
        ),
        "H24: nobody can make a yaku twice.",
    ),
    EditedRecord(
        "hachihachi/sheet-two-winners",
        _YEAR,
        (
            (
                "pay nanatan 1 +22k 2 -11k 3 -11k",
                "pay nanatan 1 +22k 2 -11k 3 -11k\npay shiko 1 -12k 2 +24k 3 -12k",
            ),
        ),
        "H24: only one player is paid in full.",
    ),
    EditedRecord(
        "hachihachi/sheet-halves",
        _YEAR,
        (
            (
                "pay goko+akatan 1 +216k 2 -108k 3 -108k",
                "pay goko 1 +160k 2 -80k 3 -80k\npay akatan 1 +28k 2 -14k 3 -14k",
            ),
        ),
        "H24: a player's captured yaku are all paid in full or all at half.",
    ),
    EditedRecord(
        "hachihachi/sheet-liable",
        _YEAR,
        (("pay shiko 1 0 2 -48k 3 +48k", "pay shiko 1 -24k 2 -24k 3 +48k"),),
        "H24: seat 2, in sage with goun, pays both shares of the shikō of seat 3.",
    ),
    EditedRecord(
        "hachihachi/sheet-alone",
        _YEAR,
        (("pay nanatan 1 +22k 2 -11k 3 -11k", "pay nanatan 1 +22k 2 -22k 3 0"),),
        "H24: nanatan has no hatto, and nobody was in sage.",
    ),
    EditedRecord(
        "hachihachi/sheet-hand",
        _YEAR,
        (
            (
                "pay teshi 1 -24k 2 +48k 3 -24k",
                "pay teshi 1 -24k 2 +48k 3 -24k\npay sanbon 1 -8k 2 +16k 3 -8k",
            ),
        ),
        "H24: a hand has only one yaku by count.",
    ),
    EditedRecord(
        "hachihachi/sheet-cards-shared",
        _YEAR,
        (("pay shiko 1 0 2 -48k 3 +48k", "pay goun 1 0 2 -48k 3 +48k"),),
        "H24: two players cannot have captured the same cards.",
    ),
    EditedRecord(
        "hachihachi/sheet-yaku-together",
        _YEAR,
        (("pay nanatan 1 +22k 2 -11k 3 -11k", "pay nanatan 1 +26k 2 -13k 3 -13k"),),
        "H24: all ten ribbons include akatan and aotan.",
    ),
    EditedRecord(
        "hachihachi/sheet-no-end",
        _YEAR,
        (("pay nanatan 1 +22k 2 -11k 3 -11k\n", ""),),
        "H24: every month ends with captured yaku, special yaku or card points.",
    ),
    EditedRecord(
        "hachihachi/sheet-void",
        _YEAR,
        (("pay teshi 1 -24k 2 +48k 3 -24k", "void teshi 1 -24k 2 +48k 3 -24k"),),
        "H24: without a special yaku nothing is struck out.",
    ),
    EditedRecord(
        "hachihachi/sheet-special-due",
        _YEAR,
        (("pay points 1 -7 2 -7 3 +1k2", "pay points 1 -41 2 -39 3 +80"),),
        "H24: 168 points are futahachi.",
    ),
    EditedRecord(
        "hachihachi/sheet-bonus-points",
        _YEAR,
        (("pay points 1 -5 2 +1k1 3 -8", "pay points 1 -5 2 0 3 +5"),),
        "H24: nuke needs 89 points, and seat 2 has 88.",
    ),
    EditedRecord(
        "hachihachi/sheet-nuke-due",
        _YEAR,
        (("pay nuke 1 -1k 2 +2k 3 -1k\n", ""),),
        "H24: seat 2 has aka and 101 points.",
    ),
    EditedRecord(
        "hachihachi/sheet-no-cards",
        _YEAR,
        (
            (
                "pay points 1 -7 2 -7 3 +1k2",
                "pay sanbon 1 -2k 2 +4k 3 -2k\npay points 1 +3k4 2 -7k4 3 +4k",
            ),
        ),
        "H24: seat 2 was dealt three cards of a month, and captures two of them at least.",
    ),
    EditedRecord(
        "hachihachi/sheet-due",
        _YEAR,
        (
            (
                "pay akatan 1 -14k 2 -14k 3 +28k",
                "pay karasu+tatesanbon 1 -28k 2 -28k 3 +56k\npay points 1 +4 2 +4 3 -8",
            ),
        ),
        "H24: the phoenix lies on the field, so seat 3 captures all paulownia: a tobikomi.",
    ),
    EditedRecord(
        "hachihachi-bga/sheet-fees-to",
        _HALF_YEAR,
        (("pay ori 1 0 2 +2k 3 0 4 0 5 -2k", "pay ori 1 +2k 2 0 3 0 4 0 5 -2k"),),
        "S7: the fees go to seat 2, who has the most points.",
    ),
    EditedRecord(
        "hanaawase/sheet-hand",
        _HANAAWASE,
        (
            (
                "pay rokkasu 1 -20 2 +40 3 -20\npay aotan",
                "pay rokkasu 1 -20 2 +40 3 -20\npay shichikasu 1 -40 2 +80 3 -40\npay aotan",
            ),
        ),
        "A1: a hand of seven cards has six chaff cards or seven.",
    ),
    EditedRecord(
        "hanaawase/sheet-too-many-cards",
        _HANAAWASE,
        (
            (
                "pay kasu 1 +80 2 -40 3 -40",
                "pay kasu 1 +180 2 -90 3 -90\npay kasu 1 -20 2 -20 3 +40",
            ),
        ),
        "S4: there are 24 chaff cards.",
    ),
    EditedRecord(
        "hanaawase/sheet-many-points",
        _HANAAWASE,
        (("pay points 1 +72 2 -48 3 -24", "pay points 1 +96 2 -54 3 -42"),),
        "S4: with 184 points seat 1 has more yaku than tsukimi and ameshima.",
    ),
    EditedRecord(
        "hachihachi/sheet-month-sum",
        _YEAR,
        (("pay nanatan 1 +22k 2 -11k 3 -11k", "pay month 1 +83k5 2 -41k8 3 -41k9"),),
        "S2: 1,001 points are more than card points can pay, and no multiple of half a kan.",
    ),
    EditedRecord(
        "koikoi/sheet-month-sum-of-house",
        "",
        (
            (
                "",
                """[Kafu "1"]
[Rules "koikoi"]
[Options "profile=koikoi-nintendo"]
[Player1 "Aya"]
[Player2 "Ben"]
[Sheet "1"]
[Termination "unfinished"]

month 1 dealer 1
pay month 1 +9 2 0
""",
            ),
        ),
        "S2: sums of seven mon and more count twice in this house, so 9 is impossible.",
    ),
)
