"""The choice between cards with the same name, by the places of cards in a deal.

松のカス played from a hand is a card in the hand, a captured one lies on the field, and a turned
one is the next of the draw pile. If several cards remain, or the places are unknown, the first free
card is chosen, or the first card if none is free; the engine judges whether it is legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from kafu import cards
from kafu.naming.statements import MOVES, NamedLine, NameToken

_PLACES: Final = ("hand", "field", "stock")
_BID: Final = re.compile(r"([1-7])\s*(in|out)")
#: The largest table without seats that are out, whose hands are part of the draw pile.
_ALL_IN: Final = 3
_SEAT: Final = re.compile(r"[1-7]")


class DealText:
    """The lines of one deal, at a table of ``players``. `place` chooses the cards of all names."""

    def __init__(self, dealer: int, players: int) -> None:
        self.dealer, self.players = dealer or 1, players
        self.lines: list[NamedLine] = []
        self.hands: dict[int, set[str]] = {}
        self.field: set[str] = set()
        self.stock: list[str] = []
        self.gone: set[str] = set()
        #: "in" or "out" by seat.
        self._bids: dict[str, str] = {}

    def place(self) -> None:
        """Choose the cards."""
        self._bids = self._read_bids()
        self._place_dealt([line for line in self.lines if line.role in _PLACES])
        drawn: set[str] = set()
        split: set[str] = set()
        for line in self.lines:
            match line.role:
                case "draw":
                    _choose_all(line, drawn, [])
                case "split":
                    _choose_all(line, split, [self.field])
                case "show":
                    _choose_all(line, set(), [self.hands.get(line.seat, set())])
        _TurnFollower(self, self._order()).place(
            [line for line in self.lines if line.role == MOVES]
        )

    def _place_dealt(self, lines: Sequence[NamedLine]) -> None:
        tokens = [token for line in lines for token in line.tokens]
        used = {c for token in tokens if token.kind == "letters" for c in token.text}
        unique = {t.letters for t in tokens if t.kind == "name" and len(t.letters) == 1}
        for line in lines:
            in_line = {c for token in line.tokens if token.kind == "letters" for c in token.text}
            out, in_hands = self._returned() if line.role == "stock" else (set(), set())
            for token in line.tokens:
                if token.kind == "name":
                    letters = token.letters
                    free = [c for c in letters if c not in used and c not in unique - {letters}]
                    if not free:
                        returned = out if len(letters) > 1 else in_hands
                        free = [c for c in letters if c in returned and c not in in_line]
                    # A card may be written twice in a misdeal; the engine judges it (H25).
                    token.text = (free or letters)[0]
                    used.add(token.text)
                    in_line.add(token.text)
            placed = "".join(t.text for t in line.tokens if t.kind in ("letters", "name"))
            if line.role == "hand":
                self.hands[line.seat] = set(placed)
            elif line.role == "field":
                self.field = set(placed)
            else:
                self.stock = list(placed[: len(cards.ORDER)])

    def _returned(self) -> tuple[set[str], set[str]]:
        """Return the hand cards that may be in the draw pile as well.

        The first set has the hands of players who did not go in; the second has all hands, because
        players may swap hands.
        """
        if self.players <= _ALL_IN:
            return set(), set()
        out = [hand for seat, hand in self.hands.items() if self._bids.get(str(seat)) != "in"]
        return set().union(*out), set().union(*self.hands.values())

    def _order(self) -> list[int]:
        """Return the seats in play, starting with the dealer."""
        seats = [(self.dealer - 1 + n) % self.players + 1 for n in range(self.players)]
        return [seat for seat in seats if self._bids.get(str(seat)) == "in"] or seats

    def _read_bids(self) -> dict[str, str]:
        """Return "in" or "out" by seat, for all bids."""
        return {
            seat: word
            for line in self.lines
            if line.role == ""
            for token in line.tokens
            if token.text.lstrip().startswith("bid")
            for seat, word in _BID.findall(token.text)
        }


class _TurnFollower:
    """A follower of the movetext of a deal, which tracks hands, field and draw pile."""

    def __init__(self, month: DealText, order: Sequence[int]) -> None:
        self.month, self.order = month, order
        self.number = 0
        self.seat = 0
        #: The uncaptured card of hand or draw pile, and the cards it captured so far.
        self.played = ""
        self.captured: set[str] = set()
        #: The role of the last card: "" (none), play, take, draw or take2.
        self.part = ""

    def place(self, lines: Iterable[NamedLine]) -> None:
        """Choose the card of each name in lines of movetext."""
        due = ""
        for line in lines:
            for token in line.tokens:
                match token.kind:
                    case "capture":
                        due = "take" if self.part in ("play", "take") else "take2"
                    case "draw":
                        due = "draw"
                    case "comma":
                        due = self.part
                    case "mark":
                        if token.text.endswith(":"):
                            self._end_turn()
                            self.seat = int(_SEAT.findall(token.text)[0])
                        due = ""
                    case "letters" | "name":
                        self._add_card(token, due)
                        due = ""
        self._end_turn()

    def _add_card(self, token: NameToken, due: str) -> None:
        if due not in ("take", "take2", "draw"):
            self._end_turn()
            due = "play"
        elif due == "draw":
            self._capture()
        self.part = due
        if token.kind == "name":
            token.text = self._choose(token.letters, due)
        if due in ("play", "draw"):
            self.played = token.text[:1]
            if due == "draw" and self.month.stock:
                self.month.stock.pop(0)
        else:
            self.captured.update(token.text)

    def _choose(self, letters: str, part: str) -> str:
        month = self.month
        if part in ("take", "take2"):
            on_field = [c for c in letters if c in month.field and c not in self.captured]
            return (on_field or [c for c in letters if c not in self.captured] or letters)[0]
        if part == "draw" and month.stock and month.stock[0] in letters:
            return month.stock[0]
        mover = self.seat or self.order[self.number % len(self.order)]
        in_hands: set[str] = set().union(*month.hands.values())
        if part == "play":
            for hand in (month.hands.get(mover, set()), in_hands):
                for letter in letters:
                    if letter in hand and letter not in month.gone:
                        return letter
        placed = month.field | month.gone | in_hands | set(month.stock)
        free = [c for c in letters if c not in placed]
        return (free or [c for c in letters if c not in month.field | month.gone] or letters)[0]

    def _capture(self) -> None:
        """Apply the last card of hand or draw pile to the field."""
        month, card = self.month, self.played
        if not card or card not in cards.CARD:
            return
        matches = {c for c in month.field if _month_of(c) == _month_of(card)}
        captured = self.captured or (matches if len(matches) in (1, 3) else set())
        month.gone.add(card)
        for hand in month.hands.values():
            hand.discard(card)
        if captured:
            month.field -= captured
            month.gone |= captured
        else:
            month.field.add(card)
            month.gone.discard(card)
        self.played, self.captured = "", set()

    def _end_turn(self) -> None:
        """End the current turn, if there is one."""
        if self.part:
            self._capture()
            self.number += 1
        self.part, self.seat = "", 0


def _month_of(letter: str) -> int:
    return cards.INDEX.get(letter, -4) // 4


def _choose_all(line: NamedLine, used: set[str], preferred: Sequence[set[str]]) -> None:
    """Choose the cards of a line, without repetition, from ``preferred`` sets if possible."""
    used |= {c for token in line.tokens if token.kind == "letters" for c in token.text}
    for token in line.tokens:
        if token.kind == "name":
            free = [c for c in token.letters if c not in used] or list(token.letters)
            fits = [c for c in free for group in preferred if c in group]
            token.text = (fits or free)[0]
            used.add(token.text)
