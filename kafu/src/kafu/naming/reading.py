"""Kafu whose cards are written by names, as Kafu with letters."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from kafu.naming.placing import Laid
from kafu.naming.statements import ID, JOINING, MOVES, Line, Written, check, is_in_words, lines_of
from kafu.naming.table import latin_words
from kafu.notation import codes
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Place, Turn
from kafu.notation.reading.source import INVISIBLE, REPAIRS
from kafu.notation.vocabulary import MAX_WARNINGS
from kafu.rules import codes as rule_codes

_LINE_END: Final = re.compile(r"\r\n|\r")
_PLAYER: Final = re.compile(r"^\s*\[\s*Player[1-7]\s", re.MULTILINE)
# Where no card stands: comments and tags.
_NO_CARDS: Final = re.compile(r"\{[^}]*\}?|;[^\n]*|^\s*\[\s*[A-Za-z][^\n]*", re.MULTILINE)
_WORDS: Final = re.compile("[a-z]{3,}")
#: Parts of a text at most, far above any real game's.
_MOST: Final = 50_000


@dataclass(frozen=True, slots=True)
class Lettered:
    """A text with letters for names, line for line. ``columns`` has by line the columns (from 0)
    where parts begin: in this text, and in the one with names.
    """

    text: str
    columns: dict[int, tuple[list[int], list[int]]]
    #: What was repaired: the first name, and the first invisible character of each line.
    warnings: list[Fault]

    def place(self, place: Place) -> Place:
        """The place in the text with names."""
        line, column = place
        if line not in self.columns:
            return place
        here, there = self.columns[line]
        return line, there[max(0, bisect_right(here, column - 1) - 1)] + 1

    def put_places(self, game: Game) -> None:
        """Let the places of a game that was read from this text be those in the text with names."""
        game.places = {key: self.place(place) for key, place in game.places.items()}
        for month in game.months:
            month.places = {key: self.place(place) for key, place in month.places.items()}
            for turn in month.turns:
                turn.place = turn.place and self.place(turn.place)
                if isinstance(turn, Turn):
                    turn.place2 = turn.place2 and self.place(turn.place2)


def lettered(text: str, *, line: int = 1) -> Lettered | None:
    """The text with letters for its cards' names, None where it has no name. ``line`` is the number
    of its first line.

    Raises `Malformed` at what is no card, or is one too many of its name.
    """
    text = _LINE_END.sub("\n", text)
    if not _may_have_names(text):
        return None
    hidden = _Hidden(text, line)
    try:
        return _lettered(hidden, line)
    except Malformed as malformed:
        fault = malformed.fault
        assert fault.line is not None and fault.column is not None
        column = hidden.column(fault.line, fault.column - 1)
        raise Malformed(fault.at((fault.line, column + 1))) from None


class _Hidden:
    """A text without its invisible characters, and by line the columns in it before which they
    stood.
    """

    def __init__(self, text: str, first: int) -> None:
        self.text = INVISIBLE.sub("", text)
        self.columns: dict[int, list[int]] = {}
        self.warnings: list[Fault] = []
        if len(self.text) == len(text):
            return
        for number, row in enumerate(text.split("\n"), first):
            if found := list(INVISIBLE.finditer(row)):
                self.columns[number] = [match.start() - i for i, match in enumerate(found)]
                values = {"character": f"U+{ord(found[0][0]):04X}"}
                place = number, found[0].start() + 1
                self.warnings.append(Fault(codes.INVISIBLE_CHARACTER, *place, values=values))

    def column(self, line: int, column: int) -> int:
        """The column in the text as it was written, both from 0."""
        return column + bisect_right(self.columns.get(line, ()), column)


def _lettered(hidden: _Hidden, line: int) -> Lettered | None:
    text = hidden.text
    months: list[Laid] = []
    lines = []
    players = len(_PLAYER.findall(text)) or 2
    parts = 0
    for one in lines_of(text, line=line, most=_MOST):
        parts += len(one.tokens)
        if parts > _MOST:
            return None
        lines.append(one)
        if one.role == "month":
            months.append(Laid(one.seat, players))
        elif months:
            months[-1].lines.append(one)
    named = [(one.number, t.start + 1) for one in lines for t in one.tokens if t.kind == "name"]
    if not named and not is_in_words(text):
        return None
    for one in lines:
        check(one)
    if not named:
        return None
    for month in months:
        month.place()
    columns = {}
    written = []
    for one in lines:
        text, here, there = _written(one)
        written.append(text)
        if one.number in hidden.columns or any(token.kind == "name" for token in one.tokens):
            columns[one.number] = here, [hidden.column(one.number, column) for column in there]
    number, column = named[0]
    first = number, hidden.column(number, column - 1) + 1
    warnings = [Fault(rule_codes.CARD_NAMES, *first), *hidden.warnings[:MAX_WARNINGS]]
    return Lettered("\n".join(written), columns, warnings)


def _may_have_names(text: str) -> bool:
    """Whether a name may stand in a text: nearly every text with faults has none."""
    rest = _NO_CARDS.sub(" ", text).translate(REPAIRS)
    if not rest.isascii() or "," in rest or "#" in rest or ID.search(rest):
        return True
    return not latin_words().isdisjoint(_WORDS.findall(rest.lower()))


def _written(line: Line) -> tuple[str, list[int], list[int]]:
    """A line of the new text, with its columns."""
    text = ""
    here, there = [0], [0]
    for token in _close(line) if line.role == MOVES else line.tokens:
        here.append(len(text))
        there.append(token.start)
        text += token.text or token.letters[:1]
    return text, here, there


def _close(line: Line) -> list[Written]:
    """The parts of movetext without the blanks around ``x``, ``/`` and commas, and these
    without a sign.
    """
    close: list[Written] = []
    for i, token in enumerate(line.tokens):
        after = line.tokens[i + 1].kind if i + 1 < len(line.tokens) else ""
        before = line.tokens[i - 1].kind if i else ""
        if token.kind == "comma" or (token.kind == "blank" and {before, after} & set(JOINING)):
            continue
        close.append(token)
    return close
