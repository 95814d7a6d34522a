"""Translation of Kafu texts between names of cards and letters."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from kafu import cards
from kafu.naming.placement import DealText
from kafu.naming.statements import (
    ID,
    JOINING,
    MOVES,
    NamedLine,
    NameToken,
    check_names,
    has_names_like_letters,
    split_lines,
)
from kafu.naming.table import latin_words
from kafu.notation import codes
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Place
from kafu.notation.reading.source import INVISIBLE, REPAIRS
from kafu.notation.vocabulary import MAX_WARNINGS
from kafu.rules import codes as rule_codes

_LINE_END: Final = re.compile(r"\r\n|\r")
_PLAYER: Final = re.compile(r"^[^\S\n]*\[[^\S\n]*(?i:player)([1-7])\s", re.MULTILINE)
#: Parts of a text without cards: comments and tags.
_NO_CARDS: Final = re.compile(r"\{[^}]*\}?|;[^\n]*|^[^\S\n]*\[[^\S\n]*[A-Za-z][^\n]*", re.MULTILINE)
_WORDS: Final = re.compile("[a-z]{3,}")
#: The maximum number of lines and tokens in a text, far above that of any real game.
_MAX_TOKENS: Final = 50_000


@dataclass(frozen=True, slots=True)
class LetterText:
    """A text with letters instead of names, with the same lines as its source.

    ``columns`` maps a line number to the columns (from 0) of its tokens, in this text and in the
    source. ``warnings`` report the first name and the first invisible character of each line.
    """

    text: str
    columns: dict[int, tuple[list[int], list[int]]]
    warnings: list[Fault]

    def source_place(self, place: Place) -> Place:
        """Return a place (line and column from 1) in the source."""
        line, column = place
        if line not in self.columns:
            return place
        columns, source_columns = self.columns[line]
        return line, source_columns[max(0, bisect_right(columns, column - 1) - 1)] + 1

    def restore_places(self, game: Game) -> None:
        """Replace all places in a game, read from the text, by places in the source."""
        for month in game.months:
            for item in month.statements:
                item.place = item.place and self.source_place(item.place)
                item.card_places = tuple(map(self.source_place, item.card_places))


def to_letters(text: str, *, line: int = 1) -> LetterText | None:
    """Translate names of cards into letters; return None for a text without names.

    ``line`` is the number of the first line. Raises `Malformed` at a word that names no card.
    """
    text = _LINE_END.sub("\n", text)
    if not _may_have_names(text):
        return None
    source = _VisibleText(text, line)
    try:
        return _translate(source, line)
    except Malformed as malformed:
        fault = malformed.fault
        assert fault.line is not None and fault.column is not None
        column = source.original_column(fault.line, fault.column - 1)
        raise Malformed(fault.at((fault.line, column + 1))) from None


class _VisibleText:
    """A text without its invisible characters, and their former columns by line."""

    def __init__(self, text: str, first: int) -> None:
        self.text = INVISIBLE.sub("", text)
        self.columns: dict[int, list[int]] = {}
        self.warnings: list[Fault] = []
        if len(self.text) == len(text):
            return
        for number, row in enumerate(text.split("\n"), first):
            if matches := list(INVISIBLE.finditer(row)):
                self.columns[number] = [match.start() - i for i, match in enumerate(matches)]
                values = {"character": f"U+{ord(matches[0][0]):04X}"}
                place = number, matches[0].start() + 1
                self.warnings.append(Fault(codes.INVISIBLE_CHARACTER, *place, values=values))

    def original_column(self, line: int, column: int) -> int:
        """Return the column in the original text; both count from 0."""
        return column + bisect_right(self.columns.get(line, ()), column)


def _translate(source: _VisibleText, first: int) -> LetterText | None:
    text = source.text
    months: list[DealText] = []
    lines = []
    players = len(set(_PLAYER.findall(text))) or 2
    count = 0
    for line in split_lines(text, first=first, most=_MAX_TOKENS):
        count += 1 + len(line.tokens)
        if count > _MAX_TOKENS:
            return None
        lines.append(line)
        if line.role == "month":
            months.append(DealText(line.seat, players))
        elif months:
            months[-1].lines.append(line)
    names = [(line.number, t.start) for line in lines for t in line.tokens if t.kind == "name"]
    if not names and not has_names_like_letters(text):
        return None
    for line in lines:
        check_names(line)
    if not names:
        return None
    for month in months:
        month.place()
    columns = {}
    texts = []
    for line in lines:
        text, line_columns, starts = _join(line)
        texts.append(text)
        if line.number in source.columns or any(token.kind == "name" for token in line.tokens):
            originals = [source.original_column(line.number, start) for start in starts]
            columns[line.number] = line_columns, originals
    number, start = names[0]
    place = number, source.original_column(number, start) + 1
    warnings = [Fault(rule_codes.CARD_NAMES, *place), *source.warnings[:MAX_WARNINGS]]
    return LetterText("\n".join(texts), columns, warnings)


def _may_have_names(text: str) -> bool:
    """Return quickly whether a text can have names; nearly every text with faults has none."""
    moves = _NO_CARDS.sub(" ", text).translate(REPAIRS)
    if not moves.isascii() or "," in moves or "#" in moves or ID.search(moves):
        return True
    return not latin_words().isdisjoint(_WORDS.findall(moves.lower()))


def _join(line: NamedLine) -> tuple[str, list[int], list[int]]:
    """Return a line with letters, the columns of its tokens, and their starts in the source."""
    text = ""
    columns, starts = [0], [0]
    for token in _drop_spaces(line) if line.role == MOVES else line.tokens:
        columns.append(len(text))
        starts.append(token.start)
        text += token.text or token.letters[:1]
    return text, columns, starts


def _drop_spaces(line: NamedLine) -> list[NameToken]:
    """Return the tokens of movetext without commas and without blanks around ``x`` and ``/``."""
    tokens: list[NameToken] = []
    for i, token in enumerate(line.tokens):
        after = line.tokens[i + 1].kind if i + 1 < len(line.tokens) else ""
        before = line.tokens[i - 1].kind if i else ""
        if token.kind == "comma" or (token.kind == "blank" and {before, after} & set(JOINING)):
            continue
        tokens.append(token)
    return tokens


def to_names(text: str, lang: str) -> str:
    """Translate the letters of a canonical text into names in ``lang`` ("en" or "ja").

    Cards with the same name get a number, so `to_letters` restores the text.
    """
    return "\n".join(_write_names(line, lang) for line in split_lines(text, named=False))


def _write_names(line: NamedLine, lang: str) -> str:
    comma = "、" if lang == "ja" else ", "
    text = ""
    for i, token in enumerate(line.tokens):
        if token.kind == "letters":
            if text and line.role != MOVES and not text.endswith((" ", comma)):
                text += " "
            text += comma.join(_write_name(letter, lang) for letter in token.text)
        elif token.kind == "blank" and line.role == MOVES and line.tokens[i - 1].kind == "letters":
            text += "  "  # Two blanks separate moves, because names contain single blanks.
        elif token.kind in ("capture", "draw") and lang != "ja":
            text += f" {token.text} "
        else:
            text += token.text
    return text


def _write_name(letter: str, lang: str) -> str:
    return cards.unique_name(letter, lang) if letter in cards.CARD else letter
