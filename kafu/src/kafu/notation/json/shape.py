"""The shape of Kafu's JSON form: allowed values and their limits, checked without a library.

`kafu.notation.json.schema` describes the same shape for other programs. A `Shape` is a function of
a value and its JSON pointer. It raises Malformed (``bad-json-form``) for a value of another shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from kafu.notation import codes
from kafu.notation.reading.source import clip, fail
from kafu.notation.vocabulary import (
    MAX_AMOUNT,
    MAX_COMMENTS,
    MAX_DEALS,
    MAX_GAME_BYTES,
    MAX_ROUND,
    MAX_STATEMENTS,
    MAX_TAG_BYTES,
    MAX_TAGS,
    MAX_TURNS,
)

Shape = Callable[[Any, str], None]
MAX_SEATS: Final = 7


def fail_shape(pointer: str, expected: str) -> NoReturn:
    """Raise ``bad-json-form`` at ``pointer``."""
    fail(codes.BAD_JSON_FORM, None, expected, pointer=clip(pointer, 200) or "/", wanted=expected)


def text(pattern: str, longest: int = MAX_TAG_BYTES) -> Shape:
    """Return the shape of a string that ``pattern`` matches completely."""
    compiled = re.compile(pattern, re.DOTALL)

    def check(value: Any, pointer: str) -> None:
        if not isinstance(value, str) or len(value) > longest or not compiled.fullmatch(value):
            fail_shape(pointer, f"string {pattern}")

    return check


def integer(low: int, high: int) -> Shape:
    """Return the shape of an integer from ``low`` to ``high``, both included."""

    def check(value: Any, pointer: str) -> None:
        if type(value) is not int or not low <= value <= high:
            fail_shape(pointer, f"integer {low} … {high}")

    return check


def boolean(value: Any, pointer: str) -> None:
    """Check for true or false."""
    if not isinstance(value, bool):
        fail_shape(pointer, "boolean")


def array(item: Shape, longest: int, least: int = 0) -> Shape:
    """Return the shape of an array of ``least`` to ``longest`` items of equal shape."""

    def check(value: Any, pointer: str) -> None:
        if not isinstance(value, list) or not least <= len(value) <= longest:
            fail_shape(pointer, f"array ({least} … {longest})")
        for index, element in enumerate(value):
            item(element, f"{pointer}/{index}")

    return check


def tuple_of(*items: Shape) -> Shape:
    """Return the shape of an array with exactly these items, in order."""

    def check(value: Any, pointer: str) -> None:
        if not isinstance(value, list) or len(value) != len(items):
            fail_shape(pointer, f"array ({len(items)})")
        for index, (item, element) in enumerate(zip(items, value, strict=True)):
            item(element, f"{pointer}/{index}")

    return check


def mapping(keys: str, item: Shape, longest: int) -> Shape:
    """Return the shape of an object with keys that match ``keys`` and values of equal shape."""
    key_pattern = re.compile(keys)

    def check(value: Any, pointer: str) -> None:
        if not isinstance(value, dict) or len(value) > longest:
            fail_shape(pointer, f"object (0 … {longest})")
        for key, element in value.items():
            if not isinstance(key, str) or not key_pattern.fullmatch(key):
                fail_shape(_join(pointer, key), f"key {keys}")
            item(element, _join(pointer, key))

    return check


def record(required: Mapping[str, Shape], optional: Mapping[str, Shape]) -> Shape:
    """Return the shape of an object with all ``required`` keys and any ``optional`` keys only."""
    shapes = {**required, **optional}

    def check(value: Any, pointer: str) -> None:
        if not isinstance(value, dict):
            fail_shape(pointer, "object")
        for key in required:
            if key not in value:
                fail_shape(pointer, f'key "{key}"')
        for key, element in value.items():
            shape = shapes.get(key)
            if shape is None:
                fail_shape(_join(pointer, key), f"key {' | '.join(shapes)}")
            shape(element, _join(pointer, key))

    return check


def _join(pointer: str, key: Any) -> str:
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def _turn(value: Any, pointer: str) -> None:
    """Check a turn, or a call between turns."""
    if isinstance(value, dict) and "call" in value:
        _CALL(value, pointer)
    else:
        _PLAYED(value, pointer)


_SEAT: Final = integer(1, MAX_SEATS)
_WORD: Final = text("[a-z][a-z0-9-]{0,63}")
_CARD: Final = text("[A-Za-v_]")
_CARDS: Final = text("[A-Za-v_]{1,50}")
_DECISIONS: Final = array(text("[a-z]{1,20}"), 8)
_AMOUNTS: Final = array(integer(-MAX_AMOUNT, MAX_AMOUNT), MAX_SEATS, 2)
_COMMENT: Final = text(".*", MAX_GAME_BYTES)
_COMMENTS: Final = array(_COMMENT, MAX_COMMENTS)
_NOTES: Final = mapping("[A-Za-z][A-Za-z0-9_.-]{0,70}", _COMMENTS, MAX_TAGS + 4 * MAX_STATEMENTS)
_CALL: Final = record({"call": _WORD, "seat": _SEAT}, {"comments": _COMMENTS})
_PLAYED: Final = record(
    {"play": _CARD},
    {
        "take": _CARDS,
        "turn": _CARD,
        "take2": _CARDS,
        "say1": _DECISIONS,
        "say": _DECISIONS,
        "round": integer(0, MAX_ROUND),
        "seat": _SEAT,
        "comments": _COMMENTS,
    },
)
_DEAL: Final = record(
    {"dealer": _SEAT},
    {
        "draws": array(array(tuple_of(_SEAT, _CARD), MAX_SEATS, 1), MAX_STATEMENTS),
        "split": mapping("[1-7]", _CARDS, MAX_SEATS),
        "blind": _SEAT,
        "hands": mapping("[1-7]", text(r"[A-Za-v_?]{1,50}"), MAX_SEATS),
        "field": _CARDS,
        "stock": text(r"[A-Za-v_]{1,50}(?:\.\.\.)?|\.\.\."),
        "swaps": array(_SEAT, MAX_STATEMENTS),
    },
)
_MONTH: Final = record(
    {"month": integer(0, 999), "deal": _DEAL},
    {
        "bids": array(tuple_of(_SEAT, text("in|out")), MAX_SEATS),
        "shows": array(
            record({"seat": _SEAT, "yaku": array(_WORD, 8, 1)}, {"cards": _CARDS}), MAX_STATEMENTS
        ),
        "turns": array(_turn, MAX_TURNS),
        "redeal": _WORD,
        "void": _WORD,
        "pays": array(
            record(
                {"label": text("[a-z][a-z0-9+-]{0,127}"), "amounts": _AMOUNTS}, {"void": boolean}
            ),
            MAX_STATEMENTS,
        ),
        "stone": _SEAT,
        "claims": record({}, {"ba": _WORD, "score": _AMOUNTS}),
        "comments": _NOTES,
    },
)
_RESERVED_TAGS: Final = "Kafu|Rules|Options|Result|Player[1-9][0-9]*"
#: The shape of a whole game.
GAME: Final[Shape] = record(
    {
        "kafu": text("1"),
        "rules": _WORD,
        "players": array(text(r"[^\r\n]*"), MAX_SEATS, 2),
        "months": array(_MONTH, MAX_DEALS, 1),
    },
    {
        "options": mapping("[a-z][a-z0-9-]{0,63}", text("[A-Za-z0-9-]{1,64}"), 64),
        "tags": mapping(
            f"(?!(?:{_RESERVED_TAGS})$)[A-Za-z][A-Za-z0-9_-]{{0,63}}", text(r"[^\r\n]*"), MAX_TAGS
        ),
        "claims": record({}, {"result": _AMOUNTS, "final": _AMOUNTS}),
        "comments": _NOTES,
    },
)
