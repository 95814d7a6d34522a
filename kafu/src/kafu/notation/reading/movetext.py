"""Movetext (kafu.md §5): round numbers, turns, and the words called between turns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import partial
from typing import Final, Literal, NoReturn

from kafu import cards
from kafu.notation import codes
from kafu.notation.actions import Action, make_action
from kafu.notation.game import Place, Statement
from kafu.notation.reading.amounts import parse_seat
from kafu.notation.reading.source import SourceLine, clip, fail
from kafu.notation.reading.statements import Statements
from kafu.notation.vocabulary import CALLS, DECISIONS, MAX_ROUND, MAX_TURNS, find_decision

_CARD: Final = "[A-Za-v_]"
_BLANKS: Final = r"[ \t\f]*"
_END: Final = r"(?![^ \t\f])"
# The limits of the JSON form, far above the captures and words of a real turn.
_ADJACENT: Final = f"{_CARD}{{1,{len(cards.ORDER)}}}"
# Three cards of a month with blanks between them. Only two cards with a blank are not accepted,
# because the second may begin the next turn.
_SPACED: Final = "|".join(
    _BLANKS.join([f"[{cards.letters(month)}]"] * 3) for month in cards.MONTHS[1:]
)
#: The maximum number of decisions after either half of a turn.
MAX_WORDS: Final = 8
_CALL_WORDS: Final = "|".join(CALLS)
_WORD: Final = rf"(?!(?:{_CALL_WORDS}){_END})[^\s=/]+"
_WORDS: Final = rf"((?:{_BLANKS}={_BLANKS}{_WORD}){{0,{MAX_WORDS}}})"
_DECISION: Final = re.compile(r"[^\s=/]+")
#: Circled and bracketed numbers, and the marks behind a number of a round.
CIRCLED: Final = "\u2460-\u249b"
ROUND_MARKS: Final = ".)。"
_ROUND: Final = (
    rf"(?:([0-9]++(?={_BLANKS}[{ROUND_MARKS}])|[{CIRCLED}]){_BLANKS}(?:[{ROUND_MARKS}]{_BLANKS})?)?"
)
_ROUND_MARK: Final = re.compile(rf"{_BLANKS}[{ROUND_MARKS}]")
_SEAT: Final = rf"(?:([0-9]+){_BLANKS}:{_BLANKS})?"


def _half_pattern(behind: str) -> str:
    """Return the pattern of a card with its capture and decisions.

    A character in ``behind`` may not follow a capture written with blanks.
    """
    take = rf"(?:(?:{_SPACED})(?!{_BLANKS}[{behind}])|{_ADJACENT})"
    return rf"({_CARD})(?:{_BLANKS}x{_BLANKS}({take}))?{_WORDS}"


# A match per turn, with the round number and seat before the turn. Every part begins with a
# character excluded from the previous part, so a failing match takes linear time.
_TURN: Final = re.compile(
    rf"{_BLANKS}{_ROUND}{_SEAT}{_half_pattern('x')}(?:{_BLANKS}/{_BLANKS}{_half_pattern('x/')})?{_END}"
)
_CALL: Final = re.compile(rf"{_BLANKS}{_ROUND}={_BLANKS}({_CALL_WORDS}){_BLANKS}([0-9]+){_END}")
_CALL_ALONE: Final = re.compile(rf"={_BLANKS}({_CALL_WORDS}){_END}")
# A round number or seat without a turn behind it.
_PREFIX: Final = re.compile(rf"{_BLANKS}{_ROUND}(?:([0-9]+){_BLANKS}:)?{_END}")
# Text intended as one turn: a word, and further words joined by signs of a turn. A turn has far
# fewer than fifty words; matching a whole line of a megabyte would take 100 MB.
_TOKEN: Final = re.compile(
    rf"{_BLANKS}([^ \t\f]+(?:[ \t\f]+[x/=][^ \t\f]*|(?<=[x/=])[ \t\f]+[^ \t\f]+){{0,50}})"
)
_NUMBERS: Final = re.compile(rf"{_ROUND}{_SEAT}")
# Captured cards that begin a row.
_CAPTURED: Final = "|".join(f"[{cards.letters(month)}]{{2,3}}" for month in cards.MONTHS[1:])
#: A row of movetext: a number, or the beginning or continuation of a turn.
_MOVES: Final = re.compile(
    rf"{_BLANKS}(?:[0-9]+{_BLANKS}(?:[{ROUND_MARKS}:]|$)|[{CIRCLED}]|(?:{_CARD}{_BLANKS}){{0,4}}[x/=.:]"
    rf"|(?:{_CARD}[ \t\f]+){{0,4}}{_CARD}{_BLANKS}$|(?:{_CAPTURED}){_END}|[^ \t\f]*[/=:])"
)
_OPEN: Final = re.compile(rf"(?:[x/=:.]|={_BLANKS}(?:{_CALL_WORDS}))$")


def is_movetext(text: str, before: str = "") -> bool:
    """Return whether a line without a keyword is movetext.

    The line may continue an open turn at the end of the line ``before``.
    """
    return _MOVES.match(text) is not None or _OPEN.search(before.rstrip()) is not None


class Movetext:
    """A reader of the movetext of the month of ``reader``; ``length`` turns are a round."""

    def __init__(self, reader: Statements) -> None:
        self.statements = reader.month.statements
        self.seats = reader.seats
        self.length = reader.notation.round
        self.warn = reader.warn
        #: A round number with its place, and a seat, for the next turn.
        self.round: tuple[int, Place] | None = None
        self.rounds = 0
        self.turns = 0
        #: The number of statements before the turns.
        self.first = len(self.statements)
        #: True until a wrong round number: only then can an omitted number be reported.
        self.in_step = True
        self.seat: int | None = None
        #: The number of seats without a turn behind them.
        self.seats_alone = 0

    def close(self) -> None:
        """End the month, with a warning for a round number without a turn."""
        keyword = self.statements[-1].keyword
        if self.seat is not None or (self.round is not None and keyword != "call"):
            self._warn_of_empty_round()

    def read(self, line: SourceLine) -> None:
        """Read the turns of ``line``, which may join several lines.

        Raises Malformed (``bad-turn``, ``unknown-decision``, ``no-such-seat`` and others).
        """
        text, match_turn = line.text, _TURN.match
        position, end = 0, len(text)
        while position < end:
            if len(self.statements) - self.first >= MAX_TURNS and (
                token := _TOKEN.match(text, position)
            ):
                place = line.at(token.start(1))
                fail(codes.TOO_MANY, place, limit=MAX_TURNS, statement="turns")
            match = match_turn(text, position, end)
            if match is None:
                position = self._read_call_or_prefix(line, position, end)
                continue
            round_, seat, play, take, words1, turned, take2, words2 = match.groups()
            at = match.start(3)
            place = line.at(at)
            if not turned and not words1:
                token = _TOKEN.match(text, at)
                if token is not None and token.end() > match.end():
                    self._refuse(line, at, token[1])
                fail(codes.BAD_TURN, place, f"{play}/…", found=clip(match[0].strip()))
            actions = [_make_card("hand", play, take)]
            actions += self._read_decisions(line, match.start(5), words1)
            turn = Statement("turn", (), place)
            if turned:
                actions.append(_make_card("stock", turned, take2))
                actions += self._read_decisions(line, match.start(8), words2)
                turn.card_places = (line.at(match.start(6)),)
            turn.value = tuple(actions)
            if round_:
                self._open_round(line, match.start(1), round_)
            if seat:
                self.seat = self._read_seat(line, match.start(2), seat)
            if self.round is not None:
                turn.round, self.round = self.round[0], None
            if self.seat is not None:
                turn.seat, self.seat = self.seat, None
            if turn.round is not None or not self.turns % self.length:
                self._check_round(turn)
            self.turns += 1
            self.statements.append(turn)
            position = match.end()

    def _read_call_or_prefix(self, line: SourceLine, position: int, end: int) -> int:
        """Read a call, a prefix without a turn, or final blanks, and return the end position."""
        text = line.text
        match = _CALL.match(text, position, end)
        if match:
            round_, word, seat = match.groups()
            if round_:
                self._open_round(line, match.start(1), round_)
            call = Action("call", self._read_seat(line, match.start(3), seat), say=word)
            place = line.at(match.start(2) - 1)
            self.statements.append(Statement("call", (call,), place))
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
            self.seats_alone += 1
            if self.seats_alone > MAX_TURNS:
                fail(codes.TOO_MANY, line.at(prefix.start(2)), limit=MAX_TURNS, statement="P:")
            self.seat = self._read_seat(line, prefix.start(2), prefix[2])
        return prefix.end()

    def _open_round(self, line: SourceLine, position: int, digits: str) -> None:
        self._warn_of_empty_round()
        place = line.at(position)
        if len(digits) > len(str(MAX_ROUND)):
            fail(codes.BAD_TURN, place, found=clip(digits + "."))
        number = int(digits) if digits.isascii() else int(unicodedata.numeric(digits))
        mark = _ROUND_MARK.match(line.text, position + len(digits))
        written = digits + (mark[0].strip() if mark else "")
        if not written.endswith(".") or not digits.isascii():
            self.warn(codes.ALIAS, place, found=written, read=f"{number}.")
        self.round = number, place
        self.rounds += 1
        if self.rounds > MAX_TURNS:
            fail(codes.TOO_MANY, place, limit=MAX_TURNS, statement="N.")

    def _check_round(self, turn: Statement) -> None:
        """Remove the number of the round that begins with ``turn``, if it is correct.

        Warn if the number is missing.
        The engine refuses wrong numbers. After a wrong number, missing numbers are not reported.
        """
        rounds_before, turns_into_round = divmod(self.turns, self.length)
        if turn.round is not None:
            if turns_into_round or turn.round != rounds_before + 1:
                self.in_step = False
            else:
                turn.round = None
        elif self.in_step:
            assert turn.place is not None
            self.warn(codes.ROUND_LEFT_OUT, turn.place, due=rounds_before + 1)

    def _warn_of_empty_round(self) -> None:
        if self.round is not None:
            number, place = self.round
            self.warn(codes.EMPTY_ROUND, place, round=number)

    def _read_seat(self, line: SourceLine, position: int, digits: str) -> int:
        return parse_seat(digits, self.seats, partial(line.at, position))

    def _read_decisions(self, line: SourceLine, position: int, token: str) -> Iterator[Action]:
        """Yield the words of ``=nimai=sage``; other spellings are read with a warning."""
        for match in _DECISION.finditer(token):
            word, place = match[0], line.at(position + match.start())
            decision = find_decision(word)
            if decision is None:
                expected = tuple(dict.fromkeys(DECISIONS.values()))
                fail(codes.UNKNOWN_DECISION, place, *expected, found=clip(word))
            if decision != word:
                self.warn(codes.ALIAS, place, found=word, read=decision)
            yield make_action("say", say=decision)

    def _refuse(self, line: SourceLine, position: int, token: str) -> NoReturn:
        """Raise for ``token``, which is no turn, with the most specific reason."""
        numbers = _NUMBERS.match(token)
        start = position + (numbers.end() if numbers else 0)
        call = _CALL_ALONE.match(token, start - position)
        if call is not None:
            form = f"={call[1]} P"
            fail(codes.STATEMENT_FORM, line.at(start), form, form=form)
        moves = token[start - position :].split("=", 1)[0]
        for index, letter in enumerate(moves):
            if letter == "?":
                fail(codes.UNKNOWN_CARD_HERE, line.at(start + index))
            if letter not in cards.ORDER and letter not in "x/ \t\f":
                fail(codes.BAD_TURN, line.at(start + index), found=clip(token))
        fail(codes.BAD_TURN, line.at(position), found=clip(token))


def _make_card(kind: Literal["hand", "stock"], card: str, take: str | None) -> Action:
    """Return a card with its capture, which may be written with blanks."""
    if take and len(take) > 1:
        take = cards.sort("".join(take.split()))
    return make_action(kind, 0, card, take or "")
