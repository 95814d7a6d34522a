"""Records with one fault in a declaration, turn or decision, named by its code (verdict.md)."""

from __future__ import annotations

from typing import Final

from conformance.editing import Edited

_KOIKOI: Final = "koikoi/month"
_TORIKESHI: Final = "hachihachi/month-torikeshi"
_HANAAWASE: Final = "hanaawase/month"

CASES: Final[tuple[Edited, ...]] = (
    Edited(
        "hanaawase/show-false",
        _HANAAWASE,
        (("show 1 rokkasu CKOXbf", "show 2 rokkasu anv"),),
        "A1: the hand of seat 2 has three chaff cards.",
    ),
    Edited(
        "hanaawase/show-cards",
        _HANAAWASE,
        (("CKOXbf\n1.", "CKOXZb\n1."),),
        "A1: the chaff is laid open, and Z is none.",
    ),
    Edited(
        "hanaawase/show-twice",
        _HANAAWASE,
        (("show 1 rokkasu CKOXbf\n", "show 1 rokkasu CKOXbf\nshow 1 rokkasu CKOXbf\n"),),
        "A1: who has shown a hand shows it again.",
    ),
    Edited(
        "hachihachi/show-false",
        _TORIKESHI,
        (("show 1 teshi opqr", "show 2 sanbon ACJ"),),
        "H2: the hand of seat 2 has no three.",
    ),
    Edited(
        "hachihachi/void-show-of-right",
        _TORIKESHI,
        (("=torikeshi 3", "=void-show 1 =torikeshi 3"),),
        "H22: the declaration of seat 1 was right; the fault is at the declaration.",
    ),
    Edited(
        "hachihachi/void-show-of-nothing",
        _TORIKESHI,
        (("=torikeshi 3", "=void-show 2 =torikeshi 3"),),
        "H22: seat 2 has declared nothing.",
    ),
    Edited(
        "hachihachi/void-show-twice",
        _TORIKESHI,
        (
            ("show 1 teshi opqr", "show 2 sanbon ACJ"),
            ("2. L/j", "=void-show 2\n2. L/j"),
            ("=torikeshi 3", "=void-show 2 =torikeshi 3"),
        ),
        "H22: a false declaration is struck out once.",
    ),
    Edited(
        "koikoi/not-in-hand",
        _KOIKOI,
        (("1. gxj/XxW", "1. bxZ/XxW"),),
        "C3: b lies in the hand of seat 1, and seat 2 plays it.",
    ),
    Edited(
        "koikoi/wrong-stock-card",
        _KOIKOI,
        (("gxj/XxW", "gxj/A"),),
        "C3: X lies on top of the draw pile, and A is turned.",
    ),
    Edited(
        "koikoi/not-in-stock",
        _KOIKOI,
        (("stock XAKELOiDquVJSTrUNYtmGalf", "stock X..."), ("cxd/A", "cxd/B")),
        "C3: B lies in the hand of seat 1, so that it cannot be turned.",
    ),
    Edited(
        "hachihachi/stock-left-out",
        _TORIKESHI,
        (("L/j", "L=agari"),),
        "H7: agari is said only when both cards of the turn are played.",
    ),
    Edited(
        "koikoi/capture-from-nothing",
        _KOIKOI,
        (("cxd/A", "cxd/AxI"),),
        "C2: no pine lies on the field, and I is cherry.",
    ),
    Edited(
        "koikoi/capture-wrong",
        _KOIKOI,
        (("gxj", "gxI"),),
        "C2: g captures j, the chrysanthemum on the field, and not I.",
    ),
    Edited(
        "hachihachi/capture-missing",
        "hachihachi/month-sage-by-half",
        (("hxgij/p", "h/p"),),
        "C2: h captures all three of its month, which must be written.",
    ),
    Edited(
        "koikoi/wrong-round",
        _KOIKOI,
        (("2. CxA", "3. CxA"),),
        "kafu.md 5: a written number of a round is checked; this is round 2.",
    ),
    Edited(
        "koikoi/wrong-seat",
        _KOIKOI,
        (("1. gxj", "1. 1:gxj"),),
        "C1: the dealer plays first, and that is seat 2.",
    ),
    Edited(
        "koikoi/decision-due",
        _KOIKOI,
        (("KxI=koikoi", "KxI"),),
        "K10: seat 2 made omotesugawara and says nothing.",
    ),
    Edited(
        "koikoi/decision-not-due",
        _KOIKOI,
        (("XxW cxd", "XxW=koikoi cxd"),),
        "K10: without a new yaku nothing is said.",
    ),
    Edited(
        "koikoi/decision-of-other-game",
        _KOIKOI,
        (("=shobu", "=agari"),),
        "K10: agari is no word of koi-koi.",
    ),
    Edited(
        "hachihachi/sage-on-last-card",
        "hachihachi/month-last-card",
        (("=agari", "=sage"),),
        "H7: on the last hand card only agari is possible.",
    ),
    Edited(
        "hachihachi/sage-while-another",
        "hachihachi/month-sage-and-agari",
        (("=agari", "=sage"),),
        "H7: seat 1 is in sage, so that seat 2 can say agari only.",
    ),
    Edited(
        "hachihachi/nimai-on-last-turn",
        "hachihachi/month-played-out",
        (("PxO/ZxY", "PxO/ZxY=nimai"),),
        "H25: with the last card of the draw pile no second one can have been turned.",
    ),
    Edited(
        "hachihachi/torikeshi-too-early",
        _TORIKESHI,
        (("=sage r/N", "=sage =torikeshi 3 r/N"),),
        "H10: sage may be called off from the end of the next turn on.",
    ),
)
