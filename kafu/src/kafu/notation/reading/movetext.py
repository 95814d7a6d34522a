"""Movetext (kafu.md §5): round numbers, turns, and the words called between turns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NoReturn

from kafu import cards
from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.game import Call, Month, Place, Turn
from kafu.notation.reading.source import SourceLine, Warn, clip, fail
from kafu.notation.vocabulary import CALLS, DECISIONS, MAX_ROUND, MAX_TURNS

_CARD: Final = "[A-Za-v_]"
_BLANKS: Final = r"[ \t\f]*"
_END: Final = r"(?![^ \t\f])"
# The limits of the JSON form; no capture and no word of a real turn comes near.
_TOGETHER: Final = f"{_CARD}{{1,{len(cards.ORDER)}}}"
# The three other cards of a month with blanks between them. Two alone are not read so: the second
# may begin the next turn.
_APART: Final = "|".join(
    _BLANKS.join([f"[{cards.letters(month)}]"] * 3) for month in cards.MONTHS[1:]
)
#: Decisions after one half of a turn.
MAX_WORDS: Final = 8
_CALLED: Final = "|".join(CALLS)
_WORD: Final = rf"(?!(?:{_CALLED}){_END})[^\s=/]+"
_WORDS: Final = rf"((?:{_BLANKS}={_BLANKS}{_WORD}){{0,{MAX_WORDS}}})"
_DECIDED: Final = re.compile(r"[^\s=/]+")
_ROUND: Final = rf"(?:([0-9]+){_BLANKS}\.{_BLANKS})?"
_SEAT: Final = rf"(?:([0-9]+){_BLANKS}:{_BLANKS})?"


def _half(behind: str) -> str:
    """A card with its capture and the decisions after it; ``behind`` a capture with blanks none of
    these characters may stand.
    """
    take = rf"(?:(?:{_APART})(?!{_BLANKS}[{behind}])|{_TOGETHER})"
    return rf"({_CARD})(?:{_BLANKS}x{_BLANKS}({take}))?{_WORDS}"


# One match a turn, with the round number and seat written before it. Every part begins with a
# character that the part before cannot hold, so that a failing match costs no more than its length.
_TURN: Final = re.compile(
    rf"{_BLANKS}{_ROUND}{_SEAT}{_half('x')}(?:{_BLANKS}/{_BLANKS}{_half('x/')})?{_END}"
)
_CALL: Final = re.compile(rf"{_BLANKS}{_ROUND}={_BLANKS}({_CALLED}){_BLANKS}([0-9]+){_END}")
_CALL_ALONE: Final = re.compile(rf"={_BLANKS}({_CALLED}){_END}")
# Numbers without a turn behind them.
_PREFIX: Final = re.compile(rf"{_BLANKS}{_ROUND}(?:([0-9]+){_BLANKS}:)?{_END}")
# What was meant as one turn: a word, and those that signs of a turn join to it.
_TOKEN: Final = re.compile(
    rf"{_BLANKS}([^ \t\f]+(?:[ \t\f]+[x/=][^ \t\f]*|(?<=[x/=])[ \t\f]+[^ \t\f]+)*)"
)
_NUMBERS: Final = re.compile(rf"{_ROUND}{_SEAT}")
# Captured cards that begin a row.
_OF_A_MONTH: Final = "|".join(f"[{cards.letters(month)}]{{2,3}}" for month in cards.MONTHS[1:])
#: A row of movetext: a number, or the beginning of a turn, or what goes on with one.
_MOVES: Final = re.compile(
    rf"{_BLANKS}(?:[0-9]+{_BLANKS}(?:[.:]|$)|(?:{_CARD}{_BLANKS}){{0,4}}[x/=.:]"
    rf"|(?:{_CARD}[ \t\f]+){{0,4}}{_CARD}{_BLANKS}$|(?:{_OF_A_MONTH}){_END}|[^ \t\f]*[/=:])"
)
_OPEN: Final = re.compile(rf"(?:[x/=:.]|={_BLANKS}(?:{_CALLED}))$")


def is_movetext(text: str, before: str = "") -> bool:
    """Whether a line that begins with no keyword is movetext, perhaps of a turn that the line
    ``before`` it leaves open.
    """
    return _MOVES.match(text) is not None or _OPEN.search(before.rstrip()) is not None


class Movetext:
    """Reads the movetext lines of one month into ``month.turns``; ``length`` turns are a round."""

    __slots__ = (
        "comments",
        "in_step",
        "length",
        "month",
        "next_comment",
        "round",
        "rounds",
        "seat",
        "seats",
        "turns",
        "warn",
    )

    def __init__(self, month: Month, seats: int, length: int, warn: Warn) -> None:
        self.month = month
        self.seats = seats
        self.length = length
        self.warn = warn
        #: A round number with its place, and a seat, whose turn has not come yet.
        self.round: tuple[int, Place] | None = None
        self.rounds = 0
        self.turns = 0
        #: No round number was wrong so far, so that an omitted one can be reported.
        self.in_step = True
        self.seat: int | None = None
        #: Comments of the line that is read which no turn has yet.
        self.comments: Iterator[tuple[int, str]] = iter(())
        self.next_comment: tuple[int, str] | None = None

    def read(self, line: SourceLine) -> None:
        """Read the turns of ``line``, all of the month's or a row of them, and their comments: each
        belongs to the turn or call whose first card or word is before it.

        Raises Malformed (``bad-turn``, ``unknown-decision``, ``no-such-seat`` and others).
        """
        self.comments = iter(line.comments or ())
        self.next_comment = next(self.comments, None)
        self._read(line)
        self._comments_until(len(line.text))

    def _comments_until(self, position: int) -> None:
        """Keep the comments up to a position with what was read last."""
        while self.next_comment is not None and self.next_comment[0] <= position:
            self.comment(self.next_comment[1])
            self.next_comment = next(self.comments, None)

    def comment(self, words: str) -> None:
        """Keep a comment with the turn or call read last, or before the first turn."""
        if self.month.turns:
            self.month.turns[-1].comments.append(words)
        else:
            self.month.notes.setdefault("turns", []).append(words)

    def close(self, key: str) -> None:
        """End the month. A prefix before a turn that never came follows statement ``key``."""
        if self.seat is not None or (self.round is not None and not self._called()):
            self._warn_of_empty_round()
        if "turns" in self.month.notes and not self.month.turns:
            self.month.notes.setdefault(key, []).extend(self.month.notes.pop("turns"))

    def _called(self) -> bool:
        return bool(self.month.turns) and isinstance(self.month.turns[-1], Call)

    def _read(self, line: SourceLine) -> None:
        text, turns, match_turn = line.text, self.month.turns, _TURN.match
        position, end = 0, len(text)
        plain, number = line.bends is None, line.number
        while position < end:
            if len(turns) >= MAX_TURNS and (token := _TOKEN.match(text, position)):
                place = line.at(token.start(1))
                fail(codes.TOO_MANY, place, limit=MAX_TURNS, statement="turns")
            match = match_turn(text, position, end)
            if match is None:
                position = self._read_other(line, position, end)
                continue
            if self.next_comment is not None:
                self._comments_until(match.start(3))
            round_, seat, play, take, words1, turned, take2, words2 = match.groups()
            at, at2 = match.start(3), match.start(6)
            turn = Turn(play, take or "", turned or "", take2 or "")
            turn.place = (number, at + 1) if plain else line.at(at)
            if turned:
                turn.place2 = (number, at2 + 1) if plain else line.at(at2)
            elif not words1:
                token = _TOKEN.match(text, at)
                if token is not None and token.end() > match.end():
                    self._refuse(line, at, token[1])
                fail(codes.BAD_TURN, turn.place, f"{play}/…", found=clip(match[0].strip()))
            if take and len(take) > 1:
                turn.take = cards.sort("".join(take.split()))
            if take2 and len(take2) > 1:
                turn.take2 = cards.sort("".join(take2.split()))
            if words1:
                words = self._decisions(line, match.start(5), words1)
                if turned:
                    turn.say1 = words
                else:
                    turn.say = words
            if words2:
                turn.say = self._decisions(line, match.start(8), words2)
            if round_:
                self._open_round(line, match.start(1), round_)
            if seat:
                self.seat = self._seat(line, match.start(2), seat)
            if self.round is not None:
                turn.round, self.round = self.round[0], None
            if self.seat is not None:
                turn.seat, self.seat = self.seat, None
            if turn.round is not None or not self.turns % self.length:
                self._check_round(turn)
            self.turns += 1
            turns.append(turn)
            position = match.end()

    def _read_other(self, line: SourceLine, position: int, end: int) -> int:
        """A call, a prefix alone, or the blanks at the end; returns where it ends."""
        text = line.text
        match = _CALL.match(text, position, end)
        if match:
            round_, word, seat = match.groups()
            self._comments_until(match.start(2))
            if round_:
                self._open_round(line, match.start(1), round_)
            call = Call(word, self._seat(line, match.start(3), seat))
            call.place = line.at(match.start(2) - 1)
            self.month.turns.append(call)
            return match.end()
        match = _TOKEN.match(text, position, end)
        if match is None:
            return end
        prefix = _PREFIX.match(text, position, end)
        if prefix is None or not prefix[0].strip():
            self._refuse(line, match.start(1), match[1])
        if prefix[1]:
            self._open_round(line, prefix.start(1), prefix[1])
        if prefix[2]:
            self.seat = self._seat(line, prefix.start(2), prefix[2])
        return prefix.end()

    def _open_round(self, line: SourceLine, position: int, digits: str) -> None:
        self._warn_of_empty_round()
        self.round = (self._number(line, position, digits), line.at(position))
        self.rounds += 1
        if self.rounds > MAX_TURNS:
            fail(codes.TOO_MANY, line.at(position), limit=MAX_TURNS, statement="N.")

    def _check_round(self, turn: Turn) -> None:
        """A warning if the number of the round that ``turn`` begins was not written.

        A wrong number is for the engine to refuse; after it, nobody knows which ones are omitted.
        """
        before, place = divmod(self.turns, self.length)
        if turn.round is not None:
            self.in_step &= not place and turn.round == before + 1
        elif self.in_step:
            line, column = turn.place or (None, None)
            values = {"due": before + 1}
            self.warn(Fault(codes.ROUND_LEFT_OUT, line, column, values=values))

    def _warn_of_empty_round(self) -> None:
        if self.round is not None:
            number, place = self.round
            self.warn(Fault(codes.EMPTY_ROUND, *place, values={"round": number}))

    def _number(self, line: SourceLine, position: int, digits: str) -> int:
        if len(digits) > len(str(MAX_ROUND)):
            fail(codes.BAD_TURN, line.at(position), found=clip(digits + "."))
        return int(digits)

    def _seat(self, line: SourceLine, position: int, digits: str) -> int:
        if len(digits) == 1 and "1" <= digits <= str(self.seats):
            return int(digits)
        seats = map(str, range(1, self.seats + 1))
        place = line.at(position)
        fail(codes.NO_SUCH_SEAT, place, *seats, found=clip(digits), seats=self.seats)

    def _decisions(self, line: SourceLine, position: int, token: str) -> tuple[str, ...]:
        """The words of ``=nimai=sage``; Japanese ones are read with a warning."""
        read = []
        for match in _DECIDED.finditer(token):
            word, place = match[0], line.at(position + match.start())
            decision = DECISIONS.get(word)
            if decision is None:
                known = tuple(dict.fromkeys(DECISIONS.values()))
                fail(codes.UNKNOWN_DECISION, place, *known, found=clip(word))
            if decision != word:
                values = {"found": word, "read": decision}
                self.warn(Fault(codes.ALIAS, *place, values=values))
            read.append(decision)
        return tuple(read)

    def _refuse(self, line: SourceLine, position: int, token: str) -> NoReturn:
        """Raise for ``token``, which is no turn, with the most specific reason."""
        numbers = _NUMBERS.match(token)
        rest = position + (numbers.end() if numbers else 0)
        called = _CALL_ALONE.match(token, rest - position)
        if called is not None:
            form = f"={called[1]} P"
            fail(codes.STATEMENT_FORM, line.at(rest), form, form=form)
        moves = token[rest - position :].split("=", 1)[0]
        for index, letter in enumerate(moves):
            if letter == "?":
                fail(codes.UNKNOWN_CARD_HERE, line.at(rest + index))
            if letter not in cards.ORDER and letter not in "x/ \t\f":
                fail(codes.BAD_TURN, line.at(rest + index), found=clip(token))
        fail(codes.BAD_TURN, line.at(position), found=clip(token))
