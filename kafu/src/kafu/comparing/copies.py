"""Copies: games with the same first deal, in whichever form it was recorded.

`fingerprint` finds candidates among many games, and `FirstDeal.agrees` compares their known cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from kafu import cards
from kafu.notation.game import Game
from kafu.notation.writer import write_turns
from kafu.rules.play.seating import turn_order

#: Cards, besides the field, that two forms of a deal must have in common. With fewer, two different
#: deals could agree by chance.
LEAST_COMMON: Final = 7
_FIELD: Final = "field"
_STOCK: Final = "stock"


def fingerprint(game: Game) -> int | None:
    """Return the fingerprint of a game's first deal; None for a game without known cards.

    All copies of a game have the same fingerprint: it depends on the month and the field only,
    which every form of a deal shows.
    """
    month = game.months[0] if game.months and not game.is_sheet else None
    if month is None or not month.field or not set(month.field) <= set(cards.LETTERS):
        return None
    text = f"{month.month} {''.join(sorted(month.field))}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), signed=True)


class FirstDeal(NamedTuple):
    """The known part of a game's first deal. Seats are in turn order from the dealer.

    ``places`` are the places of the known cards, by letter: `_FIELD`, `_STOCK` or the number of
    the seat. ``hands`` are the sizes of the hands. ``stock`` are the known cards from the top of
    the draw pile, ``turns`` the words of the movetext.
    """

    players: tuple[str, ...]
    places: Mapping[str, str | int]
    hands: tuple[int, ...]
    stock: str
    turns: Sequence[str]

    def agrees(self, other: FirstDeal) -> bool:
        """Return whether both are forms of one deal.

        No known card may contradict, and enough cards must be common. Other players may play the
        same cards, as in a tournament: the players or the turns must be the same too.
        """
        common = self.places.keys() & other.places.keys()
        if len(self.players) != len(other.players) or self.hands != other.hands:
            return False
        if any(self.places[card] != other.places[card] for card in common):
            return False
        if not _is_prefix(self.stock, other.stock):
            return False
        held = {**self.places, **other.places}.values()
        if any(sum(place == seat for place in held) > size for seat, size in enumerate(self.hands)):
            return False
        known_count = sum(self.places[card] not in (_FIELD, _STOCK) for card in common)
        if known_count + min(len(self.stock), len(other.stock)) < LEAST_COMMON:
            return False
        return self.players == other.players or _is_prefix(self.turns, other.turns)


def _is_prefix(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether one of two sequences begins with the other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def read_first_deal(game: Game, player_key: Callable[[str], str]) -> FirstDeal:
    """Return the first deal of a game with a fingerprint.

    ``player_key`` returns a text that is equal for the spellings of a player's name.
    """
    month = game.months[0]
    order = turn_order(month.dealer, len(game.players))
    turns = [word for word in write_turns(month).split() if not word.startswith("=")]
    drawn = "".join(turn.partition("/")[2][:1] or cards.UNKNOWN for turn in turns)
    # A draw pile may be cut, or omitted. Then the turns show its beginning.
    stock = max(month.stock or "", drawn, key=len).partition(cards.UNKNOWN)[0]
    places: dict[str, str | int] = dict.fromkeys(stock, _STOCK)
    places |= dict.fromkeys(month.field or "", _FIELD)
    hands = [month.hands.get(seat, "") for seat in order]
    for number, hand in enumerate(hands):
        places |= dict.fromkeys(hand.replace(cards.UNKNOWN, ""), number)
    players = tuple(player_key(game.players[seat - 1]) for seat in order)
    return FirstDeal(players, places, tuple(map(len, hands)), stock, turns)
