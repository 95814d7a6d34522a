"""The tags of a game: reading of each tag, and checks of all tags before the first month."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, NamedTuple

from kafu.notation import codes
from kafu.notation.game import Game, Place
from kafu.notation.reading import amounts
from kafu.notation.reading.dates import normalise_date
from kafu.notation.reading.source import (
    BLANKS,
    REPAIRABLE,
    REPAIRS,
    WIDE_BLANKS,
    SourceLine,
    Warn,
    clip,
    fail,
    has_piled_marks,
    warn_of_repair,
)
from kafu.notation.vocabulary import (
    LEADING_TAGS,
    MAX_TAG_BYTES,
    RULES,
    TERMINATIONS,
    VERSION,
    RulesetNotation,
)

_NAME: Final = "[A-Za-z][A-Za-z0-9_-]{0,63}"
_BLANK: Final = f"[{BLANKS}]*"
_TAG: Final = re.compile(
    rf'{_BLANK}\[{_BLANK}({_NAME}){_BLANK}"([^"\\]*(?:\\.[^"\\]*)*)"{_BLANK}\]{_BLANK}'
)
# A tag with full-width brackets, quotes and blanks; only tried if _TAG does not match.
_ANY_BLANK: Final = f"[{BLANKS}{WIDE_BLANKS}]*"
_WIDE_TAG: Final = re.compile(
    rf"{_ANY_BLANK}[\[［]{_ANY_BLANK}"
    rf"([A-Za-zＡ-Ｚａ-ｚ][A-Za-z0-9_Ａ-Ｚａ-ｚ０-９＿-]{{0,63}}){_ANY_BLANK}"
    r"[\"＂“”]([^\"＂“”\\]*(?:\\.[^\"＂“”\\]*)*)[\"＂“”]"
    rf"{_ANY_BLANK}[\]］]{_ANY_BLANK}"
)
# A tag whose value ends in a backslash, as in a Windows folder: the backslash escapes the closing
# quote.
_BACKSLASH_TAG: Final = re.compile(
    rf'{_BLANK}\[{_BLANK}({_NAME}){_BLANK}"([^"]*\\)"{_BLANK}\]{_BLANK}'
)
#: The correct beginning of a tag with a fault.
_TAG_BEGINNING: Final = re.compile(
    rf'{_ANY_BLANK}\[{_BLANK}(?:{_NAME}{_BLANK}(?:"[^"\\]*(?:\\.[^"\\]*)*(?:"{_BLANK}'
    rf"(?:\]{_BLANK})?)?)?)?"
)
_ESCAPE: Final = re.compile(r'\\(["\\])')
_LONE_BACKSLASH: Final = re.compile(r'\\(?!["\\])')
_PLAYER: Final = re.compile(r"Player[1-9][0-9]*")
_WIDE: Final = re.compile(f"{REPAIRABLE.pattern}|[“”]")
#: Tags with values from the notation, not from people: full-width characters are repaired.
_NOTATION_TAGS: Final = frozenset(("Kafu", "Rules", "Options", "Result", "Sheet", "Termination"))
_TAGS_BY_SMALL: Final = {
    name.lower(): name
    for name in (
        *(*_NOTATION_TAGS, *LEADING_TAGS, "Source", "Annotator"),
        *(f"Player{seat}" for seat in range(1, 8)),
    )
}
#: A result without a claim, or an unknown event, as in PGN.
_UNKNOWN: Final = re.compile(r"[\s*?-]*")
#: Descriptions of a game that PGN requires.
_DESCRIBED: Final = frozenset(("Event", "Site", "Round"))


class Tag(NamedTuple):
    """A tag: name, value without escapes, and place."""

    name: str
    value: str
    place: Place


def read_tag(line: SourceLine, warn: Warn) -> Tag:
    """Return the tag on ``line``.

    Raises Malformed (``bad-tag``, ``tag-too-long``).
    """
    text = line.text
    match = _TAG.fullmatch(text) or _WIDE_TAG.fullmatch(text) or _BACKSLASH_TAG.fullmatch(text)
    if match is None:
        beginning = _TAG_BEGINNING.match(text)
        end = beginning.end() if beginning else 0
        fail(codes.BAD_TAG, line.at(end), '[Name "value"]')
    name, value = match.groups()
    place = line.at(match.start(1) - 1)
    if not text.isascii():
        start, end = match.span(2)
        if wide := _WIDE.search(text, 0, start) or _WIDE.search(text, end):
            warn_of_repair(wide[0], line.at(wide.start()), warn)
        name = name.translate(REPAIRS)
    name = _read_word(name, _TAGS_BY_SMALL, place, warn)
    if "\\" in value:
        # The second backslash of a pair is not a lone backslash.
        if lone := _LONE_BACKSLASH.search(_ESCAPE.sub("  ", value)):
            warn(codes.BAD_ESCAPE, line.at(match.start(2) + lone.start()))
        value = _ESCAPE.sub(r"\1", value)
    if name in _NOTATION_TAGS:
        if not value.isascii() and (wide := REPAIRABLE.search(value)):
            warn_of_repair(wide[0], line.at(match.start(2) + wide.start()), warn)
            value = value.translate(REPAIRS)
        value = value.strip()
    value = compose(value)
    if len(value) > MAX_TAG_BYTES // 4 and len(value.encode()) > MAX_TAG_BYTES:
        fail(codes.TAG_TOO_LONG, line.at(match.start(2)), limit=MAX_TAG_BYTES)
    return Tag(name, value, place)


def _read_word(word: str, words_by_small: Mapping[str, str], place: Place, warn: Warn) -> str:
    """Return a word in its standard spelling, with a warning about another case."""
    standard_word = words_by_small.get(word.lower(), word)
    if standard_word != word:
        warn(codes.ALIAS, place, found=clip(word), read=standard_word)
    return standard_word


def compose(value: str) -> str:
    """Return a tag's value in NFC, with が as a single letter; unchanged with piled marks."""
    if value.isascii() or has_piled_marks(value):
        return value
    return unicodedata.normalize("NFC", value)


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
    rules = tags["Rules"]
    ids = dict(zip(RULES, RULES, strict=True))
    notation = RULES.get(_read_word(rules.value, ids, rules.place, warn))
    if notation is None:
        fail(codes.UNKNOWN_RULES, rules.place, *RULES, found=clip(rules.value))
    players = _read_players(tags, notation, end)
    game = Game(notation.id, players, line=tags["Kafu"].place[0])
    if "Options" in tags:
        game.options = _read_options(tags["Options"], notation)
    if "Result" in tags:
        game.result = _read_result(tags["Result"], notation, len(players), warn)
    player_tags = (f"Player{seat}" for seat in range(1, len(players) + 1))
    field_tags = {"Kafu", "Rules", "Options", "Result", *player_tags}
    for name, tag in tags.items():
        if name in _DESCRIBED and tag.value and _UNKNOWN.fullmatch(tag.value):
            warn(codes.NO_CLAIM, tag.place, found=clip(tag.value), tag=name)
        elif name not in field_tags:
            game.tags[name] = _check_value(tag, len(players), warn)
    return game


def _read_players(
    tags: Mapping[str, Tag], notation: RulesetNotation, end: Place
) -> tuple[str, ...]:
    limit = max(notation.seats)
    if "Player0" in tags:
        fail(codes.NO_SUCH_SEAT, tags["Player0"].place, found="0", seats=limit)
    players: list[str] = []
    while tag := tags.get(f"Player{len(players) + 1}"):
        if len(players) == limit:
            fail(codes.TOO_MANY_PLAYERS, tag.place, rules=notation.id, limit=limit)
        players.append(tag.value.strip())
    if len(players) < max(min(notation.seats), sum(map(bool, map(_PLAYER.fullmatch, tags)))):
        seat = len(players) + 1
        fail(codes.MISSING_PLAYER, end, f'[Player{seat} "…"]', seat=seat)
    return tuple(players)


def _read_options(tag: Tag, notation: RulesetNotation) -> dict[str, str]:
    options: dict[str, str] = {}
    for word in tag.value.split():
        name, equals, value = word.partition("=")
        if name not in notation.options or not equals:
            names = tuple(notation.options)
            fail(codes.UNKNOWN_OPTION, tag.place, *names, rules=notation.id, found=clip(word))
        if name in options:
            fail(codes.OPTION_TWICE, tag.place, option=name)
        if value not in notation.options[name].known:
            expected = notation.options[name].expected
            fail(codes.BAD_OPTION_VALUE, tag.place, *expected, option=name, found=clip(value))
        options[name] = value
    return options


def _read_result(
    tag: Tag, notation: RulesetNotation, seats: int, warn: Warn
) -> tuple[int, ...] | None:
    """Return the claimed totals, or None with a warning for a value that claims nothing."""
    if _UNKNOWN.fullmatch(tag.value):
        warn(codes.NO_CLAIM, tag.place, found=clip(tag.value), tag=tag.name)
        return None
    words = tag.value.split()
    if len(words) != seats:
        fail(codes.BAD_AMOUNTS, tag.place, seats=seats)
    return tuple(amounts.parse(word, notation, lambda: tag.place, warn) for word in words)


def _check_value(tag: Tag, seats: int, warn: Warn) -> str:
    """Return the checked value of a tag that is stored by name."""
    if tag.name == "Sheet" and tag.value != "1":
        fail(codes.BAD_SHEET, tag.place, "1", found=clip(tag.value))
    if tag.name == "Date":
        return normalise_date(tag.value, tag.place, warn)
    if tag.name == "Termination":
        terminations = [word for word in TERMINATIONS if word != "resigned"]
        terminations += [f"resigned {seat + 1}" for seat in range(seats)]
        words = dict(zip(terminations, terminations, strict=True))
        termination = _read_word(" ".join(tag.value.split()), words, tag.place, warn)
        if termination not in words:
            fail(codes.UNKNOWN_TERMINATION, tag.place, *terminations, found=clip(tag.value))
        return termination
    return tag.value
