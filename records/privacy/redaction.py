"""Redaction: replaces real names in texts by pseudonyms.

A name is found in any spelling (`records.base.spelling`), with or without separators between its
parts, but not where it begins or ends with a Latin letter or a digit inside a word. It takes time
in proportion to the text. The text of games is redacted for everybody. The report of an upload
describes texts as they were sent, which their sender and the staff may see; for everybody else
nothing is quoted of a text that contains a real name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from records.base.keys import fold
from records.base.spelling import DENSE, SEPARATORS, Letters, letters
from records.models import Player, Upload
from records.privacy.access import Viewer, is_sender

_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})")
_LATIN: Final = re.compile(
    "[0-9A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]"
)
#: Minimum length of a name that identifies a player, be it cut off, or of one who did not play.
#: (One letter fewer if one is a kanji or kana.)
_MIN_LETTERS: Final = 3
#: Length of a record's column that holds the beginning of a tag.
_COLUMN: Final = 200
HIDDEN: Final = "…"


class _Word(NamedTuple):
    """A name to search for: its letters, where a separator may precede them (as in
    `Letters.apart`), and its replacement; None for a name that stays.
    """

    letters: str
    apart: bytes
    shown: str | None

    def stands(self, text: Letters, at: int) -> bool:
        """Whether these letters in a text are this name, and not part of a word."""
        end = at + len(self.letters)
        if _is_one_word(text, at) or _is_one_word(text, end):
            return False
        place = text.apart.find(1, at + 1, end)
        while place >= 0:
            if not self.apart[place - at]:
                return False
            place = text.apart.find(1, place + 1, end)
        return True


def _word(name: str, shown: str | None) -> _Word:
    found = Letters(name)
    apart = bytearray(found.apart)
    for place in range(1, len(apart)):
        if DENSE.match(found.text[place]) or DENSE.match(found.text[place - 1]):
            apart[place] = 1
    return _Word(found.text, bytes(apart), shown)


def _is_one_word(text: Letters, at: int) -> bool:
    """Whether a Latin word continues from the letter before this one."""
    return (
        0 < at < len(text.text)
        and not text.apart[at]
        and bool(_LATIN.match(text.text[at]) and _LATIN.match(text.text[at - 1]))
    )


class Redaction:
    """Pseudonyms by the real names that they replace; ``kept`` are names of others that stay
    although they contain such a name.
    """

    def __init__(self, names: Mapping[str, str], kept: Iterable[str] = ()) -> None:
        self.names = names
        words = [_word(name, None) for name in kept]
        words += [_word(name, shown) for name, shown in names.items()]
        # The longest first; of equal letters the one that stays.
        self._words = sorted((word for word in words if word.letters), key=_longest)

    def within(self, own: Mapping[str, str], kept: Iterable[str] = ()) -> Redaction:
        """This redaction in a game of these players: ``own`` as in ``names``, and the others."""
        new = any(name not in self.names for name in own)
        others = [name for name in kept if new or self.covers(name)]
        return Redaction({**self.names, **own}, others) if new or others else self

    def covers(self, text: str) -> bool:
        """Whether a text contains a real name, in escapes of JSON too."""
        if not self._words:
            return False
        return self._replaced(_unescaped(text)) is not None

    def replaced(self, value: Any) -> Any:
        """The value with pseudonyms in all its texts; `HIDDEN` for a text that would still identify
        a player.
        """
        if not self._words:
            return value
        if isinstance(value, str):
            found = self._replaced(value)
            left = value if found is None else found
            if "\\u" in left and self.covers(left):
                return HIDDEN
            return left
        if isinstance(value, Mapping):
            return {key: self.replaced(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.replaced(item) for item in value)
        return value

    def column(self, value: str) -> str:
        """A column of a record, which may be cut off within a name."""
        if len(value) >= _COLUMN and self._is_cut_in(value):
            return HIDDEN
        return str(self.replaced(value))

    def event_key(self, event: str) -> str:
        """The search key of an event's name, redacted as for everybody."""
        return fold(self.column(event)) if self._words else fold(event)

    def reported(self, value: Any) -> Any:
        """The value as in :func:`replaced`, for a report: `HIDDEN` for a text that ends within a
        name.
        """
        if isinstance(value, str):
            if value.endswith(HIDDEN) and self._is_cut_in(value.removesuffix(HIDDEN)):
                return HIDDEN
            return self.replaced(value)
        if isinstance(value, Mapping):
            return {key: self.reported(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.reported(item) for item in value)
        return value

    def fault(self, stored: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """A stored fault with pseudonyms in its quotations; None stays None.

        It may quote a part of a name from a text that cannot be read; that is `HIDDEN` too.
        """
        if stored is None:
            return None
        values = {name: self._quoted(value) for name, value in stored["values"].items()}
        return {**stored, "values": values, "expected": self.reported(stored["expected"])}

    def _quoted(self, value: Any) -> Any:
        if isinstance(value, str) and self._parts.covers(self._without.replaced(value)):
            return HIDDEN
        return self.reported(value)

    @cached_property
    def _parts(self) -> Redaction:
        parts = ("".join(" " if one in SEPARATORS else one for one in real) for real in self.names)
        return Redaction({part: HIDDEN for real in parts for part in real.split()})

    @cached_property
    def _without(self) -> Redaction:
        return Redaction(dict.fromkeys(self.names, " "))

    def _is_cut_in(self, value: str) -> bool:
        """Whether a text that was cut off ends within a name."""
        end = letters(value)
        return any(
            end.endswith(word.letters[:count])
            for word in self._words
            if word.shown is not None
            for count in range(min(_MIN_LETTERS, len(word.letters) - 1), len(word.letters))
            if count
        )

    def _replaced(self, text: str) -> str | None:
        """The text with the names replaced; None if there are none."""
        plain = letters(text)
        words = [word for word in self._words if word.letters in plain]
        if all(word.shown is None for word in words):
            return None
        where = Letters(text)
        if where.text != plain:
            return HIDDEN  # letters of some script that compose over others: no place can be given
        parts, last = [], 0
        for start, end, shown in _places(words, where):
            parts += [text[last:start], shown]
            last = max(last, end)
        return "".join([*parts, text[last:]]) if parts else None


def _longest(word: _Word) -> tuple[int, bool]:
    return -len(word.letters), word.shown is not None


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "\\u" in text else text


def _places(words: Iterable[_Word], text: Letters) -> list[tuple[int, int, str]]:
    """The places of names in a text, and their replacements, in order."""
    taken = bytearray(len(text.text))
    found = []
    for word in words:
        size = len(word.letters)
        at = text.text.find(word.letters)
        while at >= 0:
            end = at + size
            if taken.find(1, at, end) < 0 and word.stands(text, at):
                taken[at:end] = b"\1" * size
                if word.shown is not None:
                    found.append((text.start[at], text.end[end - 1], word.shown))
            else:
                end = at + 1
            at = text.text.find(word.letters, end)
    return sorted(found)


# Whose names --------------------------------------------------------------------------------------


def known_names() -> dict[str, str]:
    """All pseudonyms by the real names."""
    # As in the index player_pseudonym: SQLite does not know whether a parameter is empty.
    known = Player.objects.order_by().extra(where=["NOT (real_name = '')"])
    return dict(known.values_list("real_name", "name"))


def of_archive() -> Redaction:
    """What is redacted in any game: names long enough to identify their players. For a game of
    theirs see `Redaction.within`.
    """
    return redaction_of(known_names())


def redaction_of(names: Mapping[str, str]) -> Redaction:
    """The result of :func:`of_archive` if these were all pseudonyms."""
    return _made(tuple(sorted(names.items())))


@lru_cache(maxsize=4)
def _made(names: tuple[tuple[str, str], ...]) -> Redaction:
    return Redaction({real: shown for real, shown in names if _is_distinctive(letters(real))})


def _is_distinctive(name: str) -> bool:
    return len(name) + bool(DENSE.search(name)) >= _MIN_LETTERS


def redaction_for(upload: Upload, viewer: Viewer) -> Redaction:
    """What of an upload's report is redacted for a viewer: nothing for the uploader and staff."""
    if viewer.staff or is_sender(upload, viewer):
        return Redaction({})
    return Redaction(known_names())
