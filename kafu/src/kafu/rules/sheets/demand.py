"""The demand of a month's lines on the cards, for which `sheets.question` finds a deal."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kafu import cards
from kafu.rules.sheets.capture_rules import Help
from kafu.rules.sheets.dealt_hands import ANY_BRIGHTS, Brights
from kafu.rules.sheets.hand_kinds import HandKind
from kafu.rules.yaku import YakuTable


class DemandedPlayer(NamedTuple):
    """The demand on a player's cards.

    ``yaku`` are the captured yaku with their values; ``unpaid`` are yaku that the player may make
    besides, even one that replaces those. ``points`` are the least and the most points of the
    captured cards, ``chaff`` is their number of chaff cards; None for any. ``jumps`` is the number
    of 飛込み, of the threes of the hand if ``can_jump``. ``counts`` are other numbers of the
    captured cards, each with the weights by card. ``has_more_yaku``: the player may have made other
    captured yaku, even in a month in which nobody else has.
    """

    hand: HandKind
    can_jump: bool = False
    yaku: frozenset[tuple[str, int]] = frozenset()
    points: tuple[int, int] | None = None
    chaff: int | None = None
    jumps: int = 0
    counts: tuple[tuple[tuple[int, ...], int], ...] = ()
    unpaid: frozenset[str] = frozenset()
    has_more_yaku: bool = False


class Demand(NamedTuple):
    """The demand of a month on the cards; players are in play order, from 0 on.

    - ``table``: the captured yaku of the house. ``chaff``: the cards that count as chaff (a mask).
    - ``brights``: the possible numbers of brights on the dealt field. ``most_alike`` is the most
      cards of a month on it.
    - ``count`` returns the points of cards (a mask).
    - ``is_played``: whether any card was played. ``is_played_out``: whether all were.
    - ``is_whole``: no other captured yaku was made, but those that these replace. Otherwise any may
      have been made that replaces none of these. ``most_points`` and ``most_chaff`` are the most
      of a player without a special yaku, None for any; ``is_uneven`` excludes equal points.
    - ``has_more_jumps``: more 飛込み may have been made.
    - ``helps``: the captures for which somebody pays alone.
    - ``idle``: the hands of players who do not play, which lie in the pile.
    """

    players: tuple[DemandedPlayer, ...]
    table: YakuTable
    chaff: int
    brights: Brights = ANY_BRIGHTS
    is_played: bool = True
    is_played_out: bool = False
    is_whole: bool = True
    most_points: int | None = None
    most_chaff: int | None = None
    is_uneven: bool = False
    has_more_jumps: bool = False
    helps: tuple[Help, ...] = ()
    count: Callable[[int], int] = cards.points
    most_alike: int = 4
    idle: tuple[HandKind, ...] = ()
