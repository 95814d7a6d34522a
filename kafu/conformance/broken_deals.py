"""Records with one fault in a deal or in bidding, named by the fault's code (docs/verdict.md)."""

from __future__ import annotations

from typing import Final

from conformance.edits import EditedRecord

_KOIKOI: Final = "koikoi/month"
_BGA: Final = "hachihachi-bga/month-of-four"
_HANAAWASE: Final = "hanaawase/month"
_FIVE: Final = "ten-five-one/month-of-five"

CASES: Final[tuple[EditedRecord, ...]] = (
    EditedRecord(
        "koikoi/month-not-due",
        _KOIKOI,
        (("month 1 dealer 2", "month 2 dealer 2"),),
        "K2: a year begins with January, but this game with month 2.",
    ),
    EditedRecord(
        "koikoi/dealer-not-due",
        "koikoi/shima",
        (("month 1 dealer 2", "month 1 dealer 1"),),
        "K2: after a nagare the dealer changes, but seat 1 deals again.",
    ),
    EditedRecord(
        "koikoi/game-over",
        _KOIKOI,
        (
            (
                "\nfinal 1 0 2 +12",
                "\nmonth 2 dealer 2\nhand 1 BMQRbceo\nhand 2 CFHPghkn\nfield IWZdjpsv\nstock ...\n",
            ),
        ),
        "K15: a game of one month has a second month.",
    ),
    EditedRecord(
        "koikoi/game-too-short",
        _KOIKOI,
        (("months=1", "months=2"),),
        "C8: a game of two months stops after one month without a Termination tag.",
    ),
    EditedRecord(
        "koikoi/deal-too-short",
        _KOIKOI,
        (("3. FxE/L=shobu\n", ""),),
        "C8: the only deal stops in play without a Termination tag.",
    ),
    EditedRecord(
        "koikoi/deal-over",
        _KOIKOI,
        (("=shobu\n", "=shobu e/i\n"),),
        "K10: a turn follows shōbu, which ended the month.",
    ),
    EditedRecord(
        "koikoi/no-place",
        _KOIKOI,
        (("stock XAKELOiDquVJSTrUNYtmGalf\n", "stock XAKELOiDquVJSTrUNYtmGalf\nbid 1in 2in\n"),),
        "K1: nobody goes in or out in koi-koi.",
    ),
    EditedRecord(
        "koikoi/draw-wrong",
        _KOIKOI,
        (("hand 1", "draw 1E 2k\ndraw 1A\nhand 1"),),
        "K1: seat 1 draws again, though the months were not equal.",
    ),
    EditedRecord(
        "koikoi/draw-card-twice",
        _KOIKOI,
        (("hand 1", "draw 1E 2F\ndraw 1E 2k\nhand 1"),),
        "K1: drawn cards stay out, but seat 1 draws one again.",
    ),
    EditedRecord(
        "koikoi/draw-card-missing",
        _KOIKOI,
        (("hand 1", "draw 1E\nhand 1"),),
        "K1: seat 2 draws no card.",
    ),
    EditedRecord(
        "koikoi/draw-again",
        _KOIKOI,
        (("hand 1", "draw 1E 2F\nhand 1"),),
        "K1: both drew the same month and must draw again.",
    ),
    EditedRecord(
        "hanaawase/draw-card-twice",
        _HANAAWASE,
        (("hand 1", "draw 1k 2A 3k\nhand 1"),),
        "C7: two seats draw the same card in one row.",
    ),
    EditedRecord(
        "hanaawase/draw-seats",
        _HANAAWASE,
        (("hand 1", "draw 1E 2A 3k\nhand 1"),),
        "C7: the second youngest month is dōni, next to the dealer; here dōni is seat 1.",
    ),
    EditedRecord(
        "koikoi/split-wrong",
        _KOIKOI,
        (("hand 1", "split 1IWZ 2djpsv\nhand 1"),),
        "K1: each player turns four of the field cards, not three and five.",
    ),
    EditedRecord(
        "koikoi/hand-missing",
        _KOIKOI,
        (("hand 2 CFHPghkn\n", ""),),
        "C3: the hand of seat 2 is missing.",
    ),
    EditedRecord(
        "koikoi/hand-size",
        _KOIKOI,
        (("hand 1 BMQRbceo", "hand 1 BMQRbce"),),
        "C3: the hand of seat 1 has seven cards.",
    ),
    EditedRecord(
        "koikoi/field-missing",
        _KOIKOI,
        (("field IWZdjpsv\n", ""),),
        "C3: the field is missing.",
    ),
    EditedRecord(
        "koikoi/field-size",
        _KOIKOI,
        (("field IWZdjpsv", "field IWZdjps"),),
        "C3: the field has seven cards.",
    ),
    EditedRecord(
        "koikoi/stock-size",
        _KOIKOI,
        (("tmGalf", "tmGal"),),
        "C3: the draw pile is written as whole but has 23 cards.",
    ),
    EditedRecord(
        "ten-five-one/stock-lacks",
        _FIVE,
        (("hand 1 LQUamsu", "hand 1 LQUams?"), ("FWovCKXJb", "FWovuKXJb")),
        "T3: C was in a hand that went into the draw pile; the draw pile is whole but lacks C.",
    ),
    EditedRecord(
        "koikoi/card-twice",
        _KOIKOI,
        (("field IWZdjpsv", "field BWZdjpsv"),),
        "C3: B is on the field and in the hand of seat 1.",
    ),
    EditedRecord(
        "koikoi/card-not-in-pack",
        _KOIKOI,
        (("field IWZdjpsv", "field _WZdjpsv"),),
        "C3: koi-koi has no blank card.",
    ),
    EditedRecord(
        "ten-five-one/blank-missing",
        "ten-five-one/month-of-seven",
        (("hand 1 QUXafl_", "hand 1 QUXafl?"),),
        "T3: with seven players the holder of the blank card is unknown, so there is no field.",
    ),
    EditedRecord(
        "koikoi/redeal-due",
        "koikoi/shima",
        (("redeal shima\n", ""),),
        "K3: four cards of a month are on the field and no hand is shown, but the month goes on.",
    ),
    EditedRecord(
        "koikoi/redeal-groundless",
        _KOIKOI,
        (
            (
                "1. gxj/XxW cxd/A\n2. CxA/KxI=koikoi oxp/E\n3. FxE/L=shobu\n",
                "redeal shima\n",
            ),
        ),
        "K3: the field does not have four cards of a month.",
    ),
    EditedRecord(
        "hachihachi-bga/blind-not-possible",
        _BGA,
        (("hand 1", "blind 1\nhand 1"),),
        "B3: only the dealer, seat 2, can go in blind.",
    ),
    EditedRecord(
        "ten-five-one/bid-due",
        _FIVE,
        (("5out 1in", "5out"),),
        "T3: two players are in and one is out; seat 1 must bid next.",
    ),
    EditedRecord(
        "ten-five-one/bid-out-of-turn",
        _FIVE,
        (("bid 3in 4in 5out", "bid 3in 5out 4in"),),
        "T3: players bid in turn from the dealer on, and seat 4 is next.",
    ),
    EditedRecord(
        "ten-five-one/seat-is-out",
        _FIVE,
        (("5out 1in\n", "5out 1in\nshow 5 sanbon Njn\n"),),
        "T3: seat 5 is out and declares nothing.",
    ),
    EditedRecord(
        "ten-five-one/swap-by-dealer",
        _FIVE,
        (("bid 3in", "swap 3\nbid 3in"),),
        "T4: a player other than the dealer takes the dealer's hand.",
    ),
    EditedRecord(
        "ten-five-one/swap-twice",
        _FIVE,
        (("bid 3in", "swap 1\nswap 1\nbid 3in"),),
        "T4: a player takes the dealer's hand only once.",
    ),
)
