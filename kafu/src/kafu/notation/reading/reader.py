"""The tolerant reader of Kafu text, which reports each repair as a warning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kafu.native import mypyc_attr
from kafu.notation import codes
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Place
from kafu.notation.reading.movetext import is_movetext
from kafu.notation.reading.plain import PlainReader
from kafu.notation.reading.source import SourceLine, SourceLines, clip, fail
from kafu.notation.reading.statements import (
    FORMS,
    REPEATED,
    SHEET_RANK,
    SHEET_REPEATED,
    read_keyword,
    split_words,
)
from kafu.notation.reading.tags import note_key, read_tag
from kafu.notation.vocabulary import MAX_COMMENTS, MAX_DEALS, MAX_GAME_BYTES, MAX_TAGS, RANK

#: The maximum number of lines with moves or comments in a month: far more than 400 turns take.
_MAX_MOVE_LINES: Final = 5_000 + MAX_COMMENTS
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_PRIVATE: Final = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
#: The replacement character, and its bytes in UTF-8 read as Windows-1252 and as GB18030.
_DAMAGED: Final = re.compile("\ufffd|ï¿½|锟斤拷?")
#: The first line of a game, even within an unclosed comment.
_GAME_BEGIN: Final = re.compile(
    '(?<=\n)[ \t\f\ufeff\u200b-\u200f\u2060\u3000]{0,64}[\\[［]Kafu(?=[ \t\f\u3000"＂\\]］])'
)


@dataclass(slots=True)
class Reading:
    """The result of reading a piece: a game or a fault, and warnings of repairs."""

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


def _check_text(text: str, line: int) -> None:
    """Raise Malformed for over-long text, surrogates and control characters."""
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
        character = f"U+{ord(match[0]):04X}"
        fail(codes.CONTROL_CHARACTER, place(text, match.start(), line), character=character)


def place(text: str, position: int, line: int) -> Place:
    """Return line and column of a position in ``text``, whose first line is number ``line``."""
    before = text[:position].replace("\r\n", "\n").replace("\r", "\n")
    return line + before.count("\n"), len(before) - before.rfind("\n")


@mypyc_attr(allow_interpreted_subclasses=True)
class TolerantReader(PlainReader):
    """A reader of the lines of one game: tags, then months, then ``final``."""

    def __init__(self, warnings: list[Fault], line: int) -> None:
        super().__init__(warnings, line)
        #: The lines of this month's movetext, collected because a turn may span several lines.
        self.moves: list[SourceLine] = []

    def read(self, text: str) -> Game:
        _check_text(text, self.first)
        self._warn_of_characters(text)
        text = self._normalise_line_ends(text.removeprefix("\ufeff"))
        second = self._find_second_game(text)
        if second is not None:
            text = text[:second]
        source = SourceLines(text, self.first, self.warn)
        self.read_plainly(source)
        for line in source:
            if not line.tag and line.text.strip():
                read_keyword(line, self.warn)
            if self.moves:
                if self._continues_movetext(line):
                    self._collect(line)
                    continue
                self._read_movetext()
            if line.tag:
                self._read_tag(line)
            elif line.text.isspace() or not line.text:
                self._add_comments(line.list_comments())
            elif self.game is None:
                self._read_first_statement(line)
            else:
                self._read_statement(line)
            if not self.moves:
                self.read_plainly(source)
        self._read_movetext()
        if second is not None:
            fail(codes.SECOND_GAME, place(text, second, self.first))
        return self._finish()

    def _warn_of_characters(self, text: str) -> None:
        """Warn of the first private character, and of the first sign of a damaged text."""
        if text.isascii():
            return
        if match := _PRIVATE.search(text):
            values = {"character": f"U+{ord(match[0]):04X}"}
            position = place(text, match.start(), self.first)
            self.warn(Fault(codes.PRIVATE_CHARACTER, *position, values=values))
        if match := _DAMAGED.search(text):
            position = place(text, match.start(), self.first)
            self.warn(Fault(codes.DAMAGED_TEXT, *position, values={"found": match[0]}))

    def _normalise_line_ends(self, text: str) -> str:
        if "\r" not in text:
            return text
        text = text.replace("\r\n", "\n")
        lone = text.find("\r")
        if lone >= 0:
            self.warn(Fault(codes.LONE_CR, *place(text, lone, self.first)))
        return text.replace("\r", "\n")

    def _find_second_game(self, text: str) -> int | None:
        """Return the start of a second game, if a game begins on an earlier line."""
        if text.count("Kafu") < 2:
            return None
        starts = [match.start() - 1 for match in _GAME_BEGIN.finditer("\n" + text)][:2]
        return starts[1] if len(starts) > 1 else None

    # --- tags ---

    def _read_tag(self, line: SourceLine) -> None:
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
        if line.comments:
            self._add_comments(line.pop_early_comments())
        self.key = note_key(tag.name)
        if line.comments:
            self._add_comments(line.list_comments())

    def _read_first_statement(self, line: SourceLine) -> None:
        if not self.tags:
            fail(codes.FIRST_TAG, line.word(0), '[Kafu "1"]')
        keyword = line.text.split(maxsplit=1)[0]
        if keyword != "month":
            is_keyword_or_movetext = keyword in FORMS or is_movetext(line.text)
            code = codes.NO_MONTHS if is_keyword_or_movetext else codes.UNKNOWN_STATEMENT
            fail(code, line.word(0), "[", "month", found=clip(keyword))
        self.read_tags(line.word(0))
        self._read_statement(line)

    # --- statements ---

    def _read_statement(self, line: SourceLine) -> None:
        keyword = line.text.split(maxsplit=1)[0]
        if keyword not in FORMS:
            if not is_movetext(line.text):
                fail(codes.UNKNOWN_STATEMENT, line.word(0), *FORMS, found=clip(keyword))
            self._read_turns(line)
            return
        words = split_words(line, keyword, self.warn)
        if keyword == "month":
            self._check_month(line)
        elif keyword == "final":
            self._read_final(line, words)
            return
        else:
            self._check_order(keyword, line)
        self._add_comments(line.pop_early_comments())
        self.statement = self.statements.read(keyword, line, words)
        self.last = keyword
        if keyword == "month":
            self.begin_month()
        self._add_comments(line.list_comments())

    def _check_order(self, keyword: str, line: SourceLine) -> None:
        rank = SHEET_RANK if self.is_sheet else RANK
        if keyword not in rank:
            fail(codes.NOT_IN_SHEET, line.word(0), statement=keyword)
        if not self.is_sheet and keyword in ("pay", "stone"):
            fail(codes.ONLY_IN_SHEET, line.word(0), statement=keyword)
        last = self.last or "month"
        repeated = SHEET_REPEATED if self.is_sheet else REPEATED
        if keyword not in repeated and self.statements.month.find(keyword):
            fail(codes.STATEMENT_TWICE, line.word(0), statement=keyword)
        if last == "final" or rank[keyword] < rank[last]:
            fail(codes.STATEMENT_ORDER, line.word(0), statement=keyword, after=last)

    def _check_month(self, line: SourceLine) -> None:
        assert self.game is not None
        if self.last == "final":
            fail(codes.STATEMENT_ORDER, line.word(0), statement="month", after="final")
        self.close_month()
        if len(self.game.months) >= MAX_DEALS:
            fail(codes.TOO_MANY_DEALS, line.word(0), limit=MAX_DEALS)

    def _read_turns(self, line: SourceLine) -> None:
        if self.last != "turns":
            if self.is_sheet:
                fail(codes.NOT_IN_SHEET, line.word(0), statement="movetext")
            if self.last == "final" or RANK[self.last or "month"] > RANK["turns"]:
                fail(codes.STATEMENT_ORDER, line.word(0), statement="movetext", after=self.last)
            self._add_comments(line.pop_early_comments())
            self.last = "turns"
        self._collect(line)

    def _collect(self, line: SourceLine) -> None:
        """Add a line to the movetext of the month, before its turns are read and counted."""
        if len(self.moves) >= _MAX_MOVE_LINES:
            fail(codes.TOO_MANY, line.at(0), limit=_MAX_MOVE_LINES, statement="lines of turns")
        self.moves.append(line)

    def _continues_movetext(self, line: SourceLine) -> bool:
        """Return whether a line continues the movetext of the previous line."""
        words = line.text.split(maxsplit=1)
        if not words:
            return True
        if line.tag or words[0] in FORMS:
            return False
        before = next((moves.text for moves in reversed(self.moves) if moves.text.strip()), "")
        return is_movetext(line.text, before)

    def _read_movetext(self) -> None:
        if self.moves:
            self.open_movetext().read(SourceLine.join(self.moves))
            self.moves.clear()

    def _read_final(self, line: SourceLine, words: list[str]) -> None:
        assert self.game is not None
        if self.last == "final":
            fail(codes.STATEMENT_TWICE, line.word(0), statement="final")
        if len(words) < 2:
            fail(codes.STATEMENT_FORM, line.word(1), FORMS["final"], form=FORMS["final"])
        self._add_comments(line.pop_early_comments())
        self.close_month()
        self.end_months(self.statements.read_sums(line, words), line.word(0))
        self._add_comments(line.list_comments())

    # --- comments and the end ---

    def _add_comments(self, comments: Sequence[str]) -> None:
        """Add comments to the last tag or statement."""
        if not comments:
            return
        if self.last == "turns":
            for words in comments:
                self.open_movetext().attach_comment(words)
        elif self.last is None or self.last == "final":
            self.notes.setdefault(self.key, []).extend(comments)
        else:
            self.statement.comments += comments

    def _finish(self) -> Game:
        if self.game is None:
            if not self.tags:
                fail(codes.EMPTY, (self.first, 1))
            kafu = self.tags["Kafu"].place
            self.read_tags(kafu)
            fail(codes.NO_MONTHS, kafu, "month M dealer P")
        self.close_month()
        return self.game
