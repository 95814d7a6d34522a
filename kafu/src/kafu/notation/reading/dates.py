"""Conversion of written dates, year first, to ISO 8601 (kafu.md §2).

A spelling is converted only if it has a single reading. Dates without a certain order (3.1.2026,
02/03/26) are not.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import Final, NamedTuple

ISO: Final = re.compile(
    r"[0-9?]{4}(?:-(?:0[1-9]|1[0-2]|\?\?)(?:-(?:0[1-9]|[12][0-9]|3[01]|\?\?))?)?"
)
#: The maximum length of a date: all eras, kanji and a weekday fit.
_MAX_LENGTH: Final = 40


class _Era(NamedTuple):
    """An era: the year before its first year, and the range of its year numbers.

    Before 1873 months and days belong to another calendar.
    """

    before: int
    first: int
    last: int


_ERAS: Final = {
    "明治": _Era(1867, 6, 45),
    "大正": _Era(1911, 1, 15),
    "昭和": _Era(1925, 1, 64),
    "平成": _Era(1988, 1, 31),
    "令和": _Era(2018, 1, 99),
}
_LETTERS: Final = dict(zip("MTSHR", _ERAS, strict=True))
_DIGITS: Final = {kanji: str(digit) for digit, kanji in enumerate("〇一二三四五六七八九")}
_TENS: Final = re.compile("([一二三四五六七八九]?)十([一二三四五六七八九]?)")
#: Hyphens that NFKC does not convert, including the long vowel ー.
_HYPHENS: Final = dict.fromkeys(map(ord, "‐‑‒–—―−ー"), "-")
_DAY: Final = "[日月火水木金土]"
_WEEKDAY: Final = re.compile(
    rf"[(\[](?:{_DAY}(?:曜日?)?|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?)[)\]]$|{_DAY}曜日?$"
)
#: A time of day behind a date; it is ignored.
_TIME: Final = re.compile(
    r"(?<=[0-9日)])(?:T|\s+)[0-9]{1,2}(?::[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?|時(?:[0-9]{1,2}分)?)"
    r"\s*(?:Z|[+-][0-9]{2}:?[0-9]{2})?$"
)
_YEAR: Final = rf"({'|'.join(_ERAS)}|[{''.join(_LETTERS)}]\.?)?([0-9]{{1,4}}|元)"
_PART: Final = r"([0-9]{1,2}|\?{1,2})"
#: Era, year, month and day in this order: with 年月日, with one separator, or without any.
_SPELLINGS: Final = (
    re.compile(rf"{_YEAR}年(?:{_PART}月(?:{_PART}日?)?)?"),
    *(re.compile(rf"{_YEAR}{mark}{_PART}(?:{mark}{_PART})?") for mark in ("-", "/", r"\.")),
    re.compile(r"()([0-9]{4})([0-9]{2})([0-9]{2})"),
)


def iso_date(written: str) -> str | None:
    """Return the date in ISO 8601, unknown parts as ``??``; None without a single reading.

    The day need not exist: see :func:`is_day`.

    >>> [iso_date(text) for text in ("2026/2/3", "令和8年2月3日", "20260203", "2026.2", "2/3/2026")]
    ['2026-02-03', '2026-02-03', '2026-02-03', '2026-02', None]
    """
    if ISO.fullmatch(written):
        return written
    if len(written) > _MAX_LENGTH:
        return None
    text = unicodedata.normalize("NFKC", written).translate(_HYPHENS).strip()
    text = "".join(_TIME.sub("", text).split())
    text = _convert_kanji_digits(_WEEKDAY.sub("", text))
    for spelling in _SPELLINGS:
        match = spelling.fullmatch(text)
        if match is not None:
            return _join_date(*match.groups())
    return None


def _convert_kanji_digits(text: str) -> str:
    """Return the text with kanji numbers as digits: 八 as 8, 二十三 as 23, 二〇二六 as 2026."""
    text = _TENS.sub(
        lambda ten: _DIGITS.get(ten[1], "1") + _DIGITS.get(ten[2], "0"),
        text,
    )
    return "".join(_DIGITS.get(letter, letter) for letter in text)


def _join_date(
    era: str | None, year: str, month: str | None = None, day: str | None = None
) -> str | None:
    if era:
        name = era.rstrip(".")
        years = _ERAS[_LETTERS.get(name, name)]
        number = 1 if year == "元" else int(year)
        if not years.first <= number <= years.last:
            return None
        year = str(years.before + number)
    elif len(year) != 4 or not year.isdigit():
        return None
    return "-".join([year, *(_two_digits(part) for part in (month, day) if part)])


def _two_digits(part: str) -> str:
    return "??" if part.startswith("?") else part.zfill(2)


def is_day(written: str) -> bool:
    """Return whether an ISO 8601 date is in the calendar: 2026-02-30 and 2026-13 are not."""
    if not ISO.fullmatch(written):
        return False
    year, month, day = [*written.split("-"), "??", "??"][:3]
    if not (month.isdigit() and day.isdigit()):
        return True
    try:
        date(int(year) if year.isdigit() and int(year) else 2000, int(month), int(day))
    except ValueError:
        return False
    return True
