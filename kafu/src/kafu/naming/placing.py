"""Which of the cards that share a name is meant: the one that lies where the text says.

松のカス played from a hand is one that the hand holds, captured one that lies on the field, turned
the next of the draw pile. Where that leaves several, or nothing is known, the first free one is
meant; what then is right or wrong is the engine's to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from kafu import cards
from kafu.naming.statements import MOVES, Line, Written, all_placed

_LYING: Final = ("hand", "field", "stock")
_BID: Final = re.compile(r"([1-7])\s*(in|out)")
#: Players of whom all stay in; of more, the hands of the others lie in the draw pile too.
_ALL_IN: Final = 3
_SEAT: Final = re.compile(r"[1-7]")


class Laid:
    """The lines of one deal of a text for ``players``. `place` chooses the cards of all its
    names.
    """

    def __init__(self, dealer: int, players: int) -> None:
        self.dealer, self.players = dealer or 1, players
        self.lines: list[Line] = []
        self.hands: dict[int, set[str]] = {}
        self.field: set[str] = set()
        self.stock: list[str] = []
        self.gone: set[str] = set()

    def place(self) -> None:
        """Choose the cards. Raises `Malformed` for a name whose cards are all used up."""
        self._deal([line for line in self.lines if line.role in _LYING])
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
        Turns(self, self._order()).play([line for line in self.lines if line.role == MOVES])

    def _deal(self, lines: Sequence[Line]) -> None:
        tokens = [token for line in lines for token in line.tokens]
        used = {c for token in tokens if token.kind == "letters" for c in token.text}
        exact = {t.letters for t in tokens if t.kind == "name" and len(t.letters) == 1}
        for line in lines:
            here = {c for token in line.tokens if token.kind == "letters" for c in token.text}
            out, held = self._held() if line.role == "stock" else (set(), set())
            for token in line.tokens:
                if token.kind == "name":
                    of_name = token.letters
                    free = [c for c in of_name if c not in used and c not in exact - {of_name}]
                    if not free:
                        in_hands = out if len(of_name) > 1 else held
                        free = [c for c in of_name if c in in_hands and c not in here]
                    if not free:
                        raise all_placed(token, line.number)
                    token.text = free[0]
                    used.add(free[0])
                    here.add(free[0])
            lying = "".join(t.text for t in line.tokens if t.kind in ("letters", "name"))
            if line.role == "hand":
                self.hands[line.seat] = set(lying)
            elif line.role == "field":
                self.field = set(lying)
            else:
                self.stock = list(lying)

    def _held(self) -> tuple[set[str], set[str]]:
        """The cards in hands that may lie in the draw pile too: in those of players who did not go
        in, and in all, for a hand may change its player.
        """
        if self.players <= _ALL_IN:
            return set(), set()
        bids = self._bids()
        out = [hand for seat, hand in self.hands.items() if bids.get(str(seat)) != "in"]
        return set().union(*out), set().union(*self.hands.values())

    def _order(self) -> list[int]:
        """The seats in play, from the dealer on."""
        seats = [(self.dealer - 1 + n) % self.players + 1 for n in range(self.players)]
        bids = self._bids()
        return [seat for seat in seats if bids.get(str(seat)) == "in"] or seats

    def _bids(self) -> dict[str, str]:
        """Who went in or out, by seat."""
        return {
            seat: word
            for line in self.lines
            if line.role == ""
            for token in line.tokens
            if token.text.lstrip().startswith("bid")
            for seat, word in _BID.findall(token.text)
        }


class Turns:
    """The movetext of a deal, followed turn by turn as far as that tells cards apart."""

    def __init__(self, month: Laid, order: Sequence[int]) -> None:
        self.month, self.order = month, order
        self.number = 0
        self.seat = 0
        self.played = ""
        self.taken: list[str] = []
        self.part = ""  # "", play, take, draw, take2: what the last card was

    def play(self, lines: Iterable[Line]) -> None:
        """Choose the card of each name."""
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
                            self._end()
                            self.seat = int(_SEAT.findall(token.text)[0])
                        due = ""
                    case "letters" | "name":
                        self._card(token, due)
                        due = ""
        self._end()

    def _card(self, token: Written, due: str) -> None:
        if due not in ("take", "take2", "draw"):
            self._end()
            due = "play"
        elif due == "draw":
            self._capture()
        self.part = due
        if token.kind == "name":
            token.text = self._chosen(token.letters, due)
        if due in ("play", "draw"):
            self.played = token.text[:1]
            if due == "draw" and self.month.stock:
                self.month.stock.pop(0)
        else:
            self.taken.extend(token.text)

    def _chosen(self, letters: str, part: str) -> str:
        month = self.month
        if part in ("take", "take2"):
            lying = [c for c in letters if c in month.field and c not in self.taken]
            return (lying or [c for c in letters if c not in self.taken] or letters)[0]
        if part == "draw" and month.stock and month.stock[0] in letters:
            return month.stock[0]
        mover = self.seat or self.order[self.number % len(self.order)]
        known: set[str] = set().union(*month.hands.values())
        if part == "play":
            for held in (month.hands.get(mover, set()), known):
                for letter in letters:
                    if letter in held and letter not in month.gone:
                        return letter
        placed = month.field | month.gone | known | set(month.stock)
        free = [c for c in letters if c not in placed]
        return (free or [c for c in letters if c not in month.field | month.gone] or letters)[0]

    def _capture(self) -> None:
        """What the last card of hand or stock did to the field."""
        month, card = self.month, self.played
        if not card or card not in cards.CARD:
            return
        of_month = {c for c in month.field if _month(c) == _month(card)}
        taken = set(self.taken) or (of_month if len(of_month) in (1, 3) else set())
        month.gone.add(card)
        for hand in month.hands.values():
            hand.discard(card)
        if taken:
            month.field -= taken
            month.gone |= taken
        else:
            month.field.add(card)
            month.gone.discard(card)
        self.played, self.taken = "", []

    def _end(self) -> None:
        """The turn is over, if there was one."""
        if self.part:
            self._capture()
            self.number += 1
        self.part, self.seat = "", 0


def _month(letter: str) -> int:
    return cards.INDEX.get(letter, -4) // 4


def _choose_all(line: Line, used: set[str], among: Sequence[set[str]]) -> None:
    """Choose the cards of a line: those of the given sets first, none twice."""
    used |= {c for token in line.tokens if token.kind == "letters" for c in token.text}
    for token in line.tokens:
        if token.kind == "name":
            free = [c for c in token.letters if c not in used] or list(token.letters)
            fits = [c for c in free for held in among if c in held]
            token.text = (fits or free)[0]
            used.add(token.text)
