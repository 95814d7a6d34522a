"""The tags of a game: reading each, and checking all of them once the first month begins."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, NamedTuple

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.game import Game, Place
from kafu.notation.reading import amounts
from kafu.notation.reading.dates import is_day, iso_date
from kafu.notation.reading.source import (
    BLANKS,
    INVISIBLE,
    REPAIRS,
    SourceLine,
    Warn,
    clip,
    fail,
    repaired,
)
from kafu.notation.vocabulary import MAX_TAG_BYTES, RULES, TERMINATIONS, VERSION, Rules

_NAME: Final = "[A-Za-z][A-Za-z0-9_-]{0,63}"
_TAG: Final = re.compile(
    rf'[{BLANKS}]*\[[{BLANKS}]*({_NAME})[{BLANKS}]*"([^"\\]*(?:\\.[^"\\]*)*)"[{BLANKS}]*\][{BLANKS}]*'
)
#: A tag that reads as it stands: no escape, no full-width quote, and nothing but it in its row.
_PLAIN_TAG: Final = re.compile(rf'\[({_NAME}) "([^"\\\n＂]*)"\]\n')
# The same with full-width brackets and quotes; only tried if _TAG does not match.
_WIDE_TAG: Final = re.compile(
    r"[ \t\f\u3000]*[\[［][ \t\f\u3000]*"
    r"([A-Za-zＡ-Ｚａ-ｚ][A-Za-z0-9_Ａ-Ｚａ-ｚ０-９＿-]{0,63})[ \t\f\u3000]*"
    r"[\"＂“”]([^\"＂“”\\]*(?:\\.[^\"＂“”\\]*)*)[\"＂“”][ \t\f\u3000]*[\]］][ \t\f\u3000]*"
)
#: How far a faulty tag matches, step by step, to find the column of the fault.
_STEPS: Final = tuple(
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
#: Tags whose values are words of the notation, not of people: full-width characters are repaired.
_STRUCTURED: Final = frozenset(("Kafu", "Rules", "Options", "Result", "Sheet", "Termination"))


class Tag(NamedTuple):
    """One tag as read: its value without escapes, and its place."""

    name: str
    value: str
    place: Place


def read_tag(line: SourceLine, warn: Warn) -> Tag:
    """The tag that ``line`` is.

    Raises Malformed (``bad-tag``, ``tag-too-long``).
    """
    match = _TAG.fullmatch(line.text)
    if match is None:
        match = _WIDE_TAG.fullmatch(line.text)
        if match is None:
            fail(codes.BAD_TAG, line.at(_fits(line.text)), '[Name "value"]')
    name, value = match.groups()
    place = line.at(match.start(1) - 1)
    if not (name.isascii() and line.text.isascii()):
        _warn_of_wide(line, match, warn)
        name = name.translate(REPAIRS)
    if "\\" in value:
        position = _first_bad_escape(value)
        if position >= 0:
            warn(Fault(codes.BAD_ESCAPE, *line.at(match.start(2) + position)))
        value = _ESCAPE.sub(r"\1", value)
    if name in _STRUCTURED:
        for index, character in enumerate(value):
            if ord(character) in REPAIRS:
                repaired(character, line.at(match.start(2) + index), warn)
                break
        value = value.translate(REPAIRS).strip()
    value = composed(value)
    if len(value) > MAX_TAG_BYTES or len(value.encode()) > MAX_TAG_BYTES:
        fail(codes.TAG_TOO_LONG, line.at(match.start(2)), limit=MAX_TAG_BYTES)
    return Tag(name, value, place)


def plain_tag(text: str, position: int, line: int) -> tuple[Tag, int] | None:
    """The tag in canonical form at ``position`` of row ``line``, and the position after it; None if
    it needs to be looked at more closely (`read_tag`).
    """
    match = _PLAIN_TAG.match(text, position)
    if match is None:
        return None
    name, value = match.groups()
    if len(value) > MAX_TAG_BYTES // 4:
        return None
    if name in _STRUCTURED:
        if not value.isascii():
            return None
        value = value.strip()
    elif not value.isascii() and INVISIBLE.search(value):
        return None
    return Tag(name, composed(value), (line, 1)), match.end()


def composed(value: str) -> str:
    """A tag's value with composed letters (NFC): が and か with a mark behind it are one letter."""
    return value if value.isascii() else unicodedata.normalize("NFC", value)


def _warn_of_wide(line: SourceLine, match: re.Match[str], warn: Warn) -> None:
    value = range(*match.span(2))
    for index, character in enumerate(line.text):
        if index not in value and (ord(character) in REPAIRS or character in "“”"):
            repaired(character, line.at(index), warn)
            return


def _first_bad_escape(value: str) -> int:
    # Pairs are blanked first, so that the second backslash of a pair is not taken for a lone one.
    match = _LONE_BACKSLASH.search(_ESCAPE.sub("  ", value))
    return match.start() if match else -1


def _fits(text: str) -> int:
    position = 0
    for step in _STEPS:
        match = step.match(text, position)
        if match is None:
            break
        position = match.end()
    return position


def note_key(name: str) -> str:
    """The key of the comments after a tag: its name, which begins with a capital.

    A private tag without one could be mistaken for a statement (``final``).
    """
    return name if name[0].isupper() else f"tag.{name}"


def game_of_tags(tags: Mapping[str, Tag], end: Place, warn: Warn) -> Game:
    """The game described by ``tags``, with no months yet; ``end`` is where the tags end.

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
    players = _players(tags, rules, end)
    game = Game(rules.id, players, line=tags["Kafu"].place[0])
    if "Options" in tags:
        game.options = _options(tags["Options"], rules)
    if "Result" in tags:
        game.result = _result(tags["Result"], rules, len(players), warn)
    own = {"Kafu", "Rules", "Options", "Result", *(f"Player{n + 1}" for n in range(len(players)))}
    for name, tag in tags.items():
        game.places[note_key(name)] = tag.place
        if name not in own:
            game.tags[name] = _known(tag, len(players), warn)
    return game


def _players(tags: Mapping[str, Tag], rules: Rules, end: Place) -> tuple[str, ...]:
    numbers = sorted(int(match[1]) for match in map(_PLAYER.fullmatch, tags) if match)
    for wanted, number in enumerate(numbers, start=1):
        if number != wanted:
            if number == 0:
                place = tags["Player0"].place
                fail(codes.NO_SUCH_SEAT, place, found="0", seats=max(rules.seats))
            break
        if number > max(rules.seats):
            place = tags[f"Player{number}"].place
            fail(codes.TOO_MANY_PLAYERS, place, rules=rules.id, limit=max(rules.seats))
    else:
        if len(numbers) >= min(rules.seats):
            return tuple(tags[f"Player{number}"].value for number in numbers)
        wanted = len(numbers) + 1
    fail(codes.MISSING_PLAYER, end, f'[Player{wanted} "…"]', seat=wanted)


def _options(tag: Tag, rules: Rules) -> dict[str, str]:
    options: dict[str, str] = {}
    for word in tag.value.split():
        name, equals, value = word.partition("=")
        if name not in rules.options or not equals:
            names = tuple(rules.options)
            fail(codes.UNKNOWN_OPTION, tag.place, *names, rules=rules.id, found=clip(word))
        if name in options:
            fail(codes.OPTION_TWICE, tag.place, option=name)
        if value not in rules.options[name].known:
            wanted = rules.options[name].expected
            fail(codes.BAD_OPTION_VALUE, tag.place, *wanted, option=name, found=clip(value))
        options[name] = value
    return options


def _result(tag: Tag, rules: Rules, seats: int, warn: Warn) -> tuple[int, ...]:
    words = tag.value.split()
    if len(words) != seats:
        fail(codes.BAD_AMOUNTS, tag.place, seats=seats)
    return tuple(amounts.parse(word, rules, tag.place, warn) for word in words)


def _known(tag: Tag, seats: int, warn: Warn) -> str:
    """The value of a tag that is stored by name; those with a meaning are checked."""
    if tag.name == "Sheet" and tag.value != "1":
        fail(codes.BAD_SHEET, tag.place, "1", found=clip(tag.value))
    if tag.name == "Date":
        return dated(tag.value, tag.place, warn)
    if tag.name == "Termination":
        words = tag.value.split()
        known = tuple(word for word in TERMINATIONS if word != "resigned")
        resigned = tuple(f"resigned {seat + 1}" for seat in range(seats))
        if " ".join(words) not in known + resigned:
            fail(codes.UNKNOWN_TERMINATION, tag.place, *known, *resigned, found=clip(tag.value))
        return " ".join(words)
    return tag.value


def dated(written: str, place: Place, warn: Warn) -> str:
    """The date in ISO 8601, with a warning if it was written otherwise. What is no date, or no day
    of the calendar, stays as it is, with a warning.
    """
    date = iso_date(written)
    if date is None or not is_day(date):
        code = codes.BAD_DATE if date is None else codes.NO_SUCH_DATE
        warn(Fault(code, *place, values={"found": clip(written)}))
        return written
    if date != written:
        warn(Fault(codes.ALIAS, *place, values={"found": clip(written), "read": date}))
    return date
