"""Records that are malformed or need a repair, named by the code (docs/kafu.md, 9)."""

from __future__ import annotations

from typing import Final

from conformance.edits import EditedRecord

_MONTH: Final = "koikoi/month"
_HACHI: Final = "hachihachi/month-torikeshi"
_SHEET: Final = "hachihachi/sheet-year"


def _edited(code: str, about: str, *edits: tuple[str, str], base: str = _MONTH) -> EditedRecord:
    return EditedRecord(f"notation/{code}", base, edits, about)


def _whole(code: str, about: str, text: str, encoding: str = "utf-8") -> EditedRecord:
    return EditedRecord(f"notation/{code}", "", (("", text),), about, encoding)


_HEAD: Final = '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "Aya"]\n[Player2 "Ben"]\n'
_DEAL: Final = '"month": 1, "deal": {"dealer": 1}'
_OBJECT: Final = f'{{"kafu": "1", "rules": "koikoi", "players": ["", ""], "months": [{{{_DEAL}}}]'
_HAND: Final = "hand 1 BMQRbceo"

_FILES: Final = (
    _whole("empty", "kafu.md 9: the file is empty.", ""),
    _whole("binary", "kafu.md 8: the bytes are not text.", "\1\2\3\4" * 4, "latin-1"),
    _whole(
        "picture", "kafu.md 8: a picture is not text.", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin-1"
    ),
    _whole("document", "kafu.md 8: RTF is not plain text.", '{\\rtf1\\ansi [Kafu "1"]\\par}\n'),
    _whole(
        "compressed", "kafu.md 8: gzip is not unpacked here.", "\x1f\x8b\x08" + "\0" * 7, "latin-1"
    ),
    _whole(
        "bad-encoding",
        "kafu.md 8: the byte FF is invalid in UTF-8 and in Shift_JIS.",
        _HEAD.replace("Aya", "Aya\xff"),
        "latin-1",
    ),
    _whole("utf-32", "kafu.md 8: UTF-32 is recognized and not read.", _HEAD, "utf-32"),
    _edited("control-character", "kafu.md 9: U+0007 is not allowed in a game.", ("Aya", "Aya\x07")),
    _edited(
        "invisible-character",
        "kafu.md 9: a zero-width blank is removed.",
        (_HAND, _HAND.replace("BM", "B\u200bM")),
    ),
    _edited(
        "comment-not-closed", "kafu.md 7: a brace is not closed.", ("cxd/A", "cxd/A {the moon")
    ),
)

_TAGS: Final = (
    _edited("first-tag", "kafu.md 2: the first tag is Kafu.", ('[Kafu "1"]\n', "")),
    _edited("bad-tag", "kafu.md 2: the value lacks a quote.", ('"Ben"]', '"Ben]')),
    _edited(
        "tag-twice", "kafu.md 2: a tag occurs only once.", ('"Ben"]', '"Ben"]\n[Player2 "Chie"]')
    ),
    _edited("tag-after-month", "kafu.md 2: tags come first.", (_HAND, f'[Event "x"]\n{_HAND}')),
    _edited("tag-too-long", "kafu.md 12: the tag has 4,097 bytes.", ("Ben", "n" * 4097)),
    _edited(
        "too-many-tags",
        "kafu.md 12: the game has 257 tags.",
        ('"Ben"]', '"Ben"]\n' + "\n".join(f'[T{i} ""]' for i in range(251))),
    ),
    _edited("missing-tag", "kafu.md 2: a game needs the tag Rules.", ('[Rules "koikoi"]\n', "")),
    _edited("bad-version", "kafu.md 2: the version is 1.", ('[Kafu "1"]', '[Kafu "2"]')),
    _edited("unknown-rules", "kafu.md 2: there is no such ruleset.", ('"koikoi"', '"hanafuda"')),
    _edited("unknown-option", "kafu.md 2: koi-koi has no such option.", ("months=1", "moon=1")),
    _edited(
        "bad-option-value", "kafu.md 2: a game has at most 48 months.", ("months=1", "months=49")
    ),
    _edited(
        "option-twice", "kafu.md 2: an option occurs only once.", ("months=1", "months=1 months=1")
    ),
    _edited(
        "unknown-termination",
        "kafu.md 2: the reason is not in the list.",
        ('"unfinished"', '"rain"'),
        base=_HACHI,
    ),
    _edited(
        "bad-sheet", "kafu.md 2: a sheet is marked 1.", ('[Sheet "1"]', '[Sheet "2"]'), base=_SHEET
    ),
    _edited("missing-player", "kafu.md 2: there is no second player.", ('[Player2 "Ben"]\n', "")),
    _edited(
        "too-many-players",
        "kafu.md 2: koi-koi has two players.",
        ('"Ben"]', '"Ben"]\n[Player3 "Chie"]'),
    ),
)

_STATEMENTS: Final = (
    _edited(
        "unknown-statement", "kafu.md 4: there is no such statement.", (_HAND, f"deck A\n{_HAND}")
    ),
    _edited("statement-form", "kafu.md 4: a month has a dealer.", ("month 1 dealer 2", "month 1")),
    _edited(
        "statement-order",
        "kafu.md 4: the field comes before the draw pile.",
        ("field IWZdjpsv\nstock XAKELOiDquVJSTrUNYtmGalf", "stock ...\nfield IWZdjpsv"),
    ),
    _edited("statement-twice", "kafu.md 4: a seat has only one hand.", ("hand 2", "hand 1")),
    _edited(
        "not-in-sheet",
        "kafu.md 6: a sheet has no cards.",
        ("stone 2\n\nmonth 2", "field A\n\nmonth 2"),
        base=_SHEET,
    ),
    _edited(
        "only-in-sheet",
        "kafu.md 6: payments are only in sheets.",
        ("score 1 0", "pay tan 1 0 2 0\nscore 1 0"),
    ),
    _whole("no-months", "kafu.md 9: the game has only tags.", _HEAD),
    _whole(
        "too-many-deals", "kafu.md 12: the game has 65 deals.", _HEAD + "month 1 dealer 1\n" * 65
    ),
    _edited(
        "too-many", "kafu.md 12: the seat draw has 101 rows.", (_HAND, "draw 1A 2E\n" * 101 + _HAND)
    ),
    _edited("bad-card", "kafu.md 1: w is not a card.", (_HAND, "hand 1 BMQRbcew")),
    _edited(
        "unknown-card-here", "kafu.md 1: ? is only allowed in hands.", ("field IWZ", "field ?WZ")
    ),
    _edited("no-such-seat", "kafu.md 4: there is no seat 3.", ("hand 2", "hand 3")),
    _edited(
        "seat-twice", "kafu.md 3: each seat occurs only once.", ("score 1 0 2 +6", "score 1 0 1 +6")
    ),
    _edited("bad-amount", "kafu.md 3: a sum is a number.", ("score 1 0 2 +6", "score 1 0 2 six")),
    _edited(
        "ambiguous-amount",
        "kafu.md 3: the site shows a payment of 26 mon as −3貫10文; −2貫10文 may be −34 or −14.",
        ("4 -2k10", "4 -2貫10文"),
        base="hachihachi-bga/month-of-four",
    ),
    _edited("no-kan", "kafu.md 3: koi-koi has no kan.", ("score 1 0 2 +6", "score 1 0 2 +6k")),
    _edited("bad-amounts", "kafu.md 3: every seat has a sum.", ("score 1 0 2 +6", "score 1 0")),
    _edited(
        "unknown-grade",
        "kafu.md 4: small, large or absolute.",
        ("show 1", "ba huge\nshow 1"),
        base=_HACHI,
    ),
    _edited(
        "unknown-reason",
        "kafu.md 4: there is no such reason.",
        ("redeal shima", "redeal rain"),
        base="koikoi/shima",
    ),
    _edited(
        "bad-yaku",
        "kafu.md 13: a yaku is written in lower case.",
        ("show 1 teshi", "show 1 Teshi"),
        base=_HACHI,
    ),
    _edited(
        "bad-label",
        "kafu.md 6: a label is written in lower case.",
        ("pay goun", "pay Goun"),
        base=_SHEET,
    ),
    _edited(
        "bad-turn", "kafu.md 5: a turn without a decision has a drawn card.", ("gxj/XxW", "gxj")
    ),
    _edited("unknown-decision", "kafu.md 5: there is no such decision.", ("=shobu", "=stop")),
)

_JSON: Final = (
    _whole("bad-json", "kafu.md 11: the object is not closed.", _OBJECT + "\n"),
    _whole(
        "json-too-deep",
        "kafu.md 9: the brackets are nested too deeply.",
        '{"kafu": ' + "[" * 20000 + "\n",
    ),
    _whole("json-key-twice", "kafu.md 9: a key occurs only once.", _OBJECT + ', "kafu": "1"}\n'),
    _whole(
        "json-number",
        "kafu.md 9: NaN is not a number.",
        _OBJECT + ', "claims": {"final": [NaN, 0]}}\n',
    ),
    _whole("bad-json-form", "kafu.md 11: there is no such key.", _OBJECT + ', "moon": 1}\n'),
)

_REPAIRS: Final = (
    _whole(
        "decoded",
        "kafu.md 8: the names are in Shift_JIS.",
        _HEAD.replace("Aya", "あや").replace("Ben", "べん")
        + '[Termination "unfinished"]\nmonth 1 dealer 1\n',
        "shift_jis",
    ),
    _edited(
        "repairs",
        "kafu.md 9: seven repairs: a date, a backslash, a full-width digit, a line that ends in CR,"
        " a round without its number, a decision in Japanese, a round without turns.",
        ('"Ben"]', '"B\\en"]\n[Date "May 3"]'),
        ("1. gxj", "１. gxj"),
        ("2. CxA", "\rCxA"),
        ("=shobu\n", "=勝負\n4.\n"),
    ),
    _whole(
        "decoded-names",
        "kafu.md 8: the names are in EUC-JP.",
        _HEAD.replace("Aya", "花子").replace("Ben", "太郎")
        + '[Termination "unfinished"]\nmonth 1 dealer 1\n',
        "euc_jp",
    ),
    _edited("private-character", "kafu.md 8: U+E000 stays in the text.", ("Aya", "Aya\ue000")),
    _whole(
        "text-around",
        "kafu.md 8: a mail quotes the game.",
        "Aya wrote:\n"
        + "".join(f"> {row}\n" for row in _HEAD.splitlines())
        + '> [Termination "unfinished"]\n> month 1 dealer 1\n\nWell played!\n-- \nBen\n',
    ),
    _edited(
        "dates",
        "kafu.md 2: a date in an era becomes one in ISO 8601.",
        ('"Ben"]', '"Ben"]\n[Date "令和８年2月3日"]'),
    ),
    _edited(
        "no-such-date",
        "kafu.md 2: February has no 30th day; the date stays unchanged.",
        ('"Ben"]', '"Ben"]\n[Date "2026/2/30"]'),
    ),
    _edited(
        "doubtful-date",
        "kafu.md 2: nobody wrote Kafu in 1026; the date stays, and the game counts as undated.",
        ('"Ben"]', '"Ben"]\n[Date "1026-02-03"]'),
    ),
    _edited(
        "no-claim",
        "kafu.md 2: a result that claims nothing is left out.",
        ('"0 +12"]', '"*"]'),
    ),
    _edited(
        "damaged-text",
        "kafu.md 8: a name lost a character when its encoding was changed.",
        ("Aya", "Ay\ufffd"),
    ),
    _edited(
        "more-warnings",
        "kafu.md 9: 100 warnings are listed, and a note that there are more.",
        ("=shobu\n", "=shobu\n" + "4.\n" * 102),
    ),
    _whole(
        "not-read",
        "kafu.md 11: the text after the object is ignored.",
        _OBJECT + ', "tags": {"Termination": "unfinished"}} moon\n',
    ),
)

CASES: Final[tuple[EditedRecord, ...]] = (*_FILES, *_TAGS, *_STATEMENTS, *_JSON, *_REPAIRS)
