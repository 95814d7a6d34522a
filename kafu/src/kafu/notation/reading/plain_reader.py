"""Reads on as far as a text is in canonical form: the fast half of the reader."""

from __future__ import annotations

from kafu.native import mypyc_attr
from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.game import Game, Notes, Place
from kafu.notation.reading import plain
from kafu.notation.reading.movetext import Movetext
from kafu.notation.reading.source import Source, Warn, is_plain
from kafu.notation.reading.statements import RANK, Statements
from kafu.notation.reading.tags import Tag, game_of_tags, note_key, plain_tag
from kafu.notation.vocabulary import MAX_DEALS, MAX_STATEMENTS, MAX_TAGS, MAX_WARNINGS, RULES


class Warnings:
    """Collects reports of repairs. It does not know the reader, which knows it: in a circle of
    references a game would stay in memory until the garbage collector finds it.
    """

    __slots__ = ("found",)

    def __init__(self, found: list[Fault]) -> None:
        self.found = found

    def add(self, fault: Fault) -> None:
        """Report a repair; from some number on, only that there are more."""
        if len(self.found) < MAX_WARNINGS:
            self.found.append(fault)
        elif len(self.found) == MAX_WARNINGS:
            self.found.append(Fault(codes.MORE_WARNINGS, fault.line, fault.column))


@mypyc_attr(allow_interpreted_subclasses=True)
class PlainReader:
    """What was read of a game so far, and how to read on where nothing needs tolerance.

    Every method of a section returns whether it took it. Where it did not, the section is for the
    tolerant reader, which alone knows faults and warnings.
    """

    def __init__(self, warnings: list[Fault], line: int) -> None:
        self.warn: Warn = Warnings(warnings).add
        self.first = line
        self.tags: dict[str, Tag] = {}
        self.game: Game | None = None
        self.statements: Statements
        #: Made for the first line of movetext that is not plain.
        self.movetext: Movetext | None = None
        self.sheet = False
        #: Keyword of the last statement; None before the first month.
        self.last: str | None = None
        #: Where comments are stored: the notes of the game or of the month, and the key in it.
        self.notes: Notes = {}
        self.key = "head"
        self.statement_key = "month"

    def read_plainly(self, source: Source) -> None:
        """Read on as far as everything is in canonical form and in its place."""
        if self.game is None:
            self._plain_tags(source)
        game = self.game
        if game is None or self.sheet or self.last == "final":
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
                dealt = plain.head(text, position, line, seats)
                if dealt is None:
                    break
                self.close_month()
                statements.month, position = dealt
                line += 3 + len(statements.month.hands)
                self.begin_month()
                self.last = self.key = self.statement_key = "stock"
            elif first == "1" and self._may_follow("turns"):
                rows = plain.rows(text, position, line, rules.round)
                if rows is None:
                    break
                statements.month.rows = rows
                position += len(rows.text) + 1
                line += rows.count
                self.last = self.key = "turns"
            elif first == "s" and self._may_follow("score"):
                scored = plain.sums(text, position, "score", rules.kan, seats)
                if scored is None:
                    shown = self._plain_show(text, position, line)
                    if shown is None:
                        break
                    position = shown
                else:
                    statements.month.places["score"] = (line, 1)
                    statements.month.score, position = scored
                    self.last = self.key = self.statement_key = "score"
                line += 1
            else:
                break
        source.position, source.line = position, line
        if text.startswith("final ", position):
            self._plain_final(source, game)

    def _may_follow(self, keyword: str) -> bool:
        return self.last is not None and RANK[self.last] < RANK[keyword]

    def _plain_tags(self, source: Source) -> None:
        """Read tags, and once a month follows, make the game of them."""
        text, tags = source.text, self.tags
        while found := plain_tag(text, source.position, source.line):
            tag, source_end = found
            if tag.name in tags or len(tags) >= MAX_TAGS or not (tags or tag.name == "Kafu"):
                return
            tags[tag.name] = tag
            self.key = note_key(tag.name)
            source.position = source_end
            source.line += 1
        while text.startswith("\n", source.position):
            source.position += 1
            source.line += 1
        if tags and text.startswith("month ", source.position):
            row = text[source.position : text.find("\n", source.position)]
            if is_plain(row):
                self.read_tags((source.line, 1))

    def _plain_show(self, text: str, position: int, line: int) -> int | None:
        """Read a declaration; the position after it."""
        month = self.statements.month
        if self.last not in ("stock", "show") or len(month.shows) >= MAX_STATEMENTS:
            return None
        found = plain.show(text, position, self.statements.seats)
        if found is None:
            return None
        self.last = "show"
        self.key = self.statement_key = key = f"show.{len(month.shows)}"
        month.places[key] = (line, 1)
        month.shows.append(found[0])
        return found[1]

    def _plain_final(self, source: Source, game: Game) -> None:
        kan, seats = self.statements.rules.kan, self.statements.seats
        found = plain.sums(source.text, source.position, "final", kan, seats)
        if found is None or self.last is None:
            return
        self.close_month()
        game.places["final"] = (source.line, 1)
        game.final, source.position = found
        source.line += 1
        self.last, self.notes, self.key = "final", game.notes, "final"

    # --- what both halves of the reader do ---

    def read_tags(self, end: Place) -> None:
        """Begin the game that the tags describe, which end at ``end``."""
        self.game = game_of_tags(self.tags, end, self.warn)
        self.sheet = self.game.is_sheet
        if not self.game.options and "Options" in self.notes:
            # An empty Options tag is not written again; its comments follow Rules.
            self.notes.setdefault("Rules", []).extend(self.notes.pop("Options"))
            self.key = "Rules" if self.key == "Options" else self.key
        self.game.notes = self.notes
        rules, seats = RULES[self.game.rules], len(self.game.players)
        self.statements = Statements(rules, seats, self.sheet, self.warn)

    def begin_month(self) -> None:
        """Add the month that was begun to the game."""
        assert self.game is not None
        month = self.statements.month
        self.game.months.append(month)
        self.notes = month.notes
        self.movetext = None

    def close_month(self) -> None:
        """End the movetext of the month before."""
        if self.movetext is not None and self.last != "final":
            self.movetext.close(self.statement_key)

    def tolerant_movetext(self) -> Movetext:
        """The reader of the movetext of this month."""
        if self.movetext is None:
            statements = self.statements
            self.movetext = Movetext(
                statements.month, statements.seats, statements.rules.round, self.warn
            )
        return self.movetext
