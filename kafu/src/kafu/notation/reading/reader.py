"""The tolerant reader of Kafu text, which reports each repair as a warning."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Final

from kafu.native import mypyc_attr
from kafu.notation import codes
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Month, Place, Rows, Statement
from kafu.notation.reading.canonical import HEAD, SCORE, read_head, read_rows, read_score
from kafu.notation.reading.movetext import Movetext, is_movetext
from kafu.notation.reading.source import (
    SourceLine,
    SourceLines,
    Warn,
    add_warning,
    clip,
    code_point,
    fail,
)
from kafu.notation.reading.statements import (
    FORMS,
    SHEET_RANK,
    Statements,
    read_keyword,
    split_words,
)
from kafu.notation.reading.tags import Tag, build_game, note_key, read_tag
from kafu.notation.vocabulary import (
    MAX_COMMENTS,
    MAX_DEALS,
    MAX_GAME_BYTES,
    MAX_TAGS,
    RANK,
    RULES,
)

#: The maximum number of lines with moves or comments in a month: far more than 400 turns take.
_MAX_MOVE_LINES: Final = 5_000 + MAX_COMMENTS
_CONTROLS: Final = bytes({*range(0x20), 0x7F} - set(b"\t\n\f\r"))
_CONTROL: Final = re.compile(f"[{_CONTROLS.decode()}]")
_PRIVATE: Final = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
#: The replacement character, and its bytes in UTF-8 read as Windows-1252 and as GB18030.
_DAMAGED: Final = re.compile("\ufffd|ï¿½|锟斤拷?")


#: The place where a tag, a statement or movetext begins, what has its comments, and its month.
_Begun = tuple[Place, Statement, Month | None]


@dataclass(slots=True)
class Reading:
    """The result of reading a piece: a game or a fault, and warnings of repairs."""

    game: Game | None
    fault: Fault | None = None
    warnings: list[Fault] = field(default_factory=list)


def read(text: str, *, line: int = 1) -> Reading:
    """Read one game; ``line`` is the number of the text's first line in its file.

    `kafu.notation.stream.cut.cut` separates the games of a text.
    Never raises: a text that is not Kafu gives a Reading with a fault and no game.
    """
    warnings: list[Fault] = []
    try:
        return Reading(TolerantReader(warnings, line).read(text), None, warnings)
    except Malformed as malformed:
        return Reading(None, malformed.fault, warnings)


def _check_text(text: str, line: int) -> None:
    """Raise Malformed for over-long text, surrogates and control characters."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        fail(codes.BAD_ENCODING, place(text, error.start, line))
    if len(data) > MAX_GAME_BYTES:
        fail(codes.GAME_TOO_LARGE, (line, 1), limit=MAX_GAME_BYTES)
    if len(data.translate(None, _CONTROLS)) < len(data) and (match := _CONTROL.search(text)):
        position = place(text, match.start(), line)
        fail(codes.CONTROL_CHARACTER, position, character=code_point(match[0]))


def place(text: str, position: int, line: int) -> Place:
    """Return line and column of a position in ``text``, whose first line is number ``line``."""
    before = text[:position].replace("\r\n", "\n").replace("\r", "\n")
    return line + before.count("\n"), len(before) - before.rfind("\n")


@mypyc_attr(allow_interpreted_subclasses=True)
class TolerantReader:
    """A reader of the lines of one game: tags, then months, then ``final``."""

    def __init__(self, warnings: list[Fault], line: int) -> None:
        #: No method of the reader: in a reference cycle, a game would stay in memory until the
        #: garbage collector runs.
        self.warn: Warn = partial(add_warning, warnings)
        self.first = line
        self.tags: dict[str, Tag] = {}
        self.game: Game | None = None
        self.statements: Statements
        #: Created for the first line of movetext that is not canonical.
        self.movetext: Movetext | None = None
        #: Keyword of the last statement; None before the first month.
        self.last: str | None = None
        #: The lines of tags and of the settlement with the keys of their comments, and the first
        #: lines of movetext with their months.
        self.begun: list[tuple[SourceLine, str, Month | None]] = []
        #: The lines of this month's movetext, collected because a turn may span several lines.
        self.moves: list[SourceLine] = []

    def read(self, text: str) -> Game:
        _check_text(text, self.first)
        self._warn_of_characters(text)
        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        if "\r" in text:
            self.warn(codes.LONE_CR, place(text, text.index("\r"), self.first))
        source = SourceLines(text.replace("\r", "\n"), self.first, self.warn)
        for line in source:
            keyword = "" if line.tag else read_keyword(line, self.warn)
            if self.moves:
                if self._continues_movetext(line, keyword):
                    self._collect(line)
                    continue
                self._read_movetext()
            if line.tag:
                self._read_tag(line)
            elif keyword:
                if self.game is None:
                    self._begin_game(line, keyword)
                self._read_statement(line, keyword)
            if not self.moves:
                self.read_plainly(source)
        self._read_movetext()
        game = self._finish()
        if source.comments:
            self._attach_comments(source.comments, game)
        return game

    def read_plainly(self, source: SourceLines) -> None:
        """Read heads of months, movetext and scores while they are in canonical form and order.

        A verdict takes 1.25 to 1.42 times as long if heads and scores are read line by line.
        """
        text = source.text
        while self.tags and "Sheet" not in self.tags and self.last != "final":
            position, line = source.position, source.line
            first = text[position : position + 1]
            if first == "\n":
                source.position, source.line = position + 1, line + 1
            elif first == "m" and (head := HEAD.match(text, position)):
                if self.game is None:
                    self._read_tags((line, 1))
                    continue
                month = read_head(head, line, self.statements.seats)
                if month is None or len(self.game.months) >= MAX_DEALS:
                    break
                self._close_month()
                self.statements.month = month
                self.game.months.append(month)
                self.last = "stock"
                source.position, source.line = head.end(), line + len(month.written)
            elif first == "1" and self._may_follow("turns"):
                rows = read_rows(text, position, line, self.statements.notation.round)
                if rows is None:
                    break
                self.statements.month.written.append(Statement("turns", rows, (line, 1)))
                self.last = "turns"
                source.position += len(rows.text) + 1
                source.line += rows.text.count("\n") + 1
            elif self._may_follow("score") and (match := SCORE.match(text, position)):
                statements = self.statements
                score = read_score(match, statements.seats, statements.notation.kan)
                if score is None:
                    break
                statements.month.written.append(Statement("score", score, (line, 1)))
                self.last = "score"
                source.position, source.line = match.end(), line + 1
            else:
                break

    def _may_follow(self, keyword: str) -> bool:
        return self.last is not None and RANK[self.last] < RANK[keyword]

    def _warn_of_characters(self, text: str) -> None:
        """Warn of the first private character, and of the first sign of a damaged text."""
        if text.isascii():
            return
        if match := _PRIVATE.search(text):
            position = place(text, match.start(), self.first)
            self.warn(codes.PRIVATE_CHARACTER, position, character=code_point(match[0]))
        if match := _DAMAGED.search(text):
            self.warn(codes.DAMAGED_TEXT, place(text, match.start(), self.first), found=match[0])

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
        self.begun.append((line, note_key(tag.name), None))

    def _read_tags(self, end: Place) -> None:
        """Create the game from the tags, which end at ``end``."""
        self.game = build_game(self.tags, end, self.warn)
        notation, seats = RULES[self.game.rules], len(self.game.players)
        self.statements = Statements(notation, seats, self.game.is_sheet, self.warn)

    def _begin_game(self, line: SourceLine, keyword: str) -> None:
        """Create the game before its first statement, which must be ``month``."""
        if not self.tags:
            fail(codes.FIRST_TAG, line.word(0), '[Kafu "1"]')
        if keyword != "month":
            is_keyword_or_movetext = keyword in FORMS or is_movetext(line.text)
            code = codes.NO_MONTHS if is_keyword_or_movetext else codes.UNKNOWN_STATEMENT
            fail(code, line.word(0), "[", "month", found=clip(keyword))
        self._read_tags(line.word(0))

    # --- statements ---

    def _read_statement(self, line: SourceLine, keyword: str) -> None:
        assert self.game is not None
        if keyword not in FORMS:
            if not is_movetext(line.text):
                fail(codes.UNKNOWN_STATEMENT, line.word(0), *FORMS, found=clip(keyword))
            if self.last != "turns":
                self._check_order("turns", line)
                self.begun.append((line, "turns", self.statements.month))
                self.last = "turns"
            self._collect(line)
            return
        words = split_words(line, keyword, self.warn)
        self._check_order(keyword, line)
        if keyword in ("month", "final"):
            self._close_month()
        statement = self.statements.read(keyword, line, words)
        self.last = keyword
        if keyword == "final":
            self.game.final = statement.value
            self.begun.append((line, keyword, None))
        if keyword == "month":
            self.game.months.append(self.statements.month)

    def _check_order(self, keyword: str, line: SourceLine) -> None:
        """Check that a statement may follow the last one; movetext has the keyword ``turns``."""
        assert self.game is not None
        is_sheet = self.statements.sheet
        ranks = SHEET_RANK if is_sheet else RANK
        name = "movetext" if keyword == "turns" else keyword
        last = self.last or "month"
        if keyword not in ranks:
            fail(codes.NOT_IN_SHEET, line.word(0), statement=name)
        if not is_sheet and keyword in ("pay", "stone"):
            fail(codes.ONLY_IN_SHEET, line.word(0), statement=name)
        is_single = keyword in FORMS and not FORMS[keyword].repeated
        if last == keyword == "final" or (is_single and self.statements.month.find(keyword)):
            fail(codes.STATEMENT_TWICE, line.word(0), statement=name)
        if ranks[keyword] < ranks[last] and (keyword != "month" or last == "final"):
            fail(codes.STATEMENT_ORDER, line.word(0), statement=name, after=last)
        if keyword == "month" and len(self.game.months) >= MAX_DEALS:
            fail(codes.TOO_MANY_DEALS, line.word(0), limit=MAX_DEALS)

    def _close_month(self) -> None:
        """End the movetext of the month, if it was not canonical."""
        if self.movetext is not None:
            self.movetext.close()
            self.movetext = None

    def _collect(self, line: SourceLine) -> None:
        """Add a line to the movetext of the month, before its turns are read and counted."""
        if len(self.moves) >= _MAX_MOVE_LINES:
            fail(codes.TOO_MANY, line.at(0), limit=_MAX_MOVE_LINES, statement="lines of turns")
        self.moves.append(line)

    def _continues_movetext(self, line: SourceLine, keyword: str) -> bool:
        """Return whether a line continues the movetext of the previous line."""
        if line.tag or keyword in FORMS:
            return False
        if not keyword:
            return True
        before = next((moves.text for moves in reversed(self.moves) if moves.text.strip()), "")
        return is_movetext(line.text, before)

    def _read_movetext(self) -> None:
        if self.moves:
            if self.movetext is None:
                self.movetext = Movetext(self.statements)
            self.movetext.read(SourceLine.join(self.moves))
            self.moves.clear()

    # --- comments and the end ---

    def _attach_comments(self, comments: Sequence[tuple[Place, str]], game: Game) -> None:
        """Add each comment to the last tag, statement or turn that begins before it."""
        begun: list[_Begun] = [((0, 0), Statement("head", None), None)]
        begun += [(line.word(0), Statement(key, None), month) for line, key, month in self.begun]
        written = [(item, month) for month in game.months for item in month.written]
        ordered = begun + [(item.place or (0, 0), item, month) for item, month in written]
        ordered.sort(key=itemgetter(0))
        places = [place for place, _, _ in ordered]
        for place, words in comments:
            _, statement, month = ordered[bisect_left(places, place) - 1]
            if month is not None and isinstance(statement.value, Rows):
                statement = month.turns[-1]
            statement.comments.append(words)
        commented = [(item, month) for _, item, month in begun if item.comments]
        game.notes = {item.keyword: item.comments for item, month in commented if month is None}
        if not game.options and "Options" in game.notes:
            # An empty Options tag is not written again; its comments follow Rules.
            game.notes.setdefault("Rules", []).extend(game.notes.pop("Options"))
        for movetext, month in commented:
            if month is not None:
                month.add(movetext)
                if month.written[-1] is movetext:  # It has no turn.
                    month.written.pop()
                    month.written[-1].comments += movetext.comments

    def _finish(self) -> Game:
        if self.game is None:
            if not self.tags:
                fail(codes.EMPTY, (self.first, 1))
            kafu = self.tags["Kafu"].place
            self._read_tags(kafu)
            fail(codes.NO_MONTHS, kafu, "month M dealer P")
        self._close_month()
        return self.game
