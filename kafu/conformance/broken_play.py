"""Records with a single fault in a declaration, turn or decision, named by the code."""

from __future__ import annotations

from typing import Final

from conformance.edits import EditedRecord

_KOIKOI: Final = "koikoi/month"
_TORIKESHI: Final = "hachihachi/month-torikeshi"
_HANAAWASE: Final = "hanaawase/month"

CASES: Final[tuple[EditedRecord, ...]] = (
    EditedRecord(
        "hanaawase/show-false",
        _HANAAWASE,
        (("show 1 rokkasu CKOXbf", "show 2 rokkasu anv"),),
        "A1: the hand of seat 2 has only three chaff cards.",
    ),
    EditedRecord(
        "hanaawase/show-cards",
        _HANAAWASE,
        (("CKOXbf\n1.", "CKOXZb\n1."),),
        "A1: the chaff is laid open, but Z is not chaff.",
    ),
    EditedRecord(
        "hanaawase/show-twice",
        _HANAAWASE,
        (("show 1 rokkasu CKOXbf\n", "show 1 rokkasu CKOXbf\nshow 1 rokkasu CKOXbf\n"),),
        "A1: a player shows the same hand a second time.",
    ),
    EditedRecord(
        "hachihachi/show-false",
        _TORIKESHI,
        (("show 1 teshi opqr", "show 2 sanbon ACJ"),),
        "H2: the hand of seat 2 has no three cards of a month.",
    ),
    EditedRecord(
        "hachihachi/show-of-captured-yaku",
        _TORIKESHI,
        (("show 1 teshi opqr", "show 1 akatan opqr"),),
        "H2: akatan is a captured yaku, so no dealt hand has it.",
    ),
    EditedRecord(
        "hachihachi/void-show-of-right",
        _TORIKESHI,
        (("=torikeshi 3", "=void-show 1 =torikeshi 3"),),
        "H22: the declaration of seat 1 was right; the fault is at the declaration.",
    ),
    EditedRecord(
        "hachihachi/void-show-of-nothing",
        _TORIKESHI,
        (("=torikeshi 3", "=void-show 2 =torikeshi 3"),),
        "H22: seat 2 has declared nothing.",
    ),
    EditedRecord(
        "hachihachi/void-show-twice",
        _TORIKESHI,
        (
            ("show 1 teshi opqr", "show 2 sanbon ACJ"),
            ("2. L/j", "=void-show 2\n2. L/j"),
            ("=torikeshi 3", "=void-show 2 =torikeshi 3"),
        ),
        "H22: a false declaration is struck out only once.",
    ),
    EditedRecord(
        "koikoi/not-in-hand",
        _KOIKOI,
        (("1. gxj/XxW", "1. bxZ/XxW"),),
        "C3: b is in the hand of seat 1, but seat 2 plays it.",
    ),
    EditedRecord(
        "koikoi/wrong-stock-card",
        _KOIKOI,
        (("gxj/XxW", "gxj/A"),),
        "C3: X is on top of the draw pile, but A is drawn.",
    ),
    EditedRecord(
        "koikoi/not-in-stock",
        _KOIKOI,
        (("stock XAKELOiDquVJSTrUNYtmGalf", "stock X..."), ("cxd/A", "cxd/B")),
        "C3: B is in the hand of seat 1 and cannot be drawn.",
    ),
    EditedRecord(
        "hachihachi/stock-left-out",
        _TORIKESHI,
        (("L/j", "L=agari"),),
        "H7: agari is declared only after both cards of a turn.",
    ),
    EditedRecord(
        "koikoi/capture-from-nothing",
        _KOIKOI,
        (("cxd/A", "cxd/AxI"),),
        "C2: no pine is on the field, and I is cherry.",
    ),
    EditedRecord(
        "koikoi/capture-wrong",
        _KOIKOI,
        (("gxj", "gxI"),),
        "C2: g captures j, the chrysanthemum on the field, not I.",
    ),
    EditedRecord(
        "hachihachi/capture-missing",
        "hachihachi/month-sage-by-half",
        (("hxgij/p", "h/p"),),
        "C2: h captures all three cards of its month, and the record must list them.",
    ),
    EditedRecord(
        "koikoi/wrong-round",
        _KOIKOI,
        (("2. CxA", "3. CxA"),),
        "kafu.md 5: a written round number is checked; this is round 2.",
    ),
    EditedRecord(
        "koikoi/wrong-seat",
        _KOIKOI,
        (("1. gxj", "1. 1:gxj"),),
        "C1: the dealer, seat 2, plays first.",
    ),
    EditedRecord(
        "koikoi/decision-due",
        _KOIKOI,
        (("KxI=koikoi", "KxI"),),
        "K10: seat 2 made omotesugawara but declares no decision.",
    ),
    EditedRecord(
        "koikoi/decision-not-due",
        _KOIKOI,
        (("XxW cxd", "XxW=koikoi cxd"),),
        "K10: without a new yaku no decision is declared.",
    ),
    EditedRecord(
        "koikoi/decision-of-other-game",
        _KOIKOI,
        (("=shobu", "=agari"),),
        "K10: koi-koi does not have the decision agari.",
    ),
    EditedRecord(
        "hachihachi/sage-on-last-card",
        "hachihachi/month-last-card",
        (("=agari", "=sage"),),
        "H7: on the last hand card only agari is possible.",
    ),
    EditedRecord(
        "hachihachi/sage-while-another",
        "hachihachi/month-sage-and-agari",
        (("=agari", "=sage"),),
        "H7: seat 1 is in sage, so seat 2 can only declare agari.",
    ),
    EditedRecord(
        "hachihachi/nimai-on-last-turn",
        "hachihachi/month-played-out",
        (("PxO/ZxY", "PxO/ZxY=nimai"),),
        "H25: after the last card of the draw pile no second card can be drawn.",
    ),
    EditedRecord(
        "hachihachi/torikeshi-too-early",
        _TORIKESHI,
        (("=sage r/N", "=sage =torikeshi 3 r/N"),),
        "H10: sage can be cancelled from the end of the next turn on.",
    ),
)
