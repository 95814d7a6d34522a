"""Numbers of a workbook's cells as text: dates and times by the number format of their cell."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from typing import Final

#: The kinds of number formats that show a date, kan, the month of a date, a time of day, percent.
DATE: Final = "date"
IN_KAN: Final = "kan"
MONTH: Final = "month"
PERCENT: Final = "percent"
TIME: Final = "time"
#: The formats that a workbook names by their id only; 27 to 36 and 50 to 58 are Japanese.
BUILTIN_KINDS: Final = {
    **dict.fromkeys((*range(14, 18), 22, *range(27, 32), *range(34, 37), *range(50, 59)), DATE),
    **dict.fromkeys((*range(18, 22), 32, 33, 45, 47), TIME),
    **dict.fromkeys((9, 10), PERCENT),
}
#: Parts of a format that are no placeholders: quoted text, colours and languages, and characters
#: after a backslash, an underscore or an asterisk. Each is found in linear time.
_LITERAL: Final = re.compile(r'(?:"[^"]*"?|\[[^\[\]]*\]?|[\\_*].?)+')
_ELAPSED: Final = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_EPOCH: Final = datetime(1899, 12, 30)
_EPOCH_1904: Final = datetime(1904, 1, 1)
#: Spreadsheets have a 29 February 1900, so the base for earlier dates is a day later.
_LEAP_DAY: Final = 60
#: Spreadsheets show 15 digits.
_MAX_WHOLE: Final = 10**15


def kind_of(code: str) -> str | None:
    """Return the kind of a number format, or None for plain numbers and for durations.

    >>> kind_of('yyyy"年"m"月"d"日"'), kind_of('m"月"'), kind_of("h:mm"), kind_of("[Red]0.00")
    ('date', 'month', 'time', None)
    >>> kind_of('0"貫"')
    'kan'
    """
    if _ELAPSED.search(code):
        return None
    placeholders = set(_LITERAL.sub("", code).partition(";")[0].lower())
    if placeholders & {"y", "d"}:
        return DATE
    if placeholders & {"h", "s"}:
        return TIME
    if "m" in placeholders:
        return MONTH
    if "%" in placeholders:
        return PERCENT
    return IN_KAN if "貫" in code.partition(";")[0] else None


def number_text(text: str, kind: str | None, *, epoch_1904: bool = False) -> str:
    """Return a stored number as text: a date, a time, or a number of 15 digits at most.

    >>> number_text("7.0", None), number_text("46056", DATE), number_text("46056", MONTH)
    ('7', '2026-02-03', '2月')
    >>> number_text("-1.5", IN_KAN)
    '-1.5貫'
    """
    try:
        number = float(text)
    except ValueError:
        return text
    if not math.isfinite(number):
        return text
    if kind == TIME:
        seconds = round(number % 1 * 86_400) % 86_400
        return (_EPOCH + timedelta(seconds=seconds)).time().isoformat()
    if kind == IN_KAN:
        return f"{number_text(text, None)}貫"
    if kind == PERCENT:
        return f"{100 * number:.15g}%"
    if kind in (DATE, MONTH) and number >= 1:
        days = number + (number < _LEAP_DAY and not epoch_1904)
        try:
            date = (_EPOCH_1904 if epoch_1904 else _EPOCH) + timedelta(days=days)
        except OverflowError:
            pass
        else:
            return f"{date.month}月" if kind == MONTH else date.date().isoformat()
    rounded = f"{number:.15g}"
    return str(int(number)) if number.is_integer() and abs(number) < _MAX_WHOLE else rounded
