"""The parts of a month that are nearly always in canonical form, read without tolerance.

Nearly every text comes from a writer. The cards and the score of a month have a pattern each.
Movetext stays a tape, its text and its halves of turns for the engine, with turns as statements
only on demand (`Rows.turns`): a verdict takes 1.7 to 2.2 times as long if turns are made statements
at once, and 2.0 to 2.7 times if the tolerant reader reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from kafu import cards
from kafu.notation.actions import turn_text
from kafu.notation.game import MOVETEXT, Half, Month, Rows, Statement
from kafu.notation.reading.amounts import parse_canonical
from kafu.notation.reading.movetext import MAX_WORDS
from kafu.notation.vocabulary import DECISIONS, MAX_TURNS, WIDTH

_CARDS: Final = "[A-Za-v_]{1,50}"
_HANDS: Final = "".join(rf"(?:hand {seat} ([A-Za-v_?]{{1,50}})\n)?" for seat in range(1, 8))
#: The statements with which nearly every month begins.
HEAD: Final = re.compile(
    rf"month ([0-9]{{1,3}}) dealer ([1-7])\n{_HANDS}"
    rf"field ({_CARDS})\nstock (?:({_CARDS})(\.\.\.)?|\.\.\.)\n"
)
#: The sums of a month.
SCORE: Final = re.compile(r"score((?: [1-7] [+-]?[0-9]{1,6}(?:k[0-9]{0,6})?)+)\n")
#: The end of movetext: a line end without a following round number. Then a text that excludes later
#: rows of the movetext.
_ROWS_END: Final = re.compile(r"\n(?![0-9])")
_MOVETEXT_CLOSED: Final = re.compile(r"\n+(?:(?:score|redeal|void|month|final) |\Z)")
#: Round numbers, with a leading line end except for the first.
_NUMBERS: Final = ["1.", *(f"\n{number}." for number in range(2, MAX_TURNS + 1))]


class _Halves(dict[str, Half]):
    """The canonical halves of turns by text, such as ``B``, ``BxA`` and ``BxACD``.

    A half is a card without a capture, or with one or three other cards of its month. A half with
    decisions is parsed on demand, since few recur.
    """

    def __init__(self) -> None:
        """List the halves without decisions."""
        for card, month in cards.MATCH.items():
            letter, others = cards.letters(card), cards.letters(month & ~card)
            if month:
                self[letter] = card, 0, ()
            for take in (*others, others):
                self[f"{letter}x{take}"] = card, cards.mask(take), ()

    def __missing__(self, text: str) -> Half:
        """Parse a half with decisions. Raise KeyError for any other text."""
        half, *words = text.split("=")
        if not 0 < len(words) <= MAX_WORDS or any(DECISIONS.get(word) != word for word in words):
            raise KeyError(text)
        card, take, _ = self[half]
        return card, take, tuple(words)


_HALVES: Final = _Halves()


def read_head(head: re.Match[str], line: int, seats: int) -> Month | None:
    """Return the month of a match of `HEAD` on row ``line``; None for a seat outside the game."""
    month, dealer, *hands, field, stock, dots = head.groups()
    if int(dealer) > seats or any(hands[seats:]):
        return None
    statements = [Statement("month", (int(month), int(dealer)), (line, 1))]
    for seat, hand in enumerate(hands, 1):
        if hand:
            line += 1
            statements.append(Statement("hand", (seat, cards.sort(hand)), (line, 1)))
    is_cut = dots is not None or not stock
    statements.append(Statement("field", cards.sort(field), (line + 1, 1)))
    statements.append(Statement("stock", (stock or "", is_cut), (line + 2, 1)))
    return Month.of(statements)


def read_score(score: re.Match[str], seats: int, kan: bool) -> tuple[int, ...] | None:
    """Return the sums of a match of `SCORE`; None if a seat is missing, or for kan without them."""
    words = score[1].split()
    if "".join(words[::2]) != "1234567"[:seats] or ("k" in score[1] and not kan):
        return None
    return tuple([parse_canonical(word) or 0 for word in words[1::2]])


def find_halves(month: Month) -> Sequence[Half | None] | None:
    """Return the turns of a month in the form for the engine.

    None without turns, and for calls, prefixes, comments, and captures of other months.
    """
    rows = month.rows
    if rows is not None:
        return rows.halves
    turns = [item for item in month.written if item.keyword in MOVETEXT]
    if not turns or not all(item.keyword == "turn" and item.is_bare for item in turns):
        return None
    return _read_words([turn_text(turn.value) for turn in turns])


def read_rows(text: str, position: int, line: int, length: int) -> Rows | None:
    """Return the movetext at ``position``, on row ``line``, with ``length`` turns per round.

    Return None for movetext not in canonical form, or with calls, seats, or too many turns.
    """
    end = _ROWS_END.search(text, position)
    if end is None or not _MOVETEXT_CLOSED.match(text, end.start()):
        return None  # the next line may still belong to the movetext
    movetext = text[position : end.start()]
    words = movetext.replace("\n", " \n").split(" ")
    numbers = words[:: length + 1]
    if numbers != _NUMBERS[: len(numbers)] or len(words) - len(numbers) > MAX_TURNS:
        return None
    if words[-1] is numbers[-1]:
        return None  # a round number without a turn
    if max(map(len, movetext.split("\n"))) > WIDTH:
        return None
    del words[:: length + 1]
    halves = _read_words(words)
    return None if halves is None else Rows(movetext, line, length, halves)


def _read_words(words: Iterable[str]) -> list[Half | None] | None:
    """Return turns in canonical form, None if a word is no such turn."""
    halves: list[Half | None] = []
    try:
        for word in words:
            hand, slash, drawn = word.partition("/")
            if not slash and "=" not in hand:
                return None
            halves += _HALVES[hand], _HALVES[drawn] if slash else None
    except KeyError:
        return None
    return halves
