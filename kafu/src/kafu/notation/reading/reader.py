"""Kafu text -> Game. The reader is tolerant; what it repairs it reports as a warning."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from kafu.native import mypyc_attr
from kafu.notation import codes
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Place
from kafu.notation.reading import amounts
from kafu.notation.reading.movetext import is_movetext
from kafu.notation.reading.plain_reader import PlainReader
from kafu.notation.reading.source import Source, SourceLine, clip, fail
from kafu.notation.reading.statements import (
    FORMS,
    RANK,
    REPEATED,
    SHEET_RANK,
    SHEET_REPEATED,
    close,
)
from kafu.notation.reading.tags import note_key, read_tag
from kafu.notation.vocabulary import MAX_DEALS, MAX_GAME_BYTES, MAX_TAGS, RULES

_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_PRIVATE: Final = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
#: A line that begins a game, wherever it is (also within a comment that is not closed).
_GAME_BEGINS: Final = re.compile(
    '(?<=\n)[ \t\f\ufeff\u200b-\u200f\u2060\u3000]{0,64}[\\[［]Kafu(?=[ \t\f\u3000"＂\\]］])'
)


@dataclass(slots=True)
class Reading:
    """The result of reading a piece: a game, or the fault that makes it malformed; and the
    repairs.
    """

    game: Game | None
    fault: Fault | None = None
    warnings: list[Fault] = field(default_factory=list)


def read(text: str, *, line: int = 1) -> Reading:
    """Read one game; ``line`` is the number of the text's first line in its file.

    Never raises: a text that is not Kafu gives a Reading with a fault and no game.
    """
    warnings: list[Fault] = []
    try:
        return Reading(TolerantReader(warnings, line).read(text), None, warnings)
    except Malformed as malformed:
        return Reading(None, malformed.fault, warnings)


def _checked(text: str, line: int) -> None:
    """Raise Malformed for what no text may contain: too much of it, surrogates, control
    characters.
    """
    size = len(text)
    if not text.isascii():
        try:
            size = len(text.encode())
        except UnicodeEncodeError as error:
            fail(codes.BAD_ENCODING, place(text, error.start, line))
    if size > MAX_GAME_BYTES:
        fail(codes.GAME_TOO_LARGE, (line, 1), limit=MAX_GAME_BYTES)
    match = _CONTROL.search(text)
    if match:
        shown = f"U+{ord(match[0]):04X}"
        fail(codes.CONTROL_CHARACTER, place(text, match.start(), line), character=shown)


def place(text: str, position: int, line: int) -> Place:
    """Line and column of a position in ``text``, whose first line is number ``line``."""
    before = text[:position].replace("\r\n", "\n").replace("\r", "\n")
    return line + before.count("\n"), len(before) - before.rfind("\n")


@mypyc_attr(allow_interpreted_subclasses=True)
class TolerantReader(PlainReader):
    """Reads the lines of one game in turn: tags, then months, then ``final``."""

    def __init__(self, warnings: list[Fault], line: int) -> None:
        super().__init__(warnings, line)
        #: The lines of movetext of this month that were not read yet: a turn may have its parts
        #: on several.
        self.moves: list[SourceLine] = []

    def read(self, text: str) -> Game:
        _checked(text, self.first)
        self._warn_of_private(text)
        text = self._one_kind_of_line_end(text.removeprefix("\ufeff"))
        second = self._second_game(text)
        if second is not None:
            text = text[:second]
        source = Source(text, self.first, self.warn)
        self.read_plainly(source)
        for line in source:
            if self.moves:
                if self._adds_to_movetext(line):
                    self.moves.append(line)
                    continue
                self._read_movetext()
            if line.tag:
                self._tag(line)
            elif line.text.isspace() or not line.text:
                self._note(line)
            elif self.game is None:
                self._first_statement(line)
            else:
                self._statement(line)
            if not self.moves:
                self.read_plainly(source)
        self._read_movetext()
        if second is not None:
            fail(codes.SECOND_GAME, place(text, second, self.first))
        return self._end()

    def _warn_of_private(self, text: str) -> None:
        match = None if text.isascii() else _PRIVATE.search(text)
        if match is not None:
            values = {"character": f"U+{ord(match[0]):04X}"}
            found = place(text, match.start(), self.first)
            self.warn(Fault(codes.PRIVATE_CHARACTER, *found, values=values))

    def _one_kind_of_line_end(self, text: str) -> str:
        if "\r" not in text:
            return text
        text = text.replace("\r\n", "\n")
        lone = text.find("\r")
        if lone >= 0:
            self.warn(Fault(codes.LONE_CR, *place(text, lone, self.first)))
        return text.replace("\r", "\n")

    def _second_game(self, text: str) -> int | None:
        """The beginning of a second game: the first one must have begun on a line before."""
        if text.count("Kafu") < 2:
            return None
        begins = [match.start() - 1 for match in _GAME_BEGINS.finditer("\n" + text)][:2]
        return begins[1] if len(begins) > 1 else None

    # --- tags ---

    def _tag(self, line: SourceLine) -> None:
        if self.game is not None:
            fail(codes.TAG_AFTER_MONTH, line.word(0))
        tag = read_tag(line, self.warn)
        if not self.tags and tag.name != "Kafu":
            fail(codes.FIRST_TAG, tag.place, '[Kafu "1"]')
        if tag.name in self.tags:
            fail(codes.TAG_TWICE, tag.place, tag=tag.name)
        if len(self.tags) >= MAX_TAGS:
            fail(codes.TOO_MANY_TAGS, tag.place, limit=MAX_TAGS)
        self.tags[tag.name] = tag
        for at, words in line.comments or ():
            if line.text[:at].strip():
                self.key = note_key(tag.name)
            self._add(words)
        self.key = note_key(tag.name)

    def _first_statement(self, line: SourceLine) -> None:
        if not self.tags:
            fail(codes.FIRST_TAG, line.word(0), '[Kafu "1"]')
        keyword = line.text.split(maxsplit=1)[0]
        if keyword != "month":
            known = keyword in FORMS or is_movetext(line.text)
            code = codes.NO_MONTHS if known else codes.UNKNOWN_STATEMENT
            fail(code, line.word(0), "[", "month", found=clip(keyword))
        self.read_tags(line.word(0))
        self._statement(line)

    # --- statements ---

    def _statement(self, line: SourceLine) -> None:
        keyword = line.text.split(maxsplit=1)[0]
        if keyword not in FORMS:
            if not is_movetext(line.text):
                fail(codes.UNKNOWN_STATEMENT, line.word(0), *FORMS, found=clip(keyword))
            self._turns(line)
            return
        words = close(line, keyword, self.warn)
        if keyword == "month":
            self._month(line)
        elif keyword == "final":
            self._final(line, words)
            return
        else:
            self._in_order(keyword, line)
        self.last = keyword
        before = self._comments_before(line)
        self.key = self.statement_key = self.statements.read(keyword, line, words)
        if keyword == "month":
            self.begin_month()
        for comment in before:
            self._add(comment)

    def _comments_before(self, line: SourceLine) -> list[str]:
        """Store comments before the first word with the statement before; return the others."""
        own = []
        for at, words in line.comments or ():
            if line.text[:at].strip():
                own.append(words)
            else:
                self._add(words)
        return own

    def _in_order(self, keyword: str, line: SourceLine) -> None:
        rank = SHEET_RANK if self.sheet else RANK
        if keyword not in rank:
            fail(codes.NOT_IN_SHEET, line.word(0), statement=keyword)
        if not self.sheet and keyword in ("pay", "stone"):
            fail(codes.ONLY_IN_SHEET, line.word(0), statement=keyword)
        last = self.last or "month"
        repeated = SHEET_REPEATED if self.sheet else REPEATED
        if keyword not in repeated and self._stands(keyword):
            fail(codes.STATEMENT_TWICE, line.word(0), statement=keyword)
        if last == "final" or rank[keyword] < rank[last]:
            fail(codes.STATEMENT_ORDER, line.word(0), statement=keyword, after=last)

    def _stands(self, keyword: str) -> bool:
        return keyword in self.statements.month.places

    def _month(self, line: SourceLine) -> None:
        assert self.game is not None
        if self.last == "final":
            fail(codes.STATEMENT_ORDER, line.word(0), statement="month", after="final")
        self.close_month()
        if len(self.game.months) >= MAX_DEALS:
            fail(codes.TOO_MANY_DEALS, line.word(0), limit=MAX_DEALS)

    def _turns(self, line: SourceLine) -> None:
        if self.last != "turns":
            if self.sheet:
                fail(codes.NOT_IN_SHEET, line.word(0), statement="movetext")
            if self.last == "final" or RANK[self.last or "month"] > RANK["turns"]:
                fail(codes.STATEMENT_ORDER, line.word(0), statement="movetext", after=self.last)
            self.last = "turns"
            for comment in self._early_comments(line):
                self._add(comment)
            self.key = "turns"
        self.moves.append(line)

    def _adds_to_movetext(self, line: SourceLine) -> bool:
        """Whether a line belongs to the movetext that the line before it belongs to."""
        words = line.text.split(maxsplit=1)
        if not words:
            return True
        if line.tag or words[0] in FORMS:
            return False
        before = next((moves.text for moves in reversed(self.moves) if moves.text.strip()), "")
        return is_movetext(line.text, before)

    def _read_movetext(self) -> None:
        if self.moves:
            self.tolerant_movetext().read(SourceLine.joined(self.moves))
            self.moves.clear()

    def _early_comments(self, line: SourceLine) -> list[str]:
        """Remove and return the comments before the first word of ``line``."""
        if not line.comments:
            return []
        early = [words for at, words in line.comments if not line.text[:at].strip()]
        line.comments = line.comments[len(early) :]
        return early

    def _final(self, line: SourceLine, words: list[str]) -> None:
        assert self.game is not None
        if self.last == "final":
            fail(codes.STATEMENT_TWICE, line.word(0), statement="final")
        if len(words) < 2:
            fail(codes.STATEMENT_FORM, line.word(1), FORMS["final"], form=FORMS["final"])
        own = self._comments_before(line)
        self.close_month()
        rules, seats = RULES[self.game.rules], len(self.game.players)
        self.game.final = amounts.pairs(line, words, 1, rules, seats, self.warn)
        self.game.places["final"] = line.word(0)
        self.last, self.notes, self.key = "final", self.game.notes, "final"
        for comment in own:
            self._add(comment)

    # --- comments and the end ---

    def _note(self, line: SourceLine) -> None:
        for _, words in line.comments or ():
            self._add(words)

    def _add(self, words: str) -> None:
        if self.key == "turns":
            self.tolerant_movetext().comment(words)
        else:
            self.notes.setdefault(self.key, []).append(words)

    def _end(self) -> Game:
        if self.game is None:
            if not self.tags:
                fail(codes.EMPTY, (self.first, 1))
            kafu = self.tags["Kafu"].place
            self.read_tags(kafu)
            fail(codes.NO_MONTHS, kafu, "month M dealer P")
        self.close_month()
        return self.game
