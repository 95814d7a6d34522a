"""Amounts as Kafu writes them, and as people write them.

Kafu: ``+5``, ``-12``, ``0``; with kan (貫, 12 points) ``+7k``, ``-3k6``. People: ``▲18``, ``(18)``,
``+9文``, ``7貫6文``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from kafu.notation import codes
from kafu.notation.game import Place
from kafu.notation.reading.source import SourceLine, Warn, clip, fail
from kafu.notation.vocabulary import KAN, MAX_AMOUNT, RulesetNotation

_AMOUNT: Final = re.compile(r"([+-]?)([0-9]{1,10})(?:(k)([0-9]{0,10}))?")
#: The length of the longest amount. Longer words are not cached.
LONGEST_AMOUNT: Final = 40
#: Marks of a negative amount: bookkeepers' marks, and long vowels and lines typed for a minus.
_MINUS: Final = "▲△▼▽ーｰ─━-"
_WRITTEN_AMOUNT: Final = re.compile(
    rf"(\()?([+{_MINUS}]?)([0-9]{{1,10}})(?:([kK]|貫|kan)([0-9]{{0,10}}))?(文|点|mon)?(\))?"
)
_DETACHED_SIGN: Final = re.compile(rf"(?<!\S)[+{_MINUS}]([ \t\f]+)(?=[0-9])")


def parse(word: str, notation: RulesetNotation, find_place: Callable[[], Place], warn: Warn) -> int:
    """Return the amount of ``word`` in the small unit; the sign applies to kan and points.

    An amount not in Kafu's form is read with a warning. ``find_place`` returns the place of
    ``word``.

    Raises Malformed (``bad-amount``, ``no-kan``, ``ambiguous-amount``).
    """
    amount = parse_canonical(word)
    if amount is None:  # to normalise all words takes 2 % of a verdict
        normal_word = normalise(word) or ""
        amount = parse_canonical(normal_word)
        if amount is None:
            fail(codes.BAD_AMOUNT, find_place(), found=clip(word))
        if notation.mon_above_zero and (readings := list_debt_readings(normal_word)):
            fail(codes.AMBIGUOUS_AMOUNT, find_place(), *readings, found=clip(word))
        warn(codes.ALIAS, find_place(), found=clip(word), read=normal_word)
        word = normal_word
    if not notation.kan and "k" in word:
        fail(codes.NO_KAN, find_place(), rules=notation.id, found=clip(word))
    if abs(amount) > MAX_AMOUNT:
        fail(codes.BAD_AMOUNT, find_place(), found=clip(word))
    return amount


def parse_canonical(word: str) -> int | None:
    """Return the amount of ``word`` in Kafu's form, for any ruleset; None for any other form."""
    return None if len(word) > LONGEST_AMOUNT else _parse_canonical(word)


@lru_cache(maxsize=4096)  # a few hundred amounts recur
def _parse_canonical(word: str) -> int | None:
    match = _AMOUNT.fullmatch(word)
    if match is None:
        return None
    sign, number, kan, point_digits = match.groups()
    amount = int(number) * (KAN if kan else 1) + int(point_digits or 0)
    return -amount if sign == "-" else amount


def normalise(word: str) -> str | None:
    """Return an amount in Kafu's form, from any form that people write; None for no amount.

    >>> normalise("▲18"), normalise("(18)"), normalise("+9文"), normalise("-3貫6文")
    ('-18', '-18', '+9', '-3k6')
    """
    match = _WRITTEN_AMOUNT.fullmatch(word)
    if match is None:
        return None
    opened, sign, number, kan, point_digits, unit, closed = match.groups()
    if bool(opened) != bool(closed) or (opened and sign) or (kan and unit and not point_digits):
        return None
    minus = opened or (sign and sign in _MINUS)
    return f"{'-' if minus else sign}{number}{'k' if kan else ''}{point_digits or ''}"


def list_debt_readings(word: str) -> tuple[str, ...]:
    """Return the two possible readings of a negative amount of kan and points.

    The sign applies to kan and points, as in Kafu, or to the kan only, as in a document whose mon
    are never negative. Any other amount has no readings.

    >>> list_debt_readings("-1k7"), list_debt_readings("-1k")
    (('-1k7', '-5'), ())
    """
    match = _AMOUNT.fullmatch(word)
    if match is None or match[1] != "-" or not int(match[4] or 0):
        return ()
    return word, text(int(match[4]) - KAN * int(match[2]), kan=True)


def join_signs(line: SourceLine) -> None:
    """Remove the blanks between a sign and its number."""
    line.remove([match.span(1) for match in _DETACHED_SIGN.finditer(line.text)])


def parse_seat(word: str, seats: int, find_place: Callable[[], Place]) -> int:
    """Return the seat of ``word``, from 1; ``find_place`` returns the place of ``word``.

    Raises Malformed (``no-such-seat``).
    """
    if len(word) == 1 and "1" <= word <= str(seats):
        return int(word)
    expected = map(str, range(1, seats + 1))
    fail(codes.NO_SUCH_SEAT, find_place(), *expected, found=clip(word), seats=seats)


@lru_cache(maxsize=4096)
def text(amount: int, kan: bool) -> str:
    """Return an amount in Kafu's form: kan and points if ``kan``, ``0`` without a sign.

    >>> text(60, kan=True), text(-42, kan=True), text(60, kan=False)
    ('+5k', '-3k6', '+60')
    """
    if not amount:
        return "0"
    sign = "+" if amount > 0 else "-"
    whole, small_units = divmod(abs(amount), KAN) if kan else (0, abs(amount))
    return f"{sign}{f'{whole}k' if whole else ''}{small_units or '' if whole else small_units}"
