"""The tags of a game: reading of each tag, and checks of all tags before the first month.

Conversion of written dates, year first, to ISO 8601 (kafu.md §2).

A spelling is converted only if it has a single reading. Dates without a certain order (3.1.2026,
02/03/26) are not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from typing import Final, NamedTuple

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.game import Game, Place
from kafu.notation.reading import amounts
from kafu.notation.reading.source import (
    BLANKS,
    INVISIBLE,
    REPAIRS,
    SourceLine,
    Warn,
    clip,
    fail,
    has_piled_marks,
    warn_of_repair,
)
from kafu.notation.vocabulary import MAX_TAG_BYTES, RULES, TERMINATIONS, VERSION, Rules

ISO: Final = re.compile(
    r"[0-9?]{4}(?:-(?:0[1-9]|1[0-2]|\?\?)(?:-(?:0[1-9]|[12][0-9]|3[01]|\?\?))?)?"
)
#: The maximum length of a date: all eras, kanji and a weekday fit.
_MAX_LENGTH: Final = 40
_NAME: Final = "[A-Za-z][A-Za-z0-9_-]{0,63}"
_TAG: Final = re.compile(
    rf'[{BLANKS}]*\[[{BLANKS}]*({_NAME})[{BLANKS}]*"([^"\\]*(?:\\.[^"\\]*)*)"[{BLANKS}]*\][{BLANKS}]*'
)
#: A tag in canonical form: no escape, no full-width quote, and no other text in its row.
_PLAIN_TAG: Final = re.compile(rf'\[({_NAME}) "([^"\\\n＂]*)"\]\n')
# A tag with full-width brackets and quotes; only tried if _TAG does not match.
_WIDE_TAG: Final = re.compile(
    r"[ \t\f\u3000]*[\[［][ \t\f\u3000]*"
    r"([A-Za-zＡ-Ｚａ-ｚ][A-Za-z0-9_Ａ-Ｚａ-ｚ０-９＿-]{0,63})[ \t\f\u3000]*"
    r"[\"＂“”]([^\"＂“”\\]*(?:\\.[^\"＂“”\\]*)*)[\"＂“”][ \t\f\u3000]*[\]］][ \t\f\u3000]*"
)
#: The parts of a tag, matched step by step to find the column of a fault.
_TAG_PARTS: Final = tuple(
    re.compile(step)
    for step in (
        r"[ \t\f\u3000]*\[[ \t\f]*",
        rf"{_NAME}[ \t\f]*",
        '"',
        r'[^"\\]*(?:\\.[^"\\]*)*',
        r'"[ \t\f]*',
        r"\][ \t\f]*",
    )
)
_ESCAPE: Final = re.compile(r'\\(["\\])')
_LONE_BACKSLASH: Final = re.compile(r'\\(?!["\\])')
_PLAYER: Final = re.compile(r"Player(0|[1-9][0-9]*)")
#: Tags with values from the notation, not from people: full-width characters are repaired.
_NOTATION_TAGS: Final = frozenset(("Kafu", "Rules", "Options", "Result", "Sheet", "Termination"))


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


class Tag(NamedTuple):
    """A tag: name, value without escapes, and place."""

    name: str
    value: str
    place: Place


def read_tag(line: SourceLine, warn: Warn) -> Tag:
    """Return the tag on ``line``.

    Raises Malformed (``bad-tag``, ``tag-too-long``).
    """
    match = _TAG.fullmatch(line.text)
    if match is None:
        match = _WIDE_TAG.fullmatch(line.text)
        if match is None:
            fail(codes.BAD_TAG, line.at(_matched_length(line.text)), '[Name "value"]')
    name, value = match.groups()
    place = line.at(match.start(1) - 1)
    if not (name.isascii() and line.text.isascii()):
        _warn_of_full_width(line, match, warn)
        name = name.translate(REPAIRS)
    if "\\" in value:
        position = _find_bad_escape(value)
        if position >= 0:
            warn(Fault(codes.BAD_ESCAPE, *line.at(match.start(2) + position)))
        value = _ESCAPE.sub(r"\1", value)
    if name in _NOTATION_TAGS:
        for index, character in enumerate(value):
            if ord(character) in REPAIRS:
                warn_of_repair(character, line.at(match.start(2) + index), warn)
                break
        value = value.translate(REPAIRS).strip()
    value = compose(value)
    if len(value) > MAX_TAG_BYTES or len(value.encode()) > MAX_TAG_BYTES:
        fail(codes.TAG_TOO_LONG, line.at(match.start(2)), limit=MAX_TAG_BYTES)
    return Tag(name, value, place)


def match_canonical_tag(text: str, position: int, line: int) -> tuple[Tag, int] | None:
    """Return the canonical tag at ``position`` of row ``line``, and the position after it.

    None for a tag in any other form (see `read_tag`).
    """
    match = _PLAIN_TAG.match(text, position)
    if match is None:
        return None
    name, value = match.groups()
    if len(value) > MAX_TAG_BYTES // 4:
        return None
    if name in _NOTATION_TAGS:
        if not value.isascii():
            return None
        value = value.strip()
    elif not value.isascii() and INVISIBLE.search(value):
        return None
    return Tag(name, compose(value), (line, 1)), match.end()


def compose(value: str) -> str:
    """Return a tag's value in NFC, with が as a single letter; unchanged with piled marks."""
    if value.isascii() or has_piled_marks(value):
        return value
    return unicodedata.normalize("NFC", value)


def _warn_of_full_width(line: SourceLine, match: re.Match[str], warn: Warn) -> None:
    value = range(*match.span(2))
    for index, character in enumerate(line.text):
        if index not in value and (ord(character) in REPAIRS or character in "“”"):
            warn_of_repair(character, line.at(index), warn)
            return


def _find_bad_escape(value: str) -> int:
    # Pairs become blanks first, so that the second backslash of a pair is not a lone backslash.
    match = _LONE_BACKSLASH.search(_ESCAPE.sub("  ", value))
    return match.start() if match else -1


def _matched_length(text: str) -> int:
    position = 0
    for step in _TAG_PARTS:
        match = step.match(text, position)
        if match is None:
            break
        position = match.end()
    return position


def note_key(name: str) -> str:
    """Return the key of the comments after a tag: the name, which begins with a capital.

    A private tag with a small initial gets the prefix ``tag.``, because its name could be the name
    of a statement (``final``).
    """
    return name if name[0].isupper() else f"tag.{name}"


def build_game(tags: Mapping[str, Tag], end: Place, warn: Warn) -> Game:
    """Return the game of ``tags``, without months; ``end`` is the place after the tags.

    Raises Malformed for invalid values of required and known tags (kafu.md §2, §9).
    """
    if tags["Kafu"].value != VERSION:
        tag = tags["Kafu"]
        fail(codes.BAD_VERSION, tag.place, VERSION, found=clip(tag.value))
    if "Rules" not in tags:
        fail(codes.MISSING_TAG, end, *RULES, tag="Rules")
    rules = RULES.get(tags["Rules"].value)
    if rules is None:
        fail(codes.UNKNOWN_RULES, tags["Rules"].place, *RULES, found=clip(tags["Rules"].value))
    players = _read_players(tags, rules, end)
    game = Game(rules.id, players, line=tags["Kafu"].place[0])
    if "Options" in tags:
        game.options = _read_options(tags["Options"], rules)
    if "Result" in tags:
        game.result = _read_result(tags["Result"], rules, len(players), warn)
    player_tags = (f"Player{seat}" for seat in range(1, len(players) + 1))
    field_tags = {"Kafu", "Rules", "Options", "Result", *player_tags}
    for name, tag in tags.items():
        game.places[note_key(name)] = tag.place
        if name not in field_tags:
            game.tags[name] = _check_value(tag, len(players), warn)
    return game


def _read_players(tags: Mapping[str, Tag], rules: Rules, end: Place) -> tuple[str, ...]:
    numbers = sorted(int(match[1]) for match in map(_PLAYER.fullmatch, tags) if match)
    for seat, number in enumerate(numbers, start=1):
        if number != seat:
            if number == 0:
                place = tags["Player0"].place
                fail(codes.NO_SUCH_SEAT, place, found="0", seats=max(rules.seats))
            break
        if number > max(rules.seats):
            place = tags[f"Player{number}"].place
            fail(codes.TOO_MANY_PLAYERS, place, rules=rules.id, limit=max(rules.seats))
    else:
        if len(numbers) >= min(rules.seats):
            return tuple(tags[f"Player{number}"].value.strip() for number in numbers)
        seat = len(numbers) + 1
    fail(codes.MISSING_PLAYER, end, f'[Player{seat} "…"]', seat=seat)


def _read_options(tag: Tag, rules: Rules) -> dict[str, str]:
    options: dict[str, str] = {}
    for word in tag.value.split():
        name, equals, value = word.partition("=")
        if name not in rules.options or not equals:
            names = tuple(rules.options)
            fail(codes.UNKNOWN_OPTION, tag.place, *names, rules=rules.id, found=clip(word))
        if name in options:
            fail(codes.OPTION_TWICE, tag.place, option=name)
        if value not in rules.options[name].known:
            expected = rules.options[name].expected
            fail(codes.BAD_OPTION_VALUE, tag.place, *expected, option=name, found=clip(value))
        options[name] = value
    return options


def _read_result(tag: Tag, rules: Rules, seats: int, warn: Warn) -> tuple[int, ...]:
    words = tag.value.split()
    if len(words) != seats:
        fail(codes.BAD_AMOUNTS, tag.place, seats=seats)
    return tuple(amounts.parse(word, rules, tag.place, warn) for word in words)


def _check_value(tag: Tag, seats: int, warn: Warn) -> str:
    """Return the checked value of a tag that is stored by name."""
    if tag.name == "Sheet" and tag.value != "1":
        fail(codes.BAD_SHEET, tag.place, "1", found=clip(tag.value))
    if tag.name == "Date":
        return normalise_date(tag.value, tag.place, warn)
    if tag.name == "Termination":
        words = tag.value.split()
        terminations = tuple(word for word in TERMINATIONS if word != "resigned")
        resigned = tuple(f"resigned {seat + 1}" for seat in range(seats))
        if " ".join(words) not in terminations + resigned:
            fail(
                codes.UNKNOWN_TERMINATION,
                tag.place,
                *terminations,
                *resigned,
                found=clip(tag.value),
            )
        return " ".join(words)
    return tag.value


def normalise_date(written: str, place: Place, warn: Warn) -> str:
    """Return the date in ISO 8601, with a warning about any other form.

    A text without a valid date stays unchanged, with a warning.
    """
    date = iso_date(written)
    if date is None or not is_day(date):
        code = codes.BAD_DATE if date is None else codes.NO_SUCH_DATE
        warn(Fault(code, *place, values={"found": clip(written)}))
        return written
    if date != written:
        warn(Fault(codes.ALIAS, *place, values={"found": clip(written), "read": date}))
    return date
