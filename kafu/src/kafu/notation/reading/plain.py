"""Reading of statements in canonical form, without tolerance.

Nearly every text comes from a writer and needs no repair. For any other text the functions return
None, and the tolerant reader (`kafu.notation.reading.reader`) reads the text line by line. Only the
tolerant reader reports faults and warnings. A verdict takes 1.35 to 1.5 times as long if the
tolerant reader reads every statement.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Any, Final

from kafu import cards
from kafu.native import mypyc_attr
from kafu.notation import codes, vocabulary
from kafu.notation.actions import Action
from kafu.notation.faults import Fault
from kafu.notation.game import Game, Month, Notes, Place, Statement
from kafu.notation.reading import amounts
from kafu.notation.reading.movetext import Movetext
from kafu.notation.reading.rows import read_rows
from kafu.notation.reading.source import SourceLines, Warn, is_plain
from kafu.notation.reading.statements import MAX_YAKU, Statements
from kafu.notation.reading.tags import Tag, build_game
from kafu.notation.vocabulary import (
    MAX_DEALS,
    MAX_STATEMENTS,
    MAX_WARNINGS,
    RANK,
    RULES,
    YAKU,
    compound,
)

_CARDS: Final = "[A-Za-v_]{1,50}"
_HAND: Final = r"(?:hand {} ([A-Za-v_?]{{1,50}})\n)?"
_SHOW: Final = re.compile(rf"show ([1-9]) ([a-z][a-z0-9+-]{{0,127}}) ({_CARDS}|-)\n")


@lru_cache(maxsize=16)
def _head_pattern(seats: int) -> re.Pattern[str]:
    """Return the pattern of the statements with which nearly every month begins."""
    hands = "".join(_HAND.format(seat) for seat in range(1, seats + 1))
    return re.compile(
        rf"month ([0-9]{{1,3}}) dealer ([1-{seats}])\n{hands}"
        rf"field ({_CARDS})\nstock (?:({_CARDS})(\.\.\.)?|\.\.\.)\n"
    )


def read_head(text: str, position: int, line: int, seats: int) -> tuple[Month, int] | None:
    """Return a month with its hands, field and stock, and the position after them.

    ``position`` is the start of the month statement, on row ``line``. None for other statements.
    """
    match = _head_pattern(seats).match(text, position)
    if match is None:
        return None
    month, dealer, *hands, field, stock, dots = match.groups()
    statements = [Statement("month", (int(month), int(dealer)), (line, 1))]
    for seat, hand in enumerate(hands, 1):
        if hand:
            line += 1
            statements.append(Statement("hand", (seat, cards.sort(hand)), (line, 1)))
    is_cut = dots is not None or not stock
    statements.append(Statement("field", cards.sort(field), (line + 1, 1)))
    statements.append(Statement("stock", (stock or "", is_cut), (line + 2, 1)))
    return Month.of(statements), match.end()


def read_show(text: str, position: int, seats: int) -> tuple[Action, int] | None:
    """Return the declaration at ``position``, and the position after it."""
    match = _SHOW.match(text, position)
    if match is None or int(match[1]) > seats or not _is_yaku(match[2]):
        return None
    shown = "" if match[3] == "-" else cards.sort(match[3])
    return Action("show", int(match[1]), take=shown, say=match[2]), match.end()


@lru_cache(maxsize=1024)
def _is_yaku(word: str) -> bool:
    """Return whether a word is the yaku of a declaration, in canonical order."""
    names = tuple(word.split("+"))
    are_known = len(names) <= MAX_YAKU and all(name in YAKU for name in names)
    return are_known and compound(names) == names


vocabulary.depends_on_rulesets(_is_yaku.cache_clear)


@lru_cache(maxsize=32)
def _sums_pattern(word: str, seats: int, kan: bool) -> re.Pattern[str]:
    amount = "([+-]?[0-9]{1,6}" + ("(?:k[0-9]{0,6})?)" if kan else ")")
    by_seat = " ".join(f"{seat} {amount}" for seat in range(1, seats + 1))
    return re.compile(rf"{word} {by_seat}\n")


def read_sums(
    text: str, position: int, word: str, kan: bool, seats: int
) -> tuple[tuple[int, ...], int] | None:
    """Return the sums per seat in a ``score`` or ``final`` statement, and the position after it."""
    match = _sums_pattern(word, seats, kan).match(text, position)
    if match is None:
        return None
    return tuple([amounts.parse_canonical(amount) or 0 for amount in match.groups()]), match.end()


def _add_warning(warnings: list[Fault], fault: Fault) -> None:
    """Add a warning; beyond the maximum, add only one note that more exist."""
    if len(warnings) < MAX_WARNINGS:
        warnings.append(fault)
    elif len(warnings) == MAX_WARNINGS:
        warnings.append(Fault(codes.MORE_WARNINGS, fault.line, fault.column))


@mypyc_attr(allow_interpreted_subclasses=True)
class PlainReader:
    """The state of a game being read, and the reading of text without need of repair.

    A method for a section returns early if the section is not canonical. The tolerant reader, which
    alone reports faults and warnings, then reads the section.
    """

    def __init__(self, warnings: list[Fault], line: int) -> None:
        #: No method of the reader: in a reference cycle, a game would stay in memory until the
        #: garbage collector runs.
        self.warn: Warn = partial(_add_warning, warnings)
        self.first = line
        self.tags: dict[str, Tag] = {}
        self.game: Game | None = None
        self.statements: Statements
        #: Created for the first line of movetext that is not canonical.
        self.movetext: Movetext | None = None
        self.is_sheet = False
        #: Keyword of the last statement; None before the first month.
        self.last: str | None = None
        #: The last statement of the month except movetext.
        self.statement = Statement("month", None)
        #: The comments outside of months, and the key of the next comment.
        self.notes: Notes = {}
        self.key = "head"

    def read_plainly(self, source: SourceLines) -> None:
        """Read on while the text is in canonical form and order."""
        if self.tags and self.game is None:
            self._read_plain_head(source)
        game = self.game
        if game is None or self.is_sheet or self.last == "final":
            return
        text, position, line = source.text, source.position, source.line
        statements = self.statements
        notation, seats = statements.notation, statements.seats
        while True:
            first = text[position : position + 1]
            if first == "\n":
                position += 1
                line += 1
            elif first == "m" and len(game.months) < MAX_DEALS:
                head = read_head(text, position, line, seats)
                if head is None:
                    break
                self.close_month()
                statements.month, position = head
                line += len(statements.month.written)
                self.begin_month()
                self.statement = statements.month.written[-1]
                self.last = "stock"
            elif first == "1" and self._may_follow("turns"):
                rows = read_rows(text, position, line, notation.round)
                if rows is None:
                    break
                statements.month.written.append(Statement("turns", rows))
                position += len(rows.text) + 1
                line += rows.count
                self.last = "turns"
            elif first == "s" and self._may_follow("score"):
                sums = read_sums(text, position, "score", notation.kan, seats)
                if sums is None:
                    show_end = self._read_plain_show(text, position, line)
                    if show_end is None:
                        break
                    position = show_end
                else:
                    score, position = sums
                    self._add_plain("score", score, line)
                line += 1
            elif first == "f" and self.last is not None:
                sums = read_sums(text, position, "final", notation.kan, seats)
                if sums is not None:
                    self.close_month()
                    self.end_months(sums[0], (line, 1))
                    position = sums[1]
                    line += 1
                break
            else:
                break
        source.position, source.line = position, line

    def _may_follow(self, keyword: str) -> bool:
        return self.last is not None and RANK[self.last] < RANK[keyword]

    def _read_plain_head(self, source: SourceLines) -> None:
        """Create the game from its tags if a month follows."""
        text = source.text
        while text.startswith("\n", source.position):
            source.position += 1
            source.line += 1
        if text.startswith("month ", source.position):
            row = text[source.position : text.find("\n", source.position)]
            if is_plain(row):
                self.read_tags((source.line, 1))

    def _read_plain_show(self, text: str, position: int, line: int) -> int | None:
        """Read a declaration and return the position after it, or None."""
        month = self.statements.month
        if self.last not in ("stock", "show") or len(month.actions("show")) >= MAX_STATEMENTS:
            return None
        declaration = read_show(text, position, self.statements.seats)
        if declaration is None:
            return None
        self._add_plain("show", declaration[:1], line)
        return declaration[1]

    def _add_plain(self, keyword: str, value: Any, line: int) -> None:
        """Add a statement at the end of the month."""
        self.statement = Statement(keyword, value, (line, 1))
        self.statements.month.written.append(self.statement)
        self.last = keyword

    # --- steps of both halves of the reader ---

    def read_tags(self, end: Place) -> None:
        """Create the game from the tags, which end at ``end``."""
        self.game = build_game(self.tags, end, self.warn)
        self.is_sheet = self.game.is_sheet
        if not self.game.options and "Options" in self.notes:
            # An empty Options tag is not written again; its comments follow Rules.
            self.notes.setdefault("Rules", []).extend(self.notes.pop("Options"))
            self.key = "Rules" if self.key == "Options" else self.key
        self.game.notes = self.notes
        notation, seats = RULES[self.game.rules], len(self.game.players)
        self.statements = Statements(notation, seats, self.is_sheet, self.warn)

    def begin_month(self) -> None:
        """Add the current month to the game."""
        assert self.game is not None
        self.game.months.append(self.statements.month)
        self.movetext = None

    def close_month(self) -> None:
        """End the movetext of the previous month."""
        if self.movetext is not None and self.last != "final":
            self.movetext.close(self.statement)

    def end_months(self, final: tuple[int, ...], place: Place) -> None:
        """End the months with the settlement at ``place``."""
        assert self.game is not None
        self.game.final = final
        self.game.places["final"] = place
        self.last = self.key = "final"

    def open_movetext(self) -> Movetext:
        """Return the tolerant reader of this month's movetext."""
        if self.movetext is None:
            statements = self.statements
            month, length = statements.month, statements.notation.round
            self.movetext = Movetext(month, statements.seats, length, self.warn)
        return self.movetext
