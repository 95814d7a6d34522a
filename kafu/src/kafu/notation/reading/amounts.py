"""Sums as Kafu writes them: ``+5``, ``-12``, ``0``; with kan (貫, 12 points) ``+7k``, ``-3k6``; and
as people do: ``▲18``, ``(18)``, ``+9文``, ``7貫6文``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.game import Place
from kafu.notation.reading.source import SourceLine, Warn, clip, fail
from kafu.notation.vocabulary import KAN, MAX_AMOUNT, Rules

_AMOUNT: Final = re.compile(r"([+-]?)([0-9]{1,10})(?:(k)([0-9]{0,10}))?")
#: Marks of a negative sum, of bookkeepers and of keyboards whose minus is a long vowel or a line.
_MINUS: Final = "▲△▼▽ーｰ─━-"
_AS_PEOPLE_WRITE: Final = re.compile(
    rf"(\()?([+{_MINUS}]?)([0-9]{{1,10}})(?:(k|貫|kan)([0-9]{{0,10}}))?(文|点|mon)?(\))?"
)
_SIGN_APART: Final = re.compile(rf"(?<!\S)[+{_MINUS}]([ \t\f]+)(?=[0-9])")


def parse(word: str, rules: Rules, place: Place, warn: Warn) -> int:
    """The sum that ``word`` says, in the small unit; the sign covers kan and points. One that is
    not written as Kafu has it is read with a warning.

    Raises Malformed (``bad-amount``, ``no-kan``, ``ambiguous-amount``).
    """
    amount = points(word)
    if amount is None:
        plain = rewritten(word)
        amount = None if plain is None else points(plain)
        if plain is None or amount is None:
            fail(codes.BAD_AMOUNT, place, found=clip(word))
        readings = readings_of_debt(plain) if rules.mon_above_zero else ()
        if readings and plain[-1].isdigit():
            fail(codes.AMBIGUOUS_AMOUNT, place, *readings, found=clip(word))
        warn(Fault(codes.ALIAS, *place, values={"found": clip(word), "read": plain}))
        word = plain
    if not rules.kan and "k" in word:
        fail(codes.NO_KAN, place, rules=rules.id, found=clip(word))
    if abs(amount) > MAX_AMOUNT:
        fail(codes.BAD_AMOUNT, place, found=clip(word))
    return amount


@lru_cache(maxsize=4096)  # the same few hundred sums come again and again
def points(word: str) -> int | None:
    """The sum that ``word`` says whatever the ruleset; None if it is not written as one."""
    match = _AMOUNT.fullmatch(word)
    if match is None:
        return None
    sign, number, kan, rest = match.groups()
    amount = int(number) * (KAN if kan else 1) + int(rest or 0)
    return -amount if sign == "-" else amount


@lru_cache(maxsize=4096)
def rewritten(word: str) -> str | None:
    """The sum in Kafu's form, of one that people write otherwise; None for what is no sum.

    >>> rewritten("▲18"), rewritten("(18)"), rewritten("+9文"), rewritten("-3貫6文")
    ('-18', '-18', '+9', '-3k6')
    """
    match = _AS_PEOPLE_WRITE.fullmatch(word)
    if match is None:
        return None
    opened, sign, number, kan, rest, unit, closed = match.groups()
    if bool(opened) != bool(closed) or (opened and sign) or (kan and unit and not rest):
        return None
    minus = opened or (sign and sign in _MINUS)
    return f"{'-' if minus else sign}{number}{'k' if kan else ''}{rest or ''}"


def readings_of_debt(plain: str) -> tuple[str, ...]:
    """The two sums that a negative one of kan and points may be: the sign covers both, as Kafu has
    it, or the kan alone, as in a document whose mon are never negative. None for another sum.

    >>> readings_of_debt("-1k7"), readings_of_debt("-1k")
    (('-1k7', '-5'), ())
    """
    match = _AMOUNT.fullmatch(plain)
    if match is None or match[1] != "-" or not int(match[4] or 0):
        return ()
    return plain, text(int(match[4]) - KAN * int(match[2]), kan=True)


def close_signs(line: SourceLine) -> None:
    """Remove the blanks between a sign and its number."""
    line.remove([match.span(1) for match in _SIGN_APART.finditer(line.text)])


def pairs(
    line: SourceLine, words: Sequence[str], start: int, rules: Rules, seats: int, warn: Warn
) -> tuple[int, ...]:
    """The amounts in ``words[start:]``, written ``1 +5 2 0``: each seat once, in any order.

    Returns them in seat order. Raises Malformed (``bad-amounts``, ``no-such-seat`` and others).
    """
    found: dict[int, int] = {}
    for index in range(start, len(words) - 1, 2):
        number = seat(words[index], line, index, seats)
        if number in found:
            fail(codes.SEAT_TWICE, line.word(index), seat=number)
        found[number] = parse(words[index + 1], rules, line.word(index + 1), warn)
    if len(found) != seats or len(words) != start + 2 * seats:
        fail(codes.BAD_AMOUNTS, line.word(min(len(words), start + 2 * seats)), seats=seats)
    return tuple(found[number] for number in range(1, seats + 1))


def seat(word: str, line: SourceLine, index: int, seats: int) -> int:
    """The seat that ``word`` (number ``index`` of ``line``) names, from 1.

    Raises Malformed (``no-such-seat``).
    """
    if len(word) == 1 and "1" <= word <= str(seats):
        return int(word)
    fail(
        codes.NO_SUCH_SEAT,
        line.word(index),
        *map(str, range(1, seats + 1)),
        found=clip(word),
        seats=seats,
    )


@lru_cache(maxsize=4096)
def text(amount: int, kan: bool) -> str:
    """The canonical form: kan and points where the ruleset has kan, ``0`` without a sign.

    >>> text(60, kan=True), text(-42, kan=True), text(60, kan=False)
    ('+5k', '-3k6', '+60')
    """
    if not amount:
        return "0"
    sign = "+" if amount > 0 else "-"
    whole, points = divmod(abs(amount), KAN) if kan else (0, abs(amount))
    return f"{sign}{f'{whole}k' if whole else ''}{points or '' if whole else points}"
