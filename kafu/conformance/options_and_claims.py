"""Records with an effect of an option, a wrong claim, or a warning."""

from __future__ import annotations

from typing import Final

from conformance.edits import EditedRecord

_KOIKOI: Final = "koikoi/month"
_TORIKESHI: Final = "hachihachi/month-torikeshi"

CASES: Final[tuple[EditedRecord, ...]] = (
    EditedRecord(
        "hachihachi-bga/sage-without-reach",
        "hachihachi-bga/months-out-of-reach",
        (("BxD=agari", "BxD=sage/M"),),
        "B8: seat 2 can make no further yaku, because another player has s, needed for shikō.",
    ),
    EditedRecord(
        "hachihachi-bga/torikeshi-on-last-card",
        "hachihachi-bga/month-sage-by-half",
        (
            ('[Rules "hachihachi-bga"]\n', '[Rules "hachihachi-bga"]\n[Options "torikeshi=yes"]\n'),
            ("bxa/MxN sxv", "bxa/MxN =torikeshi 2 sxv"),
        ),
        "B15: a sage is cancelled with at least two hand cards left, but seat 2 has one.",
    ),
    EditedRecord(
        "hachihachi-bga/torikeshi-not-played",
        "hachihachi-bga/month-sage-by-half",
        (("bxa/MxN sxv", "bxa/MxN =torikeshi 2 sxv"),),
        "B9: without the option a sage cannot be cancelled.",
    ),
    EditedRecord(
        "hachihachi/torikeshi-without-seat",
        _TORIKESHI,
        (("=torikeshi 3", "=torikeshi"),),
        "kafu.md 5: a call names its seat.",
    ),
    EditedRecord(
        "hachihachi/yaku-misspelt",
        _TORIKESHI,
        (("show 1 teshi", "show 1 tesi"),),
        "kafu.md 4: for an unknown yaku the nearest names are suggested.",
    ),
    EditedRecord(
        "koikoi/tokens-apart",
        _KOIKOI,
        (("hand 1 BMQRbceo", "hand 1 B、M Q, Rbceo"), ("cxd/A", "c x d {the moon} /\nA")),
        "kafu.md 5: blanks, a comment and a line end between the tokens of a turn.",
    ),
    EditedRecord(
        "koikoi/sums-as-people-write",
        _KOIKOI,
        (("score 1 0 2 +6", "score 1 0文 2 + 6文"),),
        "kafu.md 3: sums with a separate sign and a unit.",
    ),
    EditedRecord(
        "koikoi/decision-barred",
        "koikoi/house-koikoi-nintendo",
        (("Yxb/jxg=shobu", "Yxb/jxg=koikoi"),),
        "K15: in this house each player may declare koi-koi once per round.",
    ),
    EditedRecord(
        "koikoi/barred-by-koikoi-most",
        "koikoi/called-twice",
        (("nagare=next", "nagare=next koikoi-most=1"),),
        "K15: koikoi-most=1 lets each player declare koi-koi once per month.",
    ),
    EditedRecord(
        "koikoi/barred-by-koikoi-last",
        "koikoi/called-twice",
        (("nagare=next", "nagare=next koikoi-last=no"), ("=shobu", "=koikoi")),
        "K15: koikoi-last=no forbids koi-koi on the last card.",
    ),
    EditedRecord(
        "koikoi/multiplied-by-koikoi-times",
        "koikoi/called-twice",
        (
            ("nagare=next", "nagare=next koikoi-times=1"),
            ("score 1 0 2 +12", "score 1 0 2 +24"),
            ("final 1 0 2 +18", "final 1 0 2 +30"),
            ('"0 +18"', '"0 +30"'),
        ),
        "K15: with koikoi-times=1 the second koi-koi doubles the total.",
    ),
    EditedRecord(
        "koikoi/teyaku-not-played",
        "koikoi/shown-hand",
        (("months=1", "months=1 teyaku=no"),),
        "K15: with teyaku=no no hand can be shown.",
    ),
    EditedRecord(
        "ten-five-one/nasake-not-played",
        "ten-five-one/month-of-seven",
        (("months=1", "months=1 nasake=no"),),
        "T5: with nasake=no nobody can declare nasake.",
    ),
    EditedRecord(
        "ten-five-one/nasake-of-chosen-doni",
        "ten-five-one/month-of-seven",
        (("months=1", "months=1 nasake=chosen-doni"),),
        "T5: seat 6 is dōni, but went in by choice.",
    ),
    EditedRecord(
        "koikoi/capture-left-out",
        _KOIKOI,
        (("gxj", "g"),),
        "kafu.md 5: the capture of the only card of its month is filled in, with a warning.",
    ),
    EditedRecord(
        "hachihachi/not-checkable",
        _TORIKESHI,
        (
            ("hand 1 FSgopqr", "hand 1 ???????"),
            ("stock lvDjmNdtnMeYOkciWEZsH", "stock lvDjmNdtnM..."),
        ),
        "C9: seat 1 shows four cards of a month, and two of its hand cards are never seen: it may"
        " have had a better yaku.",
    ),
    EditedRecord(
        "koikoi/claim-not-checked",
        _KOIKOI,
        (
            ('"0 +12"]', '"0 +12"]\n[Termination "unfinished"]'),
            ("=shobu\nscore 1 0 2 +6", "=koikoi\nscore 1 0 2 +6"),
        ),
        "C8: sums are claimed for an unfinished deal and game.",
    ),
    EditedRecord(
        "koikoi/final-claimed-wrong",
        _KOIKOI,
        (("final 1 0 2 +12", "final 1 0 2 +13"),),
        "K14: the winner has 6 and a prize of 5 and 1; the statement claims one mon more.",
    ),
    EditedRecord(
        "koikoi/result-claimed-wrong",
        _KOIKOI,
        (('"0 +12"', '"0 +6"'),),
        "K14: the winner has 6 and a prize of 5 and 1; the tag leaves the prize out.",
    ),
    EditedRecord(
        "hachihachi/ba-claimed-wrong",
        _TORIKESHI,
        (("show 1 teshi", "ba small\nshow 1 teshi"),),
        "H1: two large brights lie on the field, which makes the month large.",
    ),
)
