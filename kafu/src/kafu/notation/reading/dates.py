"""Conversion of written dates to ISO 8601 (kafu.md §2).

A spelling is converted only if it has a single reading: with the year first, or with the month in
words. Dates without a certain order (3.1.2026, 02/03/26) are not.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, timedelta
from typing import Final

from kafu.notation import codes
from kafu.notation.game import Place
from kafu.notation.reading.source import Warn, clip

ISO: Final = re.compile(
    r"[0-9?]{4}(?:-(?:0[1-9]|1[0-2]|\?\?)(?:-(?:0[1-9]|[12][0-9]|3[01]|\?\?))?)?"
)
#: The maximum length of a date: all eras, kanji and a weekday fit.
_MAX_LENGTH: Final = 40


#: The year before each era, and the numbers of its years. Before 1873 months and days belong to
#: another calendar.
_ERAS: Final = {
    "明治": (1867, range(6, 46)),
    "大正": (1911, range(1, 16)),
    "昭和": (1925, range(1, 65)),
    "平成": (1988, range(1, 32)),
    "令和": (2018, range(1, 100)),
}
_LETTERS: Final = dict(zip("MTSHR", _ERAS, strict=True))
#: The first letters of the months in English.
_MONTHS: Final = "janfebmaraprmayjunjulaugsepoctnovdec"
_DIGITS: Final = str.maketrans("〇一二三四五六七八九", "0123456789")
_TENS: Final = re.compile("([一二三四五六七八九]?)十([一二三四五六七八九]?)")
#: Hyphens that NFKC does not convert, including the long vowel ー.
_HYPHENS: Final = dict.fromkeys(map(ord, "‐‑‒–—―−ー"), "-")
_DAY: Final = "[日月火水木金土]"
_ENGLISH_DAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}\.?"
_WEEKDAY: Final = re.compile(
    rf"[(\[](?:{_DAY}(?:曜日?)?|{_ENGLISH_DAY})[)\]]$|{_DAY}曜日?$|^{_ENGLISH_DAY},?(?=[A-Z0-9])"
)
#: A time of day behind a date; it is ignored.
_TIME: Final = re.compile(
    r"(?<=[0-9日)])(?:T|,?\s+)[0-9]{1,2}(?::[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?|時(?:[0-9]{1,2}分)?)"
    r"\s*(?:Z|[AaPp]\.?[Mm]\.?|[+-][0-9]{2}:?[0-9]{2})?$"
)
_ERA: Final = rf"(?P<era>{'|'.join(_ERAS)}|[{''.join(_LETTERS)}]\.?)"
_MONTH_WORD: Final = (
    "(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
#: The parts of `_SPELLINGS`.
_PARTS: Final = {
    "year": rf"{_ERA}?(?P<year>[0-9]{{1,4}}|\?{{4}}|元)",
    "month": r"(?P<month>[0-9]{1,2}|\?{1,2})",
    "day": r"(?P<day>[0-9]{1,2}|\?{1,2})",
    "full_year": "(?P<year>[0-9]{4})",
    "month_word": _MONTH_WORD,
    "ordinal": "(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?",
    "mark": "[.,/-]{0,2}",
}
#: Spellings of dates without blanks: year, month and day with 年月日, with a separator or adjacent;
#: the month in words after the day, before it, or after the year.
_SPELLINGS: Final = tuple(
    re.compile(spelling.format_map(_PARTS))
    for spelling in (
        "(?:西暦)?{year}年(?:{month}月(?:{day}[日号]?)?)?",
        r"{year}([-/.]){month}(?:\3{day})?",
        "{full_year}(?P<month>[0-9]{{2}})(?P<day>[0-9]{{2}})",
        "(?i:{ordinal}{mark}(?:of)?{month_word}{mark}{full_year})",
        "(?i:{month_word}{mark}(?:{ordinal}{mark})?{full_year})",
        "(?i:{full_year}{mark}{month_word}(?:{mark}{ordinal})?)",
    )
)
#: The first year of a plausible date: hanafuda are younger.
_FIRST_YEAR: Final = 1600


def iso_date(written: str) -> str | None:
    """Return the date in ISO 8601, unknown parts as ``??``; None without a single reading.

    The day need not exist: see :func:`first_day`.

    >>> [iso_date(text) for text in ("2026/2/3", "令和8年2月3日", "20260203", "2026.2", "2/3/2026")]
    ['2026-02-03', '2026-02-03', '2026-02-03', '2026-02', None]
    >>> [iso_date(text) for text in ("3 Feb 2026", "February 3rd, 2026", "Feb 2026", "????.??.??")]
    ['2026-02-03', '2026-02-03', '2026-02', '????-??-??']
    """
    if ISO.fullmatch(written):
        return written
    if len(written) > _MAX_LENGTH:
        return None
    text = unicodedata.normalize("NFKC", written).translate(_HYPHENS).strip()
    text = "".join(_TIME.sub("", text).split())
    # 八 becomes 8, 二十三 becomes 23, 二〇二六 becomes 2026.
    text = _TENS.sub(lambda ten: (ten[1] or "一") + (ten[2] or "〇"), _WEEKDAY.sub("", text))
    text = text.translate(_DIGITS).rstrip(".")
    if text == "?":
        return "????-??-??"
    for spelling in _SPELLINGS:
        if match := spelling.fullmatch(text):
            return _join_date(**match.groupdict())
    return None


def _join_date(year: str, month: str | None, day: str | None, era: str | None = None) -> str | None:
    if month and month.isalpha():
        month = str(_MONTHS.index(month[:3].lower()) // 3 + 1)
    if era:
        name = era.rstrip(".")
        before, numbers = _ERAS[_LETTERS.get(name, name)]
        year = year.replace("元", "1")
        if not year.isdigit() or int(year) not in numbers:
            return None
        year = str(before + int(year))
    elif len(year) != 4:
        return None
    parts = ["??" if part.startswith("?") else part.zfill(2) for part in (month, day) if part]
    return "-".join([year, *parts])


def first_day(iso: str) -> date | None:
    """Return the first possible day of an ISO 8601 date; None for 2026-02-30 and for 2026-13.

    An unknown year counts as 2000, and the year 0000 as 4: both have a 29 February.
    """
    if not ISO.fullmatch(iso):
        return None
    year, month, day = [*iso.replace("-??", "-01").split("-"), "01", "01"][:3]
    try:
        return date(int(year) or 4 if year.isdigit() else 2000, int(month), int(day))
    except ValueError:
        return None


def is_plausible(first: date) -> bool:
    """Return whether a date, by its first possible day, is of 1600 or later and not in the future.

    The future begins where no time zone has reached the day.
    """
    return first.year >= _FIRST_YEAR and first <= datetime.now(UTC).date() + timedelta(days=1)


def normalise_date(written: str, place: Place, warn: Warn) -> str:
    """Return the date in ISO 8601, with a warning about any other form.

    A text without a valid date stays unchanged, with a warning. So does an implausible date.
    """
    iso = iso_date(written)
    first = None if iso is None else first_day(iso)
    if iso is None or first is None:
        warn(codes.BAD_DATE if iso is None else codes.NO_SUCH_DATE, place, found=clip(written))
        return written
    if iso != written:
        warn(codes.ALIAS, place, found=clip(written), read=iso)
    if iso[:4].isdigit() and not is_plausible(first):
        warn(codes.DOUBTFUL_DATE, place, found=iso)
    return iso
