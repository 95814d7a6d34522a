"""Redaction: replaces real names in texts by pseudonyms.

A name matches in any spelling (`records.base.spelling`), with or without separators between parts.
A match must not begin or end inside a Latin word or a number. The time is proportional to the
length of the text.

Texts of games are redacted for all viewers. The report of an upload quotes texts as uploaded to
their sender and the staff only; for other viewers nothing is quoted from a text with a real name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from records.base.keys import fold
from records.base.spelling import DENSE, SEPARATORS, NormalizedLetters, letters
from records.models import Player, Upload
from records.privacy.access import Viewer, is_sender

_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})")
_LATIN: Final = re.compile(
    "[0-9A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]"
)
#: Minimum length of a truncated name, or of a name that identifies an absent player. A name with a
#: kanji or kana may be one letter shorter.
_MIN_LETTERS: Final = 3
#: Length of the columns of a record that contain the beginning of a tag.
_COLUMN: Final = 200
HIDDEN: Final = "…"


class _Word(NamedTuple):
    """A name to search for.

    ``apart`` marks the letters before which a separator may be (as in `Letters.apart`). ``shown``
    is the replacement, or None for a name that is not replaced.
    """

    letters: str
    apart: bytes
    shown: str | None

    def matches(self, text: NormalizedLetters, at: int) -> bool:
        """Return whether the letters at a place of a text are the name, and not part of a word."""
        end = at + len(self.letters)
        if _is_inside_word(text, at) or _is_inside_word(text, end):
            return False
        place = text.apart.find(1, at + 1, end)
        while place >= 0:
            if not self.apart[place - at]:
                return False
            place = text.apart.find(1, place + 1, end)
        return True


def _word(name: str, shown: str | None) -> _Word:
    name_letters = NormalizedLetters(name)
    apart = bytearray(name_letters.apart)
    for place in range(1, len(apart)):
        if DENSE.match(name_letters.text[place]) or DENSE.match(name_letters.text[place - 1]):
            apart[place] = 1
    return _Word(name_letters.text, bytes(apart), shown)


def _is_inside_word(text: NormalizedLetters, at: int) -> bool:
    """Return whether a Latin word continues from the letter before a place."""
    return (
        0 < at < len(text.text)
        and not text.apart[at]
        and bool(_LATIN.match(text.text[at]) and _LATIN.match(text.text[at - 1]))
    )


class Redaction:
    """A set of real names and their pseudonyms.

    ``unchanged`` are names of other players, not replaced even with a real name inside.
    """

    def __init__(self, names: Mapping[str, str], unchanged: Iterable[str] = ()) -> None:
        self.names = names
        words = [_word(name, None) for name in unchanged]
        words += [_word(name, shown) for name, shown in names.items()]
        # The longest first; of equal letters the unchanged name first.
        self._words = sorted((word for word in words if word.letters), key=_longest)

    def within(self, players: Mapping[str, str], unchanged: Iterable[str] = ()) -> Redaction:
        """Return the redaction for a game.

        ``players`` are the pseudonyms of the players by real name, ``unchanged`` the names of the
        players without a pseudonym.
        """
        has_new = any(name not in self.names for name in players)
        covered = [name for name in unchanged if has_new or self.covers(name)]
        return Redaction({**self.names, **players}, covered) if has_new or covered else self

    def covers(self, text: str) -> bool:
        """Return whether a text contains a real name, including in JSON escapes."""
        if not self._words:
            return False
        return self._redact(_unescape(text)) is not None

    def redact(self, value: Any) -> Any:
        """Return a JSON value with pseudonyms in all texts.

        A text that would still identify a player becomes `HIDDEN`.
        """
        if not self._words:
            return value
        if isinstance(value, str):
            redacted = self._redact(value)
            if redacted is None:
                redacted = value
            if "\\u" in redacted and self.covers(redacted):
                return HIDDEN
            return redacted
        if isinstance(value, Mapping):
            return {key: self.redact(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.redact(item) for item in value)
        return value

    def redact_column(self, value: str) -> str:
        """Return a redacted column of a record. The column may end within a name."""
        if len(value) >= _COLUMN and self._ends_within_name(value):
            return HIDDEN
        return str(self.redact(value))

    def event_key(self, event: str) -> str:
        """Return the search key of an event's redacted name."""
        return fold(self.redact_column(event)) if self._words else fold(event)

    def redact_report(self, value: Any) -> Any:
        """Return a JSON value like `redact`, with `HIDDEN` for a text that ends within a name."""
        if isinstance(value, str):
            if value.endswith(HIDDEN) and self._ends_within_name(value.removesuffix(HIDDEN)):
                return HIDDEN
            return self.redact(value)
        if isinstance(value, Mapping):
            return {key: self.redact_report(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.redact_report(item) for item in value)
        return value

    def redact_fault(self, stored: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """Return a stored fault with redacted quotations, or None for None.

        A quotation from unreadable text may be part of a name; then it becomes `HIDDEN`.
        """
        if stored is None:
            return None
        values = {name: self._redact_quotation(value) for name, value in stored["values"].items()}
        return {**stored, "values": values, "expected": self.redact_report(stored["expected"])}

    def _redact_quotation(self, value: Any) -> Any:
        if isinstance(value, str) and self._name_parts.covers(self._without_names.redact(value)):
            return HIDDEN
        return self.redact_report(value)

    @cached_property
    def _name_parts(self) -> Redaction:
        names = (
            "".join(" " if letter in SEPARATORS else letter for letter in name)
            for name in self.names
        )
        return Redaction({part: HIDDEN for name in names for part in name.split()})

    @cached_property
    def _without_names(self) -> Redaction:
        return Redaction(dict.fromkeys(self.names, " "))

    def _ends_within_name(self, value: str) -> bool:
        """Return whether a truncated text ends within a name."""
        end = letters(value)
        return any(
            end.endswith(word.letters[:count])
            for word in self._words
            if word.shown is not None
            for count in range(min(_MIN_LETTERS, len(word.letters) - 1), len(word.letters))
            if count
        )

    def _redact(self, text: str) -> str | None:
        """Return the text with pseudonyms, or None if there is no name in the text."""
        plain = letters(text)
        words = [word for word in self._words if word.letters in plain]
        if all(word.shown is None for word in words):
            return None
        where = NormalizedLetters(text)
        if where.text != plain:
            return HIDDEN  # Letters of some scripts combine: positions cannot be determined.
        parts, last = [], 0
        for start, end, shown in _places(words, where):
            parts += [text[last:start], shown]
            last = max(last, end)
        return "".join([*parts, text[last:]]) if parts else None


def _longest(word: _Word) -> tuple[int, bool]:
    return -len(word.letters), word.shown is not None


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "\\u" in text else text


def _places(words: Iterable[_Word], text: NormalizedLetters) -> list[tuple[int, int, str]]:
    """Return the places of names in a text (start, end, replacement), in order."""
    taken = bytearray(len(text.text))
    places = []
    for word in words:
        size = len(word.letters)
        at = text.text.find(word.letters)
        while at >= 0:
            end = at + size
            if taken.find(1, at, end) < 0 and word.matches(text, at):
                taken[at:end] = b"\1" * size
                if word.shown is not None:
                    places.append((text.start[at], text.end[end - 1], word.shown))
            else:
                end = at + 1
            at = text.text.find(word.letters, end)
    return sorted(places)


# Whose names --------------------------------------------------------------------------------------


def all_pseudonyms() -> dict[str, str]:
    """Return the pseudonyms of all players by real name."""
    # The condition of the index player_pseudonym. SQLite does not use it with a parameter.
    players = Player.objects.order_by().extra(where=["NOT (real_name = '')"])
    return dict(players.values_list("real_name", "name"))


def archive_redaction() -> Redaction:
    """Return the redaction for any game: names long enough to identify their players.

    For a game of a player with a short name see `Redaction.within`.
    """
    return redaction_of(all_pseudonyms())


def redaction_of(names: Mapping[str, str]) -> Redaction:
    """Return the redaction for any game, given the pseudonyms of all players by real name."""
    return _cached_redaction(tuple(sorted(names.items())))


@lru_cache(maxsize=4)
def _cached_redaction(names: tuple[tuple[str, str], ...]) -> Redaction:
    return Redaction({real: shown for real, shown in names if _is_distinctive(letters(real))})


def _is_distinctive(name: str) -> bool:
    return len(name) + bool(DENSE.search(name)) >= _MIN_LETTERS


def redaction_for(upload: Upload, viewer: Viewer) -> Redaction:
    """Return the redaction of an upload's report for a viewer, empty for its sender and staff."""
    if viewer.staff or is_sender(upload, viewer):
        return Redaction({})
    return Redaction(all_pseudonyms())
