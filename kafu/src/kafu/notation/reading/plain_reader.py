"""The fast half of the reader, for text in canonical form."""

from __future__ import annotations

from kafu.native import mypyc_attr
from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.game import Game, Notes, Place
from kafu.notation.reading import plain
from kafu.notation.reading.movetext import Movetext
from kafu.notation.reading.source import Source, Warn, is_plain
from kafu.notation.reading.statements import RANK, Statements
from kafu.notation.reading.tags import Tag, build_game, match_canonical_tag, note_key
from kafu.notation.vocabulary import MAX_DEALS, MAX_STATEMENTS, MAX_TAGS, MAX_WARNINGS, RULES


class Warnings:
    """A list of warnings with a maximum length.

    It has no reference to the reader: in a reference cycle, a game would stay in memory until the
    garbage collector runs.
    """

    __slots__ = ("faults",)

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults

    def add(self, fault: Fault) -> None:
        """Add a warning; beyond the maximum, add only one note that more exist."""
        if len(self.faults) < MAX_WARNINGS:
            self.faults.append(fault)
        elif len(self.faults) == MAX_WARNINGS:
            self.faults.append(Fault(codes.MORE_WARNINGS, fault.line, fault.column))


@mypyc_attr(allow_interpreted_subclasses=True)
class PlainReader:
    """The state of a game being read, and the reading of text without need of repair.

    A method for a section returns early if the section is not canonical. The tolerant reader, which
    alone reports faults and warnings, then reads the section.
    """

    def __init__(self, warnings: list[Fault], line: int) -> None:
        self.warn: Warn = Warnings(warnings).add
        self.first = line
        self.tags: dict[str, Tag] = {}
        self.game: Game | None = None
        self.statements: Statements
        #: Created for the first line of movetext that is not canonical.
        self.movetext: Movetext | None = None
        self.is_sheet = False
        #: Keyword of the last statement; None before the first month.
        self.last: str | None = None
        #: The destination of comments: the notes of the game or of the month, and the key.
        self.notes: Notes = {}
        self.key = "head"
        self.statement_key = "month"

    def read_plainly(self, source: Source) -> None:
        """Read on while the text is in canonical form and order."""
        if self.game is None:
            self._read_plain_tags(source)
        game = self.game
        if game is None or self.is_sheet or self.last == "final":
            return
        text, position, line = source.text, source.position, source.line
        statements = self.statements
        rules, seats = statements.rules, statements.seats
        while True:
            first = text[position : position + 1]
            if first == "\n":
                position += 1
                line += 1
            elif first == "m" and len(game.months) < MAX_DEALS:
                head = plain.read_head(text, position, line, seats)
                if head is None:
                    break
                self.close_month()
                statements.month, position = head
                line += 3 + len(statements.month.hands)
                self.begin_month()
                self.last = self.key = self.statement_key = "stock"
            elif first == "1" and self._may_follow("turns"):
                rows = plain.read_rows(text, position, line, rules.round)
                if rows is None:
                    break
                statements.month.rows = rows
                position += len(rows.text) + 1
                line += rows.count
                self.last = self.key = "turns"
            elif first == "s" and self._may_follow("score"):
                sums = plain.read_sums(text, position, "score", rules.kan, seats)
                if sums is None:
                    show_end = self._read_plain_show(text, position, line)
                    if show_end is None:
                        break
                    position = show_end
                else:
                    statements.month.places["score"] = (line, 1)
                    statements.month.score, position = sums
                    self.last = self.key = self.statement_key = "score"
                line += 1
            else:
                break
        source.position, source.line = position, line
        if text.startswith("final ", position):
            self._read_plain_final(source, game)

    def _may_follow(self, keyword: str) -> bool:
        return self.last is not None and RANK[self.last] < RANK[keyword]

    def _read_plain_tags(self, source: Source) -> None:
        """Read tags, and create the game from them if a month follows."""
        text, tags = source.text, self.tags
        while match := match_canonical_tag(text, source.position, source.line):
            tag, end = match
            if tag.name in tags or len(tags) >= MAX_TAGS or not (tags or tag.name == "Kafu"):
                return
            tags[tag.name] = tag
            self.key = note_key(tag.name)
            source.position = end
            source.line += 1
        while text.startswith("\n", source.position):
            source.position += 1
            source.line += 1
        if tags and text.startswith("month ", source.position):
            row = text[source.position : text.find("\n", source.position)]
            if is_plain(row):
                self.read_tags((source.line, 1))

    def _read_plain_show(self, text: str, position: int, line: int) -> int | None:
        """Read a declaration and return the position after it, or None."""
        month = self.statements.month
        if self.last not in ("stock", "show") or len(month.shows) >= MAX_STATEMENTS:
            return None
        declaration = plain.read_show(text, position, self.statements.seats)
        if declaration is None:
            return None
        self.last = "show"
        self.key = self.statement_key = key = f"show.{len(month.shows)}"
        month.places[key] = (line, 1)
        month.shows.append(declaration[0])
        return declaration[1]

    def _read_plain_final(self, source: Source, game: Game) -> None:
        kan, seats = self.statements.rules.kan, self.statements.seats
        sums = plain.read_sums(source.text, source.position, "final", kan, seats)
        if sums is None or self.last is None:
            return
        self.close_month()
        game.places["final"] = (source.line, 1)
        game.final, source.position = sums
        source.line += 1
        self.last, self.notes, self.key = "final", game.notes, "final"

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
        rules, seats = RULES[self.game.rules], len(self.game.players)
        self.statements = Statements(rules, seats, self.is_sheet, self.warn)

    def begin_month(self) -> None:
        """Add the current month to the game."""
        assert self.game is not None
        month = self.statements.month
        self.game.months.append(month)
        self.notes = month.notes
        self.movetext = None

    def close_month(self) -> None:
        """End the movetext of the previous month."""
        if self.movetext is not None and self.last != "final":
            self.movetext.close(self.statement_key)

    def open_movetext(self) -> Movetext:
        """Return the tolerant reader of this month's movetext."""
        if self.movetext is None:
            statements = self.statements
            self.movetext = Movetext(
                statements.month, statements.seats, statements.rules.round, self.warn
            )
        return self.movetext
