"""Movetext (kafu.md §5): round numbers, turns, and the words called between turns."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from kafu import cards
from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.game import Call, Month, Place, Turn
from kafu.notation.reading.source import SourceLine, Warn, clip, fail
from kafu.notation.vocabulary import CALLS, DECISIONS, MAX_ROUND, MAX_TURNS

_CARD: Final = "[A-Za-v_]"
_END: Final = r"(?![^ \t\f])"
# The limits of the JSON form; no capture and no word of a real turn comes near.
_TAKE: Final = f"{_CARD}{{1,{len(cards.ORDER)}}}"
#: Decisions after one half of a turn.
MAX_WORDS: Final = 8
_WORDS: Final = rf"((?:=[^\s=/]+){{0,{MAX_WORDS}}})"
# One match a turn, with the round number and seat written before it. Every part begins with a
# character that the part before cannot hold, so that a failing match costs no more than its length.
_TURN: Final = re.compile(
    rf"[ \t\f]*(?:([0-9]+)\.[ \t\f]*)?(?:([0-9]+):[ \t\f]*)?"
    rf"({_CARD})(?:x({_TAKE}))?{_WORDS}(?:/({_CARD})(?:x({_TAKE}))?{_WORDS})?{_END}"
)
_CALL: Final = re.compile(
    rf"[ \t\f]*(?:([0-9]+)\.[ \t\f]*)?=({'|'.join(CALLS)})[ \t\f]+([0-9]+){_END}"
)
# The prefix of a turn, if the turn itself is on another line or after a comment.
_PREFIX: Final = re.compile(rf"[ \t\f]*(?:([0-9]+)\.[ \t\f]*)?(?:([0-9]+):)?{_END}")
_TOKEN: Final = re.compile(r"[ \t\f]*([^ \t\f]+)")
_NUMBERS: Final = re.compile(r"(?:[0-9]+\.)?(?:[0-9]+:)?")


class Movetext:
    """Reads the movetext lines of one month into ``month.turns``; ``length`` turns are a round."""

    __slots__ = ("in_step", "length", "month", "round", "rounds", "seat", "seats", "turns", "warn")

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

    def read(self, line: SourceLine) -> None:
        """Read the turns of ``line``, and the comments after them.

        Raises Malformed (``bad-turn``, ``unknown-decision``, ``no-such-seat`` and others).
        """
        position = 0
        for at, words in line.comments or ():
            self._read(line, position, at)
            position = at
            self.comment(words)
        self._read(line, position, len(line.text))

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

    def _read(self, line: SourceLine, position: int, end: int) -> None:
        text, turns, match_turn = line.text, self.month.turns, _TURN.match
        plain, number = line.bends is None, line.number
        while position < end:
            if len(turns) >= MAX_TURNS and not text[position:end].isspace():
                fail(codes.TOO_MANY, line.at(position), limit=MAX_TURNS, statement="turns")
            match = match_turn(text, position, end)
            if match is None:
                position = self._read_other(line, position, end)
                continue
            round_, seat, play, take, words1, turned, take2, words2 = match.groups()
            at, at2 = match.start(3), match.start(6)
            turn = Turn(play, take or "", turned or "", take2 or "")
            turn.place = (number, at + 1) if plain else line.at(at)
            if turned:
                turn.place2 = (number, at2 + 1) if plain else line.at(at2)
            elif not words1:
                fail(codes.BAD_TURN, turn.place, f"{play}/…", found=clip(match[0].strip()))
            if take and len(take) > 1:
                turn.take = cards.sort(take)
            if take2 and len(take2) > 1:
                turn.take2 = cards.sort(take2)
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
        words = token[1:].split("=")
        read = []
        for word in words:
            decision = DECISIONS.get(word)
            if decision is None:
                known = tuple(dict.fromkeys(DECISIONS.values()))
                place = line.at(position + 1)
                fail(codes.UNKNOWN_DECISION, place, *known, found=clip(word))
            if decision != word:
                values = {"found": word, "read": decision}
                self.warn(Fault(codes.ALIAS, *line.at(position + 1), values=values))
            read.append(decision)
            position += len(word) + 1
        return tuple(read)

    def _refuse(self, line: SourceLine, position: int, token: str) -> NoReturn:
        """Raise for ``token``, which is no turn, with the most specific reason."""
        numbers = _NUMBERS.match(token)
        rest = position + (numbers.end() if numbers else 0)
        moves = token[rest - position :].split("=", 1)[0]
        for index, letter in enumerate(moves):
            if letter == "?":
                fail(codes.UNKNOWN_CARD_HERE, line.at(rest + index))
            if letter not in cards.ORDER and letter not in "x/":
                fail(codes.BAD_TURN, line.at(rest + index), found=clip(token))
        fail(codes.BAD_TURN, line.at(position), found=clip(token))
