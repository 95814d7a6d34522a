"""Records with one fault each that breaks a rule, named by its code (docs/verdict.md, Codes)."""

from __future__ import annotations

from typing import Final

from conformance.editing import Broken

_KOIKOI: Final = "koikoi/month"
_TORIKESHI: Final = "hachihachi/month-torikeshi"
_BGA: Final = "hachihachi-bga/month-of-four"
_HANAAWASE: Final = "hanaawase/month"
_FIVE: Final = "ten-five-one/month-of-five"

#: The deal and who takes part.
_DEAL: Final = (
    Broken(
        "koikoi/month-not-due",
        _KOIKOI,
        (("month 1 dealer 2", "month 2 dealer 2"),),
        "K2: a year begins with January, and this one with month 2.",
    ),
    Broken(
        "koikoi/dealer-not-due",
        "koikoi/shima",
        (("month 1 dealer 2", "month 1 dealer 1"),),
        "K2: after a nagare the dealer changes, but seat 1 deals again.",
    ),
    Broken(
        "koikoi/game-over",
        _KOIKOI,
        (
            (
                "\nfinal 1 0 2 +12",
                "\nmonth 2 dealer 2\nhand 1 BMQRbceo\nhand 2 CFHPghkn\nfield IWZdjpsv\nstock ...\n",
            ),
        ),
        "K15: a game of one month has a second one.",
    ),
    Broken(
        "koikoi/game-too-short",
        _KOIKOI,
        (("months=1", "months=2"),),
        "C8: a game of two months stops after one, and no Termination tag says so.",
    ),
    Broken(
        "koikoi/deal-too-short",
        _KOIKOI,
        (("3. FxE/L=shobu\n", ""),),
        "C8: the only deal stops in play, and no Termination tag says so.",
    ),
    Broken(
        "koikoi/deal-over",
        _KOIKOI,
        (("=shobu\n", "=shobu e/i\n"),),
        "K10: a turn stands behind shōbu, which ended the month.",
    ),
    Broken(
        "koikoi/no-place",
        _KOIKOI,
        (("stock XAKELOiDquVJSTrUNYtmGalf\n", "stock XAKELOiDquVJSTrUNYtmGalf\nbid 1in 2in\n"),),
        "K1: nobody goes in or out in koi-koi.",
    ),
    Broken(
        "koikoi/draw-wrong",
        _KOIKOI,
        (("hand 1", "draw 1E 2k\ndraw 1A\nhand 1"),),
        "K1: seat 1 draws again, though the months were not equal.",
    ),
    Broken(
        "koikoi/draw-card-twice",
        _KOIKOI,
        (("hand 1", "draw 1E 2F\ndraw 1E 2k\nhand 1"),),
        "K1: what was drawn stays out, and seat 1 draws it again.",
    ),
    Broken(
        "koikoi/draw-card-missing",
        _KOIKOI,
        (("hand 1", "draw 1E\nhand 1"),),
        "K1: seat 2 draws no card.",
    ),
    Broken(
        "koikoi/draw-again",
        _KOIKOI,
        (("hand 1", "draw 1E 2F\nhand 1"),),
        "K1: both drew the same month and do not draw again.",
    ),
    Broken(
        "hanaawase/draw-card-twice",
        _HANAAWASE,
        (("hand 1", "draw 1k 2A 3k\nhand 1"),),
        "C7: two seats draw the same card in one row.",
    ),
    Broken(
        "hanaawase/draw-seats",
        _HANAAWASE,
        (("hand 1", "draw 1E 2A 3k\nhand 1"),),
        "C7: the second youngest month is dōni, who sits next to the dealer; but it is seat 1.",
    ),
    Broken(
        "koikoi/split-wrong",
        _KOIKOI,
        (("hand 1", "split 1IWZ 2djpsv\nhand 1"),),
        "K1: each player turns four of the field cards, not three and five.",
    ),
    Broken(
        "koikoi/hand-missing",
        _KOIKOI,
        (("hand 2 CFHPghkn\n", ""),),
        "C3: the hand of seat 2 is not there.",
    ),
    Broken(
        "koikoi/hand-size",
        _KOIKOI,
        (("hand 1 BMQRbceo", "hand 1 BMQRbce"),),
        "C3: the hand of seat 1 has seven cards.",
    ),
    Broken(
        "koikoi/field-missing",
        _KOIKOI,
        (("field IWZdjpsv\n", ""),),
        "C3: the field is not there.",
    ),
    Broken(
        "koikoi/field-size",
        _KOIKOI,
        (("field IWZdjpsv", "field IWZdjps"),),
        "C3: the field has seven cards.",
    ),
    Broken(
        "koikoi/stock-size",
        _KOIKOI,
        (("tmGalf", "tmGal"),),
        "C3: the draw pile has 23 cards, and it is said to be whole.",
    ),
    Broken(
        "ten-five-one/stock-lacks",
        _FIVE,
        (("hand 1 LQUamsu", "hand 1 LQUams?"), ("FWovCKXJb", "FWovuKXJb")),
        "T3: C was in a hand that went into the draw pile, which is whole and lacks it.",
    ),
    Broken(
        "koikoi/card-twice",
        _KOIKOI,
        (("field IWZdjpsv", "field BWZdjpsv"),),
        "C3: B lies on the field and in the hand of seat 1.",
    ),
    Broken(
        "koikoi/card-not-in-pack",
        _KOIKOI,
        (("field IWZdjpsv", "field _WZdjpsv"),),
        "C3: koi-koi has no blank card.",
    ),
    Broken(
        "ten-five-one/blank-missing",
        "ten-five-one/month-of-seven",
        (("hand 1 QUXafl_", "hand 1 QUXafl?"),),
        "T3: with seven players nobody is known to hold the blank card, so there is no field.",
    ),
    Broken(
        "koikoi/redeal-due",
        "koikoi/shima",
        (("redeal shima\n", ""),),
        "K3: four of a month lie on the field and no hand is shown, but the month goes on.",
    ),
    Broken(
        "koikoi/redeal-groundless",
        _KOIKOI,
        (
            (
                "1. gxj/XxW cxd/A\n2. CxA/KxI=koikoi oxp/E\n3. FxE/L=shobu\n",
                "redeal shima\n",
            ),
        ),
        "K3: no four of a month lie on the field.",
    ),
    Broken(
        "hachihachi-bga/blind-not-possible",
        _BGA,
        (("hand 1", "blind 1\nhand 1"),),
        "B3: only the dealer goes in blind, and that is seat 2.",
    ),
    Broken(
        "ten-five-one/bid-due",
        _FIVE,
        (("5out 1in", "5out"),),
        "T3: two are in and one is out; seat 1 must say next whether it goes in.",
    ),
    Broken(
        "ten-five-one/bid-out-of-turn",
        _FIVE,
        (("bid 3in 4in 5out", "bid 3in 5out 4in"),),
        "T3: it is asked in turn from the dealer on, and seat 4 is due.",
    ),
    Broken(
        "ten-five-one/seat-is-out",
        _FIVE,
        (("5out 1in\n", "5out 1in\nshow 5 sanbon Njn\n"),),
        "T3: seat 5 is out and declares nothing.",
    ),
    Broken(
        "ten-five-one/swap-by-dealer",
        _FIVE,
        (("bid 3in", "swap 3\nbid 3in"),),
        "T4: a player other than the dealer takes the dealer's hand.",
    ),
    Broken(
        "ten-five-one/swap-twice",
        _FIVE,
        (("bid 3in", "swap 1\nswap 1\nbid 3in"),),
        "T4: each takes the dealer's hand once.",
    ),
)

#: Declarations, turns, decisions.
_PLAY: Final = (
    Broken(
        "hanaawase/show-false",
        _HANAAWASE,
        (("show 1 rokkasu CKOXbf", "show 2 rokkasu anv"),),
        "A1: the hand of seat 2 has three dregs.",
    ),
    Broken(
        "hanaawase/show-cards",
        _HANAAWASE,
        (("CKOXbf\n1.", "CKOXZb\n1."),),
        "A1: the dregs are laid open, and Z is none.",
    ),
    Broken(
        "hanaawase/show-twice",
        _HANAAWASE,
        (("show 1 rokkasu CKOXbf\n", "show 1 rokkasu CKOXbf\nshow 1 rokkasu CKOXbf\n"),),
        "A1: who has shown a hand shows it again.",
    ),
    Broken(
        "hachihachi/show-false",
        _TORIKESHI,
        (("show 1 teshi opqr", "show 2 sanbon ACJ"),),
        "H2: the hand of seat 2 has no three.",
    ),
    Broken(
        "hachihachi/void-show-of-right",
        _TORIKESHI,
        (("=torikeshi 3", "=void-show 1 =torikeshi 3"),),
        "H22: the declaration of seat 1 was right; the fault is at the declaration.",
    ),
    Broken(
        "hachihachi/void-show-of-nothing",
        _TORIKESHI,
        (("=torikeshi 3", "=void-show 2 =torikeshi 3"),),
        "H22: seat 2 has declared nothing.",
    ),
    Broken(
        "hachihachi/void-show-twice",
        _TORIKESHI,
        (
            ("show 1 teshi opqr", "show 2 sanbon ACJ"),
            ("2. L/j", "=void-show 2\n2. L/j"),
            ("=torikeshi 3", "=void-show 2 =torikeshi 3"),
        ),
        "H22: a false declaration is struck out once.",
    ),
    Broken(
        "koikoi/not-in-hand",
        _KOIKOI,
        (("1. gxj/XxW", "1. bxZ/XxW"),),
        "C3: b lies in the hand of seat 1, and seat 2 plays it.",
    ),
    Broken(
        "koikoi/wrong-stock-card",
        _KOIKOI,
        (("gxj/XxW", "gxj/A"),),
        "C3: X lies on top of the draw pile, and A is turned.",
    ),
    Broken(
        "koikoi/not-in-stock",
        _KOIKOI,
        (("stock XAKELOiDquVJSTrUNYtmGalf", "stock X..."), ("cxd/A", "cxd/B")),
        "C3: B lies in the hand of seat 1, so that it cannot be turned.",
    ),
    Broken(
        "hachihachi/stock-left-out",
        _TORIKESHI,
        (("L/j", "L=agari"),),
        "H7: agari is said only when both cards of the turn are played.",
    ),
    Broken(
        "koikoi/capture-from-nothing",
        _KOIKOI,
        (("cxd/A", "cxd/AxI"),),
        "C2: no pine lies on the field, and I is cherry.",
    ),
    Broken(
        "koikoi/capture-wrong",
        _KOIKOI,
        (("gxj", "gxI"),),
        "C2: g captures j, the chrysanthemum on the field, and not I.",
    ),
    Broken(
        "hachihachi/capture-missing",
        "hachihachi/month-sage-by-half",
        (("hxgij/p", "h/p"),),
        "C2: h captures all three of its month, which must be written.",
    ),
    Broken(
        "koikoi/wrong-round",
        _KOIKOI,
        (("2. CxA", "3. CxA"),),
        "kafu.md 5: a written number of a round is checked; this is round 2.",
    ),
    Broken(
        "koikoi/wrong-seat",
        _KOIKOI,
        (("1. gxj", "1. 1:gxj"),),
        "C1: the dealer plays first, and that is seat 2.",
    ),
    Broken(
        "koikoi/decision-due",
        _KOIKOI,
        (("KxI=koikoi", "KxI"),),
        "K10: seat 2 made omotesugawara and says nothing.",
    ),
    Broken(
        "koikoi/decision-not-due",
        _KOIKOI,
        (("XxW cxd", "XxW=koikoi cxd"),),
        "K10: without a new yaku nothing is said.",
    ),
    Broken(
        "koikoi/decision-of-other-game",
        _KOIKOI,
        (("=shobu", "=agari"),),
        "K10: agari is no word of koi-koi.",
    ),
    Broken(
        "hachihachi/sage-on-last-card",
        "hachihachi/month-last-card",
        (("=agari", "=sage"),),
        "H7: on the last hand card only agari is possible.",
    ),
    Broken(
        "hachihachi/sage-while-another",
        "hachihachi/month-sage-and-agari",
        (("=agari", "=sage"),),
        "H7: seat 1 is in sage, so that seat 2 can say agari only.",
    ),
    Broken(
        "hachihachi/nimai-on-last-turn",
        "hachihachi/month-played-out",
        (("PxO/ZxY", "PxO/ZxY=nimai"),),
        "H25: with the last card of the draw pile no second one can have been turned.",
    ),
    Broken(
        "hachihachi/torikeshi-too-early",
        _TORIKESHI,
        (("=sage r/N", "=sage =torikeshi 3 r/N"),),
        "H10: sage may be called off from the end of the next turn on.",
    ),
)

#: What options bar.
_OPTIONS: Final = (
    Broken(
        "hachihachi-bga/sage-without-reach",
        "hachihachi-bga/months-out-of-reach",
        (("BxD=agari", "BxD=sage/M"),),
        "B8: seat 2 has made or lowered what it can, and s, which shikō needs, lies with another.",
    ),
    Broken(
        "hachihachi-bga/torikeshi-on-last-card",
        "hachihachi-bga/month-sage-by-half",
        (
            ('[Rules "hachihachi-bga"]\n', '[Rules "hachihachi-bga"]\n[Options "torikeshi=yes"]\n'),
            ("bxa/MxN sxv", "bxa/MxN =torikeshi 2 sxv"),
        ),
        "B15: a sage is called off with two hand cards or more left, and seat 2 has one.",
    ),
    Broken(
        "hachihachi-bga/torikeshi-not-played",
        "hachihachi-bga/month-sage-by-half",
        (("bxa/MxN sxv", "bxa/MxN =torikeshi 2 sxv"),),
        "B9: without the option a sage is never called off.",
    ),
    Broken(
        "koikoi/decision-barred",
        "koikoi/house-koikoi-nintendo",
        (("Yxb/jxg=shobu", "Yxb/jxg=koikoi"),),
        "K15: in this house each player may say koi-koi once a round.",
    ),
    Broken(
        "ten-five-one/nasake-not-played",
        "ten-five-one/month-of-seven",
        (("months=1", "months=1 nasake=no"),),
        "T5: with nasake=no nobody declares it.",
    ),
    Broken(
        "ten-five-one/nasake-of-chosen-doni",
        "ten-five-one/month-of-seven",
        (("months=1", "months=1 nasake=chosen-doni"),),
        "T5: seat 6 is dōni, but went in of its own will.",
    ),
)

#: What is filled in, or cannot be checked; the record is good otherwise.
_REMARKS: Final = (
    Broken(
        "koikoi/capture-left-out",
        _KOIKOI,
        (("gxj", "g"),),
        "kafu.md 5: the capture of the only card of its month is filled in, with a warning.",
    ),
    Broken(
        "hachihachi/not-checkable",
        _TORIKESHI,
        (
            ("hand 1 FSgopqr", "hand 1 ???????"),
            ("stock lvDjmNdtnMeYOkciWEZsH", "stock lvDjmNdtnM..."),
        ),
        "C9: seat 1 shows four of a month, and two cards of its hand are never seen: nothing proves"
        " that it had no better yaku.",
    ),
    Broken(
        "koikoi/claim-not-checked",
        _KOIKOI,
        (
            ('"0 +12"]', '"0 +12"]\n[Termination "unfinished"]'),
            ("=shobu\nscore 1 0 2 +6", "=koikoi\nscore 1 0 2 +6"),
        ),
        "C8: sums are claimed of a deal and a game that did not end.",
    ),
    Broken(
        "koikoi/unsupported",
        "",
        (
            (
                "",
                '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "Aya"]\n[Player2 "Ben"]\n[Sheet "1"]\n\n'
                "month 1 dealer 1\npay akatan 1 +7 2 -7\nstone 1\n",
            ),
        ),
        "kafu.md 6: any ruleset's sheet is read, but only that of hachihachi is judged.",
    ),
    Broken(
        "koikoi/final-claimed-wrong",
        _KOIKOI,
        (("final 1 0 2 +12", "final 1 0 2 +13"),),
        "K14: the winner has 6 and a prize of 5 and 1; the statement claims one mon more.",
    ),
    Broken(
        "koikoi/result-claimed-wrong",
        _KOIKOI,
        (('"0 +12"', '"0 +6"'),),
        "K14: the winner has 6 and a prize of 5 and 1; the tag leaves the prize out.",
    ),
    Broken(
        "hachihachi/ba-claimed-wrong",
        _TORIKESHI,
        (("show 1 teshi", "ba small\nshow 1 teshi"),),
        "H1: two large brights lie on the field, which makes the month large.",
    ),
)

_YEAR: Final = "hachihachi/sheet-year"
#: Score sheets (H24).
_SHEETS: Final = (
    Broken(
        "hachihachi/sheet-label-unknown",
        _YEAR,
        (("pay goun", "pay teppo"),),
        "H24: teppō is no yaku of hachihachi.",
    ),
    Broken(
        "hachihachi/sheet-line-not-zero",
        _YEAR,
        (("pay aka 1 -2k", "pay aka 1 -3k"),),
        "C4: the amounts of a line sum to zero.",
    ),
    Broken(
        "hachihachi/sheet-maker-unclear",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k", "pay aka 1 +2k 2 +2k 3 -4k"),),
        "H24: just one player gets a payment.",
    ),
    Broken(
        "hachihachi/sheet-value",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k", "pay aka 1 -3k 2 +6k 3 -3k"),),
        "H24: aka is 2 kan from each in a small field.",
    ),
    Broken(
        "hachihachi/sheet-shares",
        _YEAR,
        (("pay goun 1 -12k 2 +24k 3 -12k", "pay goun 1 -9k 2 +24k 3 -15k"),),
        "H24: a captured yaku, here at half its value, is shared by the others or paid by one.",
    ),
    Broken(
        "hachihachi/sheet-not-shared",
        _YEAR,
        (("pay aka 1 -2k 2 +4k 3 -2k", "pay aka 1 0 2 +4k 3 -4k"),),
        "H5: each of the others pays the same for a dealt hand.",
    ),
    Broken(
        "hachihachi/sheet-sohachi",
        _YEAR,
        (("pay sohachi 1 -20k 2 -20k 3 +40k", "pay sohachi 1 -20k 2 +40k 3 -20k"),),
        "H16: sōhachi is paid to the dealer, seat 3.",
    ),
    Broken(
        "hachihachi/sheet-points",
        _YEAR,
        (("pay points 1 -1k2 2 -1k4 3 +2k6", "pay points 1 -1k1 2 -1k5 3 +2k6"),),
        "H17: in a large field a deviation from 88 counts twice, and 13 is odd.",
    ),
    Broken(
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
    Broken(
        "hachihachi/sheet-ba",
        _YEAR,
        (("ba large2\npay goun", "ba small\npay goun"),),
        "H1: month 3 carries a large bond on, so that month 4 cannot be small.",
    ),
    Broken(
        "hachihachi/sheet-stone-missing",
        _YEAR,
        (("stone 2\n\nmonth 2", "\nmonth 2"),),
        "H19: the next dealer puts a stone in, every month.",
    ),
    Broken(
        "hachihachi/sheet-stone-of-shiso",
        _YEAR,
        (("pay futahachi 1 +26k 2 -13k 3 -13k", "pay shiso 1 +80k 2 -40k 3 -40k"),),
        "H6: no stone is put in for a month that shisō ends.",
    ),
    Broken(
        "hachihachi/sheet-stone-wrong",
        _YEAR,
        (("month 2 dealer 2", "month 2 dealer 3"),),
        "H25: the stone was of seat 2, and seat 3 deals; it is reported at the next month.",
    ),
    Broken(
        "hachihachi/sheet-game-over",
        _YEAR,
        (("etsunen=yes", "etsunen=no"),),
        "H21: without etsunen the year is over after December.",
    ),
    Broken(
        "hachihachi/sheet-stone-doubtful",
        _YEAR,
        (("+1k2\nstone 3\n\nmonth 12 dealer 3", "+1k2\nstone 1\n\nmonth 12 dealer 1"),),
        "H19: seat 3 has most card points, and the stone is of seat 1; a sheet proves nothing.",
    ),
    Broken(
        "hachihachi/sheet-not-struck-out",
        _YEAR,
        (
            ("void tanichi", "pay tanichi"),
            ("final 1 +203k 2 -191k 3 -12k", "final 1 +215k 2 -197k 3 -18k"),
        ),
        "H16: a special yaku strikes out what was paid for dealt hands; a sheet proves nothing.",
    ),
    Broken(
        "hachihachi/sheet-groundless",
        _YEAR,
        (
            ("pay aka 1 -2k 2 +4k 3 -2k\n", ""),
            ("final 1 +203k 2 -191k 3 -12k", "final 1 +205k 2 -195k 3 -10k"),
        ),
        "H17: nuke belongs to a declared hand of dregs; a sheet proves nothing.",
    ),
)

CASES: Final[tuple[Broken, ...]] = (*_DEAL, *_PLAY, *_OPTIONS, *_REMARKS, *_SHEETS)
